import AppStoreReports
import Counting
import Files
import PriceImpact
import Scanning
import SubscriptionModel

/// Combines what the threads have read into the run's result.
///
/// Merges tallies, determines the days that each source covers, folds charges into chains, and analyses prices.
struct RunAssembly {
  let context: ReadContext
  private let inputErrors: [InputError]
  var reports: [FileReport]
  var names: [NameTrackers]
  var stores: [ChargeStore]
  var chains = SubscriberChains.kept([])
  /// The charges of SUBSCRIBER reports, if the plan keeps them.
  var keptCharges: KeptCharges?
  let laterReceipts: LaterReceipts
  private let snapshots: Snapshots
  private let linesOfDumpRows: [DumpRow: Int]
  /// The rows of dumps that hold only repeated notifications.
  private let repeatedRows: Set<DumpRow>
  private var events: Tally
  private var sales: Tally
  private let finance: FinanceData?
  /// The apps that moved from one account to another.
  private let accounts: Accounts
  /// The terms of charges recalled from earlier runs, by file index.
  var recalledTerms: [(index: Int, terms: [UInt32])]

  init(_ context: ReadContext, _ inputErrors: [InputError], _ results: [ReadResult]) {
    self.context = context
    self.inputErrors = inputErrors
    var events = context.emptyTally(.events)
    var sales = context.emptyTally(.sales)
    var read = context.survey.files.map(FileReport.init)
    for result in results {
      for (index, report) in result.reports { read[index] = report }
      events.merge(result.events)
      sales.merge(result.sales)
    }
    self.events = events
    self.sales = sales
    repeatedRows = Self.ignoreRepeated(results.flatMap(\.notifications), &read)
    finance = FinanceAssembly(context, results).content(&read)
    reports = read
    accounts = Accounts(read, textOf: context.registries.text)
    names = results.map(\.names)
    stores = results.map(\.charges)
    laterReceipts = results.reduce(into: LaterReceipts()) { $0.merge($1.laterReceipts) }
    snapshots = results.reduce(into: Snapshots()) { $0.merge($1.snapshots) }
    linesOfDumpRows = results.reduce(into: [:]) { $0.merge($1.linesOfDumpRows) { $1 } }
    recalledTerms = results.flatMap(\.recalledTerms)
    dropIncompleteSnapshots()
  }

  /// Moves rows that hold only repeated notifications from used to ignored, and returns them.
  ///
  /// Apple resends a notification with the same content until it is received; a repeat adds nothing.
  private static func ignoreRepeated(
    _ notifications: [NotificationPlace], _ reports: inout [FileReport]
  ) -> Set<DumpRow> {
    let inOrder = notifications.sorted {
      ($0.uuid, $0.row.file, $0.row.row) < ($1.uuid, $1.row.file, $1.row.row)
    }
    var repeated: [DumpRow: Int32] = [:]
    var rows: Set<DumpRow> = []
    for (before, one) in zip(inOrder, inOrder.dropFirst()) where before.uuid == one.uuid {
      repeated[one.row, default: 0] += 1
      guard repeated[one.row] == one.rowCount else { continue }
      rows.insert(one.row)
      let file = Int(one.row.file)
      reports[file].rows.used -= 1
      reports[file].rows.ignored[.repeatedNotification, default: 0] += 1
    }
    return rows
  }

  consuming func result() -> RunResult {
    let receipts = ReceiptAssembly(context, later: laterReceipts, lines: linesOfDumpRows, snapshots)
    let outcome = context.plan.sources.contains(.receipts) ? receipts.outcome() : nil
    if let updated = updateLastTally(), let result = result(updated, receipts, outcome) {
      return result
    }
    readSkippedCharges()
    guard let result = result(foldAllChains(), receipts, outcome) else {
      preconditionFailure("all chains are enough for prices")
    }
    return result
  }

