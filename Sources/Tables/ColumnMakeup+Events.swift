import Counting

/// The columns of rows from Subscription Event reports and their snapshots.
extension ColumnMakeup {
  /// Returns the columns of a table that can be explained.
  static func columnsOfEvents(in table: TableKind) -> [Column] {
    switch table {
    case .churn: churnOfEvents
    case .renewals: renewalsOfEvents
    case .movement: movementOfEvents
    case .trials: trialsOfEvents
    case .retention: retention
    // Events have no rows of these.
    case .lapses, .refunds, .proceeds, .commitments: []
    }
  }

  private static let churnOfEvents: [Column] = {
    let columns = [
      counts("active_start", .activeBefore), facts("churned", FactSums.churned),
      fact("churned_voluntary", .churnedVoluntary), fact("churned_billing", .churnedBilling),
      fact("churned_price", .churnedPrice), fact("churned_removed", .churnedRemoved),
      fact("churned_other", .churnedOther), fact("churned_unknown", .churnedUnknown),
      fact("churned_provisional", .lapseOpenProvisional),
    ]
    return columns + rate("churn_rate", "churned", "active_start")
  }()

  private static let renewalsOfEvents: [Column] = {
    let columns = [
      facts("due", FactSums.due), fact("renewed", .dueRenewed), fact("recovered", .recovered),
      fact("lapsed", .dueLapsed), fact("pending", .duePending),
    ]
    return columns + rate("renewal_rate", "renewed", "due")
  }()

  private static let movementOfEvents: [Column] = {
    let columns = [
      counts("open", .activeBefore), fact("started", .started),
      fact("first_seen", .firstSeen), fact("converted", .converted),
      fact("reactivated", .reactivated), fact("recovered", .recovered),
      fact("switched_in", .switchedIn), fact("churned", .dueLapsed),
      fact("entered_retry", .enteredRetry), fact("switched_out", .switchedOut),
    ]
    let names = columns.map(\.name)
    let stocks = [
      parts("close", names), counts("close_observed", .activeAtEnd),
      parts("unexplained", names + ["close_observed"]),
    ]
    return columns + stocks
  }()

  private static let trialsOfEvents: [Column] = [
    fact("converted", .trialConverted), fact("not_converted", .trialNotConverted),
  ]
}
