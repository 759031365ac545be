import AppStoreReports
import Metrics
import SubscriptionModel

/// Puts together what the threads have read: sorts charges into chains, merges tallies, and dates the
/// sources.
struct RunAssembly {
  private let context: ReadContext
  private let inputErrors: [InputError]
  private var reports: [FileReport]
  private var names: [NameTrackers]
  private var stores: [ChargeStore]
  private var chains = SubscriberChains.kept([])
  private let laterReceipts: LaterReceipts
  private let linesOfDumpRows: [DumpRow: Int]
  private var events: Tally
  private var sales: Tally
  private let finance: FinanceRecords?
  /// Where the cache keeps the charges of reports, in the order of all files.
  private var chargeExtracts: [ChargeExtract]
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
  consuming func result() -> RunResult {
    var sources: [SourceReport] = []
    let plan = context.plan
    if plan.sources.contains(.events), let days = completeness(of: .events) {
      sources.append(SourceReport(tally: events, completeness: days))
    }
    if plan.sources.contains(.sales), let days = completeness(of: .sales) {
      sources.append(SourceReport(tally: sales, completeness: days))
    }
    let folded = plan.sources.contains(.subscribers) ? foldChains() : nil
    if let folded {
      sources.append(SourceReport(tally: folded.tally, completeness: folded.completeness))
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
    let prices = plan.prices.map { plan in
      PriceAssembly(
        plan, context.registries, printed,
        lastDay: { [context] in $0 == .subscribers && context.keepsTally ? .last : nil })
    }
    let outcome = prices?.outcome(for: sources) { report, fold in
      switch report.source {
      case .subscribers: foldPrices(of: report, with: fold)
      case .receipts: receipts?.customers.flatMap { assembly.foldPrices(fold, $0) }
      case .events, .sales: nil
      }
    }
    if let outcome { sources = outcome.sources }
    SameBytes.note(&reports)
    if Check.ofRowsCounted(reports, sources)?.holds == false {
      plan.cache?.removeTally(plan)
    } else if let folded, let record = folded.record {
      var counts = TallyCounts(tally: folded.tally)
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
      changedSubscribers: chains.changedSubscribers)
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

    /// How many subscribers have changed since the last run; `nil` when all were folded.
    var changedSubscribers: Int? {
      if case .changed(_, let parts) = self { parts.subscriberCount } else { nil }
    }
  }

  /// What the chains of all subscribers say.
  private struct FoldedChains {
    var tally: Tally
    var completeness: Completeness
    /// What the next run needs to change the tally; `nil` when it cannot.
    var record: TallyRecord?
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

  /// Returns what all subscribers' chains say; `nil` when no report was read to its end.
  private mutating func foldChains() -> FoldedChains? {
    if let folded = changeLastTally() { return folded }
    readChargesLeftOut()
    guard let completeness = completeness(of: .subscribers) else { return nil }
    let hasSpilled = stores.contains(where: \.hasSpilled)
    let arePriced = context.plan.prices != nil
    let bins = PartitionBins(stores, keeps: hasSpilled && arePriced)
    stores = []
    let result = PartitionFold.result(
      bins, isUsable: reports.map(\.isUsed), context, completeness,
      keepsChains: arePriced && !hasSpilled)
    chains = hasSpilled ? .unsorted(bins) : .kept(result.chains)
    return folded(result, completeness)
  }

  /// Changes the last tally into this run's; `nil` when there is none, or it cannot be done.
  private mutating func changeLastTally() -> FoldedChains? {
    guard let completeness = completeness(of: .subscribers),
      let change = TallyChange(context, extractsOfAllCharges, completeness),
      let parts = change.parts(stores)
    else { return nil }
    chains = .changed(change, parts)
    return folded(change.result(parts), completeness)
  }

  private func folded(
    _ result: SubscriberFold.Result, _ completeness: Completeness
  ) -> FoldedChains {
    let record = extractsOfAllCharges.map { TallyRecord($0, completeness, result) }
    return FoldedChains(tally: result.tally, completeness: completeness, record: record)
  }

  /// Reads the charges that were left out because the last tally has them: it cannot be changed into this run's.
  ///
  /// What a file says now replaces what it said before, in case its entry is damaged and the file has changed.
  private mutating func readChargesLeftOut() {
    let files = chargeExtracts.filter { !$0.isRead }.map(\.index)
    if files.isEmpty { return }
    var context = context
    context.lastTally = nil
    let results = Workers.run(
      count: files.count, jobs: context.plan.jobs, makeState: { [context] in FileReader(context) },
      work: { $0.read(files[$1]) }, finish: { $0.finish() })
    for (index, report) in results.flatMap(\.reports) { reports[index] = report }
    names += results.map(\.names)
    stores += results.map(\.charges)
    let extracts = chargeExtracts.filter(\.isRead) + results.flatMap(\.chargeExtracts)
    chargeExtracts = extracts.sorted { $0.index < $1.index }
  }

  /// Goes through the chains of SUBSCRIBER reports once more, for prices.
  private mutating func foldPrices(
    of report: SourceReport, with fold: PriceFold
  ) -> PriceFold.Part? {
    let terms = context.registries.chargeTerms
    if case .changed(let change, let parts) = chains {
      if let part = change.part(of: report, fold, parts, terms) { return part }
      readChargesLeftOut()
      chains = .unsorted(PartitionBins(stores, keeps: false))
    }
    switch chains {
    case .kept(let chains): return fold.part(chains, terms, jobs: context.plan.jobs)
    case .unsorted(let bins):
      let isUsable = reports.map(\.isUsed)
      return .merged(
        Workers.run(
          count: ChargeStore.partitionCount, jobs: context.plan.jobs,
          makeState: { PartitionPriceFold(fold, terms: terms, report.completeness) },
          work: { $0.add(bins.take($1), isUsable: isUsable) }, finish: { $0.result() }))
    case .changed: preconditionFailure("replaced above")
    }
  }
}
