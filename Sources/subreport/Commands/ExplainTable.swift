import Counting
import Explain
import Files
import Pipeline
import Rendering
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
      month = try asked.month(plan.monthSystem)
      comparison = try asked.comparison(of: question, plan.monthSystem)
      try refuse(comparison, of: question, command)
    } missing: { result, command in
      month = month ?? result.lastCompleteMonth(for: question.table)
      let hasSource = result.sources.contains { $0.source == question.source }
      guard !hasSource || month == nil else { return false }
      noteNeeded(question.source, "explain", result, command)
      return true
    } printing: { result, command, format in
      guard let month else { preconditionFailure("the run has a complete month") }
      // Retention has no months.
      let period =
        question.table == .retention ? "" : " of \(result.plan.monthSystem.name(month))"
      let isChosen = command.settings.isOnCommandLine(.source)
      command.console.note(
        "note: numbers\(period) from \(question.source.rawValue)\(isChosen ? "" : "; --source chooses another source")"
      )
      if let comparison {
        return try showDifference(
          comparison, DifferenceRun(question, month, result, command, format))
      }
      return try show(
        try explanation(question, month, result, command), result, command, format)
    }
  }

  /// Runs, and prints what a question is made of.
  ///
  /// - Parameters:
  ///   - prepare: Changes the plan to what the answer needs, before anything is read.
  ///   - check: Refuses settings that do not fit the inputs.
  ///   - isMissing: Prints which inputs are missing, and returns whether any are.
  ///   - explanation: Makes the answer.
  /// - Throws: `UsageError` for a question without an answer, `ExitCode` unless all is well.
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

  private func answer(
    preparing prepare: (inout RunPlan, RunCommand) throws -> Void,
    checking check: (RunResult, RunCommand) throws -> Void = { _, _ in },
    missing isMissing: (RunResult, RunCommand) throws -> Bool,
    printing body: (RunResult, RunCommand, OutputFormat) throws -> Set<ExitReason>
  ) throws {
    let command = try RunCommand(
      try settings(), defaultViews: [], alwaysWhole: false, readsViews: false)
    let format = try command.settings.format()
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
    try finish(command, reasons) { try body(result, command, format) }
  }

  /// Adds an end to the message of a question without an answer.
  func ending<Value>(
    _ end: @autoclosure () -> String, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as QuestionError {
      throw QuestionError(error.message + end())
    }
  }

  private func explanation(
    _ question: Question, _ month: Month, _ result: RunResult, _ command: RunCommand
  ) throws -> Explanation {
    do {
      return try command.making {
        let readsIgnored = asked.leftOut && question.source == .receipts
        return try Explanation(
          question, month: month, result, listing(command),
          ignored: readsIgnored ? runOfIgnoredEnvironments(result, command) : nil)
      }
    } catch let error as QuestionError {
      throw Self.usageError(error, question, [month], result)
    }
  }

  /// Reads the receipts that a run has ignored because of their environment; `nil` if it has ignored none, or its
  /// inputs cannot be read twice.
  private func runOfIgnoredEnvironments(
    _ result: RunResult, _ command: RunCommand
  ) -> RunResult? {
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
    plan.receipts.environment =
      plan.receipts.environment == .production ? .sandbox : .production
    // The tally of the first run is of other receipts.
    plan.earlierRuns = nil
    return Run.carryOut(plan)
  }

  /// Prints nothing, but refuses columns that a table without rows has not.
  private func withoutRows(
    _ table: ReportTable, _ shape: TableOptions, _ format: OutputFormat
  ) throws -> Set<ExitReason> {
    try shape.refuseUnknownColumns([table], format)
    return []
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
    if isByEvidence || isByValue { shape.sort = nil }
    let out = TableOutput(command, format, shape, path: output.output)
    let own = "What \(cell ?? "") \(asked.leftOut ? "leaves out" : "is made of")"
    let page = TablePage(title: title ?? own, limits: result.limits())
    let long = explanation.longTable
    // On a terminal the lines below say that there is no row.
    let isEmpty =
      format == .table && output.output == nil
      && (long.map { $0.count == 0 } ?? explanation.table.rows.isEmpty)
    let unwritten: Set<ExitReason> =
      if isEmpty {
        try withoutRows(long?.header ?? explanation.table, shape, format)
      } else if let long {
        try out.print(long, page: page)
      } else {
        try out.print([explanation.table], page: page)
      }
    for line in explanation.lines { command.console.note(line) }
    if asked.leftOut, result.rejectedRows > 0 {
      command.console.note(
        "\(counted(result.rejectedRows, "row")) of the files cannot be read, so no cell is known for them; explain health.rows_rejected --where path=FILE lists those of a file"
      )
    }
    for note in explanation.notes { command.console.note(note) }
    return unwritten
  }
}