  /// Returns the result for the given folded chains of SUBSCRIBER reports.
  ///
  /// `nil` when prices need the chains of all subscribers, but only those of changed subscribers were folded.
  private mutating func result(
    _ folded: FoldedChains?, _ assembly: ReceiptAssembly, _ receipts: ReceiptAssembly.Outcome?
  ) -> RunResult? {
    let plan = context.plan
    let sources = sources(folded, receipts)
    noteRowsOfMonthsWithoutFiles(sources)
    // Also register storefronts and currencies that appear only in the user's price plan, so that they print.
    for row in (plan.prices?.increases ?? []) + (plan.prices?.planned ?? []) {
      _ = (context.registries.symbol(of: row.country), context.registries.symbol(of: row.currency))
    }
    let lastNames = LastNames(names, context.registries, finance?.statements ?? [])
    let printed = Names(
      symbols: context.registries.symbols.texts, products: lastNames.products, apps: lastNames.apps,
      appsOfProducts: lastNames.appsOfProducts)
    let prices = plan.prices.map { plan in
      PriceAssembly(
        plan, context.registries, printed, termsWithPlans: folded?.termsWithPlans.terms ?? [],
        lastDay: { [context] in $0 == .subscribers && context.keepsTally ? .last : nil })
    }
    var needsAllChains = false
    let outcome = prices?.outcome(for: sources) { report, fold in
      switch report.source {
      case .subscribers:
        guard let terms = folded?.termsWithPlans.terms else { return nil }
        return foldPrices(of: report, with: fold, terms, &needsAllChains)
      case .receipts:
        if let folded = context.memo?.foldedReceipts { return folded.prices(of: report, fold) }
        return receipts?.customers.flatMap { assembly.foldPrices(fold, $0) }
      case .events, .sales: return nil
      }
    }
    if needsAllChains { return nil }
    keepForLaterRuns(folded, sources, outcome?.prices ?? [])
    let testable = sources.filter { $0.source.dimensions.isSuperset(of: context.filter.dimensions) }
    return RunResult(
      plan: plan, files: reports, inputErrors: inputErrors + (outcome?.errors ?? []),
      sources: testable,
      unfilteredSources: sources.map(\.source).filter { source in
        !testable.contains { $0.source == source }
      }, names: printed, receiptNote: receipts?.note, customerTable: receipts?.table,
      prices: outcome?.prices ?? [], planReport: outcome?.plan, finance: finance,
      values: plan.collectsValues
        ? InputValues(
          usedAttributes(folded?.termsWithPlans.terms).union(receipts?.attributes ?? []),
          context.survey.files,
          printed,
          context.filter)
        : nil,
      changedSubscribers: chains.changedSubscribers, charges: keptCharges,
      receipts: receipts.flatMap { KeptReceipts($0, context) },
      context: plan.keepsContext ? context : nil, repeatedRows: repeatedRows,
      closedVendors: accounts.closed)
  }

  /// Returns the reports of all sources that have data.
  private func sources(
    _ folded: FoldedChains?, _ receipts: ReceiptAssembly.Outcome?
  ) -> [SourceReport] {
    var sources: [SourceReport] = []
    if context.plan.sources.contains(.events), let days = completeness(of: .events) {
      // Without SUBSCRIBER reports only the user names the products that are sold in instalments.
      let rules =
        folded == nil
        ? context.plan.billingPlans.rules(
          for: context.registries.snapshotTerms.map(\.attributes), context.registries) : [:]
      var report = SourceReport(
        tally: events, completeness: days,
        plans: rules.isEmpty
          ? nil : BillingPlans(InstalmentEvidence(), asOf: days.asOf, rules: rules),
        commitmentProducts: Set(rules.filter { $0.value != .only(.upfront) }.keys))
      report.hasOnlySnapshots = !hasEventReports
      report.hasStoppedSnapshots = hasStopped(.subscription)
      sources.append(report)
    }
    if context.plan.sources.contains(.sales), let days = completeness(of: .sales) {
      var report = SourceReport(tally: sales, completeness: days)
      // Tables of days use daily reports only.
      report.priceDays = VendorDays(.sales, reports).dailyDays(until: days.asOf)
      sources.append(report)
    }
    if let folded {
      sources.append(
        SourceReport(
          tally: folded.tally, completeness: folded.completeness, plans: folded.termsWithPlans.plans
        ))
    }
    if let receipts { sources.append(receipts.source) }
    return sources.sorted { $0.source < $1.source }
  }

  /// Passes the file reports and folded chains to the cache, for later runs.
  private func keepForLaterRuns(
    _ folded: FoldedChains?, _ sources: [SourceReport], _ prices: [PriceReport]
  ) {
    var folded = folded
    folded?.impact = prices.first { $0.source == .subscribers }?.impact
    let isSound = Check.ofRowsCounted(reports, sources)?.holds != false
    context.memo?.end(reports, folded, isSound: isSound, context)
  }

