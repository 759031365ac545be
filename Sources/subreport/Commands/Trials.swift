import Metrics

/// `subreport trials`.
enum Trials: NamedTable {
  static let kind = TableKind.trials
  static let abstract = "Free trials, and how many were paid for afterwards."
}
