import AppStoreReports
import Metrics
import Scanning
import SubscriptionModel

/// Reads all inputs of a plan and counts: bytes → records → facts → tallies.
public enum Run {
  /// Carries out a plan.
  ///
  /// Bad rows and bad files do not stop it; the result says what they were.
  ///
  /// - Parameters:
  ///   - plan: What to read and count.
  ///   - progress: Is told how far the run has come.
  /// - Returns: What was found and counted.
  public static func carryOut(_ plan: RunPlan, progress: RunProgress = RunProgress()) -> RunResult {
    guard !plan.filters.isEmpty else { return carryOut(plan, Inputs(plan), progress) }
    var plan = plan
    plan.collectsValues = true
    let inputs = Inputs(plan)
    var learned: RunResult?
    if plan.filters.isByName {
      progress.expect(files: inputs.files.count, bytes: 0)
      progress.begin(.learning)
      let result = learn(plan, inputs)
      plan = withIDs(plan, result.names)
      learned = result
    }
    // A value that is nowhere in the input is a mistake: nothing is counted for it.
    if var learned, let unmatched = learned.values?.unmatched(plan.filters), !unmatched.isEmpty {
      learned.unmatchedFilters = unmatched
      return learned
    }
    var result = carryOut(plan, inputs, progress)
    if learned == nil, result.values?.unmatched(plan.filters).isEmpty == false {
      // It may be in rows of a source that this run does not read.
      let isWhole = plan.sources.count == Source.allCases.count
      let values = isWhole ? result.values : learn(plan, inputs).values
      result.unmatchedFilters = values?.unmatched(plan.filters) ?? []
    }
    if result.unmatchedFilters.isEmpty {
      result.emptyCombination = emptyCombination(plan, inputs, result)
    }
    return result
  }

  /// Why filters that each have rows leave none together, also none of a source that this run does not read.
  private static func emptyCombination(
    _ plan: RunPlan, _ inputs: Inputs, _ result: RunResult
  ) -> String? {
    let given = plan.givenFilters ?? plan.filters
    guard let sentence = result.values?.emptyCombination(plan.filters, given) else { return nil }
    if plan.sources.count == Source.allCases.count { return sentence }
    let whole = learn(plan, inputs, withoutNamed: false)
    return whole.values?.emptyCombination(plan.filters, given)
  }

  /// What there is to read: listed once, because standard input cannot be had twice.
  private struct Inputs {
    let known: KnownFiles
    let files: [InputFile]
    let errors: [InputError]

    init(_ plan: RunPlan) {
      known = plan.cache?.knownFiles(plan) ?? KnownFiles()
      (files, errors) = InputListing.list(
        plan.inputs, excluding: plan.excludedFolder, cache: plan.cache?.folder.path)
    }
  }

  private static func carryOut(
    _ plan: RunPlan, _ inputs: @autoclosure () -> Inputs, _ progress: RunProgress
  ) -> RunResult {
    // Begins before files are listed. The last tally is of use once: what is read again may contradict what was
    // put into its registries.
    var last = plan.cache?.lastRecord(plan)
    let inputs = inputs()
    let (files, known) = (inputs.files, inputs.known)
    progress.expect(files: files.count, bytes: files.map(\.byteCount).reduce(0, +))
    progress.begin(.looking)
    progress.reach(.listed)
    var scouted = scout(files, known, plan, progress)
    ReportResolution(plan).resolve(&scouted)
    progress.reach(.resolved)
    while true {
      let context = ReadContext(plan, scouted, known, progress, last)
      last = nil
      progress.begin(.reading)
      let results = Workers.run(
        count: scouted.count, jobs: plan.jobs, makeState: { [context] in FileReader(context) },
        work: { $0.read($1) }, finish: { $0.finish() })
      // What a dump has said is merged with what others say and cannot be taken out again, so when it
      // turns out to be damaged, or to be something else, all is read once more.
      let wrong = results.flatMap { result in
        result.reports.filter { index, report in
          let scouted = scouted[index]
          guard scouted.isReceiptDump, scouted.isToBeUsed else { return false }
          return report.problem != nil || (report.wasReadTwice && !scouted.isReadTwice)
        }
      }
      let damaged = RowFaults.damagedVersions(scouted, results.map(\.reports))
      if wrong.isEmpty, damaged.isEmpty {
        progress.begin(.counting)
        return RunAssembly(context, inputs.errors, results).result()
      }
      for (index, report) in wrong {
        scouted[index].problem = report.problem
        scouted[index].isReadTwice = report.wasReadTwice
      }
      guard !damaged.isEmpty else { continue }
      // Another version of these reports counts.
      for (index, problem) in damaged { scouted[index].problem = problem }
      ReportResolution(plan).resolve(&scouted)
    }
  }

