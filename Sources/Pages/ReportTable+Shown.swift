import Rendering
import Storage
package import Tables

/// Selects the part of a table that a page shows; the whole table is in a file.
extension ReportTable {
  /// Returns the table with the rows whose text in a column passes a test; all rows if the column is missing.
  package func filtered(_ column: String, _ isShown: (String) -> Bool) -> ReportTable {
    guard let index = columns.firstIndex(where: { $0.name == column }) else { return self }
    var table = self
    table.rows = rows.filter { row in
      guard case .text(let text) = row[index] else { return false }
      return isShown(text)
    }
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
    guard let currency = columns.firstIndex(where: { $0.name == "currency" }) else { return [] }
    var counts = rows.reduce(into: [String: Int]()) { counts, row in
      guard case .text(let code) = row[currency], let count = size(of: row) else { return }
      counts[code, default: 0] += count
    }
    if counts.count > 1 { counts[""] = nil }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  /// The column that ranks currencies: `charges`, `running` or `active`.
  private var sizeColumn: Int? {
    columns.firstIndex { ["charges", "running", "active"].contains($0.name) }
  }

  /// Returns the number of charges or running commitments in a row.
  private func size(of row: [Cell]) -> Int? {
    guard let sizeColumn, case .count(let count) = row[sizeColumn] else { return nil }
    return count
  }

  /// The number of currencies.
  package var currencyCount: Int { currencies.count }
}

extension LongTable {
  /// The table as CSV.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    LongTableWriter(self, .csv, fitsColumns: false, isColored: false, width: nil).write {
      bytes += $0
    }
    return bytes
  }
}
