import Counting
import Pipeline
import PriceImpact
import Rendering
import Settlement
import SubscriptionModel
import Tables

/// The page for readers with pictures, `index.html`, or the page of one app, `app-ID.html`: PAGE.md.
///
/// It answers first and shows its evidence below. All numbers are those of tables that are also written as CSV.
struct IndexPage: Sendable {
  let content: PageContent
  /// The further tables of a report.
  let tables: PageTables
  /// The names of the files beside the page, which can be linked.
  let files: Set<String>
  /// The apps with a page of their own; empty with one app, and on the page of an app.
  let apps: [AppPage]
  /// The id of the app of the page; `nil` for the page of all apps.
  let appID: String?
  /// How much of each table is shown.
  private(set) var detail = PageDetail.levels[0]

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - content: The content that it shares with `summary.md`.
  ///   - tables: The further tables of the report.
  ///   - files: The names of the files beside the page.
  ///   - apps: The apps with a page of their own.
  ///   - appID: The id of the app of the page; `nil` for the page of all apps.
  init(
    _ content: PageContent, _ tables: PageTables, files: Set<String>, apps: [AppPage] = [],
    appID: String? = nil
  ) {
    (self.content, self.tables, self.files, self.apps) = (content, tables, files, apps)
    self.appID = appID
  }

  /// The page as UTF-8, with as much detail as fits.
  var bytes: [UInt8] {
    var page = self
    var bytes: [UInt8] = []
    for detail in PageDetail.levels {
      page.detail = detail
      bytes = page.bytesInDetail
      if PageDetail.fits(bytes) { break }
    }
    return bytes
  }

  private var bytesInDetail: [UInt8] {
    let sections = sections
    return PageDocument.bytes(title: InlineMarkdown.plain(title)) { page in
      page.element(.header) { appendHeader(to: &$0) }
      page.element(.nav, [.ariaLabel: "Contents"]) { page in
        page.element(.ul) { page in
          for section in sections {
            page.element(.li) { page in
              page.element(.a, [.href: "#\(section.id)"], text: section.title)
            }
          }
        }
      }
      page.element(.main, [.id: "main", .tabindex: "-1"]) { page in
        for section in sections { section.append(to: &page) }
      }
      page.element(.footer) { appendFooter(to: &$0) }
      appendChoices(to: &page)
    }
  }

  /// All sections that have something to show, in the order of PAGE.md.
  private var sections: [PageSection] {
    let all: [PageSection?] = [
      sentencesSection, tilesSection, appsSection, driversSection, movementSection, churnSection,
      retentionSection, trialsSection, refundsSection, proceedsSection, pricesSection,
      reconciliationSection, otherSourcesSection, changesSection, healthSection, meaningSection,
    ]
    return all.compactMap { $0 }
  }

  // MARK: What sections share

  /// How months are written.
  var months: MonthSystem { content.months }

  /// The commands that print the numbers of this page.
  var command: PageCommand { PageCommand(content.result.plan, app: appID) }

  /// Returns the files of a table's whole population; of an app's page, those of the view by app.
  func files(of name: String) -> [String] {
    [name + (content.app == nil ? "" : "-by-app") + ".csv"].filter(files.contains)
  }

  /// Returns the end of a figure's title: its source, where that is not the headline source.
  func titleEnd(_ source: Source) -> String {
    source == content.headlines?.headlineSource ? "" : " (\(source.rawValue))"
  }

  /// Writes a figure with as many numbers as the page has room for.
  func append(_ figure: Figure, to page: inout HTMLWriter) {
    figure.append(to: &page, rows: detail.rows)
  }

  /// Writes a table; a long one is folded.
  func append(_ table: ReportTable, _ caption: String, to page: inout HTMLWriter) {
    guard table.rows.count > HTMLTable.longestUnfolded else {
      HTMLTable(table, caption: caption).append(to: &page)
      return
    }
    var shown = table
    shown.rows = Array(table.rows.prefix(detail.tableRows))
    let hidden = table.rows.count - shown.rows.count
    page.folded("\(caption) (\(counted(table.rows.count, "row")))") { page in
      HTMLTable(shown, caption: caption).append(to: &page)
      if hidden > 0 { page.element(.p, text: "\(counted(hidden, "more row")) in the CSV file.") }
    }
  }
}

extension IndexPage {
  /// The title, in Markdown.
  var title: String { content.title }

  /// Writes the title, until which day the data go, and one line on their health.
  func appendHeader(to page: inout HTMLWriter) {
    page.element(.h1) { InlineMarkdown.append(title, to: &$0) }
    page.paragraph(
      markdown: "\(content.dataLine) \(content.healthLine)", linking: files)
    page.paragraph(markdown: content.missingChurn)
    guard content.app != nil else { return }
    page.element(.p) { page in
      page.element(.a, [.href: PageFile.index], text: "All apps")
      page.text(", with what changed the numbers, price increases and settlements.")
    }
  }

