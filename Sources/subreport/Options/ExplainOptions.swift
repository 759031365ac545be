import ArgumentParser
import Explain
import ReportFolder
import SubscriptionModel
import Tables

/// The options that select the customers and the source of an explained number.
struct ExplainSelectionOptions: SettingOptions {
  @Option(.country) var country: [String] = []
  @Option(
    .source,
    says:
      "The source of the number: events, receipts, sales or subscribers. (default: subscribers; for drivers and health all that the inputs allow)",
    valueName: "source")
  var source: [String] = []
  @Option(.billingPlan) var billingPlan: [String] = []
  @Option(.contingent) var contingent: [String] = []
  @Flag(.fiscal) var fiscal = false
}

/// The option that names the ledger with the run of `--against`.
struct ExplainLedgerOptions: SettingOptions {
  @Option(
    .ledger, says: "The file with the run of --against, which report --ledger writes.",
    valueName: "file")
  var ledger: String?
}

/// The options that choose the row to explain, and how many contributions are listed.
struct ExplainOptions: ParsableArguments {
  @Option(.month) var month: String?
  @Option(
    .against,
    says:
      "Explain what changed the number since another month or a run: previous (the month before), year (the same month a year before), a month, or a run of the ledger by its number or the last day of its data.",
    valueName: "month|run")
  var against: String?

  @Option(
    name: .customLong("where"), parsing: .singleValue,
    help: ArgumentHelp(
      "The row of the table with this value: country=US. Repeatable.",
      valueName: "dim=value"))
  var conditions: [String] = []

  @Option(
    help: ArgumentHelp(
      "The row of what customers pay, price, or of what the developer gets, proceeds; like --where basis=price.",
      valueName: "name"), completion: .list(["price", "proceeds"]))
  var basis: String?

  /// The values that choose the row.
  var allConditions: [String] { conditions + (basis.map { ["basis=\($0)"] } ?? []) }

  @Option(
    name: .customLong("column"), parsing: .singleValue,
    help: ArgumentHelp(
      "A column of the table, or all that begin so: control, 'churned*'. Repeatable.",
      valueName: "name"))
  var columns: [String] = []

  @Option(
    help: ArgumentHelp(
      "List so many contributions of each column; the others are added up in one row.",
      valueName: "n"))
  var limit: Int?

  @Flag(
    name: .customLong("left-out"),
    help: "List instead what belongs to the row and is not counted in the column, with the reason.")
  var leftOut = false

  @Option(
    help: ArgumentHelp(
      "Tell the story of one subscription, named by a subscriber id or a row of it.",
      valueName: "id|file:line"))
  var subscription: String?

  func validate() throws {
    if subscription != nil {
      let others = [
        ("--month", month != nil), ("--against", against != nil), ("--where", !conditions.isEmpty),
        ("--basis", basis != nil),
        ("--column", !columns.isEmpty), ("--limit", limit != nil), ("--left-out", leftOut),
      ]
      if let other = others.first(where: \.1) {
        throw ValidationError(
          "\(other.0) chooses a part of a number; leave it out with --subscription")
      }
    }
    guard limit.map({ $0 > 0 }) != false else {
      throw ValidationError("--limit: use a whole number of at least 1")
    }
  }

  /// Refuses options that choose nothing for the question.
  func refuseOptions(of question: Question) throws(UsageError) {
    if question.table == .retention, let month {
      throw UsageError(
        "--month \(month): retention has no months; leave it out, and choose a row with --where k=…"
      )
    }
    if leftOut, against != nil {
      throw UsageError("--left-out is about one number and --against about two; give one of them")
    }
  }

  /// Refuses options that choose a month, for a table with a row for each file.
  func refuseMonths(of table: String) throws(UsageError) {
    guard let given = month ?? against else { return }
    let option = month == nil ? "--against" : "--month"
    throw UsageError("\(option) \(given): \(table) has a row for each file and none for a month")
  }

  /// Returns the month; `nil` for the last complete one.
  func month(_ system: MonthSystem) throws(UsageError) -> Month? {
    guard let month, month != "last" else { return nil }
    return try MonthOptions.read(month, "--month", system)
  }

  /// What a number is compared with.
  enum Comparison {
    /// Another month of the same run.
    case month((Month) -> Month)
    /// The same month as a run of the ledger knew it.
    case run(PastRun.Choice)
  }

  /// Returns what the number is compared with; `nil` for one number.
  func comparison(
    of question: Question, _ system: MonthSystem
  ) throws(UsageError) -> Comparison? {
    guard let against else { return nil }
    if let day = Day(against) { return .run(.day(day)) }
    // Longer numbers are months in another notation.
    if against.count < 6, let number = Int(against), number > 0 { return .run(.sequence(number)) }
    guard question.table != .retention else {
      throw UsageError(
        "--against \(against): retention has no months; name a run of the ledger by the last day of its data"
      )
    }
    return .month(try ComparedMonths.months(nil, against: against, system).against)
  }
}
