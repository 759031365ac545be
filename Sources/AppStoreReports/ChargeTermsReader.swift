import Scanning
import SubscriptionModel

/// Reads the subscription, price and offer of a SUBSCRIBER row.
struct ChargeTermsReader: DescriptionReader {
  /// The values that rows need from their description.
  struct Description: BitwiseCopyable {
    let terms: UInt32
    let isPriceNegative: Bool
    /// Whether there is an offer whose duration is blank, which only a refund may have.
    let lacksOfferTerm: Bool
    let isPayAsYouGo: Bool
  }

  private let offerNames: [Int]
  private let offerType: Int
  private let offerDuration: Int
  private let optInDuration: Int
  private let plan: BillingPlanReader
  private var attributeReader: AttributeReader
  private var offerTypes = ParsedTexts { OfferType($0) }

  /// The columns of a description.
  static let columns: [Column] =
    AttributeReader.subscriptionColumns + [
      .standardDuration, .offerName, .offerID, .offerType, .offerDuration, .optInDuration,
      .customerPrice, .customerCurrency, .developerProceeds, .proceedsCurrency, .contingentApp,
      .billingPlan, .billingPeriod,
    ]

  init(_ header: ReportHeader, _ registries: Registries) {
    offerNames = header.fields(.offerName) + header.fields(.offerID)
    offerType = header.fieldOrNone(.offerType)
    offerDuration = header.fieldOrNone(.offerDuration)
    optInDuration = header.fieldOrNone(.optInDuration)
    plan = BillingPlanReader(header)
    attributeReader = AttributeReader(header, registries)
  }

  /// Reads the description of a row, and adds its terms to the registries.
  mutating func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> Description {
    if row.content(line, attributeReader.group).isEmpty {
      throw FieldFault(
        attributeReader.group, .missingValue, expected: "the id of a subscription group")
    }
    guard let standardTerm = try term(line, row, attributeReader.duration) else {
      throw FieldFault(attributeReader.duration, .unknownDuration, expected: expectedTerm)
    }
    let offer = try offer(line, row)
    let offerTerm = try term(line, row, offerDuration)
    let optInTerm = try term(line, row, optInDuration)
    let (signedPrice, price, proceeds) = try attributeReader.money(line, row)
    var attributes = try attributeReader.attributes(line, row)
    attributes.price = attributeReader.priceSymbol(signedPrice, line, row)
    var terms = ChargeTerms(
      attributes: attributes, kind: kind(offer, price, line, row), offerMode: offer.mode,
      standardTerm: standardTerm, offerTerm: offerTerm, optInTerm: optInTerm, price: price,
      proceeds: proceeds)
    terms.isPreserved = row.isYes(line, attributeReader.preservedPricing)
    terms.isContingent = attributeReader.isContingent(line, row)
    if standardTerm == .year { (terms.statedPlan, terms.statedPosition) = plan.read(line, row) }
    let number = attributeReader.registries.number(of: terms)
    return Description(
      terms: number, isPriceNegative: signedPrice < 0,
      lacksOfferTerm: offerTerm == nil && offer.mode != .none,
      isPayAsYouGo: offer.mode == .payAsYouGo)
  }

  /// Returns the fault of a charge with an offer whose duration is blank.
  func missingTerm(_ description: Description) -> FieldFault {
    FieldFault(
      offerDuration, description.isPayAsYouGo ? .missingOfferDuration : .unknownDuration,
      expected: expectedTerm)
  }

  /// Reads a duration; `nil` if the field is blank.
  private mutating func term(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter, _ field: Int
  ) throws(FieldFault) -> Term? {
    let range = row.content(line, field)
    if range.isEmpty { return nil }
    guard let term = attributeReader.term(line, range) else {
      throw FieldFault(field, .unknownDuration, expected: expectedTerm)
    }
    return term
  }

  private mutating func offer(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) throws(FieldFault) -> OfferType {
    guard let offer = offerTypes.parsed(line, row.content(line, offerType)) else {
      throw FieldFault(
        offerType, .unknownOfferType, expected: "Free Trial, Pay Up Front or Pay As You Go")
    }
    return offer
  }

  /// Returns the kind of a charge (METRICS.md section 1, "kind of a charge").
  private func kind(
    _ offer: OfferType, _ price: Amount, _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) -> ChargeKind {
    var hasOfferName = false
    for field in offerNames where !row.content(line, field).isEmpty { hasOfferName = true }
    if hasOfferName || offer.isNamedOffer { return .offer }
    if offer.mode == .none { return .standard }
    return price.milliunits > 0 ? .intro : .trial
  }
}

/// An offer type, such as `Free Trial` or `Pay as you go`.
struct OfferType: Equatable {
  /// How the offer is paid.
  let mode: OfferMode
  /// Whether the text names a promotional offer, an offer code or a win-back offer.
  let isNamedOffer: Bool

  /// Creates a type from a field, or returns `nil` if the text has no mode of payment.
  ///
  /// Other words must be common in offer names, as in `Pay Up Front Intro Offer`; otherwise the
  /// result is `nil`.
  ///
  /// - Parameter text: The field; blank for no offer.
  init?(_ text: String) {
    let words =
      text.isEmpty ? [] : text.lowercased().split { $0 == " " || $0 == "-" }.map(String.init)
    guard !words.isEmpty else {
      mode = .none
      isNamedOffer = false
      return
    }
    let modes: [([String], OfferMode)] = [
      (["free", "trial"], .freeTrial), (["pay", "up", "front"], .payUpFront),
      (["pay", "as", "you", "go"], .payAsYouGo),
    ]
    for (phrase, mode) in modes {
      guard let range = words.firstRange(of: phrase) else { continue }
      let rest = words[..<range.lowerBound] + words[range.upperBound...]
      guard rest.allSatisfy(Self.offerWords.contains) else { return nil }
      self.mode = mode
      isNamedOffer = rest.contains { ["promotional", "code", "win", "winback"].contains($0) }
      return
    }
    return nil
  }

  private static let offerWords: Set<String> = [
    "intro", "introductory", "price", "promotional", "offer", "code", "win", "back", "winback",
  ]
}

/// Reads the billing plan and the instalment of a row (METRICS.md 10.1, FORMATS.md 2.8).
struct BillingPlanReader {
  private let plans: [Int]
  private let period: Int

  init(_ header: ReportHeader) {
    plans = header.fields(.billingPlan)
    period = header.fieldOrNone(.billingPeriod)
  }

  /// Reads the plan of a row.
  ///
  /// Example: `Monthly` and `5th` are the fifth instalment of a commitment. Blank fields are ignored.
  ///
  /// - Returns: The plan and the number of the instalment; `nil` and 0 if the row does not have
  ///   them.
  func read(
    _ line: Span<UInt8>, _ row: borrowing RowSplitter
  ) -> (plan: BillingPlan?, position: UInt8) {
    if let position = position(text(line, row.content(line, period))) {
      return (.commitment, position)
    }
    for field in plans where !row.content(line, field).isEmpty {
      let word = text(line, row.content(line, field)).lowercased()
      return (Self.monthlyWords.contains(word) ? .commitment : .upfront, 0)
    }
    return (nil, 0)
  }

  private static let monthlyWords: Set<String> = ["monthly", "month", "1 month"]

  /// Returns the number of an instalment, from `1st` to `12th` or `1` to `12`; `nil` for other
  /// text.
  private func position(_ text: String) -> UInt8? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text.dropFirst(digits.count).lowercased()
    guard let number = UInt8(digits), (1...12).contains(number),
      ["", "st", "nd", "rd", "th"].contains(rest)
    else { return nil }
    return number
  }
}
