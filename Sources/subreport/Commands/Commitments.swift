import Metrics

/// `subreport commitments`.
enum Commitments: NamedTable {
  static let kind = TableKind.commitments
  static let abstract =
    "Monthly instalments that were due, paid and missed, and what customers still owe."
}
