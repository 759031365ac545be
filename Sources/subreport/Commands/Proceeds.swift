import Metrics

/// `subreport proceeds`.
enum Proceeds: NamedTable {
  static let kind = TableKind.proceeds
  static let abstract = "Prices and proceeds per currency, with refunds."
}
