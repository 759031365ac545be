import Charts
package import Pipeline
import Rendering
import Storage
package import Tables

/// The figures of a printed table, for `-f html` and `-f svg`: PAGE.md, "Single figures".
package struct TableFigures: Sendable {
  let figures: [SectionFigure]

  /// The commands whose table has a figure.
  package static let commands =
    TableKind.allCases.filter { $0 != .lifetime && $0 != .definitions }.map(\.rawValue)
    + ["drivers", "price-impact", "reconcile"]

  /// Whether there is nothing to draw.
  package var isEmpty: Bool { figures.isEmpty }

  /// The number of figures.
  package var count: Int { figures.count }

  /// No figure.
  package static let empty = TableFigures([])

  init(_ figures: [SectionFigure]) { self.figures = figures.filter { !$0.isEmpty } }

  /// Returns the first figure as a file; `nil` when there is too little data.
  ///
  /// - Parameter narrowing: What the numbers are limited to, such as `only country DE`; blank for none.
  /// - Returns: The file as UTF-8.
  package func svg(narrowing: String) -> [UInt8]? {
    figures.first.map { $0.file(narrowing: narrowing) }
  }

  /// Returns the figures and the tables below them as a page.
  ///
  /// - Parameters:
  ///   - title: The title, in Markdown.
  ///   - limits: What the numbers are limited to, such as `only country DE`; blank for none.
  ///   - sentence: The answer of the tables, in Markdown; blank where the figures have it.
  ///   - lead: What the numbers mean, in Markdown.
  ///   - tables: The tables to print.
  /// - Returns: The page as UTF-8.
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
  ///
  /// - Parameters:
  ///   - tables: The views, with all their columns.
  ///   - result: The run, which knows how months are written and which of them are not over.
  /// - Returns: The figures.
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
