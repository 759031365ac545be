import ArgumentParser
import Metrics
import Pipeline
import Rendering
import SubscriptionModel

/// What report, check and the commands that print a table do alike: settings, the run, and the exit code.
struct RunCommand {
  let settings: Settings
  let console: Console
  let plan: RunPlan
  /// The conditions of `--fail-if`.
  let conditions: [Condition]
  /// The exchange rates, `nil` when no conversion is asked for.
  let conversion: CurrencyConversion?

  /// Reads the settings and makes the plan; every setting is judged before any report is read.
  ///
  /// - Parameters:
  ///   - options: The flags.
  ///   - defaultViews: The views when none are asked for.
  ///   - alwaysWhole: Whether the whole population is always one of the views.
  ///   - readsViews: Whether the views that are asked for are those of tables that count.
  /// - Throws: `UsageError` for a setting that is impossible, `InputFailure` for a rates file that
  ///   cannot be used.
  init(
    _ options: SharedOptions, defaultViews: [[Dimension]], alwaysWhole: Bool,
    readsViews: Bool = true
  ) throws {
    settings = try options.settings()
    console = try Console(settings)
    plan = try settings.plan(
      defaultViews: defaultViews, alwaysWhole: alwaysWhole, readsViews: readsViews)
    conditions = try settings.conditions()
    conversion = try settings.conversion()
  }

  /// Refuses to write a table over an input.
  func refuseInput(as output: String?) throws(UsageError) {
    guard let output,
      let input = InputListing.inputDestroyed(by: output, isFolder: false, inputs: plan.inputs)
    else { return }
    throw UsageError("-o: found the input \(input), expected a file that is no input")
  }

  /// Carries out the plan with a progress bar, and prints what was wrong with the inputs.
  func run(_ plan: RunPlan) throws -> RunResult {
    Interruption.watch()
    var plan = plan
    plan.cache = try settings.cache()
    plan.memory = try settings.memory()
    let progress = RunProgress()
    let bar = ProgressBar(progress, isWanted: try settings.flag(.progress) && !console.isQuiet)
    let result = Run.carryOut(plan, progress: progress)
    bar?.finish()
    console.notes(plan.cache?.takeNotes() ?? [])
    if let count = result.changedSubscribers {
      console.detail("of \(counted(count, "subscriber")) something has changed since the last run")
    }
    console.report(result)
    return result
  }

  /// What the inputs mean for the exit code.
  func reasons(_ result: RunResult, checksDays: Bool = false) throws -> Set<ExitReason> {
    let maxRejects = try settings.maxRejects()
    let isStrict = try settings.flag(.strict)
    return result.exitReasons(maxRejects: maxRejects, checksDays: checksDays || isStrict)
  }

  /// Prints the conditions of `--fail-if` that hold.
  ///
  /// - Returns: Whether any does.
  func anyConditionHolds(_ result: RunResult) throws -> Bool {
    var holds = false
    for condition in conditions {
      guard let month = result.lastCompleteMonth(for: condition.table) else { continue }
      guard let whole = result.plan.views.firstIndex(of: []) else { continue }
      let table = try result.tableMaker().table(condition.table, view: whole)
      for row in condition.rowsThatHold(in: table, month: month) {
        console.error(
          "\(condition.table.rawValue) \(row): error: \(condition.text) holds [fail-if]")
        holds = true
      }
    }
    return holds
  }

  /// Says that nothing is printed when `--strict` forbids it.
  ///
  /// - Returns: Whether it does.
  func isForbidden(_ name: String, _ reasons: Set<ExitReason>) throws -> Bool {
    guard try settings.flag(.strict), !reasons.isEmpty else { return false }
    console.error("\(name): nothing printed, because of --strict")
    return true
  }

  /// Prints a table, or writes it into the file of `-o`.
  ///
  /// An output in the config file is the nightly job's folder, so it is not asked.
  ///
  /// - Returns: What it means for the exit code that the file could not be written.
  func print(_ bytes: [UInt8], to output: String?) throws -> Set<ExitReason> {
    do {
      if let output {
        try writeFileAtomically(path: output, bytes: bytes)
      } else {
        try console.data(bytes)
      }
      return []
    } catch let error as OutputError {
      console.error(error.description)
      return [error.reason]
    }
  }

  /// Ends the command with the exit code of several reasons, when the cache has all of the run.
  func exit(_ reasons: Set<ExitReason>, after result: RunResult) throws {
    if let cache = result.plan.cache {
      cache.finish()
      console.notes(cache.takeNotes())
    }
    try exit(reasons)
  }

  /// Ends the command with the exit code of several reasons.
  func exit(_ reasons: Set<ExitReason>) throws {
    let code = ExitReason.code(of: reasons)
    if code != 0 { throw ExitCode(code) }
  }
}

extension OutputError {
  /// What the error means for the exit code.
  var reason: ExitReason {
    if case .locked = self { return .locked }
    return .unusableInput
  }
}
