import Charts
import Counting
package import Pipeline
import PriceImpact
import Rendering
import Settlement
import Storage
package import SubscriptionModel
package import Tables

/// The figures of a printed table, for `-f html` and `-f svg`: PAGE.md, "Single figures".
package struct TableFigures: Sendable {
  let figures: [SectionFigure]

  /// The commands whose table has a figure.
  package static let commands =
    TableKind.allCases.filter { $0 != .lifetime && $0 != .definitions }.map(\.rawValue)
    + ["drivers", "price-impact", "reconcile"]

  package var isEmpty: Bool { figures.isEmpty }

  package var count: Int { figures.count }

  package static let empty = TableFigures([])

  init(_ figures: [SectionFigure]) { self.figures = figures.filter { !$0.isEmpty } }

  /// Returns the first figure as a file in UTF-8; `nil` when there is too little data.
  package func svg(narrowing: String) -> [UInt8]? {
    figures.first.map { $0.file(narrowing: narrowing) }
  }

  /// Returns the figures and the tables below them as a page; title, sentence and lead are Markdown.
  package func html(
    title: String, limits: String, sentence: String = "", lead: [String], tables: [ReportTable]
  ) -> [UInt8] {
    let plain = InlineMarkdown.plain(title)
    return PageDocument.bytes(title: limits.isEmpty ? plain : "\(plain) (\(limits))") { page in
      page.markup(ChartPatterns.element.utf8)
      page.element(.div, [.class: "page"]) { page in
        page.element(.header) { page in
          page.element(.h1) { page in
            InlineMarkdown.append(title, to: &page)
            if !limits.isEmpty { page.element(.span, text: limits) }
          }
        }
        page.element(.main, [.id: "main"]) { page in
          if !sentence.isEmpty {
            page.element(.p, [.class: "lead"]) { InlineMarkdown.append(sentence, to: &$0) }
          }
          var said = ""
          page.element(.div, [.class: "singles"]) { page in
            for (place, figure) in figures.enumerated() {
              page.element(.div, [.class: "single"]) { page in
                // Rows have their names and numbers beside them: their description says nothing more.
                if case .chart(let chart) = figure.picture, chart is TimePlot,
                  !said.utf8.starts(with: figure.description.utf8)
                {
                  said = figure.description
                  page.element(.p, [.class: "lead"], text: figure.description)
                }
                figure.append(to: &page, id: "\(place)")
              }
            }
          }
          for table in tables { Self.append(table, to: &page) }
          for sentence in lead {
            page.element(.p, [.class: "meaning"]) { InlineMarkdown.append(sentence, to: &$0) }
          }
        }
        if !limits.isEmpty {
          page.element(.footer) { $0.element(.p, text: "All numbers of this page: \(limits).") }
        }
      }
    }
  }

  /// The most rows of a table: some 40,000 elements.
  private static let mostTableRows = 3_000

  private static func append(_ table: ReportTable, to page: inout HTMLWriter) {
    var shown = table.withoutEmptyColumns
    shown.rows = Array(shown.rows.prefix(mostTableRows))
    let words = { (name: String) in name.replacing("_", with: " ") }
    let caption =
      words(table.name)
      + (table.dimensions.isEmpty ? "" : " by " + table.dimensions.map(words).inWords())
    if shown.rows.isEmpty {
      page.element(.p, text: "The table \(caption) has no row.")
      return
    }
    HTMLTable(shown, caption: caption).append(to: &page)
    let hidden = table.rows.count - shown.rows.count
    if hidden > 0 {
      page.element(.p, text: "\(counted(hidden, "more row")): -f csv prints all.")
    }
  }
}

extension TableFigures {
  /// Creates the figures of tables of the catalogue: of each source in the tables.
  package static func of(_ tables: [ReportTable], _ result: RunResult) -> TableFigures {
    let population = result.plan.views.firstIndex(of: [])
    let churn = population.flatMap { try? result.tableMaker().table(.churn, view: $0) }
    return TableFigures(
      tables.flatMap { table -> [SectionFigure] in
        guard let kind = TableKind(rawValue: table.name) else { return [] }
        let sources = Set(table.namedRows.map(\.source)).sorted()
        return sources.flatMap { source -> [SectionFigure] in
          let own = table.filtered("source") { $0.isSame(as: source) }
          let figures = FigureMaker(
            kind, own, source, result, churn: churn,
            captionEnd: sources.count > 1 ? " (\(source))" : "")
          return table.dimensions.isEmpty ? figures.whole : figures.byValue
        }
      })
  }
}

