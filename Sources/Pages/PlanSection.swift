import Counting
import Pipeline
import PriceImpact
import Rendering
import Settlement
import SubscriptionModel
import Tables

/// The effect of planned prices, for `price_impact.md`.
struct PlanSection {
  let report: PlanReport
  let names: Names

  func text() -> String {
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
