/// The columns of a table of transactions, made by a service or a database other than Apple's.
///
/// Config: `[receipts.columns]`, one line for each field with the header of its column, such as
/// `purchase_date = "purchased_at"`.
package struct ReceiptColumns: Sendable {
  /// A field of a transaction or renewal info; raw values are the keys of the config.
  ///
  /// Instants are RFC 3339, `2018-05-17 08:00:00 Etc/GMT`, milliseconds since 1970, or a date and
  /// time without a zone, read as UTC. Booleans are true, t, 1 and false, f, 0. An empty cell is a
  /// missing value.
  package enum Field: String, CaseIterable, Sendable {
    /// A raw receipt in base64, a JWS, or JSON; such a table needs no other column.
    case receipt
    case transactionID = "transaction_id"
    case originalTransactionID = "original_transaction_id"
    case lineItemID = "web_order_line_item_id"
    case appTransactionID = "app_transaction_id"
    case accountToken = "app_account_token"
    /// The app's bundle id.
    case app
    /// The product's id.
    case product
    /// The subscription group's id.
    case group
    case purchaseDate = "purchase_date"
    case originalPurchaseDate = "original_purchase_date"
    case expiresDate = "expires_date"
    /// When the purchase was refunded or revoked.
    case cancellationDate = "cancellation_date"
    /// When the row was made or last updated: its as-of.
    case recordDate = "record_date"
    case isTrial = "is_trial"
    case isIntroductory = "is_introductory"
    case isUpgraded = "is_upgraded"
    /// A promotional offer, an offer code or a win-back offer; any text in the cell counts.
    case offer
    /// `PURCHASED` or `FAMILY_SHARED`.
    case ownership
    /// The product's type in Apple's words, such as `Auto-Renewable Subscription`.
    case type
    /// The price as a decimal, such as 9.99.
    case price
    /// The price in thousandths of the currency, as Apple's servers write it.
    case priceMilliunits = "price_milliunits"
    case currency
    /// The storefront, as a code of two or three letters.
    case country
    /// `Production`, `Sandbox`, `Xcode` or `LocalTesting`.
    case environment
    case isSandbox = "is_sandbox"
    case autoRenewStatus = "auto_renew_status"
    /// Why the subscription expired, 1 to 5 as in Apple's `expirationIntent`.
    case expirationIntent = "expiration_intent"
    case isInBillingRetry = "is_in_billing_retry"
    case graceEnd = "grace_period_expires_date"
    /// The store; rows of stores other than the App Store are ignored.
    case store
  }

  /// The header of each field's column; fields without a column are missing.
  package var headers: [Field: String]

  /// Creates a map of columns.
  package init(_ headers: [Field: String]) { self.headers = headers }
}
