import Scanning
import Storage
import SubscriptionModel

extension ObjectFields {
  /// Adds the value of a key that was read into a text.
  @inline(__always)
  mutating func add(
    _ key: ReceiptKey, _ value: JSONScalar, _ text: JSONText, _ symbols: inout LocalSymbols
  ) {
    add(key, value, text.bytes.span, &symbols)
  }

  /// Adds the value of a key.
  ///
  /// A value that is too long, has another type or is out of range counts as missing.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The type of the value, and its range in `text`.
  ///   - text: The text that was read.
  ///   - symbols: Numbers the texts that are kept.
  @inline(__always)
  mutating func add(
    _ key: ReceiptKey, _ value: JSONScalar, _ text: Span<UInt8>, _ symbols: inout LocalSymbols
  ) {
    switch key {
    case .purchaseDate, .purchaseDateMS, .purchaseDateV2:
      marks.insert(.purchaseDate)
      if key == .purchaseDateV2 { marks.insert(.jwsTransaction) }
      purchase.add(
        value, text,
        key == .purchaseDateMS ? .milliseconds : key == .purchaseDate ? .plain : .camelCase)
    case .expiresDateMS: expires.add(value, text, .milliseconds)
    case .expiresDate: expires.add(value, text, .plain)
    case .expiresDateV2: expires.add(value, text, .camelCase)
    case .expiresDateFormatted:
      marks.insert(.ios6)
      expires.add(value, text, .formatted)
    case .originalPurchaseDateMS: originalPurchase.add(value, text, .milliseconds)
    case .originalPurchaseDate: originalPurchase.add(value, text, .plain)
    case .originalPurchaseDateV2: originalPurchase.add(value, text, .camelCase)
    case .cancellationDateMS: cancellation.add(value, text, .milliseconds)
    case .cancellationDate, .revocationDate: cancellation.add(value, text, .plain)
    case .cancelledDate, .cancelledDateMS: cancellation.add(value, text, .plain)

    case .transactionID: transactionID = id(key, value, text, &symbols)
    case .originalID: originalID = id(key, value, text, &symbols)
    case .lineItemID: lineItemID = idOfPart(key, value, text, &symbols)
    // Apple's own spelling takes precedence over camel case.
    case .transactionIDV2:
      if !transactionID.isUsable { transactionID = id(key, value, text, &symbols) }
    case .originalIDV2:
      if !originalID.isUsable { originalID = id(key, value, text, &symbols) }
    case .lineItemIDV2:
      if !lineItemID.isUsable { lineItemID = idOfPart(key, value, text, &symbols) }
    case .appTransactionID: appTransactionID = idOfPart(key, value, text, &symbols)
    case .productID: addProduct(value, text, &symbols)
    case .productIDV2: if product == .blank { addProduct(value, text, &symbols) }
    case .group, .groupV2:
      if key == .group || group == .blank {
        group = Self.group(text, value.range, &symbols)
      }
    case .accountToken: accountToken = Self.token(value, text, &symbols)
    case .accountTokenV2:
      if accountToken == .blank { accountToken = Self.token(value, text, &symbols) }
    default: addTerm(key, value, text, &symbols)
    }
  }

  /// Returns the id of an object that may be a transaction or a renewal info.
  private mutating func id(
    _ key: ReceiptKey, _ value: JSONScalar, _ text: Span<UInt8>, _ symbols: inout LocalSymbols
  ) -> ReceiptID {
    if !value.range.isEmpty { marks.insert(.anID) }
    return idOfPart(key, value, text, &symbols)
  }

  /// Returns an id, and marks one that was rewritten as a number.
  @inline(__always)
  private mutating func idOfPart(
    _ key: ReceiptKey, _ value: JSONScalar, _ text: Span<UInt8>, _ symbols: inout LocalSymbols
  ) -> ReceiptID {
    let range = trimmed(text, value.range)
    if let number = ByteNumber.id(text, range) { return ReceiptID(value: number) }
    if value.kind == .object || value.kind == .array {
      marks.formUnion([.objectID, .anID])
      keyOfFaultyID = keyOfFaultyID ?? key
    }
    return idThatIsText(key, text, range, &symbols)
  }

  @inline(never)
  private mutating func idThatIsText(
    _ key: ReceiptKey, _ text: Span<UInt8>, _ range: Range<Int>, _ symbols: inout LocalSymbols
  ) -> ReceiptID {
    let id = ReceiptID(text, range, &symbols)
    if id.isRewritten(text, range) {
      marks.insert(.rewrittenID)
      keyOfFaultyID = keyOfFaultyID ?? key
    }
    return id
  }

