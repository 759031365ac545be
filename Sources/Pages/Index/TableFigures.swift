import Counting
package import Pipeline
import Rendering
import SubscriptionModel
package import Tables

/// The figures of a printed table, for `-f html` and `-f svg`.
package struct TableFigures: Sendable {
  let figures: [Figure]

  /// The commands whose table has a figure.
  package static let commands =
    TableKind.allCases.filter { $0 != .lifetime }.map(\.rawValue)
    + ["drivers", "price-impact", "reconcile"]

  /// No figure.
  package static let empty = TableFigures(figures: [])

  init(figures: [Figure]) { self.figures = figures }

  /// Returns the first figure that has something to show, as a file; `nil` when there is too little data.
  ///
  /// - Parameter narrowing: What the numbers are limited to, such as `only country DE`; blank for none.
  /// - Returns: The file as UTF-8.
  package func svg(narrowing: String) -> [UInt8]? {
    figures.lazy.map { $0.file(narrowing: narrowing) }.first { !$0.isEmpty }.map { Array($0.utf8) }
  }

  /// Returns the tables and their figures as a page.
  ///
  /// - Parameters:
  ///   - title: The title, in Markdown.
  ///   - lead: What the table says, in Markdown.
  ///   - tables: The tables to print.
  /// - Returns: The page as UTF-8.
  package func html(title: String, lead: [String], tables: [ReportTable]) -> [UInt8] {
    PageDocument.bytes(title: InlineMarkdown.plain(title)) { page in
      page.element(.header) { page in
        page.element(.h1) { InlineMarkdown.append(title, to: &$0) }
        for sentence in lead { page.paragraph(markdown: sentence) }
      }
      page.element(.main, [.id: "main", .tabindex: "-1"]) { page in
        if !figures.isEmpty {
          PageSection("figures", figures.count == 1 ? "The figure" : "The figures") { page in
            for figure in figures { figure.append(to: &page, rows: Self.mostRows) }
          }.append(to: &page)
        }
        PageSection("table", "The table") { page in
          for table in tables { append(table, to: &page) }
        }.append(to: &page)
      }
    }
  }

  /// The most rows of numbers below a figure; the table has them too.
  private static let mostRows = 60
  /// The most rows of a table: some 40,000 elements.
  private static let mostTableRows = 3_000

  private func append(_ table: ReportTable, to page: inout HTMLWriter) {
    var shown = table.withoutEmptyColumns
    shown.rows = Array(shown.rows.prefix(Self.mostTableRows))
    let by = table.dimensions.map { $0.replacing("_", with: " ") }
    let caption = table.name + (by.isEmpty ? "" : " by " + by.joined(separator: " and "))
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
  /// Creates the figures of tables of the catalogue.
  ///
  /// - Parameters:
  ///   - tables: The views, with all their columns.
  ///   - result: The run, which knows how months are written and which of them are not over.
  /// - Returns: The figures of each source in the tables.
  package static func of(_ tables: [ReportTable], _ result: RunResult) -> TableFigures {
    let population = result.plan.views.firstIndex(of: [])
    let churn = population.flatMap { try? result.tableMaker().table(.churn, view: $0) }
    let figures = tables.enumerated().flatMap { place, table -> [Figure] in
      guard let kind = TableKind(rawValue: table.name) else { return [] }
      let sources = Set(table.namedRows.map(\.source)).sorted()
      return sources.flatMap { source -> [Figure] in
        let own = table.filtered("source") { $0 == source }
          .filtered("dating") { $0 == "sale" }.filtered("basis") { $0 == "price" }
          .keeping { !["source", "dating", "basis"].contains($0) }
        var frame = FigureFrame(
          months: result.plan.monthSystem, source: Source(rawValue: source),
          titleEnd: sources.count > 1 ? " (\(source))" : "")
        frame.noteMonths(of: kind, result, last: mostMonths, churn: churn)
        let figures =
          table.dimensions.isEmpty
          ? whole(kind, own, frame)
          : [Figures.lines(kind, own, table.dimensions, frame)].compactMap { $0 }
        return figures.map { figure in
          var figure = figure
          figure.id += "-\(source)-\(place)"
          return figure
        }
      }
    }
    return TableFigures(figures: figures)
  }

  /// The months whose states are looked up, back from the newest one: those that can be on a figure.
  private static let mostMonths = 120
  /// The currencies with a figure.
  private static let shownCurrencies = 4

  /// Returns the figures of the whole population of one source.
  private static func whole(
    _ kind: TableKind, _ table: ReportTable, _ frame: FigureFrame
  ) -> [Figure] {
    switch kind {
    case .churn:
      [Figures.churnRate(table, frame)] + [Figures.churnReasons(table, frame)].compactMap { $0 }
    case .renewals: [Figures.renewals(table, frame)]
    case .lapses: [Figures.lapses(table, frame)]
    case .trials: [Figures.trials(table, frame)]
    case .movement:
      [Figures.movement(table, frame)]
        + [Figures.monthOfMovement(table, frame)].compactMap { $0 }
    case .retention: [Figures.retention("retention", "Kept", [(name: "all", table: table)], frame)]
    case .proceeds:
      ofCurrencies(table, frame) { Figures.proceeds($0, $1, $2) }
    case .refunds:
      ofCurrencies(table, frame) { rows, currency, frame in
        Figures.rate("refunds-\(currency)", "Refund rate", "refund_rate", rows, frame)
      }
    case .commitments:
      ofCurrencies(table, frame) { rows, _, frame in Figures.commitments(rows, frame) }
    case .recurring:
      table.mainCurrencies(limit: shownCurrencies).compactMap { currency in
        var own = frame
        own.titleEnd = ", \(currency)\(frame.titleEnd)"
        var figure = Figures.line(
          kind, table.filtered("currency") { $0 == currency }, currency, own)
        figure?.id += "-\(currency)"
        return figure
      }
    case .status: [Figures.line(kind, table, "", frame)].compactMap { $0 }
    case .lifetime: []
    }
  }

  /// Returns a figure for each of the currencies with most charges.
  private static func ofCurrencies(
    _ table: ReportTable, _ frame: FigureFrame,
    _ make: (ReportTable, String, FigureFrame) -> Figure
  ) -> [Figure] {
    table.mainCurrencies(limit: shownCurrencies).map { currency in
      var own = frame
      own.titleEnd = ", \(currency)\(frame.titleEnd)"
      var figure = make(table.filtered("currency") { $0 == currency }, currency, own)
      figure.id += "-\(currency)"
      return figure
    }
  }
}
