import AppStoreReports
import Counting
import Entitlements
import Files
import Receipts
import Scanning
import Storage
package import SubscriptionModel
import Tables

/// Turns the contents of dumps into chains, facts and rows: joins customers, then folds them on all threads.
package struct ReceiptAssembly {
  /// The receipt results of a run.
  struct Outcome: Sendable {
    var source: SourceReport
    var note: String
    var table: ReportTable?
    /// The customers, kept for the second pass over prices, and to explain tables.
    var customers: ReceiptCustomers?
    /// The attributes of the periods, collected to check filter values.
    var attributes: Set<Attributes> = []
  }

  private static let partitionCount = 256

  private let context: ReadContext
  private let plan: ReceiptPlan
  /// The responses ignored because they are after as-of.
  private let later: LaterReceipts
  private let lines: [DumpRow: Int]
  private let snapshots: Snapshots

  init(
    _ context: ReadContext, later: LaterReceipts, lines: [DumpRow: Int],
    _ snapshots: Snapshots = Snapshots()
  ) {
    self.snapshots = snapshots
    self.later = later
    self.lines = lines
    self.context = context
    plan = context.plan.receipts
  }

  /// Creates the assembly of a step of a run that is divided among processes; `later` are those of the whole run.
  package init(ofStep context: ReadContext, later: LaterReceipts = LaterReceipts()) {
    self.init(context, later: later, lines: [:])
  }

  /// Folds all receipts; `nil` when no receipt was used.
  func outcome() -> Outcome? {
    if let folded = context.memo?.foldedReceipts {
      let leftOut = leftOut(later.originalIDs.subtracting(folded.laterIDsFound))
      return outcome(folded.counts, folded.statements, leftOut: leftOut, nil)
    }
    let identities = identities()
    let settings = settings()
    let stores = context.receipts.take()
    let leftOut = leftOut(stores)
    var statements = stores.reduce(into: ReceiptStatements()) { $0.merge($1.statements) }
    statements.snapshots = snapshots
    let customers = ReceiptCustomers(
      stores, statements: statements, identities: identities, settings: settings)
    guard customers.count > 0, let counts = counts(of: customers) else { return nil }
    return outcome(counts, customers.statements, leftOut: leftOut, customers)
  }

  private func outcome(
    _ counts: ReceiptCounts, _ statements: ReceiptStatements, leftOut: Completeness.LeftOut?,
    _ customers: ReceiptCustomers?
  ) -> Outcome? {
    guard let asOf = customers?.asOf ?? self.asOf(statements) else { return nil }
    return Outcome(
      source: SourceReport(
        tally: counts.tally,
        completeness: Completeness(
          receiptsFrom: counts.tally.firstChargeDay, asOf: asOf, leftOut: leftOut,
          monthSystem: context.plan.monthSystem),
        commitmentProducts: statements.commitmentProducts),
      note: counts.summary.note(isVerified: plan.roots != nil), table: counts.rows?.table(),
      customers: context.plan.prices != nil || context.plan.keepsReceipts ? customers : nil,
      attributes: counts.attributes)
  }

  // MARK: Customers

  /// Joins the customers in the run's store, which is empty afterwards.
  ///
  /// The store may have only a part of the responses of the run; the statements are those of all.
  package func customers(_ statements: ReceiptStatements) -> ReceiptCustomers {
    let identities = identities()
    let settings = settings()
    return ReceiptCustomers(
      context.receipts.take(), statements: statements, identities: identities, settings: settings)
  }

  /// Returns counts of no customer, to add to.
  package func emptyCounts(asOf: Instant) -> ReceiptCounts {
    // The end of receipts is found by reading them, that of reports before they are read.
    let months = context.survey.months
    let monthSystem = context.plan.monthSystem
    return ReceiptCounts(
      tally: context.emptyTally(
        .receipts,
        months: months.lowerBound...max(months.upperBound, monthSystem.month(of: asOf.day) + 1)))
  }

  /// Counts customers on all threads; `nil` without any response.
  package func counts(of customers: ReceiptCustomers) -> ReceiptCounts? {
    guard let asOf = customers.asOf else { return nil }
    let empty = emptyCounts(asOf: asOf).tally
    let symbols = customers.settings.symbols
    let printer = CustomerPrinter(
      plan.customerTable?.naming, paths: context.survey.files.map(\.file.relativePath),
      lines: lines, symbols: symbols)
    let rows = plan.customerTable.map { self.rows($0.kind, symbols) }
    let registries = context.registries
    let collectsValues = context.plan.collectsValues
    let contingent = MarkedPrices.contingent(registries)
    let parts = Workers.run(
      count: Self.partitionCount, jobs: context.plan.jobs,
      makeState: {
        CustomerFold(
          ReceiptHistory(customers),
          ReceiptFold(
            customers: customers, tally: empty, contingent: contingent,
            symbol: { registries.symbol(of: $0) }),
          rows, printer, collectsValues: collectsValues)
      },
      work: { $0.add(customers.partition($1, of: Self.partitionCount)) },
      finish: { $0.result() })
    var counts = parts.dropFirst().reduce(into: parts.first) { $0?.merge($1) }
    counts?.summary.sharedTokens = customers.sharedTokens.count
    counts?.summary.doubledTokens = customers.doubledTokens
    return counts
  }

  /// Returns the numbers of responses and chains after as-of; `nil` when there are none.
  private func leftOut(_ stores: [ReceiptStore]) -> Completeness.LeftOut? {
    guard later.responses > 0 else { return nil }
    return leftOut(
      stores.reduce(later.originalIDs) { left, store in
        left.subtracting(store.originalIDs(among: left))
      })
  }

  private func leftOut(_ chains: Set<ReceiptID>) -> Completeness.LeftOut? {
    guard later.responses > 0 else { return nil }
    return Completeness.LeftOut(records: later.responses, chains: chains.count)
  }

  /// Returns the as-of of receipts, from the statements of all responses of the run.
  ///
  /// That of the plan if it leaves out responses, else the time of the newest response; `nil` without any response.
  package func asOf(_ statements: ReceiptStatements) -> Instant? {
    statements.newest.map { later.responses > 0 ? plan.asOf ?? $0 : $0 }
  }

  /// Goes through the chains a second time, for price increases.
  package func foldPrices(_ fold: PriceFold, _ customers: ReceiptCustomers) -> PriceFold.Part? {
    let registries = context.registries
    let contingent = MarkedPrices.contingent(registries)
    return .merged(
      Workers.run(
        count: Self.partitionCount, jobs: context.plan.jobs,
        makeState: {
          ReceiptPriceFold(
            fold, ReceiptHistory(customers),
            ReceiptTerms(
              symbols: customers.settings.symbols, contingent: contingent,
              symbol: { registries.symbol(of: $0) }))
        },
        work: { $0.add(customers.partition($1, of: Self.partitionCount)) },
        finish: { $0.result() }))
  }

  private func rows(_ kind: CustomerTable.Kind, _ symbols: [String]) -> ReceiptRows {
    switch kind {
    case .timeline: return ReceiptRows(.timeline, symbols: symbols)
    case .chains: return ReceiptRows(.chains, symbols: symbols)
    case .eligibility: return ReceiptRows(.eligibility, symbols: symbols)
    case .access(let items):
      let registries = context.registries
      let items = items.map { item in
        ContentItem(
          id: item.id, published: item.published, app: registries.symbol(of: item.app),
          group: registries.symbol(of: item.group), product: registries.symbol(of: item.product))
      }
      return ReceiptRows(.access, symbols: symbols, content: ContentCatalogue(items: items))
    }
  }

  private func settings() -> ReceiptSettings {
    let registries = context.registries
    func bySymbol<Value>(_ values: [ExactText: Value]) -> [Symbol: Value] {
      Dictionary(uniqueKeysWithValues: values.map { (registries.symbol(of: $0.text), $1) })
    }
    let groups = bySymbol(plan.groups).mapValues { registries.symbol(of: $0) }
    let durations = bySymbol(plan.durations)
    var settings = ReceiptSettings(
      symbols: registries.symbols.texts,
      toleranceSeconds: plan.environment == .production
        ? ReceiptSettings.productionTolerance : ReceiptSettings.sandboxTolerance,
      asOf: later.responses > 0 ? plan.asOf : nil)
    settings.groups = groups
    settings.durations = durations
    settings.billingPlans = bySymbol(context.plan.billingPlans)
    return settings
  }

  /// Returns the customers that the file of `--identities` names.
  package func identities() -> ReceiptIdentities {
    var identities = ReceiptIdentities()
    let registries = context.registries
    var symbols = LocalSymbols(registries.symbols)
    for identity in plan.identities {
      let name = registries.symbol(of: identity.customer)
      switch identity.key {
      case .originalTransactionID(let text):
        identities.name(name, originalID: ReceiptID(text, &symbols))
      case .appAccountToken(let text):
        identities.name(name, token: registries.symbol(of: text.lowercased()))
      }
    }
    return identities
  }
}

extension ReceiptSummary {
  /// Returns the remarks of health.csv on all receipts, for what belongs to no single file, sorted by bytes.
  func note(isVerified: Bool) -> String {
    let counts = [
      ("chains without a group (group unknown)", chainsWithoutGroup),
      ("conflicting copies", conflicts), ("family chains", familyChains),
      ("expiry not after purchase", withoutLength), ("no expiry", withoutExpiry),
      ("refunds without their purchase", loneRefunds),
      ("refunds that a newer row lacks", withdrawnRefunds),
      ("overlapping non-renewing periods", overlaps), ("plan inferred", inferredPlans),
      ("instalments of unknown position, not due", unknownPositions),
      ("account token shared", sharedTokens),
      ("account with two subscriptions of a group at once", doubledTokens),
      ("paid charges without a price", pricedCharges > 0 ? unpricedCharges : 0),
    ]
    let notes = counts.filter { $0.1 > 0 }.map { "\($0.0): \($0.1)" }
    return (notes + (isVerified ? ["signatures checked"] : ["signatures not checked"]))
      .sorted { $0.precedes($1) }.joined(separator: "; ")
  }
}
