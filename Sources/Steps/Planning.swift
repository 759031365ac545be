import AppStoreReports
import Counting
import Files
package import Pipeline
import Storage
import SubscriptionModel

/// `step plan`: decides which files count, and later finds what each fold needs from all files.
package enum Planning {
  package static let mostPartitions = 65_536
  /// The charges of a partition for which its process takes longer than to start it.
  private static let chargesOfPartition = 250_000

  /// Plans a run, from what ``Scout`` has found of each file, in any order; refuses what steps do not support.
  ///
  /// Later steps read the settings again, of which `plan` is made. Without `partitionCount` there are twice the cores
  /// of all machines, or one for each 250,000 rows of SUBSCRIBER reports if that is more.
  package static func frame(
    _ settings: [UInt8], _ plan: RunPlan, partitionCount: Int?, cores: Int,
    _ frames: inout FrameSource
  ) throws -> Frame {
    try refuse(plan)
    var findings: [Scout.Finding] = []
    while let frame = try frames.next() {
      guard frame.label.kind == .scouted else {
        throw StepError.misplaced(frame, "; plan expects only frames \"scouted\"")
      }
      var finding = try Scout.Finding(frame)
      finding.recognizeDump(plan.receipts.columns)
      findings.append(finding)
    }
    guard !findings.isEmpty else {
      throw StepError(.misplaced, "found no frame; plan expects a frame \"scouted\" of each file")
    }
    findings.sort { $0.file.file.relativePath.precedes($1.file.file.relativePath) }
    for (file, next) in zip(findings, findings.dropFirst())
    where file.file.file.relativePath.isSame(as: next.file.file.relativePath) {
      let name = file.file.file.relativePath
      throw StepError(.misplaced, "found the file \"\(name)\" twice")
    }
    let among = Scout.Finding.hash(ofPaths: findings.map(\.file.file.relativePath))
    if let other = findings.first(where: { $0.among != nil && $0.among != among }) {
      throw StepError(
        .misplaced,
        "the file \"\(other.file.file.relativePath)\" was found in a cache among other files; use one files --cache for all"
      )
    }
    let survey = Survey(findings.map(\.file), plan).foreseeingFaults(plan)
    let charges = survey.files.reduce(0) { sum, file in
      file.kind == .subscriber && file.isToBeUsed ? sum + (file.examined?.rowCount ?? 0) : sum
    }
    let usual = max(2 * cores, (charges + chargesOfPartition - 1) / chargesOfPartition)
    var document = StepPlan(
      settings, partitionCount: partitionCount ?? min(usual, mostPartitions), survey)
    document.hashes = findings.map(\.hash)
    return document.frame(Registries())
  }

  /// Completes a plan once all files are read; the frames are the plan, and the files of all tasks.
  package static func completeFrame(
    _ makePlan: ([UInt8]) throws -> RunPlan, _ frames: inout FrameSource
  ) throws -> Frame {
    let first = try frames.next(.plan, for: "plan --complete")
    let registries = Registries()
    var plan = try StepPlan(first, registries)
    guard !plan.isComplete else {
      throw StepError(.misplaced, "found a complete plan; plan --complete expects the first one")
    }
    let read = try ReadFiles(plan, plan.identity, registries, &frames)
    let options = try makePlan(plan.settings)
    var unfiltered = options
    if options.filters.isByName { unfiltered.filterByIDs(products: [], apps: []) }
    let context = ReadContext(ofStep: unfiltered, plan.survey, registries, nil)
    let run = ReadRun(plan.survey.files.indices, context, read.memo(for: context))
    guard run.agreesWithSurvey else { throw StepError.otherRoles }
    var whole = StepPlan.Whole(
      plan: plan.identity, isUsed: run.reports.map(\.isUsed), days: run.days,
      charges: read.charges, responses: read.responses, statements: read.statements,
      later: run.laterReceipts,
      receiptsAsOf: ReceiptAssembly(ofStep: context, later: run.laterReceipts).asOf(
        read.statements), filesSum: read.filesSum)
    if options.filters.isByName {
      // The name of a product is that of its last row in all files.
      let filters = Run.withIDs(options, run.result().names).filters
      whole.ids = StepPlan.Whole.IDs(products: filters.products, apps: filters.apps)
    }
    plan.whole = whole
    return plan.frame(registries)
  }

  // MARK: Not supported

  /// Refuses options that steps do not support.
  private static func refuse(_ plan: RunPlan) throws(StepError) {
    let unsupported: [(Bool, String)] = [
      (
        plan.filters.isByName && plan.sources.count < Source.allCases.count,
        "names of products and apps in filters without all sources"
      ),
      (plan.keepsCharges, "--evidence"),
    ]
    for (isGiven, name) in unsupported where isGiven {
      throw StepError(.unsupported, "steps do not support \(name) yet")
    }
  }
}

extension StepError {
  /// Reading has shown other roles of files than those that the plan foresaw.
  static let otherRoles = StepError(
    .internal, "the files have other faults than the plan foresaw: please report this")
}
