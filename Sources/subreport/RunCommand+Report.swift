import Evidence
import Files
import Pages
import Pipeline
import ReportFolder
import SubscriptionModel
import Tables

/// The run of `report`, which `verify` repeats.
extension RunCommand {
  /// The views of retention that are always written: periods of one length, by start month and by product.
  private static let retentionViews: [[Dimension]] = [
    [.startMonth, .duration], [.product, .duration],
  ]

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
  /// - Parameter folder: The output folder, which is no input.
  /// - Returns: The plan.
  /// - Throws: `UsageError` for an invalid value, `InputFailure` for a file that cannot be used.
  func reportPlan(_ folder: String) throws -> RunPlan {
    var plan = plan
    plan.excludedFolder = folder
    plan.omitsViewOfOneApp = settings.list(.by).isEmpty
    plan.retentionViews = Self.retentionViews.filter { !plan.views.contains($0) }
    plan.prices = try settings.prices()
    plan.keepsCharges = try settings.flag(.evidence)
    plan.keepsContext = plan.keepsCharges
    plan.keepsReceipts = plan.keepsCharges
    return plan
  }

  /// Makes the files of the folder.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - call: The options in force, for the manifest.
  ///   - ledger: The ledger before the run; `nil` without one.
  /// - Returns: The bridges, if there are finance files; the files; and the evidence among them, if it is wanted.
  /// - Throws: `ConversionError` when a rate is missing, `KeptCharges.LineError` for an input that cannot be read
  ///   again.
  func reportFiles(
    _ result: RunResult, _ call: RecordedCall, _ ledger: LedgerBefore?
  ) throws -> (FinanceReport?, ReportFiles, EvidenceFiles?) {
    let tolerance = try settings.tolerance()
    return try making {
      let settlement = FinanceReport(result, tolerance: tolerance)
      let evidence = try evidence(result)
      let files = try ReportFiles(
        result, conversion: conversion, finance: settlement, ledger: ledger,
        evidence: evidence?.files ?? [], version: Subreport.version, call: call)
      return (settlement, files, evidence)
    }
  }

  private func evidence(_ result: RunResult) throws -> EvidenceFiles? {
    guard try settings.flag(.evidence) else { return nil }
    let key = settings.text(.anonymizeKey)
    return try EvidenceFiles(result, naming: key.map { .anonymous(key: $0) })
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
}
