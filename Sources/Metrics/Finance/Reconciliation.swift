public import SubscriptionModel

/// All bridges of a run: METRICS.md section 7.
public struct Reconciliation: Sendable {
  /// The bridges by period, region and currency.
  public let bridges: [Bridge]
  /// The bridges of each product up to the settlement, in the same order and then by Apple ID.
  public let productBridges: [Bridge]
  /// The comparisons of Apple's downloads with each other.
  public let formsChecks: [FormsCheck]
  /// Countries and currencies that no region lists, with the region they are put into: `ZQ USD: put into WW`.
  public let guessedRegions: [String]
  private let builder: BridgeBuilder
  private let texts: [String]

  /// Reconciles.
  ///
  /// - Parameters:
  ///   - records: What the finance files and the daily SALES reports say.
  ///   - regions: Which region a country's sales belong to.
  ///   - texts: The text of each symbol of the records.
  public init(_ records: FinanceRecords, regions: FinanceRegions, texts: [String]) {
    let builder = BridgeBuilder(records, regions: regions, texts: texts)
    let payments = records.sorted().payments
    self.builder = builder
    self.texts = texts
    var wholes: [BridgeName: BridgeSums] = [:]
    var products: [BridgeName: [Symbol: BridgeSums]] = [:]
    for (cell, sums) in builder.cells {
      let name = BridgeName(cell)
      wholes[name, default: BridgeSums()].merge(sums)
      products[name, default: [:]][cell.product, default: BridgeSums()].merge(sums)
    }
    for statement in payments {
      for row in statement.rows {
        let name = BridgeName(
          period: statement.period, region: row.region, currency: row.currency)
        wholes[name, default: BridgeSums()].merge(BridgeSums())
      }
    }
    let names = wholes.keys.sorted { left, right in
      (left.period, left.region, texts[Int(left.currency)])
        < (right.period, right.region, texts[Int(right.currency)])
    }
    let lines = { BridgeLines($0, $1, builder).entries() }
    bridges = names.map { name in
      var entries = lines(name, wholes[name, default: BridgeSums()])
      let settled = entries[entries.count - 1]
      entries += PaymentLines(name, payments).entries(settled: settled)
      return Bridge(name, product: nil, entries)
    }
    productBridges = names.flatMap { name in
      products[name, default: [:]].sorted { texts[Int($0.key)] < texts[Int($1.key)] }
        .map { Bridge(name, product: $0, lines(name, $1)) }
    }
    formsChecks = FormsCheck.all(records.statements, builder.input, builder.lookup).sorted {
      ($0.period, texts[Int($0.currency)], $0.forms) < (
        $1.period, texts[Int($1.currency)], $1.forms
      )
    }
    guessedRegions = Set(
      builder.lookup.guessed.map { pair, code in
        "\(texts[Int(pair.country)]) \(texts[Int(pair.currency)]): put into \(code)"
      }
    ).sorted()
  }

  /// A part of what keeps the sales of a product in a country from its settlement.
  public struct Difference: Sendable {
    /// The product's Apple ID.
    public let product: Symbol
    /// The storefront.
    public let country: Symbol
    /// The line of the bridge that the amount is part of, with its cause.
    public let entry: Bridge.Entry
  }

  /// Returns the largest differences of a bridge by product and country.
  ///
  /// - Parameters:
  ///   - bridge: A whole bridge.
  ///   - limit: How many.
  /// - Returns: The parts of steps 20 to 29, by their size; then by product, country and step.
  public func differences(of bridge: Bridge, limit: Int) -> [Difference] {
    let name = BridgeName(
      period: bridge.period, region: bridge.region, currency: bridge.currency)
    let found = builder.cells.filter { BridgeName($0.key) == name }.flatMap { cell, sums in
      BridgeLines(name, sums, builder).entries()
        .filter { (20...29).contains($0.line.rawValue) && $0.amount.map { $0 != 0 } == true }
        .map { Difference(product: cell.product, country: cell.country, entry: $0) }
    }
    let key = { (difference: Difference) in
      (
        texts[Int(difference.product)], texts[Int(difference.country)],
        difference.entry.line.rawValue, difference.entry.cause
      )
    }
    let sorted = found.sorted { left, right in
      let (first, second) = (abs(left.entry.amount ?? 0), abs(right.entry.amount ?? 0))
      return first == second ? key(left) < key(right) : first > second
    }
    return Array(sorted.prefix(limit))
  }

  /// The lines and comparisons that are further from 0 than can be put up with.
  ///
  /// - Parameter tolerance: In milliunits of each currency.
  /// - Returns: One finding a line, in the order of the bridges; none when all is reconciled.
  public func findings(tolerance: Int128) -> [Finding] {
    bridges.flatMap { bridge in
      bridge.entries.filter { $0.isUnreconciled(tolerance: tolerance) }
        .map { Finding.line(bridge, $0) }
    }
      + formsChecks.filter { abs($0.counted - $0.other) > tolerance }.map { Finding.forms($0) }
  }

  /// What is not reconciled.
  public enum Finding: Sendable {
    /// A line of a bridge.
    case line(Bridge, Bridge.Entry)
    /// Two downloads with different totals.
    case forms(FormsCheck)
  }
}

extension Bridge {
  init(_ name: BridgeName, product: Symbol?, _ entries: [Entry]) {
    self.init(
      period: name.period, region: name.region, currency: name.currency, product: product,
      entries: entries)
  }
}

extension Bridge.Entry {
  /// Whether the line should be 0 and is not.
  func isUnreconciled(tolerance: Int128) -> Bool {
    switch line {
    case .unexplainedSales, .unexplainedPayment: break
    case .shareDifference where cause == Bridge.otherCause: break
    default: return false
    }
    if let amount { return abs(amount) > tolerance }
    guard let low, let high else { return false }
    return low > tolerance || high < -tolerance
  }
}
