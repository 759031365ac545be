import AppStoreReports
package import Counting
import Storage
package import SubscriptionModel

/// Looks for instalments among all charges before they are folded: METRICS.md 10.1.
///
/// The evidence is a sum over subscriptions, so a night with a cache subtracts that of changed
/// subscribers and adds the new one. All charges are folded again if it changes the plan of any
/// charge of the last run.
package struct InstalmentSearch: ~Copyable {
  private var scan: InstalmentScan
  /// The current partition's records of one-year products.
  private var records: [ChargeRecord] = []
  private var sort = SubscriberSort()

  private mutating func add(_ parts: [ChargeStore.Partition], isUsable: [Bool]) {
    records.removeAll(keepingCapacity: true)
    let isOfYear = scan.isOfYear
    for chunk in parts.lazy.flatMap(\.chunks) {
      for record in chunk where isOfYear[Int(record.terms)] { records.append(record) }
    }
    sort.load([records], isUsable: isUsable)
    while let records = sort.nextSubscriber() { scan.add(records) }
  }

  /// Searches the charges of all threads, which stay there, for evidence that products are sold in instalments.
  package static func evidence(
    _ bins: PartitionBins, isUsable: [Bool], _ context: ReadContext, _ days: Completeness
  ) -> InstalmentEvidence {
    let terms = context.registries.chargeTerms
    guard InstalmentScan.isNeeded(terms) else { return InstalmentEvidence() }
    let parts = Workers.run(
      count: ChargeStore.partitionCount, jobs: context.plan.jobs,
      makeState: { InstalmentSearch(scan: InstalmentScan(terms: terms, days)) },
      work: { $0.add(bins.parts(of: $1), isUsable: isUsable) }, finish: { $0.scan.found() })
    return parts.reduce(into: InstalmentEvidence()) { $0.merge($1) }
  }
}

/// The terms of all charges, each with its billing plan, and marked if its price is contingent.
package struct TermsWithPlans: Sendable {
  package let plans: BillingPlans
  package let evidence: InstalmentEvidence
  package let terms: [ChargeTerms]

  /// Decides which charges are instalments, and which prices are contingent; the charges are complete up to as-of.
  package init(_ evidence: InstalmentEvidence, asOf: Day, _ context: ReadContext) {
    let terms = context.registries.chargeTerms
    let rules = context.plan.billingPlans.rules(
      for: terms.map(\.attributes), context.registries)
    self.evidence = evidence
    plans = BillingPlans(evidence, asOf: asOf, rules: rules)
    let contingent = MarkedPrices.contingent(context.registries)
    self.terms = plans.applied(
      to: terms, text: context.registries.text, symbol: context.registries.symbol
    ).map { own in
      guard contingent.contains(StorefrontKey(own), own.price.milliunits) else { return own }
      var own = own
      own.isContingent = true
      return own
    }
  }
}

extension MarkedPrices {
  /// Returns the prices that rows of the run's reports mark as contingent.
  static func contingent(_ registries: Registries) -> MarkedPrices {
    contingent(registries.chargeTerms, registries.salesTerms, no: registries.symbol(of: "no"))
  }
}

extension [ExactText: BillingPlanRule] {
  /// Returns the rules by product id; the user may give them by product name.
  func rules(
    for attributes: [Attributes], _ registries: Registries
  ) -> [Symbol: BillingPlanRule] {
    guard !isEmpty else { return [:] }
    var rules: [Symbol: BillingPlanRule] = [:]
    var named: [Symbol: Set<Symbol>] = [:]
    for own in attributes { named[own.product, default: []].insert(own.productName) }
    for (id, names) in named {
      // Of a product with several names in the list, the first by bytes decides.
      let texts = names.map(registries.text).sorted { $0.precedes($1) }
      rules[id] = ([registries.text(of: id)] + texts).lazy.compactMap { self[$0] }.first
    }
    return rules
  }
}
