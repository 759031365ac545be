import Counting
package import SubscriptionModel

/// Sets the numbers of a month beside those of an earlier one: the `--against` option.
extension ReportTable {
  /// Which earlier month a row is compared with.
  package enum Against: String, CaseIterable, Sendable {
    /// The month or fiscal period before.
    case previous
    /// The same month or fiscal period of the year before.
    case year

    /// How many months lie between the two.
    package var distance: Int {
      switch self {
      case .previous: 1
      case .year: 12
      }
    }
  }

  /// The end of the names of columns with the earlier number, and with the difference.
  package static let changeEndings = (before: "_before", change: "_change")

  /// Returns the table with the earlier number and the difference beside each number.
  ///
  /// The earlier row is of the same source and cohort: all keys but the month are equal. Its numbers are those
  /// known today. Differences are exact. Both columns are empty where the earlier row is missing or one of the two
  /// rows is partial, because a part of a month is compared with nothing. `low` and `high` bound a rate, not a
  /// change, and get no such columns.
  ///
  /// - Parameters:
  ///   - against: Which month to compare with.
  ///   - months: How months are written.
  ///   - lacksDays: Whether days of a month are missing in a source; for tables without a `state`.
  /// - Returns: The table with all its rows; a table without months as it is.
  package func addingChanges(
    _ against: Against, _ months: MonthSystem, lacksDays: (_ source: String, Month) -> Bool
  ) -> ReportTable {
    guard let monthColumn = columns.firstIndex(where: { $0.name == "month" }) else { return self }
    let keyColumns = columns.indices.filter { columns[$0].kind == .key && $0 != monthColumn }
    let compared = Set(columns.indices.filter { columns[$0].isCompared })
    let read = rows.map { row in
      MonthRow(
        month: row[monthColumn].words.flatMap(months.month(named:)),
        keys: keyColumns.map { row[$0] },
        cells: row)
    }
    let known = Dictionary(grouping: read.indices) { MonthRow.Place(read[$0]) }
    let partial = read.map { isPartial($0, lacksDays) }
    var table = ReportTable(
      name: name, dimensions: dimensions,
      columns: columns.enumerated().flatMap { index, column in
        compared.contains(index) ? [column] + column.compared : [column]
      }, rows: [])
    table.rows = read.enumerated().map { index, row in
      let place = row.month.map { MonthRow.Place($0 - against.distance, row.keys) }
      var earlier = place.flatMap { known[$0]?.first }
      if let found = earlier, partial[index] || partial[found] { earlier = nil }
      return row.cells.enumerated().flatMap { column, cell -> [Cell] in
        guard compared.contains(column) else { return [cell] }
        let before = earlier.map { read[$0].cells[column] } ?? .missing
        return [cell, before, cell.change(since: before)]
      }
    }
    return table
  }

  /// The key by which rows of two months are compared.
  private struct MonthRow {
    struct Place: Hashable {
      var month: Month?
      var keys: [Cell]

      init(_ month: Month?, _ keys: [Cell]) { (self.month, self.keys) = (month, keys) }

      init(_ row: MonthRow) { self.init(row.month, row.keys) }
    }

    var month: Month?
    var keys: [Cell]
    var cells: [Cell]
  }

  private func isPartial(_ row: MonthRow, _ lacksDays: (String, Month) -> Bool) -> Bool {
    if let state = columns.firstIndex(where: { $0.name == "state" }) {
      return row.cells[state] == SourceReport.State.partial.cell
    }
    guard let source = columns.firstIndex(where: { $0.name == "source" }), let month = row.month
    else { return false }
    return row.cells[source].words.map { lacksDays($0, month) } ?? false
  }
}

extension ReportTable.Column {
  /// Whether `--against` compares the column: numbers, but not the bounds of an interval.
  fileprivate var isCompared: Bool { isNumeric && name != "low" && name != "high" }

  /// The columns with the earlier number and the difference.
  fileprivate var compared: [Self] {
    let endings = ReportTable.changeEndings
    return [
      Self(name + endings.before, kind), Self(name + endings.change, kind, isChange: true),
    ]
  }
}

extension ReportTable.Cell {
  /// The words of a text; `nil` for a number.
  fileprivate var words: String? {
    if case .text(let text) = self { text } else { nil }
  }
}
