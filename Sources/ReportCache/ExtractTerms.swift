import AppStoreReports
import Storage
package import SubscriptionModel
import UserTables

/// Snapshots have no terms beyond the attributes that views group by.
extension Attributes: ExtractTerms {
  static let blank = Attributes()

  mutating func code(with coder: inout some ExtractCoder) {
    coder.symbol(&app)
    coder.symbol(&appName)
    coder.symbol(&group)
    coder.symbol(&product)
    coder.symbol(&productName)
    coder.symbol(&duration)
    coder.symbol(&country)
    coder.symbol(&device)
    coder.symbol(&client)
    coder.symbol(&price)
    coder.symbol(&proceedsRate)
    coder.symbol(&preserved)
    coder.symbol(&contingent)
  }

  static func all(in registries: Registries) -> [Attributes] { registries.snapshotTerms }

  func number(in registries: Registries) -> UInt32 { registries.number(of: self) }
}

extension Amount {
  fileprivate static let blank = Amount(milliunits: 0, currency: .blank)

  fileprivate mutating func code(with coder: inout some ExtractCoder) {
    coder.integer(&milliunits)
    coder.symbol(&currency)
  }
}

extension ChargeTerms: ExtractTerms {
  static let blank = ChargeTerms(
    attributes: Attributes(), kind: .standard, offerMode: .none, standardTerm: Term(days: 0),
    offerTerm: nil, optInTerm: nil, price: .blank, proceeds: .blank)

  mutating func code(with coder: inout some ExtractCoder) {
    attributes.code(with: &coder)
    coder.word(&kind)
    coder.word(&offerMode)
    standardTerm.code(with: &coder)
    coder.optional(&offerTerm, blank: Term(days: 0)) { $0.code(with: &$1) }
    coder.optional(&optInTerm, blank: Term(days: 0)) { $0.code(with: &$1) }
    price.code(with: &coder)
    proceeds.code(with: &coder)
    coder.flag(&isPreserved)
    coder.flag(&isContingent)
    coder.optional(&statedPlan, blank: .upfront) { $1.word(&$0) }
    coder.integer(&statedPosition)
  }

  static func all(in registries: Registries) -> [ChargeTerms] { registries.chargeTerms }

  func number(in registries: Registries) -> UInt32 { registries.number(of: self) }
}

extension EventTerms: ExtractTerms {
  static let blank = EventTerms(attributes: Attributes(), eventClass: .unknown, name: .blank)

  mutating func code(with coder: inout some ExtractCoder) {
    attributes.code(with: &coder)
    coder.word(&eventClass)
    coder.symbol(&name)
    coder.flag(&isDowngrade)
    coder.flag(&isPlainRenewal)
    coder.flag(&isFromRetryOrGrace)
    coder.word(&reason)
    coder.symbol(&previousProduct)
    coder.symbol(&previousProductName)
  }

  static func all(in registries: Registries) -> [EventTerms] { registries.eventTerms }

  func number(in registries: Registries) -> UInt32 { registries.number(of: self) }
}

extension SalesTerms: ExtractTerms {
  static let blank = SalesTerms(
    attributes: Attributes(), price: .blank, isPriceNegative: false, proceeds: .blank)

  mutating func code(with coder: inout some ExtractCoder) {
    attributes.code(with: &coder)
    price.code(with: &coder)
    coder.flag(&isPriceNegative)
    proceeds.code(with: &coder)
    coder.flag(&isBundleCredit)
    coder.flag(&isStandard)
    coder.flag(&isPreserved)
    coder.flag(&isContingent)
    coder.word(&purchase)
    coder.optional(&standardTerm, blank: Term(days: 0)) { $0.code(with: &$1) }
    coder.symbol(&productID)
  }

  static func all(in registries: Registries) -> [SalesTerms] { registries.salesTerms }

  func number(in registries: Registries) -> UInt32 { registries.number(of: self) }
}
