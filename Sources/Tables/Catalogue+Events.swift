package import SubscriptionModel

/// Definitions for reports whose numbers come from `events` alone, and how other sources define the same number.
extension Definition {
  static let churnOfEvents =
    "Churn rate = Apple's `Cancel` events of paid subscriptions in the month (dated by the end of the paid period or, after failed payments, by the end of Apple's retry), divided by the subscriptions active on the last day before the month (that day's SUBSCRIPTION report)."

  static let renewalsOfEvents =
    "Renewal rate = renewal and downgrade events of paid subscriptions in the month, divided by these, the `Cancel` events at the end of a paid period, and the entries into billing retry or a grace period, whatever became of them."

  static let retentionOfEvents =
    "Survival at k = the product, over the first k paid periods, of the share that was renewed, by Apple's renewal and `Cancel` events of each period; these are flows by date, not subscriptions followed through time."

  /// Returns the columns of a table with their meanings in the rows of one source.
  ///
  /// METRICS.md has one meaning for all sources, and rules below the columns; a page has these meanings alone.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - source: The source of the rows.
  /// - Returns: The columns in the order of the table.
  package static func columns(of table: TableKind, from source: Source) -> [Column] {
    let ofSource = source == .events ? meaningsOfEvents : meaningsOfChains(source)
    return definition(of: table, for: [source]).columns.map { column in
      let (name, kind) = (column.column.name, column.column.kind)
      return ofSource[table]?[name].map { Column(name, kind, $0) } ?? column
    }
  }

  private static let failedPayment = "Payment failed; the outcome is counted when it comes."
  private static let canceledAtEnd = "`Cancel` events at the end of a paid period."

  /// The columns that `events` count in another way than sources with charges.
  private static let meaningsOfEvents: [TableKind: [String: String]] = [
    .churn: [
      "active_start":
        "Paid subscriptions in the SUBSCRIPTION report of the last day before the month.",
      "churned": "`Cancel` events of paid subscriptions.",
      "churned_refund": "Empty: events do not say.",
      "churned_provisional": "Always 0.",
    ],
    .renewals: [
      "due": "`renewed + lapsed + pending`.",
      "renewed": "Renewals and downgrades.",
      "recovered": "Back after a failed payment of this or an earlier month; not part of `due`.",
      "lapsed": canceledAtEnd,
      "pending": failedPayment,
    ],
    .movement: [
      "first_seen": "Always 0.",
      "reactivated": "Back after leaving.",
      "recovered": "Back after a failed payment.",
      "churned": canceledAtEnd,
      "entered_retry": failedPayment,
      "switched_out": "Changed to another product or cohort.",
      "unexplained": "`close_observed - close`: changes that no event reports.",
    ],
    .retention: [
      "at_risk": "`lost + kept`, at any time in the data.",
      "lost": "`Cancel` events after paid period k.",
      "kept": "Renewals and recoveries after paid period k.",
    ],
  ]

  /// The columns whose meaning for all sources has words that a page does not explain.
  private static func meaningsOfChains(_ source: Source) -> [TableKind: [String: String]] {
    let end = SourceWording(sources: [source]).endOfData
    return [
      .retention: [
        "at_risk":
          "Subscriptions with a known start whose paid period k ended at least 60 days before \(end), of instalments the term 90."
      ]
    ]
  }

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
