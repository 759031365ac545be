import AppStoreReports
import Metrics
import SubscriptionModel

/// Puts together what the threads have read: sorts charges into chains, merges tallies, and dates the
/// sources.
struct RunAssembly {
  private let context: ReadContext
  private let inputErrors: [InputError]
  private let reports: [FileReport]
  private let names: [NameTrackers]
  private var stores: [ChargeStore]
  private let laterReceipts: LaterReceipts
  private let linesOfDumpRows: [DumpRow: Int]
  private var events: Tally
  private var sales: Tally
  private let finance: FinanceRecords?
  /// Where the cache keeps the charges of reports, in the order of all files.
  private let chargeExtracts: [ChargeExtract]
  private let knownFiles: [KnownFiles.File]

  init(_ context: ReadContext, _ inputErrors: [InputError], _ results: [ReadResult]) {
    self.context = context
    self.inputErrors = inputErrors
    var events = context.emptyTally(.events)
    var sales = context.emptyTally(.sales)
    var read = context.files.map(FileReport.init)
    for result in results {
      for (index, report) in result.reports { read[index] = report }
      events.merge(result.events)
      sales.merge(result.sales)
    }
    self.events = events
    self.sales = sales
    Self.leaveRepeated(results.flatMap(\.notifications), &read)
    finance = FinanceAssembly(context, results).records(&read)
    SameBytes.note(&read)
    reports = read
    names = results.map(\.names)
    stores = results.map(\.charges)
    laterReceipts = results.reduce(into: LaterReceipts()) { $0.merge($1.laterReceipts) }
    linesOfDumpRows = results.reduce(into: [:]) { $0.merge($1.linesOfDumpRows) { $1 } }
    knownFiles = results.flatMap(\.knownFiles)
    chargeExtracts = results.flatMap(\.chargeExtracts).sorted { $0.index < $1.index }
    forgetIncompleteSnapshots()
  }

  /// Leaves aside the rows that hold nothing but notifications of earlier rows.
  ///
  /// Apple sends a notification again, with the same content, until it is received: what it says
  /// changes nothing.
  private static func leaveRepeated(
    _ notifications: [NotificationPlace], _ reports: inout [FileReport]
  ) {
    let inOrder = notifications.sorted {
      ($0.uuid, $0.row.file, $0.row.row) < ($1.uuid, $1.row.file, $1.row.row)
    }
    var repeated: [DumpRow: Int32] = [:]
    for (before, one) in zip(inOrder, inOrder.dropFirst()) where before.uuid == one.uuid {
      repeated[one.row, default: 0] += 1
      guard repeated[one.row] == one.rowCount else { continue }
      let file = Int(one.row.file)
      reports[file].rows.used -= 1
      reports[file].rows.ignored["duplicate notificationUUID", default: 0] += 1
    }
  }

