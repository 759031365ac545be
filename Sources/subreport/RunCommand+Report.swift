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

  /// Creates the command of a run for all files of a folder; `given` takes the place of the settings that pages show.
  convenience init(ofReport settings: Settings, given: GivenOptions? = nil) throws {
    try self.init(settings, defaultViews: Report.defaultViews, alwaysWhole: true, given: given)
  }

  /// Returns the plan with what only `report` needs; the output folder is no input.
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

  /// Counts the inputs for the answer of a command; returns also the reasons for the exit code so far.
  ///
  /// Refuses a preferred source without data; ends the command without a usable input or with `--strict`.
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

  /// Makes the files of the folder; returns also the bridges, if there are finance files, and the evidence, if it is
  /// wanted.
  ///
  /// `ledger` is that before the run. Evidence is a part of all files.
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
  func noteFailures(of evidence: EvidenceFiles?) -> Set<ExitReason> {
    let failures = evidence?.failures ?? []
    for line in failures { console.error("error: \(line): please report this [internal-error]") }
    return failures.isEmpty ? [] : [.internalError]
  }

  // MARK: The folder

  /// Writes the folder of a result, and prints what was found; with `--strict` only if nothing is wrong.
  ///
  /// `changes` is the file of `--changes`, `exports` those of `--sqlite` and `--xlsx`; `isBrief` prints the answer in
  /// a few lines.
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
  private func note(
    _ result: RunResult, _ checks: Checks, _ settlement: FinanceReport?, since changes: [String]
  ) throws -> Set<ExitReason> {
    console.notes(unsaid(result).filter { line in !changes.contains { $0.hasSuffix(": " + line) } })
    for line in result.failures(checks) { console.error(line) }
    var reasons = try testConditions(result)
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
