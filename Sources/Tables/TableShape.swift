import Storage

/// Which columns and rows of a table are shown, and in which order.
package struct TableShape: Equatable, Sendable {
  /// A column to sort by, and the direction.
  package struct Order: Equatable, Sendable {
    /// The column's name.
    package var column: String
    /// Whether the largest come first; `nil`: numbers the largest first, words from A to Z.
    package var isDescending: Bool?

    /// Creates an order by a column; `isDescending` is `nil` for the column's usual order.
    package init(column: String, isDescending: Bool? = nil) {
      self.column = column
      self.isDescending = isDescending
    }

    /// Whether each word for a direction puts the largest first.
    package static let directions = ["asc": false, "desc": true]

    /// Reads `churn_rate`, `churn_rate:asc` or `churn_rate:desc`; `nil` for another word after the colon.
    package init?(_ text: String) {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 2 else {
        self.init(column: text)
        return
      }
      guard let isDescending = Self.directions[parts[1]] else { return nil }
      self.init(column: parts[0], isDescending: isDescending)
    }
  }

  /// The columns to show, in this order; empty for all.
  package var columns: [String]
  /// The order of the rows; `nil` for the table's own.
  package var order: Order?
  /// The number of rows to show, the first ones; `nil` for all.
  package var top: Int?

  /// Creates a shape; without arguments the table stays as it is.
  package init(columns: [String] = [], order: Order? = nil, top: Int? = nil) {
    self.columns = columns
    self.order = order
    self.top = top
  }

  /// Returns the first column that is not among the names; `nil` when all are there.
  package func unknownColumn(in names: [String]) -> String? {
    (columns + [order?.column].compactMap { $0 }).first { !names.contains($0) }
  }

  /// Returns the column that rows are sorted by; `nil` for the table's own order.
  package func sortedColumn(of table: ReportTable) -> ReportTable.Column? {
    order(of: table).flatMap { order in table.columns.first { $0.name == order.column } }
  }

  private func order(of table: ReportTable) -> Order? {
    order ?? (top == nil ? nil : table.sizeColumn.map { Order(column: $0) })
  }

  /// Returns the table sorted, cut to its first rows and reduced to the columns.
  ///
  /// A column that the table lacks is passed over. ``top`` without an order takes the rows with the largest
  /// ``ReportTable/sizeColumn``, or the first rows of a table without one.
  package func applied(to table: ReportTable) -> ReportTable {
    var table = table
    if let order = order(of: table) { table = table.sorted(by: order) }
    if let top { table.rows = Array(table.rows.prefix(top)) }
    return columns.isEmpty ? table : table.selecting(columns)
  }
}

extension ReportTable {
  /// Returns the table with its rows in another order; empty cells come last, equal ones keep their order.
  ///
  /// Fractions are compared exactly. A table without the column stays as it is.
  package func sorted(by order: TableShape.Order) -> ReportTable {
    guard let index = columns.firstIndex(where: { $0.name == order.column }) else { return self }
    let isDescending = order.isDescending ?? columns[index].isNumeric
    var table = self
    let ranked = rows.enumerated().sorted { left, right in
      let comparison = left.element[index].order(before: right.element[index], isDescending)
      return comparison ?? (left.offset < right.offset)
    }
    table.rows = ranked.map(\.element)
    return table
  }

  /// Returns the table with the named columns only, in that order; names that it lacks are passed over.
  ///
  /// A column comes with its earlier value and its change, if the table has them and none of the two is named.
  func selecting(_ names: [String]) -> ReportTable {
    var places: [Int] = []
    let withChanges = names.flatMap { name in
      let added = [name + Self.changeEndings.before, name + Self.changeEndings.change]
      return [name] + (added.contains(where: names.contains) ? [] : added)
    }
    for name in withChanges {
      guard let place = columns.firstIndex(where: { $0.name == name }), !places.contains(place)
      else { continue }
      places.append(place)
    }
    return keeping(places)
  }
}

extension ReportTable.Column {
  /// Whether the cells are numbers.
  package var isNumeric: Bool {
    switch kind {
    case .key, .text: false
    case .count, .rate, .money, .number: true
    }
  }
}

extension ReportTable.Cell {
  /// Returns whether the cell comes before another one; `nil` when they are equal.
  func order(before other: Self, _ isDescending: Bool) -> Bool? {
    switch (isEmpty, other.isEmpty) {
    case (true, true): return nil
    case (true, false): return false
    case (false, true): return true
    case (false, false): break
    }
    let sign = compared(with: other)
    return sign == 0 ? nil : (sign < 0) != isDescending
  }

  /// Returns -1, 0 or 1: numbers by their value and before words, words by their UTF-8 bytes.
  private func compared(with other: Self) -> Int {
    switch (self, other) {
    case (.text(let left), .text(let right)):
      if left == right { return 0 }
      return left.precedes(right) ? -1 : 1
    case (.text, _): return 1
    case (_, .text): return -1
    default: break
    }
    if let left = exact, let right = other.exact {
      return left == right ? 0 : left < right ? -1 : 1
    }
    let (left, right) = (approximate, other.approximate)
    return left == right ? 0 : left < right ? -1 : 1
  }

  private var approximate: Double {
    if case .fraction(let fraction) = self { return fraction }
    return exact?.approximate ?? 0
  }
}
