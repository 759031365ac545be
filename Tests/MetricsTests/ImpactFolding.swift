import Metrics
import SubreportTestSupport
import SubscriptionModel

extension WorldBuilder {
  /// Returns what some of the subscribers say about changes of prices.
  func impactTally(of some: [Int], _ changes: [PriceChange]) -> ImpactTally {
    let completeness = completeness()
    var fold = ImpactFold(ImpactTally(ImpactScope(changes, asOf: completeness.asOf)))
    for subscriber in some {
      let history = history(subscriber)
      for index in history.chains.indices {
        fold.add(history.pricedChain(index, terms: terms, completeness), terms)
      }
    }
    return fold.tally
  }

  /// Returns the report of a tally.
  func impactReport(
    _ tally: ImpactTally, _ changes: [PriceChange], missing: Set<Day> = [],
    isShown: (PriceKey) -> Bool = { _ in true }
  ) -> ImpactReport {
    let whole = self.tally(of: Array(subscribers.indices), [[]], missing: missing)
    return ImpactReport(
      tally, changes: changes,
      of: SourceReport(tally: whole, completeness: completeness(missing: missing)),
      isShown: isShown)
  }

  /// Returns the report of all subscribers.
  func impactReport(_ changes: [PriceChange], missing: Set<Day> = []) -> ImpactReport {
    impactReport(
      impactTally(of: Array(subscribers.indices), changes), changes, missing: missing)
  }

  /// Returns a view of the report; products print as their ids.
  func impactTable(_ report: ImpactReport, _ view: ImpactView = .whole) -> ReportTable {
    ImpactReport.table(of: [report], by: view, plainNames)
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
