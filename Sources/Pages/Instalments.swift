import Counting
package import Pipeline
import Rendering
import SubscriptionModel
import Tables
import UserTables

/// Notes on one-year products that are sold in monthly instalments: METRICS.md 10.1.
package struct Instalments: Sendable {
  private let plans: [(source: Source, plans: BillingPlans)]
  /// The number of instalments of unknown position, by source; for receipts, the receipt note has it.
  private let counts: [(source: Source, instalments: Int)]
  /// Products that may be sold in instalments, by source.
  private let doubts: [(source: Source, products: [String])]
  /// Printed names of products sold in instalments according to a source or the config file.
  private let sold: [String]
  /// Names of `[plans]` that no report has; empty with receipts, whose products have no names and may match.
  private let unknown: [String]
  private let names: Names
  /// Sources whose rows do not state the plan.
  private let otherSources: [Source]

  init(_ result: RunResult) {
    plans = result.sources.compactMap { report in report.plans.map { (report.source, $0) } }
    names = result.names
    counts = result.sources.map { ($0.source, $0.tally.instalmentsWithoutPosition) }
      .filter { $0.1 > 0 }
    let known = result.sources.flatMap { $0.soldInInstalments.map(result.names.product) }
    let stated = result.plan.billingPlans.filter { $0.value != .only(.upfront) }.keys
      .flatMap { text in
        let names = result.names.products(text)
        return names.isEmpty ? [text] : names
      }
    sold = Set(known + stated).sorted()
    unknown =
      result.sources.contains { $0.source == .receipts }
      ? [] : result.plan.billingPlans.keys.filter { result.names.products($0).isEmpty }.sorted()
    doubts = result.sources.map { [names] report in
      (report.source, report.doubtfulProducts.map(names.product).sorted())
    }
    otherSources = result.sources.map(\.source).filter { !$0.dimensions.contains(.plan) }
  }

  /// Returns a sentence about a product that may be sold in instalments.
  private static func sentence(_ product: String, _ source: Source) -> String {
    source == .receipts
      ? "\(product) may be sold in instalments: its charges of a month are taken for whole periods"
      : "\(product) may be sold in instalments: its charges so far are taken for whole years"
  }

  /// One line for each unclear product, for a terminal.
  var sentences: [String] {
    unknown.map { "[plans] names \"\($0)\", which no report has" }
      + doubts.flatMap { source, products in
        products.map { product in
          let advice =
            source == .receipts
            ? "records of the App Store Server API say the plan"
            : "[plans] of subreport.toml says what they are"
          return "\(Self.sentence(product, source)); \(advice)"
        }
      }
  }

  /// Returns the page's lines in Markdown: prices taken for instalments, and unclear products.
  func lines(escaped: (String) -> String) -> [Problem] {
    let found = plans.flatMap { $0.plans.inferred }
    let lines = Dictionary(grouping: found, by: \.price.key.product).map { product, prices in
      let texts = prices.map { "\(text($0)) (\(counted($0.subscriptions, "subscription")))" }
        .sorted().joined(separator: ", ")
      return
        Problem(
          "Instalments",
          "\(escaped(names.product(product))) is sold in monthly instalments too; no column says which charges are, so these prices are taken for theirs: \(escaped(texts))."
        )
    }
    return lines.sorted { $0.text < $1.text } + statedLine(escaped)
      + doubts.flatMap { source, products in
        products.map { Problem("Instalments?", "\(escaped(Self.sentence($0, source))).") }
      }
  }

  /// Returns a line on products sold in instalments according to a column, a record or the config file.
  private func statedLine(_ escaped: (String) -> String) -> [Problem] {
    let inferred = Set(
      plans.flatMap { $0.plans.inferred }.map { names.product($0.price.key.product) })
    let stated = sold.filter { !inferred.contains($0) }
    if stated.isEmpty { return [] }
    let products = stated.map(escaped).joined(separator: ", ")
    return [
      Problem(
        "Instalments", "sold in monthly instalments too, as the data or `[plans]` say: \(products)."
      )
    ]
  }

  /// The rows of health.csv on instalments.
  var healthRows: [[ReportTable.Cell]] {
    let inferred = plans.flatMap { source, plans in
      plans.inferred.map { price in
        (
          source,
          "\(names.product(price.price.key.product)): instalments at \(text(price)): \(counted(price.subscriptions, "subscription")), \(price.pairs) paid twice about a month apart"
        )
      }
    }
    let unclear = doubts.flatMap { source, products in
      products.map { (source, Self.sentence($0, source)) }
    }
    let others = otherSources.flatMap { source in
      sold.map { (source, "\($0) is sold in instalments: counts may be instalments") }
    }
    let withoutPosition = counts.map { source, count in
      (source, "instalments of unknown position, not due: \(count)")
    }
    return (inferred + withoutPosition + unclear + others)
      .sorted { ($0.0.rawValue, $0.1) < ($1.0.rawValue, $1.1) }
      .map { RunResult.healthRow($0.rawValue, note: $1) }
  }

  /// Returns a price such as `4.99 EUR in DE`.
  private func text(_ inferred: BillingPlans.InferredPrice) -> String {
    let (key, price) = (inferred.price.key, inferred.price.milliunits)
    return
      "\(priceText(price, currency: names.text(key.currency))) in \(names.text(key.country))"
  }
}

extension RunResult {
  /// Lines about products that may be sold in monthly instalments.
  package var instalmentNotes: [String] { Instalments(self).sentences }
}
