import Rendering
import Scanning

/// The reason why a tool has no answer: one line with what to do.
struct ToolError: Error, Equatable {
  let message: String

  init(_ message: String) { self.message = message }
}

/// A tool of the protocol: its declaration, and its answer to arguments.
struct AssistantTool {
  /// An argument as the schema declares it.
  struct Argument {
    enum Kind {
      case text
      /// An object whose values are texts.
      case texts
      /// A whole number from 0 or 1 to a largest one.
      case whole(ClosedRange<Int>)
    }

    let name: String
    let kind: Kind
    let says: String
    let isRequired: Bool

    init(_ name: String, _ says: String, _ kind: Kind = .text, isRequired: Bool = false) {
      (self.name, self.kind, self.isRequired, self.says) = (name, kind, isRequired, says)
    }
  }

  let name: String
  /// The content of its answers, for the assistant.
  let says: String
  var arguments: [Argument] = []
  let make: (ToolArguments) throws(ToolError) -> JSONValue

  /// Returns the answer to arguments.
  ///
  /// - Throws: ``ToolError`` for arguments that the schema does not allow, or that have no answer.
  func answer(to members: [JSONValue.Member]) throws(ToolError) -> JSONValue {
    let given = members.filter { $0.value != .null }
    for member in given {
      guard let argument = arguments.first(where: { $0.name == member.key }) else {
        let names = arguments.map(\.name).joined(separator: ", ")
        throw ToolError(
          "\(name) has no argument \(quotedExcerpt(member.key)); it has \(names.isEmpty ? "none" : names)"
        )
      }
      guard argument.allows(member.value) else {
        throw ToolError("\(name): \(argument.name) must be \(argument.form.words)")
      }
    }
    let missing = arguments.first { argument in
      argument.isRequired && !given.contains { $0.key == argument.name }
    }
    if let missing { throw ToolError("\(name) needs \(missing.name): \(missing.says)") }
    return try make(ToolArguments(members: given))
  }

  /// The declaration for `tools/list`.
  var declaration: JSONValue {
    let properties = arguments.map { argument in
      let says = JSONValue.Member("description", .text(argument.says))
      return JSONValue.Member(argument.name, .object(argument.form.schema + [says]))
    }
    return .object([
      "name": .text(name), "description": .text(says),
      "inputSchema": .object([
        "type": .text("object"), "properties": .object(properties),
        "required": .texts(arguments.filter(\.isRequired).map(\.name)),
        "additionalProperties": .bool(false),
      ]),
      "annotations": .object(["readOnlyHint": .bool(true), "openWorldHint": .bool(false)]),
    ])
  }
}

extension AssistantTool.Argument {
  /// The members of its JSON schema, and the same in words.
  fileprivate var form: (schema: [JSONValue.Member], words: String) {
    switch kind {
    case .text: ([.init("type", .text("string"))], "a text")
    case .texts:
      (
        [
          .init("type", .text("object")),
          .init("additionalProperties", .object(["type": .text("string")])),
        ], "an object of texts"
      )
    case .whole(let range):
      (
        [
          .init("type", .text("integer")), .init("minimum", .count(range.lowerBound)),
          .init("maximum", .count(range.upperBound)),
        ], "a whole number from \(range.lowerBound) to \(range.upperBound)"
      )
    }
  }

  fileprivate func allows(_ value: JSONValue) -> Bool {
    switch (kind, value) {
    case (.text, .text): true
    case (.texts, .object(let members)): members.allSatisfy { $0.value.words != nil }
    case (.whole(let range), .number(let digits)): Int(digits).map(range.contains) ?? false
    default: false
    }
  }
}

/// The arguments of a call, which the schema allows.
struct ToolArguments {
  let members: [JSONValue.Member]

  func text(_ name: String) -> String? { JSONValue.object(members)[name]?.words }

  /// Returns a whole number; `usual` without the argument.
  func whole(_ name: String, else usual: Int) -> Int {
    if case .number(let digits)? = JSONValue.object(members)[name] {
      Int(digits) ?? usual
    } else {
      usual
    }
  }

  /// Returns the texts of an object with their keys.
  func texts(_ name: String) -> [(key: String, value: String)] {
    guard case .object(let pairs)? = JSONValue.object(members)[name] else { return [] }
    return pairs.compactMap { pair in pair.value.words.map { (pair.key, $0) } }
  }
}
