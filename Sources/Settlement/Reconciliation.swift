package import Storage
package import SubscriptionModel

/// All bridges of a run: METRICS.md section 7.
package struct Reconciliation: Sendable {
  /// The bridges by period, region and currency.
  package let bridges: [Bridge]
  /// The bridges by product up to the settlement, in the same order and then by Apple ID.
  package let productBridges: [Bridge]
  /// The comparisons of Apple's downloads with each other.
  package let formsChecks: [FormsCheck]
  /// The countries and currencies that no region lists, with the assumed region: `ZQ USD: put into WW`.
  package let guessedRegions: [String]
  let builder: BridgeBuilder
  private let rejected: RejectedMoney
  private let texts: [String]

  /// Creates the bridges of all finance records.
  package init(
    _ records: FinanceData, regions: FinanceRegions, commissions: Commissions = .shipped,
    texts: [String]
  ) {
    let builder = BridgeBuilder(records, regions: regions, commissions: commissions, texts: texts)
    let payments = builder.records.payments
    self.builder = builder
    self.texts = texts
    var products: [BridgeName: [Symbol: BridgeSums]] = [:]
    for (cell, sums) in builder.cells {
      products[cell.name, default: [:]][cell.product, default: BridgeSums()].merge(sums)
    }
    for statement in payments {
      for row in statement.rows {
        let name = BridgeName(period: statement.period, region: row.region, currency: row.currency)
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
      entries += rejected.apply(to: PaymentLines(name, builder).entries(settled: settled), of: name)
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
    guessedRegions = builder.lookup.guessed.sorted()
  }

  /// A part of the difference between sales and settlement, for one product in one country.
  package struct Difference: Sendable {
    /// The product's Apple ID.
    package let product: Symbol
    /// The storefront.
    package let country: Symbol
    /// The part of a line for the product and country.
    package let entry: Bridge.Entry
  }

  /// Returns the largest differences of a whole bridge by product and country.
  ///
  /// They are parts of steps 20 to 29, at most `limit`, largest first; then by product, country and step.
  package func differences(of bridge: Bridge, limit: Int) -> [Difference] {
    let name = BridgeName(bridge)
    let found = builder.cells.filter { $0.key.name == name }.flatMap { cell, sums in
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

  /// Returns the comparisons of each payments CSV's carried balance with the unpaid balance before it, if there is a
  /// file of the period before; the tolerance is in milliunits of each currency.
  package func carriedBalances(tolerance: Int128) -> [CarriedBalance] {
    CarriedBalance.all(builder.records.payments, tolerance: tolerance)
  }

  /// Returns the verdict of each of the ``bridges``, in their order; the tolerance is in milliunits.
  package func verdicts(tolerance: Int128) -> [BridgeVerdict] {
    Verdicts(
      reconciliation: self, tolerance: tolerance, input: builder.input, rejected: rejected,
      records: builder.records, carried: carriedBalances(tolerance: tolerance), texts: texts
    ).all()
  }

  /// Returns the lines that differ by more milliunits than the tolerance, in the order of the bridges; then the
  /// downloads and the carried balances that do.
  package func findings(tolerance: Int128) -> [Finding] {
    bridges.flatMap { bridge in
      bridge.entries.filter { $0.isUnreconciled(tolerance: tolerance) }
        .map { Finding.line(bridge, $0) }
    }
      + formsChecks.filter { $0.differs(tolerance: tolerance) }.map { Finding.forms($0) }
      + carriedBalances(tolerance: tolerance).filter { $0.state == .failed }
      .map { Finding.carried($0) }
  }

  /// A difference that makes a bridge unreconciled.
  package enum Finding: Sendable {
    case line(Bridge, Bridge.Entry)
    /// Two downloads with different totals.
    case forms(FormsCheck)
    /// A carried balance that differs from the unpaid balance before it.
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
