/// Access to cells by the names of their columns, and selection of columns.
extension ReportTable {
  /// A row whose cells can be read by the names of their columns.
  package struct NamedRow: Sendable {
    fileprivate let places: [String: Int]
    fileprivate let cells: [Cell]

    /// Returns a cell; `missing` if the table lacks the column.
    package func cell(_ column: String) -> Cell { places[column].map { cells[$0] } ?? .missing }

    /// Returns the count in a column; `nil` if the cell is not a count.
    package subscript(_ column: String) -> Int? {
      if case .count(let count) = cell(column) { count } else { nil }
    }

    /// Returns the text in a column; blank if the cell is not a text.
    package func text(_ column: String) -> String {
      if case .text(let text) = cell(column) { text } else { "" }
    }

    /// The source.
    package var source: String { text("source") }
    /// The source and the month.
    package var key: String { "\(source) \(text("month"))" }
  }

  /// The rows, for access by the names of the columns.
  package var namedRows: [NamedRow] {
    let places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1.name, $0) })
    return rows.map { NamedRow(places: places, cells: $0) }
  }

  /// Returns the table with some of its columns, in their order.
  ///
  /// - Parameter isKept: Whether to keep a column, by its name.
  /// - Returns: The table.
  package func keeping(_ isKept: (String) -> Bool) -> ReportTable {
    keeping(columns.indices.filter { isKept(columns[$0].name) })
  }

  /// The table without columns that are empty in all rows; a table without rows keeps all.
  package var withoutEmptyColumns: ReportTable {
    if rows.isEmpty { return self }
    return keeping(columns.indices.filter { index in rows.contains { !$0[index].isEmpty } })
  }

  func keeping(_ places: [Int]) -> ReportTable {
    ReportTable(
      name: name, dimensions: dimensions, columns: places.map { columns[$0] },
      rows: rows.map { row in places.map { row[$0] } }, heading: heading)
  }
}

extension ReportTable.Cell {
  /// Whether the cell prints as nothing: unknown, or a key without a value, such as the currency of a rate.
  package var isEmpty: Bool { self == .missing || self == .text("") }
}

extension ReportTable.Column {
  /// Whether the column tells rows of a table apart: a key, the paid period of retention or the line of a settlement.
  package var identifies: Bool { kind == .key || ["k", "months", "step", "line"].contains(name) }
}

extension [ReportTable.Column] {
  /// Columns that identify a row besides: two changes of a price may have one day, some lines have several causes, and
  /// months before and after an increase are numbers.
  private static let identifying: Set<String> = [
    "cause", "month", "months_since", "new_price", "old_price",
  ]

  /// The places of the columns that identify a row.
  package var keyPlaces: [Int] {
    indices.filter { place in
      let column = self[place]
      // The bank's currency may become known later.
      return column.identifies && column.name != "amount_currency"
        || Self.identifying.contains(column.name)
    }
  }
}
