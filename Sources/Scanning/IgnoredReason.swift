/// Why a good row, or a whole file, does not count; the raw values appear in `health.csv`.
public enum IgnoredReason: String, Sendable {
  /// No units and no refund.
  case zeroQuantity = "zero-quantity"
  /// A row of a SALES report that is not about a subscription.
  case otherProductTypes = "other product types"
  /// A row or a file of a day after as-of, or a response made after it.
  case afterAsOf = "after as-of"

  // MARK: Rows of dumps

  /// A status other than 0 (valid) and 21006 (expired): no data, or data that cannot be trusted.
  case otherStatus = "status not 0 or 21006"
  /// An error of the App Store Server API.
  case errorBody = "error body"
  /// A recognized shape without transactions and renewal infos.
  case nothingInIt = "nothing in it"
  /// Apple's signed statement about the app itself.
  case appTransaction = "app transaction"
  /// A row of a table about another store.
  case otherStore = "other store"
  /// A response of an environment that does not count.
  case otherEnvironment = "other environment"
  /// A response without a verified signature, where signatures are checked.
  case notVerified = "not verified"
  /// A notification that was sent before.
  case repeatedNotification = "duplicate notificationUUID"

  // MARK: Files

  /// A file of a source that the run does not use.
  case otherSource = "other source"
  /// A file of a vendor that is filtered out.
  case otherVendor = "other vendor"
  /// A finance file without a vendor in its name when vendors are filtered.
  case noVendor = "no vendor"
  /// A report whose day is unknown.
  case noDate = "no date"
  /// A report that no table uses.
  case otherReport = "other report"
  /// A report of a longer period.
  case otherFrequency = "other frequency"
  /// A finance file, when rows are filtered: settlements cannot be split by row.
  case filteredRun = "filtered run"
  /// An older version of a report.
  case restated
  /// A second copy of a file.
  case duplicateFile = "duplicate file"
  /// Rows that another finance file of the same report settles.
  case otherForm = "other form of the same report"
  /// A file with a problem other than damaged bytes.
  case unusableFile = "unusable file"
  /// A file that cannot be read to its end.
  case damagedFile = "damaged file"
}
