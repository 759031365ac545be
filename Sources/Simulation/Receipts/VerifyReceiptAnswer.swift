/// One answer of verifyReceipt.
struct VerifyReceiptAnswer {
  let history: CustomerHistory
  let form: AnswerForm
  let ids: ReceiptID
  /// The purchases up to the time of the answer, oldest first; at least one.
  private let purchases: ArraySlice<Purchase>
  private let renewal: RenewalState

  /// Creates an answer, or nil for a customer without purchases so far.
  init?(_ history: CustomerHistory, _ form: AnswerForm, _ ids: ReceiptID) {
    self.history = history
    self.form = form
    self.ids = ids
    let known = history.purchases.prefix { $0.purchased <= form.date }
    guard !known.isEmpty else { return nil }
    renewal = RenewalState(history, at: form.date)
    purchases = form.isFamily ? known.suffix(1) : known
  }

  private var app: App { Catalog.apps[history.purchases[0].product.app] }

  /// Appends the answer as one element.
  func append(to json: inout JSONText) {
    json.quotesValues = !form.isTyped
    defer { json.quotesValues = true }
    guard form.isWrapped else {
      appendAnswer(to: &json)
      return
    }
    json.object { json in
      json.member("user_id", history.customer)
      json.key("receipt_response")
      appendAnswer(to: &json)
    }
  }

  private func appendAnswer(to json: inout JSONText) {
    json.object { json in
      if form.isFlat {
        appendFlat(to: &json)
        return
      }
      json.member("status", 0)
      json.member("environment", form.isSandbox ? "Sandbox" : "Production")
      json.key("receipt")
      appendReceipt(to: &json)
      json.array("latest_receipt_info") { json in
        for purchase in form.isNewestFirst ? Array(purchases.reversed()) : Array(purchases) {
          transaction(purchase).append(.latest, to: &json)
        }
      }
      json.member("latest_receipt", latestReceipt)
      guard !form.isFamily else { return }
      json.array("pending_renewal_info") { json in appendRenewal(to: &json) }
    }
  }

  // MARK: The app's receipt

  private func appendReceipt(to json: inout JSONText) {
    let installed = history.purchases[0].purchased - 3 * Timeline.dayLength
    let inApp = purchases.prefix(form.receiptLimit)
    let version = form.isSandbox ? "1.0" : "4.2.1"
    json.object { json in
      json.member("receipt_type", form.isSandbox ? "ProductionSandbox" : "Production")
      json.member("adam_id", form.isSandbox ? 0 : app.appleID)
      json.member("app_item_id", form.isSandbox ? 0 : app.appleID)
      json.member("bundle_id", app.sku)
      json.member("application_version", version)
      json.member("download_id", form.isSandbox ? 0 : ids.number(.download, history.customer))
      json.member("version_external_identifier", form.isSandbox ? 0 : 851_324_217)
      json.date("receipt_creation_date", inApp.last?.purchased ?? installed)
      json.date("request_date", form.date)
      json.date("original_purchase_date", form.isSandbox ? 1_375_340_400_000 : installed)
      json.member("original_application_version", version)
      json.array("in_app") { json in
        for purchase in inApp { transaction(purchase).append(.inApp, to: &json) }
      }
    }
  }

  private func transaction(_ purchase: Purchase) -> ReceiptTransaction {
    ReceiptTransaction(
      purchase: purchase, original: form.isFamily ? purchase : history.purchases[0],
      history: history, form: form, ids: ids)
  }

  /// A placeholder; Apple's answer has kilobytes of receipt here.
  private var latestReceipt: String {
    Base64.text("receipt of \(ids.number(.download, history.customer))".utf8)
  }

  // MARK: Renewal

  private func appendRenewal(to json: inout JSONText) {
    let last = history.purchases[renewal.purchase]
    json.object { json in
      json.member("product_id", last.product.sku)
      json.id(
        "original_transaction_id",
        ids.number(.transaction, history.customer, history.purchases[0].serial))
      json.member("auto_renew_product_id", Catalog.products[renewal.nextProduct].sku)
      json.number("auto_renew_status", renewal.willRenew ? 1 : 0)
      if let isInRetry = renewal.isInRetry {
        json.number("is_in_billing_retry_period", isInRetry ? 1 : 0)
      }
      if let intent = renewal.expirationIntent { json.number("expiration_intent", intent) }
      if let graceEnd = renewal.graceEnd { json.date("grace_period_expires_date", graceEnd) }
      switch renewal.priceIncrease {
      case .consentAsked: json.number("price_consent_status", 0)
      case .consentGiven: json.number("price_consent_status", 1)
      case .announced: json.number("price_increase_status", 1)
      case nil: break
      }
    }
  }

  // MARK: Before iOS 7

  /// Appends the receipt of the first purchase and the last purchase so far.
  private func appendFlat(to json: inout JSONText) {
    let isExpired = renewal.expired != nil
    let last = history.purchases[renewal.purchase]
    json.member("status", isExpired ? 21006 : 0)
    json.member("auto_renew_status", renewal.willRenew ? 1 : 0)
    json.member("auto_renew_product_id", Catalog.products[renewal.nextProduct].sku)
    if let intent = renewal.expirationIntent { json.id("expiration_intent", intent) }
    if let isInRetry = renewal.isInRetry {
      json.id("is_in_billing_retry_period", isInRetry ? 1 : 0)
    }
    json.key("receipt")
    transaction(history.purchases[0]).append(.flat, to: &json)
    json.key(isExpired ? "latest_expired_receipt_info" : "latest_receipt_info")
    transaction(last).append(.flat, to: &json)
  }
}