  /// Writes where all numbers are.
  func appendFooter(to page: inout HTMLWriter) {
    page.element(.p) { page in
      page.text(
        content.app == nil
          ? "Every number of this page is in a CSV file beside it; "
          : "The tables of this page are in the CSV files beside it whose names end in -by-app.csv; "
      )
      page.element(.a, [.href: PageFile.summary], text: PageFile.summary)
      page.text(
        content.app == nil
          ? " has the same answer as text, and " : " has the answer for all apps as text, and ")
      page.element(.a, [.href: "manifest.json"], text: "manifest.json")
      page.text(" the options and the inputs. Nothing on it is about a single customer.")
    }
  }

  /// What happened, in three sentences.
  var sentencesSection: PageSection? {
    let sentences = content.words?.sentences(escaped: MarkdownText.escaped) ?? []
    guard !sentences.isEmpty else { return nil }
    return PageSection("short", "In short") { page in
      for sentence in sentences { page.paragraph(markdown: sentence, class: "lead") }
    }
  }
}

extension IndexPage {
  /// The tables of the page, in its order.
  private static let shownTables: [TableKind] = [
    .movement, .churn, .renewals, .retention, .trials, .refunds, .proceeds,
  ]

  /// The definitions of the numbers on the page, and, folded, the meanings of columns.
  var meaningSection: PageSection? {
    let shown = Self.shownTables.compactMap { kind in
      let curves = kind == .retention ? content.durationCurves.first : nil
      let source = curves?.source ?? content.table(of: kind, months: detail.months)?.source
      return source.map { (kind: kind, source: $0) }
    }
    let definitions = content.meanings(of: shown).map { "**\($0.title):** \($0.sentence)" }
    return PageSection("meaning", "What the numbers mean") { page in
      page.list(markdown: definitions + content.readingHints)
      page.folded("The columns of the tables") { page in
        for (kind, source) in shown {
          append(
            Definition.definition(of: kind).title, Definition.columns(of: kind, from: source),
            to: &page)
        }
        if content.drivers != nil {
          append("Drivers", HeadlineTable.drivers.allColumns, to: &page)
        }
        append("Price increases", filledImpactColumns, to: &page)
        if content.finance != nil {
          append("Reconciliation", Definition.reconcileColumns, to: &page)
        }
      }
    }
  }

  /// The columns of `price_impact.csv` that have a value: most are empty where too few met an increase.
  private var filledImpactColumns: [Definition.Column] {
    guard let table = tables.priceTable(PriceTable.impact.rawValue), !table.rows.isEmpty else {
      return []
    }
    let filled = Set(table.withoutEmptyColumns.columns.map(\.name))
    return PriceTable.impact.allColumns.filter { filled.contains($0.column.name) }
  }

  private func append(
    _ title: String, _ columns: [Definition.Column], to page: inout HTMLWriter
  ) {
    guard !columns.isEmpty else { return }
    page.element(.h3, text: title)
    page.element(.dl) { page in
      for column in columns {
        page.element(.dt, text: column.column.name)
        page.element(.dd) { InlineMarkdown.append(column.meaning, to: &$0) }
      }
    }
  }
}

extension IndexPage {
  /// Returns the frame of a table's figures.
  ///
  /// - Parameters:
  ///   - kind: The table.
  ///   - source: The source of the rows.
  ///   - options: The options of the table's command besides the source.
  /// - Returns: The frame, with the events of all months.
  func frame(
    _ kind: TableKind, _ source: Source, options: String = "--all-months"
  ) -> FigureFrame {
    let words = ["--source \(source.rawValue)", options].filter { !$0.isEmpty }
    var frame = FigureFrame(
      months: months, source: source, events: content.events, titleEnd: titleEnd(source),
      files: files(of: kind.rawValue),
      command: command.line(kind.rawValue, words.joined(separator: " ")))
    frame.noteMonths(
      of: kind, content.result, last: detail.months,
      churn: content.tables[.churn]?.first(where: \.dimensions.isEmpty))
    return frame
  }

  /// The headline month from its beginning to its end, and all months.
  var movementSection: PageSection? {
    guard let (source, rows) = content.table(of: .movement, months: detail.months) else {
      return nil
    }
    let frame = frame(.movement, source)
    // Its command would be that of the next figure.
    var frameOfMonth = frame
    frameOfMonth.explanation = content.explainCommand(.movement, source, appID: appID)
    if frameOfMonth.explanation != nil { frameOfMonth.command = nil }
    return PageSection("movement", "Who came and who went") { page in
      page.paragraph(markdown: content.monthWithoutRows(.movement, source))
      if let figure = Figures.monthOfMovement(rows, frameOfMonth) {
        append(figure, to: &page)
        page.paragraph(markdown: content.churnedLater(rows, source))
      } else {
        page.element(
          .p, [.class: "note"],
          text:
            "How many subscriptions there were before the month is not known, so it cannot be shown as steps."
        )
      }
      var figure = Figures.movement(rows, frame)
      figure.choice = choice(.active)
      append(figure, to: &page)
    }
  }
}
