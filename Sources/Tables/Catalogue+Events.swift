package import SubscriptionModel

/// Definitions for reports whose numbers come from `events` alone, and how other sources define the same number.
extension Definition {
  static let churnOfEvents =
    "Churn rate = Apple's `Cancel` events of paid subscriptions in the month (dated by the end of the paid period or, after failed payments, by the end of Apple's retry), divided by the subscriptions active on the last day before the month (that day's SUBSCRIPTION report)."

  static let renewalsOfEvents =
    "Renewal rate = renewal and downgrade events of paid subscriptions in the month, divided by these, the `Cancel` events at the end of a paid period, and the entries into billing retry or a grace period, whatever became of them."

  static let retentionOfEvents =
    "Survival at k = the product, over the first k paid periods, of the share that was renewed, by Apple's renewal and `Cancel` events of each period; these are flows by date, not subscriptions followed through time."

  /// Returns how other sources of a page define a rate, as one sentence in Markdown.
  ///
  /// - Parameters:
  ///   - table: The table of the rate.
  ///   - shown: The source whose definition stands before.
  ///   - others: The other sources whose rate is on the page.
  /// - Returns: Such as: `events` count Apple's `Cancel` events; blank where all define it alike.
  package static func difference(
    of table: TableKind, shown: Source, others: Set<Source>
  ) -> String {
    guard table == .churn || table == .renewals else { return "" }
    let isOfChurn = table == .churn
    let chains = others.filter { $0.isOfChains && $0 != shown }
    var parts: [String] = []
    if shown == .events {
      let tolerance = SourceWording(sources: chains).tolerance
      let words =
        isOfChurn
        ? "count the paid periods that ended in the month and were not followed by a new charge within 60 days (a monthly instalment: 90)"
        : "divide the paid periods followed by another charge within \(tolerance) by those that were due to renew"
      if !chains.isEmpty { parts.append("\(names(chains)) \(words)") }
    } else {
      let words =
        isOfChurn
        ? "`events` count Apple's `Cancel` events of the month, after failed payments up to 60 days later"
        : "`events` divide Apple's renewals by renewals, `Cancel` events and entries into billing retry or a grace period"
      if others.contains(.events) { parts.append(words) }
      if !isOfChurn, !chains.isEmpty {
        let tolerance = SourceWording(sources: chains).tolerance
        parts.append("\(names(chains)) take a charge within \(tolerance)")
      }
    }
    return parts.isEmpty ? "" : parts.joined(separator: "; ") + "."
  }

  private static func names(_ sources: Set<Source>) -> String {
    sources.sorted().map { "`\($0.rawValue)`" }.joined(separator: " and ")
  }
}
