import AppStoreReports
import Files
import Receipts
import Scanning
package import SubscriptionModel

/// Reads dumps of receipts on one thread: counts rows, and adds their contents to the run's store.
struct DumpReader: ~Copyable {
  let context: ReadContext
  private let memo: (any FileMemo)?
  private var reader: ReceiptReader
  /// The number of the thread's next response; each thread has its own range of numbers.
  private var nextResponse: UInt32
  /// The notifications so far, to find repeated ones at the end.
  private(set) var notifications: [NotificationPlace] = []
  /// The snapshots that are used.
  private(set) var snapshots = Snapshots()
  /// The responses ignored because they are after as-of.
  private(set) var later = LaterReceipts()
  /// The lines of rows that have a transaction without any id; such a customer may be named by file and line.
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

  /// Reads one file, unless its extract is kept from an earlier run.
  ///
  /// - Parameters:
  ///   - recognized: The file; if it is not to be used, its rows are only counted.
  ///   - index: Its place in the order of all files.
  ///   - report: The report to add the results to.
  ///   - outcomes: Notes what became of each row; `nil` unless that was asked for.
  /// - Throws: The error that made the file unreadable.
  mutating func read(
    _ recognized: RecognizedFile, _ index: Int, _ report: inout FileReport,
    _ outcomes: inout RowOutcomes?
  ) throws(ScanError) {
    let extract: DumpExtract
    // Entries of dumps lack the rows of renewal infos, which explanations name.
    if !context.plan.keepsReceipts, let known = memo?.recallDump(recognized, index) {
      extract = known.extract
      report.sha256 = known.bytes.sha256
      context.progress.addBytes(known.bytes.count)
    } else {
      extract = try readRows(recognized, index, &report, &outcomes)
    }
    report.rows = extract.rows
    report.rejects = extract.rejects
    report.receiptKind = extract.kind
    // The file began like a dump, but no row is a receipt of a known shape.
    if extract.kind == nil { report.isReceiptDump = false }
    report.remarks += extract.remarks
    report.losses = extract.losses
    notifications += extract.notifications
    later.merge(extract.later)
    if recognized.isToBeUsed { snapshots.add(extract, of: recognized, index) }
    for (row, line) in extract.lines { lines[DumpRow(file: UInt32(index), row: row)] = line }
  }

  private mutating func readRows(
    _ recognized: RecognizedFile, _ index: Int, _ report: inout FileReport,
    _ outcomes: inout RowOutcomes?
  ) throws(ScanError) -> DumpExtract {
    defer { memo?.endDump() }
    let hash = StoredHash(of: recognized.file.path, context.progress)
    let first = nextResponse
    var found = DumpCounts(context, recognized, file: index, firstResponse: first, memo)
    found.outcomes = outcomes
    defer { outcomes = found.outcomes }
    found.extract.kind = try reader.read(
      path: recognized.file.path, file: UInt32(index), firstResponse: first,
      readsAhead: context.filesReadAhead.contains(index),
      onStoredBytes: { hash.update($0) }, restart: { found.restart() }
    ) { found.add($0) }
    found.extract.missingColumns = reader.missingColumns
    found.endSnapshot(at: reader.snapshotDate)
    nextResponse = found.nextResponse
    report.wasReadTwice = found.restartedAfterRows
    report.sha256 = hash.hexadecimalDigits()
    context.progress.reach(.read, recognized.file.path)
    memo?.keepDump(found.extract, report, of: recognized)
    context.progress.reach(.kept, recognized.file.path)
    return found.extract
  }
}

extension Snapshots {
  /// Adds a dump, if it is a snapshot.
  package mutating func add(_ extract: DumpExtract, of file: RecognizedFile, _ index: Int) {
    guard let date = extract.snapshotDate else { return }
    add(file: UInt32(index), Delivery(feed: file.feed, madeAt: date))
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

/// The place of a notification in a dump; Apple resends a notification with the same UUID.
package struct NotificationPlace: Sendable {
  package var uuid: UInt128
  package var row: DumpRow
  /// The number of notifications in the row.
  package var rowCount: Int32

  package init(uuid: UInt128, row: DumpRow, rowCount: Int32) {
    self.uuid = uuid
    self.row = row
    self.rowCount = rowCount
  }
}

/// The responses after as-of, which are ignored: their number and the ids of their subscriptions.
///
/// A number of customers would need all receipts joined.
package struct LaterReceipts: Sendable {
  package var responses = 0
  package var originalIDs: Set<ReceiptID> = []

  package init() {}

  /// Adds a response of a row.
  mutating func add(_ row: borrowing ReceiptRow, response: UInt32) {
    responses += 1
    for copy in row.transactions where copy.response == response && copy.originalID.isUsable {
      originalIDs.insert(copy.originalID)
    }
  }

  /// Adds a response.
  mutating func add(_ transactions: [TransactionCopy]) {
    responses += 1
    for copy in transactions where copy.originalID.isUsable { originalIDs.insert(copy.originalID) }
  }

  mutating func merge(_ other: LaterReceipts) {
    responses += other.responses
    originalIDs.formUnion(other.originalIDs)
  }
}
