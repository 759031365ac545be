import Scanning

/// Reads the values of a JSON text that `report` has written: a manifest, a line of a ledger.
struct WrittenJSON: ~Copyable {
  /// A value that `report` does not write.
  struct Fault: Error {
    /// The line, from 1.
    let line: Int
    /// What was found and what was expected.
    let message: String
  }

  var scanner: JSONScanner
  private var text = JSONText()
  /// The number of bytes, which no text exceeds.
  private let limit: Int

  init(_ scanner: consuming JSONScanner, limit: Int) {
    self.scanner = scanner
    self.limit = limit
  }

  mutating func string() throws -> String {
    guard let text = try scalar(.string) else {
      throw fault("found no text in quotes where one must be")
    }
    return text
  }

  mutating func number() throws -> Int {
    guard let number = try scalar(.number).flatMap({ Int($0) }) else {
      throw fault("found no whole number where one must be")
    }
    return number
  }

  mutating func digits() throws -> String {
    guard let digits = try scalar(.number) else {
      throw fault("found no number where one must be")
    }
    return digits
  }

  mutating func enterObject() throws -> JSONObject {
    guard let object = try scanner.enterObject() else { throw fault("found no JSON object") }
    return object
  }

  /// Enters an array, whose name in words is for the fault.
  mutating func enterArray(_ name: String = "list") throws -> JSONArray {
    guard let array = try scanner.enterArray() else { throw fault("found no \(name)") }
    return array
  }

  /// Returns the next key of an object whose keys are not fixed; `nil` at its end.
  mutating func nextKey(of object: borrowing JSONObject) throws -> String? {
    text.removeAll()
    guard let key = try scanner.nextMember(of: object, keyInto: &text, limit: limit) else {
      return nil
    }
    return String(decoding: text.bytes[key.range], as: UTF8.self)
  }

  func fault(_ message: String) -> Fault { Fault(line: scanner.line, message: message) }

  /// Returns the text of a value; `nil` for a value of another kind.
  private mutating func scalar(_ kind: JSONKind) throws -> String? {
    text.removeAll()
    let scalar = try scanner.readScalar(into: &text, limit: limit)
    return scalar.kind == kind ? String(decoding: text.bytes[scalar.range], as: UTF8.self) : nil
  }
}
