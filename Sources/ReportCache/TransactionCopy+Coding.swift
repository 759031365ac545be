import Storage
import SubscriptionModel

/// Stores only a copy's differences from the copy before it, which mostly belongs to the same customer.
///
/// The response number is not stored: the run's store assigns it.
extension TransactionCopy {
  /// The parts that can differ, one bit each; those that differ most often come first.
  private enum Part: UInt64, CaseIterable {
    case number, transactionID, lineItemID, purchase, expires, flags, origin
    case row, originalID, madeAt, product, originalPurchase, accountToken
    case ownership, type, app, group, appTransactionID
    case price, currency, country, cancellation, revocationPercentage, instalment, refundedPrice

    var bit: UInt64 { 1 << rawValue }
  }

  /// The value that the first copy of a dump is compared with.
  static func blank(file: UInt32) -> TransactionCopy {
    let never = Instant(seconds: 0)
    return TransactionCopy(
      response: 0, purchase: never, madeAt: never, origin: .inApp, file: file, row: 0, number: 0)
  }

  /// Returns a bit for each part that differs from the copy before it.
  func parts(after last: TransactionCopy) -> UInt64 {
    Part.allCases.reduce(0) { isSame($1, last) ? $0 : $0 | $1.bit }
  }

  /// Encodes the parts that differ, or decodes them into the copy before; never the file and the response.
  ///
  /// `parts` has a bit for each part that differs; it is ignored when reading.
  mutating func code(_ parts: UInt64 = 0, with coder: inout some ExtractCoder) {
    var parts = parts
    coder.number(&parts)
    while parts != 0 {
      guard let part = Part(rawValue: UInt64(parts.trailingZeroBitCount)) else {
        return coder.fail()
      }
      code(part, with: &coder)
      parts &= parts - 1
    }
  }

  private func isSame(_ part: Part, _ other: TransactionCopy) -> Bool {
    switch part {
    case .number: number == other.number
    case .transactionID: transactionID == other.transactionID
    case .lineItemID: lineItemID == other.lineItemID
    case .purchase: purchase == other.purchase
    case .expires: expires == other.expires
    case .flags: flags == other.flags
    case .origin: origin == other.origin
    case .row: row == other.row
    case .originalID: originalID == other.originalID
    case .madeAt: madeAt == other.madeAt
    case .product: product == other.product
    case .originalPurchase: originalPurchase == other.originalPurchase
    case .accountToken: accountToken == other.accountToken
    case .ownership: ownership == other.ownership
    case .type: type == other.type
    case .app: app == other.app
    case .group: group == other.group
    case .appTransactionID: appTransactionID == other.appTransactionID
    case .price: price == other.price
    case .currency: currency == other.currency
    case .country: country == other.country
    case .cancellation: cancellation == other.cancellation
    case .revocationPercentage: revocationPercentage == other.revocationPercentage
    case .refundedPrice: refundedPrice == other.refundedPrice
    case .instalment:
      instalmentNumber == other.instalmentNumber && instalmentTotal == other.instalmentTotal
    }
  }

  private mutating func code<Coder: ExtractCoder>(_ part: Part, with coder: inout Coder) {
    switch part {
    case .number: coder.integer(&number)
    case .transactionID: transactionID.code(with: &coder)
    case .lineItemID: lineItemID.code(with: &coder)
    case .purchase: purchase.code(with: &coder)
    case .expires: coder.instant(&expires)
    case .flags:
      var bits = flags.rawValue
      coder.integer(&bits)
      flags = Flags(rawValue: bits)
    case .origin: coder.word(&origin)
    case .row: coder.integer(&row)
    case .originalID: originalID.code(with: &coder)
    case .madeAt: madeAt.code(with: &coder)
    case .product: coder.symbol(&product)
    case .originalPurchase: coder.instant(&originalPurchase)
    case .accountToken: coder.symbol(&accountToken)
    case .ownership: coder.word(&ownership)
    case .type: coder.word(&type)
    case .app: coder.symbol(&app)
    case .group: coder.symbol(&group)
    case .appTransactionID: appTransactionID.code(with: &coder)
    case .price: coder.optional(&price, blank: 0) { $1.integer(&$0) }
    case .currency: coder.symbol(&currency)
    case .country: coder.symbol(&country)
    case .cancellation: coder.instant(&cancellation)
    case .revocationPercentage:
      coder.optional(&revocationPercentage, blank: 0) { $1.integer(&$0) }
    case .refundedPrice: coder.optional(&refundedPrice, blank: 0) { $1.integer(&$0) }
    case .instalment:
      coder.integer(&instalmentNumber)
      coder.integer(&instalmentTotal)
    }
  }
}

extension RenewalCopy {
  /// Encodes or decodes everything except the file and the response, which the run assigns, and, unless it is of a
  /// period, its row.
  mutating func code<Coder: ExtractCoder>(with coder: inout Coder) {
    originalID.code(with: &coder)
    coder.symbol(&product)
    madeAt.code(with: &coder)
    coder.instant(&graceEnd)
    coder.instant(&newestPurchase)
    coder.instant(&newestExpiry)
    coder.flag(&isAbsent)
    coder.integer(&expirationIntent)
    coder.optional(&autoRenews, blank: false) { $1.flag(&$0) }
    coder.optional(&renewsAfterTerm, blank: false) { $1.flag(&$0) }
    coder.optional(&isInBillingRetry, blank: false) { $1.flag(&$0) }
    coder.integer(&status)
    coder.optional(&acceptsPriceIncrease, blank: false) { $1.flag(&$0) }
    coder.optional(&winBackOffers, blank: .blank) { $1.symbol(&$0) }
    coder.optional(&notifiedApp, blank: .blank) { $1.symbol(&$0) }
    coder.flag(&isOfPeriod)
    // The row shows to which period it belongs.
    if isOfPeriod { coder.integer(&row) }
  }
}

extension ReceiptID {
  /// Encodes or decodes a number as twice its value, and a text as 1 followed by its symbol.
  package mutating func code(with coder: inout some ExtractCoder) {
    var number = symbol == nil ? value << 1 : 1
    coder.number(&number)
    if number == 1 {
      var symbol = symbol ?? .blank
      coder.symbol(&symbol)
      self = ReceiptID(value: UInt64(symbol) | Self.textBit)
    } else if number & 1 == 0 {
      self = ReceiptID(value: number >> 1)
    } else {
      coder.fail()
    }
  }
}

extension Instant {
  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    var stated: Instant? = self
    coder.instant(&stated)
    self = stated ?? Instant(seconds: 0)
  }
}
