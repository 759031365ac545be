public import SubscriptionModel

/// What a financial report says as a whole: its rows, and how its own sums compare with them.
public struct FinanceSheet: Sendable {
  /// The rows and what they are of.
  public let statement: FinanceStatement
  /// The sums below the rows.
  public let checks: [TrailerCheck]

  /// The first sum that makes the file untrustworthy, if one does.
  public var problem: FinanceError? {
    checks.first { $0.state == .failed }.map { check in
      .trailerMismatch(
        name: check.name, printed: check.printed?.description ?? "nothing",
        sum: check.sum.description)
    }
  }
}
