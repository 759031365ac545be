import Charts
import SubscriptionModel
import Tables

/// Describes a number over months in a sentence.
///
/// Such as: Churn rate rose from 6.16% in August 2026 to 13.15% in September 2026, the highest of 8 months. Only final
/// numbers are compared: one that can still change, or lacks days, says nothing about a rise or a fall.
struct TrendWords {
  /// The number of a month that is known.
  struct Point {
    let month: Month
    let cell: ReportTable.Cell
    let state: TimePlot.State

    /// Why the number is not final; blank for a final one.
    var reservation: String {
      switch state {
      case .canStillChange: "can still change"
      case .incomplete: "data not complete"
      case .notAllSeen: "not all seen yet"
      case .settled, .noData: ""
      }
    }

    var size: Double { PageText.value(cell) ?? 0 }
  }

  /// The number, such as `Churn rate`.
  let name: String
  /// The known numbers, oldest first.
  let points: [Point]
  let months: MonthSystem
  /// The currency of an amount; blank for other numbers.
  var currency = ""

  private var comparable: [Point] { points.filter(\.reservation.isEmpty) }

  /// Whether the name is of several things, such as `Net proceeds`.
  private var isPlural: Bool { name.utf8.last == UInt8(ascii: "s") }

  var sentence: String {
    let was = isPlural ? "were" : "was"
    guard let last = points.last else {
      return "\(name) \(isPlural ? "are" : "is") not known for any month."
    }
    let now = "\(text(last)) in \(PageText.long(last.month, months))"
    guard last.reservation.isEmpty else { return "\(name) \(was) \(now) (\(last.reservation))." }
    guard points.count > 1 else { return "\(name) \(was) \(now), the only month with a number." }
    guard let before = comparable.dropLast().last else {
      return "\(name) \(was) \(now), the only month that can be compared."
    }
    let then = PageText.long(before.month, months)
    guard before.size != last.size else { return "\(name) stayed at \(now), as in \(then)\(rank)." }
    let verb = last.size > before.size ? "rose" : "fell"
    return "\(name) \(verb) from \(text(before)) in \(then) to \(now)\(rank)."
  }

  /// Whether the last number is the highest or the lowest of all final ones, which says little of two.
  private var rank: String {
    guard comparable.count > 2, let last = comparable.last else { return "" }
    let others = comparable.dropLast().map(\.size)
    let count = "\(comparable.count) \(comparable.count < points.count ? "compared " : "")months"
    if others.allSatisfy({ $0 < last.size }) { return ", the highest of \(count)" }
    if others.allSatisfy({ $0 > last.size }) { return ", the lowest of \(count)" }
    return ""
  }

  private func text(_ point: Point) -> String {
    let rate = PageText.rate(point.cell)
    let number = rate.isEmpty ? HeadlineFigures.text(point.cell, currency: currency) : rate
    return currency.isEmpty ? number : "\(number) \(currency)"
  }
}
