public import Metrics
import SubscriptionModel

extension RunResult {
  /// The tables of section 6 of METRICS.md that the inputs allow: which prices changed, what increases did,
  /// and whom planned ones would meet.
  public var priceTables: [ReportTable] {
    let sources = Set(sources.map(\.source))
    guard plan.prices != nil, !sources.isDisjoint(with: [.receipts, .sales, .subscribers]) else {
      return []
    }
    let maker = tableMaker()
    var tables = [maker.priceChangesTable()]
    if !sources.isDisjoint(with: [.receipts, .subscribers]) {
      tables += ImpactView.allCases.map { maker.priceImpactTable(view: $0) }
      tables.append(maker.priceImpactMonthsTable())
    }
    if let planTable { tables.append(planTable) }
    return tables
  }

  /// The page about prices; `nil` when nobody asked for it.
  var pricePage: PriceImpactPage? {
    guard plan.prices != nil else { return nil }
    return PriceImpactPage(
      tableMaker().priceImpacts(), plan: planReport, names, titleEnd: titleEnd)
  }

  /// `price_plan.csv`; `nil` without a plan.
  public var planTable: ReportTable? { planReport?.table(names) }
}
