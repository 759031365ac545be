import Storage
import SubscriptionModel

/// The sums of all bridges by period, region, currency, product and country: METRICS.md section 7.
struct BridgeBuilder {
  let records: FinanceData
  let input: PeriodInput
  var lookup: RegionLookup
  let forms: FinanceForms
  private let regions: FinanceRegions
  let shift: RegionShift
  let commissions: Commissions
  /// The text of each symbol.
  let texts: [String]
  /// The settlement lags of sales and of returns.
  let lags: (sales: SettlementLags, returns: SettlementLags)
  /// The longest lag in FINANCE_DETAIL, in days; the longest usual lag without FINANCE_DETAIL.
  let longestLag: Int
  var cells: [BridgeCell: BridgeSums] = [:]
  /// The bridges whose sales are all settled in other regions.
  private(set) var settledElsewhere: Set<BridgeName> = []
  /// Keeps the rows behind one bridge; `nil` unless a number is explained.
  var listener: BridgeListener?
  /// The forms from which the settlement of each bridge was read.
  private(set) var usedForms: [BridgeName: Set<SettlementForm>] = [:]
  /// The countries that move within the period: the single file has no days to divide their rows by.
  private(set) var undated: [BridgeName: Set<String>] = [:]

  init(
    _ records: FinanceData, regions: FinanceRegions, commissions: Commissions, texts: [String],
    listener: BridgeListener? = nil
  ) {
    let records = records.sorted()
    self.listener = listener
    self.regions = regions
    self.commissions = commissions
    self.records = records
    self.texts = texts
    input = PeriodInput(records)
    lookup = RegionLookup(regions, records) { texts[Int($0)] }
    forms = FinanceForms(records.statements, &lookup)
    shift = RegionShift(records, &lookup, texts: texts)
    lags = (
      Self.lags(records.statements) { !$0.isReturn }, Self.lags(records.statements) { $0.isReturn }
    )
    longestLag = Self.lags(records.statements) { _ in true }.longest
    addSales()
    findSettledElsewhere()
    addSettled()
    addUnits()
  }

  /// Returns the same sums with the rows behind one bridge.
  func listened(_ listener: BridgeListener) -> BridgeBuilder {
    BridgeBuilder(
      records, regions: regions, commissions: commissions, texts: texts, listener: listener)
  }

  private static func lags(
    _ statements: [FinanceStatement], _ isCounted: (FinanceRow) -> Bool
  ) -> SettlementLags {
    var units: [Int: Int] = [:]
    for row in statements.lazy.flatMap(\.rows) where isCounted(row) {
      guard let sold = row.transactionDay, let settled = row.settlementDay else { continue }
      units[max(0, settled - sold), default: 0] += Int(row.quantity.magnitude)
    }
    return SettlementLags(measured: units)
  }

  // MARK: Sales

  private mutating func addSales() {
    for (sale, units) in records.sales where units != 0 {
      let value = CountedMoney(Int128(sale.proceeds) * Int128(units), units: units)
      let period = FiscalPeriod(containing: sale.day)
      let cell = cell(period, sale)
      add(
        value, sale.isRefund ? .refunds : .gross, cell,
        BridgeContribution(.sold, sold: sale, units))
      markUncounted(cell, shift.settlementBridges)
      let lags = sale.isReturn ? self.lags.returns : self.lags.sales
      var settling = period
      while settling <= FiscalPeriod(containing: sale.day + lags.longest) {
        addLagged(value, sale, settling, lags)
        settling = settling + 1
      }
    }
  }

  /// Adds, for each lag, the money that would move into or out of a period if the sale settled that many days later.
  private mutating func addLagged(
    _ value: CountedMoney, _ sale: SaleKey, _ period: FiscalPeriod, _ lags: SettlementLags
  ) {
    guard input.method(period) == .lags else { return }
    let days = period.firstDay...period.lastDay
    let cell = cell(period, sale)
    for lag in lags.allDays where days.contains(sale.day) != days.contains(sale.day + lag) {
      let isIn = days.contains(sale.day + lag)
      let amount = isIn ? value.milliunits : -value.milliunits
      let line: Bridge.Line = sale.isReturn ? .refundTiming : isIn ? .cutoffIn : .cutoffOut
      let lagged = BridgeSums.Lag(line: line, days: lag)
      cells[cell, default: BridgeSums()].lagged[lagged, default: 0] += amount
      let money = isIn ? value : -value
      listener?.hear(
        money, .lag(lagged), cell,
        BridgeContribution(.settlesAfter(days: lag), sold: sale, money.units))
    }
  }

  /// Finds the bridges whose sales are all settled in other regions, so that no finance file of theirs is expected.
  private mutating func findSettledElsewhere() {
    var kept: Set<BridgeName> = []
    for (sale, units) in records.sales where units != 0 {
      let cell = cell(FiscalPeriod(containing: sale.day), sale)
      if shift.settlementBridges[cell.pair] == nil {
        kept.insert(cell.name)
      } else {
        settledElsewhere.insert(cell.name)
      }
    }
    settledElsewhere.subtract(kept)
  }

