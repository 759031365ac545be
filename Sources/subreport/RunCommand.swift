import ArgumentParser
import Counting
import Files
import Pages
import Pipeline
import Rendering
import ReportCache
import Storage
import SubscriptionModel
import Tables

/// The common steps of report, check and the table commands: settings, the run, and the exit code.
final class RunCommand {
  let settings: Settings
  let console: Console
  let plan: RunPlan
  /// The conditions of `--fail-if`.
  let conditions: [Condition]
  /// The exchange rates; `nil` without a conversion.
  let conversion: CurrencyConversion?
  /// The cache; `nil` before the run, and without `--cache`.
  private(set) var cache: ExtractCache?
  /// The file of `--openmetrics`; `nil` without one.
  var metrics: MetricsFile?
  private let progress = RunProgress()
  private let start = ContinuousClock.now

  /// Creates the plan; checks every setting before any report is read.
  ///
  /// See ``Settings/plan(defaultViews:alwaysWhole:readsViews:)`` for the views. `table` is the one that the command
  /// prints, `nil` for all; `given` takes the place of the settings that pages show. Ends the command if the address
  /// space is too small.
  init(
    _ settings: Settings, defaultViews: [[Dimension]], alwaysWhole: Bool,
    readsViews: Bool = true, table: TableKind? = nil, given: GivenOptions? = nil
  ) throws {
    if let obstacle = AddressSpace.obstacle {
      throw Console.standard.failure(obstacle)
    }
    AddressSpace.limitReservations()
    Interruption.watch()
    self.settings = settings
    console = try Console(settings)
    for note in Settings.unknownVariables { console.note(note) }
    if let note = settings.noteOfOtherEnding { console.note(note) }
    conditions = try settings.conditions(of: table)
    for condition in conditions where condition.isAboveWhole {
      console.note(
        "note: \(condition.text): a rate of 1 is 100 %, so that 8 % is written 0.08; is \(condition.limit) meant?"
      )
    }
    var plan = try settings.plan(
      defaultViews: defaultViews, alwaysWhole: alwaysWhole, readsViews: readsViews)
    if let given { plan.given = given }
    self.plan = plan
    conversion = try settings.conversion()
  }

  /// Refuses an output file that would overwrite an input or cannot be written, before anything is read.
  func refuseInput(as output: String?, _ option: String = "-o") throws {
    guard let output else { return }
    try OutputCheck.file(output)
    guard
      let input = InputListing.inputDestroyed(by: output, isFolder: false, inputs: plan.inputs)
    else { return }
    throw UsageError("\(option) \(output): this is the input \(input); name another file")
  }

  /// Carries out the plan with a progress bar, and prints nothing else.
  func carryOut(_ plan: RunPlan) throws -> RunResult {
    var plan = plan
    cache = try settings.cache()
    plan.earlierRuns = cache
    plan.memory = try settings.memory()
    let bar = try progressBar()
    defer { bar?.finish() }
    return Run.carryOut(plan, progress: progress)
  }

  /// Carries out the plan with a progress bar, and prints the problems of the inputs.
  ///
  /// `namesLeftAside`: whether the command itself names the files that are left aside.
  func run(_ plan: RunPlan, namesLeftAside: Bool = false) throws -> RunResult {
    let result = try carryOut(plan)
    console.notes(cache?.takeNotes() ?? [])
    if let count = result.changedSubscribers {
      console.detail("\(counted(count, "subscriber")) changed since the last run")
    }
    try report(result)
    if !namesLeftAside { console.notes(result.archiveLines) }
    return result
  }

  /// Prints the problems of the inputs, and what limits the numbers; refuses a filter that matches no row.
  func report(_ result: RunResult) throws {
    console.report(result)
    try refuseUnmatchedFilters(result)
    if let narrowing = result.narrowing { console.note("note: \(narrowing)") }
    console.notes(result.oddFileNotes)
    for line in result.unusedDumpNotes {
      if result.hasUsableInput { console.note("note: \(line)") } else { console.error(line) }
    }
  }

