public import SubscriptionModel

/// A chain in the form that price impacts are measured in, the same for `subscribers` and `receipts`.
///
/// METRICS.md section 6.
public struct PricedChain: Sendable {
  /// The chain's start and the kind of its first charge: `start_month` and `offer`.
  public var key: ChainKey
  /// Whether the first charge here is the chain's first ever.
  public var isStartKnown: Bool
  /// The as-of: the source's for `subscribers`, the chain's own for `receipts`.
  public var asOf: Day
  /// The charges in order, at least one; a slice of the shared array of all charges.
  public var charges: ArraySlice<PricedCharge>
  /// Apple's records of the customer's consent to a price increase, oldest first; empty for `subscribers`.
  public var consents: [PriceConsent]

  /// Creates a chain without charges.
  ///
  /// - Parameters:
  ///   - key: The chain's start and the kind of its first charge.
  ///   - isStartKnown: Whether the first charge here is the chain's first ever.
  ///   - asOf: The as-of of the chain.
  public init(key: ChainKey, isStartKnown: Bool, asOf: Day) {
    self.key = key
    self.isStartKnown = isStartKnown
    self.asOf = asOf
    charges = []
    consents = []
  }
}
