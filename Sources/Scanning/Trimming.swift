/// Drops the spaces, tabs and carriage returns at both ends of a field.
///
/// Apple pads some columns (`"RUB      "`) and writes some blanks as one space.
///
/// - Parameters:
///   - line: The line that holds the field.
///   - range: Where the field is.
/// - Returns: The part without blanks at its ends; the empty range at the field's end if it is all
///   blank.
@inlinable
public func trimmed(_ line: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
  var start = range.lowerBound
  var end = range.upperBound
  while start < end, isBlank(line[start]) { start &+= 1 }
  while start < end, isBlank(line[end &- 1]) { end &-= 1 }
  return start..<end
}

@inlinable
@inline(__always)
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

/// Returns the offset of the first byte that breaks UTF-8.
///
/// Overlong forms, surrogates, code points past U+10FFFF and sequences cut short all count; the
/// offset is that of the broken sequence's first byte. ``FieldSplitter/isASCII`` spares the call.
///
/// - Parameter line: The bytes to check.
/// - Returns: The offset of the first bad byte, or nil if the line is valid.
public func firstInvalidUTF8(_ line: Span<UInt8>) -> Int? {
  do {
    _ = try UTF8Span(validating: line)
    return nil
  } catch {
    return error.byteOffsets.lowerBound
  }
}
