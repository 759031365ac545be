/// A full refund that has been decided but not made.
struct PlannedRefund {
  let member: Int32
  let serial: UInt16
  let generation: UInt8
  /// How many equal charges are refunded at once.
  let copies: UInt8
  let purchaseDay: Int32
  let isNew: Bool
  let terms: ChargeTerms
}
