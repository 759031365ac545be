import Metrics

/// Selects the part of a table that a page shows; the whole table is in a file.
extension ReportTable {
  /// Returns the rows whose text in a column passes; all rows when the column is missing.
  func filtered(_ column: String, _ isShown: (String) -> Bool) -> ReportTable {
    guard let index = columns.firstIndex(where: { $0.name == column }) else { return self }
    var table = self
    table.rows = rows.filter { row in
      guard case .text(let text) = row[index] else { return false }
      return isShown(text)
    }
    return table
  }

  /// Returns the currencies with the most charges or running commitments, as amounts cannot be compared.
  func mainCurrencies(limit: Int) -> [String] { Array(currencies.prefix(limit)) }

  /// All currencies, those with the most charges or commitments first.
  private var currencies: [String] {
    guard let currency = columns.firstIndex(where: { $0.name == "currency" }) else { return [] }
    let counts = rows.reduce(into: [String: Int]()) { counts, row in
      guard case .text(let code) = row[currency], let count = size(of: row) else { return }
      counts[code, default: 0] += count
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  /// The column that ranks currencies: `charges` or `running`.
  private var sizeColumn: Int? {
    columns.firstIndex { $0.name == "charges" || $0.name == "running" }
  }

  private func size(of row: [Cell]) -> Int? {
    guard let sizeColumn, case .count(let count) = row[sizeColumn] else { return nil }
    return count
  }

  /// Returns a sentence on the currencies that a page leaves out and their numbers of charges.
  ///
  /// - Parameter shown: The currencies that the page shows.
  /// - Returns: A sentence; `nil` when all are shown.
  func hiddenCurrencies(besides shown: [String]) -> String? {
    let hidden = currencies.filter { !shown.contains($0) }
    guard !hidden.isEmpty, let source = columns.firstIndex(where: { $0.name == "source" }) else {
      return nil
    }
    var counts: [String: Int] = [:]
    for row in filtered("currency", hidden.contains).rows {
      guard case .text(let name) = row[source], let count = size(of: row) else { continue }
      counts[name, default: 0] += count
    }
    let charges = counts.sorted { $0.key < $1.key }.map { source, count in
      "\(counted(count, columns[sizeColumn ?? 0].name == "running" ? "running commitment" : "charge")) in `\(source)`"
    }
    let names = hidden.map { $0.isEmpty ? "no currency" : $0 }.joined(separator: ", ")
    return
      "\(hidden.count) more \(hidden.count == 1 ? "currency is" : "currencies are") not shown (\(names)), with \(charges.joined(separator: ", "))."
  }

  var withoutEmptyColumns: ReportTable {
    let kept = columns.indices.filter { index in rows.contains { $0[index] != .missing } }
    guard !rows.isEmpty, kept.count < columns.count else { return self }
    return ReportTable(
      name: name, dimensions: dimensions, columns: kept.map { columns[$0] },
      rows: rows.map { row in kept.map { row[$0] } })
  }
}
