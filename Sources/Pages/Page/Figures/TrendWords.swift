import Rendering
import SubscriptionModel
import Tables

/// Describes a number over months in a sentence, for the caption of a figure.
///
/// Such as: Churn rate rose from 6.16% in August 2026 to 13.15% in September 2026, the highest of 8 months.
struct TrendWords {
  private let name: String
  private let points: [(month: Month, cell: ReportTable.Cell, size: Double)]
  private let months: MonthSystem
  private let currency: String

  /// Creates the words of a column.
  ///
  /// - Parameters:
  ///   - name: The number, such as `Churn rate`.
  ///   - rows: The rows by month.
  ///   - column: The column.
  ///   - months: How months are written.
  ///   - currency: The currency of an amount.
  init(
    _ name: String, _ rows: MonthlyRows, _ column: String, _ months: MonthSystem,
    currency: String = ""
  ) {
    self.name = name
    self.months = months
    self.currency = currency
    points = zip(rows.months, rows.cells(column)).compactMap { month, cell in
      cell.drawn.map { (month: month, cell: cell, size: $0) }
    }
  }

  /// The sentence.
  var sentence: String {
    guard let last = points.last else { return "\(name) is not known for any month." }
    let now = "\(text(last.cell)) in \(last.month.longName(months))"
    guard points.count > 1 else { return "\(name) was \(now), the only month with a number." }
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
