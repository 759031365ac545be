/// Returns the range of a field without the spaces, tabs and carriage returns at its ends.
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
    range.lowerBound < range.upperBound && !isBlank(line[range.lowerBound])
    && !isBlank(line[range.upperBound &- 1])
  return isFilled ? range : withoutBlanks(line, range)
}

@usableFromInline
@inline(never)
func withoutBlanks(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
  var start = range.lowerBound
  var end = range.upperBound
  while start < end, isBlank(line[start]) { start &+= 1 }
  while start < end, isBlank(line[end &- 1]) { end &-= 1 }
  return start..<end
}

@inlinable
@inline(__always)
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
