import ArgumentParser
import Metrics
import Pipeline
import SubscriptionModel

/// `subreport report`: the nightly job.
struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write every table that the inputs allow into a folder, all or nothing.",
    discussion: """
      Writes summary.md, each table for the whole population and by start_month, product, country \
      and offer (or by the views of --by), price_changes.csv, price_impact.csv and its views, \
      price_impact.md, reconcile.csv where there are finance files, health.csv, days.csv, checks.csv, \
      rejects.csv and \
      manifest.json. The folder is replaced as a whole; it must be new, or one that subreport wrote. \
      Memory with the usual views: 64 MiB and 48 bytes for each charge in SUBSCRIBER reports; views of \
      many dimensions cost more.
      """)

  @OptionGroup var options: SharedOptions

  static let defaultViews: [[Dimension]] = [[], [.startMonth], [.product], [.country], [.offer]]

  func validate() throws { _ = try Self.folder(options.settings()) }

  func run() throws { try withInputFailures(write) }

  private static func folder(_ settings: Settings) throws(UsageError) -> String {
    guard let folder = settings.text(.output) else {
      throw UsageError("found no -o, expected the folder to write")
    }
    return folder
  }

  private func write() throws {
    let command = try RunCommand(options, defaultViews: Self.defaultViews, alwaysWhole: true)
    let folder = try Self.folder(command.settings)
    var plan = command.plan
    plan.excludedFolder = folder
    plan.prices = try command.settings.prices()
    do {
      // The lock is taken before anything is read: a second run stops at once.
      var output = try OutputFolder(path: folder, force: options.force)
      if let input = InputListing.inputDestroyed(by: folder, isFolder: true, inputs: plan.inputs) {
        throw UsageError(
          "-o: found \(folder), which holds the input \(input); expected a folder without inputs")
      }
      for note in output.notes { command.console.note(note) }
      let result = try command.run(plan)
      var reasons = try command.reasons(result)
      let isStrict = try command.settings.flag(.strict)
      guard result.hasUsableInput, !isStrict || reasons.isEmpty else {
        if !result.hasUsableInput {
          command.console.error(
            "\(folder): error: found no report or receipt\(plan.untilAsOf) that a table can be made from [no-input]"
          )
          reasons.insert(.unusableInput)
        }
        if reasons.contains(.missingDays) {
          command.console.error(
            "\(folder): error: \(result.missingDaysText), subreport check says which [missing-days]"
          )
        }
        command.console.note("\(folder): left as it was")
        return try command.exit(reasons, after: result)
      }
      let finance = FinanceReport(result, tolerance: try command.settings.tolerance())
      let files = try ReportFiles(
        result, conversion: command.conversion, finance: finance, version: Subreport.version,
        options: command.settings.listed)
      if !files.checks.hold { reasons.insert(.internalError) }
      try output.add(files.files, jobs: plan.jobs)
      try output.commit()
      if let cache = result.plan.cache {
        command.console.notes(try cache.changesSinceLastRun(result))
        cache.finish()
        command.console.notes(cache.takeNotes())
      }
      if try command.anyConditionHolds(result) { reasons.insert(.failIf) }
      let findings = finance?.findings() ?? []
      for finding in findings { command.console.error(finding) }
      if !findings.isEmpty { reasons.insert(.unreconciled) }
      command.console.note(result.closingLine(folder))
      try command.exit(reasons, after: result)
    } catch let error as OutputError {
      command.console.error(error.description)
      try command.exit([error.reason])
    } catch let error as ConversionError {
      command.console.error(error.line(command.settings.text(.rates)))
      try command.exit([.unusableInput])
    }
  }
}

extension RunPlan {
  /// The end of what is read, in words; blank without `--as-of`.
  var untilAsOf: String { asOf.map { " up to \($0)" } ?? "" }
}

extension RunResult {
  /// How many days are missing, in words.
  var missingDaysText: String {
    let missing = days.count(.missing)
    return "\(counted(missing, "day")) \(missing == 1 ? "is" : "are") missing"
  }

  /// One line for the log: what was read, and where to look.
  fileprivate func closingLine(_ folder: String) -> String {
    let rows = files.map(\.rows.used).reduce(0, +)
    let names = sources.map(\.source.rawValue).joined(separator: ", ")
    let missing = days.count(.missing)
    let days = missing == 0 ? "" : "; \(counted(missing, "missing day"))"
    let used = files.filter(\.isUsed).count
    return
      "\(folder): \(counted(used, "file")), \(counted(rows, "row")) used, from \(names)\(days); see \(folder)/summary.md"
  }
}

extension ConversionError {
  /// The error as one line.
  func line(_ ratesPath: String?) -> String {
    switch self {
    case .missingRate(let from, let to, let month):
      "\(ratesPath ?? "rates"): error: found no rate from \(from) to \(to) on or before the end of \(month) [missing-rate]"
    }
  }
}
