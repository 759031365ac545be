import AppStoreReports
import Receipts
import Scanning
import SubscriptionModel

/// What becomes of the rows of a dump while it is read.
struct DumpCounts {
  /// What the dump says, but for what its responses hold.
  var extract = DumpExtract()
  private(set) var nextResponse: UInt32
  private(set) var sawLaterRecords = false
  /// What was ignored because it was made after as-of.
  private(set) var later = LaterReceipts()
  /// Whether rows were kept that the reader has taken back since.
  private(set) var tookBackRows = false

  private let context: ReadContext
  private let memo: (any FileMemo)?
  private let file: UInt32
  private let firstResponse: UInt32
  /// Whether what rows hold is kept.
  private var keeps: Bool
  private let isUsed: Bool
  private var hasKept = false

  init(
    _ context: ReadContext, _ scouted: ScoutedFile, file: Int, firstResponse: UInt32,
    _ memo: (any FileMemo)?
  ) {
    self.memo = memo
    self.context = context
    self.file = UInt32(file)
    self.firstResponse = firstResponse
    nextResponse = firstResponse
    isUsed = scouted.isToBeUsed
    keeps = isUsed && !scouted.isReadTwice
    memo?.beginDump()
  }

  /// Forgets all rows: the file is no single document after all, and is read anew as lines.
  mutating func restart() {
    extract = DumpExtract()
    later = LaterReceipts()
    nextResponse = firstResponse
    memo?.beginDump()
    tookBackRows = hasKept
    keeps = isUsed
  }

  mutating func add(_ row: borrowing ReceiptRow) {
    extract.rows.read += 1
    switch row.outcome {
    case .rejected(let reject):
      extract.rows.rejected += 1
      if extract.rejects.count < FileReport.rejectLimit { extract.rejects.append(reject) }
    case .ignored(let reason): extract.rows.ignored[reason.rawValue, default: 0] += 1
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
        if found == ReportResolution.afterAsOf {
          sawLaterRecords = true
          if isUsed { later.add(row, response: first + UInt32(offset)) }
        }
        continue
      }
      usedCount += 1
      extract.newest = max(extract.newest ?? response.madeAt, response.madeAt)
      if response.environment == .missing { extract.withoutEnvironment += 1 }
      if isUsed { use(first + UInt32(offset), row) }
    }
    guard usedCount > 0 else {
      let reason = reason ?? ReceiptRow.IgnoredReason.nothingInIt.rawValue
      extract.rows.ignored[reason, default: 0] += 1
      return
    }
    extract.rows.used += 1
    extract.unusable += row.unusableCount
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

  /// Why a response does not count; nil when it does.
  private func reasonToIgnore(_ response: ReceiptResponse) -> String? {
    let isProduction = response.environment != .nonProduction
    switch context.plan.receipts.environment {
    case .production where !isProduction, .sandbox where isProduction: return "other environment"
    default: break
    }
    if context.plan.receipts.roots != nil, !response.isVerified { return "not verified" }
    if let asOf = context.plan.receipts.asOf, response.madeAt > asOf {
      return ReportResolution.afterAsOf
    }
    return nil
  }

  /// Uses what a response holds.
  private mutating func use(_ response: UInt32, _ row: borrowing ReceiptRow) {
    guard row.responses.count > 1 else {
      keep(row.transactions, row.renewals)
      return
    }
    keep(
      row.transactions.filter { $0.response == response },
      row.renewals.filter { $0.response == response })
  }

  private mutating func keep(_ transactions: [TransactionCopy], _ renewals: [RenewalCopy]) {
    memo?.keepResponse(transactions, renewals)
    guard keeps else { return }
    hasKept = true
    context.receipts.add(transactions, renewals)
  }
}
