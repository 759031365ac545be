/// Returns the range of a field without the spaces, tabs and carriage returns at its ends.
///
/// Apple pads some columns (`"RUB      "`), and writes one space in some blank fields.
///
/// - Parameters:
///   - line: The line that holds the field.
///   - range: Where the field is.
/// - Returns: The range without blanks at its ends; for a blank field, the empty range at its end.
@inlinable
package func trimmed(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
  var start = range.lowerBound
  var end = range.upperBound
  if start < end, !isBlank(line[start]), !isBlank(line[end &- 1]) { return range }
  while start < end, isBlank(line[start]) { start &+= 1 }
  while start < end, isBlank(line[end &- 1]) { end &-= 1 }
  return start..<end
}

@inlinable
@inline(__always)
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
