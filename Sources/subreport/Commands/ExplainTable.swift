import AppStoreReports
import ArgumentParser
import Counting
import Explain
import Files
import Pipeline
import Rendering
import ReportFolder
import Scanning
import SubscriptionModel
import Tables

/// `subreport explain TABLE.COLUMN`, for the tables that sum up what the folds count.
extension ExplainCommand {
  func printTable() throws {
    let question = try question(from: sources(settings()))
    try asked.refuseOptions(of: question)
    var month: Month?
    var comparison: ExplainOptions.Comparison?
    try answer { plan, command in
      // All that the table's own command reads, so that both find the same errors and names.
      let sources = plan.sources.intersection(Definition.definition(of: question.table).sources)
      plan = self.plan([question.dimensions], question.source, plan)
      plan.sources = sources
      // Definitions have a command of their own.
      (plan.countsMoney, plan.countsOthers) = (question.table.isOfMoney, false)
      month = try asked.month(plan.monthSystem)
      comparison = try asked.comparison(of: question, plan.monthSystem)
      try refuse(comparison, of: question, command)
    } missing: { result, command in
      isMissing(question, question.table, &month, result, command)
    } printing: { result, command, format in
      guard let month else { preconditionFailure("the run has a complete month") }
      // Retention has no months.
      noteSource(question, question.table == .retention ? nil : month, result, command)
      if let comparison {
        return try showDifference(
          comparison,
          DifferenceRun(
            question: question, month: month, result: result, command: command, format: format))
      }
      return try show(
        try answering(question, [month], result) {
          try explanation(question, month, result, command)
        }, result, command, format)
    }
  }

  /// Prints what a row of `definitions` is made of.
  func printDefinition() throws {
    let question = try question(about: .definitions, from: sources(settings()))
    if asked.leftOut || asked.against != nil {
      throw UsageError(
        "\(asked.leftOut ? "--left-out" : "--against"): a step of \(question.about.name) is made of several numbers; ask for one of them, such as explain churn.churned"
      )
    }
    var month: Month?
    try answer { plan, _ in
      plan = self.plan([[]], question.source, plan)
      month = try asked.month(plan.monthSystem)
    } missing: { result, command in
      isMissing(question, .definitions, &month, result, command)
    } explaining: { result, command in
      guard let month else { preconditionFailure("the run has a complete month") }
      noteSource(question, month, result, command)
      return try command.making {
        try Explanation(ofDefinition: question, month: month, result, listing(command))
      }
    }
  }

  /// Takes the last complete month if none is given; prints which inputs are missing, and returns whether any are.
  private func isMissing(
    _ question: Question, _ table: TableKind, _ month: inout Month?, _ result: RunResult,
    _ command: RunCommand
  ) -> Bool {
    month = month ?? result.lastCompleteMonth(for: table)
    let hasSource = result.sources.contains { $0.source == question.source }
    guard !hasSource || month == nil else { return false }
    noteNeeded(question.source, "explain", result, command)
    return true
  }

  func noteSource(
    _ question: Question, _ month: Month?, _ result: RunResult, _ command: RunCommand
  ) {
    let period = month.map { " of \(result.plan.monthSystem.name($0))" } ?? ""
    let isChosen = command.settings.isOnCommandLine(.source)
    let source = question.source
    let name = question.about.kind.map { source.name(in: $0) } ?? source.rawValue
    command.console.note(
      "note: numbers\(period) from \(name)\(isChosen ? "" : "; --source chooses another source")"
    )
  }

  /// Runs, and prints what a question is made of.
  func answer(
    preparing prepare: (inout RunPlan, RunCommand) throws -> Void,
    checking check: (RunResult, RunCommand) throws -> Void = { _, _ in },
    missing isMissing: (RunResult, RunCommand) throws -> Bool = { _, _ in false },
    explaining explanation: (RunResult, RunCommand) throws -> Explanation
  ) throws {
    try answer(preparing: prepare, checking: check, missing: isMissing) {
      result, command, format in
      try show(try explanation(result, command), result, command, format)
    }
  }

  /// Runs, and prints an answer.
  ///
  /// `prepare` changes the plan to what the answer needs, before anything is read; `check` refuses settings that do
  /// not fit the inputs. `isMissing` prints which inputs are missing, and returns whether any are. `body` returns the
  /// reasons for the exit code that do not come from the inputs.
  func answer(
    format: (Settings) throws -> OutputFormat = { try $0.format() },
    preparing prepare: (inout RunPlan, RunCommand) throws -> Void,
    checking check: (RunResult, RunCommand) throws -> Void = { _, _ in },
    missing isMissing: (RunResult, RunCommand) throws -> Bool,
    printing body: (RunResult, RunCommand, OutputFormat) throws -> Set<ExitReason>
  ) throws {
    let command = try RunCommand(
      try settings(), defaultViews: [], alwaysWhole: false, readsViews: false)
    let format = try format(command.settings)
    var plan = command.plan
    try prepare(&plan, command)
    try command.refuseInput(as: output.output)
    let result = try command.run(plan)
    try check(result, command)
    let reasons = try command.reasons(result)
    if try isMissing(result, command) {
      return try command.exit(reasons.union([.unusableInput]))
    }
    try command.obeyStrict("explain", reasons)
    do {
      let more = try command.obstacles { try body(result, command, format) }
      try command.exit(reasons.union(more))
    } catch let error as QuestionError {
      throw UsageError(error.message)
    }
  }

