import Rendering
import Storage
package import Tables

/// Selects the part of a table that a page shows; the whole table is in a file.
extension ReportTable {
  /// Returns the table with the rows whose text in a column passes a test; all rows if the column is missing.
  package func filtered(_ column: String, _ isShown: (String) -> Bool) -> ReportTable {
    guard let index = columns.firstIndex(where: { $0.name == column }) else { return self }
    var table = self
    table.rows = rows.filter { $0[index].words.map(isShown) ?? false }
    return table
  }

  /// The curve of the length of plan with most people, from a view of retention by duration; no rows without one.
  ///
  /// A curve of several lengths would mix weeks with years.
  package var ofMainDuration: (name: String, table: ReportTable) {
    let first = namedRows.filter { $0["k"] == 1 }
    let largest = first.max {
      ($0["at_risk"] ?? 0, $1.text("duration")) < ($1["at_risk"] ?? 0, $0.text("duration"))
    }
    let name = largest?.text("duration") ?? ""
    let rows = filtered("duration") { $0.isSame(as: name) }.rows
    return (name, ReportTable(name: self.name, dimensions: [], columns: columns, rows: rows))
  }

  /// Returns the currencies with the most charges or running commitments: amounts of different currencies cannot be
  /// compared.
  package func mainCurrencies(limit: Int) -> [String] { Array(currencies.prefix(limit)) }

  /// All currencies, those with the most charges or commitments first.
  ///
  /// Charges without a price are one of them only where no other charge has a price.
  private var currencies: [String] {
    let sizes: Set = ["charges", "running", "active"]
    guard let currency = columns.firstIndex(where: { $0.name == "currency" }),
      let size = columns.firstIndex(where: { sizes.contains($0.name) })
    else { return [] }
    var counts = rows.reduce(into: [String: Int]()) { counts, row in
      guard let code = row[currency].words, let count = row[size].count else { return }
      counts[code, default: 0] += count
    }
    if counts.count > 1 { counts[""] = nil }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  var currencyCount: Int { currencies.count }
}

extension LongTable {
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    LongTableWriter(self, .csv, fitsColumns: false, isColored: false, width: nil).write {
      bytes += $0
    }
    return bytes
  }
}

extension ReportTable.Cell {
  /// The words of a text; `nil` for any other cell.
  var words: String? { if case .text(let words) = self { words } else { nil } }

  /// The number of a count; `nil` for any other cell.
  var count: Int? { if case .count(let count) = self { count } else { nil } }

  /// The milliunits of an amount; `nil` for any other cell.
  var milliunits: Int128? { if case .money(let milliunits) = self { milliunits } else { nil } }
}

extension [TableKind: [ReportTable]] {
  /// Returns the view of the whole population; `nil` without the table.
  func whole(_ kind: TableKind) -> ReportTable? { self[kind]?.first(where: \.dimensions.isEmpty) }
}