extension TableFigures {
  /// Creates the figures of drivers: each change by each split; of amounts only those in `currency`.
  package static func of(
    _ drivers: [Drivers], by splits: [DriverSplit], _ months: MonthSystem, currency: String?
  ) -> TableFigures {
    TableFigures(
      drivers.flatMap { ofMonth in
        let sources = Set(ofMonth.rows.map(\.sourceName))
        let wholes = ofMonth.rows.filter {
          $0.split == nil && ($0.currency.isEmpty || $0.currency == currency)
        }
        return wholes.flatMap { whole in
          splits.compactMap { split -> SectionFigure? in
            let currency = whole.currency.isEmpty ? "" : ", " + whole.currency
            let later = drivers.count > 1 ? " of \(PageText.long(ofMonth.month, months))" : ""
            let source = sources.count > 1 ? " (\(whole.sourceName))" : ""
            let caption =
              "\(whole.headline.label)\(currency)\(later) since \(PageText.long(whole.against, months)), by \(split.words)\(source)"
            return DriverParts(of: whole, by: split, ofMonth)?.figure(
              caption, of: whole, months)
          }
        }
      })
  }

  /// Creates the figure of `price_impact`: the renewals lost to each increase, beside the loss that its price makes up
  /// for.
  package static func ofIncreases(_ table: ReportTable) -> TableFigures {
    guard table.name == "price_impact" else { return .empty }
    let names = ["product", "country"] + table.dimensions
    let hasSources = Set(table.namedRows.map(\.source)).count > 1
    let rows = table.namedRows.compactMap { row -> IntervalRows.Row? in
      let value = { (column: String) in PageText.value(row.cell(column)) }
      guard let loss = value("observed_loss") else { return nil }
      let keys =
        names.map { row.text($0) } + ["from \(row.text("effective"))"]
        + (hasSources ? [row.source] : [])
      return IntervalRows.Row(
        keys.filter { !$0.isEmpty }.joined(separator: ", "), loss, low: value("observed_loss_low"),
        high: value("observed_loss_high"), text: PageText.rate(row.cell("observed_loss")),
        mark: value("break_even_loss"),
        markText: value("break_even_loss").map { "break-even \(PageText.percent($0))" } ?? "")
    }
    return TableFigures([.lostRenewals(rows)])
  }

  /// Creates the figures of settlements: the newest verified and paid period in the bank's currency, and the way from
  /// sales to the amount owed of single regions.
  ///
  /// At most seven, of the shown periods, the newest first.
  package static func of(_ finance: FinanceReport) -> TableFigures {
    let shown = finance.periods.filter(finance.isShown).reversed()
    let bridges = shown.flatMap { period in
      finance.reconciliation.bridges.filter { $0.period == period }
    }
    let paid = finance.newestPaid.flatMap { finance.isShown($0.period) ? $0.figure : nil }
    let figures = bridges.lazy.compactMap { figure($0, finance.names) }
    return TableFigures([paid].compactMap(\.self) + Array(figures.prefix(6)))
  }

