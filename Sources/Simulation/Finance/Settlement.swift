/// Decides when, where and at what share units are settled.
///
/// A product in one storefront and period either loses sales or has sales settled at the other rate, never
/// both: reports aggregate, so counting could not separate the two.
struct Settlement {
  /// When and at what share a unit is settled.
  struct Outcome {
    /// Days from the sale to the settlement.
    let lag: Int
    /// The developer's share, in hundredths.
    let share: Int
    /// The index of the share's currency in ``Catalog/currencies``.
    let currency: Int
  }

  /// The irregularity of a product in a storefront and period, besides the lag.
  private enum Irregularity {
    case none, losesSales, changesRate
  }

  private let seed: UInt64
  private let prices: PriceBook
  /// The chances of each of ``lags``, per mille, by storefront.
  private let weights: [[Int]]
  /// The index of the storefront whose sales are settled in dollars: Brazil in one world of three, otherwise nil.
  private let converted: Int?
  private var random: SeededRandom

  private static let lags = [0, 1, 2, 3, 4, 9, 20]
  /// The longest lag in days.
  static let longestLag = 20

  /// The exchange rate of ``converted``, in dollars for 1,000 of its currency.
  private static let dollarsPerThousand = 190

  /// The least share at which a changed rate is visible despite rounding, in the currency's smallest amount.
  private static let leastCoins = 300

  init(options: WorldOptions, prices: PriceBook) {
    seed = options.seed
    self.prices = prices
    random = SeededRandom(seed: options.seed, stream: 31)
    // Similar to a real file, with a different share of same-day settlements for each storefront.
    var ofWorld = SeededRandom(seed: options.seed, stream: 32)
    weights = Catalog.storefronts.map { _ in
      let sameDay = 200 + ofWorld.below(401)
      return [sameDay, 930 - sameDay, 14, 14, 14, 22, 6]
    }
    converted = ofWorld.below(3) == 0 ? Catalog.storefronts.firstIndex { $0.code == "BR" } : nil
  }

  /// Decides how a sold or refunded unit is settled; nil for a sale that is never collected.
  ///
  /// `period` is the index of the fiscal period of the sale.
  mutating func outcome(of transaction: Transaction, in period: Int) -> Outcome? {
    let terms = transaction.terms
    let lag = lag(Int(terms.storefront))
    let (share, currency) = (transaction.amounts.proceeds, transaction.amounts.currency)
    if Int(terms.storefront) == converted {
      return Outcome(lag: lag, share: max(1, share * Self.dollarsPerThousand / 1_000), currency: 0)
    }
    let usual = Outcome(lag: lag, share: share, currency: currency)
    guard transaction.kind == .charge else { return usual }
    switch irregularity(terms, in: period) {
    case .losesSales where random.chance(40): return nil
    case .changesRate where random.chance(250) && isVisible(transaction.amounts):
      var other = terms
      other.isAfterOneYear.toggle()
      return Outcome(lag: lag, share: prices.amounts(other).proceeds, currency: currency)
    default: return usual
    }
  }

  /// Draws the number of days from sale to settlement.
  mutating func lag(_ storefront: Int) -> Int {
    Self.lags[random.pick(weights[storefront])]
  }

  private func irregularity(_ terms: ChargeTerms, in period: Int) -> Irregularity {
    let key = period * 1_000 + PriceBook.key(terms)
    // A generator of its own makes the irregularity the same for every unit with this key.
    var random = SeededRandom(seed: seed, stream: 33 << 32 + UInt64(key))
    switch random.below(100) {
    case ..<35: return .losesSales
    case ..<60: return .changesRate
    default: return .none
    }
  }

  private func isVisible(_ amounts: Amounts) -> Bool {
    amounts.proceeds >= Self.leastCoins * Catalog.coin(of: amounts.currency)
  }
}

/// The properties of equal units of a settlement: product, storefront and price, the days of the sale and of the
/// settlement.
struct SettledRow: Hashable {
  /// The product, storefront, price and share of a unit, and whether it is a refund.
  struct Item: Hashable {
    /// The index in ``SettledProduct/all``.
    var product: Int32
    /// The index in ``Catalog/storefronts``.
    var storefront: Int32
    /// The customer price of one unit, in hundredths.
    var price: Int32
    /// The developer's share of one unit, in hundredths of ``currency``.
    var share: Int32
    /// The index in ``Catalog/currencies`` of the currency that Apple settles in.
    var currency: Int8
    var isReturn: Bool

    /// The index of the customer's currency.
    var customerCurrency: Int { Catalog.storefronts[Int(storefront)].currency }

    /// The index of the region in ``FinanceRegion/all``: the rest of the world if it is settled in another currency
    /// than the customer's.
    var region: Int {
      Int(currency) == customerCurrency
        ? FinanceRegion.ofStorefront[Int(storefront)] : FinanceRegion.restOfWorld
    }

    /// The customer price of one unit with the files' sign: negative for returns.
    var signedPrice: Int { isReturn ? -Int(price) : Int(price) }

    var country: String { Catalog.storefronts[Int(storefront)].code }
    var customerCurrencyCode: String { Catalog.currencies[customerCurrency] }

    /// Returns the columns Partner Share, Extended Partner Share and Partner Share Currency.
    func shareText(units: Int) -> String {
      let code = Catalog.currencies[Int(currency)]
      return "\(hundredths: Int(share))\t\(hundredths: units * Int(share))\t\(code)"
    }
  }

  /// The day of the sale, or of the refund, on the ``Timeline``.
  var soldDay: Int32
  var settledDay: Int32
  var item: Item
}

extension SettledRow: Comparable {
  static func < (left: SettledRow, right: SettledRow) -> Bool {
    (left.settledDay, left.soldDay, left.item) < (right.settledDay, right.soldDay, right.item)
  }
}

extension SettledRow.Item: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    left.order < right.order
  }

  private var order: (Int32, Int32, Int, Int32, Int32) {
    (product, storefront, isReturn ? 1 : 0, price, share)
  }
}

/// The columns of finance files that describe a product.
struct SettledProduct {
  let appleID: Int
  let sku: String
  let title: String
  let type: String

  /// The subscriptions in the order of ``Catalog/products``, then the ``Downloads/Edition``.
  static let all =
    Catalog.products.map {
      SettledProduct(appleID: $0.appleID, sku: $0.sku, title: $0.name, type: "IAY")
    } + [
      SettledProduct(
        appleID: Downloads.Edition.appleID, sku: Downloads.Edition.sku,
        title: Downloads.Edition.title, type: "IA1")
    ]
}