  /// Makes the result.
  ///
  /// - Throws: ``AllChargesNeeded`` when the run began with the tally of the last one, which cannot be
  ///   changed into its own.
  consuming func result() throws(AllChargesNeeded) -> RunResult {
    var sources: [SourceReport] = []
    let plan = context.plan
    if plan.sources.contains(.events), let days = completeness(of: .events) {
      sources.append(SourceReport(tally: events, completeness: days))
    }
    if plan.sources.contains(.sales), let days = completeness(of: .sales) {
      sources.append(SourceReport(tally: sales, completeness: days))
    }
    var chains = SubscriberChains.kept([])
    var record: TallyRecord?
    var counts: TallyCounts?
    var changedSubscribers: Int?
    if plan.sources.contains(.subscribers), let days = completeness(of: .subscribers) {
      let folded = try foldChains(days)
      chains = folded.chains
      record = folded.record
      counts = TallyCounts(tally: folded.tally)
      changedSubscribers = folded.changedSubscribers
      sources.append(SourceReport(tally: folded.tally, completeness: days))
    }
    let assembly = ReceiptAssembly(
      context, later: laterReceipts, lines: linesOfDumpRows)
    let receipts = plan.sources.contains(.receipts) ? assembly.outcome() : nil
    if let receipts { sources.append(receipts.source) }
    sources.sort { $0.source < $1.source }
    // Storefronts and currencies that only the user names are printed too.
    for row in (plan.prices?.increases ?? []) + (plan.prices?.planned ?? []) {
      _ = (context.registries.symbol(of: row.country), context.registries.symbol(of: row.currency))
    }
    let registered = context.registries.snapshot()
    let lastNames = LastNames(names, registered, finance?.statements ?? [])
    let printed = Names(
      symbols: registered.symbols, products: lastNames.products, apps: lastNames.apps)
    let prices = plan.prices.map { [chains] plan in
      PriceAssembly(
        plan, context.registries, printed,
        lastDay: { [context] in $0 == .subscribers && context.keepsTally ? .last : nil }
      ) { report, fold throws(AllChargesNeeded) in
        try foldPrices(of: report, with: fold, chains, assembly, receipts?.customers)
      }
    }
    let outcome = try prices?.outcome(for: sources)
    if let outcome { sources = outcome.sources }
    if Check.ofRowsCounted(reports, sources)?.holds == false {
      plan.cache?.removeTally(plan)
    } else if let record, var counts {
      counts.impact = sources.first { $0.source == .subscribers }?.impact
      plan.cache?.keep(record, counts, context)
    }
    plan.cache?.keep(knownFiles, after: context.knownFiles, plan)
    let testable = sources.filter { $0.source.dimensions.isSuperset(of: context.filter.dimensions) }
    return RunResult(
      plan: plan, files: reports, inputErrors: inputErrors + (outcome?.errors ?? []),
      sources: testable,
      unfilteredSources: sources.map(\.source).filter { source in
        !testable.contains { $0.source == source }
      }, names: printed, receiptNote: receipts?.note, customerTable: receipts?.table,
      planReport: outcome?.plan, finance: finance,
      values: plan.collectsValues
        ? InputValues(
          usedAttributes(registered).union(receipts?.attributes ?? []), context.files, printed,
          context.filter)
        : nil,
      changedSubscribers: changedSubscribers)
  }

  /// What rows of reports say, of all rows that were used.
  private func usedAttributes(_ terms: RegistrySnapshot) -> Set<Attributes> {
    var used: Set<Attributes> = []
    for tracker in names {
      for (_, number) in tracker.charges.named { used.insert(terms.chargeTerms[number].attributes) }
      for (_, number) in tracker.snapshots.named { used.insert(terms.snapshotTerms[number]) }
      for (_, number) in tracker.sales.named { used.insert(terms.salesTerms[number].attributes) }
      for (_, number) in tracker.events.named {
        used.insert(terms.eventTerms[number].attributes)
        var previous = Attributes()
        previous.product = terms.eventTerms[number].previousProduct
        used.insert(previous)
      }
    }
    // Of reports in the cache the trackers know names only.
    for extract in chargeExtracts where reports[extract.index].isUsed {
      for number in extract.terms { used.insert(terms.chargeTerms[Int(number)].attributes) }
    }
    return used
  }

  /// Dates a source by the reports that were read to their end.
  ///
  /// `events` are dated by the event reports alone: a snapshot is a stock of its own day.
  private func completeness(of source: Source) -> Completeness? {
    let kind: ReportKind =
      switch source {
      case .events: .subscriptionEvent
      case .sales: .sales
      case .subscribers: .subscriber
      case .receipts: preconditionFailure("receipts have an as-of of their own")
      }
    let found = VendorDays(kind, reports)
    let days = found.items.map(\.day)
    guard let first = days.min(), let last = days.max() else { return nil }
    let asOf = min(last, context.plan.asOf ?? last)
    guard first <= asOf else { return nil }
    return Completeness(
      firstDay: first, asOf: asOf, presentDays: found.complete(until: asOf),
      monthSystem: context.plan.monthSystem)
  }

