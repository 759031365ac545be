import Scanning
import SubscriptionModel

extension ObjectFields {
  /// Adds a cell of a table.
  ///
  /// - Parameters:
  ///   - field: The field of the cell's column.
  ///   - text: The bytes that hold the cell.
  ///   - range: Where it is, without blanks around it; not empty.
  ///   - symbols: Numbers the texts that are kept.
  /// - Returns: The fault of the cell, or nil if it has none.
  mutating func add(
    _ field: ReceiptColumns.Field, _ text: Span<UInt8>, _ range: Range<Int>,
    _ symbols: inout LocalSymbols
  ) -> (code: Reject.Code, expected: String)? {
    switch field {
    case .isTrial, .isIntroductory, .isUpgraded, .isSandbox, .autoRenewStatus, .isInBillingRetry:
      return addFlag(field, text, range)
    case .price: return addPrice(text, range)
    case .purchaseDate:
      marks.insert(.purchaseDate)
      purchase.add(cell: text, range)
    case .originalPurchaseDate: originalPurchase.add(cell: text, range)
    case .expiresDate: expires.add(cell: text, range)
    case .cancellationDate: cancellation.add(cell: text, range)
    case .recordDate: requested.add(cell: text, range)
    case .graceEnd: graceEnd.add(cell: text, range)
    case .offer: if !ScalarText.isMissingID(text, range) { flags.insert(.offer) }
    case .receipt, .store: break
    default:
      if let key = field.key {
        add(key, JSONScalar(kind: .string, range: range), text, &symbols)
      }
    }
    return nil
  }

  private mutating func addPrice(
    _ text: Span<UInt8>, _ range: Range<Int>
  ) -> (code: Reject.Code, expected: String)? {
    let expected = "a decimal such as 9.99"
    switch ByteNumber.milliunits(text, range) {
    case .value(let milliunits):
      price = Int(milliunits)
      return nil
    case .notADecimal: return (.notADecimal, expected)
    case .tooManyDecimals: return (.tooManyDecimals, expected)
    case .outOfRange: return (.amountOutOfRange, expected)
    }
  }

  /// Adds a cell that is true or false; a word for a missing value is false.
  private mutating func addFlag(
    _ field: ReceiptColumns.Field, _ text: Span<UInt8>, _ range: Range<Int>
  ) -> (code: Reject.Code, expected: String)? {
    let isMissing = ScalarText.isMissingID(text, range)
    guard let isTrue = isMissing ? false : ScalarText.flag(text, range) else {
      return (.notABoolean, "true or false")
    }
    switch field {
    case .isTrial: if isTrue { flags.insert(.trial) }
    case .isIntroductory: if isTrue { flags.insert(.intro) }
    case .isUpgraded: if isTrue { flags.insert(.upgraded) }
    case .isSandbox:
      hasEnvironment = true
      if isTrue { isNonProduction = true }
    case .autoRenewStatus:
      marks.insert(.autoRenewStatus)
      autoRenews = isTrue
    default: isInBillingRetry = isTrue
    }
    return nil
  }
}

extension ReceiptColumns.Field {
  /// The JSON key whose values are read in the same way.
  fileprivate var key: ReceiptKey? {
    switch self {
    case .transactionID: .transactionID
    case .originalTransactionID: .originalID
    case .lineItemID: .lineItemID
    case .appTransactionID: .appTransactionID
    case .accountToken: .accountToken
    case .app: .bundleID
    case .product: .productID
    case .group: .group
    case .ownership: .ownership
    case .type: .type
    case .priceMilliunits: .price
    case .currency: .currency
    case .country: .storefront
    case .environment: .environment
    case .expirationIntent: .expirationIntent
    default: nil
    }
  }
}
