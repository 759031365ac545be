import Scanning
import SubreportTestSupport

/// What a scanner handed out before it came to the end or to an error.
struct ScannedText: Equatable {
  var lines: [ReferenceSplitter.Line] = []
  var numbers: [Int] = []
  var tooLong: [Int] = []
  var storedBytes: [UInt8] = []
  var textBytes: [UInt8] = []
  var isGzip = false
  var error: ScanError?

  /// Scans a file with these bytes, in blocks of these sizes.
  init(
    _ bytes: [UInt8], storedBlockSize: Int = 1 << 18, textBlockSize: Int = 1 << 18,
    longestLine: Int = LineScanner.longestLine
  ) {
    let file = TemporaryFile(bytes)
    final class Seen {
      var stored: [UInt8] = []
      var text: [UInt8] = []
    }
    let seen = Seen()
    do throws(ScanError) {
      var scanner = try LineScanner(
        path: file.path, storedBlockSize: storedBlockSize, textBlockSize: textBlockSize,
        longestLine: longestLine)
      isGzip = scanner.isGzip
      try scanner.forEachLine(
        onStoredBytes: { seen.stored += $0.bytes() }, onTextBytes: { seen.text += $0.bytes() }
      ) { span, line in
        lines.append(ReferenceSplitter.Line(bytes: span.bytes(), byteOffset: line.byteOffset))
        numbers.append(line.number)
        if line.isTooLong { tooLong.append(line.number) }
        return .next
      }
    } catch {
      self.error = error
    }
    storedBytes = seen.stored
    textBytes = seen.text
  }

  /// The lines as text, for short expectations.
  var texts: [String] { lines.map { String(decoding: $0.bytes, as: UTF8.self) } }
}

extension Span<UInt8> {
  /// Returns a copy of the bytes.
  func bytes() -> [UInt8] { indices.map { self[$0] } }
}

/// Returns random text of short lines that end every way a line can.
func randomText(using random: inout SeededGenerator) -> [UInt8] {
  var text: [UInt8] = Bool.random(using: &random) ? [0xEF, 0xBB, 0xBF] : []
  for _ in 0..<Int.random(in: 0...30, using: &random) {
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      text.append([0x41, 0x09, 0x0D, 0x22, 0xEF, 0xBB].randomElement(using: &random) ?? 0)
    }
    text += [[0x0A], [0x0D, 0x0A]].randomElement(using: &random) ?? []
  }
  if Bool.random(using: &random) { text += Array("last".utf8) }
  return text
}
