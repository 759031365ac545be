/// Counts for all files together: the `receipts` row of `health.csv`, METRICS.md 3.15.
package struct ReceiptSummary: Equatable, Sendable {
  /// Chains of subscriptions with an unknown group.
  package var chainsWithoutGroup = 0
  /// Chains of Family Sharing.
  package var familyChains = 0
  /// Events with several products or several groups in their copies.
  package var conflicts = 0
  /// Ignored events: they have no expiry, and no field shows that they are subscriptions.
  package var withoutExpiry = 0
  /// Events with an expiry at or before the purchase; they have no period.
  package var withoutLength = 0
  /// Refunds whose purchase is not in the input.
  package var loneRefunds = 0
  /// Refunds that a newer row of the same snapshots does not state.
  package var withdrawnRefunds = 0
  /// Non-renewing periods that begin before an earlier one has ended.
  package var overlaps = 0
  /// Instalments without a billing plan in their copies: it is from other receipts, or from the
  /// config.
  package var inferredPlans = 0
  /// Instalments with an unknown position, because their term began before the data: no renewal is
  /// due.
  package var unknownPositions = 0

  /// Account tokens that many customers share.
  package var sharedTokens = 0
  /// Other account tokens with two subscriptions of a group at once.
  package var doubledTokens = 0

  /// Paid charges of purchased subscriptions with a price, and without one.
  package var pricedCharges = 0
  package var unpricedCharges = 0

  /// All counts, to add and to store them.
  package static let numbers: [any WritableKeyPath<ReceiptSummary, Int> & Sendable] = [
    \.chainsWithoutGroup, \.familyChains, \.conflicts, \.withoutExpiry, \.withoutLength,
    \.loneRefunds,
    \.withdrawnRefunds, \.overlaps, \.inferredPlans, \.unknownPositions, \.sharedTokens,
    \.doubledTokens, \.pricedCharges, \.unpricedCharges,
  ]

  /// Creates an empty summary.
  package init() {}

  /// Adds the counts of other customers.
  ///
  /// - Parameter other: Their counts.
  package mutating func merge(_ other: ReceiptSummary) {
    for number in Self.numbers { self[keyPath: number] += other[keyPath: number] }
  }
}
