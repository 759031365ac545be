/// Makes the IDs in receipts: related for one customer, but in no order.
struct ReceiptID {
  /// The kind of object that an ID identifies; each kind has its own IDs.
  enum Kind: UInt64 {
    case transaction, reissued, lineItem, familyTransaction, appTransaction, download
  }

  let seed: UInt64

  /// Returns an ID of 15 digits; different objects have different IDs.
  ///
  /// `serial` is the number of the customer's charge, 0 if the ID is for no charge.
  func number(_ kind: Kind, _ customer: Int, _ serial: Int = 0) -> Int {
    // An odd factor modulo a power of two: different keys give different numbers.
    let account = (UInt64(customer) &* 0x0B2E_715B &+ seed) & ((1 << 29) - 1)
    let charge = UInt64(serial) &* 0x6A4D & 0xFFFF
    return 300_000_000_000_000 + Int((account << 16 | charge) << 3 | kind.rawValue)
  }

  /// Returns a universally unique identifier in lower case, version 4; `stream` is the kind of object.
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
