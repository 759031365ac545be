import Explain
import Files
import Pages
import Pipeline
import Rendering
import ReportCache
import ReportFolder
import SubscriptionModel
import Tables

/// The run of `report`, which `verify` repeats.
extension RunCommand {
  /// The views of retention that are always written: periods of one length, by start month and by product.
  private static let retentionViews: [[Dimension]] = [
    [.startMonth, .duration], [.startQuarter, .duration], [.product, .duration],
  ]

  /// The views of `recurring`, `lifetime` and `status` beside the default ones.
  private static let moneyViews: [[Dimension]] = [[.duration]]

  /// Creates the command of a run for all files of a folder.
  ///
  /// - Parameters:
  ///   - settings: The settings in force.
  ///   - given: The inputs and options that pages show, if they are not those of the settings.
  /// - Throws: The errors of ``init(_:defaultViews:alwaysWhole:readsViews:given:)``.
  convenience init(ofReport settings: Settings, given: GivenOptions? = nil) throws {
    try self.init(
      settings, defaultViews: Report.defaultViews, alwaysWhole: true, given: given)
  }

  /// Returns the plan with what only `report` needs.
  ///
  /// - Parameter folder: The output folder, which is no input; `nil` for none.
  /// - Returns: The plan.
  /// - Throws: `UsageError` for an invalid value, `InputFailure` for a file that cannot be used.
  func reportPlan(_ folder: String?) throws -> RunPlan {
    var plan = plan
    plan.excludedFolder = folder
    plan.omitsViewOfOneApp = settings.list(.by).isEmpty
    if settings.list(.by).isEmpty {
      plan.views += Self.moneyViews
      plan.moneyViews = Set(Self.moneyViews)
    }
    plan.retentionViews = Self.retentionViews.filter { !plan.views.contains($0) }
    plan.prices = try settings.prices()
    plan.keepsCharges = try settings.flag(.evidence)
    plan.keepsContext = plan.keepsCharges
    plan.keepsReceipts = plan.keepsCharges
    return plan
  }

  /// Counts the inputs for an answer in place of a folder.
  ///
  /// - Parameters:
  ///   - plan: What to read, and what to keep.
  ///   - name: The command, for messages.
  /// - Returns: The run, and the reasons for the exit code so far.
  /// - Throws: `UsageError` for a preferred source without data, `ExitCode` without a usable input or with `--strict`.
  func count(
    _ plan: RunPlan, for name: String
  ) throws -> (result: RunResult, reasons: Set<ExitReason>) {
    let result = try run(plan)
    try refusePrimaryWithoutData(result)
    let reasons = try self.reasons(result)
    if !result.hasUsableInput {
      console.noInput(NeededInput(Source.allCases), for: name, result)
      try exit(reasons.union([.unusableInput]))
    }
    try obeyStrict(name, reasons)
    return (result, reasons)
  }

  /// Makes the files of the folder.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - call: The options in force, for the manifest.
  ///   - ledger: The ledger before the run; `nil` without one.
  ///   - extent: Which files are made; evidence is one of all.
  /// - Returns: The bridges, if there are finance files; the files; and the evidence among them, if it is wanted.
  /// - Throws: `ConversionError` when a rate is missing, `KeptCharges.LineError` for an input that cannot be read
  ///   again.
  func reportFiles(
    _ result: RunResult, _ call: RecordedCall, _ ledger: LedgerBefore?,
    _ extent: ReportFiles.Extent = .all
  ) throws -> (FinanceReport?, ReportFiles, EvidenceFiles?) {
    let tolerance = try settings.tolerance()
    return try making {
      let settlement = FinanceReport(result, tolerance: tolerance)
      let evidence = extent == .all ? try evidence(result, settlement) : nil
      let files = try ReportFiles(
        result, conversion: conversion, finance: settlement, ledger: ledger,
        evidence: evidence?.files ?? [], extent: extent, version: Subreport.version, call: call)
      return (settlement, files, evidence)
    }
  }

  private func evidence(
    _ result: RunResult, _ settlement: FinanceReport?
  ) throws -> EvidenceFiles? {
    guard try settings.flag(.evidence) else { return nil }
    let key = settings.text(.anonymizeKey)
    return try EvidenceFiles(
      result, naming: key.map { .anonymous(key: $0) },
      settlement: settlement.flatMap { finance in
        finance.shownPeriod.map { (finance.reconciliation, $0) }
      })
  }

  /// Prints which lists of contributions do not add up.
  ///
  /// - Parameter evidence: The lists; `nil` if there are none.
  /// - Returns: The reason for the exit code, if one does not add up.
  func noteFailures(of evidence: EvidenceFiles?) -> Set<ExitReason> {
    let failures = evidence?.failures ?? []
    for line in failures { console.error("error: \(line): please report this [internal-error]") }
    return failures.isEmpty ? [] : [.internalError]
  }

  // MARK: The folder

