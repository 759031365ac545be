/// A table whose rows are made when they are needed: too many to be kept as texts.
///
/// A cell takes ten times the memory of its text. Examples: a list of 113,649 contributions, of which the program
/// makes, prints and forgets some thousands at a time; or a row for each of 100,000 files.
package struct LongTable: Sendable {
  /// The table's name.
  package let name: String
  /// The columns, in the order they are printed.
  package let columns: [ReportTable.Column]
  package var count: Int { order?.count ?? rowCount }

  private let rowCount: Int
  private let row: @Sendable (Int) -> [ReportTable.Cell]
  /// The indices of the shown columns among the cells of a row; `nil` for all.
  private var places: [Int]?
  /// The indices of the shown rows, in order; `nil` for all in their own order.
  private var order: [UInt32]?

  /// Creates a table whose rows are made one by one, each perhaps several times: one cell per column.
  package init(
    name: String, columns: [ReportTable.Column], count: Int,
    row: @escaping @Sendable (Int) -> [ReportTable.Cell]
  ) {
    (self.name, self.columns, self.rowCount, self.row) = (name, columns, count, row)
  }

  /// Creates a table of rows that are made already; its name is that of the file, such as `churn-by-country`.
  package init(_ table: ReportTable) {
    self.init(name: table.fileStem, columns: table.columns, count: table.rows.count) {
      table.rows[$0]
    }
  }

  private init(_ table: LongTable, columns: [ReportTable.Column], places: [Int], order: [UInt32]?) {
    (name, rowCount, row) = (table.name, table.rowCount, table.row)
    (self.columns, self.places, self.order) = (columns, places, order)
  }

  /// Returns some rows as a table.
  package func part(_ range: Range<Int>) -> ReportTable {
    ReportTable(name: name, dimensions: [], columns: columns, rows: range.map { cells(ofRow: $0) })
  }

  /// The rows, each made when it is reached.
  package var rows: some Sequence<[ReportTable.Cell]> { (0..<count).lazy.map { cells(ofRow: $0) } }

  /// All rows as a table.
  package var table: ReportTable { part(0..<count) }

  /// The table without its rows.
  package var header: ReportTable { part(0..<0) }

  private func cells(ofRow index: Int) -> [ReportTable.Cell] {
    let cells = row(order.map { Int($0[index]) } ?? index)
    return places.map { $0.map { cells[$0] } } ?? cells
  }

  /// Returns the table with the columns of some indices, in this order.
  package func keeping(_ kept: [Int]) -> LongTable {
    LongTable(
      self, columns: kept.map { columns[$0] }, places: kept.map { places?[$0] ?? $0 },
      order: order)
  }

  /// Returns the table sorted, cut to its first rows and reduced to columns, as ``TableShape/applied(to:)`` does it.
  package func shaped(by shape: TableShape) -> LongTable {
    var table = self
    if let order = shape.order { table = table.sorted(by: order) }
    if let top = shape.top, top < table.count {
      table.order = (0..<top).map { table.order?[$0] ?? UInt32($0) }
    }
    guard !shape.columns.isEmpty else { return table }
    let kept = header.selecting(shape.columns).columns.map(\.name)
    return table.keeping(kept.compactMap { name in columns.firstIndex { $0.name == name } })
  }

  private func sorted(by order: TableShape.Order) -> LongTable {
    guard let place = columns.firstIndex(where: { $0.name == order.column }) else { return self }
    let isDescending = order.isDescending ?? columns[place].isNumeric
    // Only the cells of one column are kept.
    let cells = (0..<count).map { self.cells(ofRow: $0)[place] }
    let ranked = cells.indices.sorted { left, right in
      cells[left].order(before: cells[right], isDescending) ?? (left < right)
    }
    var table = self
    table.order = ranked.map { self.order?[$0] ?? UInt32($0) }
    return table
  }
}

/// The rows of a list: a short one is kept as texts, the rows of a long one are made one after another.
package struct ListedRows: Sendable {
  /// The rows, if they are too many to be kept as texts; otherwise `nil`.
  package let long: LongTable?
  private let short: ReportTable

  /// The most rows that are kept as texts.
  package static let mostKept = 2_000

  /// Creates the rows of a list that is kept as texts.
  package init(_ table: ReportTable) { (long, short) = (nil, table) }

  /// Creates the rows of a list, of which so many at most are kept as texts.
  package init(_ table: LongTable, mostKept: Int = Self.mostKept) {
    let isLong = table.count > mostKept
    (long, short) = isLong ? (table, table.header) : (nil, table.table)
  }

  /// All rows.
  package var table: ReportTable { long?.table ?? short }
}
