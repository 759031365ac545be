package import Counting
package import Storage
package import SubscriptionModel

extension WorldBuilder {
  /// Returns the evidence of instalments in the charges of some subscribers.
  package func instalmentSigns(of some: [Int]) -> InstalmentEvidence {
    var scan = InstalmentScan(terms: terms, completeness())
    for subscriber in some {
      let records = subscribers[subscriber]
        .filter { terms[Int($0.terms)].standardTerm == .year }
        .sorted { ($0.day, $0.order) < ($1.day, $1.order) }
      scan.add(records[...])
    }
    return scan.found()
  }

  /// Returns how the products of the world are paid.
  package func billingPlans(_ rules: [Symbol: BillingPlanRule] = [:]) -> BillingPlans {
    BillingPlans(
      instalmentSigns(of: Array(subscribers.indices)), asOf: asOf, rules: rules)
  }

  /// Returns the plan of each of the world's terms.
  package func plans(_ plans: BillingPlans) -> [BillingPlan] {
    terms.map { own in plans.plan(of: own) { symbols[Int($0)] } }
  }
}
