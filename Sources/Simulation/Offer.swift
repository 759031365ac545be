/// The terms of a charge: the standard price or one of Apple's offers.
struct Offer {
  enum Family {
    case standard, introductory, promotional, offerCode, winBack
  }

  enum Payment {
    case standard, freeTrial, payUpFront, payAsYouGo
  }

  let family: Family
  let payment: Payment
  let term: Term
  let name: String
  let id: String
  /// The price of one charge, per cent of the standard price.
  let percent: Int
  /// The number of charges.
  let charges: Int
  /// The indexes of the products that the offer is for.
  let products: Set<Int>

  init(
    _ family: Family, _ payment: Payment, _ term: Term, name: String = "", id: String = "",
    percent: Int = 0, charges: Int = 1, products: Set<Int>
  ) {
    self.family = family
    self.payment = payment
    self.term = term
    self.name = name
    self.id = id
    self.percent = percent
    self.charges = charges
    self.products = products
  }

  static let standard = 0

  /// All offers; ``standard`` is the first.
  static let all = [
    Offer(.standard, .standard, .month, percent: 100, products: Set(0...7)),
    Offer(.introductory, .freeTrial, .threeDays, products: [0]),
    Offer(.introductory, .freeTrial, .week, products: [1, 2, 4, 6]),
    Offer(.introductory, .freeTrial, .month, products: [3, 5, 7]),
    Offer(.introductory, .payAsYouGo, .twoWeeks, percent: 50, charges: 2, products: [0]),
    Offer(.introductory, .payAsYouGo, .quarter, percent: 50, charges: 3, products: [1, 4]),
    Offer(.introductory, .payUpFront, .quarter, percent: 200, products: [1, 6]),
    Offer(
      .promotional, .freeTrial, .month, name: "Loyal reader month", id: "loyal.month",
      products: [1, 4, 6]),
    Offer(
      .promotional, .payUpFront, .year, name: "Autumn, one year", id: "autumn.year", percent: 60,
      products: [3, 5, 7]),
    Offer(
      .promotional, .payAsYouGo, .quarter, name: "Stay with us", id: "stay.three", percent: 70,
      charges: 3, products: [1, 4]),
    Offer(.offerCode, .freeTrial, .month, name: "Press code", products: [1, 2, 6]),
    Offer(
      .offerCode, .payUpFront, .quarter, name: "Partner code", percent: 180, products: [1, 4]),
    Offer(
      .winBack, .payAsYouGo, .quarter, name: "Welcome back", id: "winback.three", percent: 50,
      charges: 3, products: [1, 4, 6]),
    Offer(
      .winBack, .freeTrial, .week, name: "Welcome back week", id: "winback.week",
      products: [0, 1, 2]),
  ]

  /// Returns the indexes of a product's offers of one family.
  static func indexes(of family: Family, product: Int) -> [Int] {
    all.indices.filter { all[$0].family == family && all[$0].products.contains(product) }
  }

  /// Whether it is a free introductory offer.
  var isTrial: Bool { family == .introductory && payment == .freeTrial }

  /// The text in the columns Subscription Offer Type and Order Type.
  var typeText: String {
    switch payment {
    case .standard: ""
    case .freeTrial: "Free Trial"
    case .payUpFront: "Pay up front"
    case .payAsYouGo: "Pay as you go"
    }
  }

  /// The text in the column Subscription Offer Duration.
  var termText: String { family == .standard ? "" : term.text }

  /// The words for the offer in event names.
  var eventWords: String {
    switch family {
    case .standard: "Paid Subscription"
    case .introductory: "Introductory Offer"
    case .promotional: "Promotional Offer"
    case .offerCode: "Offer Code"
    case .winBack: "Win-Back Offer"
    }
  }

  /// The text in a sales report's Order Type.
  var orderType: String {
    switch (family, payment) {
    case (.introductory, .payAsYouGo): "Pay As You Go Intro Offer"
    case (.introductory, .payUpFront): "Pay Up Front Intro Offer"
    default: id.isEmpty ? " " : id
    }
  }

  /// Returns the day after a charge's period.
  func end(of product: Product, from day: Int, on timeline: Timeline) -> Int {
    switch payment {
    case .standard, .payAsYouGo: timeline.end(of: product.term, from: day)
    case .freeTrial, .payUpFront: timeline.end(of: term, from: day)
    }
  }
}
