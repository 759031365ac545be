import Counting
import Pipeline
import SubscriptionModel
import Tables

/// The counts of each source by month: reports and receipts of one business should agree.
package struct SourceComparison: Sendable {
  /// The numbers that several sources can count.
  private static let measures: [(label: String, table: TableKind, column: String)] = [
    ("Paid charges", .refunds, "charges"),
    ("Full refunds, by their own day", .refunds, "refunds_full"),
    ("Active at the month's beginning", .churn, "active_start"),
  ]

  /// Months whose difference exceeds both limits are named in the health section.
  private static let largeShare = 0.02
  private static let largeCount = 10

  private let sources: [Source]
  /// A line of the comparison: the count of each source, and whether all sources cover the whole month.
  private struct Row {
    var month: Month
    var label: String
    var counts: [Int?]
    var isWhole: Bool
  }

  private let rows: [Row]
  private let last: Month?
  private let months: MonthSystem

  init(_ result: RunResult, _ tables: [TableKind: [ReportTable]]) {
    let sources = result.sources.map(\.source).sorted()
    self.sources = sources
    last = result.lastCompleteMonth()
    months = result.plan.monthSystem
    guard sources.contains(.receipts), sources.count > 1 else {
      rows = []
      return
    }
    var rows: [Row] = []
    for measure in Self.measures {
      guard var table = tables.whole(measure.table) else { continue }
      table = table.filtered("dating") { $0 == "refund" }
      let found = Self.counts(of: measure.column, in: table, months)
      for month in Set(found.keys.map(\.month)) {
        let own = sources.map { found[Key(source: $0.rawValue, month: month)] }
        guard own.compactMap({ $0 }).count > 1 else { continue }
        rows.append(
          Row(
            month: month, label: measure.label, counts: own.map { $0?.count },
            isWhole: own.allSatisfy { $0?.isWhole ?? true }))
      }
    }
    self.rows = rows.sorted { ($0.month, $0.label) < ($1.month, $1.label) }
  }

  private struct Key: Hashable {
    var source: String
    var month: Month
  }

  /// Returns the sums of a column by source and month; months without a count are left out.
  private static func counts(
    of column: String, in table: ReportTable, _ months: MonthSystem
  ) -> [Key: (count: Int, isWhole: Bool)] {
    var counts: [Key: (count: Int, isWhole: Bool)] = [:]
    for row in table.namedRows {
      guard let month = months.month(named: row.text("month")), let count = row[column] else {
        continue
      }
      let key = Key(source: row.source, month: month)
      let before = counts[key] ?? (0, true)
      counts[key] = (before.count + count, before.isWhole && row.text("state") != "partial")
    }
    return counts
  }

  private static func difference(_ counts: [Int?]) -> (count: Int, largest: Int) {
    let known = counts.compactMap { $0 }
    let largest = known.max() ?? 0
    return (largest - (known.min() ?? 0), largest)
  }

  /// Lines on large differences between sources, for months that all sources cover completely.
  var problems: [Problem] {
    guard let last else { return [] }
    return rows.filter { $0.month <= last && $0.isWhole }.compactMap { row in
      let difference = Self.difference(row.counts)
      let share = Double(difference.count) / Double(max(1, difference.largest))
      guard difference.count > Self.largeCount, share > Self.largeShare else { return nil }
      let seen = zip(sources, row.counts).compactMap { source, count in
        count.map { "\(ReportData.words(source)) \(PageText.count($0))" }
      }
      return
        Problem(
          "Sources differ",
          "\(row.label.lowercased()) of \(PageText.long(row.month, months)): \(seen.joined(separator: ", "))."
        )
    }
  }
}
