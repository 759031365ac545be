public import Metrics
public import SubscriptionModel

extension RunResult {
  /// The months that rows of a table can be of.
  ///
  /// - Parameter kind: The table, whose sources count.
  /// - Returns: The first and the last month; `nil` without a source.
  public func monthsOfData(for kind: TableKind) -> ClosedRange<Month>? {
    let possible = Definition.definition(of: kind).sources
    return Self.months(of: sources.filter { possible.contains($0.source) })
  }

  /// The months of the data in words, such as `2026-01 to 2026-09`; `nil` without a source.
  ///
  /// Receipts, which tell of all of a customer's past, decide only where there are no reports.
  public var monthsOfDataText: String? {
    let reports = sources.filter { $0.source != .receipts }
    return Self.months(of: reports.isEmpty ? sources : reports).map(text)
  }

  /// Returns months in words.
  ///
  /// - Parameter months: The first and the last month.
  /// - Returns: Such as `2026-01 to 2026-09`, or one month.
  public func text(_ months: ClosedRange<Month>) -> String {
    let first = plan.monthSystem.name(months.lowerBound)
    let last = plan.monthSystem.name(months.upperBound)
    return first == last ? first : "\(first) to \(last)"
  }

  private static func months(of sources: [SourceReport]) -> ClosedRange<Month>? {
    let data = sources.map(\.completeness)
    guard let first = data.map(\.firstMonth).min(), let last = data.map(\.lastMonth).max() else {
      return nil
    }
    return min(first, last)...last
  }
}
