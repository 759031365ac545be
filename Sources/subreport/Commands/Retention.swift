import Metrics

/// `subreport retention`.
enum Retention: NamedTable {
  static let kind = TableKind.retention
  static let abstract = "How many are kept through their first k paid periods."

  typealias Months = NoMonths
}
