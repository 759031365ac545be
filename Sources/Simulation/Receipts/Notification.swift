/// A Server Notification, version 2, about one event of a customer.
struct Notification {
  let event: CustomerEvent
  let content: SignedContent
  let chain: TestChain

  private var history: CustomerHistory { content.history }

  /// Returns the notification's content, which includes signed parts.
  ///
  /// - Parameter number: The number of the event in the history.
  /// - Returns: The content, to be signed.
  /// - Throws: ``SimulationError/cannotSign(_:)``.
  func payload(number: Int) throws(SimulationError) -> JSONText {
    let purchase = history.purchases[event.purchase]
    let app = Catalog.apps[purchase.product.app]
    let state = RenewalState(history, at: event.date)
    let transaction = try chain.signed(content.transaction(purchase, at: event.date))
    let renewal = try chain.signed(content.renewal(state, at: event.date))
    let (type, subtype) = names
    var json = JSONText()
    json.object { json in
      json.member("notificationType", type)
      if let subtype { json.member("subtype", subtype) }
      json.member(
        "notificationUUID", content.ids.uuid(2, history.customer << 16 | number))
      json.object("data") { json in
        json.member("appAppleId", app.appleID)
        json.member("bundleId", app.sku)
        json.member("bundleVersion", "4.2.1")
        json.member("environment", "Production")
        json.member("signedTransactionInfo", transaction)
        json.member("signedRenewalInfo", renewal)
        json.member("status", state.status(history, at: event.date))
      }
      json.member("version", "2.0")
      json.member("signedDate", event.date)
    }
    return json
  }

  /// Apple's type and subtype of the event.
  private var names: (type: String, subtype: String?) {
    switch event.kind {
    case .purchased: purchaseNames
    case .renewalDisabled: ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
    case .productChosen, .upfrontChosen: ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE")
    case .paymentFailed(let graceEnd):
      ("DID_FAIL_TO_RENEW", graceEnd == nil ? nil : "GRACE_PERIOD")
    case .graceExpired: ("GRACE_PERIOD_EXPIRED", nil)
    case .priceIncreased(.consentAsked): ("PRICE_INCREASE", "PENDING")
    case .priceIncreased: ("PRICE_INCREASE", "ACCEPTED")
    case .expired(let reason): ("EXPIRED", Self.subtype(of: reason))
    case .refunded: ("REFUND", nil)
    }
  }

  private var purchaseNames: (type: String, subtype: String?) {
    switch history.purchases[event.purchase].cause {
    case .start: ("SUBSCRIBED", event.purchase == 0 ? "INITIAL_BUY" : "RESUBSCRIBE")
    case .renewal: ("DID_RENEW", nil)
    case .recovery: ("DID_RENEW", "BILLING_RECOVERY")
    case .upgrade: ("DID_CHANGE_RENEWAL_PREF", "UPGRADE")
    }
  }

  private static func subtype(of reason: CancellationReason) -> String? {
    switch reason {
    case .canceled: "VOLUNTARY"
    case .billingIssue: "BILLING_RETRY"
    case .priceConsent: "PRICE_INCREASE"
    case .none, .other: nil
    }
  }
}
