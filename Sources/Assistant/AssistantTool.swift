import Rendering
import Scanning
import Storage

/// The reason why a tool has no answer: one line with what to do.
package struct ToolError: Error, Equatable {
  package let message: String

  package init(_ message: String) { self.message = message }
}

/// A tool of the protocol: its declaration, and its answer to arguments.
struct AssistantTool {
  /// An argument as the schema declares it.
  struct Argument {
    enum Kind {
      case text, list, object, flag
      /// A whole number from a least to a largest one.
      case whole(ClosedRange<Int>)
    }

    let name: String
    let kind: Kind
    let says: String
    var isRequired = false
  }

  let name: String
  let title: String
  let says: String
  var arguments: [Argument] = []
  let make: (ToolArguments) throws(ToolError) -> JSONValue

  /// Returns the answer to arguments that the schema allows.
  func answer(to members: [JSONValue.Member]) throws(ToolError) -> JSONValue {
    try make(try ToolArguments(members, of: self))
  }

  /// The declaration for `tools/list`.
  var declaration: JSONValue {
    let properties = arguments.map { JSONValue.Member($0.name, $0.schema) }
    return .object([
      "name": .text(name), "title": .text(title), "description": .text(says),
      "inputSchema": .object([
        "type": .text("object"), "properties": .object(properties),
        "required": .texts(arguments.filter(\.isRequired).map(\.name)),
        "additionalProperties": .bool(false),
      ]),
      "annotations": .object([
        "readOnlyHint": .bool(true), "destructiveHint": .bool(false),
        "idempotentHint": .bool(true), "openWorldHint": .bool(false),
      ]),
    ])
  }
}

extension AssistantTool.Argument {
  fileprivate var schema: JSONValue {
    var members: [JSONValue.Member] = []
    switch kind {
    case .text: members = [.init("type", .text("string"))]
    case .flag: members = [.init("type", .text("boolean"))]
    case .list:
      members = [
        .init("type", .text("array")), .init("items", .object(["type": .text("string")])),
      ]
    case .object:
      members = [
        .init("type", .text("object")),
        .init("additionalProperties", .object(["type": .text("string")])),
      ]
    case .whole(let range):
      members = [
        .init("type", .text("integer")), .init("minimum", .count(range.lowerBound)),
        .init("maximum", .count(range.upperBound)),
      ]
    }
    return .object(members + [.init("description", .text(says))])
  }

  fileprivate func allows(_ value: JSONValue) -> Bool {
    switch (kind, value) {
    case (.text, .text), (.flag, .bool): true
    case (.list, .list(let values)): values.allSatisfy(\.isText)
    case (.object, .object(let members)): members.allSatisfy(\.value.isText)
    case (.whole(let range), .number(let digits)): Int(digits).map(range.contains) ?? false
    default: false
    }
  }

  fileprivate var expected: String {
    switch kind {
    case .text: "a text"
    case .flag: "true or false"
    case .list: "a list of texts"
    case .object: "an object of texts"
    case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }
  }
}

extension JSONValue {
  fileprivate var isText: Bool { if case .text = self { true } else { false } }

  /// The value of a text; `nil` for others.
  var words: String? { if case .text(let text) = self { text } else { nil } }
}

/// The arguments of a call, which the schema allows; `null` is as none.
struct ToolArguments {
  private let members: [JSONValue.Member]

  init(_ members: [JSONValue.Member], of tool: AssistantTool) throws(ToolError) {
    let given = members.filter { $0.value != .null }
    for member in given {
      guard let argument = tool.arguments.first(where: { $0.name == member.key }) else {
        let names = tool.arguments.map(\.name)
        let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        throw ToolError("\(tool.name) has no argument \(quotedExcerpt(member.key)); \(known)")
      }
      guard argument.allows(member.value) else {
        throw ToolError("\(tool.name): \(argument.name) must be \(argument.expected)")
      }
    }
    let missing = tool.arguments.first { argument in
      argument.isRequired && !given.contains { $0.key == argument.name }
    }
    if let missing {
      throw ToolError("\(tool.name) needs \(missing.name): \(missing.says)")
    }
    self.members = given
  }

  private func value(_ name: String) -> JSONValue? { members.first { $0.key == name }?.value }

  func text(_ name: String) -> String? { value(name)?.words }

  func whole(_ name: String) -> Int? {
    if case .number(let digits)? = value(name) { Int(digits) } else { nil }
  }

  func flag(_ name: String) -> Bool { value(name) == .bool(true) }

  func texts(_ name: String) -> [String] {
    if case .list(let values)? = value(name) { values.compactMap(\.words) } else { [] }
  }

  /// The texts of an object by their keys, in their order.
  func pairs(_ name: String) -> [(key: String, value: String)] {
    guard case .object(let members)? = value(name) else { return [] }
    return members.compactMap { member in member.value.words.map { (member.key, $0) } }
  }
}
