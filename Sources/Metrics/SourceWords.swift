import SubscriptionModel

/// The words of definitions in which sources differ, for a reader who sees some of them.
struct SourceWords {
  private let hasReceipts: Bool
  private let hasReports: Bool
  private let hasEvents: Bool

  init(sources: Set<Source>) {
    hasReceipts = sources.contains(.receipts)
    hasReports = sources != [.receipts]
    hasEvents = sources.contains(.events)
  }

  /// The longest gap that does not interrupt a subscription.
  var tolerance: String { pick("2 days", receipts: "1 hour or, in the sandbox, 1 minute") }

  /// When subscriptions are active that a month begins with.
  var eve: String {
    pick("on the last day before the month", receipts: "in the last second before the month")
  }

  /// Where the time ends that a subscription is known for.
  var endOfData: String {
    pick("the end of the data", receipts: "the newest record of the subscription")
  }

  /// Where the time begins that a subscription is known for.
  var firstRecord: String {
    pick("the first file", receipts: "the first purchase that the records know")
  }

  private func pick(_ reports: String, receipts: String) -> String {
    if !hasReceipts { return reports }
    return hasReports ? "\(reports) (`receipts`: \(receipts))" : receipts
  }

  /// Joins what holds of all sources and what holds of some that the reader sees.
  func text(
    _ all: String = "", reports: String = "", receipts: String = "", events: String = ""
  ) -> String {
    [all, hasReports ? reports : "", hasReceipts ? receipts : "", hasEvents ? events : ""]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}
