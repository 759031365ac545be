import Counting
import Pipeline
import Rendering
package import Storage
import SubscriptionModel
package import Tables

/// An app with a page of its own, beside the page of all apps.
struct AppPage: Hashable, Sendable {
  /// The app's Apple ID or bundle id.
  let id: String
  let name: String
  /// The file of its page, such as `app-1450000001.html`.
  let file: String

  /// The most pages of apps; further apps are in the tables by app.
  private static let mostPages = 200

  /// Returns the apps of a run, the one with most active subscriptions first; none unless there are several.
  ///
  /// They are those of the headline source, or else of the first other one, because receipts have other ids of apps than
  /// reports.
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
      return sizes.0 != sizes.1 ? sizes.0 > sizes.1 : left.name.precedes(right.name)
    }
    return Array(largest.prefix(mostPages))
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

/// The tables by app, with the places of each app's rows, so that no row is compared with every app.
package struct AppTables: Sendable {
  private struct View: Sendable {
    let kind: TableKind
    let table: ReportTable
    /// The places of the rows of each app.
    let places: [ExactText: [Int]]

    /// Finds the rows of each app by a column; `appOf` returns the app of its text, `nil` where it is not known.
    init(
      _ kind: TableKind, _ table: ReportTable, by name: String,
      appOf: (String) -> String? = { $0 }
    ) {
      let column = table.columns.firstIndex { $0.name == name }
      self.kind = kind
      self.table = table
      places = table.rows.indices.reduce(into: [:]) { places, row in
        guard let column, case .text(let text) = table.rows[row][column], let app = appOf(text)
        else { return }
        places[app, default: []].append(row)
      }
    }

    /// Returns the rows of one app with all columns; `nil` without a row.
    func rows(of app: String, dimensions: [String]) -> ReportTable? {
      places[app].map { places in
        ReportTable(
          name: table.name, dimensions: dimensions, columns: table.columns,
          rows: places.map { table.rows[$0] })
      }
    }
  }

  private let views: [View]
  /// `retention` by product and duration; `nil` without it.
  private let curves: View?

  /// Finds the tables by app.
  package init(
    _ tables: [TableKind: [ReportTable]], appsOfProducts apps: [ExactText: String] = [:]
  ) {
    views = TableKind.allCases.compactMap { kind in
      tables[kind]?.first { $0.dimensions == ["app"] }.map { View(kind, $0, by: "app") }
    }
    curves = tables[.retention]?.first { $0.dimensions == ["product", "duration"] }
      .map { View(.retention, $0, by: "product") { apps[$0] } }
  }

  /// Returns the rows of one app, as tables of a whole population: without the column `app`.
  ///
  /// `retention` has a second table with the rows of the app's products by duration, where the products are known.
  package func tables(of app: String) -> [TableKind: [ReportTable]] {
    var tables: [TableKind: [ReportTable]] = [:]
    for view in views {
      guard let own = view.rows(of: app, dimensions: []) else { continue }
      tables[view.kind] = [own.keeping { $0 != "app" }]
    }
    if let own = curves?.rows(of: app, dimensions: ["product", "duration"]) {
      tables[.retention, default: []].append(own)
    }
    return tables
  }
}
