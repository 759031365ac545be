import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// An app with a page of its own, beside the page of all apps.
struct AppPage: Hashable, Sendable {
  /// The app's Apple ID or bundle id.
  let id: String
  /// The app as tables print it.
  let name: String
  /// The file of its page, such as `app-1450000001.html`.
  let file: String

  /// The most pages of apps; further apps are in the tables by app.
  private static let mostPages = 200

  /// Returns the apps of a run, by name; none unless there are several.
  ///
  /// They are those of the headline source, or else of the first other one, because receipts have other ids of apps than
  /// reports.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - tables: The tables of the run.
  ///   - order: The sources in order of preference.
  /// - Returns: The apps with most subscriptions, sorted by name.
  static func all(
    _ result: RunResult, _ tables: [TableKind: [ReportTable]], _ order: [Source]
  ) -> [AppPage] {
    let reports = order.compactMap { source in result.sources.first { $0.source == source } }
    guard result.shownViews.contains([.app]), let view = result.plan.views.firstIndex(of: [.app]),
      let report = reports.first(where: { $0.source.dimensions.contains(.app) })
    else { return [] }
    let churn = tables[.churn]?.first { $0.dimensions == ["app"] }
    let own = churn?.filtered("source") { $0 == report.source.rawValue }.namedRows ?? []
    // The newest row of an app is its last one.
    let size = Dictionary(own.map { (ExactText($0.text("app")), $0["active_start"] ?? 0) }) { $1 }
    var pages: [AppPage] = []
    var taken: Set<String> = []
    for case .app(let id) in report.tally.views[view].index.cohorts.map({ $0[0] }) {
      let name = result.names.app(id)
      let text = result.names.text(id)
      let file = PageFile.app(text)
      guard !name.isEmpty, taken.insert(file).inserted else { continue }
      pages.append(AppPage(id: text, name: name, file: file))
    }
    guard pages.count > 1 else { return [] }
    let largest = pages.sorted { left, right in
      let sizes = (size[left.name] ?? 0, size[right.name] ?? 0)
      return sizes.0 != sizes.1 ? sizes.0 > sizes.1 : left.precedes(right)
    }
    return largest.prefix(mostPages).sorted { $0.precedes($1) }
  }

  private func precedes(_ other: AppPage) -> Bool {
    name.precedes(other.name)
  }
}

extension IndexPage {
  /// The apps with a link to each one's page, and their churn in the headline month; `nil` with one app.
  var appsSection: PageSection? {
    guard !apps.isEmpty else { return nil }
    return PageSection("apps", "Apps") { page in
      if let rows = churnByApp, let month = content.headlines?.month {
        let links = Dictionary(apps.map { (ExactText($0.name), $0.file) }) { first, _ in first }
        HTMLTable(rows, caption: "Churn by app in \(month.longName(months))", links: links)
          .append(to: &page)
      } else {
        page.element(.ul) { page in
          for app in apps {
            page.element(.li) { $0.element(.a, [.href: app.file], text: app.name) }
          }
        }
      }
      page.paragraph(
        markdown: "Each app's page has what the tables by app hold, such as `churn-by-app.csv`.",
        linking: files, class: "note")
    }
  }

  /// The churn of the headline month by app; `nil` unless every app with a page has a row that says anything.
  private var churnByApp: ReportTable? {
    guard let month = content.headlines?.month, let source = content.headlines?.headlineSource,
      let view = content.tables[.churn]?.first(where: { $0.dimensions == ["app"] }),
      content.monthWithoutRows(.churn, source).isEmpty
    else { return nil }
    let columns = ["app", "active_start", "churned", "churn_rate", "low", "high", "state"]
    let rows = view.filtered("source") { $0 == source.rawValue }
      .filtered("month") { $0 == months.name(month) }.keeping(columns.contains)
    let names = Set(rows.namedRows.map { $0.text("app") })
    return apps.allSatisfy { names.contains($0.name) } ? rows : nil
  }
}
