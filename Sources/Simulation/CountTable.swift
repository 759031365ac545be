/// The counts of a table in `truth/`, by month and by product or currency.
///
/// The raw values of the columns are their names in the table.
struct CountTable<Column: CaseIterable & Hashable & RawRepresentable>
where Column.RawValue == String {
  private struct Key: Hashable {
    let month: Int
    let item: Int
  }

  private var counts: [Key: [Column: Int]] = [:]

  /// Adds to a column of a month and an item, the index of a product or currency.
  mutating func add(_ count: Int, to column: Column, month: Int, item: Int) {
    counts[Key(month: month, item: item), default: [:]][column, default: 0] += count
  }

  /// The names of the columns.
  var header: String { Column.allCases.map(\.rawValue).joined(separator: ",") }

  /// The rows in the order of month and item, with a value for each column.
  var rows: [(month: Int, item: Int, values: [Int])] {
    let rows = counts.map { key, columns in
      (month: key.month, item: key.item, values: Column.allCases.map { columns[$0, default: 0] })
    }
    return rows.sorted { ($0.month, $0.item) < ($1.month, $1.item) }
  }
}
