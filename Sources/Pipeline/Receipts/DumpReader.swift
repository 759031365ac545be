import AppStoreReports
import Files
import Receipts
import Scanning
import Storage
package import SubscriptionModel
import Synchronization

/// Reads dumps of receipts on one thread: counts rows, and adds their contents to the run's store.
struct DumpReader: ~Copyable {
  let context: ReadContext
  private let memo: (any FileMemo)?
  private var reader: ReceiptReader
  /// The number of the thread's next response; each thread has its own range of numbers.
  private var nextResponse: UInt32
  /// The notifications so far, to find repeated ones at the end.
  private(set) var notifications: [NotificationPlace] = []
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

  /// Reads one file, unless its extract is kept from an earlier run; if it is not to be used, its rows are only
  /// counted.
  ///
  /// `outcomes` receives what became of each row; `nil` unless that was asked for.
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

  mutating func add(_ row: borrowing ReceiptRow, response: UInt32) {
    add(row.transactions.filter { $0.response == response })
  }

  mutating func add(_ transactions: [TransactionCopy]) {
    responses += 1
    originalIDs.formUnion(transactions.map(\.originalID).filter(\.isUsable))
  }

  mutating func merge(_ other: LaterReceipts) {
    responses += other.responses
    originalIDs.formUnion(other.originalIDs)
  }
}

/// The store to which all threads add the contents of dumps, in parts by customer.
///
/// All captures of a customer are in one part, so that they are compacted whichever thread read them.
package final class SharedReceiptStore: Sendable {
  private final class Part: Sendable {
    let store: Locked<ReceiptStore>
    init(feeds: [UInt64]) { store = Locked(ReceiptStore(feeds: feeds)) }
  }

  private static let partCount = 64
  private let parts: [Part]
  private let feeds: [UInt64]
  /// The number of threads that began to read.
  private let threads: Atomic<UInt32>
  private let responsesPerThread: UInt32

  /// Creates an empty store; `feeds` are those of each file of the run, as in `Snapshots`, empty if they are not
  /// known.
  init(jobs: Int, feeds: [UInt64] = []) {
    self.feeds = feeds
    parts = (0..<Self.partCount).map { _ in Part(feeds: feeds) }
    threads = Atomic(0)
    responsesPerThread = UInt32.max / UInt32(jobs + 1)
  }

  /// Returns the first response number for a thread that starts to read; no other thread reaches its numbers.
  func firstResponseOfNextThread() -> UInt32 {
    threads.add(1, ordering: .relaxed).oldValue * responsesPerThread
  }

  /// Adds the contents of one response.
  package func add(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    let part = ReceiptStore.shard(of: transactions, renewals, count: Self.partCount)
    parts[part].store.withLock { $0.add(transactions, renewals) }
  }

  func take() -> [ReceiptStore] {
    parts.map { part in
      part.store.withLock { store in
        let taken = store
        store = ReceiptStore(feeds: feeds)
        return taken
      }
    }
  }
}
