package import AppStoreReports
import Pipeline
package import Storage
package import SubscriptionModel

/// Writes a cache entry, or reads one.
///
/// The run's numbers for symbols and terms become the entry's own. The first use of a number is followed by the
/// symbol or terms that it stands for.
package protocol ExtractCoder: ValueCoder {
  /// Encodes or decodes a text in place, without a symbol.
  mutating func text(_ value: inout String)

  /// Encodes or decodes subscriber keys, eight bytes each, after the texts of those that are not plain numbers.
  mutating func subscribers(_ keys: inout [UInt64])

  /// Encodes or decodes numbers as they are in memory, which is fast for many of them.
  mutating func column<Number: FixedWidthInteger & BitwiseCopyable>(_ numbers: inout [Number])

  /// Encodes or decodes the number of a row's terms.
  mutating func terms<Terms: ExtractTerms>(_ value: inout UInt32, of kind: Terms.Type)
}

/// Terms that an extract's rows refer to by number.
package protocol ExtractTerms {
  /// An empty value to decode into.
  static var blank: Self { get }

  /// Encodes or decodes all fields.
  mutating func code(with coder: inout some ExtractCoder)

  /// Returns the run's terms by number.
  static func all(in registries: Registries) -> [Self]

  /// Returns the run's number of the terms.
  func number(in registries: Registries) -> UInt32
}

/// Names of charges have no terms beyond the attributes that views group by.
extension Attributes: ExtractTerms {
  package static let blank = Attributes()

  package mutating func code(with coder: inout some ExtractCoder) {
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

  package static func all(in registries: Registries) -> [Attributes] {
    registries.snapshotTerms.map(\.attributes)
  }

  package func number(in registries: Registries) -> UInt32 {
    registries.number(of: SnapshotTerms(attributes: self))
  }
}

extension SnapshotTerms: ExtractTerms {
  package static let blank = SnapshotTerms(attributes: Attributes())

  package mutating func code(with coder: inout some ExtractCoder) {
    attributes.code(with: &coder)
    var (own, isKnown) = (money ?? (.blank, .blank), money != nil)
    coder.flag(&isKnown)
    own.price.code(with: &coder)
    own.proceeds.code(with: &coder)
    standardTerm.code(with: &coder)
    self = SnapshotTerms(
      attributes: attributes, price: isKnown ? own.price : nil,
      proceeds: isKnown ? own.proceeds : nil, standardTerm: isKnown ? standardTerm : nil)
  }

  package static func all(in registries: Registries) -> [SnapshotTerms] {
    registries.snapshotTerms
  }

  package func number(in registries: Registries) -> UInt32 { registries.number(of: self) }
}

extension ChargeTerms: ExtractTerms {
  package static let blank = ChargeTerms(
    attributes: Attributes(), kind: .standard, offerMode: .none, standardTerm: Term(days: 0),
    offerTerm: nil, optInTerm: nil, price: .blank, proceeds: .blank)

  package mutating func code(with coder: inout some ExtractCoder) {
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

  package static func all(in registries: Registries) -> [ChargeTerms] { registries.chargeTerms }

  package func number(in registries: Registries) -> UInt32 { registries.number(of: self) }
}

extension EventTerms: ExtractTerms {
  package static let blank = EventTerms(
    attributes: Attributes(), eventClass: .unknown, name: .blank)

  package mutating func code(with coder: inout some ExtractCoder) {
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

  package static func all(in registries: Registries) -> [EventTerms] { registries.eventTerms }

  package func number(in registries: Registries) -> UInt32 { registries.number(of: self) }
}

extension SalesTerms: ExtractTerms {
  package static let blank = SalesTerms(
    attributes: Attributes(), price: .blank, isPriceNegative: false, proceeds: .blank)

  package mutating func code(with coder: inout some ExtractCoder) {
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

  package static func all(in registries: Registries) -> [SalesTerms] { registries.salesTerms }

  package func number(in registries: Registries) -> UInt32 { registries.number(of: self) }
}
