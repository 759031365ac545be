/// The amount owed for a fiscal period and region, in hundredths of the region's currency.
struct Payout {
  let units: Int
  let earned: Int
  let inputTax: Int
  let adjustments: Int
  /// Zero or negative.
  let withholdingTax: Int
  /// The amount owed for earlier periods and not paid yet.
  let carriedBalance: Int
  /// The price of one unit of the currency in the bank's, in hundred-millionths.
  let rate: Int
  /// The price that Apple estimates before the payment.
  let estimatedRate: Int

  static let bankCurrency = "EUR"
  /// The least amount that is paid, in hundredths of the bank's currency; less is carried over.
  private static let threshold = 15_000

  var owed: Int { earned + inputTax + adjustments + withholdingTax + carriedBalance }

  /// The amount paid to the bank if it is paid, in hundredths of the bank's currency.
  var proceeds: Int { (owed * rate + 50_000_000) / 100_000_000 }

  /// Apple's estimate of ``proceeds`` before the payment.
  var estimate: Int { (owed * estimatedRate + 50_000_000) / 100_000_000 }

  /// Whether the amount is paid, not carried over.
  var isAboveThreshold: Bool { proceeds >= Self.threshold }
}

/// Computes the amounts owed and paid, one fiscal period after another.
struct Payouts {
  private var random: SeededRandom
  /// The unpaid balance, by region.
  private var carried = [Int](repeating: 0, count: FinanceRegion.all.count)

  /// The value of one unit of each of ``Catalog/currencies``, in hundred-thousandths of the bank's currency.
  private static let values = [92_000, 117_000, 100_000, 610, 68_000, 61_000, 17_000]

  init(options: WorldOptions) {
    random = SeededRandom(seed: options.seed, stream: 34)
  }

  /// Returns the amounts owed for the next period, by region, for the amounts settled in each.
  ///
  /// They are nil for a region without settled units and without a balance.
  mutating func next(_ settled: [FinanceTruth.Money]) -> [Payout?] {
    FinanceRegion.all.indices.map { place in
      let payout = payout(FinanceRegion.all[place], settled[place], carried[place])
      guard settled[place].units != 0 || settled[place].amount != 0 || carried[place] != 0 else {
        return nil
      }
      carried[place] = payout.isAboveThreshold ? 0 : payout.owed
      return payout
    }
  }

  /// Returns a region's payout; draws random numbers even if nothing is owed, to keep the sequence.
  private mutating func payout(
    _ region: FinanceRegion, _ settled: FinanceTruth.Money, _ carried: Int
  ) -> Payout {
    let coin = Catalog.coin(of: region.currency)
    let adjustment = random.chance(180) ? (random.below(1_500) - 1_000) * coin : 0
    let change = random.below(4_001) - 2_000
    let isOwn = Catalog.currencies[region.currency] == Payout.bankCurrency
    let value = Self.values[region.currency] * 1_000
    return Payout(
      units: settled.units, earned: settled.amount,
      inputTax: Self.part(region.inputTaxPerMille, of: settled.amount, coin),
      adjustments: settled.amount > 0 ? adjustment : 0,
      withholdingTax: -Self.part(region.withheldPerMille, of: settled.amount, coin),
      carriedBalance: carried, rate: isOwn ? value : value + value / 100_000 * change,
      estimatedRate: value)
  }

  /// Returns a tax in whole coins; 0 if the amount is negative.
  private static func part(_ perMille: Int, of amount: Int, _ coin: Int) -> Int {
    max(0, amount) * perMille / (1_000 * coin) * coin
  }
}
