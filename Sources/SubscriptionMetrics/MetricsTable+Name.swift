import Tables

extension MetricsTable {
  /// A table; the raw value is its name in `subreport`.
  ///
  /// ```swift
  /// print(MetricsTable.Name.allCases.count)  // 9
  /// ```
  public enum Name: String, CaseIterable, Sendable {
    /// Churned subscriptions of a month against those active before it.
    case churn
    /// The outcomes of the periods that were due to renew.
    case renewals
    /// Paid periods without a next charge, and the returns.
    case lapses
    /// Refunds and the money given back.
    case refunds
    /// The share of subscriptions kept through their first paid periods.
    case retention
    /// Gains and losses between the beginning and the end of a month.
    case movement
    /// Prices and proceeds per currency.
    case proceeds
    /// Free trials and their conversions.
    case trials
    /// Monthly instalments of products of one year.
    case commitments
  }
}

extension MetricsTable.Name {
  var kind: TableKind {
    guard let kind = TableKind(rawValue: rawValue) else {
      preconditionFailure("each name is one of the catalogue")
    }
    return kind
  }
}
