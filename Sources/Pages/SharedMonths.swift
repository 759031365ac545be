import Counting
import Pipeline
import Storage
import SubscriptionModel

/// Months of a source whose files do not begin and end with them: weeks of two months.
struct SharedMonths {
  /// The number of months that the sentence names; more are counted.
  private static let named = 6

  let source: Source
  /// The months as tables write them, in order.
  let months: [String]

  /// The reason with the months, as a sentence without its period.
  var text: String {
    "a file of \(source.rawValue) counts in the month in which it begins, and some cover days of two months: \(months.listed(atMost: Self.named))"
  }
}

extension RunResult {
  /// The sources with such months; only `sales` has files of more than a day.
  var sharedMonths: [SharedMonths] {
    sources.compactMap { report in
      let months = report.completeness.sharedMonths
      guard !months.isEmpty else { return nil }
      return SharedMonths(source: report.source, months: months.sorted().map(report.name))
    }
  }
}
