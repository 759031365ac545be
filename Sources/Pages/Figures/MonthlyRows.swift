import Charts
import SubscriptionModel
import Tables

/// The rows of one source by month, without a gap between the first and the last month: the x axis of figures over time.
struct MonthlyRows {
  let months: [Month]
  /// The names of the months, as tables print them.
  let labels: [String]
  private let rows: [ReportTable.NamedRow?]

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - table: One row for each month at most; of several, the last counts.
  ///   - system: How months are written.
  ///   - axis: The months to show; `nil` for those from the first row to the last one.
  init(_ table: ReportTable, _ system: MonthSystem, on axis: [Month]? = nil) {
    let found = table.namedRows.compactMap { row in
      system.month(named: row.text("month")).map { (month: $0, row: row) }
    }
    let byMonth = Dictionary(found.map { ($0.month, $0.row) }) { $1 }
    let (first, last) = (byMonth.keys.min(), byMonth.keys.max())
    var all = axis ?? []
    if axis == nil, let first, let last { all = (0...(last - first)).map { first + $0 } }
    months = all
    labels = all.map(system.name)
    rows = all.map { byMonth[$0] }
  }

  /// Returns the cells of a column; missing in a month without a row.
  func cells(_ column: String) -> [ReportTable.Cell] {
    rows.map { $0?.cell(column) ?? .missing }
  }

  /// Returns the numbers of a column; `nil` where it is not known.
  func numbers(_ column: String) -> [Double?] { cells(column).map(\.drawn) }

  /// Returns the numbers of a column as points of a line, with the state of their row.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - hasInterval: Whether `low` and `high` bound it.
  ///   - currency: The currency of an amount.
  /// - Returns: A point for each month; `nil` where the number is not known.
  func points(
    _ column: String, hasInterval: Bool = false, currency: String = ""
  ) -> [LinePoint?] {
    rows.map { row -> LinePoint? in
      guard let row, let number = row.cell(column).drawn else { return nil }
      let state = row.text("state")
      return LinePoint(
        number, low: hasInterval ? row.cell("low").drawn : nil,
        high: hasInterval ? row.cell("high").drawn : nil, isProvisional: state == "provisional",
        isPartial: state == "partial",
        text: HeadlineFigures.text(row.cell(column), currency: currency))
    }
  }

  /// The state of each month; blank where the table has none.
  var states: [String] { rows.map { $0?.text("state") ?? "" } }

  /// The places of the months whose numbers can still change.
  var provisional: Set<Int> {
    Set(states.indices.filter { states[$0] == "provisional" })
  }

  /// Returns the events of months that are on the axis.
  ///
  /// - Parameter events: What happened in a month, in a few words.
  /// - Returns: The events in order.
  func marks(_ events: [Month: String]) -> [EventMark] {
    months.enumerated().compactMap { index, month in
      events[month].map { EventMark(index: index, label: $0) }
    }
  }
}
