import Counting
package import Pipeline
import PriceImpact
import SubscriptionModel
package import Tables

extension RunResult {
  /// The price tables that the inputs allow: price changes, effects of increases, and planned prices.
  ///
  /// METRICS.md section 6.
  package var priceTables: [ReportTable] {
    let sources = Set(sources.map(\.source))
    guard plan.prices != nil, !sources.isDisjoint(with: [.receipts, .sales, .subscribers]) else {
      return []
    }
    let maker = priceTableMaker
    var tables = [maker.changesTable()]
    if !sources.isDisjoint(with: [.receipts, .subscribers]) {
      tables += ImpactView.allCases.map { maker.impactTable(view: $0) }
      tables.append(maker.impactMonthsTable())
    }
    if let planTable { tables.append(planTable) }
    return tables
  }

  /// The page about prices; `nil` when it was not requested.
  package var pricePage: PriceImpactPage? {
    guard plan.prices != nil else { return nil }
    return PriceImpactPage(
      impacts: priceTableMaker.impacts(), plan: planReport, names: names, titleEnd: titleEnd,
      noIncrease: NoIncrease(self))
  }

  /// `price_plan.csv`; `nil` without a plan.
  package var planTable: ReportTable? { planReport?.table(names) }
}
