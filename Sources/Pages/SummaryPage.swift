import Counting
import Pipeline
import Rendering
import SubscriptionModel
import Tables

/// The page for readers, `summary.md`: PAGE.md.
///
/// What happened comes first, in three sentences and a table of headline numbers; then what changed them, a short table
/// for each metric from one source, the other sources, the health of the data, and what the numbers mean.
struct SummaryPage {
  private let result: RunResult
  private let tables: [TableKind: [ReportTable]]
  private let headlines: HeadlineMaker?
  private let words: HeadlineWords?
  private let health: HealthSection
  private let prices: PriceImpactPage?
  private let finance: FinanceReport?
  /// The currency to which money is converted; `nil` without a conversion.
  private let target: String?
  /// Why there is no churn rate; blank when there is one.
  private let missingChurn: String
  private var detail = SummaryDetail()

  /// The paid periods of a retention curve that are shown.
  private static let shownPeriods: Set<Int> = [1, 2, 3, 6, 12, 24]
  /// The tables with a section.
  ///
  /// The section of `churn` names the file of `lapses`; commitments are shown with the headline numbers.
  private static let shownTables: [TableKind] = [
    .movement, .churn, .renewals, .retention, .trials, .refunds, .proceeds,
  ]

  init(
    _ result: RunResult, tables: [TableKind: [ReportTable]], checks: Checks,
    headlines: HeadlineMaker?, values: [HeadlineValue], drivers: [Driver],
    prices: PriceImpactPage?, finance: FinanceReport?, convertedTo target: String? = nil
  ) {
    self.result = result
    self.tables = tables
    self.headlines = headlines
    self.prices = prices
    self.finance = finance
    self.target = target
    missingChurn = result.missingChurn(values, headlines?.month)
    health = HealthSection(result, checks, SourceComparison(result, tables), finance)
    words = headlines.map { headlines in
      let name = result.plan.monthSystem.name(headlines.month)
      let proceeds = tables[.proceeds]?.first?.filtered("month") { $0 == name }
      let main = proceeds?.mainCurrencies(limit: HeadlineWords.shownCurrencies) ?? []
      return HeadlineWords(
        result, headlines.month, values, drivers: drivers, currencies: target.map { [$0] } ?? main,
        isConverted: target != nil)
    }
  }

  /// The page, with as much detail as ``SummaryDetail/mostLines`` allow.
  var text: String {
    var page = self
    for detail in SummaryDetail.levels {
      page.detail = detail
      let text = page.textInDetail
      if text.count(where: { $0 == "\n" }) <= SummaryDetail.mostLines { return text }
    }
    return page.textInDetail
  }

  private var textInDetail: String {
    var page = "# \(title)\n\n\(dataLine) \(health.line)\(partial)\n\n"
    if !missingChurn.isEmpty { page += missingChurn + "\n\n" }
    if let words {
      let sentences = words.sentences(escaped: MarkdownText.escaped)
      if !sentences.isEmpty { page += sentences.joined(separator: " ") + "\n\n" }
      if words.hasValues {
        page +=
          "## Headline numbers\n\n\(words.table(currencies: detail.currencies))\n\(words.comparisons)\n\n"
      }
      page += owed
      if let drivers = words.driverTable(
        by: splitDimensions, currencies: detail.splitCurrencies)
      {
        page += "## What changed them\n\n\(drivers)\n\(Self.partsOfChange)\(words.unexplained)\n\n"
      }
    }
    for kind in Self.shownTables { page += section(kind) }
    page += prices?.summary() ?? ""
    page += finance?.summary(bridges: detail.bridges) ?? ""
    page += otherSources
    return page + health.text(lines: detail.problems) + meaning
  }

