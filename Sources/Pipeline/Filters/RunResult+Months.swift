import Counting
import Scanning
package import SubscriptionModel
package import Tables

extension RunResult {
  /// Returns the months for which a table can have rows.
  ///
  /// - Parameters:
  ///   - kind: The table, which determines the sources; `nil` for all sources.
  ///   - source: The only source whose months count; `nil` for all of the table.
  /// - Returns: The first and the last month; `nil` without a source.
  package func monthsOfData(
    for kind: TableKind? = nil, from source: Source? = nil
  ) -> ClosedRange<Month>? {
    let possible = kind.map { Definition.definition(of: $0).sources } ?? Source.allCases
    return Self.months(
      of: sources.filter { report in
        possible.contains(report.source) && source.map { $0 == report.source } ?? true
      })
  }

  /// Returns the last months that are over in every source of reports.
  ///
  /// - Parameter count: The number of months, at least 1.
  /// - Returns: The first and the last month; `nil` without a source.
  package func lastCompleteMonths(_ count: Int) -> ClosedRange<Month>? {
    lastCompleteMonth().map { $0 - (count - 1)...$0 }
  }

  /// Returns a range of months in words.
  ///
  /// - Parameter months: The first and the last month.
  /// - Returns: Such as `2026-01 to 2026-09`, or one month.
  package func text(_ months: ClosedRange<Month>) -> String {
    let first = plan.monthSystem.name(months.lowerBound)
    let last = plan.monthSystem.name(months.upperBound)
    return first == last ? first : "\(first) to \(last)"
  }

  /// Returns the end of a message about a month outside the data.
  ///
  /// - Parameters:
  ///   - asked: The months that were asked for.
  ///   - data: The months of the data.
  /// - Returns: Of `2062-09` `did you mean "2026-09"? The data cover 2026-01 to 2026-09`. A month within two years of
  ///   the data is no slip, so it has the second half alone, as one that looks like no month of the data.
  package func advice(
    outside asked: ClosedRange<Month>, _ data: ClosedRange<Month>
  ) -> String {
    let cover = "data cover \(text(data))"
    let month = asked.lowerBound.number
    let isFar = month > data.upperBound.number + 24 || month < data.lowerBound.number - 24
    guard asked.lowerBound == asked.upperBound, isFar else { return "the \(cover)" }
    let months = (data.lowerBound.number...data.upperBound.number).map { Month(number: $0) }
    let near = Nearest.advice(
      plan.monthSystem.name(asked.lowerBound), among: months.map(plan.monthSystem.name), limit: 0)
    return near.isEmpty ? "the \(cover)" : "\(near) The \(cover)"
  }

  private static func months(of sources: [SourceReport]) -> ClosedRange<Month>? {
    let data = sources.map(\.completeness)
    guard let first = data.map(\.firstMonth).min(), let last = data.map(\.lastMonth).max() else {
      return nil
    }
    return min(first, last)...last
  }
}
