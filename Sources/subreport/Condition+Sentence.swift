import Metrics
import Rendering

extension Condition {
  /// Returns a sentence with the number that fulfils the condition, and the limit:
  /// `churn_rate is 0.100000 (29 of 290) in 2026-09, source events; the limit is 0.08`.
  func sentence(_ match: Match) -> String {
    let month = match.keys.first { $0.name == "month" }.map { " in \($0.value)" } ?? ""
    let others = match.keys.filter { $0.name != "month" }.map { ", \($0.name) \($0.value)" }
    let end = isBound ? "the limit is \(limit)" : "the condition is \(text)"
    let counts = match.counts.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    let madeOf = counts.isEmpty ? "" : " (\(counts))"
    return "\(name) is \(Self.text(match.cell))\(madeOf)\(month)\(others.joined()); \(end)"
  }

  private static func text(_ cell: ReportTable.Cell) -> String {
    switch cell {
    case .ratio(let numerator, let denominator):
      return "\(NumberStyle.rate(numerator, over: denominator)) (\(numerator) of \(denominator))"
    case .fraction(let fraction): return NumberStyle.rate(fraction) ?? ""
    case .count(let count): return String(count)
    case .money(let milliunits): return NumberStyle.money(milliunits: milliunits)
    case .hundredths(let hundredths): return NumberStyle.hundredths(hundredths)
    case .text(let text): return text
    case .missing: return ""
    }
  }
}
