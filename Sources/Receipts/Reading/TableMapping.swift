import Scanning

/// How a table of transactions is read that a service or a database has made: METRICS.md 3.16.
///
/// One value describes one tool: which column means what, when its rows are current, and what a file of it may lack.
struct TableMapping: Sendable {
  /// What a column means.
  enum Meaning: Equatable, Sendable {
    case field(ReceiptColumns.Field)
    /// Renewal is off where the cell is filled.
    case turnedOff
    /// Apple retries billing where the cell is filled.
    case billingIssue
    /// The price less refunds, as a decimal.
    case priceAfterRefund
    /// What happened, in a table of events.
    case event
    /// Why a subscription expired, in a table of events.
    case reason
  }

  /// A column that is read.
  struct Column: Sendable {
    let meaning: Meaning
    /// Its names; the first that a table has is read.
    let names: [String]

    init(_ meaning: Meaning, _ names: String...) { (self.meaning, self.names) = (meaning, names) }
    init(_ field: ReceiptColumns.Field, _ names: String...) {
      (meaning, self.names) = (.field(field), names)
    }
  }

  /// What a row is.
  enum Rows: Sendable {
    /// A transaction, a renewal info, or both, whichever columns are filled.
    case records
    /// A period and its flags, all of them current when the file was made: METRICS.md 3.7 and 3.10.
    ///
    /// The file was made at its largest date in the first of these lists of columns that has one.
    case periods(datedBy: [[String]])
    /// One event; words of events that are not listed are passed over.
    case events([String: Event], reasons: [String])
  }

  /// What an event says.
  enum Event: Sendable {
    case trial, purchase
    /// A refund, of the purchase with the transaction id of the event.
    case refund
    case renewal(isOn: Bool)
    case expiry, billingIssue
  }

  /// The columns that show that a table is of this tool.
  var signs: [String] = []
  /// Of these columns a list of transactions has at least one; empty for a tool without other tables.
  var signsOfTransactions: [String] = []
  var columns: [Column]
  /// The columns without which a file is refused.
  var needed: [String] = []
  /// The columns whose absence is noted.
  var wanted: [String] = []
  var rows = Rows.records
}

extension TableMapping {
  /// The tools whose tables are recognized by their headers.
  static let tools = [revenueCat, adapty]

  /// RevenueCat's scheduled export of transactions, versions 2 to 7.
  private static let revenueCat = TableMapping(
    signs: ["rc_original_app_user_id"],
    signsOfTransactions: ["start_time", "end_time", "renewal_number"],
    columns: [
      Column(.store, "store"), Column(.transactionID, "store_transaction_id"),
      Column(.originalTransactionID, "original_store_transaction_id"),
      Column(.product, "product_identifier"), Column(.purchaseDate, "start_time"),
      Column(.expiresDate, "end_time"), Column(.graceEnd, "grace_period_end_time"),
      Column(.cancellationDate, "refunded_at"), Column(.recordDate, "updated_at"),
      Column(.isTrial, "is_trial_period"),
      Column(.isIntroductory, "is_in_intro_offer_period"), Column(.offer, "offer"),
      Column(.ownership, "ownership_type"), Column(.isSandbox, "is_sandbox"),
      Column(.price, "purchase_price_in_purchased_currency"),
      Column(.priceAfterRefund, "price_in_purchased_currency"),
      Column(.currency, "purchased_currency"), Column(.country, "country"),
      Column(.turnedOff, "unsubscribe_detected_at"),
      Column(.billingIssue, "billing_issues_detected_at"),
    ],
    needed: [
      "store_transaction_id", "original_store_transaction_id", "product_identifier", "start_time",
      "end_time", "store", "is_sandbox", "is_trial_period",
    ],
    wanted: [
      "refunded_at", "unsubscribe_detected_at", "billing_issues_detected_at", "ownership_type",
      "is_in_intro_offer_period", "offer", "updated_at", "purchased_currency",
      "price_in_purchased_currency",
    ],
    rows: .periods(datedBy: [
      ["updated_at"],
      [
        "start_time", "refunded_at", "unsubscribe_detected_at", "billing_issues_detected_at",
        "first_seen_time",
      ],
    ]))

  /// Adapty's export of events to S3, old and new format.
  ///
  /// A refund has the id of the refunded transaction, in the new format, and the date of the refund.
  private static let adapty = TableMapping(
    signs: ["profile_id", "event_type"],
    columns: [
      Column(.store, "store"), Column(.transactionID, "transaction_id"),
      Column(.originalTransactionID, "original_transaction_id"), Column(.product, "product_id"),
      Column(.purchaseDate, "event_datetime"), Column(.recordDate, "event_datetime"),
      Column(.expiresDate, "subscription_expires_at"), Column(.environment, "environment"),
      Column(.price, "revenue_local"), Column(.currency, "currency"),
      Column(.country, "store_country"), Column(.event, "event_type"),
      Column(.reason, "cancellation_reason"),
    ],
    rows: .events(
      [
        "trial_started": .trial, "subscription_started": .purchase,
        "subscription_initial_purchase": .purchase, "subscription_renewed": .purchase,
        "trial_converted": .purchase, "non_subscription_purchase": .purchase,
        "subscription_refunded": .refund, "non_subscription_purchase_refunded": .refund,
        "subscription_renewal_cancelled": .renewal(isOn: false),
        "trial_renewal_cancelled": .renewal(isOn: false), "auto_renew_off": .renewal(isOn: false),
        "auto_renew_off_subscription": .renewal(isOn: false),
        "subscription_renewal_reactivated": .renewal(isOn: true),
        "trial_renewal_reactivated": .renewal(isOn: true), "auto_renew_on": .renewal(isOn: true),
        "auto_renew_on_subscription": .renewal(isOn: true), "subscription_expired": .expiry,
        "trial_expired": .expiry, "subscription_cancelled": .expiry, "trial_cancelled": .expiry,
        "billing_issue_detected": .billingIssue, "entered_grace_period": .billingIssue,
      ],
      // In the order of Apple's expirationIntent, from 1.
      reasons: [
        "voluntarily_cancelled", "billing_error", "price_increase", "product_was_not_available",
      ]))

  /// The fields that decide whose, what, when and where a purchase was, and whether it was paid.
  private static let deciding: Set<ReceiptColumns.Field> = [
    .transactionID, .originalTransactionID, .product, .purchaseDate, .expiresDate, .environment,
    .isSandbox, .isTrial, .store,
  ]

  /// A table with the columns that the config names; without them, a table of raw receipts has a column `receipt`.
  static func own(_ columns: ReceiptColumns?) -> TableMapping {
    let headers = columns?.headers ?? [:]
    // In the order of the fields, with the store first: faults in rows of other stores do not count.
    let fields = [.store] + ReceiptColumns.Field.allCases.filter { $0 != .store }
    let named = fields.compactMap { field in headers[field].map { Column(field, $0) } }
    let names = { (isDeciding: Bool) in
      fields.filter { deciding.contains($0) == isDeciding }.compactMap { headers[$0] }
    }
    return TableMapping(
      columns: named.isEmpty ? [Column(.receipt, "receipt")] : named, needed: names(true),
      wanted: names(false))
  }
}
