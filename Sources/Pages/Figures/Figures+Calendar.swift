import Charts
import Pipeline
import Rendering
import SubscriptionModel
import Tables

extension Figures {
  /// The days of the calendar: the newest ones.
  private static let mostDays = 3 * 366

  /// The states of a day, in the order of the legend; a later one stands for a day with several files.
  private static let states: [CalendarState] = [
    CalendarState(name: "present", shape: .full), CalendarState(name: "restated", shape: .half),
    CalendarState(name: "empty", shape: .hollow), CalendarState(name: "missing", shape: .crossed),
  ]

  /// Returns the days of each kind of report: present, restated, empty or missing.
  ///
  /// - Parameters:
  ///   - days: The days.
  ///   - frame: The origin of the rows.
  /// - Returns: The figure; `nil` without a day.
  static func calendar(_ days: DayCoverage, _ frame: FigureFrame) -> Figure? {
    guard let oldest = days.entries.map(\.day).min(),
      let last = days.entries.map(\.day).max()
    else { return nil }
    let first = max(oldest, last - (mostDays - 1))
    let kinds = Set(days.entries.map(\.kind)).sorted()
    let rows = kinds.map { kind in
      CalendarRow(name: kind, days: stateIndices(of: kind, days, first, last))
    }
    let unusual = days.entries.filter {
      ![.present, .covered].contains($0.state) || $0.isRestated
    }
    let unusualStates: [DayCoverage.State] = [.missing, .empty]
    let shownStates = unusualStates + (days.count(.pending) > 0 ? [.pending] : [])
    let counts = shownStates.map { "\(counted(days.count($0), "day")) \($0.rawValue)" }
    let isAmbiguous = kinds.count > 1 && unusualStates.contains { days.count($0) > 1 }
    let each = isAmbiguous ? ", each kind of report counted by itself" : ""
    let values = ReportTable(
      name: "days", dimensions: [],
      columns: ["kind", "vendor", "day", "state", "file", "restated"].map { .init($0, .text) },
      rows: unusual.map { entry in
        [
          .text(entry.kind), .text(entry.vendor), .text(entry.day.description),
          .text(entry.state.rawValue), .text(entry.file), .text(entry.isRestated ? "yes" : "no"),
        ]
      })
    let restated = DayCoverage.count(days.entries.filter(\.isRestated))
    var figure = frame.figure(
      "calendar", "Days of each kind of report",
      "From \(first) to \(last): \(counts.joined(separator: ", ")), \(restated) restated\(each); all other days have rows.",
      CalendarChart(
        rows: rows, states: states, firstWeekday: first.weekday, labels: labels(first, last),
        width: wideWidth),
      values)
    figure.isWide = true
    return figure
  }

  private static func stateIndices(
    of kind: String, _ days: DayCoverage, _ first: Day, _ last: Day
  ) -> [Int?] {
    var indices = [Int?](repeating: nil, count: last - first + 1)
    for entry in days.entries where entry.kind == kind && entry.day >= first {
      let index: Int =
        switch entry.state {
        case .present, .covered: entry.isRestated ? 1 : 0
        case .empty: 2
        case .missing: 3
        case .pending: -1
        }
      guard index >= 0 else { continue }
      let place = entry.day - first
      indices[place] = max(indices[place] ?? 0, index)
    }
    return indices
  }

  /// The months above the weeks, and the years above the first month of each.
  private static func labels(_ first: Day, _ last: Day) -> [CalendarLabel] {
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let months = (0...(last.month - first.month)).map { first.month + $0 }
    return months.map { month in
      let isNewYear = month.monthOfYear == 1 || month == first.month
      return CalendarLabel(
        day: max(0, month.firstDay - first), text: names[month.monthOfYear - 1],
        year: isNewYear ? String(month.year) : "")
    }
  }
}
