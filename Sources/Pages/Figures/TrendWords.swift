import Rendering
import SubscriptionModel
import Tables

/// Describes a number over months in a sentence, for the caption of a figure.
///
/// Such as: Churn rate rose from 6.16% in August 2026 to 13.15% in September 2026, the highest of 8 months. Only final
/// numbers are compared: one that can still change, or lacks days, says nothing about a rise or a fall.
struct TrendWords {
  private struct Point {
    var month: Month
    var cell: ReportTable.Cell
    var size: Double
    /// Why the number is not final; blank for a final one.
    var reservation: String
  }

  private let name: String
  private let points: [Point]
  private let months: MonthSystem
  private let currency: String
  /// Whether the name is of several things, such as `Net proceeds`.
  private let isPlural: Bool

  /// Creates the words of a column.
  ///
  /// - Parameters:
  ///   - name: The number, such as `Churn rate`.
  ///   - rows: The rows by month.
  ///   - column: The column.
  ///   - frame: How months are written, and the states of months in a table without a column for it.
  ///   - currency: The currency of an amount.
  ///   - newest: The state of the newest number; `nil` for that of its month.
  ///   - isPlural: Whether the name is of several things, such as `Net proceeds`.
  init(
    _ name: String, _ rows: MonthlyRows, _ column: String, _ frame: FigureFrame,
    currency: String = "", newest: String? = nil, isPlural: Bool = false
  ) {
    self.name = name
    self.currency = currency
    self.isPlural = isPlural
    months = frame.months
    let states = zip(rows.months, rows.states).map { month, state in
      state.isEmpty ? frame.states[month] ?? "" : state
    }
    var points = zip(rows.months, zip(rows.cells(column), states)).compactMap { month, number in
      number.0.drawn.map { size in
        Point(
          month: month, cell: number.0, size: size, reservation: Self.reservation(number.1))
      }
    }
    if let newest, !points.isEmpty {
      points[points.count - 1].reservation = Self.reservation(newest)
    }
    self.points = points
  }

  /// Returns why a number with a state is not final; blank for a final one.
  private static func reservation(_ state: String) -> String {
    switch state {
    case "provisional": "can still change"
    case "partial": "data not complete"
    default: ""
    }
  }

  /// The final numbers.
  private var comparable: [Point] { points.filter(\.reservation.isEmpty) }

  /// The sentence.
  var sentence: String {
    let was = isPlural ? "were" : "was"
    guard let last = points.last else {
      return "\(name) \(isPlural ? "are" : "is") not known for any month."
    }
    let now = "\(text(last.cell)) in \(last.month.longName(months))"
    guard last.reservation.isEmpty else { return "\(name) \(was) \(now) (\(last.reservation))." }
    guard points.count > 1 else { return "\(name) \(was) \(now), the only month with a number." }
    guard let before = comparable.dropLast().last else {
      return "\(name) \(was) \(now), the only month that can be compared."
    }
    guard before.size != last.size else {
      return "\(name) stayed at \(now), as in \(before.month.longName(months))\(rank)."
    }
    let verb = last.size > before.size ? "rose" : "fell"
    return
      "\(name) \(verb) from \(text(before.cell)) in \(before.month.longName(months)) to \(now)\(rank)."
  }

  /// Whether the last number is the highest or the lowest of all final ones, which says little of two.
  private var rank: String {
    let count = comparable.count
    guard count > 2, let last = comparable.last else { return "" }
    let others = comparable.dropLast().map(\.size)
    if others.allSatisfy({ $0 < last.size }) { return ", the highest of \(comparedMonths(count))" }
    if others.allSatisfy({ $0 > last.size }) { return ", the lowest of \(comparedMonths(count))" }
    return ""
  }

  /// Returns how many months are compared, where others have a number too.
  private func comparedMonths(_ count: Int) -> String {
    "\(count) \(count < points.count ? "compared " : "")months"
  }

  private func text(_ cell: ReportTable.Cell) -> String {
    let number = HeadlineFigures.text(cell, currency: currency)
    return currency.isEmpty ? number : "\(number) \(currency)"
  }
}
