/// Report text under construction, as bytes; rows are appended to it.
struct ByteText {
  var bytes: [UInt8] = []

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ text: some Collection<UInt8>) {
    bytes.append(contentsOf: text)
  }

  mutating func appendTab() {
    bytes.append(UInt8(ascii: "\t"))
  }

  mutating func appendNewline() {
    bytes.append(UInt8(ascii: "\n"))
  }

  mutating func append(number: Int) {
    if number < 0 {
      bytes.append(UInt8(ascii: "-"))
      append(number: -number)
      return
    }
    if number >= 10 { append(number: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  /// Appends an amount with two decimals: 999 is `9.99`.
  mutating func append(hundredths: Int) {
    if hundredths < 0 { bytes.append(UInt8(ascii: "-")) }
    let size = abs(hundredths)
    append(number: size / 100)
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: size / 10 % 10))
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: size % 10))
  }
}

extension DefaultStringInterpolation {
  /// Appends a number, not a negative one, with leading zeros: 7 with two digits is `07`.
  mutating func appendInterpolation(_ number: Int, digits: Int) {
    let text = String(number)
    appendLiteral(String(repeating: "0", count: max(0, digits - text.utf8.count)) + text)
  }

  /// Appends an amount with two decimals: 999 is `9.99`.
  mutating func appendInterpolation(hundredths: Int) {
    var text = ByteText()
    text.append(hundredths: hundredths)
    appendLiteral(String(decoding: text.bytes, as: UTF8.self))
  }

  /// Appends an amount in hundredths, without decimals where the currency has none.
  mutating func appendInterpolation(_ hundredths: Int, currency: Int) {
    if Catalog.hasDecimals(currency: currency) {
      appendInterpolation(hundredths: hundredths)
    } else {
      appendInterpolation(hundredths / 100)
    }
  }
}
