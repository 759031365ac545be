/// The terms of a charge: the standard price or one of Apple's offers.
struct Offer {
  /// The raw value is Apple's number of the offer type in signed transactions.
  enum Family: Int {
    case standard, introductory, promotional, offerCode, winBack

    /// The words in event names.
    var eventWords: String {
      switch self {
      case .standard: "Paid Subscription"
      case .introductory: "Introductory Offer"
      case .promotional: "Promotional Offer"
      case .offerCode: "Offer Code"
      case .winBack: "Win-Back Offer"
      }
    }
  }

  /// The raw value is the text in the column Subscription Offer Type.
  enum Payment: String {
    case standard = ""
    case freeTrial = "Free Trial"
    case payUpFront = "Pay up front"
    case payAsYouGo = "Pay as you go"
  }

  let family: Family
  let payment: Payment
  /// The duration of the offer; for the standard price, the product's term counts instead.
  let term: Term
  /// The column Subscription Offer Name.
  var name = ""
  /// The column Promotional Offer ID.
  var id = ""
  /// The price of one charge, per cent of the standard price.
  var percent = 0
  var charges = 1
  /// The indexes of the products that the offer is for.
  let products: Set<Int>

  static let standard = 0

  /// All offers; ``standard`` is the first.
  static let all = [
    Offer(family: .standard, payment: .standard, term: .month, percent: 100, products: Set(0...7)),
    Offer(family: .introductory, payment: .freeTrial, term: .threeDays, products: [0]),
    Offer(family: .introductory, payment: .freeTrial, term: .week, products: [1, 2, 4, 6]),
    Offer(family: .introductory, payment: .freeTrial, term: .month, products: [3, 5, 7]),
    Offer(
      family: .introductory, payment: .payAsYouGo, term: .twoWeeks, percent: 50, charges: 2,
      products: [0]),
    Offer(
      family: .introductory, payment: .payAsYouGo, term: .quarter, percent: 50, charges: 3,
      products: [1, 4]),
    Offer(
      family: .introductory, payment: .payUpFront, term: .quarter, percent: 200, products: [1, 6]),
    Offer(
      family: .promotional, payment: .freeTrial, term: .month, name: "Loyal reader month",
      id: "loyal.month", products: [1, 4, 6]),
    Offer(
      family: .promotional, payment: .payUpFront, term: .year, name: "Autumn, one year",
      id: "autumn.year", percent: 60, products: [3, 5, 7]),
    Offer(
      family: .promotional, payment: .payAsYouGo, term: .quarter, name: "Stay with us",
      id: "stay.three", percent: 70, charges: 3, products: [1, 4]),
    Offer(
      family: .offerCode, payment: .freeTrial, term: .month, name: "Press code",
      products: [1, 2, 6]),
    Offer(
      family: .offerCode, payment: .payUpFront, term: .quarter, name: "Partner code", percent: 180,
      products: [1, 4]),
    Offer(
      family: .winBack, payment: .payAsYouGo, term: .quarter, name: "Welcome back",
      id: "winback.three", percent: 50, charges: 3, products: [1, 4, 6]),
    Offer(
      family: .winBack, payment: .freeTrial, term: .week, name: "Welcome back week",
      id: "winback.week", products: [0, 1, 2]),
  ]

  /// Returns the indexes of a product's offers of one family.
  static func indexes(of family: Family, product: Int) -> [Int] {
    all.indices.filter { all[$0].family == family && all[$0].products.contains(product) }
  }

  var isTrial: Bool { family == .introductory && payment == .freeTrial }

  /// The text in the column Subscription Offer Duration.
  var termText: String { family == .standard ? "" : term.text }

  /// The text in a sales report's Order Type.
  var orderType: String {
    switch (family, payment) {
    case (.introductory, .payAsYouGo): "Pay As You Go Intro Offer"
    case (.introductory, .payUpFront): "Pay Up Front Intro Offer"
    default: id.isEmpty ? " " : id
    }
  }

  /// Returns the duration of a charge's period.
  func term(of product: Product) -> Term {
    switch payment {
    case .standard, .payAsYouGo: product.term
    case .freeTrial, .payUpFront: term
    }
  }
}
