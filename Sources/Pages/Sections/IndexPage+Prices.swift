import Counting
import Pipeline
import PriceImpact
import Rendering
import Storage
import SubscriptionModel
import Tables

extension IndexPage {
  /// The increases that are drawn: the ten largest.
  private static let shownIncreases = 10
  /// The titles of increases that too few subscribers met.
  private static let shownTitles = 10

  /// Each price increase: who met it, whether renewals were lost, and the money; `nil` for settlements alone.
  var pricesSection: PageSection? {
    guard let prices = content.prices, !content.result.sources.isEmpty else { return nil }
    return PageSection("prices", "Price increases") { page in
      guard !prices.impacts.isEmpty else {
        page.paragraph(markdown: prices.noIncrease.text, linking: files)
        return
      }
      append(prices.overview, to: &page)
      page.paragraph(markdown: prices.noIncrease.besides, linking: files)
      for (place, impact) in prices.shown.prefix(Self.shownIncreases).enumerated() {
        append(ImpactSection(impact: impact, names: prices.names), place, to: &page)
      }
      page.paragraph(
        markdown:
          "\(prices.reasonsOfApple)More: `price_impact.md`, `price_impact.csv`, `price_changes.csv`.",
        linking: files, class: "note")
    }
  }

  private var priceFrame: FigureFrame {
    FigureFrame(
      months: months, files: ["price_impact.csv"].filter(files.contains),
      command: command.line("price-impact", "-f csv"))
  }

  private func append(_ overview: ImpactOverview, to page: inout HTMLWriter) {
    if !overview.measured.isEmpty {
      let table = overview.measuredTable
      if let figure = Figures.increases(overview, table, priceFrame) {
        append(figure, to: &page)
      } else {
        append(table, "All increases", to: &page)
      }
      page.paragraph(markdown: overview.legend, class: "note")
    }
    if !overview.tooFew.isEmpty {
      page.paragraph(markdown: overview.renewedOfFew(atMost: Self.shownTitles))
    }
  }

  private func append(_ section: ImpactSection, _ place: Int, to page: inout HTMLWriter) {
    let impact = section.impact
    page.element(.h3) { InlineMarkdown.append(section.title, to: &$0) }
    page.paragraph(markdown: section.change)
    page.paragraph(markdown: section.exposure)
    page.paragraph(markdown: "**Was it the increase?** \(section.verdict)")
    page.paragraph(markdown: section.breakEven ?? "")
    var frame = priceFrame
    frame.explanation = content.explainCommand(impact, "reached")
    append(Figures.outcomes("increase-\(place)-outcomes", section, frame), to: &page)
    if let money = impact.money {
      frame.explanation = content.explainCommand(impact, "net_effect")
      append(
        Figures.money(
          "increase-\(place)-money", money, section, frame), to: &page)
    }
    frame.files = ["price_impact-months.csv"].filter(files.contains)
    frame.command = nil
    frame.explanation = content.explainComparison(impact)
    if let figure = Figures.increase(
      "increase-\(place)-months", impact, monthRows(section), frame)
    {
      append(figure, to: &page)
    }
    page.folded("Money, and how sure this is") { page in
      page.paragraph(markdown: "**Money.** \(section.money)")
      page.paragraph(markdown: "**How sure is this?** \(section.certainty)")
    }
  }

  /// Returns the rows of `price_impact-months` about an increase.
  private func monthRows(_ section: ImpactSection) -> ReportTable {
    let impact = section.impact
    let all =
      tables.priceTable(PriceTable.months.rawValue)
      ?? ReportTable(name: PriceTable.months.rawValue, dimensions: [], columns: [], rows: [])
    let key = impact.changes[0].key
    let keys: KeyValuePairs<String, String> = [
      "source": impact.source.rawValue, "product": section.names.product(impact.product),
      "country": impact.isPooled ? "*" : section.names.text(key.country),
      "currency": impact.isPooled ? "" : section.names.text(key.currency),
      "plan": key.planName, "effective": impact.effective.description,
    ]
    let columns = ["group", "month", "due", "renewed", "renewal_rate", "low", "high"]
    return keys.reduce(all) { table, key in
      table.filtered(key.key) { $0.isSame(as: key.value) }
    }.keeping(columns.contains)
  }
}
