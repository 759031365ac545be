import Scanning

/// The JSON keys that are read, in all formats.
///
/// The values of other keys are skipped, so no secret (`password`) or identifier of a device or
/// person is ever stored. verifyReceipt has keys in snake case (iOS 6 property lists: with
/// hyphens), JWS payloads in camel case; where both have a key, the name of the latter ends in
/// `V2`. In-app libraries write verifyReceipt's keys in camel case; where JWS payloads have no such key, its name ends in
/// `OfLibrary`.
enum ReceiptKey: String, CaseIterable, Sendable {
  // The places of transactions and renewal infos.
  case receipt
  case inApp = "in_app"
  case latestReceiptInfo = "latest_receipt_info"
  case latestExpiredReceiptInfo = "latest_expired_receipt_info"
  case pendingRenewalInfo = "pending_renewal_info"
  case unifiedReceipt = "unified_receipt"
  case unifiedReceiptOfLibrary = "unifiedReceipt"
  case inAppOfLibrary = "inApp"
  case latestReceiptInfoOfLibrary = "latestReceiptInfo"
  case latestExpiredReceiptInfoOfLibrary = "latestExpiredReceiptInfo"
  case pendingRenewalInfoOfLibrary = "pendingRenewalInfo"
  case data
  case lastTransactions
  case notificationHistory
  case signedPayload
  case signedTransactions
  case signedTransactionInfo
  case signedRenewalInfo
  case signedAppTransactionInfo
  case unityPayload = "Payload"
  /// The raw receipt in a request to verifyReceipt, beside the app's secret, which is no key here.
  case receiptData = "receipt-data"
  case transactionReceipt
  // A JWS in the place of a receipt, as newer in-app libraries have it.
  case purchaseToken, jws, jwsRepresentation, jwsRepresentationIos, jwsRepresentationIOS
  case signedPayloadOfDatabase = "signed_payload"
  case signedTransactionInfoOfDatabase = "signed_transaction_info"
  case signedRenewalInfoOfDatabase = "signed_renewal_info"
  // Decoded parts of a notification, as other programs name them.
  case transactionInfo, renewalInfo
  case transactionInfoOfDatabase = "transaction_info"
  case renewalInfoOfDatabase = "renewal_info"
  // As above, though other tools have anything else under these names, too.
  case transaction, renewal

  // The bodies of other notifications V2.
  case summary, externalPurchaseToken, appData

  // The response.
  case status, environment, subtype, notificationUUID, signedDate
  case receiptType = "receipt_type"
  case receiptTypeV2 = "receiptType"
  case bid, bvrs
  case bundleID = "bundle_id"
  case bundleIDV2 = "bundleId"
  case requestDate = "request_date"
  case requestDateMS = "request_date_ms"
  case requestDateOfLibrary = "requestDate"
  case requestDateMSOfLibrary = "requestDateMs"
  case creationDate = "receipt_creation_date"
  case creationDateMS = "receipt_creation_date_ms"
  case creationDateV2 = "receiptCreationDate"
  case notificationTypeV1 = "notification_type"
  case notificationType
  case statusChangeDate = "auto_renew_status_change_date"
  case statusChangeDateMS = "auto_renew_status_change_date_ms"
  case revision, hasMore, errorCode, errorMessage

  // Ids.
  case transactionID = "transaction_id"
  case transactionIDV2 = "transactionId"
  case originalID = "original_transaction_id"
  case originalIDV2 = "originalTransactionId"
  case lineItemID = "web_order_line_item_id"
  case lineItemIDV2 = "webOrderLineItemId"
  case appTransactionID = "appTransactionId"
  case accountToken = "app_account_token"
  case accountTokenV2 = "appAccountToken"
  case productID = "product_id"
  case productIDV2 = "productId"
  case group = "subscription_group_identifier"
  case groupV2 = "subscriptionGroupIdentifier"

