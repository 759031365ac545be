import Metrics

/// `subreport lapses`.
enum Lapses: NamedTable {
  static let kind = TableKind.lapses
  static let abstract = "Paid periods that nothing followed, and how many came back."
}
