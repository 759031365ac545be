import Scanning
import SubreportTestSupport
import Testing

@Suite("Numbers from bytes")
struct ByteNumberTests {
  typealias Result = ByteNumber.MilliunitsResult

  static let amounts: [(String, Result)] = [
    ("9.99", .value(9_990)), (".36", .value(360)), ("-85.43", .value(-85_430)),
    ("67000", .value(67_000_000)), ("37.8", .value(37_800)), ("0", .value(0)), ("-0", .value(0)),
    ("-.5", .value(-500)), ("007", .value(7_000)), ("2.9900", .value(2_990)),
    ("2.990000000000000000000000", .value(2_990)), ("2.9901", .tooManyDecimals),
    ("0.0000000000001", .tooManyDecimals),
    ("", .notADecimal), ("-", .notADecimal), (".", .notADecimal), ("-.", .notADecimal),
    ("1.", .notADecimal), ("+1", .notADecimal), ("9,99", .notADecimal), (" 1", .notADecimal),
    ("1 ", .notADecimal), ("1.2.3", .notADecimal), ("--1", .notADecimal), ("1e3", .notADecimal),
    ("2.9901x", .notADecimal), ("99999999999999999999x", .notADecimal),
    ("9223372036854775.807", .value(.max)), ("-9223372036854775.808", .value(.min)),
    ("9223372036854775.808", .outOfRange), ("-9223372036854775.809", .outOfRange),
    ("18446744073709551.616", .outOfRange), ("99999999999999999999999999", .outOfRange),
    ("99999999999999999999999999.0001", .tooManyDecimals),
  ]

  static let ids: [(String, UInt64?)] = [
    ("1", 1), ("12345678", 12_345_678), ("123456789", 123_456_789),
    ("123456789012345", 123_456_789_012_345), ("1234567890123456", 1_234_567_890_123_456),
    ("4611686018427387903", 1 << 62 - 1), ("4611686018427387904", nil),
    ("9999999999999999999", nil), ("10000000000000000000", nil), ("", nil), ("0", nil), ("01", nil),
    ("012345678901234", nil), ("+1", nil), ("-1", nil), ("1.0", nil), ("1 ", nil), ("u-7", nil),
  ]

  @Test(arguments: ids)
  func `reads ids that are numbers`(text: String, expected: UInt64?) {
    let line = Array("x\(text)9".utf8)
    #expect(ByteNumber.id(line.span, 1..<line.count - 1) == expected)
  }

  @Test(arguments: 1...19)
  func `finds the one byte of an id that is no digit`(length: Int) {
    let digits = (0..<length).map { UInt8(0x31 + $0 % 9) }
    for place in 0..<length {
      for byte in [0x2F, 0x3A, 0x00, 0x7F, 0xB1, 0xFF] as [UInt8] {
        var line = digits
        line[place] = byte
        #expect(ByteNumber.id(line.span, 0..<length) == nil)
      }
    }
  }

  @Test(arguments: amounts)
  func `reads amounts exactly or says why not`(text: String, expected: Result) {
    let line = Array("x\(text)9".utf8)
    #expect(ByteNumber.milliunits(line.span, 1..<line.count - 1) == expected)
  }

  static let integers: [(String, Int?)] = [
    ("0", 0), ("-0", 0), ("+7", 7), ("-12", -12), ("0012", 12), ("", nil), ("-", nil), ("+", nil),
    ("1.0", nil), ("1 ", nil), ("+-1", nil), ("9223372036854775807", .max),
    ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil),
    ("99999999999999999999999999999999", nil),
  ]

  @Test(arguments: integers)
  func `reads whole numbers`(text: String, expected: Int?) {
    let line = Array("x\(text)9".utf8)
    #expect(ByteNumber.integer(line.span, 1..<line.count - 1) == expected)
  }

  @Test(arguments: seeds(200))
  func `agrees with the obvious parser on random text`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let alphabet = Array((Bool.random(using: &random) ? "0123456789" : "000019.-+,").utf8)
      var line: [UInt8] = Int.random(in: 0..<4, using: &random) == 0 ? [0x2D] : []
      for _ in 0..<Int.random(in: 0...22, using: &random) {
        line.append(alphabet.randomElement(using: &random) ?? 0)
      }
      if Bool.random(using: &random), !line.isEmpty {
        line.insert(0x2E, at: Int.random(in: 0..<line.count, using: &random))
      }
      let text = String(decoding: line, as: UTF8.self)
      #expect(ByteNumber.milliunits(line.span, 0..<line.count) == Self.reference(text), "\(text)")
      #expect(ByteNumber.integer(line.span, 0..<line.count) == Int(text), "\(text)")
      let isID = ("1"..."9").contains(text.prefix(1)) && text.allSatisfy { $0.isNumber }
      let id = isID ? UInt64(text).flatMap { $0 < 1 << 62 ? $0 : nil } : nil
      #expect(ByteNumber.id(line.span, 0..<line.count) == id, "\(text)")
    }
  }

  /// The obvious parser: cut the text at its point, and read the digits as one large number.
  static func reference(_ text: String) -> Result {
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0)
      .split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
      return .notADecimal
    }
    guard parts.count == 1 && parts[0] != "" || parts.count == 2 && parts[1] != "" else {
      return .notADecimal
    }
    var decimals = parts.count == 2 ? String(parts[1]) : ""
    while decimals.count > 3, decimals.hasSuffix("0") { decimals.removeLast() }
    guard decimals.count <= 3 else { return .tooManyDecimals }
    let digits = parts[0] + decimals + String(repeating: "0", count: 3 - decimals.count)
    guard let magnitude = Int128(digits),
      let value = Int64(exactly: isNegative ? -magnitude : magnitude)
    else { return .outOfRange }
    return .value(value)
  }
}