  /// Makes tables with a progress bar; `body` prints nothing.
  func making<Value>(_ body: () throws -> Value) throws -> Value {
    progress.begin(.making)
    let bar = try progressBar()
    defer { bar?.finish() }
    return try body()
  }

  /// Shows a progress bar for writing files; the caller finishes it.
  func writingBar(files: Int) throws -> ProgressBar? {
    progress.beginWriting(files: files)
    return try progressBar()
  }

  private func progressBar() throws -> ProgressBar? {
    ProgressBar(progress, since: start, isWanted: try settings.flag(.progress) && !console.isQuiet)
  }

  /// Ends the command when a filter value matches no used row, because an empty result would look like no losses.
  func refuseUnmatchedFilters(_ result: RunResult) throws {
    if let sentence = result.emptyCombination { throw UsageError(sentence) }
    guard let unmatched = result.unmatchedFilters.first else { return }
    let key = SettingKey(rawValue: unmatched.name)
    let origin = key.map { settings.isOnCommandLine($0) ? "" : settings.origin($0) + ": " } ?? ""
    throw UsageError(origin + unmatched.sentence)
  }

  /// Ends the command when the preferred source has no data, because another would answer in its place.
  func refusePrimaryWithoutData(_ result: RunResult) throws(UsageError) {
    guard let why = result.primaryWithoutData, let primary = result.plan.primary else { return }
    throw UsageError("\(settings.origin(.primary)) \(primary.rawValue): \(why)")
  }

  /// Prints the reasons for the exit code that come from the inputs and have no line yet, and returns all of them.
  func reasons(_ result: RunResult, checksDays: Bool = false) throws -> Set<ExitReason> {
    // Among the lines of check they are already.
    for line in checksDays ? [] : result.linesShortOfThrough {
      console.error("\(line); \(DayCoverage.stopAdvice) [missing-days]")
    }
    let maxRejects = try settings.maxRejects()
    let isStrict = try settings.flag(.strict)
    return result.exitReasons(maxRejects: maxRejects, checksDays: checksDays || isStrict)
  }

  /// Prints the conditions of `--fail-if` that hold, each with the number, as notes those that could not be checked, and
  /// then those that cannot be tested with the inputs: an untested condition is no success.
  func testConditions(_ result: RunResult) throws -> Set<ExitReason> {
    let maker = result.tableMaker()
    let whole = result.plan.views.firstIndex(of: [])
    var reasons: Set<ExitReason> = []
    var obstacles: [String] = []
    for condition in conditions {
      let month = result.lastCompleteMonth(for: condition.table)
      var table: ReportTable?
      if let whole, let month {
        let made = try maker.table(condition.table, view: whole)
        if holds(condition, in: made, month, maker, result) { reasons.insert(.failIf) }
        table = made
      }
      guard let why = obstacle(condition, in: table, month, maker, result) else { continue }
      obstacles.append("\(condition.name) cannot be tested: \(why) [no-input]")
      reasons.insert(.unusableInput)
    }
    for line in obstacles { console.error(line) }
    return reasons
  }

  /// Returns why a condition cannot be tested: inputs are missing, or no number is known in the month of its table.
  private func obstacle(
    _ condition: Condition, in table: ReportTable?, _ month: Month?, _ maker: TableMaker,
    _ result: RunResult
  ) -> String? {
    guard maker.allows(condition.table) else {
      return NeededInput(condition.table).sentence(condition.table.rawValue, result)
    }
    let own = result.sources.map(\.source.rawValue)
    if let source = condition.source,
      Source.ofRows(source).map({ own.contains($0.rawValue) }) != true
    {
      return "the input has no data of \(source), only of \(own.inWords())"
    }
    guard let table, let month else { return nil }
    let name = plan.monthSystem.name(month)
    let rows = table.namedRows.filter {
      $0.text("month") == name && (condition.source == nil || condition.source == $0.source)
    }
    let isKnown = rows.contains { $0.cell(condition.column) != .missing }
    guard !isKnown,
      rows.contains(where: { $0.text("state") == SourceReport.State.partial.rawValue })
    else { return nil }
    return "it is not known in \(name), whose reports are incomplete"
  }

