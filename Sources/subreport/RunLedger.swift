import ArgumentParser
import Explain
import Files
import Pages
import Pipeline
import Rendering
import ReportFolder
import Storage
import SubscriptionModel
import Tables

/// The ledger of a run of `report`: locked, read to its end, and continued by one line.
final class RunLedger {
  let before: LedgerBefore
  private var file: AppendedFile

  /// Locks a ledger, which need not exist, and reads it, before any input is read.
  init(_ path: String, _ console: Console) throws {
    file = try AppendedFile(path: path)
    before = try Self.before(path, length: file.length)
    try removeUnfinishedLine(console)
  }

  /// Removes the line that a stopped run left unfinished, once the lines before it are read: another file stays as it is.
  private func removeUnfinishedLine(_ console: Console) throws {
    let (path, count) = (file.path, file.unfinishedByteCount)
    guard count > 0 else { return }
    guard LedgerEntry.mayBeginLine(try file.unfinishedBytes(16)) else {
      throw InputFailure(
        "\(path): error: found text without a line feed at the end; \(Self.advice) [bad-ledger]")
    }
    try file.removeUnfinishedLine()
    console.note(
      "\(path): removed the last line, which a stopped run left unfinished (\(counted(count, "byte")))"
    )
  }

  /// What to do about a file that cannot be read as a ledger.
  private static let advice =
    "this is no ledger, was edited, or is of a newer version: name another file, or restore a copy"

  /// Adds the line of the run, and waits until it is on the disk.
  func append(_ entry: LedgerEntry?) throws(OutputError) {
    guard let entry else { return }
    try file.append(Array(entry.text.utf8))
  }

  /// Opens a ledger to read `length` bytes of it; `nil` for all whole lines.
  static func open(_ path: String, length: Int? = nil) throws(InputFailure) -> Ledger {
    if let ledger = Ledger(path, length: length) { return ledger }
    throw InputFailure(
      "\(path): error: found no readable file (\(OutputFileSystem.whyUnreadable(path))), expected the ledger of report --ledger [cannot-open]"
    )
  }

  /// Reads the last run of a ledger that stays as it is, from `length` bytes; `nil` for all whole lines.
  static func before(_ path: String, length: Int? = nil) throws(InputFailure) -> LedgerBefore {
    let ledger = try open(path, length: length)
    let state = try reading(path) { () throws(LedgerError) in try ledger.state() }
    return LedgerBefore(
      state,
      Ledger.Part(path: Settings.shown(path), length: ledger.length, sha256: ledger.sha256))
  }

  /// Reads lines of a ledger; an error is about the file at the path.
  static func reading<Value>(
    _ path: String, _ body: () throws(LedgerError) -> Value
  ) throws(InputFailure) -> Value {
    do throws(LedgerError) {
      return try body()
    } catch {
      throw failure(error, path)
    }
  }

  /// Returns the failure of a file that is no ledger.
  static func failure(_ error: LedgerError, _ path: String) -> InputFailure {
    InputFailure(
      "\(path):\(error.line): error: \(error.message); \(advice) [bad-ledger]"
    )
  }
}

// MARK: A run against which a number is explained

extension ExplainCommand {
  /// Prints what changed a number since a run of the ledger.
  ///
  /// That run is repeated with its files, if all of them are there as they were.
  func showDifference(
    since choice: PastRun.Choice, _ run: DifferenceRun
  ) throws -> Set<ExitReason> {
    let past = try pastRun(choice, run)
    let console = run.command.console
    let day = past.entry.asOf.map { " of \($0)" } ?? ""
    let name = "run \(past.entry.sequence)\(day)"
    try refuseOtherPopulation(past, name, choice, run)
    if !past.others.isEmpty {
      let numbers = past.others.map(String.init).joined(separator: ", ")
      console.note("note: \(name); other runs of this day: \(numbers)")
    }
    if run.question.column != nil,
      let empty = run.question.columnNames.first(where: { past.cells[$0] == .missing })
    {
      throw UsageError(
        "\(run.question.table.rawValue).\(empty) is empty in \(name): not known, so there is nothing to compare"
      )
    }
    let inputs = past.compare(run.files)
    guard inputs.areThere else {
      let since = inputs.sentences.joined(separator: "; ")
      return try showNumbers(past, name, run, "its files are no longer those of that run: \(since)")
    }
    var again = run
    again.result = try repeated(past, run)
    guard past.compare(again.files).areThere else {
      return try showNumbers(past, name, run, "its files have changed while they were read")
    }
    let numbers = try? run.question.numbers(again.result, month: run.month)
    let others = numbers?.filter { past.cells[$0.column]?.machineText != $0.cell.machineText }
    guard let others, others.isEmpty else { return try showNumbers(past, name, run, others) }
    return try show(
      try difference(
        run, DifferenceSide("now", run.month, run.result),
        DifferenceSide(name, run.month, again.result), isOfOtherRun: true), run)
  }

