/// The apps, products, storefronts and surfaces of the simulated world.
enum Catalog {
  static let vendor = "80012345"
  static let currencies = ["USD", "GBP", "EUR", "JPY", "CAD", "AUD", "BRL"]

  static let apps = [
    App(
      name: "Larkspur Weekly", appleID: 1_450_000_101, sku: "com.example.larkspur",
      groupID: 20_450_101),
    App(
      name: "Larkspur Kids", appleID: 1_450_000_202, sku: "com.example.larkspur.kids",
      groupID: 20_450_202),
  ]

  static let products = [
    Product(
      name: "Plus Weekly", appleID: 1_460_000_001, sku: "com.example.larkspur.plus.week", app: 0,
      level: 2, term: .week, weight: 22, prices: [199, 179, 229, 30_000, 279, 299, 990]),
    Product(
      name: "Plus Monthly", appleID: 1_460_000_002, sku: "com.example.larkspur.plus.month", app: 0,
      level: 2, term: .month, weight: 36, prices: [599, 499, 599, 98_000, 799, 849, 2_490],
      earlierPrices: [499, 399, 499, 78_000, 599, 649, 1_990], preservesPrice: true),
    Product(
      name: "Plus Quarterly", appleID: 1_460_000_003, sku: "com.example.larkspur.plus.quarter",
      app: 0, level: 2, term: .quarter, weight: 7,
      prices: [1_499, 1_299, 1_599, 250_000, 1_999, 2_199, 6_490]),
    Product(
      name: "Plus Yearly", appleID: 1_460_000_004, sku: "com.example.larkspur.plus.year", app: 0,
      level: 2, term: .year, weight: 8,
      prices: [4_999, 4_499, 4_999, 780_000, 6_499, 6_999, 19_990]),
    Product(
      name: "Pro Monthly", appleID: 1_460_000_005, sku: "com.example.larkspur.pro.month", app: 0,
      level: 1, term: .month, weight: 14,
      prices: [1_199, 999, 1_199, 180_000, 1_599, 1_699, 4_990],
      earlierPrices: [999, 899, 999, 150_000, 1_299, 1_399, 3_990]),
    Product(
      name: "Pro Yearly, all titles", appleID: 1_460_000_006, sku: "com.example.larkspur.pro.year",
      app: 0, level: 1, term: .year, weight: 4,
      prices: [8_999, 7_999, 8_999, 1_380_000, 11_999, 12_999, 37_990]),
    Product(
      name: "Kids Monthly", appleID: 1_460_000_007, sku: "com.example.larkspur.kids.month", app: 1,
      level: 1, term: .month, weight: 11, prices: [399, 349, 449, 60_000, 549, 599, 1_690]),
    Product(
      name: "Kids Yearly", appleID: 1_460_000_008, sku: "com.example.larkspur.kids.year", app: 1,
      level: 1, term: .year, weight: 3,
      prices: [3_499, 2_999, 3_799, 500_000, 4_599, 4_999, 13_990]),
  ]

  static let storefronts = [
    Storefront("US", "USA", 143_441, currency: 0, tax: 0, weight: 40, [" ", "CA", "NY", "AAO"]),
    Storefront("GB", "GBR", 143_444, currency: 1, tax: 200, weight: 12, [" ", " ", "London", " "]),
    Storefront("DE", "DEU", 143_443, currency: 2, tax: 190, weight: 12, [" ", "BY", " ", " "]),
    Storefront("FR", "FRA", 143_442, currency: 2, tax: 200, weight: 8, [" ", " ", " ", " "]),
    Storefront("JP", "JPN", 143_462, currency: 3, tax: 100, weight: 9, [" ", "東京都", "大阪府", " "]),
    Storefront("UA", "UKR", 143_492, currency: 0, tax: 200, weight: 4, [" ", "Київ", " ", " "]),
    Storefront("CA", "CAN", 143_455, currency: 4, tax: 0, weight: 6, [" ", "ON", "QC", " "]),
    Storefront("AU", "AUS", 143_460, currency: 5, tax: 100, weight: 5, [" ", "NSW", " ", " "]),
    Storefront(
      "BR", "BRA", 143_503, currency: 6, tax: 120, weight: 4, [" ", "São Paulo", "RJ", " "]),
  ]

