import AppStoreReports
import Crypto
import Files
import Scanning
import SubscriptionModel

/// The checked content of a downloaded report, read to its end in constant memory.
package struct ReportCheck: Sendable {
  package private(set) var fingerprint = Fingerprint()
  /// Columns that `subreport` does not know.
  package private(set) var newColumns: [String] = []

  /// Why a body is not the report that was asked for.
  package struct Fault: Error, Equatable, Sendable {
    package let text: String
  }

  /// Checks a report: gzip that is whole, with the header of its kind, and of its day and vendor.
  ///
  /// `name` is Apple's name of the file; blank without one.
  package init(_ path: String, _ key: FetchKey, name: String) throws(Fault) {
    var (bytes, text, lines) = (SHA256(), SHA256(), UInt64(0))
    var recognizer = HeaderRecognizer()
    var step = HeaderRecognizer.Step.more
    var firstRow: [UInt8] = []
    do throws(ScanError) {
      var scanner = try LineScanner(path: path)
      try scanner.forEachLine(
        onStoredBytes: { bytes.add($0) }, onTextBytes: { text.add($0) }
      ) { line, place in
        if case .more = step {
          step = recognizer.feed(line, place)
        } else if firstRow.isEmpty, line.count < 1 << 16 {
          for index in line.indices { firstRow.append(line[index]) }
        }
        var hash = ByteHasher()
        hash.add(line, 0..<line.count)
        lines &+= hash.finished()
        return .next
      }
      guard scanner.isGzip else { throw ScanError.gzipDamaged(byteOffset: 0) }
      fingerprint.size = scanner.storedByteCount
    } catch {
      throw Fault(text: Self.words(error))
    }
    if case .more = step { step = recognizer.finish() }
    guard case .recognized(let header) = step, header.kind == key.kind.report else {
      throw Fault(text: "the body is not a \(key.kind.displayName) report")
    }
    newColumns = header.newColumns
    fingerprint.bytes = Self.hexadecimal(bytes.finalize())
    fingerprint.text = Self.hexadecimal(text.finalize())
    fingerprint.lines = String(lines, radix: 16)
    try Self.compare(ReportName(name), key)
    if key.kind == .sales, case .day(let day) = key.slot,
      let begin = Self.beginDate(firstRow, header), begin != day
    {
      throw Fault(text: "its rows are of \(begin)")
    }
  }

  private static func compare(_ name: ReportName, _ key: FetchKey) throws(Fault) {
    if let vendor = name.vendor, !vendor.utf8.elementsEqual(key.vendor.utf8) {
      throw Fault(text: "its name is of another vendor")
    }
    if case .day(let day) = key.slot, let found = name.date, found != day {
      throw Fault(text: "its name is of \(found)")
    }
  }

  /// Returns the Begin Date of a SALES row, such as `01/15/2026`; `nil` for other text.
  private static func beginDate(_ row: [UInt8], _ header: ReportHeader) -> Day? {
    let cells = row.split(separator: 0x09, omittingEmptySubsequences: false)
    guard let place = header.columnNames.firstIndex(of: "Begin Date"), place < cells.count else {
      return nil
    }
    let parts = cells[place].split(separator: UInt8(ascii: "/")).map {
      Int(String(decoding: $0, as: UTF8.self))
    }
    guard parts.count == 3, let month = parts[0], let day = parts[1], let year = parts[2] else {
      return nil
    }
    return Day(year: year, month: month, day: day)
  }

  private static func words(_ error: ScanError) -> String {
    switch error {
    case .gzipTruncated(let place): "body ends after \(place) bytes, inside the gzip data"
    case .gzipChecksum: "body is damaged (checksum)"
    case .gzipLength: "body is damaged (length)"
    case .gzipTrailingGarbage: "body has other bytes after its gzip data"
    case .gzipDamaged: "body is no gzip file"
    default: "body cannot be read (\(error.code))"
    }
  }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension SHA256 {
  mutating func add(_ bytes: Span<UInt8>) {
    // Safe: the buffer is read within the call, while the span keeps the bytes alive.
    unsafe bytes.withUnsafeBytes { unsafe update(bufferPointer: $0) }
  }
}