  /// Writes the folder of a result, and prints what was found; with `--strict` only if nothing is wrong.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - writer: The folder, which is locked.
  ///   - folder: Its path.
  ///   - ledger: The ledger that receives the run; `nil` for none.
  ///   - changes: The file of `--changes`; `nil` for none.
  ///   - exports: The files of `--sqlite` and `--xlsx`; `nil` for none.
  ///   - isBrief: Whether to print the answer in a few lines.
  /// - Returns: The reasons for the exit code.
  /// - Throws: `UsageError` when the preferred source has no data, `OutputError`, and the errors of ``reportFiles(_:_:_:)``.
  func write(
    _ result: RunResult, to writer: consuming OutputFolder, at folder: String,
    ledger: RunLedger? = nil, changes: String? = nil,
    exports: ReportExports? = nil, isBrief: Bool = false
  ) throws -> Set<ExitReason> {
    metrics?.result = result
    try refusePrimaryWithoutData(result)
    var reasons = try reasons(result)
    let isStrict = try settings.flag(.strict)
    guard result.hasUsableInput, !isStrict || reasons.isEmpty else {
      reasons.formUnion(refuse(result, reasons, folder))
      if let changes { reasons.formUnion(try print([], to: changes)) }
      return reasons
    }
    let (settlement, files, evidence) = try reportFiles(
      result, try settings.recorded(), ledger?.before)
    if !files.checks.hold { reasons.insert(.internalError) }
    reasons.formUnion(noteFailures(of: evidence))
    try writeFolder(writer, files)
    if let exports { reasons.formUnion(try exports.write(files.tables, self)) }
    metrics?.isWritten = true
    metrics?.headlines = files.headlines
    try ledger?.append(files.ledgerEntry)
    if isBrief { try console.data(Array(files.brief.utf8)) }
    let (lines, failures) = try compare(result, changes)
    reasons.formUnion(failures)
    reasons.formUnion(try note(result, files.checks, settlement, since: lines))
    if let evidence, evidence.failures.isEmpty { console.note("evidence: \(evidence.line)") }
    console.note(result.closingLine(folder))
    return reasons
  }

  /// Prints the findings of a run that its changes do not name.
  ///
  /// - Returns: The reasons for the exit code.
  private func note(
    _ result: RunResult, _ checks: Checks, _ settlement: FinanceReport?, since changes: [String]
  ) throws -> Set<ExitReason> {
    var reasons: Set<ExitReason> = []
    console.notes(
      unsaid(result).filter { line in !changes.contains { $0.hasSuffix(": " + line) } })
    for line in result.failures(checks) { console.error(line) }
    if try anyConditionHolds(result) { reasons.insert(.failIf) }
    reasons.formUnion(try noteUntestable(result))
    reasons.formUnion(noteFindings(settlement?.findings()))
    reasons.formUnion(noteUnverified(settlement?.unverified()))
    return reasons
  }

  /// Returns the advice without the lines that are printed as errors.
  private func unsaid(_ result: RunResult) -> [String] {
    let said = result.linesShortOfThrough
    return result.briefAdvice.filter { !said.contains($0) }
  }

  /// Writes the files, and puts them in place of the old folder.
  private func writeFolder(
    _ writer: consuming OutputFolder, _ files: ReportFiles
  ) throws {
    let bar = try writingBar(files: files.files.count)
    defer { bar?.finish() }
    try writer.add(files.files, jobs: plan.jobs)
    if let note = try writer.commit() { console.error(note) }
  }

  /// Prints why nothing is written.
  ///
  /// - Returns: Further reasons for the exit code.
  private func refuse(
    _ result: RunResult, _ reasons: Set<ExitReason>, _ folder: String
  ) -> Set<ExitReason> {
    if !result.hasUsableInput {
      console.noInput(NeededInput(Source.allCases), for: "report", result)
    }
    console.notes(unsaid(result))
    if reasons.contains(.missingDays) {
      let days = result.missingDaysText(result.days.unaccepted.count(.missing))
      console.error("\(folder): error: \(days); subreport check says which [missing-days]")
    }
    console.note("\(folder): \(FileStatus(of: folder) == nil ? "not written" : "left as it was")")
    return result.hasUsableInput ? [] : [.unusableInput]
  }

  /// Compares the run with the last one, and writes the changes to standard error and the file of `--changes`.
  ///
  /// - Returns: The changes, and the reason for the exit code if the file could not be written.
  private func compare(
    _ result: RunResult, _ changes: String?
  ) throws -> (lines: [String], reasons: Set<ExitReason>) {
    guard let cache = cache else { return ([], []) }
    let comparison = try cache.comparisonWithLastRun(result)
    let lines = result.unaccepted(changes: comparison.lines)
    console.notes(lines)
    var reasons: Set<ExitReason> = []
    if let changes {
      let text = lines.map { VisibleText.of($0) + "\n" }.joined()
      reasons = try print(Array(text.utf8), to: changes)
      if comparison.isFirst {
        console.note(
          "note: the cache has no earlier run with these inputs and settings, so nothing is compared"
        )
      }
    }
    // Changes that could not be written are those of the next run too.
    if reasons.isEmpty { comparison.keep() }
    console.notes(cache.finish())
    return (lines, reasons)
  }
}
