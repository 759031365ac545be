import AppStoreReports
import Pipeline
import Rendering
import Scanning
import Storage
import SubscriptionModel
import Tables

extension IndexPage {
  /// The same numbers in all sources, and why they differ; `nil` with one source, and on the page of an app.
  var otherSourcesSection: PageSection? {
    guard content.app == nil, let table = content.otherSources,
      let month = content.headlines?.month
    else { return nil }
    return PageSection("sources", "The other sources") { page in
      append(table, "\(month.longName(months)), counted by each source, with its state", to: &page)
      page.list(markdown: content.sourceReasons)
    }
  }

  /// The main numbers that are not as the last run had them; `nil` without a ledger, and on the page of an app.
  var changesSection: PageSection? {
    guard content.app == nil, let changes = content.changes else { return nil }
    return PageSection("changes", ChangedNumbers.title) { page in
      if let table = changes.table {
        append(table, "Main numbers of months that were over, before and now", to: &page)
      }
      page.paragraph(markdown: changes.sentence, linking: files)
    }
  }

  /// The health of the data: problems, the calendar, rejected and ignored rows; `nil` on the page of an app.
  var healthSection: PageSection? {
    guard content.app == nil else { return nil }
    let health = content.health
    return PageSection("health", "Health of the data") { page in
      if health.problems.isEmpty {
        page.paragraph(markdown: health.allIsWell, linking: files)
      } else {
        let shown = health.problems.prefix(detail.tableRows).map(\.line)
        page.list(markdown: Array(shown), linking: files)
        let more = health.problems.count - shown.count
        if more > 0 {
          page.paragraph(
            markdown: "… and \(counted(more, "more line")): `subreport check` prints all.")
        }
      }
      let frame = FigureFrame(
        months: months, files: ["days.csv"].filter(files.contains),
        command: command.line("check"))
      if let figure = Figures.calendar(health.days, frame) { append(figure, to: &page) }
      if let table = health.reportTable { append(table, "Days and rows of each report", to: &page) }
      page.paragraph(markdown: health.receiptLine(withReasons: false), linking: files)
      if let table = rejects { append(table, "Rejected rows by reason", to: &page) }
      if let table = ignored { append(table, "Rows left aside by reason", to: &page) }
      page.paragraph(
        markdown:
          "Files: `health.csv`, `rejects.csv`, `checks.csv`.",
        linking: files, class: "note")
    }
  }

  /// The rejected rows by their code; `nil` without any.
  private var rejects: ReportTable? {
    let codes = content.result.files.flatMap { $0.rejects.map(\.code.rawValue) }
    return table(of: codes.reduce(into: [:]) { $0[$1, default: 0] += 1 }, "reason")
  }

  /// The rows left aside by their reason; `nil` without any.
  private var ignored: ReportTable? {
    let counts = content.result.files.flatMap(\.rows.ignored).map { ($0.key.words, $0.value) }
    return table(of: Dictionary(counts, uniquingKeysWith: +), "reason")
  }

  private func table(of counts: [String: Int], _ name: String) -> ReportTable? {
    guard !counts.isEmpty else { return nil }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return ReportTable(
      name: "health", dimensions: [], columns: [.init(name, .key), .init("rows", .count)],
      rows: sorted.map { [.text($0.key), .count($0.value)] })
  }
}
