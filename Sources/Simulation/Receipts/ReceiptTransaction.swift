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
    ids.number(
      form.isFamily ? .familyTransaction : .transaction, history.customer, original.serial)
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
