import AppStoreReports
import ArgumentParser
import Explain
import Files
import Pages
import Pipeline
import Rendering
import ReportFolder
import Scanning
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
      throw UsageError(
        "--left-out is about one number and --against about two; give one of them")
    }
  }

  /// Refuses options that choose a month, for a table with a row for each file.
  ///
  /// - Parameter table: The name of the table.
  /// - Throws: `UsageError` that names the first of them.
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
    switch against {
    case "previous": return .month { $0 - 1 }
    case "year": return .month { $0 - 12 }
    default:
      let month = try MonthOptions.read(against, "--against", system)
      return .month { _ in month }
    }
  }
}

// MARK: A difference

/// A run of `explain` whose number is compared with another one.
struct DifferenceRun {
  let question: Question
  let month: Month
  var result: RunResult
  let command: RunCommand
  let format: OutputFormat

  init(
    _ question: Question, _ month: Month, _ result: RunResult, _ command: RunCommand,
    _ format: OutputFormat
  ) {
    (self.question, self.month, self.result) = (question, month, result)
    (self.command, self.format) = (command, format)
  }

  /// Returns the name of a month; retention has none.
  func name(_ month: Month) -> String { result.plan.monthSystem.name(month) }

  /// The files of the question's source.
  var files: [FileReport] {
    result.files.filter { ($0.isReceiptDump ? .receipts : $0.kind.source) == question.source }
  }
}

extension ExplainCommand {
  /// Refuses a comparison with a run of the ledger that cannot be made, before anything is read.
  func refuse(
    _ comparison: ExplainOptions.Comparison?, of question: Question, _ command: RunCommand
  ) throws(UsageError) {
    guard case .run(let choice) = comparison else { return }
    guard command.settings.text(.ledger) != nil else {
      throw UsageError(
        "--against \(choice.text): runs are in the ledger; name it with --ledger, the file that report --ledger writes"
      )
    }
    if let dimension = question.dimensions.first {
      throw UsageError(
        "--against \(choice.text): the ledger has the whole population; leave out --where \(dimension.rawValue)=…"
      )
    }
    guard !command.plan.inputs.contains("-") else {
      throw UsageError(
        "--against \(choice.text): the inputs are read twice, and standard input only once; name files or folders"
      )
    }
  }

  /// Prints what changed a number.
  ///
  /// - Returns: The reasons for the exit code.
  func showDifference(
    _ comparison: ExplainOptions.Comparison, _ run: DifferenceRun
  ) throws -> Set<ExitReason> {
    switch comparison {
    case .month(let earlier):
      let other = earlier(run.month)
      guard other != run.month else { throw ComparedMonths.sameMonth(run.name(other)) }
      return try show(
        try difference(
          run, DifferenceSide(run.name(run.month), run.month, run.result),
          DifferenceSide(run.name(other), other, run.result)), run)
    case .run(let choice): return try showDifference(since: choice, run)
    }
  }

  /// Prints the differences, and that they add up; prints none of them if they do not.
  func show(_ difference: ExplainedDifference, _ run: DifferenceRun) throws -> Set<ExitReason> {
    try show(
      difference.explanation, run.result, run.command, run.format,
      title: "What changed \(cell ?? "") since \(difference.nameBefore)")
  }

  func difference(
    _ run: DifferenceRun, _ after: DifferenceSide, _ before: DifferenceSide,
    isOfOtherRun: Bool = false
  ) throws -> ExplainedDifference {
    do {
      return try run.command.making {
        try ExplainedDifference(
          run.question, after, before, isOfOtherRun: isOfOtherRun, listing(run.command))
      }
    } catch let error as QuestionError {
      throw Self.usageError(error, run.question, [after.month, before.month], run.result)
    }
  }

  /// Returns how many records of receipts the run did not count because of their environment, and the option that counts
  /// them; blank for none.
  private static func otherEnvironment(_ question: Question, _ result: RunResult) -> String {
    let ignored = result.files.reduce(0) { $0 + ($1.rows.ignored[.otherEnvironment] ?? 0) }
    guard question.source == .receipts, ignored > 0 else { return "" }
    let other: ReceiptPlan.Environment =
      result.plan.receipts.environment == .production ? .sandbox : .production
    return
      "; \(counted(ignored, "record")) of \(other.rawValue) are not counted: --environment \(other.rawValue)"
  }

  /// Returns the error of a question without an answer; of a month without data it names the months with data.
  static func usageError(
    _ error: QuestionError, _ question: Question, _ months: [Month], _ result: RunResult
  ) -> UsageError {
    // Retention has no months.
    guard question.table != .retention,
      let data = result.monthsOfData(for: question.table, from: question.source),
      let month = months.first(where: { !data.contains($0) })
    else { return UsageError(error.message + otherEnvironment(question, result)) }
    return UsageError(
      "\(question.table.rawValue) of \(result.plan.monthSystem.name(month)): the data of \(question.source.rawValue) cover \(result.text(data))"
    )
  }
}
