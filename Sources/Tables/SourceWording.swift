import SubscriptionModel

/// The parts of definitions whose wording depends on the sources of a report.
struct SourceWording {
  private let hasReceipts: Bool
  private let hasReports: Bool
  private let hasEvents: Bool
  /// Whether all numbers come from `events`, which count what Apple reports and know no charges.
  let isOfEventsAlone: Bool

  init(sources: Set<Source>) {
    hasReceipts = sources.contains(.receipts)
    hasReports = sources != [.receipts]
    hasEvents = sources.contains(.events)
    isOfEventsAlone = sources == [.events]
  }

  /// The longest gap that does not interrupt a subscription.
  var tolerance: String { pick("2 days", receipts: "1 hour or, in the sandbox, 1 minute") }

  /// The time at which the subscriptions active at the start of a month are counted.
  var monthStart: String {
    pick("on the last day before the month", receipts: "in the last second before the month")
  }

  /// The end of the data on a subscription.
  var endOfData: String {
    pick("the end of the data", receipts: "the newest record of the subscription")
  }

  /// The beginning of the data on a subscription.
  var startOfData: String {
    pick("the first file", receipts: "the first purchase in the records")
  }

  private func pick(_ reports: String, receipts: String) -> String {
    if !hasReceipts { return reports }
    return hasReports ? "\(reports) (`receipts`: \(receipts))" : receipts
  }

  /// Returns the text for all sources, followed by the texts for the sources of the report.
  func text(
    _ all: String = "", reports: String = "", receipts: String = "", events: String = ""
  ) -> String {
    [all, hasReports ? reports : "", hasReceipts ? receipts : "", hasEvents ? events : ""]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}
