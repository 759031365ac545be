import Counting
import Pipeline
import PriceImpact
import Rendering
import SubscriptionModel

extension PageContent {
  /// Returns the events of each month in a few words: price increases and restated reports, marks on lines over time.
  ///
  /// - Parameters:
  ///   - impacts: The price increases of all sources.
  ///   - days: The days of reports.
  ///   - months: How months are counted.
  /// - Returns: Such as `2 price increases, 1 restated day`, by month.
  static func events(
    _ impacts: [PriceImpact], _ days: DayCoverage, _ months: MonthSystem
  ) -> [Month: String] {
    let single = impacts.filter { !$0.isPooled }
    // Every source finds the same increases; the one with most of them stands for all.
    let bySource = Dictionary(grouping: single, by: \.source).sorted { $0.key < $1.key }
    let own = bySource.max { $0.value.count < $1.value.count }?.value ?? []
    let increases = counts(own.map { months.month(of: $0.effective) })
    let restated = Set(days.entries.filter(\.isRestated).map(\.day))
    let replaced = counts(restated.map { months.month(of: $0) })
    var events = increases.mapValues { counted($0, "price increase") }
    for (month, count) in replaced {
      let words = [events[month], counted(count, "restated day")].compactMap { $0 }
      events[month] = words.joined(separator: ", ")
    }
    return events
  }

  private static func counts(_ months: [Month]) -> [Month: Int] {
    months.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}
