package import Counting
package import PriceImpact
package import SubscriptionModel

extension WorldBuilder {
  /// Returns the prices that some subscribers were charged.
  package func prices(of some: [Int]) -> PriceTally {
    var tally = PriceTally()
    tally.learn(terms)
    for subscriber in some { tally.add(history(subscriber)) }
    return tally
  }

  /// Returns the changes of prices in the world.
  package func priceChanges(given: [PriceChange] = []) -> [PriceChange] {
    prices(of: Array(subscribers.indices))
      .changes(firstDay: firstFileDay, asOf: asOf, given: given)
  }

  /// Returns a subscriber's chains as prices need them.
  package func pricedChains(_ subscriber: Int = 0) -> [PricedChain] {
    var chains = PricedChains(completeness(), capacity: 0)
    chains.append(history(subscriber), terms)
    var priced: [PricedChain] = []
    chains.forEach { priced.append($0) }
    return priced
  }

  /// Returns the counts of some subscribers around changes of prices.
  package func impactTally(
    of some: [Int], _ changes: [PriceChange], lastDay: Day? = .last
  ) -> ImpactTally {
    var fold = ImpactFold(changes: changes, completeness: completeness(), lastDay: lastDay)
    for subscriber in some {
      for chain in pricedChains(subscriber) { fold.add(chain, terms) }
    }
    return fold.tally
  }

  /// Returns a maker of the tables of a tally, or of all subscribers; products print as their ids.
  package func impactTables(
    _ changes: [PriceChange], _ tally: ImpactTally? = nil, missing: Set<Day> = []
  ) -> PriceTableMaker {
    let whole = self.tally(of: Array(subscribers.indices), [[]], missing: missing)
    let report = PriceReport(
      SourceReport(tally: whole, completeness: completeness(missing: missing)), changes: changes,
      impact: tally ?? impactTally(of: Array(subscribers.indices), changes))
    return PriceTableMaker([report], names: plainNames)
  }

  /// Names that print every product as its id.
  package var plainNames: Names { Names(symbols: symbols, products: [:], apps: [:]) }
}
