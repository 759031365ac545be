public import SubscriptionModel

/// Compares what a payments CSV carries over with what the ones before it left unpaid.
public struct CarriedBalance: Equatable, Sendable {
  /// What came of a comparison.
  public enum State: Sendable {
    case ok, failed
    /// The files do not say enough.
    case missing
  }

  /// The fiscal period into which the balance is carried.
  public let period: FiscalPeriod
  /// The region's code.
  public let region: String
  /// The currency.
  public let currency: Symbol
  /// What was left unpaid, in milliunits; `nil` when no file says it.
  public let expected: Int128?
  /// What is carried over, in milliunits; `nil` when the file has no such column.
  public let found: Int128?
  /// Whether the two are the same.
  public let state: State

  /// Compares all payments CSVs with the ones of the periods before them.
  static func all(_ payments: [PaymentsStatement], tolerance: Int128) -> [CarriedBalance] {
    let files = Dictionary(
      payments.map { ($0.period, $0) }, uniquingKeysWith: { first, _ in first })
    return payments.flatMap { file -> [CarriedBalance] in
      guard files[file.period - 1] != nil else { return [] }
      return file.rows.map { row in
        let left = unpaid(row, before: file.period, files)
        let isKnown = file.hasBalanceColumn && !file.hasRejected(row)
        let found = isKnown ? Int128(row.carriedBalance) : nil
        var state = State.missing
        if let left, let found { state = abs(found - left) <= tolerance ? .ok : .failed }
        return CarriedBalance(
          period: file.period, region: row.region, currency: row.currency, expected: left,
          found: found, state: state)
      }
    }
  }

  /// What the newest earlier file that lists a region and currency left unpaid; `nil` when none does without
  /// a gap, or when it does not say what was paid.
  private static func unpaid(
    _ row: PaymentsRow, before period: FiscalPeriod, _ files: [FiscalPeriod: PaymentsStatement]
  ) -> Int128? {
    var period = period - 1
    while let file = files[period] {
      if file.isPending || file.hasRejected(row) { return nil }
      let earlier = file.rows.first { $0.region == row.region && $0.currency == row.currency }
      if let earlier {
        let isPaid = !earlier.isBelowThreshold && earlier.proceeds != nil
        return isPaid ? 0 : Int128(earlier.totalOwed)
      }
      period = period - 1
    }
    return nil
  }
}

extension PaymentsStatement {
  /// Whether a row was rejected that may be of the same region and currency.
  fileprivate func hasRejected(_ row: PaymentsRow) -> Bool {
    rejected.contains {
      ($0.region ?? row.region) == row.region && ($0.currency ?? row.currency) == row.currency
    }
  }
}
