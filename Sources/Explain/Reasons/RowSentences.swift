import Files
import Pipeline
import Scanning
import SubscriptionModel

/// The place, the fact and the sentence of each row of a file.
struct RowSentences {
  private let report: FileReport
  private let outcomes: RowOutcomes
  private let asOf: Day?
  /// The path of the file that is used in place of this one.
  private let other: String

  init(_ report: FileReport, _ outcomes: RowOutcomes, _ result: RunResult) {
    (self.report, self.outcomes) = (report, outcomes)
    asOf = result.plan.asOf
    other =
      report.replacement.map { result.files[$0.file].file.relativePath } ?? "another file"
  }

  /// The row as `FILE:LINE`.
  func place(_ row: RowOutcomes.Row) -> String { "\(report.file.relativePath):\(row.line)" }

  /// `used`, the reason as health.csv has it, or the code as rejects.csv has it.
  func fact(_ row: RowOutcomes.Row) -> String {
    switch row.outcome {
    case .used: "used"
    case .ignored(let reason): reason.rawValue
    case .rejected(let number): outcomes.rejects[Int(number)].code.rawValue
    }
  }

  func sentence(_ row: RowOutcomes.Row) -> String {
    switch row.outcome {
    case .used: "the row can be read, and its file is used"
    case .ignored(let reason): sentence(reason)
    case .rejected(let number): report.message(outcomes.rejects[Int(number)])
    }
  }

  private func sentence(_ reason: IgnoredReason) -> String {
    switch reason {
    case .zeroQuantity: "0 units, and no refund"
    case .otherProductTypes: "a product type that is no subscription"
    case .afterAsOf: "of a time after as-of\(asOf.map { ", \($0)" } ?? "")"
    case .otherStatus: "the status is neither 0 nor 21006, so the receipt does not count"
    case .errorBody: "an error of the App Store Server API"
    case .nothingInIt: "no transaction and no renewal info in it"
    case .appTransaction: "signed data about the app and not about a purchase"
    case .otherStore: "a purchase in another store"
    case .otherRevenueCatFile: "a file of RevenueCat that is no list of transactions"
    case .otherEnvironment: "of an environment that the run does not count"
    case .notVerified: "no signature leads to a root certificate of the run"
    case .repeatedNotification: "an earlier row has the same notificationUUID"
    case .otherSource: "the run does not use reports of this source"
    case .otherVendor: "the run counts other vendors only"
    case .noVendor: "the file's name has no vendor, and the run counts some vendors only"
    case .noDate: "the file's name has no date"
    case .twoDates: "the file's name has two different dates"
    case .otherReport: "no table uses reports of this kind"
    case .yearly: "a report of a year has no month"
    case .noFiscalPeriod: "a report of a calendar month is in no fiscal period"
    case .inDailyReports: "each day of the week has a daily report"
    case .inShorterReports: "each day of the month is in a daily or weekly report"
    case .inOtherReports: "other reports have days of the week"
    case .filteredRun: "the run counts some rows only, and a settlement cannot be divided"
    case .restated: "\(other) replaces the file: it is the same report"
    case .duplicateFile: "\(other) has the same bytes and is used instead"
    case .pending: "\(other) is from after the payment of the month"
    case .otherForm: "another file of the same settlement has these rows too"
    case .unusableFile: "the file is not used\(problem)"
    case .damagedFile: "the file is damaged\(problem)"
    default: reason.rawValue
    }
  }

  /// The error of the file, after a colon.
  private var problem: String { report.problem.map { ": \($0.message)" } ?? "" }
}
