import AppStoreReports
import Metrics
import SubscriptionModel

/// Finds the changes of prices of a run's sources, with those that the user states.
///
/// What the user states can only be judged when all is read: by then it is known which products there are
/// and which days.
struct PriceChangeSearch {
  /// What is wrong with the user's file.
  private(set) var errors: [InputError] = []

  private let plan: PricePlan
  private let registries: Registries
  private let names: Names
  /// The increases that some source has taken.
  private var used: Set<Int> = []
  private var unusedReason: [Int: String] = [:]

  init(_ plan: PricePlan, _ registries: Registries, _ names: Names) {
    self.plan = plan
    self.registries = registries
    self.names = names
  }

  /// Returns the changes of one source.
  mutating func changes(in tally: Tally, _ completeness: Completeness) -> [PriceChange] {
    guard let prices = tally.prices else { return [] }
    let firstDay = tally.source == .receipts ? prices.firstDay : completeness.firstDay
    guard let firstDay else { return [] }
    let given = given(prices.products, firstDay...max(firstDay, completeness.asOf))
    return prices.changes(firstDay: firstDay, asOf: completeness.asOf, given: given)
  }

  /// Says which increases of the user's no source could take, and why.
  mutating func finish() {
    for (index, reason) in unusedReason.sorted(by: { $0.key < $1.key }) where !used.contains(index) {
      errors.append(
        InputError(
          path: "\(plan.path):\(plan.increases[index].line)", code: "bad-table", message: reason))
    }
  }

  private mutating func given(
    _ products: Set<Symbol>, _ days: ClosedRange<Day>
  ) -> [GivenPriceChange] {
    var given: [GivenPriceChange] = []
    var lineOfKey: [PriceKey: Int] = [:]
    for (index, increase) in plan.increases.enumerated() {
      let known = ids(increase.product).filter(products.contains)
      guard let product = known.first else {
        note(index, "column \"product\": found \"\(increase.product)\", expected a product of the reports")
        continue
      }
      guard known.count == 1 else {
        note(index, "column \"product\": found \"\(increase.product)\", a name of \(known.count) products; expected an Apple ID")
        continue
      }
      guard days.contains(increase.effective) else {
        note(
          index,
          "column \"effective\": found \"\(increase.effective)\", expected a day of the data, \(days.lowerBound) to \(days.upperBound)")
        continue
      }
      let key = PriceKey(
        product: product, country: registries.symbol(of: increase.country),
        currency: registries.symbol(of: increase.currency))
      if let line = lineOfKey[key] {
        note(index, "column \"product\": found \"\(increase.product)\", expected one row for the product, which line \(line) has too")
        continue
      }
      lineOfKey[key] = increase.line
      used.insert(index)
      given.append(
        GivenPriceChange(
          key: key, date: increase.effective, oldPrice: increase.oldPrice,
          newPrice: increase.newPrice))
    }
    return given
  }

  /// The ids that a text may stand for: itself, and those of the products of that name.
  private func ids(_ text: String) -> Set<Symbol> {
    Set((names.productIDs(text) + [text]).map { registries.symbol(of: $0) })
  }

  private mutating func note(_ index: Int, _ reason: String) {
    unusedReason[index] = reason
  }
}
