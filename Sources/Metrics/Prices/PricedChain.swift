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
  public var charges: ArraySlice<PricedCharge> = []
  /// Apple's records of the customer's consent to a price increase, oldest first; empty for `subscribers`.
  ///
  /// `isGiven` is `true` if the customer agreed or was only notified, `false` if asked without an answer so far.
  public var consents: [(madeAt: Instant, isGiven: Bool)] = []
}