  private func usedAttributes(_ termsWithPlans: [ChargeTerms]?) -> Set<Attributes> {
    let chargeTerms = termsWithPlans ?? context.registries.chargeTerms
    let eventTerms = context.registries.eventTerms
    let snapshotTerms = context.registries.snapshotTerms
    let salesTerms = context.registries.salesTerms
    var used: Set<Attributes> = []
    for tracker in names {
      for (_, number) in tracker.charges.usedTerms { used.insert(chargeTerms[number].attributes) }
      for (_, number) in tracker.snapshots.usedTerms {
        used.insert(snapshotTerms[number].attributes)
      }
      for (_, number) in tracker.sales.usedTerms { used.insert(salesTerms[number].attributes) }
      for (_, number) in tracker.events.usedTerms {
        used.insert(eventTerms[number].attributes)
        var previous = Attributes()
        previous.product = eventTerms[number].previousProduct
        used.insert(previous)
      }
    }
    for recalled in recalledTerms where reports[recalled.index].isUsed {
      for number in recalled.terms { used.insert(chargeTerms[Int(number)].attributes) }
    }
    return used
  }

  /// Returns the days that a source covers, from the reports that were read to their end.
  ///
  /// For `events` only event reports count, where there are any: a snapshot has the subscriptions of its own day alone.
  func completeness(of source: Source) -> Completeness? {
    let kind: ReportKind =
      switch source {
      case .events: hasEventReports ? .subscriptionEvent : .subscription
      case .sales: .sales
      case .subscribers: .subscriber
      case .receipts: preconditionFailure("receipts have an as-of of their own")
      }
    let found = days(of: kind)
    guard let first = found.items.map(\.day).min(), let last = found.lastDay else { return nil }
    let asOf = min(last, context.plan.asOf ?? last)
    guard first <= asOf else { return nil }
    return Completeness(
      firstDay: found.firstDay(until: asOf) ?? first, asOf: asOf,
      presentDays: found.complete(until: asOf), coveredDays: found.covered(until: asOf),
      sharedMonths: found.sharedMonths(until: asOf, context.plan.monthSystem),
      monthSystem: context.plan.monthSystem,
      transfers: kind == .subscriber ? accounts.transfers : .none,
      hasStopped: hasStopped(kind))
  }

  /// Returns whether the reports of a kind end although other reports go on.
  private func hasStopped(_ kind: ReportKind) -> Bool {
    FeedEnd.all(reports, closed: accounts.closed, context.plan).contains {
      $0.kind == kind && !$0.missing.isEmpty
    }
  }

  /// Whether an event report is among the files.
  private var hasEventReports: Bool { !days(of: .subscriptionEvent).items.isEmpty }

  private func days(of kind: ReportKind) -> VendorDays {
    VendorDays(kind, reports, closed: accounts.closed, fetched: context.plan.fetched)
  }

  /// Counts the rows that files of other days date into a month without files: METRICS.md section 5, *No data*.
  private mutating func noteRowsOfMonthsWithoutFiles(_ sources: [SourceReport]) {
    for index in reports.indices where reports[index].isUsed {
      guard let rows = reports[index].eventDays?.counts,
        let days = sources.first(where: { $0.source == reports[index].kind.source })?.completeness
      else { continue }
      reports[index].rowsOfMonthsWithoutFiles = rows.reduce(0) { sum, entry in
        let isLater = context.plan.asOf.map { entry.key > $0 } ?? false
        let isCounted = !isLater && days.isWithoutFiles(days.monthSystem.month(of: entry.key))
        return sum &+ (isCounted ? entry.value : 0)
      }
    }
  }

  /// Drops the snapshot counts of days on which one vendor's snapshot is missing: the sum would be too small.
  private mutating func dropIncompleteSnapshots() {
    let found = days(of: .subscription)
    guard let last = found.items.map(\.day).max() else { return }
    let complete = found.complete(until: last)
    events.snapshotMonths = events.snapshotMonths.filter {
      complete.contains(context.plan.monthSystem.firstDay(of: $0) - 1)
    }
    events.snapshotDays.formIntersection(complete)
  }
}
