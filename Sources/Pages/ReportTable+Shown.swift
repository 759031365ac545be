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
