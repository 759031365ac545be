/// Returns whether the first line of a text ends in CR alone, as old spreadsheets for the Mac end all lines.
///
/// - Parameters:
///   - bytes: A buffer.
///   - range: The beginning of the text in it.
/// - Returns: `nil` if the line is not at its end yet. False for a CR after other control characters, which no text has.
func firstLineEndsInReturn(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool? {
  let lineFeed = firstOffset(of: 0x0A, in: bytes, from: range.lowerBound, to: range.upperBound)
  let end = lineFeed ?? range.upperBound
  guard let first = firstOffset(of: 0x0D, in: bytes, from: range.lowerBound, to: end) else {
    return lineFeed == nil ? nil : false
  }
  var next = first + 1
  while next < range.upperBound, bytes[next] == 0x0D { next += 1 }
  if next == range.upperBound { return nil }
  let isText = (range.lowerBound..<first).allSatisfy { bytes[$0] >= 0x20 || bytes[$0] == 0x09 }
  return isText && bytes[next] != 0x0A
}

/// Returns whether a line contains a CR before other text, so that it is several lines.
///
/// - Parameter line: The line without its ending.
/// - Returns: Whether it does; false for a line of UTF-16, whose CR stands beside a 0.
package func hasLoneReturn(_ line: Span<UInt8>) -> Bool {
  let content = trimmed(line, line.indices)
  let place = firstOffset(of: 0x0D, in: line, from: content.lowerBound, to: content.upperBound)
  return place.map { $0 + 1 == content.upperBound || line[$0 + 1] != 0 } ?? false
}
