/// Why subscriptions churned: `churn` has a column for each reason.
package enum ChurnReason: String, CaseIterable, Sendable {
  case voluntary, billing, price, refund, removed, other, unknown

  /// The column of `churn`, such as `churned_voluntary`.
  package var column: String { "churned_" + rawValue }

  /// The words after a number of subscriptions, such as `canceled by the customer`.
  ///
  /// - Parameter count: The number of subscriptions.
  /// - Returns: The words.
  package func words(_ count: Int = 1) -> String {
    switch self {
    case .voluntary: "canceled by the customer"
    case .billing: "payment failed"
    case .price: "price increase not accepted"
    case .refund: "refunded"
    case .removed: "removed from sale"
    case .other: count == 1 ? "other reason" : "other reasons"
    case .unknown: "without a reason"
    }
  }

  /// The words of a legend.
  package var name: String { self == .unknown ? "reason unknown" : words() }
}
