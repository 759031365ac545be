import SubscriptionModel

/// What a cell of a bridge is about: the finest grain that anything is asked for.
struct BridgeCell: Hashable {
  var period: FiscalPeriod
  var region: String
  var currency: Symbol
  var product: Symbol
  var country: Symbol

  var pair: SettledPair {
    SettledPair(period: period, country: country, currency: currency)
  }
}

/// A rate at which units were settled, and that no pair of rates of the storefront explains.
struct RateName: Hashable {
  var country: String
  /// The settled share, in thousandths of the price, if SALES has the standard share.
  var permille: Int
  /// The standard share in percent.
  var standard: Int

  /// Such as `JP: 76.5 % where SALES has 74 %`.
  var text: String {
    "\(country): \(permille / 10).\(permille % 10) % where SALES has \(standard) %"
  }
}

/// Sums of which the lines of a bridge are made; they add up over cells.
struct BridgeSums {
  /// A sum that has a line of its own, or part of one.
  enum Part: Int, CaseIterable {
    case gross, refunds, missingDays, cutoffIn, cutoffOut, refundTiming
    /// Surplus units of SALES.
    case notCollected
    /// Surplus units that may be settled in a period of which nothing is there yet.
    case openSales, openReturns
    case otherDifference
    case settled
  }

  /// What a line would be if every row settled so many days late; by days.
  struct Lagged {
    var cutoffIn: [Int: Int128] = [:]
    var cutoffOut: [Int: Int128] = [:]
    var refundTiming: [Int: Int128] = [:]
  }

  /// Surplus units that may yet settle, by what they are worth: in milliunits, without a sign.
  struct Open {
    var salesWorth: Int128 = 0
    /// Of sales that take money away: the credit that completes a bundle.
    var salesCredit: Int128 = 0
    var returnsWorth: Int128 = 0
    var returnsCredit: Int128 = 0

    /// What the sums would lose without the units.
    var worth: Int128 { salesWorth + returnsWorth }
    /// What the sums would gain without them.
    var credit: Int128 { salesCredit + returnsCredit }

    /// Adds units by what a line has for them that takes them out: below 0 for a sale.
    mutating func add(_ milliunits: Int128, isReturn: Bool) {
      switch (isReturn, milliunits < 0) {
      case (false, true): salesWorth -= milliunits
      case (false, false): salesCredit += milliunits
      case (true, true): returnsWorth -= milliunits
      case (true, false): returnsCredit += milliunits
      }
    }

    mutating func merge(_ other: Open) {
      salesWorth += other.salesWorth
      salesCredit += other.salesCredit
      returnsWorth += other.returnsWorth
      returnsCredit += other.returnsCredit
    }
  }

  /// What left for another region's bridge, or came from one.
  struct OtherRegion {
    var money = CountedMoney.zero
    /// What may still come, at the mean share: in milliunits, without a sign.
    var unsettledSales: Int128 = 0
    var unsettledReturns: Int128 = 0

    static func + (left: OtherRegion, right: OtherRegion) -> OtherRegion {
      OtherRegion(
        money: left.money + right.money,
        unsettledSales: left.unsettledSales + right.unsettledSales,
        unsettledReturns: left.unsettledReturns + right.unsettledReturns)
    }
  }

  /// Differences of shares by the pair of rates that explains them.
  var rateDifferences: [Commissions.Pair: CountedMoney] = [:]
  /// Settled units whose rate no pair explains.
  var unknownRates: [RateName: Int] = [:]
  private var parts = [CountedMoney](repeating: .zero, count: Part.allCases.count)
  var open = Open()
  /// By the other bridge.
  private(set) var otherRegion: [String: OtherRegion] = [:]
  var lagged = Lagged()

  subscript(_ part: Part) -> CountedMoney {
    get { parts[part.rawValue] }
    set { parts[part.rawValue] = newValue }
  }

  var unsettledSales: Int128 { otherRegion.values.map(\.unsettledSales).reduce(0, +) }
  var unsettledReturns: Int128 { otherRegion.values.map(\.unsettledReturns).reduce(0, +) }

  mutating func addOtherRegion(_ money: CountedMoney, _ other: String) {
    otherRegion[other, default: OtherRegion()].money += money
  }

  mutating func addUnsettled(_ milliunits: Int128, isReturn: Bool, of other: String) {
    if isReturn {
      otherRegion[other, default: OtherRegion()].unsettledReturns += milliunits
    } else {
      otherRegion[other, default: OtherRegion()].unsettledSales += milliunits
    }
  }

  mutating func merge(_ other: BridgeSums) {
    for index in parts.indices { parts[index] += other.parts[index] }
    open.merge(other.open)
    rateDifferences.merge(other.rateDifferences, uniquingKeysWith: +)
    unknownRates.merge(other.unknownRates, uniquingKeysWith: +)
    otherRegion.merge(other.otherRegion, uniquingKeysWith: +)
    lagged.cutoffIn.merge(other.lagged.cutoffIn, uniquingKeysWith: +)
    lagged.cutoffOut.merge(other.lagged.cutoffOut, uniquingKeysWith: +)
    lagged.refundTiming.merge(other.lagged.refundTiming, uniquingKeysWith: +)
  }
}
