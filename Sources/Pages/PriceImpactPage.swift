package import Counting
package import Pipeline
package import PriceImpact
import Rendering
import Settlement
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
        + (plan.map { planText($0) } ?? "")
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
    if let plan { page += planText(plan) }
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
  /// The price tables of METRICS.md section 6 that the inputs allow: changes, effects of increases, and planned prices.
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

/// All price increases at a glance: a table of those that enough subscribers met, and a list of the others.
package struct ImpactOverview: Sendable {
  /// The increases, in the order of the page.
  let impacts: [PriceImpact]
  package let names: Names

  /// The increases that at least 30 renewals met.
  package var measured: [PriceImpact] { impacts.filter { $0.comparison.verdict != .tooFew } }
  /// The increases that fewer than 30 renewals met.
  package var tooFew: [PriceImpact] { impacts.filter { $0.comparison.verdict == .tooFew } }

  /// Returns the two parts, in Markdown; the part of no increase is left out.
  func text() -> String { table() + list() }

  // MARK: The table

  private func table() -> String {
    guard !measured.isEmpty else { return "" }
    return """
      ## All increases

      \(TableRenderer(.md).text(of: measuredTable))
      \(legend)


      """
  }

  /// The meaning of the table's columns, in Markdown.
  package var legend: String {
    let lost = """
      *Lost renewals* are those of the first renewal at the new price that did not come because of it, as a share of \
      all that were due; below 0, more came than elsewhere.
      """
    let breakEven = """
      *Break-even* is the loss that the new price makes up for at that renewal. Compare it with *lost of expected* \
      alone: both are shares of the renewals that would have come without the increase.
      """
    let others = """
      *Money* is what the increase made or cost at that renewal, if it was the cause. *Together* are the increases of \
      several storefronts, which also have rows of their own. An empty cell is not known.
      """
    let hasBreakEven = measured.contains { $0.breakEven != nil }
    return [lost, hasBreakEven ? breakEven : "", others].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// The increases that enough renewals met, one row each.
  package var measuredTable: ReportTable {
    var table = ReportTable(
      name: "increases", dimensions: [],
      columns: [
        .init("source", .text), .init("product", .text), .init("country", .text),
        .init("from", .text), .init("price", .rate), .init("met it", .count),
        .init("lost renewals", .rate), .init("95 % interval", .rate),
        .init("was it the increase?", .text), .init("break-even", .rate),
        .init("lost of expected", .rate), .init("did it pay?", .text), .init("money", .rate),
      ], rows: measured.map(row))
    if Set(impacts.map(\.source)).count == 1 { table = table.keeping { $0 != "source" } }
    return table.withoutEmptyColumns
  }

  private func row(_ impact: PriceImpact) -> [ReportTable.Cell] {
    let section = ImpactSection(impact: impact, names: names)
    let loss = impact.comparison.excessChurn
    let money = impact.money.map { money -> String in
      let currency = names.text(money.currency)
      let effect = ImpactSection.rounded(money.netEffect, currency: currency)
      return "\(HeadlineFigures.signed(.money(milliunits: effect), currency: currency)) \(currency)"
    }
    return [
      .text(impact.source.rawValue), .text(section.product), .text(section.places),
      .text(impact.effective.description),
      impact.isPooled ? .missing : .text(section.prices),
      .count(impact.exposed), loss.map { .text(section.percent($0.value)) } ?? .missing,
      loss.map { .text("\(section.percent($0.low)) to \(section.percent($0.high))") } ?? .missing,
      .text(section.shortVerdict),
      impact.breakEven.map { .text(section.percent($0.loss)) } ?? .missing,
      section.shortObserved.map { .text($0) } ?? .missing,
      section.shortPaid.map { .text($0) } ?? .missing, money.map { .text($0) } ?? .missing,
    ]
  }

  // MARK: The list

  private func list() -> String {
    guard !tooFew.isEmpty else { return "" }
    let lines = tooFew.map { impact in
      let section = ImpactSection(impact: impact, names: names)
      let source = Set(impacts.map(\.source)).count == 1 ? "" : " (`\(impact.source.rawValue)`)"
      return
        "- \(section.title)\(source): \(impact.reached) of \(impact.exposed) have come to that renewal; \(section.renewed)\n"
    }
    return """
      ## Too few to tell

      Fewer than 30 renewals per increase: too few to estimate its effect. `price_impact.csv` has the counts.

      \(lines.joined())

      """
  }
}

extension PriceImpactPage {
  /// Returns the effect of planned prices.
  private func planText(_ report: PlanReport) -> String {
    let table = ReportTable(
      name: "plan", dimensions: [],
      columns: [
        .init("product", .text), .init("country", .text), .init("from", .text),
        .init("price", .money), .init("planned", .money), .init("currency", .text),
        .init("meet it", .count), .init("in preflight", .count), .init("until week of", .text),
        .init("consent", .text), .init("loss it bears", .rate),
      ], rows: report.entries.map(row))
    return """
      ## Planned prices

      \(TableRenderer(.md).text(of: table))
      Counted are subscriptions at a lower standard price that run now, at their first renewal on or after \
      the day, if all renew until then: an upper bound. Those in an offer meet it later. *In preflight* are \
      at most ten days from that renewal: Apple may have checked it already, and they then meet the price \
      one period later. *Consent* `unknown` means that the storefront's rule, or an increase in the year \
      before, is not known. *Loss it bears* is the share of renewals that the new price makes up for at one \
      renewal. The weeks are in `price_plan.csv`.


      """
  }

  private func row(_ entry: PlanReport.Entry) -> [ReportTable.Cell] {
    let key = entry.planned.key
    let new = Int128(entry.planned.newPrice)
    let old = entry.oldPrice.map { Int128($0) }
    return [
      .text(names.product(key.product)), .text(names.text(key.country)),
      .text(entry.planned.date.description), .amount(old), .money(milliunits: new),
      .text(names.text(key.currency)), .count(entry.due),
      .count(entry.preflight), entry.lastWeek.map { .text($0.description) } ?? .missing,
      .text(entry.needsConsent.rawValue),
      old.map { .ratio(numerator: new - $0, denominator: new) } ?? .missing,
    ]
  }
}

extension ImpactSection {
  private static let chartWidth = 20

  /// A text chart of monthly renewal rates around a price increase: the treated and their control.
  var chart: String {
    let hasControl = !impact.controlMonths.isEmpty
    let months = Set((impact.treatedMonths + impact.controlMonths).map(\.month)).sorted()
    var lines = ["month  \(padded("this price"))" + (hasControl ? "  no change" : "")]
    for month in months {
      let treated = bar(impact.treatedMonths.first { $0.month == month })
      let control = bar(impact.controlMonths.first { $0.month == month })
      let line = "\(label(month))  \(padded(treated))" + (hasControl ? "  \(control)" : "")
      lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
    }
    return """
      Renewals by months of 30 days; month 0 begins with the increase, and from then on this price's are of \
      old and new customers:

      ```
      \(lines.joined(separator: "\n"))
      ```
      """
  }

  private func label(_ month: Int) -> String {
    let text = String(month)
    return String(repeating: " ", count: max(0, 5 - text.count)) + text
  }

  private func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, Self.chartWidth + 8 - text.count))
  }

  private func bar(_ month: ImpactMonth?) -> String {
    guard let month else { return "" }
    let length = (2 * Self.chartWidth * month.renewed + month.due) / (2 * month.due)
    let filled = String(repeating: "█", count: length)
    let rest = String(repeating: "·", count: Self.chartWidth - length)
    let rate = NumberStyle.percentage(Int128(month.renewed), over: Int128(month.due))
    return filled + rest + String(repeating: " ", count: max(1, 8 - rate.count)) + rate
  }
}
