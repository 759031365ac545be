import Storage
package import Tables

/// A small JSON text as a tree, such as a digest or a message of a protocol.
///
/// An example is `JSONValue.object(["month": .text("2026-09"), "value": .number("0.093851")]).text`.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// The digits as they are written.
  case number(String)
  case text(String)
  case list([JSONValue])
  /// The members in their order.
  case object([Member])

  package struct Member: Equatable, Sendable {
    package let key: String
    package let value: JSONValue

    package init(_ key: String, _ value: JSONValue) { (self.key, self.value) = (key, value) }
  }

  package static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { Member($0.key, $0.value) })
  }

  package static func count(_ count: Int) -> JSONValue { .number(String(count)) }

  package static func texts(_ texts: some Sequence<String>) -> JSONValue {
    .list(texts.map(JSONValue.text))
  }

  /// Creates the value of a text; `null` for none, and for a blank one.
  package init(_ text: String?) { self = text.flatMap { $0.isEmpty ? nil : .text($0) } ?? .null }

  /// Creates the value of a cell as tables in JSON have it: counts and rates as numbers, amounts as text, missing cells
  /// and blank words as `null`.
  package init(_ cell: ReportTable.Cell) {
    switch (CellText(cell), cell) {
    case (.missing, _): self = .null
    case (.words(let words), _): self.init(words)
    case (.number(let digits), .money): self = .text(digits)
    case (.number(let digits), _): self = .number(digits)
    }
  }

  /// The value of a member of an object; `nil` for other values and other keys.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.isSame(as: key) }?.value
  }

  /// The value of a text; `nil` for others.
  package var words: String? { if case .text(let text) = self { text } else { nil } }

  /// The JSON text on one line.
  package var text: String {
    var buffer: [UInt8] = []
    append(to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Appends the JSON text, which has no line break.
  package func append(to buffer: inout [UInt8]) {
    switch self {
    case .null: buffer.append(contentsOf: "null".utf8)
    case .bool(let value): buffer.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let digits): buffer.append(contentsOf: digits.utf8)
    case .text(let text): JSONText.append(text, to: &buffer)
    case .list(let values):
      var mark = "["
      for value in values {
        buffer.append(contentsOf: mark.utf8)
        value.append(to: &buffer)
        mark = ","
      }
      buffer.append(contentsOf: (values.isEmpty ? "[]" : "]").utf8)
    case .object(let members):
      var mark = "{"
      for member in members {
        buffer.append(contentsOf: mark.utf8)
        JSONText.append(member.key, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
        member.value.append(to: &buffer)
        mark = ","
      }
      buffer.append(contentsOf: (members.isEmpty ? "{}" : "}").utf8)
    }
  }
}
