import Counting
import Pipeline
import Rendering
package import SubscriptionModel
package import Tables

/// What customers still owe under commitments at the end of the headline month: METRICS.md section 5, Commitments.
///
/// `commitments.csv` counts terms that began before the data in `position_unknown` alone. Here their instalments are
/// printed as not known, not as 0.
package struct OwedInstalments {
  /// The source of the numbers.
  package let source: Source
  /// One row for each currency shown, with words where a number is not known.
  package let table: ReportTable
  /// Why numbers are not known, and how many currencies are not shown, in Markdown; blank where all is shown.
  package let notes: String

  /// The words for a number that is not known.
  static let unknown = "not known"

  /// Reads the rows of the headline month; `nil` where no source has a commitment in it.
  ///
  /// - Parameters:
  ///   - content: The content of the page.
  ///   - limit: The most currencies.
  package init?(_ content: PageContent, currencies limit: Int) {
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
    let more = hidden > 0 ? "\(Self.moreCurrencies(hidden).capitalizedFirst)." : ""
    notes = Self.reasons(shown, source) + more
  }

  /// The meaning of the table, in Markdown.
  package var caption: String {
    "Commitments at the month's end (\(ReportData.words(source))): terms running, of these suspended, instalments to come and what customers still owe for them."
  }

  /// Returns such as `2 more currencies`.
  static func moreCurrencies(_ count: Int) -> String {
    "\(count) more \(count == 1 ? "currency" : "currencies")"
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
