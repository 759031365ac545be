import Scanning
import SubscriptionModel

/// Parses raw app receipts and raw iOS 6 transaction receipts; each becomes one response.
extension RowParser {
  /// Parses a string that may be a raw receipt, the JWS that newer clients store in its place, or JSON kept as text.
  ///
  /// - Parameters:
  ///   - scanner: The scanner, before the value; any value but a string stays unread.
  ///   - isPluginKey: Whether the key is one of a client plugin (`Payload`, `transactionReceipt`).
  ///     A value that does not look like a receipt is then from another store, or damaged.
  ///   - keepsJSON: Whether JSON in the text may be a receipt.
  /// - Throws: ``JSONReadError``.
  mutating func readReceiptString(
    _ scanner: inout JSONScanner, isPluginKey: Bool = false, keepsJSON: Bool = true
  ) throws(JSONReadError) {
    guard let text = try readLongText(&scanner) else { return }
    if keepsJSON, var kept = Self.json(in: text.bytes) {
      let (known, faults) = (knownCount, faultCount)
      readKept(&kept) { parser, scanner throws(JSONReadError) in
        try parser.readObjects(&scanner, depth: 0)
      }
      guard isPluginKey, knownCount == known, faultCount == faults else { return }
      ignoredReason = ignoredReason ?? .otherStore
    } else {
      readReceipt(text, isPluginKey: isPluginKey)
    }
  }

  /// Parses a text that may be a raw receipt or a JWS.
  mutating func readReceipt(_ text: (bytes: [UInt8], isTooLong: Bool), isPluginKey: Bool = false) {
    let range = trimmed(text.bytes.span, 0..<text.bytes.count)
    if isPluginKey, range.first.map({ text.bytes[$0] }) == UInt8(ascii: "{") {
      ignoredReason = ignoredReason ?? .otherStore
    } else if text.isTooLong || isPluginKey && !range.isEmpty
      || EncodedText(text.bytes.span, range) != nil
    {
      readEncoded(text.bytes, isTooLong: text.isTooLong)
      if isPluginKey, row.kind == nil { row.kind = .appReceipt }
    }
  }

  /// Parses a text that is a raw receipt or a JWS.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isTooLong: Whether the text was cut off because it is too long.
  mutating func readEncoded(_ text: [UInt8], isTooLong: Bool) {
    let range = trimmed(text.span, 0..<text.count)
    var isJWS = false
    if case .jws? = EncodedText(text.span, range) { isJWS = true }
    if isTooLong || isJWS && range.count > PayloadDecoder.longestJWS {
      let limit =
        isJWS ? "a JWS of at most 64 KiB" : "a receipt of at most 16 MiB"
      return note(.recordTooLong, found: .words("a longer text"), expected: limit)
    }
    if isJWS { return readJWS(text, range) }
    do throws(PayloadDecoder.Fault) {
      add(try decoder.readReceipt(text.span, range))
    } catch {
      note(error.code, found: .words(error.found), expected: error.expected)
    }
  }

  /// Parses a file that is one receipt container.
  mutating func readContainer(_ bytes: [UInt8]) {
    do throws(PayloadDecoder.Fault) {
      add(try decoder.readContainer(bytes))
    } catch {
      note(error.code, found: .words(error.found), expected: error.expected)
    }
  }

  private mutating func add(_ container: PayloadDecoder.Container) {
    let isOuterVerified = isVerified
    isVerified = decoder.isVerified
    defer { isVerified = isOuterVerified }
    switch container {
    case .appReceipt: addAppReceipt()
    case .transactionReceipt: addTransactionReceipt()
    }
  }
}

// MARK: - App receipts

extension RowParser {
  private mutating func addAppReceipt() {
    var response = beginResponse()
    let content = decoder.appReceipt.content
    var fields = ObjectFields()
    fields.app = symbols.symbol(content.span, decoder.appReceipt.bundleID)
    fields.created.add(content.span, decoder.appReceipt.creationDate, .plain)
    fields.addEnvironment(content.span, decoder.appReceipt.type)
    let level = row.places?.depth ?? 0
    defer { row.places?.leave(to: level) }
    for index in 0..<decoder.appReceipt.purchaseCount {
      row.places?.goTo(offset: decoder.appReceipt.offset(ofPurchaseAt: index), at: level)
      do throws(PayloadDecoder.Fault) {
        let purchase = try decoder.purchase(at: index)
        let fields = ObjectFields(purchase, content.span, &symbols)
        add(transaction: fields, .inApp, to: &response)
      } catch {
        note(error.code, found: .words(error.found), expected: error.expected)
      }
    }
    finish(response, fields, of: .appReceipt)
  }

  /// Adds a transaction receipt; its keys are the keys of verifyReceipt, with hyphens.
  private mutating func addTransactionReceipt() {
    var response = beginResponse()
    let info = decoder.transactionReceipt.purchaseInfo
    var fields = ObjectFields()
    for entry in decoder.transactionReceipt.purchase.entries {
      let name = String(decoding: info[entry.key], as: UTF8.self)
      guard let key = ReceiptKey.hyphenated[name] else { continue }
      fields.add(key, JSONScalar(kind: .string, range: entry.value), info.span, &symbols)
    }
    if let environment = decoder.transactionReceipt.environment {
      let bytes = decoder.bytes
      fields.addEnvironment(bytes.span, environment)
    }
    add(transaction: fields, .inApp, to: &response)
    finish(response, fields, of: .ios6Receipt)
  }
}

extension ObjectFields {
  /// Creates fields from a purchase in an app receipt.
  fileprivate init(
    _ purchase: AppReceipt.Purchase, _ content: Span<UInt8>, _ symbols: inout LocalSymbols
  ) {
    transactionID = ReceiptID(content, purchase.transactionID, &symbols)
    originalID = ReceiptID(content, purchase.originalTransactionID, &symbols)
    if let number = purchase.webOrderLineItemID, number > 0, number < 1 << 62 {
      lineItemID = ReceiptID(value: UInt64(number))
    }
    product = symbols.symbol(content, purchase.productID)
    self.purchase.add(content, purchase.purchaseDate, .plain)
    originalPurchase.add(content, purchase.originalPurchaseDate, .plain)
    expires.add(content, purchase.expirationDate, .plain)
    cancellation.add(content, purchase.cancellationDate, .plain)
    if purchase.isTrial == 1 { flags.insert(.trial) }
    if purchase.isIntroductory == 1 { flags.insert(.intro) }
    if !purchase.promotionalOfferID.isEmpty { flags.insert(.offer) }
    switch purchase.productType {
    case 0, 1: type = .other
    case 2: type = .nonRenewing
    case 3: type = .autoRenewable
    case 4: type = .free
    default: break
    }
  }
}
