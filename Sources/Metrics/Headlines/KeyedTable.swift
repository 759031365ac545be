/// A finished table whose rows are found by source, month, value of the view's dimension and currency.
struct KeyedTable: Sendable {
  struct Key: Hashable {
    var source: String
    var month: String
    /// The value of the view's dimension; empty for the whole population.
    var value = ""
    var currency = ""
  }

  private let columns: [String: Int]
  private let rows: [[ReportTable.Cell]]
  /// The places of a month's rows, by source and month.
  private var places: [Key: [(value: String, currency: String, place: Int)]] = [:]

  /// Indexes a table of one view without or with one dimension; of refunds only those dated by their sale.
  init(_ table: ReportTable) {
    columns = Dictionary(uniqueKeysWithValues: table.columns.enumerated().map { ($1.name, $0) })
    rows = table.rows
    for (place, row) in rows.enumerated() {
      let text = { [columns] (name: String?) -> String in
        guard let name, let column = columns[name], case .text(let text) = row[column] else {
          return ""
        }
        return text
      }
      if columns["dating"] != nil, text("dating") != "sale" { continue }
      places[Key(source: text("source"), month: text("month")), default: []].append(
        (text(table.dimensions.first), text("currency"), place))
    }
  }

  /// Returns the cells of a column in a month.
  func cells(
    _ column: String, source: String, month: String
  ) -> [(value: String, currency: String, cell: ReportTable.Cell)] {
    guard let index = columns[column] else { return [] }
    return (places[Key(source: source, month: month)] ?? []).map {
      ($0.value, $0.currency, rows[$0.place][index])
    }
  }

  /// Returns the counts of a column in a month by value, summed over currencies.
  ///
  /// - Returns: `nil` when a count is not known.
  func counts(_ column: String, source: String, month: String) -> [String: Int]? {
    var counts: [String: Int] = [:]
    for (value, _, cell) in cells(column, source: source, month: month) {
      guard case .count(let count) = cell else { return nil }
      counts[value, default: 0] += count
    }
    return counts
  }
}