  static let surfaces = [
    Surface(device: "iPhone", client: " ", platform: "iOS", weight: 660),
    Surface(device: "iPad", client: " ", platform: "iOS", weight: 180),
    Surface(device: "Desktop", client: " ", platform: "macOS", weight: 110),
    Surface(device: "Apple TV", client: " ", platform: "tvOS", weight: 35),
    Surface(device: "iPhone", client: "News", platform: "iOS", weight: 15),
  ]

  /// Returns the indexes of the products in one group with a product.
  static func group(of product: Int) -> [Int] {
    products.indices.filter { products[$0].app == products[product].app }
  }

  /// Returns whether prices in a currency, given by its index, have hundredths.
  static func hasDecimals(currency: Int) -> Bool {
    currencies[currency] != "JPY"
  }

  /// Returns the smallest amount of a currency, given by its index, in hundredths.
  static func coin(of currency: Int) -> Int {
    hasDecimals(currency: currency) ? 1 : 100
  }

  /// Returns whether the proceeds' currency is padded with spaces, as in some of Apple's rows: those of Apple TV.
  static func padsCurrency(surface: Int) -> Bool {
    surface == 3
  }
}

/// An app and its subscription group.
struct App {
  let name: String
  let appleID: Int
  let sku: String
  let groupID: Int
}

/// An auto-renewable subscription on sale.
struct Product {
  let name: String
  let appleID: Int
  let sku: String
  /// The index of the app, which has one subscription group.
  let app: Int
  /// The level of service in the group: 1 is the highest.
  let level: Int
  let term: Term
  /// The share of new subscribers, relative to the sum of all products' weights.
  let weight: Int
  /// The price in hundredths, one for each of ``Catalog/currencies``.
  let prices: [Int]
  /// The price before a rise, if there was one.
  var earlierPrices: [Int]?
  /// Whether subscribers who paid the earlier price keep it.
  var preservesPrice = false

  /// The length of the grace period in days, where the app has one.
  var graceDays: Int { term.text == Term.week.text ? 6 : 16 }
}

/// The duration of a period or an offer.
struct Term {
  /// The text in Apple's reports, such as `3 Months`.
  let text: String
  let months: Int
  let days: Int

  /// The ISO 8601 duration in receipts, such as `P3M`.
  var isoText: String {
    months == 0 ? "P\(days)D" : months == 12 ? "P1Y" : "P\(months)M"
  }

  static let threeDays = Term(text: "3 Days", months: 0, days: 3)
  static let week = Term(text: "7 Days", months: 0, days: 7)
  static let twoWeeks = Term(text: "2 Weeks", months: 0, days: 14)
  static let month = Term(text: "1 Month", months: 1, days: 0)
  static let quarter = Term(text: "3 Months", months: 3, days: 0)
  static let year = Term(text: "1 Year", months: 12, days: 0)
}

/// A country's store.
struct Storefront {
  let code: String
  /// The code in receipts.
  let alpha3: String
  /// The number of the store in receipts.
  let storeID: Int
  /// The index of the currency in ``Catalog/currencies``; not always the country's own currency.
  let currency: Int
  /// The tax included in the price, per mille of the price without it.
  let taxPerMille: Int
  let weight: Int
  /// States in the address of the Apple Account; Apple does not validate them, so one is blank and one odd.
  let states: [String]

  init(
    _ code: String, _ alpha3: String, _ storeID: Int, currency: Int, tax: Int, weight: Int,
    _ states: [String]
  ) {
    (self.code, self.alpha3, self.storeID, self.currency) = (code, alpha3, storeID, currency)
    (taxPerMille, self.weight, self.states) = (tax, weight, states)
  }
}

/// The place of a purchase: the device and the client app.
struct Surface {
  let device: String
  let client: String
  let platform: String
  let weight: Int
}
