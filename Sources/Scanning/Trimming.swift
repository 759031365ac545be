/// Returns the range of a field without the spaces, tabs and carriage returns at its ends, also those of Unicode.
///
/// Apple pads some columns (`"RUB      "`), and writes one space in some blank fields.
///
/// - Parameters:
///   - line: The line that holds the field.
///   - range: Where the field is.
/// - Returns: The range without blanks at its ends; for a blank field, the empty range at its end.
@inlinable
@inline(__always)
package func trimmed(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
  let isFilled =
    range.lowerBound < range.upperBound && isVisible(line[range.lowerBound])
    && isVisible(line[range.upperBound &- 1])
  return isFilled ? range : withoutBlanks(line, range)
}

@usableFromInline
@inline(never)
func withoutBlanks(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
  var start = range.lowerBound
  var end = range.upperBound
  while start < end {
    let length = blankLength(line, start..<end)
    if length == 0 { break }
    start &+= length
  }
  while let length = (1...3).first(where: { length in
    start <= end - length && blankLength(line, (end - length)..<end) == length
  }) {
    end -= length
  }
  return start..<end
}

/// Returns whether a byte is a visible character of ASCII.
@inlinable
@inline(__always)
func isVisible(_ byte: UInt8) -> Bool { byte &- 0x21 < 0x5E }

/// Returns the length in bytes of the blank at the beginning of a text that is not empty; 0 without one.
///
/// Tables that people have copied from web pages have no-break spaces; U+200B and U+FEFF have no width.
private func blankLength(_ line: Span<UInt8>, _ range: Range<Int>) -> Int {
  let first = line[range.lowerBound]
  if first == 0x20 || first == 0x09 || first == 0x0D { return 1 }
  if first < 0x80 || range.count < 2 { return 0 }
  if first == 0xC2 { return line[range.lowerBound + 1] == 0xA0 ? 2 : 0 }
  if range.count < 3 { return 0 }
  let rest = UInt16(line[range.lowerBound + 1]) << 8 | UInt16(line[range.lowerBound + 2])
  return switch (first, rest) {
  case (0xE2, 0x8080...0x808B), (0xE2, 0x80AF), (0xE2, 0x819F), (0xE1, 0x9A80), (0xE3, 0x8080),
    (0xEF, 0xBBBF):
    3
  default: 0
  }
}
