import AppStoreReports
import Metrics
import Rendering
import SubscriptionModel

/// The page for people, `summary.md`.
///
/// Health first, then the month's headlines, then a short table per metric with the sentence that
/// defines it.
struct SummaryPage {
  private let result: RunResult
  private let tables: [TableKind: [ReportTable]]
  private let days: DayCoverage
  private let checks: Checks
  private let comparison: SourceComparison
  private let finance: FinanceReport?
  private var page = ""

  /// How many months a table of the page shows; tables of money have a row a currency, so fewer.
  private static let shownMonths = (counts: 6, money: 2)
  /// How many currencies a table of the page shows: those with the most charges.
  private static let shownCurrencies = 5
  /// The paid periods of a retention curve that the page shows.
  private static let shownPeriods: Set<Int> = [1, 2, 3, 4, 6, 9, 12, 24]
  /// How many items a list of the page shows before it refers to a file.
  private static let shownItems = 10

  init(
    _ result: RunResult, tables: [TableKind: [ReportTable]], checks: Checks,
    finance: FinanceReport?
  ) {
    self.result = result
    self.finance = finance
    self.tables = tables
    self.checks = checks
    comparison = SourceComparison(result, tables)
    days = result.days
  }

  /// Returns the page.
  consuming func text() -> String {
    writeTitle()
    writeHealth()
    page += HeadlineFigures(result, tables).text()
    page += comparison.text
    for kind in TableKind.allCases { writeMetric(kind) }
    page += result.pricePage?.summary() ?? ""
    if let finance { page += finance.summary() }
    writeReadingGuide()
    return page
  }

  private mutating func writeTitle() {
    page += "# Subscriptions"
    if let month = result.lastCompleteMonth() {
      page += " to \(month.longName(result.plan.monthSystem))"
    }
    page += "\n\n"
    let spans = result.sources.map { report in
      "`\(report.source.rawValue)` from \(report.completeness.firstDay) to \(report.completeness.asOf)"
    }
    page += spans.isEmpty ? "" : "Data: " + spans.joined(separator: ", ") + ".\n\n"
  }

  // MARK: Health

  private mutating func writeHealth() {
    page += "## Health of the data\n\n"
    let problems = problemLines()
    if problems.isEmpty {
      // Receipts have no days to be missing.
      page += days.entries.isEmpty ? "Every" : "All days are there, every"
      page += " row was read, and every check holds.\n\n"
    } else {
      page += problems.map { "- \($0)\n" }.joined() + "\n"
    }
    writeReportHealth()
    guard let note = result.receiptNote else { return }
    let rows = result.files.filter(\.isReceiptDump).map(\.rows)
    let sum = { (count: (RowCounts) -> Int) in rows.map(count).reduce(0, +) }
    page += """
      Receipts: \(counted(sum(\.read), "row")) in \(counted(rows.count, "dump")), \(sum(\.used)) used, \
      \(sum(\.rejected)) rejected, \(sum(\.ignoredTotal)) left aside (`health.csv` says why); \
      \(MarkdownText.escaped(note)).


      """
  }

  private mutating func writeReportHealth() {
    let kinds = Set(days.entries.map(\.kind)).sorted()
    guard !kinds.isEmpty else { return }
    let table = ReportTable(
      name: "days", dimensions: [],
      columns: [
        .init("report", .text), .init("days with rows", .count), .init("empty days", .count),
        .init("missing days", .count), .init("rows read", .count), .init("used", .count),
        .init("rejected", .count), .init("left aside", .count),
      ],
      rows: kinds.map { kind in
        let rows = result.files.filter { $0.kind.rawValue == kind }.map(\.rows)
        return [
          .text(kind), .count(days.count(.present, kind: kind)),
          .count(days.count(.empty, kind: kind)), .count(days.count(.missing, kind: kind)),
          .count(rows.map(\.read).reduce(0, +)), .count(rows.map(\.used).reduce(0, +)),
          .count(rows.map(\.rejected).reduce(0, +)), .count(rows.map(\.ignoredTotal).reduce(0, +)),
        ]
      })
    page += TableRenderer(.md).text(of: table) + "\n"
  }