  private mutating func addProduct(
    _ value: JSONScalar, _ text: Span<UInt8>, _ symbols: inout LocalSymbols
  ) {
    product = symbols.symbol(text, value.range)
    if product != .blank { marks.insert(.anID) }
  }

  /// Returns the symbol of a group; blank if it is all zeros or a word for a missing one.
  private static func group(
    _ text: Span<UInt8>, _ range: Range<Int>, _ symbols: inout LocalSymbols
  ) -> Symbol {
    let isMissing = ScalarText.isAllZeros(text, range) || ScalarText.isMissingID(text, range)
    return isMissing ? .blank : symbols.symbol(text, range)
  }

  /// Returns the symbol of an account token in lower case; blank if it is all zeros or not a UUID.
  private static func token(
    _ value: JSONScalar, _ text: Span<UInt8>, _ symbols: inout LocalSymbols
  ) -> Symbol {
    let range = trimmed(text, value.range)
    guard let uuid = ScalarText.uuid(text, range), uuid != 0 else { return .blank }
    var lower: [UInt8] = []
    lower.reserveCapacity(range.count)
    for offset in range { lower.append(ScalarText.lowered(text[offset])) }
    return symbols.symbol(lower.span, 0..<lower.count)
  }
}

// MARK: - Terms and renewal

extension ObjectFields {
  private mutating func addTerm(
    _ key: ReceiptKey, _ value: JSONScalar, _ text: Span<UInt8>, _ symbols: inout LocalSymbols
  ) {
    let value = JSONScalar(kind: value.kind, range: trimmed(text, value.range))
    switch key {
    case .isTrial: setFlag(.trial, value, text, .isTrial)
    case .isIntro: setFlag(.intro, value, text, .isIntro)
    case .isUpgraded, .isUpgradedV2:
      if ScalarText.flag(value, text) == true { flags.insert(.upgraded) }
    case .promotionalOfferID, .offerCode, .offerIdentifier, .promotionalOfferIDOfLibrary,
      .offerCodeOfLibrary:
      if !ScalarText.isMissingID(text, trimmed(text, value.range)) { flags.insert(.offer) }
    case .offerType: offerType = Self.number(value, text, orOneOf: Self.offerTypes)
    case .offerDiscountType:
      if !value.range.isEmpty { isFreeOffer = ScalarText.isValue("FREE_TRIAL", text, value.range) }
      if ScalarText.isValue("PAY_AS_YOU_GO", text, value.range) { flags.insert(.payAsYouGo) }
    case .ownership: ownership = Self.ownership(text, value.range)
    case .ownershipV2:
      if ownership == .missing { ownership = Self.ownership(text, value.range) }
    case .type: type = Self.productType(text, value.range)
    case .storefront: country = symbols.country(text, value.range)
    case .price: addMilliunits(value, text)
    case .currency: currency = symbols.currency(text, value.range)
    case .revocationPercentage: revocationPercentage = ScalarText.integer(value, text)
    case .revocationType:
      if ScalarText.isValue("REFUND_PRORATED", text, value.range) { flags.insert(.prorated) }
      if ScalarText.isValue("FAMILY_REVOKE", text, value.range) { flags.insert(.familyRevoke) }

    case .billingPlanType:
      if !trimmed(text, value.range).isEmpty { flags.insert(.hasBillingPlan) }
      if ScalarText.isWord("MONTHLY", text, value.range) { flags.insert(.commitment) }
    case .billingPeriodNumber: instalmentNumber = Self.instalment(value, text)
    case .totalBillingPeriods: instalmentTotal = Self.instalment(value, text)
    case .commitmentAutoRenewStatus: renewsAfterTerm = ScalarText.flag(value, text)

    case .autoRenewProductID, .autoRenewProductIDV2:
      renewalProduct = symbols.symbol(text, value.range)
    case .autoRenewStatus, .autoRenewStatusV2:
      marks.insert(.autoRenewStatus)
      autoRenews = ScalarText.flag(value, text)
    case .expirationIntent, .expirationIntentV2:
      let intent = Self.number(value, text, orOneOf: Self.intents) ?? 0
      expirationIntent = 1...5 ~= intent ? UInt8(intent) : 0
    case .isInBillingRetry, .isInBillingRetryV2: isInBillingRetry = ScalarText.flag(value, text)
    case .priceConsent, .priceIncrease, .priceIncreaseV2:
      acceptsPriceIncrease = ScalarText.flag(value, text)
    case .graceEndMS: graceEnd.add(value, text, .milliseconds)
    case .graceEnd, .graceEndV2: graceEnd.add(value, text, .plain)
    default: addResponse(key, value, text, &symbols)
    }
  }

