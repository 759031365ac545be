import Metrics

/// A table with a command of its own.
protocol NamedTable {
  /// The options that choose the months to show.
  associatedtype Months: MonthChoice = MonthOptions
  /// The option that compares months.
  associatedtype Comparison: ComparisonChoice = AgainstOptions
  static var kind: TableKind { get }
  /// The table's subject, in one line.
  static var abstract: String { get }
}

/// `subreport churn`.
enum Churn: NamedTable {
  static let kind = TableKind.churn
  static let abstract = "Who left: churned subscriptions of a month against those active before it."
}

/// `subreport renewals`.
enum Renewals: NamedTable {
  static let kind = TableKind.renewals
  static let abstract = "What became of the periods that were due to renew."
}

/// `subreport lapses`.
enum Lapses: NamedTable {
  static let kind = TableKind.lapses
  static let abstract = "Paid periods that nothing followed, and how many came back."
}

/// `subreport refunds`.
enum Refunds: NamedTable {
  static let kind = TableKind.refunds
  static let abstract =
    "Refunds and the money given back, by the month of the sale and of the refund."
}

/// `subreport retention`.
enum Retention: NamedTable {
  static let kind = TableKind.retention
  static let abstract = "How many are kept through their first k paid periods."

  typealias Months = NoMonths
  typealias Comparison = NoComparison
}

/// `subreport movement`.
enum Movement: NamedTable {
  static let kind = TableKind.movement
  static let abstract = "Everyone who came and went between the beginning and the end of a month."
}

/// `subreport proceeds`.
enum Proceeds: NamedTable {
  static let kind = TableKind.proceeds
  static let abstract = "Prices and proceeds per currency, with refunds."
}

/// `subreport trials`.
enum Trials: NamedTable {
  static let kind = TableKind.trials
  static let abstract = "Free trials, and how many were paid for afterwards."
}

/// `subreport commitments`.
enum Commitments: NamedTable {
  static let kind = TableKind.commitments
  static let abstract =
    "Monthly instalments that were due, paid and missed, and what customers still owe."
}
