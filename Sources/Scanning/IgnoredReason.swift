/// Why a good row, or a whole file, is not counted; the raw values appear in `health.csv`.
package enum IgnoredReason: String, Sendable {
  /// A row with 0 units that is not a refund.
  case zeroQuantity = "zero-quantity"
  /// A row of a SALES report that is not about a subscription.
  case otherProductTypes = "other product types"
  /// A row or a file of a day after as-of, or a response made after as-of.
  case afterAsOf = "after as-of"

  // MARK: Rows of dumps

  /// A response with a status other than 0 (valid) and 21006 (expired): it has no data, or no
  /// reliable data.
  case otherStatus = "status not 0 or 21006"
  /// An error of the App Store Server API.
  case errorBody = "error body"
  /// A response of a recognized kind without transactions and renewal infos.
  case nothingInIt = "nothing in it"
  /// An AppTransaction, Apple's signed data about the app itself.
  case appTransaction = "app transaction"
  /// A row of a table about another store.
  case otherStore = "other store"
  /// A row of a file of RevenueCat that is no list of transactions, such as in-app currency or customers.
  case otherRevenueCatFile = "other RevenueCat file"
  /// A response of an environment that `--environment` excludes.
  case otherEnvironment = "other environment"
  /// A response without a verified signature, in a run with `--verify`.
  case notVerified = "not verified"
  /// A notification with the UUID of an earlier one.
  case repeatedNotification = "duplicate notificationUUID"

  // MARK: Files

  /// A file of a source that the run does not use.
  case otherSource = "other source"
  /// A file of a vendor that a filter excludes.
  case otherVendor = "other vendor"
  /// A finance file without a vendor in its name, in a run with a filter by vendor.
  case noVendor = "no vendor"
  /// A report whose day is unknown.
  case noDate = "no date"
  /// A report whose name has two different days.
  case twoDates = "two dates in the name"
  /// A report that no table uses.
  case otherReport = "other report"
  /// A SALES report of a year.
  case yearly = "a year has no month"
  /// A SALES report of a calendar month, in a run with fiscal periods.
  case noFiscalPeriod = "a month has no fiscal period"
  /// A SALES report of a week, of which each day has a daily report.
  case inDailyReports = "the daily reports have its days"
  /// A SALES report of a month, of which each day has a daily report or is in a weekly one.
  case inShorterReports = "the shorter reports have its days"
  /// A SALES report of a week: reports of some of its days count in its place.
  case inOtherReports = "other reports have its days"
  /// A SALES report of a week or a month without rows, beside shorter ones with rows.
  case emptyBesideShorter = "empty, the shorter reports have rows"
  /// A finance file, in a run with a filter of rows: settlements cannot be divided by row.
  case filteredRun = "filtered run"
  /// An older version of a report.
  case restated
  /// A file with the same bytes as another one.
  case duplicateFile = "duplicate file"
  /// A payments CSV of a month that was not paid yet, beside one from after the payment.
  case pending = "pending, a paid one is there"
  /// Rows that another finance file of the same settlement contains, too.
  case otherForm = "other form of the same report"
  /// A file that cannot be used although its bytes are not damaged.
  case unusableFile = "unusable file"
  /// A file that cannot be read to its end.
  case damagedFile = "damaged file"
}

extension IgnoredReason {
  /// The reason in the words of a page, where the raw value is not plain.
  package var words: String {
    switch self {
    case .otherProductTypes: "other product types: no subscriptions"
    case .otherStatus: "no receipt (error status)"
    case .otherEnvironment: "not the environment asked for"
    default: rawValue
    }
  }
}
