/// A full refund that is planned but not made yet.
struct PlannedRefund {
  let member: Int
  /// The membership as it was after the charge.
  let sale: Membership
  /// The number of equal charges that are refunded at once.
  let copies: Int
}
