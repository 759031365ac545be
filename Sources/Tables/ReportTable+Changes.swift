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

    /// Returns the months that several months together are compared with: as many before them, or those of the year
    /// before.
    package func months(before months: ClosedRange<Month>) -> ClosedRange<Month> {
      let distance = self == .previous ? months.upperBound - months.lowerBound + 1 : distance
      return months.lowerBound - distance...months.upperBound - distance
    }
  }

  /// The end of the names of columns with the earlier number, and with the difference.
  package static let changeEndings = (before: "_before", change: "_change")

  /// Returns the table with the earlier number and the difference beside each number.
  ///
  /// The earlier row is of the same source and cohort: all keys but the month are equal. Its numbers are those
  /// known today. Differences of counts, amounts and rates are exact. Both columns are empty where the earlier row is missing or one of the two
  /// rows is partial, because a part of a month is compared with nothing. `low` and `high` bound a rate, not a
  /// change, and get no such columns.
  ///
  /// `name` is the column of the month, and `lacksDays` says whether days of a month are missing in a source, for
  /// tables without a `state`. A table without months is returned as it is.
  package func addingChanges(
    _ against: Against, _ months: MonthSystem, in name: String = "month",
    lacksDays: (_ source: String, Month) -> Bool = { _, _ in false }
  ) -> ReportTable {
    guard let monthColumn = columns.firstIndex(where: { $0.name == name }) else { return self }
    let keyColumns = identity.filter { $0 != monthColumn }
    let places = rows.map { row in
      Place(row[monthColumn].words.flatMap(months.month(named:)), keyColumns.map { row[$0] })
    }
    let known = Dictionary(grouping: rows.indices) { places[$0] }
    let partial = rows.indices.map { isPartial(rows[$0], places[$0].month, lacksDays) }
    return addingChanges { row in
      guard let month = places[row].month, known[places[row]]?.count == 1,
        let earlier = known[Place(month - against.distance, places[row].keys)], earlier.count == 1,
        !partial[row], !partial[earlier[0]]
      else { return nil }
      return rows[earlier[0]]
    }
  }

  /// Returns the table with the number of an earlier time's table and the difference beside each number.
  ///
  /// Both have the same columns; rows with equal keys are compared unless one is partial.
  package func addingChanges(since earlier: ReportTable) -> ReportTable {
    let identity = identity
    let known = Dictionary(grouping: earlier.rows) { row in identity.map { row[$0] } }
    return addingChanges { place in
      let row = rows[place]
      guard let found = known[identity.map { row[$0] }], found.count == 1,
        ![row, found[0]].contains(where: { isPartial($0, nil) { _, _ in false } })
      else { return nil }
      return found[0]
    }
  }

  /// Returns a table of price increases with the number of an earlier increase and the difference beside each number.
  ///
  /// `previous` is the increase before of the same product, plan, storefront and currency, in whatever month. `year` is
  /// the one of the same month a year before.
  package func addingChangesOfIncreases(_ against: Against, _ months: MonthSystem) -> ReportTable {
    guard let effective = columns.firstIndex(where: { $0.name == "effective" }) else { return self }
    let others = columns.indices.filter {
      columns[$0].kind == .key && !columns[$0].name.hasPrefix("effective")
    }
    let days = rows.map { $0[effective].words.flatMap(Day.init) }
    let series = Dictionary(grouping: rows.indices) { row in others.map { rows[row][$0] } }
    return addingChanges { row in
      guard let day = days[row] else { return nil }
      let before = (series[others.map { rows[row][$0] }] ?? []).filter { place in
        guard let other = days[place], other < day else { return false }
        return against == .previous
          || months.month(of: other) == months.month(of: day) - against.distance
      }
      guard let newest = before.compactMap({ days[$0] }).max() else { return nil }
      let found = before.filter { days[$0] == newest }.map { rows[$0] }
      guard found.count == 1,
        ![rows[row], found[0]].contains(where: { isPartial($0, nil) { _, _ in false } })
      else { return nil }
      return found[0]
    }
  }

  /// Sets a number of another row, and the difference, beside each number; `earlier` returns the cells of that row.
  private func addingChanges(_ earlier: (_ row: Int) -> [Cell]?) -> ReportTable {
    let identity = identity
    let compared = Set(columns.indices.filter { columns[$0].isCompared && !identity.contains($0) })
    var table = ReportTable(
      name: name, dimensions: dimensions,
      columns: columns.enumerated().flatMap { index, column in
        compared.contains(index) ? [column] + column.compared : [column]
      }, rows: [])
    table.rows = rows.enumerated().map { place, row in
      let earlier = earlier(place)
      return row.enumerated().flatMap { column, cell -> [Cell] in
        guard compared.contains(column) else { return [cell] }
        let before = earlier?[column] ?? .missing
        return [cell, before, Self.difference(of: cell, from: before)]
      }
    }
    return table
  }

  /// Returns the difference of two numbers, exact but for statistics such as `survival`.
  private static func difference(of new: Cell, from old: Cell) -> Cell {
    if case .fraction(let new) = new, case .fraction(let old) = old { return .fraction(new - old) }
    return new.change(since: old)
  }

  /// The places of the columns that tell rows apart.
  private var identity: [Int] { columns.indices.filter { columns[$0].identifies } }

  /// The key by which rows of two months are compared.
  private struct Place: Hashable {
    var month: Month?
    var keys: [Cell]

    init(_ month: Month?, _ keys: [Cell]) { (self.month, self.keys) = (month, keys) }
  }

  private func isPartial(
    _ row: [Cell], _ month: Month?, _ lacksDays: (String, Month) -> Bool
  ) -> Bool {
    if let state = columns.firstIndex(where: { $0.name == "state" }) {
      return row[state] == SourceReport.State.partial.cell
    }
    guard let source = columns.firstIndex(where: { $0.name == "source" }), let month
    else { return false }
    return row[source].words.map { lacksDays($0, month) } ?? false
  }
}

extension ReportTable.Column {
  /// Whether `--against` compares the column: numbers, but not the bounds of an interval.
  fileprivate var isCompared: Bool {
    isNumeric && !["low", "high"].contains(name.split(separator: "_").last)
  }

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
  fileprivate var words: String? { if case .text(let text) = self { text } else { nil } }
}
