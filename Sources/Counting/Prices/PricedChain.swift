package import SubscriptionModel

/// A chain with its charges, prices and outcomes, the same for `subscribers` and `receipts`.
///
/// METRICS.md section 6.
package struct PricedChain: Sendable {
  /// The chain's start and the kind of its first charge: `start_month` and `offer`.
  package var key: ChainKey
  /// Whether the first charge is the first one of the subscription, so that none is older than the data.
  package var isStartKnown: Bool
  /// As-of: for `subscribers` the source's, for `receipts` the chain's own.
  package var asOf: Day
  /// The charges in order, at least one; a slice of the array of all chains' charges.
  package var charges: ArraySlice<PricedCharge> = []
  /// Apple's records of the customer's consent to a price increase, oldest first; empty for `subscribers`.
  ///
  /// `isGiven` is `true` if the customer agreed or was only notified, `false` if asked without an answer so far.
  package var consents: [(madeAt: Instant, isGiven: Bool)] = []
}
