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

/// The form of one verifyReceipt answer: differences between dumps with the same meaning.
struct AnswerForm {
  /// IDs are strings, but numbers, flags and times are JSON's own types, as some databases export them.
  var isTyped = false
  /// The answer is inside an object that the publisher's server adds.
  var isWrapped = false
  /// The flat layout of receipts from before iOS 7, with the first and last purchase only.
  var isFlat = false
  /// The latest purchase comes first.
  var isNewestFirst = true
  /// The receipt is a sandbox tester's.
  var isSandbox = false
  /// The receipt is a family member's, with the last purchase only.
  var isFamily = false
  /// The time of a restore on another device, which gave all earlier purchases new IDs.
  var restored: Instant?
  /// The largest number of purchases in the app's own receipt.
  var receiptLimit = 1
  var date: Instant

  /// Draws the form of a customer's answer; the generator is the same for each capture.
  ///
  /// Without quirks only the usual layout occurs.
  init(_ capture: Capture, _ random: inout SeededRandom, hasQuirks: Bool) {
    date = capture.date + random.below(3_599_000)
    receiptLimit = random.below(5)
    if random.chance(200) { restored = capture.previous }
    guard hasQuirks else { return }
    switch random.below(100) {
    case 0..<6: isTyped = true
    case 6..<10: isWrapped = true
    // Not in the last capture, which must be complete.
    case 10..<16: isFlat = capture.previous == nil
    case 16..<24: isNewestFirst = false
    default: break
    }
  }

  /// The form of a family member's answer to the same request.
  var ofFamilyMember: AnswerForm {
    var form = self
    form.isFlat = false
    form.isFamily = true
    form.restored = nil
    return form
  }
}

/// A day on which every customer's receipt was sent to verifyReceipt.
struct Capture {
  let day: Int
  /// The time of the first answer; the last is an hour later.
  let date: Instant
  /// The time of the capture before; some customers have restored on another device since then.
  let previous: Instant?

  /// Returns the captures of a world: one after two thirds of the window, one at its end; of a single day only this.
  static func all(of timeline: Timeline) -> [Capture] {
    let middle = timeline.firstDay + (timeline.lastDay - timeline.firstDay) * 2 / 3
    guard middle < timeline.lastDay else {
      return [Capture(timeline.lastDay, previous: nil, on: timeline)]
    }
    let first = Capture(middle, previous: nil, on: timeline)
    return [first, Capture(timeline.lastDay, previous: first.date, on: timeline)]
  }

  private init(_ day: Int, previous: Instant?, on timeline: Timeline) {
    self.day = day
    self.previous = previous
    date = timeline.instant(day, Timeline.closingTime)
  }
}

/// A transaction in a verifyReceipt answer.
struct ReceiptTransaction {
  /// The part of the answer that holds the transaction; it decides the transaction's members.
  enum Layout {
    /// In `latest_receipt_info`.
    case latest
    /// In the app's own receipt, which has fewer members.
    case inApp
    /// In the flat layout from before iOS 7.
    case flat
  }

  let purchase: Purchase
  let original: Purchase
  let history: CustomerHistory
  let form: AnswerForm
  let ids: ReceiptID

  func append(_ layout: Layout, to json: inout JSONText) {
    json.object { json in
      json.number("quantity", 1)
      json.member("product_id", purchase.product.sku)
      json.id("transaction_id", transactionID)
      json.id("original_transaction_id", originalID)
      json.date("purchase_date", purchase.purchased)
      json.date("original_purchase_date", original.purchased)
      if layout == .flat {
        json.flatExpiry(purchase.expires)
      } else {
        json.date("expires_date", purchase.expires)
      }
      json.id("web_order_line_item_id", ids.number(.lineItem, history.customer, purchase.serial))
      appendOffer(layout, to: &json)
      appendEnding(layout, to: &json)
      switch layout {
      case .latest: appendOwner(to: &json)
      case .inApp: break
      case .flat: appendApp(to: &json)
      }
    }
  }

  /// The transaction ID; a restore on another device gives earlier purchases new ones.
  private var transactionID: Int {
    let isReissued = form.restored.map { purchase.purchased < $0 } ?? false
    let kind: ReceiptID.Kind =
      form.isFamily ? .familyTransaction : isReissued ? .reissued : .transaction
    return ids.number(kind, history.customer, purchase.serial)
  }

  private var originalID: Int {
    ids.number(form.isFamily ? .familyTransaction : .transaction, history.customer, original.serial)
  }

  private func appendOffer(_ layout: Layout, to json: inout JSONText) {
    let offer = purchase.offer
    json.flag("is_trial_period", offer.payment == .freeTrial)
    json.flag(
      "is_in_intro_offer_period", offer.family == .introductory && offer.payment != .freeTrial)
    switch offer.family {
    case .promotional, .winBack: json.member("promotional_offer_id", offer.id)
    case .offerCode where layout == .latest: json.member("offer_code_ref_name", offer.name)
    case .standard, .introductory, .offerCode: break
    }
  }

  private func appendEnding(_ layout: Layout, to json: inout JSONText) {
    if let refunded = purchase.refunded, refunded <= form.date {
      json.date("cancellation_date", refunded)
      json.number("cancellation_reason", purchase.serial % 4 == 0 ? 1 : 0)
    } else if let upgraded = purchase.upgraded, upgraded <= form.date {
      // Apple's time is within seconds of the purchase that replaced it.
      json.date("cancellation_date", upgraded + purchase.serial % 4 * 1_000)
      json.number("cancellation_reason", 0)
    }
    if layout == .latest, let upgraded = purchase.upgraded, upgraded <= form.date {
      json.flag("is_upgraded", true)
    }
  }

  private func appendOwner(to json: inout JSONText) {
    json.member("in_app_ownership_type", form.isFamily ? "FAMILY_SHARED" : "PURCHASED")
    json.id("subscription_group_identifier", Catalog.apps[purchase.product.app].groupID)
    if !form.isFamily, let token = history.accountToken {
      json.member("app_account_token", token)
    }
  }

  private func appendApp(to json: inout JSONText) {
    let app = Catalog.apps[purchase.product.app]
    json.member("bid", app.sku)
    json.member("bvrs", "1.4")
    json.id("item_id", purchase.product.appleID)
    json.id("app_item_id", app.appleID)
  }
}
