package import Storage
package import Tables

/// The tables by app, with the places of each app's rows, so that no row is compared with every app.
package struct AppTables: Sendable {
  /// A table by app.
  private struct View: Sendable {
    let kind: TableKind
    let table: ReportTable
    /// The places of the rows of each app.
    let places: [ExactText: [Int]]

    /// Finds the rows of each app.
    ///
    /// - Parameters:
    ///   - kind: The kind of the table.
    ///   - table: The table.
    ///   - name: The column that decides the app.
    ///   - appOf: Returns the app of a cell of that column; `nil` where it is not known.
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
  ///
  /// - Parameters:
  ///   - tables: All views of each table.
  ///   - apps: The app of each product, both as tables print them.
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
  ///
  /// - Parameter app: The app, as tables print it.
  /// - Returns: A table for each kind that has a row of the app.
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