  /// Forgets the snapshots of days on which that of a vendor is missing: the stock of the others is not the whole.
  private mutating func forgetIncompleteSnapshots() {
    let found = VendorDays(.subscription, reports)
    guard let last = found.items.map(\.day).max() else { return }
    let complete = found.complete(until: last)
    events.snapshotMonths = events.snapshotMonths.filter {
      complete.contains(context.plan.monthSystem.firstDay(of: $0) - 1)
    }
  }

  // MARK: Chains

  /// The chains of SUBSCRIBER reports for a second pass.
  private enum SubscriberChains {
    /// All that may matter.
    case kept([PricedChains])
    /// There is no room for them: their charges.
    case unsorted(PartitionBins)
    /// Those of subscribers of whom something has changed since the last run.
    case changed(TallyChange, TallyChange.Parts)
  }

  /// The entries of all charges that count, in the order of files.
  ///
  /// `nil` when a file that counts has none, because it changed while it was read. The next run cannot know what such
  /// a file has added to a tally, and this one cannot add it to the last: so all charges are folded, and no tally is
  /// kept.
  private var extractsOfAllCharges: [ChargeExtract]? {
    let withExtract = Set(chargeExtracts.map(\.index))
    let isWhole = reports.indices.allSatisfy { index in
      reports[index].kind != .subscriber || !reports[index].isUsed || withExtract.contains(index)
    }
    guard isWhole else { return nil }
    return chargeExtracts.filter { reports[$0.index].isUsed && !$0.terms.isEmpty }
  }

  /// Sorts each partition of the charges and folds its subscribers' chains, on all threads.
  private mutating func foldChains(
    _ completeness: Completeness
  ) throws(AllChargesNeeded) -> (
    tally: Tally, record: TallyRecord?, chains: SubscriberChains, changedSubscribers: Int?
  ) {
    let isUsable = reports.map(\.isUsed)
    let extracts = extractsOfAllCharges
    let result: SubscriberFold.Result
    let chains: SubscriberChains
    var changedSubscribers: Int?
    if let change = try TallyChange(context, extracts, completeness) {
      let (parts, changed) = try change.parts(stores)
      result = try change.result(parts)
      chains = .changed(change, parts)
      changedSubscribers = changed.count
    } else {
      let hasSpilled = stores.contains(where: \.hasSpilled)
      let arePriced = context.plan.prices != nil
      let bins = PartitionBins(stores, keeps: hasSpilled && arePriced)
      stores = []
      result = PartitionFold.result(
        bins, isUsable: isUsable, context, completeness,
        keepsChains: arePriced && !hasSpilled)
      chains = hasSpilled ? .unsorted(bins) : .kept(result.chains)
    }
    let record = extracts.map { TallyRecord($0, completeness, result) }
    return (result.tally, record, chains, changedSubscribers)
  }

  /// Goes through the chains of a source once more, for prices.
  private func foldPrices(
    of report: SourceReport, with fold: PriceFold, _ chains: SubscriberChains,
    _ receipts: ReceiptAssembly, _ customers: ReceiptCustomers?
  ) throws(AllChargesNeeded) -> PriceFold.Part? {
    let terms = context.registries.chargeTerms
    switch (report.source, chains) {
    case (.subscribers, .kept(let chains)):
      return fold.part(chains, terms, jobs: context.plan.jobs)
    case (.subscribers, .changed(let change, let parts)):
      return try change.part(of: report, fold, parts, terms)
    case (.subscribers, .unsorted(let bins)):
      let isUsable = reports.map(\.isUsed)
      return .merged(
        Workers.run(
          count: ChargeStore.partitionCount, jobs: context.plan.jobs,
          makeState: { PartitionPriceFold(fold, terms: terms, report.completeness) },
          work: { $0.add(bins.take($1), isUsable: isUsable) }, finish: { $0.result() }))
    case (.receipts, _): return customers.flatMap { receipts.foldPrices(fold, $0) }
    case (.events, _), (.sales, _): return nil
    }
  }
}
