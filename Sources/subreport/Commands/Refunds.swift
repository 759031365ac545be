import Metrics

/// `subreport refunds`.
enum Refunds: NamedTable {
  static let kind = TableKind.refunds
  static let abstract =
    "Refunds and the money given back, by the month of the sale and of the refund."
}
