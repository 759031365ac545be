package import Counting
package import Pipeline
package import PriceImpact
import Rendering
import Storage
import SubscriptionModel
package import Tables

/// The page about price increases, `price_impact.md`, for those who decide on prices and those who bear the cost.
///
/// All increases come first, in a table; those that too few subscribers met, in a list. Then an increase in many
/// storefronts has one section for all of them (*pooled*), and the largest increases of each product have their own.
package struct PriceImpactPage: Sendable {
  package let impacts: [PriceImpact]
  let plan: PlanReport?
  package let names: Names
  /// The end of the title: the filters and options that narrow the numbers.
  let titleEnd: String
  /// Why no increase is measured, for a page without one.
  package let noIncrease: NoIncrease

  /// The largest number of increases of one product with a section of their own, without pooled ones.
  private static let shownIncreases = 5

  /// Returns the page; `nil` without an increase and without a plan.
  package func text() -> String? {
    guard !impacts.isEmpty || plan != nil else { return nil }
    var page = "# Price increases\(titleEnd)\n\n"
    guard !impacts.isEmpty else {
      return page + noIncrease.text + "\n\n"
        + (plan.map { PlanSection(report: $0, names: names).text() } ?? "")
    }
    page += """
      What each increase did at the first renewal at which existing subscribers met it. A *loss* here is a \
      share of renewals that did not happen because of the increase, as far as those who met no change can \
      tell; whoever leaves at a later renewal is not in it.


      """
    let shown = shown
    page += overview.text()
    if !noIncrease.besides.isEmpty { page += noIncrease.besides + "\n\n" }
    for impact in shown { page += ImpactSection(impact: impact, names: names).text() }
    let hidden = overview.measured.count - shown.count
    if hidden > 0 {
      page +=
        "\(counted(hidden, "smaller increase")) \(hidden == 1 ? "has" : "have") no section here: see the table above and `price_impact.csv`.\n\n"
    }
    if let plan { page += PlanSection(report: plan, names: names).text() }
    return page + Self.readingGuide
  }

  /// All increases at a glance, pooled ones first, then the largest ones.
  package var overview: ImpactOverview {
    let bySize = impacts.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.isPooled != other.isPooled { return one.isPooled }
      return one.exposed != other.exposed
        ? one.exposed > other.exposed : left.offset < right.offset
    }
    return ImpactOverview(impacts: bySize.map(\.element), names: names)
  }

  /// The increases with a section: pooled ones, and the largest ones of each product.
  package var shown: [PriceImpact] {
    var count: [ExactText: Int] = [:]
    return overview.measured.filter { impact in
      guard !impact.isPooled else { return true }
      let product = "\(impact.source) \(names.product(impact.product))"
      count[product, default: 0] += 1
      return count[product, default: 0] <= Self.shownIncreases
    }
  }

  private static let readingGuide = """
    ## How to read this

    - **Reasons.** Apple names a price increase as the reason of a lapse only where a customer was asked for \
    consent and did not give it. Where none is needed, which is most increases, those who leave switch off \
    renewal and count as `voluntary`: `lapsed_price_reason`, and Apple's own reports, count too few. The \
    comparison above does not ask for reasons.
    - **Comparison.** The renewal rate after the increase, less the rate of the 90 days before it, less the \
    same difference of those who met no change; all for subscriptions of the same ages. Apple's own trends, \
    seasons and app versions are in both.
    - **Interval.** In 95 of 100 such cases the truth lies between the two bounds. When 0 is among them the \
    data do not show that anything was lost, nor that nothing was.
    - **Money** is at that one renewal. A customer who stays pays the higher price again; one who left does \
    not come back by himself.

    """
}

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
    let impacts = priceTableMaker.impacts()
    return PriceImpactPage(
      impacts: impacts, plan: planReport, names: names, titleEnd: titleEnd,
      noIncrease: NoIncrease(self, impacts: impacts))
  }

  /// `price_plan.csv`; `nil` without a plan.
  package var planTable: ReportTable? { planReport?.table(names) }
}
