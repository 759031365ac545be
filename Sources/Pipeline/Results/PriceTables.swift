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

  /// `price_impact.md`; `nil` when no increase was found and none is planned.
  var pricePage: String? {
    guard plan.prices != nil else { return nil }
    let found = PriceImpactPage(tableMaker().priceImpacts(), names).text()
    guard let planReport else { return found }
    return (found ?? "# Price increases\n\nNo price increase was found.\n\n")
      + PlanSection(planReport, names).text()
  }

  /// `price_plan.csv`; `nil` without a plan.
  public var planTable: ReportTable? { planReport?.table(names) }
}
