import Storage
import SubscriptionModel

/// Hears what the builder adds to the lines of one bridge, and keeps the rows behind each amount.
///
/// A pair names all SALES rows with units of the same key and day, since to choose one would be a
/// guess.
struct BridgeListener: Sendable {
  /// A row of the bridge: a line, and the cause where a line has several rows.
  private struct RowName: Hashable {
    let line: Bridge.Line
    let cause: String
  }

  let name: BridgeName
  /// The only product to hear; `nil` for all.
  private let product: Symbol?
  private var heard: [RowName: [BridgeContribution]] = [:]
  /// The units that move into or out of the period if they settle so many days after their sale.
  private var lagged: [BridgeSums.Lag: [BridgeContribution]] = [:]
  /// The units that may be settled later.
  private var open: [BridgeContribution] = []

  init(_ bridge: Bridge) { (name, product) = (BridgeName(bridge), bridge.product) }

  private func isAsked(_ cell: BridgeCell) -> Bool {
    cell.name == name && product.map { $0 == cell.product } != false
  }

  /// Hears an amount of a line; one of 0 is no part of it.
  mutating func hear(
    _ money: CountedMoney, _ line: Bridge.Line, cause: String = "", _ cell: BridgeCell,
    _ rows: BridgeRows
  ) {
    guard isAsked(cell), money != .zero else { return }
    heard[RowName(line: line, cause: cause), default: []].append(contribution(money, cell, rows))
  }

  /// Hears units that would move into or out of the period if they settled some days later.
  mutating func hear(
    _ money: CountedMoney, _ lag: BridgeSums.Lag, _ cell: BridgeCell, _ sale: SaleKey
  ) {
    guard isAsked(cell) else { return }
    let rows = BridgeRows(.settlesAfter(days: lag.days), sold: sale, money.units)
    lagged[lag, default: []].append(contribution(money, cell, rows))
  }

  /// Hears units that may be settled later.
  ///
  /// - Parameters:
  ///   - money: The money that removes them from the sales.
  ///   - cell: Their cell.
  ///   - sale: Their key.
  mutating func hearOpen(_ money: CountedMoney, _ cell: BridgeCell, _ sale: SaleKey) {
    guard isAsked(cell) else { return }
    open.append(contribution(money, cell, BridgeRows(.neverSettled, sold: sale, money.units)))
  }

  private func contribution(
    _ money: CountedMoney, _ cell: BridgeCell, _ rows: BridgeRows
  ) -> BridgeContribution {
    var contribution = BridgeContribution(rows.reason, money)
    (contribution.product, contribution.country) = (cell.product, cell.country)
    (contribution.settled, contribution.sold) = (rows.settled, rows.sold)
    return contribution
  }

  /// Returns the amounts of a line.
  func contributions(to line: Bridge.Line, cause: String = "") -> [BridgeContribution] {
    heard[RowName(line: line, cause: cause)] ?? []
  }

  /// Returns the units that move into or out of the period if they settle so many days after their sale.
  func contributions(to lag: BridgeSums.Lag) -> [BridgeContribution] { lagged[lag] ?? [] }

  /// Returns the units of a product that an estimate by settlement lags may move.
  func movable(_ line: Bridge.Line, _ product: Symbol) -> [BridgeContribution.Sold] {
    var units: [SaleKey: Int] = [:]
    for (lag, contributions) in lagged where lag.line == line {
      for sold in contributions.flatMap(\.sold) where sold.sale.product == product {
        units[sold.sale] = sold.units
      }
    }
    return units.map { BridgeContribution.Sold(sale: $0, units: $1) }
  }

  /// Returns the units that may be settled later.
  ///
  /// - Parameter areReturns: Whether to return returns, else sales.
  /// - Returns: Their amounts.
  func open(areReturns: Bool) -> [BridgeContribution] {
    open.filter { ($0.sold.first?.sale.isReturn == true) == areReturns }
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
