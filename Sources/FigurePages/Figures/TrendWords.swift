import Pages
import Rendering
import SubscriptionModel
import Tables

/// Describes a number over months in a sentence, for the caption of a figure.
///
/// Such as: Churn rate rose from 6.16% in August 2026 to 13.15% in September 2026, the highest of 8 months. A newest
/// number that is not final is compared with nothing, because others are older.
struct TrendWords {
  private let name: String
  private let points: [(month: Month, cell: ReportTable.Cell, size: Double)]
  private let months: MonthSystem
  private let currency: String
  /// Whether the name is of several things, such as `Net proceeds`.
  private let isPlural: Bool
  /// Why the newest number is not final; blank for a final one.
  private let reservation: String

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
    points = zip(rows.months, rows.cells(column)).compactMap { month, cell in
      cell.drawn.map { (month: month, cell: cell, size: $0) }
    }
    let month = points.last?.month
    let known = zip(rows.months, rows.states).first { $0.0 == month }?.1 ?? ""
    let state = known.isEmpty ? month.flatMap { frame.states[$0] } : known
    reservation =
      switch newest ?? state {
      case "provisional": "can still change"
      case "partial": "data not complete"
      default: ""
      }
  }

  /// The sentence.
  var sentence: String {
    let was = isPlural ? "were" : "was"
    guard let last = points.last else {
      return "\(name) \(isPlural ? "are" : "is") not known for any month."
    }
    let now = "\(text(last.cell)) in \(last.month.longName(months))"
    guard reservation.isEmpty else { return "\(name) \(was) \(now) (\(reservation))." }
    guard points.count > 1 else { return "\(name) \(was) \(now), the only month with a number." }
    let before = points[points.count - 2]
    guard before.size != last.size else {
      return "\(name) stayed at \(now), as in \(before.month.longName(months))\(rank)."
    }
    let verb = last.size > before.size ? "rose" : "fell"
    return
      "\(name) \(verb) from \(text(before.cell)) in \(before.month.longName(months)) to \(now)\(rank)."
  }

  /// Whether the last number is the highest or the lowest of all, which says little of two.
  private var rank: String {
    guard points.count > 2, let last = points.last else { return "" }
    let others = points.dropLast().map(\.size)
    if others.allSatisfy({ $0 < last.size }) { return ", the highest of \(points.count) months" }
    if others.allSatisfy({ $0 > last.size }) { return ", the lowest of \(points.count) months" }
    return ""
  }

  private func text(_ cell: ReportTable.Cell) -> String {
    let number = HeadlineWords.text(cell, currency: currency)
    return currency.isEmpty ? number : "\(number) \(currency)"
  }
}