  /// Sets a flag by Apple's own key, which takes precedence over that of a library.
  private mutating func setFlag(
    _ flag: TransactionCopy.Flags, _ value: JSONScalar, _ text: Span<UInt8>, _ mark: Marks
  ) {
    marks.insert(mark)
    if ScalarText.flag(value, text) == true {
      flags.insert(flag)
    } else if flags.contains(flag) {
      flags.remove(flag)
    }
  }

  /// Adds a price in milliunits; one that is no whole number, 0 or more, is marked.
  private mutating func addMilliunits(_ value: JSONScalar, _ text: Span<UInt8>) {
    let range = trimmed(text, value.range)
    price = ScalarText.price(text, range)
    let isMissing = value.kind == .string && ScalarText.isMissing(text, range)
    if price == nil, value.kind != .null, !isMissing {
      marks.insert(.unreadablePrice)
    }
  }

  /// Adds the value of a key that only in-app libraries have: RECEIPTS.md 4, shape 13b.
  private mutating func addOfLibrary(_ key: ReceiptKey, _ value: JSONScalar, _ text: Span<UInt8>) {
    switch key {
    // These keys do not show what an object is.
    case .graceEndMSOfLibrary: return graceEnd.add(value, text, .camelCaseMilliseconds)
    case .requestDateMSOfLibrary: return requested.add(value, text, .camelCaseMilliseconds)
    case .requestDateOfLibrary: return requested.add(value, text, .camelCase)
    case .purchaseDateMSOfLibrary:
      marks.insert(.purchaseDate)
      purchase.add(value, text, .camelCaseMilliseconds)
    case .purchaseDatePSTOfLibrary: break
    case .originalPurchaseDateMSOfLibrary: originalPurchase.add(value, text, .camelCaseMilliseconds)
    case .expiresDateMSOfLibrary: expires.add(value, text, .camelCaseMilliseconds)
    case .expirationDateOfLibrary: expires.add(value, text, .ofLibrary)
    case .cancellationDateOfLibrary: cancellation.add(value, text, .camelCase)
    case .cancellationDateMSOfLibrary: cancellation.add(value, text, .camelCaseMilliseconds)
    case .isTrialOfLibrary:
      if !marks.contains(.isTrial), ScalarText.flag(value, text) == true { flags.insert(.trial) }
    case .isIntroOfLibrary:
      if !marks.contains(.isIntro), ScalarText.flag(value, text) == true { flags.insert(.intro) }
    default: return
    }
    marks.insert(.ofLibrary)
  }

  /// The words that libraries, such as Apple's own, have for the types of an offer, from 1 on.
  private static let offerTypes = [
    ["INTRODUCTORY", "INTRODUCTORY_OFFER"], ["PROMOTIONAL", "PROMOTIONAL_OFFER"],
    ["CODE", "OFFER_CODE", "SUBSCRIPTION_OFFER_CODE"], ["WIN_BACK", "WIN_BACK_OFFER"],
  ]
  /// Their words for why a subscription expired, from 1 on.
  private static let intents = [
    ["CUSTOMER_CANCELLED"], ["BILLING_ERROR"],
    ["CUSTOMER_DID_NOT_CONSENT_TO_PRICE_INCREASE"], ["PRODUCT_NOT_AVAILABLE"], ["OTHER"],
  ]
  /// Their words for the status of a subscription, from 1 on.
  private static let statuses = [
    ["ACTIVE"], ["EXPIRED"], ["BILLING_RETRY"], ["BILLING_GRACE_PERIOD"], ["REVOKED"],
  ]

  /// Returns a number of Apple's, which may be written as a word; `nil` for another value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - text: The text that was read.
  ///   - words: The words for the numbers from 1 on.
  /// - Returns: The number.
  private static func number(
    _ value: JSONScalar, _ text: Span<UInt8>, orOneOf words: [[String]]
  ) -> Int? {
    if let number = ScalarText.integer(value, text) { return number }
    let range = trimmed(text, value.range)
    let place = words.firstIndex { $0.contains { ScalarText.isValue($0, text, range) } }
    return place.map { $0 + 1 }
  }

