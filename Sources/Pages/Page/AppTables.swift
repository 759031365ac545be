package import Tables

/// The tables by app, with the places of each app's rows, so that no row is compared with every app.
package struct AppTables: Sendable {
  /// A table by app.
  private struct View: Sendable {
    let kind: TableKind
    let table: ReportTable
    /// The places of the rows of each app.
    let places: [String: [Int]]

    init(_ kind: TableKind, _ table: ReportTable) {
      let column = table.columns.firstIndex { $0.name == "app" }
      self.kind = kind
      self.table = table
      places = table.rows.indices.reduce(into: [:]) { places, row in
        guard let column, case .text(let app) = table.rows[row][column] else { return }
        places[app, default: []].append(row)
      }
    }
  }

  private let views: [View]

  /// Finds the tables by app.
  ///
  /// - Parameter tables: All views of each table.
  package init(_ tables: [TableKind: [ReportTable]]) {
    views = TableKind.allCases.compactMap { kind in
      tables[kind]?.first { $0.dimensions == ["app"] }.map { View(kind, $0) }
    }
  }

  /// Returns the rows of one app, as tables of a whole population: without the column `app`.
  ///
  /// - Parameter app: The app, as tables print it.
  /// - Returns: A table for each kind that has a row of the app.
  package func tables(of app: String) -> [TableKind: [ReportTable]] {
    views.reduce(into: [:]) { tables, view in
      guard let places = view.places[app] else { return }
      let own = ReportTable(
        name: view.table.name, dimensions: [], columns: view.table.columns,
        rows: places.map { view.table.rows[$0] })
      tables[view.kind] = [own.keeping { $0 != "app" }]
    }
  }
}
