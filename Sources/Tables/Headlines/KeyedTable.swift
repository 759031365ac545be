import Storage

/// A finished table whose rows are found by source and month.
struct KeyedTable: Sendable {
  /// The rows of a month, by source and month.
  private let rows: [String: [ReportTable.NamedRow]]
  /// The view's dimension; `nil` for the whole population.
  private let dimension: String?

  /// Indexes a table of one view without or with one dimension; of refunds only those dated by their sale.
  init(_ table: ReportTable) {
    dimension = table.dimensions.first
    let rows = table.namedRows.filter { ["", "sale"].contains($0.text("dating")) }
    self.rows = Dictionary(grouping: rows, by: \.key)
  }

  /// Returns the cells of a column in a month, each with the value of the view's dimension and the currency; these are
  /// blank where there is none.
  func cells(
    _ column: String, source: String, month: String
  ) -> [(value: String, currency: String, cell: ReportTable.Cell)] {
    (rows["\(source) \(month)"] ?? []).map { row in
      (dimension.map(row.text) ?? "", row.text("currency"), row.cell(column))
    }
  }

  /// Returns the counts of a column in a month by value, summed over currencies.
  ///
  /// - Returns: `nil` when a count is not known.
  func counts(_ column: String, source: String, month: String) -> [ExactText: Int]? {
    var counts: [ExactText: Int] = [:]
    for (value, _, cell) in cells(column, source: source, month: month) {
      guard case .count(let count) = cell else { return nil }
      counts[value, default: 0] += count
    }
    return counts
  }
}
