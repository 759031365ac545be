/// Report text under construction, as bytes; rows are appended to it.
struct ByteText {
  var bytes: [UInt8] = []

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ text: [UInt8]) {
    bytes.append(contentsOf: text)
  }

  mutating func append(_ text: ArraySlice<UInt8>) {
    bytes.append(contentsOf: text)
  }

  mutating func appendTab() {
    bytes.append(UInt8(ascii: "\t"))
  }

  mutating func appendNewline() {
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends a blank field: one space, as Apple writes most blanks, and a tab.
  mutating func appendBlankField() {
    bytes.append(UInt8(ascii: " "))
    bytes.append(UInt8(ascii: "\t"))
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

  /// Appends a fraction with six decimals: 80,000 is `0.080000`.
  mutating func append(millionths: Int) {
    append(number: millionths / 1_000_000)
    append(".")
    for place in [100_000, 10_000, 1_000, 100, 10, 1] {
      append(number: millionths / place % 10)
    }
  }

  /// Appends a CSV cell, in quotes if it needs them.
  mutating func append(cell: String) {
    guard cell.contains(",") || cell.contains("\"") else {
      append(cell)
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in cell.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