  /// Adds an end to the message of a question without an answer.
  func ending<Value>(_ end: @autoclosure () -> String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as QuestionError {
      throw QuestionError(error.message + end())
    }
  }

  private func explanation(
    _ question: Question, _ month: Month, _ result: RunResult, _ command: RunCommand
  ) throws -> Explanation {
    try command.making {
      let readsIgnored = asked.leftOut && question.source == .receipts
      return try Explanation(
        question, month: month, result, listing(command),
        ignored: readsIgnored ? runOfIgnoredEnvironments(result, command) : nil)
    }
  }

  /// Reads the receipts that a run ignored for their environment; `nil` if none, or if inputs cannot be read twice.
  private func runOfIgnoredEnvironments(_ result: RunResult, _ command: RunCommand) -> RunResult? {
    guard result.files.contains(where: { ($0.rows.ignored[.otherEnvironment] ?? 0) > 0 }) else {
      return nil
    }
    let once = result.plan.inputs.first { $0 == "-" || FileStatus(of: $0)?.kind == .other }
    if let once {
      command.console.note(
        "note: \(once == "-" ? "standard input" : once) can be read only once, so receipts of another environment are not listed; name files"
      )
      return nil
    }
    var plan = result.plan
    plan.receipts.environment = plan.receipts.environment == .production ? .sandbox : .production
    // The tally of the first run is of other receipts.
    plan.earlierRuns = nil
    return Run.carryOut(plan)
  }

  /// Prints the contributions, and that they add up; prints none if they do not.
  func show(
    _ explanation: Explanation, _ result: RunResult, _ command: RunCommand,
    _ format: OutputFormat, title: String? = nil
  ) throws -> Set<ExitReason> {
    guard explanation.failures.isEmpty else {
      for line in explanation.failures {
        command.console.error("error: \(line): please report this [internal-error]")
      }
      return [.internalError]
    }
    var shape = shape
    if order != .subscription { shape.sort = nil }
    let out = TableOutput(command, format, shape, path: output.output)
    let own = "What \(cell ?? "") \(asked.leftOut ? "leaves out" : "is made of")"
    let page = TablePage(title: title ?? own, limits: result.limits())
    let long = explanation.longTable
    // On a terminal the lines below say that there is no row.
    let isEmpty =
      format == .table && output.output == nil
      && (long.map { $0.count == 0 } ?? explanation.table.rows.isEmpty)
    var reasons: Set<ExitReason> = []
    if isEmpty {
      try shape.refuseUnknownColumns([long?.header ?? explanation.table], format)
    } else if let long {
      reasons = try out.print(long, page: page)
    } else {
      reasons = try out.print([explanation.table], page: page)
    }
    for line in explanation.lines { command.console.note(line) }
    if asked.leftOut, result.rejectedRows > 0 {
      command.console.note(
        "\(counted(result.rejectedRows, "row")) of the files cannot be read, so no cell is known for them; explain health.rows_rejected --where path=FILE lists those of a file"
      )
    }
    for note in explanation.notes { command.console.note(note) }
    return reasons
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
    try answering(run.question, [after.month, before.month], run.result) {
      try run.command.making {
        try ExplainedDifference(
          run.question, after, before, isOfOtherRun: isOfOtherRun, listing(run.command))
      }
    }
  }

  /// Answers a question; of a month without data, the error names the months with data.
  func answering<Answer>(
    _ question: Question, _ months: [Month], _ result: RunResult, _ body: () throws -> Answer
  ) throws -> Answer {
    do {
      return try body()
    } catch let error as QuestionError {
      // Retention has no months.
      guard question.table != .retention,
        let data = result.monthsOfData(for: question.table, from: question.source),
        let month = months.first(where: { !data.contains($0) })
      else { throw UsageError(error.message + Self.otherEnvironment(question, result)) }
      throw UsageError(
        "\(question.table.rawValue) of \(result.plan.monthSystem.name(month)): the data of \(question.source.rawValue) cover \(result.text(data))"
      )
    }
  }

  /// Returns how many records of another environment do not count, and the option that counts them; blank for none.
  private static func otherEnvironment(_ question: Question, _ result: RunResult) -> String {
    let ignored = result.files.reduce(0) { $0 + ($1.rows.ignored[.otherEnvironment] ?? 0) }
    guard question.source == .receipts, ignored > 0 else { return "" }
    let other: ReceiptPlan.Environment =
      result.plan.receipts.environment == .production ? .sandbox : .production
    return
      "; \(counted(ignored, "record")) of \(other.rawValue) are not counted: --environment \(other.rawValue)"
  }
}
