/// One SUBSCRIBER row in 32 bytes: a charge or a refund.
///
/// Millions of records are in memory at once, so all fields that many rows have in common are in
/// the ``ChargeTerms`` that ``terms`` refers to.
@usableFromInline
package struct ChargeRecord: Sendable, BitwiseCopyable {
  /// The subscriber's id as a `SubscriberKey`.
  @usableFromInline
  package var subscriber: UInt64
  /// The row's place in the run: file index in the upper 32 bits, row in the lower.
  @usableFromInline
  package var order: UInt64
  /// The Event Date's day number.
  @usableFromInline
  package var day: Int32
  /// For refunds the day number of the Purchase Date; ``noDay`` if blank.
  @usableFromInline
  package var purchaseDay: Int32
  /// The index of the row's `ChargeTerms`.
  @usableFromInline
  package var terms: UInt32
  /// How many equal charges or refunds the row counts; 0 for a partial refund.
  @usableFromInline
  package var units: Int16
  /// Whether `Refund` is `Yes`.
  @usableFromInline
  package var isRefund: Bool
  /// Whether `Subscriber ID Reset` is `Yes`.
  @usableFromInline
  package var isIDReset: Bool

  /// The value for a missing day.
  @usableFromInline
  package static let noDay = Int32.min

  /// Creates a record.
  @inlinable
  package init(
    subscriber: UInt64, order: UInt64, day: Int32, purchaseDay: Int32, terms: UInt32,
    units: Int16, isRefund: Bool, isIDReset: Bool
  ) {
    self.subscriber = subscriber
    self.order = order
    self.day = day
    self.purchaseDay = purchaseDay
    self.terms = terms
    self.units = units
    self.isRefund = isRefund
    self.isIDReset = isIDReset
  }
}