  /// Reads the whole input to learn what values its rows have, and how products and apps are called: a name
  /// is what the last row of the whole input says.
  ///
  /// Products and apps select rows only once their names have become ids.
  private static func learn(
    _ plan: RunPlan, _ inputs: Inputs, withoutNamed: Bool = true
  ) -> RunResult {
    var learning = plan
    learning.views = [[]]
    learning.prices = nil
    learning.sources = Set(Source.allCases)
    if withoutNamed {
      learning.filters.apps = []
      learning.filters.products = []
    }
    learning.readsFinance = false
    learning.receipts.customerTable = nil
    return carryOut(learning, inputs, RunProgress())
  }

  /// Replaces names of products and apps by their ids.
  private static func withIDs(_ plan: RunPlan, _ names: Names) -> RunPlan {
    var plan = plan
    plan.givenFilters = plan.filters
    plan.filters.products = ids(plan.filters.products, names.productIDs)
    plan.filters.apps = ids(plan.filters.apps, names.appIDs)
    return plan
  }

  /// What goes by no name stays, and is found to match nothing.
  private static func ids(_ texts: [String], _ find: (String) -> [String]) -> [String] {
    texts.flatMap { text in
      let found = find(text)
      return found.isEmpty ? [text] : found
    }
  }

  private static func scout(
    _ files: [InputFile], _ known: KnownFiles, _ plan: RunPlan, _ progress: RunProgress
  ) -> [ScoutedFile] {
    // Every file has its place from the beginning: a list in another order would have to be copied.
    let noName = ReportName("")
    let found = Locked(
      files.map { ScoutedFile(file: $0, name: noName, kind: .unknown, vendor: "") })
    _ = Workers.run(
      count: files.count, jobs: plan.jobs,
      makeState: { Scout(known, plan.receipts.columns) },
      work: { scout, index in
        let scouted = scout.look(at: files[index])
        found.withLock { $0[index] = scouted }
        progress.reach(.scouted, files[index].path)
      }, finish: { _ in })
    return found.withLock { $0 }
  }
}

extension ReadContext {
  init(
    _ plan: RunPlan, _ files: [ScoutedFile], _ known: KnownFiles, _ progress: RunProgress,
    _ last: LastRecord?
  ) {
    var cutoff: [Source: Day] = [:]
    var lastDay = Day(number: 0)
    for source in Source.allCases {
      let own = files.filter { $0.source == source && $0.isToBeUsed && $0.day != nil }
      lastDay = max(lastDay, own.compactMap(\.day).max() ?? lastDay)
      if let asOf = plan.asOf, Self.reaches(beyond: asOf, own) { cutoff[source] = asOf }
    }
    let record = cutoff[.subscribers] == nil ? plan.cache?.opened(last) : nil
    // Registries that know the terms of reports that are gone are good for nothing but changing their tally.
    let registries = record.flatMap { _ in last?.registries } ?? Registries()
    // Rows of the last day's report may be of the next month, and what they begin counts in the one after it.
    let lastMonth = plan.monthSystem.month(of: lastDay) + 2
    self.init(
      plan: plan, registries: registries, files: files, progress: progress, cutoff: cutoff,
      readsFinance: files.contains { $0.kind.isFinance && $0.isToBeUsed },
      months: Self.firstMonth...max(Self.firstMonth, lastMonth),
      filter: Filter(plan.filters, registries),
      memory: plan.memory.map { ChargeStore.Limit($0, jobs: plan.jobs) },
      filesReadAhead: LargeFiles.readAhead(
        files.map { $0.isToBeUsed ? $0.file.byteCount : 0 }, jobs: plan.jobs),
      receipts: SharedReceiptStore(jobs: plan.jobs),
      knownFiles: known)
    lastTally = record.flatMap { plan.cache?.lastTally(self, $0) }
  }

  /// Whether a source has a report of a day after as-of that can be read to its end.
  private static func reaches(beyond asOf: Day, _ files: [ScoutedFile]) -> Bool {
    files.filter { ($0.day ?? asOf) > asOf && $0.kind != .subscription }
      .sorted { ($1.day ?? asOf) < ($0.day ?? asOf) }
      .contains { (try? Scout.hashText(of: $0.file).get()) != nil }
  }

  /// The App Store opened in July 2008; rows dated earlier than that year are rejected.
  private static let firstMonth = Month(year: 2008, month: 1)
}

extension ScoutedFile {
  var isToBeUsed: Bool {
    role == .use && problem == nil && (header != nil || isReceiptDump)
      && (source != nil || kind.isFinance)
  }
}

extension Filter {
  /// Makes the test of a plan's filters, in which names have become ids.
  fileprivate init(_ filters: RunPlan.Filters, _ registries: Registries) {
    let accepted: [Dimension: Set<String>] = [
      .app: Set(filters.apps), .group: Set(filters.groups), .product: Set(filters.products),
      .country: Set(filters.countries.map { $0.uppercased() }),
    ].filter { !$0.value.isEmpty }
    guard !accepted.isEmpty else {
      self.init()
      return
    }
    self.init(dimensions: Set(accepted.keys)) { attributes in
      accepted.allSatisfy { dimension, texts in
        let symbol = attributes.value(of: dimension) ?? .blank
        return texts.contains(registries.text(of: symbol))
      }
    }
  }
}
