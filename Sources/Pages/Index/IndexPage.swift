import Counting
import Pipeline
import Rendering
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
