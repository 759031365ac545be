import Counting
import SubscriptionModel

/// Computes the cells of a table's rows as its columns declare them, for one source.
struct RowCells {
  /// How a cell is computed; without references, because a table can have millions of cells.
  private enum Value {
    case state
    /// The sum of contributions, by their places in ``counted``.
    case number(Range<Int>, Measure)
    /// A number divided by another one, by their places in the row.
    case ratio(Int, of: Int)
    case bound(Int, of: Int, isHigh: Bool)
    /// The sum of numbers of the row, by their places in ``terms``.
    case sum(Range<Int>)
    /// A rank, a formula over several rows, or nothing that the source has.
    case other
  }

  private let values: [Value]
  private let isMoney: [Bool]
  private let counted: [Counted]
  private let terms: [(place: Int, sign: Int128)]
  private let columns: [Definition.Column]
  private let source: Source

  init(_ table: TableKind, _ source: Source) {
    let columns = Definition.definition(of: table).columns
    let names = columns.map(\.column.name)
    let place = { (name: String) -> Int in
      guard let place = names.firstIndex(of: name) else {
        preconditionFailure("\(table.rawValue) has no column \(name)")
      }
      return place
    }
    var counted: [Counted] = []
    var terms: [(place: Int, sign: Int128)] = []
    values = columns.map { column in
      switch column.makeup(from: source) {
      case let makeup? where makeup.sum != nil && makeup.kind == .sum:
        let start = counted.count
        counted += makeup.sum?.counted ?? []
        return .number(start..<counted.count, makeup.sum?.measure ?? .count)
      case .ratio(let above, let below)?: return .ratio(place(above), of: place(below))
      case .bound(let above, let below, let isHigh)?:
        return .bound(place(above), of: place(below), isHigh: isHigh)
      case .sum(let names, let subtracted)?:
        let start = terms.count
        terms += names.map { (place($0), subtracted.contains($0) ? -1 : 1) }
        return .sum(start..<terms.count)
      default: return column.column.name == "state" ? .state : .other
      }
    }
    isMoney = columns.map { $0.column.kind == .money }
    (self.columns, self.source, self.counted, self.terms) = (columns, source, counted, terms)
  }

  /// Returns whether a row counts nothing.
  func isEmpty(_ number: (Counted, Measure) -> Int128?) -> Bool {
    counted.allSatisfy { (number($0, .count) ?? 0) == 0 }
  }

  /// Returns the cells of a row.
  ///
  /// `number` returns the number of contributions of a kind, or the milliunits of all kinds of the column, given one of
  /// them; `nil` if it is unknown. `other` returns the cell of a rank or a formula.
  func cells(
    _ state: SourceReport.State? = nil, hasIntervals: Bool = true,
    number: (Counted, Measure) -> Int128?,
    other: (String, ColumnMakeup?) -> ReportTable.Cell = { _, _ in .missing }
  ) -> [ReportTable.Cell] {
    var numbers: [Int128?] = []
    numbers.reserveCapacity(columns.count)
    return values.indices.map { column in
      var sum: Int128?
      defer { numbers.append(sum) }
      switch values[column] {
      case .state: return state?.cell ?? .missing
      case .other:
        return other(columns[column].column.name, columns[column].makeup(from: source))
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
      case .number(let places, let measure):
        if measure.isMoney {
          sum = number(counted[places.lowerBound], measure)
        } else {
          sum = 0
          for place in places {
            sum = sum.flatMap { sum in number(counted[place], measure).map { sum + $0 } }
          }
        }
      case .sum(let places):
        sum = 0
        for term in terms[places] {
          sum = sum.flatMap { sum in numbers[term.place].map { sum + term.sign * $0 } }
        }
      }
      guard let sum else { return .missing }
      return isMoney[column] ? .money(milliunits: sum) : .count(Int(sum))
    }
  }
}
