import Counting
package import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Notes on one-year products that are sold in monthly instalments: METRICS.md 10.1.
package struct Instalments: Sendable {
  private let plans: [(source: Source, plans: BillingPlans)]
  /// The number of instalments of unknown position, by source; for receipts, the receipt note has it.
  private let counts: [(source: Source, instalments: Int)]
  /// Products that may be sold in instalments, by source.
  private let doubts: [(source: Source, products: [String])]
  /// Printed names of products sold in instalments, by the source that knows it.
  private let knownBySource: [(source: Source, products: [String])]
  /// Printed names of products sold in instalments according to a source or the config file.
  private let sold: [String]
  /// Printed names of products of which `[plans]` says how they are paid.
  private let decided: Set<ExactText>
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
    knownBySource = result.sources.map { [names] report in
      (report.source, report.soldInInstalments.map(names.product).inByteOrder())
    }
    let known = knownBySource.flatMap(\.products)
    let printed = { (text: String) -> [String] in
      let names = result.names.products(text)
      return names.isEmpty ? [text] : names
    }
    decided = Set<ExactText>(of: result.plan.billingPlans.keys.flatMap { printed($0.text) })
    let stated = result.plan.billingPlans.filter { $0.value != .only(.upfront) }.keys
      .flatMap { printed($0.text) }
    sold = Set<ExactText>(of: known + stated).inOrder
    unknown =
      result.sources.contains { $0.source == .receipts }
      ? []
      : result.plan.billingPlans.keys.map(\.text)
        .filter { result.names.products($0).isEmpty }.inByteOrder()
    doubts = result.sources.map { [names] report in
      (report.source, report.doubtfulProducts.map(names.product).inByteOrder())
    }
    otherSources = result.sources.map(\.source).filter { !$0.dimensions.contains(.plan) }
  }

  private static func sentence(_ product: String, _ source: Source) -> String {
    source == .receipts
      ? "\(product) may be sold in instalments: its charges of a month are taken for whole periods"
      : "\(product) may be sold in instalments: its charges so far are taken for whole years"
  }

  /// One line for each unclear product, for a terminal.
  ///
  /// Receipts state the plan in some records only, and the user cannot add it to the others: so they are on the page alone.
  var sentences: [String] {
    unknown.map { "[plans] names \"\($0)\", which no report has" }
      + doubts.filter { $0.source != .receipts }.flatMap { source, products in
        products.filter { !decided.contains($0) }.map {
          "\(Self.sentence($0, source)); [plans] of subreport.toml says what they are"
        }
      }
  }

  /// Returns the page's lines in Markdown, each with its source: prices taken for instalments, products that the data or
  /// `[plans]` say are sold so, and unclear products.
  ///
  /// One source may have the plan of a product that another source, which names it by its id, does not have.
  func lines(escaped: (String) -> String) -> [Problem] {
    let open = doubts.map { source, products in
      (source: source, products: products.filter { !decided.contains($0) })
    }
    let doubtful = open.filter { !$0.products.isEmpty }.map { source, products in
      let reading =
        source == .receipts
        ? "until `[plans]` tells, each charge of a month counts as a whole period"
        : "until `[plans]` tells, each charge counts as a whole year"
      let names = products.map(escaped).joined(separator: ", ")
      return Problem(
        "Instalments?", "\(ReportData.words(source)): \(names) may be sold in them; \(reading).")
    }
    return inferredLines(escaped) + statedLines(escaped) + doubtful
  }

  /// Returns a line on each product with prices that count as those of instalments.
  private func inferredLines(_ escaped: (String) -> String) -> [Problem] {
    let lines = plans.flatMap { source, plans in
      Dictionary(grouping: plans.inferred, by: \.price.key.product).map { product, prices in
        let sorted = prices.map { (text: text($0), count: $0.subscriptions) }.sorted {
          $0.text.precedes($1.text)
        }
        let texts = sorted.enumerated().map { number, price in
          let count = number == 0 ? counted(price.count, "subscription") : "\(price.count)"
          return "\(price.text) (\(count))"
        }.joined(separator: ", ")
        return Problem(
          "Instalments",
          "\(ReportData.words(source)): \(escaped(names.product(product))) is sold in monthly instalments too; no column tells which, so the price does (`[plans]` overrides): \(escaped(texts))."
        )
      }
    }
    return lines.sorted { $0.text.precedes($1.text) }
  }

  /// Returns a line for each source on the products sold in instalments according to its columns or records, and one on
  /// those of the config file alone.
  private func statedLines(_ escaped: (String) -> String) -> [Problem] {
    let inferred = Set<ExactText>(
      of: plans.flatMap { $0.plans.inferred }.map { names.product($0.price.key.product) })
    let known = Set<ExactText>(of: knownBySource.flatMap(\.products))
    let configured = sold.filter { !known.contains($0) && !inferred.contains($0) }
    let stated = knownBySource.map { source, products in
      (
        start: "\(ReportData.words(source)): ",
        products: products.filter { !inferred.contains($0) },
        who: "the data or `[plans]` say"
      )
    }
    let all = stated + [(start: "", products: configured, who: "`[plans]` says")]
    return all.filter { !$0.products.isEmpty }.map { line in
      let names = line.products.map(escaped).joined(separator: ", ")
      let verb = line.products.count == 1 ? "is" : "are"
      return Problem(
        "Instalments", "\(line.start)\(names) \(verb) sold in them too, as \(line.who).")
    }
  }

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
      .sorted {
        ($0.0.rawValue, ExactText($0.1)) < ($1.0.rawValue, ExactText($1.1))
      }
      .map { RunResult.healthRow($0.rawValue, note: $1) }
  }

  /// Returns a price such as `4.99 EUR in DE`.
  private func text(_ inferred: BillingPlans.InferredPrice) -> String {
    let (key, price) = (inferred.price.key, inferred.price.milliunits)
    let currency = names.text(key.currency)
    let amount = NumberStyle.amount(milliunits: Int128(price), currency: currency)
    return "\(amount) \(currency) in \(names.text(key.country))"
  }
}

