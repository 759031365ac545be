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

/// JSON strings, for tables and for other small files such as a manifest.
package enum JSONText {
  /// Returns a string in quotes, with `"`, `\` and every control character escaped (RFC 8259).
  package static func quoted(_ text: String) -> String {
    var buffer: [UInt8] = []
    append(text, to: &buffer)
    return String(decoding: buffer, as: UTF8.self)
  }

  static func append(_ text: String, to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): buffer.append(contentsOf: "\\\"".utf8)
      case UInt8(ascii: "\\"): buffer.append(contentsOf: "\\\\".utf8)
      case UInt8(ascii: "\n"): buffer.append(contentsOf: "\\n".utf8)
      case UInt8(ascii: "\r"): buffer.append(contentsOf: "\\r".utf8)
      case UInt8(ascii: "\t"): buffer.append(contentsOf: "\\t".utf8)
      case 0x00..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        buffer.append(contentsOf: (digits.utf8.count == 1 ? "\\u000" : "\\u00").utf8)
        buffer.append(contentsOf: digits.utf8)
      default: buffer.append(byte)
      }
    }
    buffer.append(UInt8(ascii: "\""))
  }
}

/// Tables as JSON objects, one a row and one a line, keyed by column name in the columns' order.
///
/// Missing and blank words are `null`. Counts and rates are numbers, with the digits that CSV has; money is
/// text, so that no reader turns an exact amount into floating point.
enum JSONTable {
  /// Appends the next rows of an array that is printed piece by piece.
  static func appendElements(
    of table: ReportTable, areFirst: Bool, to buffer: inout [UInt8]
  ) {
    let keys = keys(of: table)
    for (index, row) in table.rows.enumerated() {
      buffer.append(contentsOf: (areFirst && index == 0 ? "\n" : ",\n").utf8)
      appendObject(row, keys: keys, to: &buffer)
    }
  }

  static func appendLines(_ table: ReportTable, to buffer: inout [UInt8]) {
    let keys = keys(of: table)
    for row in table.rows {
      appendObject(row, keys: keys, to: &buffer)
      buffer.append(UInt8(ascii: "\n"))
    }
  }

  private static func keys(of table: ReportTable) -> [String] {
    table.columns.map { JSONText.quoted($0.name) + ":" }
  }

  private static func appendObject(
    _ row: [ReportTable.Cell], keys: [String], to buffer: inout [UInt8]
  ) {
    buffer.append(UInt8(ascii: "{"))
    for (index, cell) in row.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      buffer.append(contentsOf: keys[index].utf8)
      JSONValue(cell).append(to: &buffer)
    }
    buffer.append(UInt8(ascii: "}"))
  }
}