  // MARK: The settlement

  private mutating func addSettled() {
    for statement in records.statements {
      var names: [SettledPair: BridgeName?] = [:]
      for row in statement.rows {
        let pair = statement.pair(row)
        let known = names[pair]
        let name = known ?? settledName(row, pair, statement)
        // Rows of FINANCE_DETAIL may be of several regions.
        if known == nil, statement.form != .detail || !lookup.moves(pair) {
          names[pair] = .some(name)
        }
        guard let name else { continue }
        let cell = BridgeCell(name: name, product: row.product, country: pair.country)
        let units = row.partnerShare == 0 ? 0 : Int(row.quantity)
        let money = CountedMoney(Int128(row.extendedShare), units: units)
        cells[cell, default: BridgeSums()][.settled] += money
        listener?.hear(
          money, .line(.financeShare), cell,
          BridgeContribution(.settled, BridgeContribution.Settled(row, of: statement)))
        if statement.form != .detail { markUncounted(cell, shift.salesBridges) }
      }
    }
  }

  /// Returns the bridge to which a row belongs; `nil` if it counts from another form, or the form cannot tell.
  private mutating func settledName(
    _ row: FinanceRow, _ pair: SettledPair, _ statement: FinanceStatement
  ) -> BridgeName? {
    let region: String?
    if case .region(let code) = statement.form {
      region = code
    } else if let day = row.transactionDay {
      region = lookup.code(pair, on: day)
    } else {
      region = lookup.codeWithoutDay(pair)
    }
    guard forms.settles(pair, region: region, of: statement) else { return nil }
    guard let region else {
      addUndated(row, pair)
      return nil
    }
    let name = BridgeName(period: pair.period, region: region, currency: pair.currency)
    usedForms[name, default: []].insert(SettlementForm(statement.form))
    return name
  }

  /// Notes that the settlement of all regions to which a row without a day may belong is not known.
  private mutating func addUndated(_ row: FinanceRow, _ pair: SettledPair) {
    for region in lookup.codesWithoutDay(pair)
    where !input.regionFiles(pair.period).contains(region) {
      let name = BridgeName(period: pair.period, region: region, currency: pair.currency)
      undated[name, default: []].insert(texts[Int(pair.country)])
      let cell = BridgeCell(name: name, product: row.product, country: pair.country)
      cells[cell] = cells[cell, default: BridgeSums()]
    }
  }

  // MARK: Cells

  /// Marks a cell whose units belong to another region's bridge, and FINANCIAL has no data to count them.
  private mutating func markUncounted(_ cell: BridgeCell, _ others: [SettledPair: String]) {
    guard input.method(cell.period) == .lags, let other = others[cell.pair] else { return }
    cells[cell, default: BridgeSums()].addOtherRegion(.zero, other)
  }

  /// Adds money to a sum.
  ///
  /// - Parameters:
  ///   - money: The money.
  ///   - part: The sum.
  ///   - cell: The cell that has the sum.
  ///   - rows: The rows behind the money; made only for a listener.
  mutating func add(
    _ money: CountedMoney, _ part: BridgeSums.Part, _ cell: BridgeCell,
    _ rows: @autoclosure () -> BridgeContribution
  ) {
    guard input.hasBridges(cell.period) else { return }
    cells[cell, default: BridgeSums()][part] += money
    listener?.hear(money, .line(part.line), cell, rows())
  }

  mutating func cell(_ period: FiscalPeriod, _ key: UnitKey, on day: Day) -> BridgeCell {
    lookup.cell(
      SettledPair(period: period, country: key.country, currency: key.currency), key.product,
      on: day)
  }

  private mutating func cell(_ period: FiscalPeriod, _ sale: SaleKey) -> BridgeCell {
    lookup.cell(
      SettledPair(period: period, country: sale.country, currency: sale.currency), sale.product,
      on: sale.day)
  }
}

extension RegionLookup {
  /// Returns the cell of the sales of a day, which may be in another period than that of the bridge.
  fileprivate mutating func cell(_ pair: SettledPair, _ product: Symbol, on day: Day) -> BridgeCell
  {
    let name = BridgeName(
      period: pair.period, region: code(pair, on: day), currency: pair.currency)
    return BridgeCell(name: name, product: product, country: pair.country)
  }

  /// Returns the region by day of the sales of a key; `nil` if the region does not depend on the day.
  func regions(_ key: UnitKey) -> ((Day) -> String)? {
    var lookup = self
    let pair = { (day: Day) in
      SettledPair(
        period: FiscalPeriod(containing: day), country: key.country, currency: key.currency)
    }
    guard lookup.everMoves(country: key.country, currency: key.currency) else { return nil }
    return { lookup.code(pair($0), on: $0) }
  }
}