  private func problemLines() -> [String] {
    var lines: [String] = []
    let broken = result.files.filter { $0.problem != nil }
    lines += Self.shortened(
      broken.map {
        "**Not used:** `\($0.file.relativePath)`: \(MarkdownText.escaped($0.problem?.message ?? ""))."
      }, more: "files that could not be used, see `health.csv`")
    lines += result.inputErrors.map {
      "**Not read:** `\($0.path)`: \(MarkdownText.escaped($0.message))."
    }
    for kind in Set(days.entries.map(\.kind)).sorted() {
      lines += dayLine(.missing, kind, "no file: months with it are `partial`")
      lines += dayLine(.empty, kind, "a file without rows")
    }
    lines += Self.shortened(
      result.restatements.map {
        let change = $0.newRows - $0.oldRows
        return
          "**Restated:** `\($0.new)` replaces `\($0.old)`: \(counted($0.oldRows, "row")) became \($0.newRows) (\(change < 0 ? "" : "+")\(change))."
      }, more: "restatements, see `health.csv`")
    if result.rejectedRows > 0 {
      lines.append(
        "**Rejected:** \(counted(result.rejectedRows, "row")) \(result.rejectedRows == 1 ? "is" : "are") in no number; `rejects.csv` says why."
      )
    }
    lines += unknownEventLines()
    lines += leftEdgeLine()
    lines += Self.shortened(comparison.problems, more: "such differences")
    let failed = checks.all.filter { !$0.holds && !$0.isOfInput }
    lines += failed.map { "**Check failed:** \($0.name), \(MarkdownText.escaped($0.scope))." }
    return lines
  }

  private func dayLine(_ state: DayCoverage.State, _ kind: String, _ meaning: String) -> [String] {
    let found = Set(days.entries.filter { $0.state == state && $0.kind == kind }.map(\.day))
      .sorted()
    guard !found.isEmpty else { return [] }
    let shown = found.prefix(Self.shownItems).map(\.description).joined(separator: ", ")
    let more = found.count > Self.shownItems ? " and \(found.count - Self.shownItems) more" : ""
    let word = state == .missing ? "Missing" : "Empty"
    return [
      "**\(word):** \(counted(found.count, "day")) of `\(kind)` (\(meaning)): \(shown)\(more)."
    ]
  }

  private func leftEdgeLine() -> [String] {
    guard let report = result.sources.first(where: { $0.source == .subscribers }),
      let view = result.plan.views.firstIndex(of: []),
      let edge = report.tally.views[view].edge(cohort: 0), edge > report.completeness.firstDay,
      let last = result.lastCompleteMonth(),
      report.completeness.monthSystem.firstDay(of: last) < edge
    else { return [] }
    return [
      "**Left edge:** subscriptions from before \(report.completeness.firstDay) may not all have been seen before \(edge), so churn of months that begin earlier is `partial` in `subscribers`."
    ]
  }

  private func unknownEventLines() -> [String] {
    let quantities = result.sources.first { $0.source == .events }?.tally.unknownEvents ?? [:]
    return quantities.map { (result.names.text($0), $1) }.sorted { $0 < $1 }.map { name, quantity in
      "**Unknown event:** \(MarkdownText.escaped(name)), \(counted(quantity, "time")); it is in no number."
    }
  }

  private static func shortened(_ lines: [String], more: String) -> [String] {
    guard lines.count > shownItems else { return lines }
    return lines.prefix(shownItems) + ["… and \(lines.count - shownItems) more \(more)."]
  }

  // MARK: Metrics

  private mutating func writeMetric(_ kind: TableKind) {
    guard let views = tables[kind], let whole = views.first(where: \.dimensions.isEmpty) else {
      return
    }
    let definition = Definition.definition(of: kind, for: Set(result.sources.map(\.source)))
    page += "## \(definition.title)\n\n\(definition.sentence)\n\n"
    let shown = shownRows(of: whole)
    if shown.rows.isEmpty {
      page += "Nothing to show for these months.\n\n"
    } else {
      page += TableRenderer(.md).text(of: shown) + "\n"
    }
    page += "\(definition.caveat)\n\n"
    let files = views.map { "`\($0.fileStem).csv`" }.joined(separator: ", ")
    page += "\(Self.extent(of: kind)) All of it: \(files).\n\n"
  }

