import AppStoreReports
import Receipts
import Scanning
import SubscriptionModel

/// Counts and collects the rows of a dump while it is read.
struct DumpCounts {
  /// The extract of the dump, without the contents of its responses.
  var extract = DumpExtract()
  private(set) var nextResponse: UInt32
  /// Whether the reader started over after rows were already kept.
  private(set) var restartedAfterRows = false
  /// What became of each row; `nil` unless that was asked for.
  var outcomes: RowOutcomes?

  private let context: ReadContext
  private let memo: (any FileMemo)?
  private let file: UInt32
  private let firstResponse: UInt32
  /// Whether the contents of rows are kept.
  private var keeps: Bool
  private let isUsed: Bool
  private var hasKept = false
  /// The responses of a snapshot, whose as-of is known at its end; each row has one.
  private var held: [(transaction: TransactionCopy, renewal: RenewalCopy?)] = []

  init(
    _ context: ReadContext, _ recognized: RecognizedFile, file: Int, firstResponse: UInt32,
    _ memo: (any FileMemo)?
  ) {
    self.memo = memo
    self.context = context
    self.file = UInt32(file)
    self.firstResponse = firstResponse
    nextResponse = firstResponse
    isUsed = recognized.isToBeUsed
    keeps = isUsed && !recognized.isReadTwice
    memo?.beginDump()
  }

  /// Drops all rows: the file is not a single document after all, and is read again line by line.
  mutating func restart() {
    extract = DumpExtract()
    if outcomes != nil { outcomes = RowOutcomes() }
    held.removeAll()
    nextResponse = firstResponse
    memo?.beginDump()
    restartedAfterRows = hasKept
    keeps = isUsed
  }

  mutating func add(_ row: borrowing ReceiptRow) {
    let before = outcomes == nil ? nil : extract.rows
    count(row)
    guard let before else { return }
    outcomes?.note(line: row.line, before, extract.rows, taking: &extract.rejects)
  }

  private mutating func count(_ row: borrowing ReceiptRow) {
    extract.rows.read += 1
    switch row.outcome {
    case .rejected(let reject):
      extract.rows.reject(reject)
      if extract.rejects.count < FileReport.rejectLimit { extract.rejects.append(reject) }
    case .ignored(let reason): extract.rows.ignored[reason, default: 0] += 1
    case .used: use(row)
    }
  }

  /// Uses the responses that count; a row without any is ignored for the reason of its first response.
  private mutating func use(_ row: borrowing ReceiptRow) {
    var reason: IgnoredReason?
    var usedCount = 0
    let first = nextResponse
    nextResponse += UInt32(row.responses.count)
    for (offset, response) in row.responses.enumerated() {
      if let found = reasonToIgnore(response, isOfSnapshot: row.isOfSnapshot) {
        reason = reason ?? found
        if found == .afterAsOf {
          extract.hasLaterResponses = true
          if isUsed { extract.later.add(row, response: first + UInt32(offset)) }
        }
        continue
      }
      usedCount += 1
      extract.newest = max(extract.newest ?? response.madeAt, response.madeAt)
      if response.environment == .missing { extract.withoutEnvironment += 1 }
      let lost = row.renewals.count {
        !$0.originalID.isUsable && !$0.isOfPeriod && $0.response == first + UInt32(offset)
      }
      extract.withoutSubscription.add(lost, in: row)
      if isUsed { use(first + UInt32(offset), row) }
    }
    guard usedCount > 0 else {
      extract.rows.ignored[reason ?? .nothingInIt, default: 0] += 1
      return
    }
    extract.rows.used += 1
    extract.unusable.add(row.unusableCount, in: row, row.firstFault?.summary ?? "")
    extract.unreadablePrices.add(row.unreadablePrices, in: row)
    extract.unplacedDates.add(row.unplacedDates, in: row, row.firstUnplacedDate ?? "")
    if row.transactions.contains(where: { !$0.originalID.isUsable && !$0.transactionID.isUsable }) {
      extract.lines.append((UInt32(row.number), row.line))
    }
    guard isUsed else { return }
    let uuids = row.responses.compactMap(\.notificationUUID)
    for uuid in uuids {
      extract.notifications.append(
        NotificationPlace(
          uuid: uuid, row: DumpRow(file: file, row: UInt32(row.number)),
          rowCount: Int32(uuids.count)))
    }
  }

  /// Returns the reason why a response does not count; `nil` when it counts.
  private func reasonToIgnore(
    _ response: ReceiptResponse, isOfSnapshot: Bool
  ) -> IgnoredReason? {
    let isProduction = response.environment != .nonProduction
    switch context.plan.receipts.environment {
    case .production where !isProduction, .sandbox where isProduction: return .otherEnvironment
    default: break
    }
    if context.plan.receipts.roots != nil, !response.isVerified { return .notVerified }
    if isOfSnapshot { return nil }
    if let asOf = context.plan.receipts.asOf, response.madeAt > asOf { return .afterAsOf }
    return nil
  }

  private mutating func use(_ response: UInt32, _ row: borrowing ReceiptRow) {
    guard row.responses.count > 1 else {
      if row.isOfSnapshot, let transaction = row.transactions.first {
        held.append((transaction, row.renewals.first))
      } else {
        keep(row.transactions, row.renewals)
      }
      return
    }
    keep(
      row.transactions.filter { $0.response == response },
      row.renewals.filter { $0.response == response })
  }

  /// Ends a dump that may be a snapshot, and when it was made; `nil` for any other dump, and without a date:
  /// METRICS.md 3.7.
  mutating func endSnapshot(at date: Instant?) {
    // A file whose rows are all rejected does not date its feed.
    guard let date, extract.rows.used > 0 || extract.rows.rejected == 0 else { return }
    if let asOf = context.plan.receipts.asOf, date > asOf { return ignoreSnapshot() }
    extract.snapshotDate = date
    if extract.rows.used > 0 { extract.newest = date }
    for (transaction, renewal) in held {
      var (transaction, renewal) = (transaction, renewal)
      transaction.madeAt = date
      renewal?.madeAt = date
      keep([transaction], renewal.map { [$0] } ?? [])
    }
    held.removeAll()
  }

  /// Ignores the rows of a snapshot that was made after as-of.
  private mutating func ignoreSnapshot() {
    extract.rows.ignore(extract.rows.used, .afterAsOf)
    outcomes?.ignoreUsed(.afterAsOf)
    extract.hasLaterResponses = true
    for (transaction, _) in held { extract.later.add([transaction]) }
    extract.lines.removeAll()
    (extract.newest, extract.withoutEnvironment) = (nil, 0)
    (extract.unusable, extract.unreadablePrices) = (CountedFault(), CountedFault())
    held.removeAll()
  }

  private mutating func keep(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    memo?.keepResponse(transactions, renewals)
    guard keeps else { return }
    hasKept = true
    guard memo?.isCountedElsewhere != true else { return }
    context.receipts.add(transactions, renewals)
  }
}

extension Reject {
  /// The code and the key, without the value: `not-a-date in cancellation_date_ms`.
  fileprivate var summary: String {
    column.isEmpty ? code.rawValue : "\(code.rawValue) in \(column)"
  }
}
