package import Counting
import Pipeline
package import PriceImpact
import Rendering
import Storage
import SubscriptionModel
package import Tables

/// The section on one price increase, or on several pooled.
package struct ImpactSection: Sendable {
  package let impact: PriceImpact
  package let names: Names

  /// Creates the section on an increase.
  ///
  /// - Parameters:
  ///   - impact: The increase.
  ///   - names: The names of products and storefronts.
  package init(impact: PriceImpact, names: Names) { (self.impact, self.names) = (impact, names) }

  var comparison: ImpactComparison { impact.comparison }

  /// Returns the section; only an increase that enough subscribers met has one.
  func text() -> String {
    var parts = [
      "## \(title)", change, exposure, outcomes, "**Was it the increase?** \(verdict)",
    ]
    if let breakEven { parts.append(breakEven) }
    parts.append("**Money.** \(money)")
    parts.append("**How sure is this?** \(certainty)")
    parts.append(RenewalChart(impact: impact).text())
    return parts.joined(separator: "\n\n") + "\n\n"
  }

  /// One line about the increase, for a list.
  var headline: String {
    let rate = comparison.renewalRate.map { ", \(percent($0.rate)) of them renewed" } ?? ""
    let breakEven = comparedWithBreakEven.map { " \($0)" } ?? ""
    return "\(title): \(counted(impact.reached, "renewal")) reached\(rate). \(verdict)\(breakEven)"
  }

  // MARK: What changed, and for whom

  /// Such as `Pro Monthly, US: 9.99 → 11.99 USD from 2026-05-26`, in Markdown.
  package var title: String {
    let product = MarkdownText.escaped(product)
    guard !impact.isPooled else {
      return "\(product), \(impact.changes.count) increases together from \(day)"
    }
    return
      "\(product), \(MarkdownText.escaped(places)): \(MarkdownText.escaped(prices)) from \(day)"
  }

  /// The product and how it is paid.
  var product: String {
    names.product(impact.product)
      + (impact.plan == .commitment ? " in monthly instalments" : "")
  }

  /// The day of the increase, such as `26 May 2026`.
  private var day: String { PageText.shortDay(impact.effective) }

  /// The country, or the number of countries that are added up.
  var places: String {
    let countries = Set(impact.changes.map(\.key.country))
    return impact.isPooled
      ? "\(PageText.counted(countries.count, "country", "countries")) together"
      : names.text(impact.changes[0].key.country)
  }

  /// The old and the new price of a single increase.
  var prices: String {
    let change = impact.changes[0]
    let currency = names.text(change.key.currency)
    let text = { (price: Int64?) in
      price.map { NumberStyle.amount(milliunits: Int128($0), currency: currency) } ?? "?"
    }
    return
      "\(text(change.oldPrice)) → \(text(change.newPrice)) \(currency)"
  }

  /// The change of the price in words.
  package var change: String {
    guard !impact.isPooled else {
      let countries = Set<ExactText>(of: impact.changes.map { names.text($0.key.country) }).inOrder
      return """
        **What changed.** The price rose in \(PageText.counted(countries.count, "country", "countries")) between \
        \(day) and \(PageText.shortDay(impact.changes.last?.date ?? impact.effective)): \
        \(MarkdownText.escaped(countries.joined(separator: ", "))). They are added up here; money is not, \
        because of the currencies: where it is known, `price_impact.csv` has it for each country.
        """
    }
    let single = impact.changes[0]
    var text = "**What changed.** \(MarkdownText.escaped(prices))"
    if let old = single.oldPrice, let new = single.newPrice {
      text += ", \(NumberStyle.percentage(Int128(new - old), over: Int128(old))) more"
    }
    text += ", from \(day)"
    if impact.effectiveExisting != impact.effective {
      text +=
        " for new customers and from \(PageText.shortDay(impact.effectiveExisting)) for existing ones"
    }
    return text
      + (single.origin == .file ? ", as the list of price changes says." : ", as the charges show.")
  }

  /// The subscriptions that met the new price, in words.
  package var exposure: String {
    var text = """
      **Who met it.** \(counted(impact.exposed, "subscription")): \(NumberStyle.grouped(impact.reached)) have come to that \
      renewal, \(impact.count(.notReached)) not yet.
      """
    if impact.count(.preserved) > 0 {
      text += " \(impact.count(.preserved)) more keep the old price by your choice."
    }
    if impact.source == .receipts, impact.exposed > 0 {
      text += """
         Apple asked \(impact.count(.consentAsked)) for consent: \(impact.count(.consentGiven)) agreed, \
        \(impact.count(.consentPending)) did not answer so far; \(impact.count(.notified)) were only told.
        """
    }
    return text
  }

  // MARK: Renewals and lapses

  private var outcomes: String {
    "**What they did.**\(ofWhich)\n\n" + TableRenderer(.md).text(of: outcomeTable).dropLast()
  }

  /// The outcomes of the subscriptions that came to the renewal: one row for each that happened.
  package var outcomeTable: ReportTable {
    let facts: [(String, ExposureFact)] = [
      ("renewed at the new price", .renewedNewPrice),
      ("renewed at the old price", .renewedOldPrice),
      ("renewed at another price", .renewedOtherPrice),
      ("changed the product or plan", .changedProduct),
      ("came back within 60 days", .recovered), ("left", .lapsed), ("not decided yet", .pending),
    ]
    return ReportTable(
      name: "outcomes", dimensions: [],
      columns: [
        .init("what they did", .text), .init("subscriptions", .count), .init("share", .rate),
      ],
      rows: facts.filter { impact.count($0.1) > 0 }.map { name, fact in
        [.text(name), .count(impact.count(fact)), .rate(impact.count(fact), of: impact.reached)]
      })
  }

  /// More about the outcomes, in sentences that begin with a space; blank without any.
  var ofWhich: String {
    var text = ""
    if impact.count(.changedToCheaper) > 0 {
      text += " \(impact.count(.changedToCheaper)) of those who changed pay less a day now."
    }
    if impact.count(.refundUndecided) == 0, impact.count(.refunded) > 0 {
      text += " \(impact.count(.refunded)) who renewed took their money back within 60 days."
    }
    if impact.source == .receipts, impact.count(.lapsed) > 0 {
      text += " Apple gives the price as the reason of \(impact.count(.lapsedPriceReason))"
      text += " of those who left, which is too few."
    }
    return text
  }

  func percent(_ fraction: Double) -> String { NumberStyle.percentage(fraction) ?? "?" }
}