  /// Returns the way from sales to the amount owed, for one fiscal period, region and currency; `nil` when sales,
  /// settlement or the amount owed are not known.
  private static func figure(_ bridge: Bridge, _ names: Names) -> SectionFigure? {
    guard let sales = bridge.amount(of: .salesGross),
      let settled = bridge.amount(of: .financeShare),
      let owed = bridge.amount(of: .totalOwed)
    else { return nil }
    let currency = names.text(bridge.currency)
    let stock = { (label: String, amount: Int128) in
      Waterfall.Row(
        label, .stock(), Double(amount) / 1_000, text: PageText.exact(amount, currency))
    }
    let steps = { (lines: ClosedRange<Int>) in
      bridge.entries.filter { lines.contains($0.line.rawValue) }.compactMap {
        entry -> Waterfall.Row? in
        guard let amount = entry.amount, amount != 0 else { return nil }
        let isUnexplained = [.unexplainedSales, .unexplainedPayment].contains(entry.line)
        return Waterfall.Row(
          entry.line.meaning, isUnexplained ? .unexplained : .flow, Double(amount) / 1_000,
          text: (amount > 0 ? "+" : "") + PageText.exact(amount, currency))
      }
    }
    let rows =
      [stock("Sold", sales)] + steps(11...29) + [stock("Settled by Apple", settled)]
      + steps(40...49) + [stock("Owed by Apple", owed)]
    let entries = bridge.entries.filter { (10...49).contains($0.line.rawValue) }
    let unknown = entries.count { $0.amount == nil }
    let estimates = entries.count { $0.amount != nil && $0.status == .estimate }
    let notes = [(unknown, "not known and not drawn"), (estimates, "estimated")]
      .filter { $0.0 > 0 }.map { " \(PageText.counted($0.0, "line")) \($0.1)." }
    return .waterfall(
      "Period \(bridge.period), region \(bridge.region), \(currency)", rows, in: "adds",
      out: "takes away", more: notes.joined())
  }
}

extension SectionFigure {
  static func lostRenewals(_ rows: [IntervalRows.Row]) -> SectionFigure {
    SectionFigure(
      caption: "Renewals lost because of the increase, of those expected",
      legend: [.init(mark: "", text: "measured, 95% interval")],
      description: rows.map { "\($0.name): \($0.text)" }.joined(separator: "; ") + ".",
      picture: .chart(IntervalRows(rows, .percent)))
  }
}

/// Describes a number over months in a sentence.
///
/// Such as: Churn rate rose from 6.16% in August 2026 to 13.15% in September 2026, the highest of 8 months. Only final
/// numbers are compared: one that can still change, or lacks days, says nothing about a rise or a fall.
struct TrendWords {
  /// The number of a month that is known.
  struct Point {
    let month: Month
    let cell: ReportTable.Cell
    let state: TimePlot.State

    /// Why the number is not final; blank for a final one.
    var reservation: String {
      switch state {
      case .canStillChange: "can still change"
      case .incomplete: "data not complete"
      case .notAllSeen: "not all seen yet"
      case .settled, .noData: ""
      }
    }

    var size: Double { PageText.value(cell) ?? 0 }
  }

  /// The number, such as `Churn rate`.
  let name: String
  /// The known numbers, oldest first.
  let points: [Point]
  let months: MonthSystem
  /// The currency of an amount; blank for other numbers.
  var currency = ""

  private var comparable: [Point] { points.filter(\.reservation.isEmpty) }

  /// Whether the name is of several things, such as `Net proceeds`.
  private var isPlural: Bool { name.utf8.last == UInt8(ascii: "s") }

  var sentence: String {
    let was = isPlural ? "were" : "was"
    guard let last = points.last else {
      return "\(name) \(isPlural ? "are" : "is") not known for any month."
    }
    let now = "\(text(last)) in \(PageText.long(last.month, months))"
    guard last.reservation.isEmpty else { return "\(name) \(was) \(now) (\(last.reservation))." }
    guard points.count > 1 else { return "\(name) \(was) \(now), the only month with a number." }
    guard let before = comparable.dropLast().last else {
      return "\(name) \(was) \(now), the only month that can be compared."
    }
    let then = PageText.long(before.month, months)
    guard before.size != last.size else { return "\(name) stayed at \(now), as in \(then)\(rank)." }
    let verb = last.size > before.size ? "rose" : "fell"
    return "\(name) \(verb) from \(text(before)) in \(then) to \(now)\(rank)."
  }

  /// Whether the last number is the highest or the lowest of all final ones, which says little of two.
  private var rank: String {
    guard comparable.count > 2, let last = comparable.last else { return "" }
    let others = comparable.dropLast().map(\.size)
    let count = "\(comparable.count) \(comparable.count < points.count ? "compared " : "")months"
    if others.allSatisfy({ $0 < last.size }) { return ", the highest of \(count)" }
    if others.allSatisfy({ $0 > last.size }) { return ", the lowest of \(count)" }
    return ""
  }

  private func text(_ point: Point) -> String {
    let rate = PageText.rate(point.cell)
    let number = rate.isEmpty ? HeadlineFigures.text(point.cell, currency: currency) : rate
    return currency.isEmpty ? number : "\(number) \(currency)"
  }
}