  /// Prints where a condition holds in a month of its table, and where it could not be checked.
  private func holds(
    _ condition: Condition, in table: ReportTable, _ month: Month, _ maker: TableMaker,
    _ result: RunResult
  ) -> Bool {
    let months = plan.monthSystem
    // Reports that stopped do not hold the month back.
    let unfinished = result.sources.map { ($0.source.rawValue, $0.completeness) }
      .filter { $0.1.hasStopped && !$0.1.isOver(month) }.map(\.0)
    let tested = table.filtered("source") {
      !unfinished.contains($0) && (condition.source == nil || condition.source == $0)
    }
    var holds = false
    var unchecked: [String] = []
    for outcome in condition.outcomes(in: tested, month: month, maker, months) {
      switch outcome {
      case .holds(let match):
        console.error("\(condition.sentence(match)); \(advice(condition, month)) [fail-if]")
        holds = true
      case .unchecked(let source, let why): unchecked.append("\(source): \(why)")
      }
    }
    if !unchecked.isEmpty {
      console.note(
        "note: \(condition.text): not checked in \(months.name(month)): \(unchecked.unique.joined(separator: "; "))"
      )
    }
    return holds
  }

  /// Returns the command that shows more about the number of a condition.
  private func advice(_ condition: Condition, _ month: Month) -> String {
    let name = plan.monthSystem.name(month)
    let isDriven = Headline.driven.contains {
      $0.table == condition.table && $0.rawValue == condition.column
    }
    let command = isDriven ? "drivers" : condition.table.rawValue
    let hasMonths = Definition.definition(of: condition.table).keys.leading.contains("month")
    return "see subreport \(command)\(hasMonths ? " --month \(name)" : "")"
  }

  /// Prints the unreconciled bridges, a line for each.
  func noteFindings(_ lines: [String]?) -> Set<ExitReason> {
    for line in lines ?? [] { console.error(line) }
    return lines?.isEmpty == false ? [.unreconciled] : []
  }

  /// Prints which settlements could not be verified: errors, which change the exit code, and notes.
  func noteUnverified(_ lines: (errors: [String], notes: [String])?) -> Set<ExitReason> {
    for line in lines?.errors ?? [] { console.error(line) }
    for line in lines?.notes ?? [] { console.note(line) }
    return lines?.errors.isEmpty == false ? [.missingDays] : []
  }

  /// Ends the command with a line, and then `notes`, if `--strict` forbids output.
  func obeyStrict(_ name: String, _ reasons: Set<ExitReason>, notes: () -> Void = {}) throws {
    guard try settings.flag(.strict), !reasons.isEmpty else { return }
    console.error("\(name): nothing printed, because of --strict")
    notes()
    try exit(reasons)
  }

  /// Prints a table, or writes it to the file of `-o`.
  ///
  /// Only `-o` counts: an output in the config file is the nightly job's folder.
  func print(_ bytes: [UInt8], to output: String?) throws -> Set<ExitReason> {
    try print(to: output) { (write) throws(OutputError) in try write(bytes) }
  }

  /// Prints a long list piece by piece, or writes it to the file of `-o`.
  func print(to output: String?, _ parts: OutputParts) throws -> Set<ExitReason> {
    do {
      if let output {
        try writeFileAtomically(path: output, parts: parts)
      } else {
        try console.data(parts)
      }
      return []
    } catch let error as OutputError {
      console.error(error.description)
      return [error.reason]
    }
  }