  // Instants.
  case purchaseDate = "purchase_date"
  case purchaseDateMS = "purchase_date_ms"
  case purchaseDateV2 = "purchaseDate"
  case purchaseDateMSOfLibrary = "purchaseDateMs"
  /// Never read: it shows that an object is of a library.
  case purchaseDatePSTOfLibrary = "purchaseDatePst"
  case originalPurchaseDate = "original_purchase_date"
  case originalPurchaseDateMS = "original_purchase_date_ms"
  case originalPurchaseDateV2 = "originalPurchaseDate"
  case originalPurchaseDateMSOfLibrary = "originalPurchaseDateMs"
  case expiresDate = "expires_date"
  case expiresDateMS = "expires_date_ms"
  case expiresDateFormatted = "expires_date_formatted"
  case expiresDateV2 = "expiresDate"
  case expiresDateMSOfLibrary = "expiresDateMs"
  case expirationDateOfLibrary = "expirationDate"
  case cancellationDate = "cancellation_date"
  case cancellationDateMS = "cancellation_date_ms"
  case cancellationDateOfLibrary = "cancellationDate"
  case cancellationDateMSOfLibrary = "cancellationDateMs"
  case revocationDate
  // Not Apple's keys, but a popular library reads them, so its exports may have them.
  case cancelledDate = "cancelled_date"
  case cancelledDateMS = "cancelled_date_ms"

  // Terms.
  case isTrial = "is_trial_period"
  case isIntro = "is_in_intro_offer_period"
  case isTrialOfLibrary = "isTrialPeriod"
  case isIntroOfLibrary = "isInIntroOfferPeriod"
  case isUpgraded = "is_upgraded"
  case isUpgradedV2 = "isUpgraded"
  case promotionalOfferID = "promotional_offer_id"
  case offerCode = "offer_code_ref_name"
  case promotionalOfferIDOfLibrary = "promotionalOfferId"
  case offerCodeOfLibrary = "offerCodeRefName"
  case offerType, offerIdentifier, offerDiscountType
  case ownership = "in_app_ownership_type"
  case ownershipV2 = "inAppOwnershipType"
  case type, storefront, price, currency, revocationType, revocationPercentage

  // Renewal.
  case autoRenewProductID = "auto_renew_product_id"
  case autoRenewProductIDV2 = "autoRenewProductId"
  case autoRenewStatus = "auto_renew_status"
  case autoRenewStatusV2 = "autoRenewStatus"
  case expirationIntent = "expiration_intent"
  case expirationIntentV2 = "expirationIntent"
  case isInBillingRetry = "is_in_billing_retry_period"
  case isInBillingRetryV2 = "isInBillingRetryPeriod"
  case graceEnd = "grace_period_expires_date"
  case graceEndMS = "grace_period_expires_date_ms"
  case graceEndV2 = "gracePeriodExpiresDate"
  case graceEndMSOfLibrary = "gracePeriodExpiresDateMs"
  case priceConsent = "price_consent_status"
  case priceIncrease = "price_increase_status"
  case priceIncreaseV2 = "priceIncreaseStatus"
  case winBackOffers = "eligibleWinBackOfferIds"

  // Commitments.
  case billingPlanType, commitmentInfo, billingPeriodNumber, totalBillingPeriods
  case commitmentAutoRenewStatus

  /// Finds a key of a JSON object.
  ///
  /// Databases that keep JWS payloads in columns write their keys in snake case, too.
  static let all = JSONKeys<ReceiptKey>(spellings: [
    "receipt_data": .receiptData, "receiptData": .receiptData,
    "decodedTransaction": .transaction, "decoded_transaction": .transaction,
    "decodedTransactionInfo": .transaction, "decoded_transaction_info": .transaction,
    "transactionPayload": .transaction, "transaction_payload": .transaction,
    "decodedRenewal": .renewal, "decoded_renewal": .renewal,
    "decodedRenewalInfo": .renewal, "decoded_renewal_info": .renewal,
    "renewalPayload": .renewal, "renewal_payload": .renewal,
    "signed_transactions": .signedTransactions, "last_transactions": .lastTransactions,
    "notification_history": .notificationHistory, "has_more": .hasMore,
    "notification_uuid": .notificationUUID, "notificationUuid": .notificationUUID,
    "app_transaction_id": .appTransactionID, "signed_date": .signedDate,
    "revocation_date": .revocationDate, "revocation_type": .revocationType,
    "revocation_percentage": .revocationPercentage, "offer_type": .offerType,
    "offer_identifier": .offerIdentifier, "offer_discount_type": .offerDiscountType,
    "billing_plan_type": .billingPlanType, "commitment_info": .commitmentInfo,
    "billing_period_number": .billingPeriodNumber,
    "total_billing_periods": .totalBillingPeriods,
    "commitment_auto_renew_status": .commitmentAutoRenewStatus,
    "eligible_win_back_offer_ids": .winBackOffers,
  ])

  /// Finds a key of an iOS 6 property list, which has hyphens.
  static let hyphenated = Dictionary(
    uniqueKeysWithValues: allCases.map { key in
      (String(key.rawValue.map { $0 == "_" ? "-" : $0 }), key)
    })
}
