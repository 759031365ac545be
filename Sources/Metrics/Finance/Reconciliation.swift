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
  private let rejected: RejectedMoney
  private let texts: [String]

  /// Reconciles.
  ///
  /// - Parameters:
  ///   - records: What the finance files and the daily SALES reports say.
  ///   - regions: Which region a country's sales belong to.
  ///   - commissions: Which shares of a price Apple pays.
  ///   - texts: The text of each symbol of the records.
  public init(
    _ records: FinanceRecords, regions: FinanceRegions, commissions: Commissions = .shipped,
    texts: [String]
  ) {
    let builder = BridgeBuilder(
      records, regions: regions, commissions: commissions, texts: texts)
    let payments = builder.records.payments
    self.builder = builder
    self.texts = texts
    var products: [BridgeName: [Symbol: BridgeSums]] = [:]
    for (cell, sums) in builder.cells {
      products[BridgeName(cell), default: [:]][cell.product, default: BridgeSums()].merge(sums)
    }
    for statement in payments {
      for row in statement.rows {
        let name = BridgeName(
          period: statement.period, region: row.region, currency: row.currency)
        products[name] = products[name, default: [:]]
      }
    }
    var found = Set(products.keys)
    let rejected = RejectedMoney(builder, &found)
    self.rejected = rejected
    let names = found.sorted { left, right in
      (left.period, left.region, texts[Int(left.currency)])
        < (right.period, right.region, texts[Int(right.currency)])
    }
    let lines = { rejected.apply(to: BridgeLines($0, $1, builder).entries(), of: $0) }
    bridges = names.map { name in
      var entries = lines(name, Array(products[name, default: [:]].values))
      let settled = entries[entries.count - 1]
      entries += rejected.apply(
        to: PaymentLines(name, builder.records).entries(settled: settled), of: name)
      return Bridge(name, product: nil, entries)
    }
    productBridges = names.flatMap { name in
      products[name, default: [:]].sorted { texts[Int($0.key)] < texts[Int($1.key)] }
        .map { Bridge(name, product: $0, lines(name, [$1])) }
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
    let name = BridgeName(bridge)
    let found = builder.cells.filter { BridgeName($0.key) == name }.flatMap { cell, sums in
      BridgeLines(name, [sums], builder).entries()
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

  /// Returns what each payments CSV carries over beside what was left unpaid before.
  ///
  /// - Parameter tolerance: By how much they may differ, in milliunits of each currency.
  /// - Returns: One for each row of a file whose period before has one too.
  public func carriedBalances(tolerance: Int128) -> [CarriedBalance] {
    CarriedBalance.all(builder.records.payments, tolerance: tolerance)
  }

  /// Returns the verdict of each bridge.
  ///
  /// - Parameter tolerance: What a line that should be 0 may be, in milliunits of each currency.
  /// - Returns: In the order of ``bridges``.
  public func verdicts(tolerance: Int128) -> [BridgeVerdict] {
    Verdicts(
      reconciliation: self, tolerance: tolerance, input: builder.input, rejected: rejected,
      payments: builder.records.payments
    ).all()
  }

  /// The lines and comparisons that are further from 0 than can be put up with.
  ///
  /// - Parameter tolerance: In milliunits of each currency.
  /// - Returns: One finding a line, in the order of the bridges; none when nothing that was compared differs.
  public func findings(tolerance: Int128) -> [Finding] {
    bridges.flatMap { bridge in
      bridge.entries.filter { $0.isUnreconciled(tolerance: tolerance) }
        .map { Finding.line(bridge, $0) }
    }
      + formsChecks.filter { $0.differs(tolerance: tolerance) }.map { Finding.forms($0) }
      + carriedBalances(tolerance: tolerance).filter { $0.state == .failed }
      .map { Finding.carried($0) }
  }

  /// What is not reconciled.
  public enum Finding: Sendable {
    /// A line of a bridge.
    case line(Bridge, Bridge.Entry)
    /// Two downloads with different totals.
    case forms(FormsCheck)
    /// A balance that is not what was left unpaid.
    case carried(CarriedBalance)
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
    return status == .exact && amount.map { abs($0) > tolerance } == true
  }
}
