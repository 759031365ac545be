import Metrics

/// What a page shows of a table that is in a file as a whole.
extension ReportTable {
  /// Keeps the rows whose text in a column passes; without the column all rows.
  func filtered(_ column: String, _ isShown: (String) -> Bool) -> ReportTable {
    guard let index = columns.firstIndex(where: { $0.name == column }) else { return self }
    var table = self
    table.rows = rows.filter { row in
      guard case .text(let text) = row[index] else { return false }
      return isShown(text)
    }
    return table
  }

  /// The currencies with the most charges: amounts cannot be compared across currencies.
  func mainCurrencies(limit: Int) -> [String] {
    guard let currency = columns.firstIndex(where: { $0.name == "currency" }),
      let charges = columns.firstIndex(where: { $0.name == "charges" })
    else { return [] }
    var counts: [String: Int] = [:]
    for row in rows {
      guard case .text(let code) = row[currency], case .count(let count) = row[charges] else {
        continue
      }
      counts[code, default: 0] += count
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map(\.key)
  }

  var withoutEmptyColumns: ReportTable {
    let kept = columns.indices.filter { index in rows.contains { $0[index] != .missing } }
    guard !rows.isEmpty, kept.count < columns.count else { return self }
    return ReportTable(
      name: name, dimensions: dimensions, columns: kept.map { columns[$0] },
      rows: rows.map { row in kept.map { row[$0] } })
  }
}
