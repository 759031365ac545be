import AppStoreReports
import Receipts
import Scanning
import SubscriptionModel

/// Reads dumps of receipts on one thread: rows are counted, and what they hold goes to the run's store.
struct DumpReader: ~Copyable {
  let context: ReadContext
  var extractReader: ExtractReader
  private var reader: ReceiptReader
  /// The number of the thread's next response; threads count in ranges of their own.
  private var nextResponse: UInt32
  /// The notifications met, so that one that was sent twice is found at the end.
  private(set) var notifications: [NotificationPlace] = []
  /// What was ignored because it was made after as-of.
  private(set) var later = LaterReceipts()
  /// The lines of rows with a transaction without any id: its customer may go by them.
  private(set) var lines: [DumpRow: Int] = [:]

  init(_ context: ReadContext) {
    self.context = context
    var options = ReceiptOptions()
    options.roots = context.plan.receipts.roots
    options.columns = context.plan.receipts.columns
    reader = ReceiptReader(symbols: context.registries.symbols, options: options)
    extractReader = ExtractReader(context.registries)
    nextResponse = context.receipts.firstResponseOfNextThread()
  }

  /// Reads one file, or takes what it says from the cache.
  ///
  /// - Parameters:
  ///   - scouted: The file; unless it is to be used, its rows are only counted.
  ///   - index: Its place in the order of all files.
  ///   - hash: The SHA-256 and the length of the file, by which the cache knows it; `nil` without one.
  ///   - report: What is found is added to it.
  /// - Throws: What made the file unreadable.
  mutating func read(
    _ scouted: ScoutedFile, _ index: Int, hash: (sha256: String, length: Int)?,
    _ report: inout FileReport
  ) throws(ScanError) {
    let extract: DumpExtract
    if let hash, let known = readFromCache(scouted, index, hash, &report) {
      extract = known
    } else {
      extract = try readRows(scouted, index, &report)
    }
    report.rows = extract.rows
    report.rejects = extract.rejects
    report.receiptKind = extract.kind
    // It looked like a dump, but no record is of a known shape.
    if extract.kind == nil { report.isReceiptDump = false }
    report.remarks += extract.remarks
    notifications += extract.notifications
    for (row, line) in extract.lines { lines[DumpRow(file: UInt32(index), row: row)] = line }
  }

  private mutating func readRows(
    _ scouted: ScoutedFile, _ index: Int, _ report: inout FileReport
  ) throws(ScanError) -> DumpExtract {
    let hash = StoredHash(of: scouted.file.path, context.progress)
    let first = nextResponse
    var found = DumpCounts(context, scouted, file: index, firstResponse: first)
    found.extract.kind = try reader.read(
      path: scouted.file.path, file: UInt32(index), firstResponse: first,
      readsAhead: context.filesReadAhead.contains(index),
      onStoredBytes: { hash.update($0) }, restart: { found.restart() }
    ) { found.add($0) }
    nextResponse = found.nextResponse
    report.wasReadTwice = found.tookBackRows
    report.sha256 = hash.hexadecimalDigits()
    later.merge(found.later)
    context.progress.reach(.read, scouted.file.path)
    keepInCache(&found, scouted, report)
    context.progress.reach(.kept, scouted.file.path)
    return found.extract
  }
}

/// A row of a dump: its file's place in the order of all files, and its number in the file.
struct DumpRow: Hashable, Sendable {
  var file: UInt32
  var row: UInt32
}

/// A notification in a dump: Apple sends one again with the same UUID.
struct NotificationPlace: Sendable {
  var uuid: UInt128
  var row: DumpRow
  /// How many notifications the row holds.
  var rowCount: Int32
}
