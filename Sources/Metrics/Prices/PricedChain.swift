public import SubscriptionModel

/// A chain as the impact of a price increase needs it, the same for `subscribers` and `receipts`:
/// METRICS.md section 6.
public struct PricedChain: Sendable {
  /// How the chain began and with what kind of charge: `start_month` and `offer`.
  public var key: ChainKey
  /// Whether its first charge is the first ever.
  public var isStartKnown: Bool
  /// The day up to which it is known; receipts: its own.
  public var asOf: Day
  /// Its charges in order, at least one; a slice of all that are held.
  public var charges: ArraySlice<PricedCharge>
  /// What Apple said of the customer's consent to a higher price, in order of time; empty for
  /// `subscribers`.
  public var consents: [PriceConsent]

  /// Creates a chain without charges.
  ///
  /// - Parameters:
  ///   - key: How the chain began.
  ///   - isStartKnown: Whether its first charge is the first ever.
  ///   - asOf: The day up to which it is known.
  public init(key: ChainKey, isStartKnown: Bool, asOf: Day) {
    self.key = key
    self.isStartKnown = isStartKnown
    self.asOf = asOf
    charges = []
    consents = []
  }
}
