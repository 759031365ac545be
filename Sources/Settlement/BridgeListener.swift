import Storage
import SubscriptionModel

/// Hears what the builder adds to the lines of one bridge, and keeps the rows behind each amount.
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
  /// The units that an estimate by settlement lags may move into or out of the period, by product.
  private var lagged: [Bridge.Line: [Symbol: [SaleKey: Int]]] = [:]

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
    var contribution = BridgeContribution(rows.reason, money)
    (contribution.product, contribution.country) = (cell.product, cell.country)
    (contribution.settled, contribution.sold) = (rows.settled, rows.sold)
    heard[RowName(line: line, cause: cause), default: []].append(contribution)
  }

  /// Hears units that would move into or out of the period if they settled some days later.
  mutating func hearLag(_ line: Bridge.Line, _ cell: BridgeCell, _ sale: SaleKey, _ units: Int) {
    guard isAsked(cell) else { return }
    lagged[line, default: [:]][cell.product, default: [:]][sale] = abs(units)
  }

  /// Returns the amounts of a line.
  func contributions(to line: Bridge.Line, cause: String = "") -> [BridgeContribution] {
    heard[RowName(line: line, cause: cause)] ?? []
  }

  /// Returns the units of a product that an estimate by settlement lags may move.
  func movable(_ line: Bridge.Line, _ product: Symbol) -> [BridgeContribution.Sold] {
    (lagged[line]?[product] ?? [:]).map { BridgeContribution.Sold(sale: $0, units: $1) }
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
