package import Counting
import Pipeline
package import PriceImpact
import Rendering
import SubscriptionModel
package import Tables

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
