/// The numbers by which receipts name things, alike for one customer but in no order.
struct ReceiptID {
  /// What a number names; each kind has its own numbers.
  enum Kind: UInt64 {
    case transaction, reissued, lineItem, familyTransaction, appTransaction, download
  }

  let seed: UInt64

  /// Returns a number of 15 digits: different ones for different things.
  ///
  /// - Parameters:
  ///   - kind: What it names.
  ///   - customer: Whose it is.
  ///   - serial: The number of the customer's charge, 0 if it names no charge.
  /// - Returns: The number.
  func number(_ kind: Kind, _ customer: Int, _ serial: Int = 0) -> Int {
    // An odd factor and a power of two: different keys have different numbers.
    let account = (UInt64(customer) &* 0x0B2E_715B &+ seed) & ((1 << 29) - 1)
    let charge = UInt64(serial) &* 0x6A4D & 0xFFFF
    return 300_000_000_000_000 + Int((account << 16 | charge) << 3 | kind.rawValue)
  }

  /// Returns a universally unique identifier in lower case, version 4.
  ///
  /// - Parameters:
  ///   - stream: What it names.
  ///   - number: Which of them.
  /// - Returns: The 36 characters.
  func uuid(_ stream: UInt64, _ number: Int) -> String {
    var random = SeededRandom(seed: seed &+ UInt64(number), stream: stream)
    let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    var text = ""
    for (index, digit) in (Self.hex(high) + Self.hex(low)).enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }

  private static func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
