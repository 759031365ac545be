/// The tables of `report` beside the metrics: the state of the input, settlements, and changes since the last run.
package enum SupportingTable: String, CaseIterable, Sendable {
  /// The counts of each input file.
  case health
  /// The days that have a report, and those that lack one.
  case days
  /// The identities that were tested.
  case checks
  /// The rows that could not be read.
  case rejects
  /// The numbers that differ from the last run of the ledger.
  case changes
  /// The amounts that Apple owes.
  case paymentsDue = "payments_due"
  /// The verdict on each settlement.
  case verdicts
  /// The way of the newest settlement that is verified and paid from sales to the bank.
  case settlement

  /// Every column with its meaning.
  package var allColumns: [Definition.Column] {
    switch self {
    case .health: Self.healthColumns
    case .days: Self.dayColumns
    case .checks: Self.checkColumns
    case .rejects: Self.rejectColumns
    case .changes: Self.changeColumns
    case .paymentsDue: Self.paymentColumns
    case .verdicts: Self.verdictColumns
    case .settlement: Self.settlementColumns
    }
  }

  private typealias Column = Definition.Column

  private static let healthColumns: [Column] = [
    .key(
      "path", "The file, below the input; empty in a row about a source that a view leaves out."),
    .text("kind", "The kind of file, such as `SUBSCRIBER` or `FINANCIAL`."),
    .text("version", "The version of the report's format, as far as its columns tell it."),
    .text("period", "The day, month or fiscal period."),
    .text("sha256", "The hash of the bytes as they are stored."),
    .count("rows_read", "The rows of the file: rows_used + rows_rejected + rows_ignored."),
    .count("rows_used", "Of these: rows that count in tables."),
    .count("rows_rejected", "Of these: rows that cannot be read; `rejects` lists them."),
    .count("rows_ignored", "Of these: rows that do not count, for the reasons in `note`."),
    .text("note", "The reasons for ignored rows, as `reason: n`, and other remarks and errors."),
  ]

  private static let dayColumns: [Column] = [
    .key("kind", "The kind of report."),
    .key("vendor", "The vendor number, from the name of the file."),
    .key("day", "The day of the report."),
    .text(
      "state",
      "`present`; `empty`: a report without rows; `covered`; `missing`; or `pending`: it may be late."
    ),
    .text("file", "The file that counts; empty for a missing day."),
    .text("restated", "`yes` if the file replaces another one of the same report."),
    .text("note", "`no file after` a day: the reports stop there, although others go on."),
  ]

  private static let checkColumns: [Column] = [
    .key("check", "The identity, such as `movement closes`."),
    .key("scope", "The file, source, month or view for which it was tested."),
    .text("expected", "The value that it should have."),
    .text("found", "The value that it has."),
    .text("state", "`ok`, `failed`, `warning`, or `missing`: there is nothing to compare with."),
  ]

  private static let rejectColumns: [Column] = [
    .key("file", "The file, below the input."),
    .count("line", "The line, from 1; empty in files without lines."),
    .count("byte", "The place of the value in the file's text, in bytes, from 0."),
    .count("field", "The number of the column in the row, from 1."),
    .text("column", "The name of the column."),
    .text("code", "The kind of error, such as `not-a-date`."),
    .text("found", "The value; `(hidden, N bytes)` for ids, receipts and mail addresses."),
    .text("expected", "The values that are allowed."),
  ]

  private static let changeColumns: [Column] = [
    .key("table", "The table of the number."),
    .key("source", "The source of the row."),
    .key("month", "The month, or the fiscal period, of the row."),
    .key("dating", "`refunds`: whether amounts are dated by the sale or by the refund."),
    .key("currency", "The currency of an amount."),
    .key("k", "`retention`: the number of the paid period."),
    .key("row", "Other values that name the row, such as `product Pro Monthly, country US`."),
    .key("column", "The column of the number."),
    .text("before", "The number in the last run of the ledger; empty for a new row."),
    .text("after", "The number in this run; empty for a row that is gone."),
    .text("change", "after - before, if both are numbers."),
    .text("because", "The files that caused it."),
  ]

  private static let paymentColumns: [Column] = [
    .key("period", "Apple's fiscal period."), .key("region", "The region of Apple's settlement."),
    .key("currency", "The currency of the settlement."),
    .key("expected_date", "The day of the payment, by Apple's calendar: 33 days after the period."),
    .money("owed", "The amount that Apple owes: line 50 of `reconcile`."),
    .money("paid", "The part of it that is paid, in the same currency."),
    .text(
      "state",
      "`paid`; `due`; `carried over`: part of the next period's amount; `nothing owed`; `unknown`: no payments CSV."
    ),
  ]

  private static let verdictColumns: [Column] = [
    .key("period", "Apple's fiscal period."), .key("region", "The region of Apple's settlement."),
    .key("currency", "The currency of the settlement."),
    .text("verdict", "`reconciled`, `not verified` or `unreconciled`."),
    .text("why", "The reasons."),
  ]

  private static let settlementColumns: [Column] = [
    .key("period", "Apple's fiscal period: the newest that is verified and paid."),
    .key(
      "line", "`sold`, what is added or taken away, `rounding`, and `paid`; they add up to `paid`."),
    .money("amount", "The amount at the rate of the payment: paid for each unit owed."),
    .key("amount_currency", "The currency of the bank account."),
  ]
}
