/// Returns the offset of the first byte that breaks UTF-8.
///
/// Overlong forms, surrogates, code points past U+10FFFF and truncated sequences are all invalid. A
/// line for which ``FieldSplitter/isASCII`` is true need not be checked.
///
/// - Parameter line: The bytes to check.
/// - Returns: The offset of the first byte of the first invalid sequence, or nil if the line is
///   valid.
package func firstInvalidUTF8(_ line: Span<UInt8>) -> Int? {
  do {
    _ = try UTF8Span(validating: line)
    return nil
  } catch {
    return error.byteOffsets.lowerBound
  }
}
