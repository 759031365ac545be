/// A full refund that is planned but not made yet.
struct PlannedRefund {
  let member: Int32
  let serial: UInt16
  let generation: UInt8
  /// The number of equal charges that are refunded at once.
  let copies: UInt8
  let purchaseDay: Int32
  let isNew: Bool
  let terms: ChargeTerms
}
