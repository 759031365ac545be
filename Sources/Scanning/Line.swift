/// The place of a line of text, for messages.
package struct Line: Equatable, Sendable {
  /// The number of the line, from 1.
  package let number: Int
  /// The offset of the line's first byte in the (inflated) text; a byte order mark counts 3.
  package let byteOffset: Int
  /// Whether the line is longer than 1 MiB, so that its bytes were skipped.
  package let isTooLong: Bool

  /// Creates the place of a line.
  package init(number: Int, byteOffset: Int, isTooLong: Bool = false) {
    self.number = number
    self.byteOffset = byteOffset
    self.isTooLong = isTooLong
  }
}

/// Whether to continue after a line.
package enum ScanStep: Sendable {
  /// Continue with the next line.
  case next
  /// Stop, without reading and verifying the rest of the file.
  case stop
}
