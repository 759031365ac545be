import Storage
import SubscriptionModel

/// The outcome of one chain that met a higher price, added to the ``Exposure`` of its cohort.
///
/// A value without allocated memory, because each exposed chain makes one.
struct ChainExposure: Equatable {
  /// One bit for each ``ExposureFact`` that holds.
  private var facts: UInt32 = 0
  var money = ExposureMoney()
  /// The currency of the last charge at the old price; `nil` without proceeds.
  var oldCurrency: Symbol?
  /// The currency of the charge that continued it; `nil` without one, or without proceeds.
  var newCurrency: Symbol?
  /// The day on which the period of a reached chain ended.
  var reachedEnd: Day?

  /// Adds a fact.
  mutating func insert(_ fact: ExposureFact) { facts |= 1 << UInt32(fact.rawValue) }

  /// Returns whether a fact holds.
  func contains(_ fact: ExposureFact) -> Bool { facts & 1 << UInt32(fact.rawValue) != 0 }

  /// Calls `body` with each fact that holds.
  func forEachFact(_ body: (ExposureFact) -> Void) {
    var rest = facts
    while rest != 0 {
      if let fact = ExposureFact(rawValue: rest.trailingZeroBitCount) { body(fact) }
      rest &= rest - 1
    }
  }
}