extension RunResult {
  /// Lines about products that may be sold in monthly instalments.
  package var instalmentNotes: [String] { Instalments(self).sentences }
}

/// What customers still owe under commitments at the end of the headline month: METRICS.md section 5, Commitments.
///
/// `commitments.csv` counts terms that began before the data in `position_unknown` alone. Here their instalments are
/// printed as not known, not as 0.
struct OwedInstalments {
  let source: Source
  /// One row for each currency shown, with words where a number is not known.
  let table: ReportTable
  /// Why numbers are not known, and how many currencies are not shown, in Markdown; blank where all is shown.
  let notes: String

  static let unknown = "not known"

  /// Reads the rows of the headline month; `nil` where no source has a commitment in it.
  init?(_ content: PageContent, currencies limit: Int) {
    guard let (source, rows) = content.table(of: .commitments, months: 1),
      let month = content.headlines?.month
    else { return nil }
    let ofMonth = rows.filtered("month") { $0 == content.months.name(month) }
    guard !ofMonth.rows.isEmpty else { return nil }
    self.source = source
    let currencies = ofMonth.mainCurrencies(limit: limit)
    let shown = ofMonth.filtered("currency") { currencies.contains($0) }.namedRows
    table = ReportTable(
      name: TableKind.commitments.rawValue, dimensions: [],
      columns: [
        .init("currency", .key), .init("terms running", .count), .init("suspended", .count),
        .init("instalments to come", .count), .init("still owed", .money), .init("state", .text),
      ], rows: shown.map(Self.row))
    let hidden = ofMonth.currencyCount - currencies.count
    let more = hidden > 0 ? "\(PageText.moreCurrencies(hidden).capitalizedFirst)." : ""
    notes = Self.reasons(shown, source) + more
  }

  /// The meaning of the table, in Markdown.
  var caption: String {
    "Commitments at the month's end (\(ReportData.words(source))): terms running, of these suspended, instalments to come and what customers still owe for them."
  }

  /// The number of terms whose instalments to come are not known, and of the others.
  private static func terms(_ row: ReportTable.NamedRow) -> (unknown: Int, known: Int) {
    let unknown = row["position_unknown"] ?? 0
    return (unknown, (row["running"] ?? 0) - unknown)
  }

  private static func row(_ row: ReportTable.NamedRow) -> [ReportTable.Cell] {
    let terms = terms(row)
    let hasNothingKnown = terms.unknown > 0 && terms.known == 0
    let known = { (name: String) -> ReportTable.Cell in
      let cell = row.cell(name)
      return hasNothingKnown || cell == .missing ? .text(unknown) : cell
    }
    let currency = row.text("currency")
    return [
      .text(currency.isEmpty ? unknown : currency), row.cell("running"), known("suspended"),
      known("remaining"), known("remaining_price"), row.cell("state"),
    ]
  }

  /// Returns the reasons for the numbers that are not known, each with a blank behind it.
  private static func reasons(_ rows: [ReportTable.NamedRow], _ source: Source) -> String {
    var text = ""
    let unknown = rows.reduce(0) { $0 + terms($1).unknown }
    if unknown > 0 {
      text +=
        "\(counted(unknown, "term")) began before the data: how many instalments are to come is not known, and they are not in the amounts. "
    }
    let unpriced = rows.filter { $0.cell("remaining_price") == .missing && terms($0).known > 0 }
    if unpriced.contains(where: { $0.text("currency").isEmpty }), source == .receipts {
      text += "Receipts that carry no price do not say what is owed. "
    }
    let foreign = unpriced.map { $0.text("currency") }.filter { !$0.isEmpty }
    if !foreign.isEmpty {
      text +=
        "What is owed in \(foreign.map(MarkdownText.escaped).joined(separator: ", ")) is not known: some customers pay in another currency. "
    }
    return text
  }
}
