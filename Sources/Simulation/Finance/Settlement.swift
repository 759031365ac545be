/// Decides what becomes of units on their way from the sale to the settlement.
///
/// Reports aggregate, so that nobody can tell a sale that was never collected from one that was
/// settled at the other rate once both happen to the same product, store and period: at most one of
/// them does.
struct Settlement {
  /// When and at what share a unit is settled.
  struct Fate {
    /// In days.
    let lag: Int
    /// In hundredths.
    let share: Int
    /// The index of the share's currency in ``Catalog/currencies``.
    let currency: Int
  }

  /// What happens to a product in a store in a period, besides taking time.
  private enum Habit {
    case none, losesSales, changesRate
  }

  private let seed: UInt64
  private let prices: PriceBook
  /// The chances of ``lags`` by storefront, per mille.
  private let weights: [[Int]]
  /// The storefront whose sales are settled in dollars, in one world of three.
  private let converted: Int?
  private var random: SeededRandom

  private static let lags = [0, 1, 2, 3, 4, 9, 20]
  /// The longest lag in days.
  static let longestLag = 20

  private static let dollarsPerThousand = 190

  /// Below so many coins the share is too small to tell the rate from rounding.
  private static let leastCoins = 300

  init(options: WorldOptions, prices: PriceBook) {
    seed = options.seed
    self.prices = prices
    random = SeededRandom(seed: options.seed, stream: 31)
    // Much like a real file, but each store settles at its own hours.
    var hours = SeededRandom(seed: options.seed, stream: 32)
    weights = Catalog.storefronts.map { _ in
      let sameDay = 200 + hours.below(401)
      return [sameDay, 930 - sameDay, 14, 14, 14, 22, 6]
    }
    converted = hours.below(3) == 0 ? Catalog.storefronts.firstIndex { $0.code == "BR" } : nil
  }

  /// Decides about a unit that was sold or given back.
  ///
  /// - Parameters:
  ///   - transaction: What the unit is of.
  ///   - period: The place of the fiscal period of the sale.
  /// - Returns: The unit's fate; nothing for a sale that is never collected.
  mutating func fate(of transaction: Transaction, in period: Int) -> Fate? {
    let terms = transaction.terms
    let lag = lag(Int(terms.storefront))
    let (share, currency) = (transaction.amounts.proceeds, transaction.amounts.currency)
    if Int(terms.storefront) == converted {
      return Fate(lag: lag, share: max(1, share * Self.dollarsPerThousand / 1_000), currency: 0)
    }
    guard transaction.kind == .charge else {
      return Fate(lag: lag, share: share, currency: currency)
    }
    switch habit(terms, in: period) {
    case .losesSales where random.chance(40): return nil
    case .changesRate where random.chance(250) && isTelling(transaction.amounts):
      var other = terms
      other.isAfterOneYear.toggle()
      return Fate(lag: lag, share: prices.amounts(other).proceeds, currency: currency)
    default: return Fate(lag: lag, share: share, currency: currency)
    }
  }

  /// Decides how many days a unit takes.
  mutating func lag(_ storefront: Int) -> Int {
    Self.lags[random.pick(weights[storefront])]
  }

  private func habit(_ terms: ChargeTerms, in period: Int) -> Habit {
    let key = period * 1_000 + PriceBook.key(terms)
    // A sequence of its own: the habit is the same for all that ask.
    var random = SeededRandom(seed: seed, stream: 33 << 32 + UInt64(key))
    switch random.below(100) {
    case ..<35: return .losesSales
    case ..<60: return .changesRate
    default: return .none
    }
  }

  private func isTelling(_ amounts: Amounts) -> Bool {
    let coin = Catalog.hasDecimals(currency: amounts.currency) ? 1 : 100
    return amounts.proceeds >= Self.leastCoins * coin
  }
}
