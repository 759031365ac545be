import Storage
import SubscriptionModel

/// The key of a cell, the smallest part of a bridge: one product in one country.
struct BridgeCell: Hashable {
  var name: BridgeName
  var product: Symbol
  var country: Symbol

  var period: FiscalPeriod { name.period }

  var pair: SettledPair {
    SettledPair(period: name.period, country: country, currency: name.currency)
  }
}

/// The rate of settled units that no pair of the storefront's rates explains.
struct UnexplainedRate: Hashable {
  var country: String
  /// The settled share in thousandths of the price, assuming that SALES has the standard share.
  var permille: Int
  /// The standard share in percent.
  var standard: Int

  /// The rate as text, such as `JP: 76.5 % where SALES has 74 %`.
  var text: String {
    "\(country): \(permille / 10).\(permille % 10) % where SALES has \(standard) %"
  }
}

/// The sums from which the lines of a bridge are computed; the sums of several cells merge.
struct BridgeSums {
  /// A sum that is a line or a part of a line.
  enum Part: Int, CaseIterable {
    case gross, refunds, missingDays, cutoffIn, cutoffOut, refundTiming
    /// Surplus units of SALES that were not collected.
    case notCollected
    /// Surplus units that may still settle in the next period, whose FINANCE_DETAIL is missing.
    case openSales, openReturns
    case otherDifference
    case settled
  }

  /// The key of an amount that a line would have if all rows settled this number of days after the sale.
  struct Lag: Hashable {
    var line: Bridge.Line
    var days: Int
  }

  /// The value of open units, which may still settle, in milliunits without a sign.
  struct OpenUnits {
    /// The amount by which sums would fall without these units.
    var sales: Int128 = 0
    /// The amount by which sums would rise without these units.
    var returns: Int128 = 0

    mutating func merge(_ other: OpenUnits) {
      sales += other.sales
      returns += other.returns
    }
  }

  /// Money that moved to another region's bridge or from it.
  struct OtherRegion {
    var money = CountedMoney.zero
    /// The value of units that may still settle, at the mean share, in milliunits without a sign.
    var unsettledSales: Int128 = 0
    var unsettledReturns: Int128 = 0

    static func + (left: OtherRegion, right: OtherRegion) -> OtherRegion {
      OtherRegion(
        money: left.money + right.money,
        unsettledSales: left.unsettledSales + right.unsettledSales,
        unsettledReturns: left.unsettledReturns + right.unsettledReturns)
    }
  }

  /// The most that a line would lose, 0 or less, and the most that it would gain, in milliunits.
  struct Edge {
    var low: Int128 = 0
    var high: Int128 = 0

    /// Adds a change that is possible.
    mutating func add(_ change: Int128) {
      low += min(0, change)
      high += max(0, change)
    }
  }

  /// Share differences by the pair of rates that explains them.
  var rateDifferences: [Commissions.Pair: CountedMoney] = [:]
  /// The number of settled units by rate, for rates that no pair explains.
  var unexplainedRates: [UnexplainedRate: Int] = [:]
  private var parts = [CountedMoney](repeating: .zero, count: Part.allCases.count)
  var open = OpenUnits()
  /// The money moved between regions, by the name of the other bridge.
  private(set) var otherRegion: [String: OtherRegion] = [:]
  /// What lines 20 to 23 would gain or lose if units at the edge of the period counted on its other side.
  private(set) var edges: [Bridge.Line: Edge] = [:]
  /// The amounts that lines would have, by lag.
  var lagged: [Lag: Int128] = [:]

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
    let sum: WritableKeyPath<OtherRegion, Int128> = isReturn ? \.unsettledReturns : \.unsettledSales
    otherRegion[other, default: OtherRegion()][keyPath: sum] += milliunits
  }

  mutating func addEdge(_ change: Int128, _ line: Bridge.Line) {
    edges[line, default: Edge()].add(change)
  }

  mutating func merge(_ other: BridgeSums) {
    edges.merge(other.edges) { Edge(low: $0.low + $1.low, high: $0.high + $1.high) }
    for index in parts.indices { parts[index] += other.parts[index] }
    open.merge(other.open)
    rateDifferences.merge(other.rateDifferences, uniquingKeysWith: +)
    unexplainedRates.merge(other.unexplainedRates, uniquingKeysWith: +)
    otherRegion.merge(other.otherRegion, uniquingKeysWith: +)
    lagged.merge(other.lagged, uniquingKeysWith: +)
  }
}

/// An exact amount of one currency and its number of units, both with their sign.
struct CountedMoney: Equatable, Sendable {
  /// The amount in thousandths: 9.99 is 9,990.
  var milliunits: Int128
  /// The number of units; negative for returns.
  var units: Int

  static let zero = CountedMoney(0, units: 0)

  init(_ milliunits: Int128, units: Int) {
    self.milliunits = milliunits
    self.units = units
  }

  static func + (left: CountedMoney, right: CountedMoney) -> CountedMoney {
    CountedMoney(left.milliunits + right.milliunits, units: left.units + right.units)
  }

  static func - (left: CountedMoney, right: CountedMoney) -> CountedMoney { left + -right }

  static prefix func - (money: CountedMoney) -> CountedMoney {
    CountedMoney(-money.milliunits, units: -money.units)
  }

  static func += (left: inout CountedMoney, right: CountedMoney) { left = left + right }
  static func -= (left: inout CountedMoney, right: CountedMoney) { left = left + -right }
}
