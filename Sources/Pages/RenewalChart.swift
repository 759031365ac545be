import PriceImpact
import Rendering

/// A text chart of monthly renewal rates around a price increase: the treated and their control.
struct RenewalChart {
  let impact: PriceImpact

  private static let width = 20

  func text() -> String {
    let hasControl = !impact.controlMonths.isEmpty
    let months = Set((impact.treatedMonths + impact.controlMonths).map(\.month)).sorted()
    var lines = ["month  \(padded("this price"))" + (hasControl ? "  no change" : "")]
    for month in months {
      let treated = bar(impact.treatedMonths.first { $0.month == month })
      let control = bar(impact.controlMonths.first { $0.month == month })
      let line = "\(label(month))  \(padded(treated))" + (hasControl ? "  \(control)" : "")
      lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
    }
    return """
      Renewals by months of 30 days; month 0 begins with the increase, and from then on this price's are of \
      old and new customers:

      ```
      \(lines.joined(separator: "\n"))
      ```
      """
  }

  private func label(_ month: Int) -> String {
    let text = String(month)
    return String(repeating: " ", count: max(0, 5 - text.count)) + text
  }

  private func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, Self.width + 8 - text.count))
  }

  private func bar(_ month: ImpactMonth?) -> String {
    guard let month else { return "" }
    let length = (2 * Self.width * month.renewed + month.due) / (2 * month.due)
    let filled = String(repeating: "█", count: length)
    let rest = String(repeating: "·", count: Self.width - length)
    let rate = NumberStyle.percentage(Int128(month.renewed), over: Int128(month.due))
    return filled + rest + String(repeating: " ", count: max(1, 8 - rate.count)) + rate
  }
}