  /// The answer in a few lines of plain text: the title, the data, what happened, and the headline numbers.
  var brief: String {
    var lines = [
      title,
      "\(dataLine) \(health.line)\(partial)".replacing("`", with: "").replacing("**", with: ""),
    ]
    if !missingChurn.isEmpty { lines.append(missingChurn.replacing("**", with: "")) }
    lines += words?.sentences() ?? []
    lines += words?.lines ?? []
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: Title

  private var title: String {
    guard let month = headlines?.month else {
      return finance.map { "Settlements\($0.result.settlementTitleEnd)" }
        ?? "Subscriptions\(result.titleEnd)"
    }
    let name = month.longName(result.plan.monthSystem)
    return
      "Subscriptions in \(name)\(result.isOver(month) ? "" : ", which is not over")\(result.titleEnd)"
  }

  /// The last day of the data and the source of the headlines.
  private var dataLine: String {
    let reports = result.sources.filter { $0.source != .receipts }
    let used = reports.isEmpty ? result.sources : reports
    let own = result.sources.first { $0.source == headlines?.headlineSource }
    guard let last = own?.completeness.asOf ?? used.map(\.completeness.asOf).min() else {
      return finance.map { "Settlements of \($0.periodText)." } ?? ""
    }
    guard let headlines, let source = headlines.headlineSource else { return "Data until \(last)." }
    let passedOver = HeadlineMaker.possibleSources.prefix { $0 != source }
      .filter { other in result.sources.contains { $0.source == other } }
    let why = passedOver.map { " (`\($0.rawValue)` is `partial` in this month)" }.first ?? ""
    return
      "Data until \(last); headline source `\(source.rawValue)`\(result.plan.primary == nil ? why : "")."
  }

  /// The headline numbers that are `partial`, in a sentence; blank without any.
  private var partial: String {
    guard let labels = words?.partialLabels, !labels.isEmpty else { return "" }
    return " Not complete in this month: \(labels.joined(separator: ", ").lowercased())."
  }

  // MARK: Headlines

  /// The dimensions by which changes are split: the app where there are several, then those of PAGE.md.
  private var splitDimensions: [Dimension] {
    let possible = ([.app] + RunResult.driverDimensions).filter(result.splitDimensions.contains)
    return Array(possible.prefix(detail.dimensions))
  }

  private static let partsOfChange =
    "The parts of a number add up to its change since the month before; `?` marks what may be chance. All parts, and the year before: `drivers.csv`."

  /// What customers still owe under commitments in the headline month; blank without any.
  private var owed: String {
    guard let (source, table) = table(of: .commitments), let month = headlines?.month else {
      return ""
    }
    let shown = table.filtered("month") { $0 == result.plan.monthSystem.name(month) }
    if shown.rows.isEmpty { return "" }
    let columns = ["currency", "running", "suspended", "remaining", "remaining_price", "state"]
    let currencies = shown.mainCurrencies(limit: detail.currencies)
    let owed = shown.keeping(columns.contains).filtered("currency") { currencies.contains($0) }
    let hidden = shown.currencyCount - currencies.count
    let more = hidden > 0 ? "\(Self.moreCurrencies(hidden)), and " : ""
    return
      "Commitments at the month's end (`\(source.rawValue)`): terms running, suspended, instalments to come and what customers still owe for them.\n\n"
      + TableRenderer(.md).text(of: owed.withoutEmptyColumns)
      + "\n\(more)\(more.isEmpty ? "I" : "i")nstalments due, paid and missed: `commitments.csv`.\n\n"
  }

  // MARK: Sections

  /// Returns the source that a table is shown from, and its rows: the headline source if it has rows of the shown months.
  private func table(of kind: TableKind) -> (source: Source, table: ReportTable)? {
    guard let whole = tables[kind]?.first(where: \.dimensions.isEmpty) else { return nil }
    let shown = rowsOfShownMonths(of: whole, kind)
    for source in headlines?.sourceOrder ?? [] {
      var table = shown.filtered("source") { $0 == source.rawValue }
      // If the source does not have the rate or amount, another source may.
      guard !table.rows.isEmpty, hasMainColumn(kind, table) else { continue }
      table = table.keeping { $0 != "source" && $0 != "dating" }
      return (source, table)
    }
    return nil
  }

  /// Returns whether a row has the rate of `trials` or the amount of `proceeds`; true for other tables.
  private func hasMainColumn(_ kind: TableKind, _ table: ReportTable) -> Bool {
    let names: [TableKind: String] = [.trials: "conversion_rate", .proceeds: "net_proceeds"]
    guard let name = names[kind], let column = table.columns.firstIndex(where: { $0.name == name })
    else { return true }
    return table.rows.contains { $0[column] != .missing }
  }

  private func section(_ kind: TableKind) -> String {
    guard let (source, ofMonths) = table(of: kind), let views = tables[kind] else { return "" }
    let definition = Definition.definition(of: kind)
    var table = ofMonths
    if let column = table.columns.firstIndex(where: { $0.name == "k" }) {
      table.rows = table.rows.filter { row in
        guard case .count(let k) = row[column] else { return false }
        return Self.shownPeriods.contains(k)
      }
    }
    let currencies = table.mainCurrencies(limit: detail.currencies)
    table = table.filtered("currency") { currencies.contains($0) }.withoutEmptyColumns
    var text = "## \(definition.title) (`\(source.rawValue)`)\n\n"
    text += TableRenderer(.md).text(of: table) + "\n"
    if kind == .refunds { text += refundsOfEarlierSales(source) }
    let hidden = ofMonths.currencyCount - currencies.count
    let more = hidden > 0 ? "\(Self.moreCurrencies(hidden)) and a" : "A"
    let by = views.dropFirst().map { $0.dimensions.joined(separator: " and ") }
    let split =
      by.isEmpty
      ? ""
      : ", by \(by.joined(separator: ", ").replacing("_", with: " ")): `\(kind.rawValue)-by-….csv`"
    let captions: [TableKind: String] = [
      .refunds: "By month of the sale. ", .proceeds: "Refunds by month of the refund. ",
    ]
    let lapses = kind == .churn && tables[.lapses] != nil ? "; with gaps: `lapses.csv`" : ""
    return text
      + "\(captions[kind] ?? "")\(more)ll months and sources: `\(kind.rawValue).csv`\(split)\(lapses).\n\n"
  }

  private static func moreCurrencies(_ count: Int) -> String {
    "\(count) more \(count == 1 ? "currency" : "currencies")"
  }

  /// Returns a sentence on refunds of sales that are not in the data.
  ///
  /// They are in no row by date of sale, but in those by the refund's own date.
  private func refundsOfEarlierSales(_ source: Source) -> String {
    guard let whole = tables[.refunds]?.first else { return "" }
    let sum = { (dating: String) -> Int in
      let rows = whole.namedRows.filter {
        $0.source == source.rawValue && $0.text("dating") == dating
      }
      return rows.reduce(0) { $0 + ($1["refunds_full"] ?? 0) + ($1["refunds_partial"] ?? 0) }
    }
    let earlier = sum("refund") - sum("sale")
    guard earlier > 0 else { return "" }
    return
      "\(counted(earlier, "refund")) of sales before the data \(earlier == 1 ? "counts" : "count") in net proceeds, and in `refunds.csv` under dating `refund` only.\n\n"
  }

  /// Returns the rows of the last months, with refunds by date of sale.
  ///
  /// Tables of money have a row for each currency, and show one month.
  private func rowsOfShownMonths(of whole: ReportTable, _ kind: TableKind) -> ReportTable {
    var table = whole
    if let last = headlines?.month {
      let isMoney = table.columns.contains { $0.name == "currency" }
      let isStock = kind == .movement || kind == .churn
      let count = isMoney ? 1 : isStock ? detail.stockMonths : detail.months
      let months = Set((0..<count).map { result.plan.monthSystem.name(last - $0) })
      table = table.filtered("month") { months.contains($0) }
    }
    return table.filtered("dating") { $0 == "sale" }
  }

  // MARK: Other sources

  /// The headline month's rates, churn and active subscriptions in each source, and why they differ; blank with one.
  private var otherSources: String {
    guard let headlines else { return "" }
    let sources = result.sources.map(\.source).sorted()
    let rates = HeadlineFigures.figures.filter {
      $0.column.hasSuffix("_rate") || ["close_observed", "churned"].contains($0.column)
    }
    let figures = rates.compactMap { figure -> [ReportTable.Cell]? in
      guard let table = tables[figure.table]?.first(where: \.dimensions.isEmpty),
        let column = table.columns.firstIndex(where: { $0.name == figure.column })
      else { return nil }
      let month = table.filtered("month") { $0 == result.plan.monthSystem.name(headlines.month) }
      let cells = sources.map { source in
        month.filtered("source") { $0 == source.rawValue }.rows.first?[column] ?? .missing
      }
      guard cells.count(where: { $0 != .missing }) > 1 else { return nil }
      return [.text(figure.label)] + cells
    }
    guard !figures.isEmpty else { return "" }
    let table = ReportTable(
      name: "sources", dimensions: [],
      columns: [.init("number", .text)] + sources.map { .init($0.rawValue, .rate) }, rows: figures)
    let name = headlines.month.longName(result.plan.monthSystem)
    let reasons = result.sources.compactMap(reason)
    return "## The other sources\n\nThe same business in \(name), counted by each source.\n\n"
      + TableRenderer(.md).text(of: table.withoutEmptyColumns) + "\n"
      + reasons.map { "- \($0)\n" }.joined() + "\n"
  }

  /// Returns why a source's numbers differ from the others'.
  private func reason(_ report: SourceReport) -> String? {
    switch report.source {
    case .subscribers:
      "`subscribers` begins on \(report.completeness.firstDay): subscriptions from before may not have been seen yet."
    case .events:
      "`events` dates a lapse after failed payments at the end of Apple's retry, up to 60 days later than the others, and takes active subscriptions from snapshots."
    case .receipts:
      "`receipts` ends on \(report.completeness.asOf), counts in UTC, and knows only customers whose receipts are in the dumps."
    case .sales: nil
    }
  }

  // MARK: Meaning

  private var ofCurrencies: String {
    guard let target else { return "Currencies are never added up." }
    return
      "Currencies are added up only in headline numbers and their drivers, converted to \(MarkdownText.escaped(target))."
  }

  private var meaning: String {
    let sources = Set(result.sources.map(\.source))
    let shown = Self.shownTables.filter { table(of: $0) != nil }
    let definitions = shown.map { kind in
      let definition = Definition.definition(of: kind, for: sources)
      return "- **\(definition.title):** \(definition.sentence)\n"
    }
    return """
      ## What the numbers mean

      \(definitions.joined())- **States:** `partial`: days of the month's data are missing, or subscriptions from before \
      the data may not have been seen yet. `provisional`: the number can still change. `final`: nothing \
      known is outstanding.
      - A **lapse** is a paid period that ended with no charge in time. An empty cell means not known; 0 means zero. \(ofCurrencies) `low` and `high` bound a \
      95 % interval.
      - Every rule: `subreport metrics -f md`.

      """
  }
}
