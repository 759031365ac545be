import Storage
import SubscriptionModel

/// What each line of one bridge is made of.
///
/// The builder of the bridges runs once more and is listened to, so that the rules are those of the table.
package struct BridgeEvidence: Sendable {
  private let bridge: Bridge
  /// The bridges of the products whose sum the bridge is; only itself for a bridge of one product.
  private let products: [Bridge]
  private let builder: BridgeBuilder
  private let listener: BridgeListener

  init(_ bridge: Bridge, products: [Bridge], _ builder: BridgeBuilder) {
    (self.bridge, self.products, self.builder) = (bridge, products, builder)
    listener = builder.listener ?? BridgeListener(bridge)
  }

  /// Returns what a row of the bridge is made of.
  ///
  /// The amounts add up to that of the row, and their counts to its count; none for an unknown amount.
  package func contributions(to entry: Bridge.Entry) -> [BridgeContribution] {
    guard entry.amount != nil else { return [] }
    switch entry.line {
    case .cutoffIn, .cutoffOut, .refundTiming:
      return isByLags(entry.line)
        ? estimates(entry.line) : listener.contributions(to: .line(entry.line))
    case .salesGross, .salesRefunds, .missingDays, .notCollected, .financeShare:
      return listener.contributions(to: .line(entry.line))
    case .shareDifference, .otherRegion:
      return listener.contributions(to: .line(entry.line, cause: entry.cause))
    case .unexplainedSales: return unexplainedSales(entry)
    case .unexplainedPayment:
      return rest(of: .totalOwed, [.financeShare] + Bridge.Line.steps(40...43), in: bridge.entries)
    case .inputTax, .adjustments, .withholdingTax, .carriedBalance, .totalOwed, .payment:
      return payment(entry)
    }
  }

  // MARK: Estimates

  /// Whether a line is estimated by settlement lags, because the settlement has no days.
  private func isByLags(_ line: Bridge.Line) -> Bool {
    [.cutoffIn, .cutoffOut, .refundTiming].contains(line)
      && builder.input.method(bridge.period) == .lags
  }

  /// An end of the range of an estimate.
  package enum Bound: Sendable {
    case low, high
  }

  /// Returns what the least or the largest amount of a row is made of; nothing for a row without a range.
  package func contributions(to bound: Bound, of entry: Bridge.Entry) -> [BridgeContribution] {
    guard entry.low != nil, entry.high != nil else { return [] }
    let isLow = bound == .low
    if entry.line == .unexplainedSales { return boundOfRest(isLow: isLow) }
    let lines = lines
    if isByLags(entry.line) {
      return listener.contributions(to: .lag(lines.lag(entry.line, isLeast: isLow)))
    }
    // Missing days of SALES make a line an estimate and leave its amount as it is.
    guard let bounds = lines.bounds(of: entry) else { return contributions(to: entry) }
    return (isLow ? bounds.low : bounds.high).flatMap { contributions(to: $0, of: entry) }
  }

  private func contributions(
    to part: BridgeBounds.Part, of entry: Bridge.Entry
  ) -> [BridgeContribution] {
    var (reason, sold) = (BridgeContribution.Reason.otherSide, [BridgeContribution.Sold]())
    switch part.kind {
    case .known: return contributions(to: entry).filter { $0.reason != .mayStillSettle }
    case .open(let isReturn, fraction: ""): return listener.open(areReturns: isReturn)
    case .open(let isReturn, let fraction):
      reason = .openUnits(fraction: fraction)
      sold = listener.open(areReturns: isReturn).flatMap(\.sold)
    case .unsettled: reason = .unsettledElsewhere
    case .edge: break
    }
    var own = BridgeContribution(reason, amount: part.milliunits)
    own.sold = sold
    return part.milliunits == 0 ? [] : [own]
  }

  /// Returns the settlement without the largest, or without the least amounts of the other lines.
  private func boundOfRest(isLow: Bool) -> [BridgeContribution] {
    let notInRange: [Bridge.Line] = [.missingDays, .notCollected, .shareDifference]
    return lines.entries().compactMap { entry in
      guard entry.line != .financeShare else { return part(entry, isAdded: true) }
      guard entry.line != .unexplainedSales, !notInRange.contains(entry.line) else { return nil }
      guard let bound = isLow ? entry.high : entry.low else { return part(entry, isAdded: false) }
      return bound == 0
        ? nil : BridgeContribution(.bound(entry.line, isLargest: isLow), amount: -bound)
    }
  }

  /// The builder's own lines: a rejected row makes lines of the table unknown, but not the remainder.
  private var lines: BridgeLines {
    let name = BridgeName(bridge)
    let parts = builder.cells.filter { cell, _ in
      cell.name == name && bridge.product.map { $0 == cell.product } != false
    }
    return BridgeLines(name, Array(parts.values), builder)
  }

  /// Returns the part of each product in a line that is estimated by settlement lags.
  private func estimates(_ line: Bridge.Line) -> [BridgeContribution] {
    products.compactMap { own in
      guard let product = own.product, let amount = own.amount(of: line) else { return nil }
      let sold = listener.movable(line, product)
      guard amount != 0 || !sold.isEmpty else { return nil }
      var contribution = BridgeContribution(.settlementLag, amount: amount)
      (contribution.product, contribution.sold) = (product, sold)
      return contribution
    }
  }

  // MARK: Remainders

  /// Returns the settled units without a sale, if they are all of the remainder; else the lines that it is the rest of.
  private func unexplainedSales(_ entry: Bridge.Entry) -> [BridgeContribution] {
    let surplus = listener.contributions(to: .line(.unexplainedSales))
    let sum = surplus.reduce(Int128(0)) { $0 + $1.amount }
    let units = surplus.reduce(0) { $0 + $1.count }
    if sum == entry.amount, units == entry.count { return surplus }
    return rest(of: .financeShare, Bridge.Line.steps(10...25), in: lines.entries())
  }

  /// Returns a total, and each line that is subtracted from it.
  private func rest(
    of total: Bridge.Line, _ others: [Bridge.Line], in entries: [Bridge.Entry]
  ) -> [BridgeContribution] {
    let amounts = { (line: Bridge.Line) in
      entries.filter { $0.line == line && $0.amount != nil }
    }
    return amounts(total).compactMap { part($0, isAdded: true) }
      + others.flatMap { amounts($0).compactMap { part($0, isAdded: false) } }
  }

  private func part(_ entry: Bridge.Entry, isAdded: Bool) -> BridgeContribution? {
    let money = CountedMoney(entry.amount ?? 0, units: entry.count ?? 0)
    guard money != .zero else { return nil }
    let hasSeveralRows = [.shareDifference, .otherRegion].contains(entry.line)
    return BridgeContribution(
      .line(entry.line, cause: hasSeveralRows ? entry.cause : ""), isAdded ? money : -money)
  }

  // MARK: Payments

  /// Returns the cells of the payments CSVs; none if they have no such row or column.
  private func payment(_ entry: Bridge.Entry) -> [BridgeContribution] {
    PaymentLines(BridgeName(bridge), builder).parts(of: entry).map { place, amount in
      var contribution = BridgeContribution(.payment, amount: amount)
      contribution.payment = place
      return contribution
    }
  }
}

extension Reconciliation {
  /// Returns what each line of a bridge is made of, one of ``bridges`` or ``productBridges``.
  package func evidence(of bridge: Bridge) -> BridgeEvidence {
    let name = BridgeName(bridge)
    let products = productBridges.filter { own in
      BridgeName(own) == name && bridge.product.map { $0 == own.product } != false
    }
    return BridgeEvidence(bridge, products: products, builder.listened(BridgeListener(bridge)))
  }
}

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