  /// Waits for the cache to be written, prints its notes, and throws the exit code of the reasons unless it is 0.
  func exit(_ reasons: Set<ExitReason>) throws {
    console.notes(cache?.finish() ?? [])
    var reasons = reasons
    if cache?.hasFailed == true, settings.text(.changes) != nil {
      console.error(
        "--changes: the cache could not be written, so the next run cannot say what changed; free some room or give another --cache"
      )
      reasons.insert(.unusableInput)
    }
    try ExitReason.end(reasons)
  }

  /// Returns the reasons of a body; prints which rate is missing, or which file cannot be read again, if it needs one.
  func obstacles(_ body: () throws -> Set<ExitReason>) throws -> Set<ExitReason> {
    do { return try body() } catch { return try reasons(of: error) }
  }

  /// Prints which rate is missing, or which file cannot be read again, and returns the reason; throws any other error.
  func reasons(of error: any Error) throws -> Set<ExitReason> {
    switch error {
    case let error as ConversionError:
      console.error(error.line(settings.text(.rates)))
      return [.unusableInput]
    case let error as KeptCharges.LineError:
      console.error(error.line)
      return [error.reason]
    default: throw error
    }
  }
}

extension Condition {
  /// Returns a sentence with the number that fulfils the condition, and with the limit or the earlier number:
  /// `churn_rate is 0.100000 (29 of 290) in 2026-09, source events; the limit is 0.08`.
  fileprivate func sentence(_ match: Match) -> String {
    let month = match.keys.first { $0.name == "month" }.map { " in \($0.value)" } ?? ""
    let others = match.keys.filter { $0.name != "month" }.map { ", \($0.name) \($0.value)" }
    let counts = match.counts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    let madeOf = counts.isEmpty ? "" : " (\(counts))"
    let end =
      switch match.reference {
      case .previous(let cell): "the month before has \(words(cell)), the condition is \(text)"
      case .unusual(let months, let sum, let difference):
        "unusual: the last \(months) known months before have \(words(sum.cell)), and the difference is \(words(.fraction(difference.low))) to \(words(.fraction(difference.high))) at 99 %"
      case .number: isBound ? "the limit is \(limit)" : "the condition is \(text)"
      }
    return "\(name) is \(words(match.cell))\(madeOf)\(month)\(others.joined()); \(end)"
  }

  private func words(_ cell: ReportTable.Cell) -> String {
    switch cell {
    case .ratio(let numerator, let denominator):
      let part = { isRatioOfMoney ? NumberStyle.money(milliunits: $0) : "\($0)" }
      return
        "\(NumberStyle.rate(numerator, over: denominator)) (\(part(numerator)) of \(part(denominator)))"
    case .fraction(let fraction): return NumberStyle.rate(fraction) ?? ""
    case .count(let count): return String(count)
    case .money(let milliunits): return NumberStyle.money(milliunits: milliunits)
    case .hundredths(let hundredths): return NumberStyle.hundredths(hundredths)
    case .text(let text): return text
    case .missing: return ""
    }
  }
}

extension OutputError {
  var reason: ExitReason {
    switch self {
    case .locked, .lockedFile: .locked
    case .unusableFolder(_, let why): why.reason
    default: .unusableInput
    }
  }
}

extension ExitReason {
  /// Ends the command with the exit code of some reasons, unless there are none.
  static func end(_ reasons: Set<ExitReason>) throws {
    let code = code(of: reasons)
    if code != 0 { throw ExitCode(code) }
  }
}

extension ExitCode {
  init(_ reason: ExitReason) { self.init(reason.rawValue) }
}

/// An error about an unusable file that an option names, such as exchange rates.
///
/// Its lines go to standard error and the exit code is 64, like any wrong setting.
struct InputFailure: Error {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

/// Runs a command's body; prints the error of an unusable file or folder, and throws its exit code.
func withInputFailures(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch let failure as InputFailure {
    for line in failure.text.split(separator: "\n") { Console.standard.error(String(line)) }
    throw ExitCode(.usage)
  } catch let error as OutputError {
    throw Console.standard.failure(error.description, error.reason)
  }
}