  private func pastRun(_ choice: PastRun.Choice, _ run: DifferenceRun) throws -> PastRun {
    let path = run.command.settings.text(.ledger) ?? ""
    let file = try RunLedger.open(path)
    let row = PastRun.Row(
      run.question.table, run.question.source,
      month: run.question.table == .retention ? nil : run.name(run.month),
      where: run.question.conditions.map { ($0.key, $0.value) })
    do {
      return try PastRun(choice, row) { body throws(LedgerError) in try file.forEachEntry(body) }
    } catch let error as LedgerQuestionError {
      throw UsageError(error.message)
    } catch let error as LedgerError {
      throw RunLedger.failure(error, path)
    }
  }

  /// Refuses to compare numbers of different populations: the ledger has no rows by country and the like.
  private func refuseOtherPopulation(
    _ past: PastRun, _ name: String, _ choice: PastRun.Choice, _ run: DifferenceRun
  ) throws {
    let filters: [SettingKey] = [
      .app, .group, .product, .country, .vendor, .billingPlan, .contingent,
    ]
    let (now, then) = (try run.command.settings.recorded().ledgerOptions, past.entry.options)
    guard let filter = filters.first(where: { now[$0.rawValue] != then[$0.rawValue] }) else {
      return
    }
    let option = filter.optionName
    let advice =
      then[filter.rawValue].map { "\(name) counted only \(option) \($0); give the same" }
      ?? "\(name) counted without \(option); leave it out"
    throw UsageError(
      "--against \(choice.text): the ledger keeps only the rows of everything that a run counted, and \(advice)"
    )
  }

  /// Counts the files of a past run again, as it did.
  private func repeated(_ past: PastRun, _ run: DifferenceRun) throws -> RunResult {
    var plan = run.result.plan
    plan.onlyFiles = Set<ExactText>(of: past.own(of: run.files).map(\.file.path))
    plan.asOf = past.entry.asOf
    if run.question.source == .receipts {
      // Later records of the day were not in that run, so the end of the day says the same.
      plan.receipts.asOf = past.entry.asOf.flatMap { Instant(endOf: $0) }
    }
    // The cache is for the files of today.
    plan.earlierRuns = nil
    plan.memory = try run.command.settings.memory()
    return Run.carryOut(plan)
  }

  /// Returns why the numbers of a past run are others than this program's from the same files; `nil` without a reason.
  private func reasonForOtherNumbers(
    _ past: PastRun, _ run: DifferenceRun
  ) throws -> String? {
    var reasons: [String] = []
    if past.entry.definitions != Manifest.definitionVersion {
      reasons.append("it had definitions \(past.entry.definitions)")
    }
    if past.entry.version != Subreport.version {
      reasons.append("it was of subreport \(past.entry.version)")
    }
    let options = try run.command.settings.recorded().ledgerOptions
    let other = PastRun.otherOptions(past.entry.options, options, for: run.question.source)
    if !other.isEmpty { reasons.append("it had other options: \(other.joined(separator: ", "))") }
    if reasons.isEmpty, run.question.source == .receipts {
      reasons.append("its as-of may have been a time of day, of which the ledger has only the day")
    }
    return reasons.isEmpty ? nil : reasons.joined(separator: ", ")
  }

  /// Prints that the files of a past run give other numbers than the ledger has; `nil` without the numbers.
  private func showNumbers(
    _ past: PastRun, _ name: String, _ run: DifferenceRun, _ others: [Question.Number]?
  ) throws -> Set<ExitReason> {
    let found =
      others.map { numbers in
        numbers.map { number in
          "\(number.column) is \(number.cell.machineText), and the ledger has \(past.cells[number.column]?.machineText ?? "")"
        }.joined(separator: ", ")
      } ?? "the row is not there, or empty"
    let sentence = "counted again from the files of that run, \(found)"
    guard let reason = try reasonForOtherNumbers(past, run) else {
      run.command.console.error("error: \(name): \(sentence): please report this [internal-error]")
      return [.internalError]
    }
    return try showNumbers(past, name, run, "\(sentence), because \(reason)")
  }

  /// Prints both numbers, and why their difference is not listed.
  private func showNumbers(
    _ past: PastRun, _ name: String, _ run: DifferenceRun, _ reason: String
  ) throws -> Set<ExitReason> {
    let console = run.command.console
    try answering(run.question, [run.month], run.result) {
      for number in try run.question.numbers(run.result, month: run.month) {
        let then = past.cells[number.column]?.machineText ?? ""
        let change = past.cells[number.column].map { number.cell.change(since: $0).machineText }
        console.error(
          "\(run.question.table.rawValue).\(number.column): \(number.cell.machineText) now, \(then) in \(name), change \(change ?? "")"
        )
      }
    }
    console.error("\(cell ?? ""): not explained since \(name): \(reason) [not-verified]")
    return [.missingDays]
  }
}
