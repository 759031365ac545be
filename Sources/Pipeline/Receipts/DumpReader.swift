import AppStoreReports
import Receipts
import Scanning
import SubscriptionModel

/// Reads dumps of receipts on one thread: rows are counted, and what they hold goes to the run's store.
struct DumpReader: ~Copyable {
  private let context: ReadContext
  private var reader: ReceiptReader
  /// The number of the thread's next response; threads count in ranges of their own.
  private var nextResponse: UInt32
  /// The notifications met, so that one that was sent twice is found at the end.
  private(set) var notifications: [NotificationPlace] = []
  /// Whether a record was ignored because it was made after as-of.
  private(set) var sawLaterRecords = false
  /// The lines of rows with a transaction without any id: its customer may go by them.
  private(set) var lines: [DumpRow: Int] = [:]

  init(_ context: ReadContext) {
    self.context = context
    var options = ReceiptOptions()
    options.roots = context.plan.receipts.roots
    options.columns = context.plan.receipts.columns
    reader = ReceiptReader(symbols: context.registries.symbols, options: options)
    nextResponse = context.receipts.firstResponseOfNextThread()
  }

  /// Reads one file.
  ///
  /// - Parameters:
  ///   - scouted: The file; unless it is to be used, its rows are only counted.
  ///   - index: Its place in the order of all files.
  ///   - report: What is found is added to it.
  /// - Throws: What made the file unreadable.
  mutating func read(
    _ scouted: ScoutedFile, _ index: Int, _ report: inout FileReport
  ) throws(ScanError) {
    let hash = StoredHash(context.progress)
    let first = nextResponse
    var found = DumpCounts(context, scouted, file: index, firstResponse: first)
    let kind = try reader.read(
      path: scouted.file.path, file: UInt32(index), firstResponse: first,
      onStoredBytes: { hash.update($0) }, restart: { found.restart() }
    ) { found.add($0) }
    nextResponse = found.nextResponse
    report.rows = found.rows
    report.rejects = found.rejects
    report.receiptKind = kind
    // It looked like a dump, but no record is of a known shape.
    if kind == nil { report.isReceiptDump = false }
    report.wasReadTwice = found.tookBackRows
    report.remarks += found.remarks
    report.sha256 = hash.hexadecimalDigits()
    notifications += found.notifications
    sawLaterRecords = sawLaterRecords || found.sawLaterRecords
    lines.merge(found.lines) { $1 }
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

/// What becomes of the rows of a dump.
private struct DumpCounts {
  private(set) var rows = RowCounts()
  private(set) var rejects: [Reject] = []
  private(set) var notifications: [NotificationPlace] = []
  private(set) var nextResponse: UInt32
  private(set) var sawLaterRecords = false
  private(set) var lines: [DumpRow: Int] = [:]
  /// Whether rows were kept that the reader has taken back since.
  private(set) var tookBackRows = false

  private let context: ReadContext
  private let file: UInt32
  private let firstResponse: UInt32
  /// Whether what rows hold is kept.
  private var keeps: Bool
  private let isUsed: Bool
  private var hasKept = false
  private var unusable = 0
  private var withoutEnvironment = 0

  init(_ context: ReadContext, _ scouted: ScoutedFile, file: Int, firstResponse: UInt32) {
    self.context = context
    self.file = UInt32(file)
    self.firstResponse = firstResponse
    nextResponse = firstResponse
    isUsed = scouted.isToBeUsed
    keeps = isUsed && !scouted.isReadTwice
  }

  /// What else health should say.
  var remarks: [String] {
    var remarks: [String] = []
    if unusable > 0 { remarks.append("unusable transactions: \(unusable)") }
    if withoutEnvironment > 0 { remarks.append("environment missing: \(withoutEnvironment)") }
    return remarks
  }

  /// Forgets all rows: the file is no single document after all, and is read anew as lines.
  mutating func restart() {
    rows = RowCounts()
    rejects = []
    notifications = []
    nextResponse = firstResponse
    unusable = 0
    withoutEnvironment = 0
    tookBackRows = hasKept
    keeps = isUsed
  }

  mutating func add(_ row: borrowing ReceiptRow) {
    rows.read += 1
    switch row.outcome {
    case .rejected(let reject):
      rows.rejected += 1
      if rejects.count < FileReport.rejectLimit { rejects.append(reject) }
    case .ignored(let reason): rows.ignored[reason.rawValue, default: 0] += 1
    case .used: use(row)
    }
  }

  /// Uses the responses that count; without one the row is ignored for the reason of the first.
  private mutating func use(_ row: borrowing ReceiptRow) {
    var reason: String?
    var usedCount = 0
    let first = nextResponse
    nextResponse += UInt32(row.responses.count)
    for (offset, response) in row.responses.enumerated() {
      if let found = reasonToIgnore(response) {
        reason = reason ?? found
        if found == ReportResolution.afterAsOf { sawLaterRecords = true }
        continue
      }
      usedCount += 1
      if response.environment == .missing { withoutEnvironment += 1 }
      if keeps { keep(first + UInt32(offset), row) }
    }
    guard usedCount > 0 else {
      rows.ignored[reason ?? ReceiptRow.IgnoredReason.nothingInIt.rawValue, default: 0] += 1
      return
    }
    rows.used += 1
    unusable += row.unusableCount
    if row.transactions.contains(where: { !$0.originalID.isUsable && !$0.transactionID.isUsable }) {
      lines[DumpRow(file: file, row: UInt32(row.number))] = row.line
    }
    guard isUsed else { return }
    let uuids = row.responses.compactMap(\.notificationUUID)
    for uuid in uuids {
      notifications.append(
        NotificationPlace(
          uuid: uuid, row: DumpRow(file: file, row: UInt32(row.number)),
          rowCount: Int32(uuids.count)))
    }
  }

  /// Why a response does not count; nil when it does.
  private func reasonToIgnore(_ response: ReceiptResponse) -> String? {
    let isProduction = response.environment != .nonProduction
    switch context.plan.receipts.environment {
    case .production where !isProduction, .sandbox where isProduction: return "other environment"
    default: break
    }
    if let asOf = context.plan.receipts.asOf, response.madeAt > asOf {
      return ReportResolution.afterAsOf
    }
    return nil
  }

  /// Keeps what a response holds.
  private mutating func keep(_ response: UInt32, _ row: borrowing ReceiptRow) {
    hasKept = true
    guard row.responses.count > 1 else {
      context.receipts.add(row.transactions, row.renewals)
      return
    }
    context.receipts.add(
      row.transactions.filter { $0.response == response },
      row.renewals.filter { $0.response == response })
  }
}
