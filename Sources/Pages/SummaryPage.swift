import Counting
import Pipeline
import Rendering
import SubscriptionModel
import Tables

/// The page for readers, `summary.md`: PAGE.md.
///
/// What happened comes first, in three sentences and a table of headline numbers; then what changed them, a short table
/// for each metric from one source, the other sources, the health of the data, and what the numbers mean.
package struct SummaryPage: Sendable {
  private let content: PageContent
  private var detail = SummaryDetail()

  /// The paid periods of a retention curve that are shown.
  private static let shownPeriods: Set<Int> = [1, 2, 3, 6, 12, 24]
  /// The tables with a section.
  ///
  /// The section of `churn` names the file of `lapses`; commitments are shown with the headline numbers.
  private static let shownTables: [TableKind] = [
    .movement, .churn, .renewals, .retention, .trials, .refunds, .proceeds,
  ]

  package init(_ content: PageContent) { self.content = content }

  /// The page, with as much detail as ``SummaryDetail/mostLines`` allow.
  package var text: String {
    var page = self
    for detail in SummaryDetail.levels {
      page.detail = detail
      let text = page.textInDetail
      if text.count(where: { $0 == "\n" }) <= SummaryDetail.mostLines { return text }
    }
    return page.textInDetail
  }

  private var textInDetail: String {
    var page = "# \(content.title)\n\n\(health)\n\n"
    if !content.missingChurn.isEmpty { page += content.missingChurn + "\n\n" }
    if let words = content.words {
      let sentences = words.sentences(escaped: MarkdownText.escaped)
      if !sentences.isEmpty { page += sentences.joined(separator: " ") + "\n\n" }
      if words.hasValues {
        page +=
          "## Headline numbers\n\n\(words.table(currencies: detail.currencies))\n\(words.comparisons)\(words.noteOnProceeds)\n\n"
        let sales = content.proceedsOfSales
        if !sales.isEmpty { page += sales + "\n\n" }
      }
      page += owed
      if let drivers = words.driverTable(
        by: splitDimensions, currencies: detail.splitCurrencies)
      {
        let notes = partsOfChange(words) + words.unexplained + explanationOfChange(words)
        page += "## What changed them\n\n\(drivers)\n\(notes)\n\n"
      }
    }
    for kind in Self.shownTables { page += section(kind) }
    if !content.result.sources.isEmpty { page += prices }
    page += settlement
    page += otherSources + changes
    return page + content.health.text(lines: detail.problems) + meaning
  }

  /// The first line below the title: the data, and the health of it.
  private var health: String { "\(content.dataLine) \(content.healthLine)" }

  /// The answer in a few lines of plain text: the title, the data, what happened, and the headline numbers.
  package var brief: String {
    var lines = [
      content.title, health.replacing("`", with: "").replacing("**", with: ""),
    ]
    let missingChurn = content.missingChurn
    if !missingChurn.isEmpty { lines.append(missingChurn.replacing("**", with: "")) }
    lines += content.words?.sentences() ?? []
    lines += content.words?.lines ?? []
    return lines.map { VisibleText.of($0) + "\n" }.joined()
  }

  // MARK: Headlines

  /// The dimensions by which changes are split: the app where there are several, then those of PAGE.md.
  private var splitDimensions: [Dimension] {
    Array(content.splitDimensions.prefix(detail.dimensions))
  }

  /// What the parts of changes are, and which of them are tested for chance.
  private func partsOfChange(_ words: HeadlineWords) -> String {
    let changes = words.splitChanges(detail.splitCurrencies, by: splitDimensions)
    let tested = changes.contains { $0.headline.isRate } ? " `?` marks what may be chance." : ""
    let year = words.isComparedWithYearBefore ? ", and the year before" : ""
    let others = words.currenciesNotSplit(changes.map(\.currency), since: words.month - 1)
    return
      "The parts of a number add up to its change since the month before.\(tested)\(HeadlineWords.notTested(changes))\(words.countriesNotStated(splitBy: splitDimensions)) All parts\(others)\(year): `drivers.csv`."
  }

  /// What customers still owe under commitments in the headline month; blank without any.
  private var owed: String {
    guard let owed = OwedInstalments(content, currencies: detail.currencies) else {
      let why = content.commitmentsNotShown
      return why.isEmpty ? "" : why + "\n\n"
    }
    let notes = owed.notes + explanation(.commitments, owed.source)
    return "\(owed.caption)\n\n\(TableRenderer(.md).text(of: owed.table))\n\(notes)\n\n"
  }

  /// The price increases; blank in a run without prices.
  private var prices: String {
    guard let prices = content.prices else { return "" }
    let first = prices.shown.lazy.compactMap { content.explainComparison($0) }.first
    return prices.summary(explanation: explained(first))
  }

  /// The newest settlement; blank without finance files.
  private var settlement: String {
    guard let finance = content.finance else { return "" }
    let command = finance.periods.last.flatMap(content.explainBridge)
    return finance.summary(bridges: detail.bridges, explanation: explained(command))
  }

  /// The command that explains the largest part of the first change that has one, after a blank; blank without one.
  private func explanationOfChange(_ words: HeadlineWords) -> String {
    let dimensions = splitDimensions
    let parts = words.splitChanges(detail.splitCurrencies, by: dimensions).lazy.flatMap { whole in
      dimensions.lazy.compactMap {
        words.contributions(whole.headline, by: $0, whole.currency).first
      }
    }
    return explained(parts.compactMap { content.explainCommand($0) }.first)
  }

  // MARK: Sections

  /// Returns the source that a table is shown from, and its rows of the last months.
  ///
  /// Tables of money have a row for each currency, and show one month: the headline month, or the last one with rows.
  private func table(of kind: TableKind) -> (source: Source, table: ReportTable)? {
    let isMoney = kind == .refunds || kind == .proceeds
    let isStock = kind == .movement || kind == .churn
    let shown = content.table(
      of: kind, months: isMoney ? 1 : isStock ? detail.stockMonths : detail.months)
    guard shown == nil, isMoney, let earlier = content.table(of: kind, months: detail.months),
      let month = earlier.table.namedRows.last?.text("month")
    else { return shown }
    return (earlier.source, earlier.table.filtered("month") { $0 == month })
  }

  private func section(_ kind: TableKind) -> String {
    let byDuration = kind == .retention ? content.retentionByDuration : nil
    guard let (source, ofMonths) = byDuration ?? table(of: kind), let views = content.tables[kind]
    else { return "" }
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
    let earlier = kind == .refunds ? content.refundsOfEarlierSales(source) : ""
    if !earlier.isEmpty { text += earlier + "\n\n" }
    let hidden = ofMonths.currencyCount - currencies.count
    let more = hidden > 0 ? "\(OwedInstalments.moreCurrencies(hidden)) and a" : "A"
    let by = views.dropFirst().map { $0.dimensions.joined(separator: " and ") }
    let split =
      by.isEmpty
      ? ""
      : ", by \(by.joined(separator: ", ").replacing("_", with: " ")): `\(kind.rawValue)-by-….csv`"
    let captions: [TableKind: String] = [
      .renewals: Self.outcomes(source),
      .retention: byDuration == nil
        ? "Periods of all lengths together: a week counts as much as a year. "
        : "Only periods of one length are compared; shown are the lengths with most subscriptions. ",
      .refunds: "By month of the sale. ", .proceeds: "Refunds by month of the refund. ",
    ]
    let lapses = kind == .churn ? self.lapses(beside: source) : ""
    let few = table.noteOnFewAtRisk
    let notes = [
      noteOnMonth(kind, source, table),
      kind == .movement ? content.unexplainedChange(table, source) : "",
      kind == .movement ? content.churnedLater(table, source) : "",
      few.isEmpty ? "" : few.capitalizedFirst + ".",
    ]
    text += notes.filter { !$0.isEmpty }.map { $0 + " " }.joined()
    return text
      + "\(captions[kind] ?? "")\(more)ll months and sources: `\(kind.rawValue).csv`\(split)\(lapses).\(explanation(kind, source))\n\n"
  }

  /// Returns why the headline month is not in a table; blank where it is.
  private func noteOnMonth(_ kind: TableKind, _ source: Source, _ table: ReportTable) -> String {
    let why = content.monthWithoutRows(kind, source)
    guard why.isEmpty, let month = content.headlines?.month, !table.rows.isEmpty,
      table.columns.contains(where: { $0.name == "month" }),
      !table.namedRows.contains(where: { $0.text("month") == content.months.name(month) })
    else { return why }
    return "\(month.longName(content.months).capitalizedFirst) has no row."
  }

  /// Returns what columns of `renewals` count.
  ///
  /// In `events` a payment that failed is due, and what becomes of it is another event.
  ///
  /// - Parameter source: The source of the rows.
  /// - Returns: Sentences with a blank after them.
  private static func outcomes(_ source: Source) -> String {
    source == .events
      ? "`lapsed` is Apple's event `Cancel` at the end of a paid period. `pending`: payment failed; the outcome is counted when it comes. "
      : "`lapsed`: no charge within 60 days of the end (after an instalment: 90); younger ones are `pending`. "
  }

  /// Returns what the file of lapses has, after a semicolon; blank where it has no row.
  ///
  /// This is the first place of the page with the word.
  ///
  /// - Parameter source: The source of the section; where the file has others, they are named.
  /// - Returns: Such as: lapses of `subscribers`, which are paid periods that no charge followed in time, with gaps.
  private func lapses(beside source: Source) -> String {
    let rows = content.tables[.lapses]?.first(where: \.dimensions.isEmpty)?.namedRows ?? []
    let sources = Set(rows.map(\.source)).sorted()
    guard !sources.isEmpty else { return "" }
    let names = sources.map { "`\($0)`" }.joined(separator: " and ")
    let of = sources == [source.rawValue] ? "" : " of \(names)"
    return
      "; lapses\(of), which are paid periods that no charge followed in time, with gaps: `lapses.csv`"
  }

  /// The command that explains a section's main number, after a blank; blank without one.
  private func explanation(_ kind: TableKind, _ source: Source) -> String {
    guard kind == .retention else {
      // The command lists amounts in the currency of the sale.
      let isConverted = content.target != nil && (kind == .proceeds || kind == .refunds)
      return explained(
        content.explainCommand(kind, source), isConverted ? "Explain, before conversion" : "Explain"
      )
    }
    if let longest = content.durationCurves.first {
      return explained(
        content.explainRetention(
          longest.curve, longest.source, where: [("duration", longest.name)]))
    }
    let whole = content.table(of: .retention, months: 1)
    return explained(whole.flatMap { content.explainRetention($0.table, $0.source) })
  }

  /// Returns a command that explains a number, after a blank; blank without one.
  private func explained(_ command: String?, _ verb: String = "Explain") -> String {
    command.map { " \(verb): `\($0)`." } ?? ""
  }

  // MARK: Other sources

  /// The headline month's numbers in each source, and why they differ; blank with one source.
  private var otherSources: String {
    guard let table = content.otherSources, let month = content.headlines?.month else { return "" }
    let name = month.longName(content.months)
    return
      "## The other sources\n\nThe same business in \(name), counted by each source, each number with its state.\n\n"
      + TableRenderer(.md).text(of: table) + "\n"
      + content.sourceReasons.map { "- \($0)\n" }.joined() + "\n"
  }

  // MARK: Changes

  /// The main numbers that are not as the last run had them; blank without a ledger.
  private var changes: String {
    guard let changes = content.changes else { return "" }
    let table = changes.table.map { TableRenderer(.md).text(of: $0) + "\n" } ?? ""
    return "## \(ChangedNumbers.title)\n\n\(table)\(changes.sentence)\n\n"
  }

  // MARK: Meaning

  private var meaning: String {
    let shown = Self.shownTables.compactMap { kind in
      let byDuration = kind == .retention ? content.retentionByDuration : nil
      return (byDuration ?? table(of: kind)).map { (kind: kind, source: $0.source) }
    }
    let definitions = content.meanings(of: shown).map { "**\($0.title):** \($0.sentence)" }
    let lines = (definitions + content.readingHints).map { "- \($0)\n" }.joined()
    return "## What the numbers mean\n\n" + lines
  }
}
