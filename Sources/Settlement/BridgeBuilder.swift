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

  /// Adds money to a sum of a cell; the rows behind it are made only for a listener.
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
    let name = BridgeName(period: pair.period, region: code(pair, on: day), currency: pair.currency)
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

/// What a line would gain or lose if a unit counted on the other side of a period's edge.
struct EdgeChange {
  let cell: BridgeCell
  let line: Bridge.Line
  let milliunits: Int128
}

/// Units that may be sold on the last day of a period or on the first of the next: METRICS.md section 7, "Labels".
extension BridgeBuilder {
  /// Adds the changes to the bridges that are there without them.
  mutating func add(_ changes: [EdgeChange]) {
    let names = Set(cells.keys.map(\.name))
    for change in changes where names.contains(change.cell.name) {
      cells[change.cell, default: BridgeSums()].addEdge(change.milliunits, change.line)
    }
  }

  /// Returns the changes by the units of one key that are not paired on their own day.
  mutating func edgeChanges(_ key: UnitKey, _ pairing: UnitPairing) -> [EdgeChange] {
    var changes: [EdgeChange] = []
    for unit in pairing.unequal where !isInOtherRegion(key, unit) {
      for first in Set(unit.days.compactMap(Self.dayAfterEdge)) {
        let days = unit.period.firstDay == first ? (first, first - 1) : (first - 1, first)
        guard FiscalPeriod(containing: days.0) == unit.period else { continue }
        changes += amounts(key, unit, countedOn: days.0, isOwn: true).map {
          EdgeChange(cell: $0.cell, line: $0.line, milliunits: -$0.milliunits)
        }
        changes += amounts(key, unit, countedOn: days.1, isOwn: false)
      }
    }
    return changes
  }

  /// Returns whether line 25 has the units.
  private mutating func isInOtherRegion(_ key: UnitKey, _ unit: UnequalUnits) -> Bool {
    let pair = cell(unit.period, key, on: unit.days[0]).pair
    return unit.settled == nil && shift.settlementBridges[pair] != nil
      || unit.sold == nil && shift.salesBridges[pair] != nil
  }

  /// Days before and after an edge: units of one key hand on a day that differs, each to the next.
  private static var edgeDays: Int { 5 }

  /// Returns the first day of the period whose edge a day is near.
  private static func dayAfterEdge(_ day: Day) -> Day? {
    let period = FiscalPeriod(containing: day)
    if day - period.firstDay < edgeDays { return period.firstDay }
    return period.lastDay - day < edgeDays ? period.lastDay + 1 : nil
  }

  /// Returns what units add to lines 20 to 23 if they count in the period of a day.
  private mutating func amounts(
    _ key: UnitKey, _ unit: UnequalUnits, countedOn day: Day, isOwn: Bool
  ) -> [EdgeChange] {
    let period = FiscalPeriod(containing: day)
    let own = cell(period, key, on: day)
    guard let settled = unit.settled else {
      // The range of a period that is not final has its open units.
      guard let sold = unit.sold, input.method(period) == .counting,
        !isOwn || input.isFinal(period)
      else { return [] }
      return [
        EdgeChange(
          cell: own, line: openPart(key, day, period).line,
          milliunits: -key.value(sold.share, unit.count).milliunits)
      ]
    }
    guard settled.period != period else { return [] }
    let value = key.value(settled.share, unit.count).milliunits
    let there = cell(settled.period, key, on: settled.transactionDay)
    return [
      EdgeChange(cell: there, line: key.timing.into.line, milliunits: value),
      EdgeChange(cell: own, line: key.timing.out.line, milliunits: -value),
    ].filter { input.method($0.cell.period) == .counting }
  }
}
