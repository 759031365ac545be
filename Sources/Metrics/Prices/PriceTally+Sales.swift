public import SubscriptionModel

extension PriceTally {
  /// Adds units of SALES rows of an auto-renewable subscription at its standard price.
  ///
  /// - Parameters:
  ///   - units: How many; more than 0.
  ///   - terms: The rows' terms.
  ///   - day: The Begin Date.
  public mutating func add(_ units: Int, _ terms: SalesTerms, on day: Day) {
    let product = terms.attributes.product
    if let term = terms.standardTerm, durations[product] == nil { durations[product] = term }
    let origin: Origin =
      switch terms.purchase {
      case .new: .new
      case .renewal: .unknownPeriod
      case .unknown: .elsewhere
      }
    if terms.isPreserved, origin != .unknownPeriod { return }
    let arrival = Arrival(
      origin: origin, point: Int32(number(of: terms.price, terms.attributes)),
      isPreserved: terms.isPreserved, day: day)
    arrivals[arrival, default: 0] += units
  }
}
