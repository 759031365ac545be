import Scanning
import SubreportTestSupport
import Testing

private enum Key: String, CaseIterable {
  case status, receipt, empty = ""
  case purchaseDate = "purchase_date"
  case purchaseDateMs = "purchase_date_ms"
  case purchaseDatePst = "purchase_date_pst"
  case accented = "é\n"
  case short = "mno"
  case long = "subscription_group_identifier_of_the_first_product"
}

@Suite("JSON reading")
struct JSONReadingTests {
  private static let keys = JSONKeys<Key>()

  @Test(arguments: [nil, 1, 4, 9])
  func `finds known keys, escaped or cut by a block's end`(blockSize: Int?) throws {
    let text = """
      {"status":1, "receip":2, "receipt":3, "receipts":4, "":5, "purchase_date":6,
       "purchase_date_ms":7, "purchase_d\\u0061te_pst":8, "purchase_date_gmt":9, "é\\n":10,
       "\(String(repeating: "x", count: 5000))":11}
      """
    var scanner = try jsonScanner(Array(text.utf8), blockSize: blockSize)
    var members: [JSONMember<Key>] = []
    _ = try scanner.nextValue()
    var object = try #require(try scanner.enterObject())
    while let member = try scanner.nextMember(of: &object, Self.keys) { members.append(member) }
    #expect(
      members == [
        .known(.status), .unknown, .known(.receipt), .unknown, .known(.empty),
        .known(.purchaseDate), .known(.purchaseDateMs), .known(.purchaseDatePst), .unknown,
        .known(.accented), .unknown,
      ])
    let hasMore = try scanner.nextValue()
    #expect(!hasMore)
  }

  @Test
  func `takes no other key of the same length for a known one`() throws {
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(Unicode.Scalar($0)) }
    var others = letters.flatMap { first in letters.map { first + $0 + "o" } }
    // The middle of a long key is no part of its hash.
    others += letters.map { "subscription_group_ident\($0)fier_of_the_first_product" }
    let text = "{" + others.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
    var scanner = try jsonScanner(Array(text.utf8))
    var known: [Key] = []
    _ = try scanner.nextValue()
    var object = try #require(try scanner.enterObject())
    while let member = try scanner.nextMember(of: &object, Self.keys) {
      if case .known(let key) = member { known.append(key) }
    }
    #expect(known == [.short, .long])
  }

  @Test
  func `refuses a known key twice in one object, and can go on`() throws {
    let text = Array(
      #"{"receipt":{"status":1},"status":2,"x":3,"x":4, "st\u0061tus":5,"empty":6}"#.utf8)
    var scanner = try jsonScanner(text)
    var values = JSONText()
    _ = try scanner.nextValue()
    var object = try #require(try scanner.enterObject())
    var members = 0
    var errors: [JSONReadError] = []
    while true {
      do {
        guard try scanner.nextMember(of: &object, Self.keys) != nil else { break }
        members += 1
      } catch {
        errors.append(error)
        _ = try scanner.readScalar(into: &values)
      }
    }
    #expect(members == 5)
    #expect(values.bytes.prefix(values.count) == [0x35])
    guard case .text(let error)? = errors.first else { return #expect(Bool(false)) }
    #expect(errors.count == 1)
    #expect(error.code == .duplicateKey)
    #expect(error.byteOffset == 48 && error.key == "status")
  }

  @Test(arguments: [nil, 3])
  func `passes over what the caller leaves, to any depth`(blockSize: Int?) throws {
    let text = Array(#"[{"receipt":[1,{"status":[2,3]},4],"x":5},{"status":6}] 7 {"a":[8]}  "#.utf8)
    var scanner = try jsonScanner(text, blockSize: blockSize)
    _ = try scanner.nextValue()
    let array = try #require(try scanner.enterArray())
    _ = try scanner.nextElement(of: array)
    var object = try #require(try scanner.enterObject())
    _ = try scanner.nextMember(of: &object, Self.keys)
    let inner = try #require(try scanner.enterArray())
    _ = try scanner.nextElement(of: inner)
    _ = try scanner.nextElement(of: inner)
    var innermost = try #require(try scanner.enterObject())
    _ = try scanner.nextMember(of: &innermost, Self.keys)
    _ = try scanner.enterArray()
    // Three levels at once, one of them just entered.
    let hasSecond = try scanner.nextElement(of: array)
    #expect(hasSecond)
    #expect(scanner.byteOffset == 42)
    let hasNumber = try scanner.nextValue()
    let number = try scanner.readTree()
    #expect(hasNumber)
    #expect(number == .number([0x37]))
    let hasObject = try scanner.nextValue()
    let hasMore = try scanner.nextValue()
    #expect(hasObject)
    #expect(!hasMore)
  }

  @Test
  func `leaves a value that is not of the kind asked for`() throws {
    var scanner = try jsonScanner(Array(#"{"a":1}"#.utf8))
    var text = JSONText()
    _ = try scanner.nextValue()
    let array = try scanner.enterArray()
    let isString = try scanner.readString { _ in }
    let scalar = try scanner.readScalar(into: &text)
    let kind = try scanner.peekKind()
    #expect(array == nil)
    #expect(!isString)
    #expect(scalar.kind == .object && kind == .object)
    let tree = try scanner.readTree()
    #expect(tree == .object([.init(key: [0x61], value: .number([0x31]))]))
  }

  @Test(arguments: [nil, 1, 6])
  func `loses only the damaged lines of a file of lines`(blockSize: Int?) throws {
    let text = """
      {"status":1}
      {"status":2
      {"status":

        [3]\r
      {"status":4]} {"status":5}
      "cut
      6 7
      {"status":8
      """
    var scanner = try jsonScanner(Array(text.utf8), blockSize: blockSize)
    scanner.isLineDelimited = true
    var values: [ReferenceJSON.Value] = []
    var errors: [String] = []
    while true {
      do throws(JSONReadError) {
        guard try scanner.nextValue() else { break }
        values.append(try scanner.readTree())
      } catch {
        guard case .text(let error) = error else { break }
        errors.append("\(error.line):\(error.byteOffset):\(error.code.rawValue)")
        try scanner.skipToLineEnd()
      }
    }
    #expect(
      errors == [
        "2:24:json-truncated", "3:35:json-truncated", "6:55:json-syntax",
        "7:75:json-control-character", "9:91:json-truncated",
      ])
    #expect(
      values == [
        .object([.init(key: Array("status".utf8), value: .number([0x31]))]),
        .array([.number([0x33])]), .number([0x36]), .number([0x37]),
      ])
  }

  @Test
  func `ends a string with its line even where control characters are allowed`() throws {
    var scanner = try jsonScanner(
      Array("[\"a\tb\",\"cut\n[1]".utf8), allowsControlCharacters: true)
    scanner.isLineDelimited = true
    _ = try scanner.nextValue()
    do throws(JSONReadError) {
      try scanner.skipValue()
      Issue.record("read on into the next line")
    } catch {
      guard case .text(let error) = error else { throw error }
      #expect(error.code == .controlCharacter)
      #expect(error.byteOffset == 11)
    }
    try scanner.skipToLineEnd()
    let hasNext = try scanner.nextValue()
    #expect(hasNext)
    #expect(scanner.byteOffset == 12)
  }

  @Test
  func `begins again with other bytes`() throws {
    var scanner = try jsonScanner(Array("[[1".utf8))
    _ = try scanner.nextValue()
    _ = try scanner.enterArray()
    for text in ["\u{FEFF}{\"a\":\n1}", "2", String(repeating: " ", count: 1000) + "[]"] {
      let bytes = Array(text.utf8)
      scanner.restart(with: bytes.span)
      #expect(scanner.line == 1)
      _ = try scanner.nextValue()
      let tree = try scanner.readTree()
      let hasMore = try scanner.nextValue()
      #expect(JSONOutcome.success(tree) == referenceJSON(Array(bytes.drop { $0 >= 0x80 })))
      #expect(!hasMore)
      #expect(scanner.byteOffset == bytes.count)
    }
  }
}
