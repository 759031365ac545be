import Storage
import SubscriptionModel

/// Hears what the builder adds to the lines of one bridge, and keeps the rows behind each amount.
///
/// A pair names all SALES rows with units of the same key and day, since to choose one would be a guess.
struct BridgeListener: Sendable {
  /// What an amount is added to.
  enum Sum: Hashable {
    /// A line, with the cause where it has several rows.
    case line(Bridge.Line, cause: String = "")
    /// The units that move into or out of the period if they settle so many days after their sale.
    case lag(BridgeSums.Lag)
    /// The units that may be settled later.
    case open
  }

  let name: BridgeName
  /// The only product to hear; `nil` for all.
  private let product: Symbol?
  private var heard: [Sum: [BridgeContribution]] = [:]

  init(_ bridge: Bridge) { (name, product) = (BridgeName(bridge), bridge.product) }

  /// Hears an amount of a cell, with the rows behind it; one of 0 is no part of a sum.
  mutating func hear(
    _ money: CountedMoney, _ sum: Sum, _ cell: BridgeCell, _ rows: BridgeContribution
  ) {
    guard cell.name == name, product.map({ $0 == cell.product }) != false, money != .zero else {
      return
    }
    var contribution = rows
    (contribution.amount, contribution.count) = (money.milliunits, money.units)
    (contribution.product, contribution.country) = (cell.product, cell.country)
    heard[sum, default: []].append(contribution)
  }

  func contributions(to sum: Sum) -> [BridgeContribution] { heard[sum] ?? [] }

  /// Returns the units of a product that an estimate by settlement lags may move.
  func movable(_ line: Bridge.Line, _ product: Symbol) -> [BridgeContribution.Sold] {
    var units: [SaleKey: Int] = [:]
    for case (.lag(let lag), let contributions) in heard where lag.line == line {
      for sold in contributions.flatMap(\.sold) where sold.sale.product == product {
        units[sold.sale] = sold.units
      }
    }
    return units.map { BridgeContribution.Sold(sale: $0, units: $1) }
  }

  /// Returns the returns, or the sales, that may be settled later.
  func open(areReturns: Bool) -> [BridgeContribution] {
    contributions(to: .open).filter { ($0.sold.first?.sale.isReturn == true) == areReturns }
  }
}

extension BridgeSums.Part {
  /// The line to which the sum belongs.
  var line: Bridge.Line {
    switch self {
    case .gross: .salesGross
    case .refunds: .salesRefunds
    case .missingDays: .missingDays
    case .cutoffIn: .cutoffIn
    case .cutoffOut, .openSales: .cutoffOut
    case .refundTiming, .openReturns: .refundTiming
    case .notCollected: .notCollected
    case .otherDifference: .shareDifference
    case .settled: .financeShare
    }
  }
}
