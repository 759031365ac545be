import Counting
import SubscriptionModel

/// Computes the cells of a table's rows as its columns declare them, for one source.
struct RowCells {
  private enum Value {
    case state
    /// A sum of contributions.
    case number([Counted], Measure)
    /// A number divided by another one, by their places in the row.
    case ratio(Int, of: Int)
    case bound(Int, of: Int, isHigh: Bool)
    case sum([(place: Int, sign: Int128)])
    /// A rank, a formula over several rows, or nothing that the source has.
    case other(String, ColumnMakeup?)
  }

  private let columns: [(kind: ReportTable.Column.Kind, value: Value)]

  init(_ table: TableKind, _ source: Source) {
    let columns = Definition.definition(of: table).columns
    let names = columns.map(\.column.name)
    let place = { (name: String) -> Int in
      guard let place = names.firstIndex(of: name) else {
        preconditionFailure("\(table.rawValue) has no column \(name)")
      }
      return place
    }
    self.columns = columns.map { column in
      let value: Value =
        switch column.makeup(from: source) {
        case .counts(let counted)?: .number(Array(counted), .count)
        case .money(let counted, let measure)?: .number(Array(counted), measure)
        case .ratio(let above, let below)?: .ratio(place(above), of: place(below))
        case .bound(let above, let below, let isHigh)?:
          .bound(place(above), of: place(below), isHigh: isHigh)
        case .sum(let names, let subtracted)?:
          .sum(names.map { (place($0), subtracted.contains($0) ? -1 : 1) })
        case let makeup:
          column.column.name == "state" ? .state : .other(column.column.name, makeup)
        }
      return (column.column.kind, value)
    }
  }

  /// Returns whether a row counts nothing.
  func isEmpty(_ number: ([Counted], Measure) -> Int128?) -> Bool {
    columns.allSatisfy { _, value in
      guard case .number(let counted, let measure) = value else { return true }
      return (number(counted, measure) ?? 0) == 0
    }
  }

  /// Returns the cells of a row.
  ///
  /// - Parameters:
  ///   - state: The state of the row; `nil` in a table without states.
  ///   - hasIntervals: Whether rates have an interval.
  ///   - number: Returns a sum of contributions, counts or milliunits; `nil` if it is unknown.
  ///   - other: Returns the cell of a rank or a formula, given the column's name.
  /// - Returns: A cell for each column.
  func cells(
    _ state: SourceReport.State? = nil, hasIntervals: Bool = true,
    number: ([Counted], Measure) -> Int128?,
    other: (String, ColumnMakeup?) -> ReportTable.Cell = { _, _ in .missing }
  ) -> [ReportTable.Cell] {
    var numbers: [Int128?] = []
    numbers.reserveCapacity(columns.count)
    return columns.map { kind, value in
      var sum: Int128?
      defer { numbers.append(sum) }
      switch value {
      case .state: return state?.cell ?? .missing
      case .other(let name, let makeup): return other(name, makeup)
      case .ratio(let above, let below):
        guard let above = numbers[above], let below = numbers[below], below != 0 else {
          return .missing
        }
        return .ratio(numerator: above, denominator: below)
      case .bound(let above, let below, let isHigh):
        guard hasIntervals, let above = numbers[above], let below = numbers[below],
          let interval = Statistics.wilson(Int(above), of: Int(below))
        else { return .missing }
        return .fraction(isHigh ? interval.high : interval.low)
      case .number(let counted, let measure): sum = number(counted, measure)
      case .sum(let terms):
        sum = terms.reduce(0 as Int128?) { total, term in
          total.flatMap { total in numbers[term.place].map { total + term.sign * $0 } }
        }
      }
      guard let sum else { return .missing }
      return kind == .money ? .money(milliunits: sum) : .count(Int(sum))
    }
  }
}
