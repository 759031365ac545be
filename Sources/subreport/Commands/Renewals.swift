import Metrics

/// `subreport renewals`.
enum Renewals: NamedTable {
  static let kind = TableKind.renewals
  static let abstract = "What became of the periods that were due to renew."
}
