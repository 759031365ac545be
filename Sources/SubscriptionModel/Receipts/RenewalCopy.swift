/// The renewal information of a subscription in one record: METRICS.md 3.10.
///
/// From `pending_renewal_info`, a decoded renewal info, or the top level of an iOS 6 answer or a notification.
public struct RenewalCopy: Sendable {
  /// The response that holds it; a number of the run.
  public var response: UInt32
  /// `original_transaction_id`.
  public var originalID = ReceiptID.none
  /// The product it is about; blank when the record does not say.
  public var product = Symbol.blank
  /// The record's own as-of: METRICS.md 3.7.
  public var madeAt: Instant
  /// When the billing grace period ends.
  public var graceEnd: Instant?
  /// Why it expired, 1 to 5; 0 when the record does not say.
  public var expirationIntent: UInt8 = 0
  /// Whether it renews; `nil` when the record does not say.
  public var autoRenews: Bool?
  /// Whether it renews after the term of a commitment, `commitmentAutoRenewStatus`; `nil` when the record does not say.
  public var renewsAfterTerm: Bool?
  /// Whether billing is being retried; `nil` when the record does not say.
  public var isInBillingRetry: Bool?
  /// The status of the Server API or of a notification V2, 1 to 5; 0 when the record does not say.
  public var status: UInt8 = 0
  /// Whether the customer accepted a price increase, or was only notified of it.
  ///
  /// `false` while the customer's consent is outstanding; `nil` when the record does not say.
  public var acceptsPriceIncrease: Bool?
  /// The win-back offers that Apple names, joined by `;`.
  ///
  /// `nil` when the record has no such list, blank when the list is empty.
  public var winBackOffers: Symbol?

  /// Creates a copy with only its response and its time.
  public init(response: UInt32, madeAt: Instant) {
    self.response = response
    self.madeAt = madeAt
  }
}