  /// Says what part of a table the page shows.
  private static func extent(of kind: TableKind) -> String {
    switch kind {
    case .retention: "Shown: some k up to 24."
    case .refunds:
      "Shown: \(shownMonths.money) months by date of sale, up to \(shownCurrencies) currencies."
    case .proceeds: "Shown: \(shownMonths.money) months, up to \(shownCurrencies) currencies."
    default: "Shown: \(shownMonths.counts) months."
    }
  }

  /// Cuts a table to what fits on a page: the last months, the first periods, a few currencies, and
  /// no column that is empty throughout.
  private func shownRows(of whole: ReportTable) -> ReportTable {
    var table = whole
    if let last = result.lastCompleteMonth() {
      let isMoney = table.columns.contains { $0.name == "currency" }
      let count = isMoney ? Self.shownMonths.money : Self.shownMonths.counts
      let months = Set((0..<count).map { (last - $0).description })
      table = table.filtered("month") { months.contains($0) }
    }
    table = table.filtered("dating") { $0 == "sale" }
    if let column = table.columns.firstIndex(where: { $0.name == "k" }) {
      table.rows = table.rows.filter { row in
        guard case .count(let k) = row[column] else { return false }
        return Self.shownPeriods.contains(k)
      }
    }
    let currencies = Set(table.mainCurrencies(limit: Self.shownCurrencies))
    return table.filtered("currency") { currencies.contains($0) }.withoutEmptyColumns
  }

  private mutating func writeReadingGuide() {
    page += "## How to read this\n\n"
    let sources = result.sources.map(\.source)
    if sources.contains(where: { $0 != .receipts }) {
      page += """
        - `partial`: days of the month's data are missing, or subscriptions from before the data may \
        not have been seen yet.

        """
    }
    page += """
      - `provisional`: the number can still change: the month is not over, or Apple may still collect.
      - `final`: nothing that is known to be outstanding.
      - An empty cell means not known; 0 means zero. Currencies are never added up.
      - `low` and `high` are the bounds of a 95 % interval.

      """
    if sources.contains(.receipts) {
      page += """
        - `receipts`: months are months of UTC, and customers of whom no receipt is in the dumps are in \
        no number.

        """
    }
  }
}

extension ReportTable {
  /// Keeps the rows whose text in a column passes; without the column all rows.
  func filtered(_ column: String, _ isShown: (String) -> Bool) -> ReportTable {
    guard let index = columns.firstIndex(where: { $0.name == column }) else { return self }
    var table = self
    table.rows = rows.filter { row in
      guard case .text(let text) = row[index] else { return false }
      return isShown(text)
    }
    return table
  }

  /// The currencies with the most charges: amounts cannot be compared across currencies.
  func mainCurrencies(limit: Int) -> [String] {
    guard let currency = columns.firstIndex(where: { $0.name == "currency" }),
      let charges = columns.firstIndex(where: { $0.name == "charges" })
    else { return [] }
    var counts: [String: Int] = [:]
    for row in rows {
      guard case .text(let code) = row[currency], case .count(let count) = row[charges] else {
        continue
      }
      counts[code, default: 0] += count
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map(\.key)
  }

  var withoutEmptyColumns: ReportTable {
    let kept = columns.indices.filter { index in rows.contains { $0[index] != .missing } }
    guard !rows.isEmpty, kept.count < columns.count else { return self }
    return ReportTable(
      name: name, dimensions: dimensions, columns: kept.map { columns[$0] },
      rows: rows.map { row in kept.map { row[$0] } })
  }
}

extension Month {
  /// The month as `September 2026`, or `fiscal period 2026-12`.
  func longName(_ system: MonthSystem) -> String {
    if system == .fiscal { return "fiscal period \(self)" }
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ]
    return "\(names[monthOfYear - 1]) \(year)"
  }
}
