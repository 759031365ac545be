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

  /// Returns the apps of a run, the one with most active subscriptions first; none unless there are several.
  ///
  /// They are those of the headline source, or else of the first other one, because receipts have other ids of apps than
  /// reports.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - tables: The tables of the run.
  ///   - order: The sources in order of preference.
  /// - Returns: The apps with most subscriptions.
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
    return Array(largest.prefix(mostPages))
  }

  private func precedes(_ other: AppPage) -> Bool {
    name.precedes(other.name)
  }
}

extension RunResult {
  /// The names of the apps, for a title; none where no source knows them.
  var appNames: [String] {
    guard let view = plan.views.firstIndex(of: [.app]) else { return [] }
    let found = sources.lazy.filter { $0.source.dimensions.contains(.app) }.map { report in
      report.tally.views[view].index.cohorts.compactMap { cohort -> String? in
        if case .app(let id) = cohort[0] { names.app(id) } else { nil }
      }.filter { !$0.isEmpty }
    }
    return (found.first { !$0.isEmpty } ?? []).unique.inByteOrder()
  }
}
