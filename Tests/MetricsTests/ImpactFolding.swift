import Counting
import PriceImpact
import SubreportTestSupport
import SubscriptionModel
import Tables

extension WorldBuilder {
  /// Returns a subscriber's chains as prices need them.
  func pricedChains(_ subscriber: Int = 0) -> [PricedChain] {
    var chains = PricedChains(completeness(), capacity: 0)
    chains.append(history(subscriber), terms)
    var priced: [PricedChain] = []
    chains.forEach { priced.append($0) }
    return priced
  }

  /// Returns what some of the subscribers say about changes of prices.
  func impactTally(
    of some: [Int], _ changes: [PriceChange], lastDay: Day? = .last
  ) -> ImpactTally {
    var fold = ImpactFold(changes: changes, completeness: completeness(), lastDay: lastDay)
    for subscriber in some {
      for chain in pricedChains(subscriber) { fold.add(chain, terms) }
    }
    return fold.tally
  }

  /// Returns a maker of the tables of a tally, or of all subscribers; products print as their ids.
  func impactTables(
    _ changes: [PriceChange], _ tally: ImpactTally? = nil, missing: Set<Day> = []
  ) -> PriceTableMaker {
    let whole = self.tally(of: Array(subscribers.indices), [[]], missing: missing)
    let report = PriceReport(
      SourceReport(tally: whole, completeness: completeness(missing: missing)), changes: changes,
      impact: tally ?? impactTally(of: Array(subscribers.indices), changes))
    return PriceTableMaker([report], names: plainNames)
  }

  /// Names that print every product as its id.
  var plainNames: Names { Names(symbols: symbols, products: [:], apps: [:]) }
}

extension ReportTable {
  /// Returns a row by the names of its columns.
  func row(_ index: Int) -> [String: Cell] {
    Dictionary(uniqueKeysWithValues: zip(columns.map(\.name), rows[index]))
  }
}
