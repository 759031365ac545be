import Metrics

/// `subreport churn`.
enum Churn: NamedTable {
  static let kind = TableKind.churn
  static let abstract = "Who left: churned subscriptions of a month against those active before it."
}
