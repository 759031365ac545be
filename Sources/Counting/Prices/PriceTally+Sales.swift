import Storage
package import SubscriptionModel

extension PriceTally {
  /// Adds units of SALES rows of an auto-renewable subscription at its standard price.
  ///
  /// - Parameters:
  ///   - units: The number of units; more than 0.
  ///   - terms: The rows' terms.
  ///   - day: The Begin Date.
  package mutating func add(_ units: Int, _ terms: SalesTerms, on day: Day) {
    let product = terms.attributes.product
    if let term = terms.standardTerm { addDuration(term, of: product) }
    if terms.isContingent || (terms.isPreserved && terms.purchase != .renewal) { return }
    let point = number(of: terms.price, terms.attributes)
    switch terms.purchase {
    case .new: days[point].new.add(units, on: day)
    case .unknown: days[point].otherCharges.add(units, on: day)
    case .renewal:
      let transition = Transition(
        origin: .unknownPeriod, point: Int32(point), isPreserved: terms.isPreserved, day: day)
      transitions[transition, default: 0] += units
    }
  }

  /// Adds the duration of a product; of several, which no product should have, the shortest counts, in any order.
  mutating func addDuration(_ term: Term, of product: Symbol) {
    if let other = durations[product], (other.months, other.days) <= (term.months, term.days) {
      return
    }
    durations[product] = term
  }
}
