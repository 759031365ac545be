import Storage

/// A finished table whose rows are found by source and month, and by the value of the view's dimension.
struct KeyedTable: Sendable {
  /// The rows of a month by value, by source and month.
  private let rows: [String: [ExactText: [ReportTable.NamedRow]]]
  /// The view's dimension; `nil` for the whole population.
  private let dimension: String?

  /// Indexes a table of one view without or with one dimension: of refunds the rows dated by their sale, of recurring
  /// revenue those by price whose value is known.
  init(_ table: ReportTable) {
    dimension = table.dimensions.first
    rows = table.namedRows.reduce(into: [:]) { [dimension] rows, row in
      guard ["", "sale"].contains(row.text("dating")) else { return }
      let basis = row.text("basis")
      guard basis.isEmpty || basis == "price" && !row.text("currency").isEmpty else { return }
      rows[row.key, default: [:]][ExactText(dimension.map(row.text) ?? ""), default: []].append(row)
    }
  }

  /// Returns the cells of a column in a month, each with the value of the view's dimension and the currency; these are
  /// blank where there is none; without a value those of all.
  func cells(
    _ column: String, source: String, month: String, of value: String? = nil
  ) -> [(value: String, currency: String, cell: ReportTable.Cell)] {
    let ofMonth = rows["\(source) \(month)"] ?? [:]
    let own = value.map { ofMonth[ExactText($0)] ?? [] } ?? ofMonth.values.flatMap(\.self)
    return own.map { row in
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