  /// Returns the number or the total of instalments; 0 for a value outside 1 to 99.
  private static func instalment(_ value: JSONScalar, _ text: Span<UInt8>) -> UInt8 {
    let number = ScalarText.integer(value, text) ?? 0
    return 1...99 ~= number ? UInt8(number) : 0
  }

  private static func ownership(
    _ text: Span<UInt8>, _ range: Range<Int>
  ) -> TransactionCopy.Ownership {
    if ScalarText.isValue("PURCHASED", text, range) { return .purchased }
    return ScalarText.isValue("FAMILY_SHARED", text, range) ? .family : .missing
  }

  private static func productType(
    _ text: Span<UInt8>, _ range: Range<Int>
  ) -> TransactionCopy.ProductType {
    if range.isEmpty { return .missing }
    if ScalarText.isWord("Auto-Renewable Subscription", text, range) { return .autoRenewable }
    if ScalarText.isWord("Non-Renewing Subscription", text, range) { return .nonRenewing }
    let words: [(String, TransactionCopy.ProductType)] = [
      ("AUTO_RENEWABLE_SUBSCRIPTION", .autoRenewable), ("AUTO_RENEWABLE", .autoRenewable),
      ("NON_RENEWING_SUBSCRIPTION", .nonRenewing), ("NON_RENEWING", .nonRenewing),
      ("NON_RENEWABLE", .nonRenewing),
    ]
    return words.first { ScalarText.isValue($0.0, text, range) }?.1 ?? .other
  }
}

// MARK: - Response

extension ObjectFields {
  private mutating func addResponse(
    _ key: ReceiptKey, _ value: JSONScalar, _ text: Span<UInt8>, _ symbols: inout LocalSymbols
  ) {
    switch key {
    case .status:
      status = Self.number(value, text, orOneOf: Self.statuses)
      // `{"$numberInt": "21003"}` of a database is no status of a good answer.
      if value.kind == .object { status = -1 }
    case .environment, .receiptType: addEnvironment(text, value.range)
    case .receiptTypeV2:
      marks.insert(.appTransaction)
      addEnvironment(text, value.range)
    case .bid:
      marks.insert(.ios6)
      app = symbols.symbol(text, value.range)
    case .bvrs: marks.insert(.ios6)
    case .bundleID: app = symbols.symbol(text, value.range)
    case .bundleIDV2: if app == .blank { app = symbols.symbol(text, value.range) }
    case .requestDateMS: requested.add(value, text, .milliseconds)
    case .requestDate: requested.add(value, text, .plain)
    case .creationDateMS: created.add(value, text, .milliseconds)
    case .creationDate, .creationDateV2: created.add(value, text, .plain)
    case .signedDate: signed.add(value, text, .plain)
    case .statusChangeDateMS: statusChanged.add(value, text, .milliseconds)
    case .statusChangeDate: statusChanged.add(value, text, .plain)
    case .notificationTypeV1:
      if !value.range.isEmpty { marks.insert(.notificationV1) }
      notificationType = NotificationType(text, value.range)
    case .notificationType:
      if !value.range.isEmpty { marks.insert(.notificationV2) }
      notificationType = NotificationType(text, value.range)
    case .notificationUUID:
      marks.insert(.notificationBody)
      notificationUUID = ScalarText.uuid(text, trimmed(text, value.range))
    case .subtype:
      isUpgradeNotification = ScalarText.isWord("UPGRADE", text, value.range)
      asksForConsent = ScalarText.isWord("PENDING", text, value.range)
    case .summary, .externalPurchaseToken, .appData: marks.insert(.notificationBody)
    case .revision, .hasMore: marks.insert(.history)
    case .errorCode: if value.kind == .number { marks.insert(.errorCode) }
    case .errorMessage: if value.kind == .string { marks.insert(.errorMessage) }
    default: addOfLibrary(key, value, text)
    }
  }

  /// Adds the value of `environment` or `receipt_type`.
  mutating func addEnvironment(_ text: Span<UInt8>, _ range: Range<Int>) {
    if trimmed(text, range).isEmpty { return }
    hasEnvironment = true
    for word in ["Sandbox", "Xcode", "LocalTesting"]
    where ScalarText.contains(word, text, range) {
      isNonProduction = true
      if word != "Sandbox" { isLocal = true }
    }
  }
}
