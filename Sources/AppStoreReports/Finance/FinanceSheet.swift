public import SubscriptionModel

/// A financial report as a whole: its rows, and the checks of its printed sums.
public struct FinanceSheet: Sendable {
  /// The rows, with their period and form.
  public let statement: FinanceStatement
  /// The checks of the printed sums.
  public let checks: [TrailerCheck]

  /// The first failed check, which makes the file untrustworthy, or `nil`.
  public var problem: FinanceError? {
    checks.first { $0.state == .failed }.map { check in
      .trailerMismatch(
        name: check.name, printed: check.printed?.description ?? "nothing",
        sum: check.sum.description)
    }
  }
}
