package import SubscriptionModel

/// Why a financial report or a payments CSV cannot be used as a whole.
package enum FinanceError: Error, Equatable, Sendable {
  /// The dates of the report are not the first and last day of a fiscal period.
  case notAFiscalPeriod(firstDay: Day, lastDay: Day)
  /// The rows of one file have different fiscal periods.
  case severalPeriods(FiscalPeriod, FiscalPeriod)
  /// The rows, the preamble and the file's name do not state the period.
  case noPeriod(expected: String)
  /// A trailer differs from the sum of the rows.
  case trailerMismatch(name: String, printed: String, sum: String)
  /// The file's name has a region code that Apple does not use.
  case unknownRegion(String)
  /// A payments CSV lists a region and currency twice.
  case repeatedRegion(region: String, currency: String, line: Int)
  /// A payments CSV lacks required columns; the texts are Apple's names for them.
  case missingColumns([String])
  /// A payments CSV has a column twice, so it is not clear which to read.
  case duplicateColumns([String])
  /// A payments CSV is in another language than English, and the number of its columns does not decide
  /// their meaning.
  case unknownColumns(count: Int)
  /// A payments CSV is in another language than English, and a row does not add up with the columns
  /// that their number tells.
  case otherColumns(line: Int)
  /// A payments CSV states no vendor, and its Earned is that of none or several of the vendors.
  case unknownVendor(vendors: [String], fitting: [String])
  /// Another file is the same report with different contents, and it is not clear which of them is
  /// right.
  case conflictingFiles(other: String, report: String)
  /// Another file is the same report without faults.
  case damagedCopy(of: String)
  /// A payments CSV has rejected rows, and one from before the payment has none.
  case damagedPayment(used: String)

  /// The stable name of the error.
  package var code: String {
    switch self {
    case .notAFiscalPeriod: "not-a-fiscal-period"
    case .severalPeriods: "several-periods"
    case .noPeriod: "no-period"
    case .trailerMismatch: "trailer-mismatch"
    case .unknownRegion: "unknown-region"
    case .repeatedRegion: "repeated-region"
    case .missingColumns: "missing-columns"
    case .duplicateColumns: "duplicate-columns"
    case .unknownColumns, .otherColumns: "unknown-columns"
    case .unknownVendor: "unknown-vendor"
    case .conflictingFiles: "conflicting-files"
    case .damagedCopy, .damagedPayment: "damaged-copy"
    }
  }

  /// The line that the error is about, from 1; `nil` for the whole file.
  package var line: Int? {
    switch self {
    case .repeatedRegion(_, _, let line), .otherColumns(let line): line
    default: nil
    }
  }

  /// What was found and what was expected, in lower case and without a full stop.
  package var message: String {
    switch self {
    case .notAFiscalPeriod(let firstDay, let lastDay):
      let near = FiscalPeriod(containing: firstDay)
      return "found the dates \(firstDay) to \(lastDay), expected a fiscal period such as "
        + "\(near.firstDay) to \(near.lastDay)"
    case .severalPeriods(let first, let other):
      return "found rows of the fiscal periods \(first) and \(other), expected one period"
    case .noPeriod(let expected):
      return "found no fiscal period, expected \(expected)"
    case .trailerMismatch(let name, let printed, let sum):
      return "found \(name) \(printed), expected \(sum), the sum of the rows"
    case .unknownRegion(let region):
      return "found the region \"\(region)\" in the file's name, expected one of Apple's such as EU"
    case .repeatedRegion(let region, let currency, _):
      return "found the region \(region) (\(currency)) again, expected it once"
    case .missingColumns(let names): return HeaderError.missingColumns(.payments, names).message
    case .duplicateColumns(let names): return HeaderError.duplicateColumns(.payments, names).message
    case .unknownColumns(let count):
      return "found \(count) columns in another language than English, expected 9 or 11; "
        + Self.inEnglish
    case .otherColumns:
      return "found a row whose Earned, taxes and adjustments are not Total Owed, "
        + "expected the columns of a file in English; \(Self.inEnglish)"
    case .unknownVendor(let vendors, let fitting):
      let found =
        fitting.isEmpty
        ? "none of the vendors \(vendors.joined(separator: ", "))"
        : "the vendors \(fitting.joined(separator: " and "))"
      return "found no vendor in the name and the amounts of \(found), "
        + "expected those of one vendor; \(Self.vendorInName)"
    case .conflictingFiles(let other, let report):
      return "found contents that differ from \(other), expected one \(report)"
    case .damagedCopy(let other):
      return
        "found unreadable rows, a truncated last line or missing totals, expected the same report as "
        + "\(other), which has no faults and is used instead: remove this file"
    case .damagedPayment(let other):
      return "found unreadable rows, so that \(other) from before the payment is used instead: "
        + "download this file again"
    }
  }

  private static let inEnglish = "set App Store Connect to English and download it again"
  private static let vendorInName = "put the vendor number in front of the name"

  /// What to do about a payments CSV that cannot be used, in a few words.
  package var advice: String {
    switch self {
    case .missingColumns, .duplicateColumns, .repeatedRegion: "download it again"
    case .unknownColumns, .otherColumns: Self.inEnglish
    case .unknownVendor: Self.vendorInName
    default: "see the error about it"
    }
  }

  /// Whether the bytes of the file are damaged.
  package var isCorruption: Bool {
    if case .trailerMismatch = self { true } else { false }
  }
}
