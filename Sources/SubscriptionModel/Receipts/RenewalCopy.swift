package import Storage

/// The renewal info of a subscription in one response: METRICS.md 3.10.
///
/// From `pending_renewal_info`, a decoded renewal info, or the top level of an iOS 6 answer or a notification.
/// Fields that it lacks are missing, never guessed.
package struct RenewalCopy: Sendable {
  /// The number of the response.
  package var response: UInt32
  /// The file's index among all files of the run.
  package var file: UInt32 = 0
  /// `original_transaction_id`.
  package var originalID = ReceiptID.none
  /// The product id; blank if missing.
  package var product = Symbol.blank
  /// When the renewal info was made: METRICS.md 3.7.
  package var madeAt: Instant
  /// When the billing grace period ends.
  package var graceEnd: Instant?
  /// The newest purchase of the original id in the array `latest_receipt_info` of the same answer; `nil` without one.
  package var newestPurchase: Instant?
  /// When that purchase expires; `nil` if missing.
  package var newestExpiry: Instant?
  /// Whether the answer has transactions of the original id, but no renewal info: this one stands for it.
  ///
  /// It counts only after an answer that had one with a grace period: METRICS.md 3.10.
  package var isAbsent = false
  /// Why the subscription expired, 1 to 5; 0 if missing.
  package var expirationIntent: UInt8 = 0
  /// Whether the subscription renews; `nil` if missing.
  package var autoRenews: Bool?
  /// Whether the subscription renews after the term of a commitment, `commitmentAutoRenewStatus`;
  /// `nil` if missing.
  package var renewsAfterTerm: Bool?
  /// Whether Apple retries billing; `nil` if missing.
  package var isInBillingRetry: Bool?
  /// The status in the Server API or in a notification V2, 1 to 5; 0 if missing.
  package var status: UInt8 = 0
  /// Whether the customer accepted a price increase, or did not need to.
  ///
  /// `false` while the customer's consent is outstanding; `nil` if missing.
  package var acceptsPriceIncrease: Bool?
  /// The ids of win-back offers for which the customer is eligible, joined by `;`.
  ///
  /// `nil` without such a list, blank for an empty list.
  package var winBackOffers: Symbol?
  /// The app whose notification it is from, blank if that does not say; `nil` if it is from no notification.
  package var notifiedApp: Symbol?
  /// Whether it is of the period in its row only, as in a snapshot: METRICS.md 3.10.
  package var isOfPeriod = false
  /// The number of the renewal info in its row, from 1; at most 65,535.
  package var number: UInt16 = 0
  /// The number of the row in the file, from 1.
  package var row: UInt32 = 0

  /// Creates a copy with all other fields missing.
  package init(response: UInt32, madeAt: Instant) {
    self.response = response
    self.madeAt = madeAt
  }
}
