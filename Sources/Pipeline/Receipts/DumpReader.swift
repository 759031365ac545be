import AppStoreReports
import Receipts
import Scanning
import SubscriptionModel

/// Reads dumps of receipts on one thread: rows are counted, and what they hold goes to the run's store.
struct DumpReader: ~Copyable {
  let context: ReadContext
  private let memo: (any FileMemo)?
  private var reader: ReceiptReader
  /// The number of the thread's next response; threads count in ranges of their own.
  private var nextResponse: UInt32
  /// The notifications met, so that one that was sent twice is found at the end.
  private(set) var notifications: [NotificationPlace] = []
  /// What was ignored because it was made after as-of.
  private(set) var later = LaterReceipts()
  /// The lines of rows with a transaction without any id: its customer may go by them.
  private(set) var lines: [DumpRow: Int] = [:]

  init(_ context: ReadContext, _ memo: (any FileMemo)?) {
    self.context = context
    self.memo = memo
    var options = ReceiptOptions()
    options.roots = context.plan.receipts.roots
    options.columns = context.plan.receipts.columns
    reader = ReceiptReader(symbols: context.registries.symbols, options: options)
    nextResponse = context.receipts.firstResponseOfNextThread()
  }

  /// Reads one file, unless an earlier run has left what it says.
  ///
  /// - Parameters:
  ///   - scouted: The file; unless it is to be used, its rows are only counted.
  ///   - index: Its place in the order of all files.
  ///   - report: What is found is added to it.
  /// - Throws: What made the file unreadable.
  mutating func read(
    _ scouted: ScoutedFile, _ index: Int, _ report: inout FileReport
  ) throws(ScanError) {
    let extract: DumpExtract
    if let known = memo?.recallDump(scouted, index) {
      extract = known.extract
      report.sha256 = known.bytes.sha256
      context.progress.addBytes(known.bytes.count)
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
    defer { memo?.endDump() }
    let hash = StoredHash(of: scouted.file.path, context.progress)
    let first = nextResponse
    var found = DumpCounts(context, scouted, file: index, firstResponse: first, memo)
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
    // What as-of has cut off is missing in the extract.
    if !found.sawLaterRecords { memo?.keepDump(found.extract, report, of: scouted) }
    context.progress.reach(.kept, scouted.file.path)
    return found.extract
  }
}

/// A row of a dump: its file's place in the order of all files, and its number in the file.
package struct DumpRow: Hashable, Sendable {
  package var file: UInt32
  package var row: UInt32

  package init(file: UInt32, row: UInt32) {
    self.file = file
    self.row = row
  }
}

/// A notification in a dump: Apple sends one again with the same UUID.
package struct NotificationPlace: Sendable {
  package var uuid: UInt128
  package var row: DumpRow
  /// How many notifications the row holds.
  package var rowCount: Int32

  package init(uuid: UInt128, row: DumpRow, rowCount: Int32) {
    self.uuid = uuid
    self.row = row
    self.rowCount = rowCount
  }
}
