import SubscriptionModel

/// A renewal that an ``ImpactFold`` has counted, for explanations.
package struct HeardRenewal: Sendable {
  /// The counts and amounts that it adds to the tally.
  enum Addition: Sendable {
    /// A period of a treated price or of a possible control: one of those before the change, or the first after it.
    case renewal(RenewalGrid.GroupKey, isBefore: Bool)
    /// A chain that met an increase.
    case exposure(ExposureKey, ChainExposure)
    /// A chain whose period would have met an increase, but was not due to renew; it adds nothing.
    case notDue(ExposureKey)
  }

  /// The index of the charge among those of its chain.
  let charge: Int
  let ordinal: RenewalOrdinal
  let addition: Addition
}
