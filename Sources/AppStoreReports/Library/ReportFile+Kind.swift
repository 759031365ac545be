extension ReportFile {
  /// The kind of report; the raw value is Apple's name for it.
  ///
  /// ```swift
  /// print(ReportFile.Kind.subscriptionEvent.rawValue)  // SUBSCRIPTION_EVENT
  /// ```
  public enum Kind: String, CaseIterable, Sendable {
    /// Charges and refunds, one row each.
    case subscriber = "SUBSCRIBER"
    /// The subscriptions that are active at the end of a day.
    case subscription = "SUBSCRIPTION"
    /// Starts, renewals, cancellations and other events, counted.
    case subscriptionEvent = "SUBSCRIPTION_EVENT"
    /// Units sold and refunded, with prices and proceeds.
    case sales = "SALES"
  }
}
