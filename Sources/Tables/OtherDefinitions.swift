import Counting
import Storage
import SubscriptionModel

extension Definition {
  /// `definitions`: METRICS.md 11.5.
  static func others(_ words: SourceWording) -> Definition {
    Definition(
      table: .definitions, title: "Other dashboards",
      sentence:
        "Each number of ours, and what the published text of another tool makes of the same data, one difference after the other.",
      caveat:
        words.text(
          "A row `ours` has our number; each following row changes one thing as the tool's text says and keeps the changes above it; `theirs` has all of them. The changes add up. What the data cannot say has no number: `needs` names it, and `theirs` is then without it. The tool itself may count other data, and its text may have changed since it was read.",
          receipts:
            "In `receipts` grace periods are known as far as renewal infos were seen."
        ),
      // Those of `events` are also rows of source `snapshot`.
      sources: [.events, .receipts, .subscribers],
      rowIs: "month × measure × currency × tool × step",
      keys: (["source", "month", "measure", "currency", "tool", "axis"], []), sizes: [],
      columns: [
        ranked(
          .number, "numerator", 4,
          "The count or the amount, or what stands above the line of a rate."
        ),
        ranked(
          .number, "denominator", 5, "What stands below the line of a rate; empty for others."),
        ranked(
          .rate, "value", 1,
          "`numerator / denominator` of a rate; the numerator of a count or an amount."),
        ranked(
          .rate, "change", 2,
          "The value less that of the last row with a value; of `theirs` less that of `ours`."),
        ranked(
          .text, "state", 3,
          "Of `ours` that of its table. `needs X`: the data lack X. Of `theirs` `exact`, or `without` the steps that need something."
        ),
      ])
  }

  private static func ranked(
    _ kind: ReportTable.Column.Kind, _ name: String, _ rank: Int, _ meaning: String
  ) -> Column {
    var column = Column(name, kind, meaning, isChange: name == "change")
    column.rank = rank
    return column
  }
}

/// A count, an amount or a rate, as a row of `definitions` has it.
private struct Figure {
  enum Kind { case count, money, rate, rateOfMoney }

  var above: Int128?
  var below: Int128?
  var kind: Kind

  /// Whether it counts anything.
  var isZero: Bool { (above ?? 0) == 0 && (below ?? 0) == 0 }

  /// The printed value in units of its last digit: 1, a thousandth or a millionth.
  var printed: Int128? {
    guard let above else { return nil }
    guard kind == .rate || kind == .rateOfMoney else { return above }
    guard let below, below != 0 else { return nil }
    return (above * 1_000_000).dividedHalfToEven(by: below)
  }

  var value: ReportTable.Cell {
    guard kind == .rate || kind == .rateOfMoney else { return cell(above) }
    guard let above, let below, below != 0 else { return .missing }
    return .ratio(numerator: above, denominator: below)
  }

  func change(since other: Int128?) -> ReportTable.Cell {
    guard let printed, let other else { return .missing }
    return kind == .rate || kind == .rateOfMoney
      ? .ratio(numerator: printed - other, denominator: 1_000_000) : cell(printed - other)
  }

  func cell(_ number: Int128?) -> ReportTable.Cell {
    guard let number else { return .missing }
    return kind == .money || kind == .rateOfMoney
      ? .money(milliunits: number) : .count(Int(clamping: number))
  }
}

/// A step from our number to another tool's.
private enum Step {
  case to(Figure)
  /// The data lack a fact.
  case needs(OtherNeed)
}

extension TableMaker {
  /// Makes the rows of `definitions`.
  func definitionRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    guard let grid = report.tally.others, views[view].isEmpty else { return [] }
    let others = OtherNumbers(report, view, grid, names)
    return others.months.flatMap { month in
      OtherMeasure.allCases.flatMap { measure in
        measure.tools.flatMap { tool in
          others.currencies(of: measure, tool, month).flatMap {
            definitionRows(others, measure, tool, $0, month)
          }
        }
      }
    }
  }

  private func definitionRows(
    _ others: OtherNumbers, _ measure: OtherMeasure, _ tool: OtherTool, _ currency: Symbol?,
    _ month: Month
  ) -> [KeyedRow] {
    let report = others.report
    let hasPrices = currency.map { others.hasPrices($0, month) } ?? true
    let number = OtherNumber(measure, tool, hasPrices: hasPrices)
    let figure = { others.figure($0, month, currency) }
    let ours = figure(number.ours)
    let steps = number.steps.map { axis, own, need -> (axis: OtherAxis, step: Step) in
      guard let need, others.lacks(need, hasPrices: hasPrices) else {
        return (axis, .to(figure(own)))
      }
      return (axis, .needs(need))
    }
    let figures = steps.compactMap { if case .to(let figure) = $0.step { figure } else { nil } }
    let keepsEmpty = measure == .churnRate && others.hasRow(month)
    guard keepsEmpty || !([ours] + figures).allSatisfy(\.isZero) else { return [] }
    let source =
      report.source == .events && measure == .active ? "snapshot" : report.source.rawValue
    let keys: [KeyedRow.Key] = [
      .text(source), .text(report.name(month)), .text(measure.rawValue),
      .text(currency.map(names.text) ?? ""), .text(tool.rawValue),
    ]
    var rows: [KeyedRow] = []
    func add(_ axis: OtherAxis, _ figure: Figure?, since other: Int128?, _ state: String) {
      let cells: [ReportTable.Cell] = [
        figure.map { $0.cell($0.above) } ?? .missing,
        figure.map { $0.cell($0.below) } ?? .missing, figure?.value ?? .missing,
        figure?.change(since: other) ?? .missing,
        // A month without files has no number and this state in every row.
        report.completeness.isWithoutFiles(month)
          ? SourceReport.State.partial.cell : .text(state),
      ]
      rows.append(
        KeyedRow(keys: keys, cells: [.text(axis.rawValue)] + self.known(cells, in: month, report)))
    }
    var (last, missing) = (ours, [OtherAxis]())
    var known = ours.printed
    add(.ours, ours, since: nil, others.state(of: measure, month, self).rawValue)
    for (axis, step) in steps {
      switch step {
      case .needs(let what):
        missing.append(axis)
        add(axis, nil, since: nil, what.state)
      case .to(let figure):
        add(axis, figure, since: known, "")
        last = figure
        known = figure.printed ?? known
      }
    }
    let state =
      missing.isEmpty ? "exact" : "without \(missing.map(\.rawValue).joined(separator: ", "))"
    add(.theirs, last, since: ours.printed, state)
    return rows
  }
}

/// The counts of the whole population from which `definitions` is made.
private struct OtherNumbers {
  let report: SourceReport
  /// The months that have rows.
  let months: [Month]
  /// The money of each month by the currency of its proceeds.
  private(set) var money: [Month: [Symbol: MoneyCell]] = [:]
  /// The prices of full refunds by the month of the sale.
  private(set) var fullRefunds: [Month: [Symbol: Int128]] = [:]
  /// The paid subscriptions in snapshots, and their state.
  private(set) var snapshot: [Month: (count: Int, state: SourceReport.State)] = [:]
  private let view: ViewTally
  private let before: Stock
  private let names: Names
  private let grid: OtherGrid
  /// The number of charges of each value at the end of each month.
  private var charges: [Month: [Int32: Int]] = [:]
  private let values: [ChargeValue]
  /// The monthly values of the charges, and of those of other counts.
  private let worths, furtherWorths: [OtherWorth: [Amount]]
  /// What other tools count: stocks at the end of a month, or events of it, by value.
  private var counts: [OtherFact: [Month: [Int32: Int]]] = [:]
  private var changesOfProduct: [Month: Int] = [:]

  init(_ report: SourceReport, _ viewIndex: Int, _ grid: OtherGrid, _ names: Names) {
    (self.report, self.grid, self.names) = (report, grid, names)
    let view = report.tally.views[viewIndex]
    self.view = view
    before = Stock(report, viewIndex)
    let values = view.recurring?.values ?? []
    let usual = report.tally.usualTerms
    let all = { (values: [ChargeValue]) in
      Dictionary(
        uniqueKeysWithValues: OtherWorth.allCases.map { worth in
          (worth, values.map { worth.monthly($0, usual).result })
        })
    }
    (self.values, worths, furtherWorths) = (values, all(values), all(grid.values))
    var flows: [Month: [Int32: Int]] = [:]
    if let recurring = view.recurring {
      for (key, count) in recurring.entries where count != 0 {
        if key.leavesCohort { flows[key.month, default: [:]][key.old, default: 0] -= count }
        if key.entersCohort { flows[key.month, default: [:]][key.new, default: 0] += count }
        if key.flow == .product || key.flow == .movedInProduct {
          changesOfProduct[key.month, default: 0] += count
        }
      }
    }
    for (key, cell) in view.money.cells {
      money[key.month, default: [:]][key.currency] = cell
    }
    for (key, count) in grid.entries where count != 0 {
      counts[key.fact, default: [:]][key.month, default: [:]][key.value, default: 0] += count
      guard key.fact == .fullRefund else { continue }
      let value = grid.values[Int(key.value)]
      fullRefunds[key.month, default: [:]][value.proceeds.currency, default: 0] +=
        Int128(count) * Int128(value.price.milliunits)
    }
    let system = report.completeness.monthSystem
    if report.source == .events {
      let days = Dictionary(
        report.tally.snapshotDays.map { (system.month(of: $0), $0) }, uniquingKeysWith: max)
      for (month, day) in days {
        snapshot[month] = (
          view.snapshots.counts.reduce(0) {
            $0 + ($1.key.day == day && $1.key.column.isPaid ? $1.value : 0)
          }, report.stateOfSnapshot(of: day)
        )
      }
    }
    let used = view.facts.usedMonths
    let changed =
      Array(flows.keys) + Array(money.keys) + Array(snapshot.keys)
      + counts.values.flatMap { Array($0.keys) }
      + [used?.lowerBound, report.tally.firstChargeDay.map(system.month)].compactMap { $0 }
    let (first, last) = (changed.min(), report.completeness.lastMonth)
    guard let first, first <= last else {
      months = []
      return
    }
    months = (0...(last - first)).map { first + $0 }
    charges = Self.stocks(flows, months)
    for fact in OtherFact.allCases where fact.isStock {
      counts[fact] = counts[fact].map { Self.stocks($0, months) }
    }
  }

  /// Returns the sums up to the end of each month.
  private static func stocks(
    _ changes: [Month: [Int32: Int]], _ months: [Month]
  ) -> [Month: [Int32: Int]] {
    var stock: [Int32: Int] = [:]
    return Dictionary(
      uniqueKeysWithValues: months.map { month in
        stock.merge(changes[month] ?? [:], uniquingKeysWith: +)
        stock = stock.filter { $0.value != 0 }
        return (month, stock)
      })
  }

  /// Returns whether the data lack a fact.
  func lacks(_ need: OtherNeed, hasPrices: Bool) -> Bool {
    switch need {
    case .graceDates: report.source != .receipts || !grid.hasRenewalInfo
    case .instants: report.source != .receipts
    case .proceeds: !report.source.hasProceeds
    case .prices: !hasPrices
    case .firstSeen: true
    }
  }

  /// Returns the currencies of the rows of a measure; `nil` for a row without one, none for no rows.
  func currencies(of measure: OtherMeasure, _ tool: OtherTool, _ month: Month) -> [Symbol?] {
    if report.source == .events {
      let isKnown = measure == .active && tool == .apple && snapshot[month] != nil
      return isKnown || measure == .renewalRate ? [nil] : []
    }
    guard measure.hasCurrencies(tool) else { return [nil] }
    return measure == .mrr ? currencies(month, tool) : (money[month] ?? [:]).keys.map { $0 }
  }

  /// Returns whether the price of each charge and refund of a currency is known.
  func hasPrices(_ currency: Symbol, _ month: Month) -> Bool {
    guard let cell = money[month]?[currency] else { return true }
    return !cell.charges.sum.hasForeignPrice && !cell.byRefund.sum.hasForeignPrice
      && report.source.hasPrice(in: currency)
  }

  // MARK: Figures

  func figure(_ figure: OtherFigure, _ month: Month, _ currency: Symbol?) -> Figure {
    let sum = { (terms: [OtherTerm]) -> Int128? in
      terms.reduce(0) { sum, term in
        guard let sum, let number = number(term, month, currency) else { return nil }
        return term.isSubtracted ? sum - number : sum + number
      }
    }
    let isMoney = figure.above.contains(where: \.measure.isMoney)
    guard !figure.below.isEmpty else {
      return Figure(above: sum(figure.above), kind: isMoney ? .money : .count)
    }
    let below = sum(figure.below)
    // Who of those that left was there at the start is not known either.
    let counted = figure.above.flatMap(\.counted)
    let isOfStart =
      counted.contains(.other(.lostCustomerOfStart)) && !counted.contains(.other(.lostNewCustomer))
    return Figure(
      above: below == nil && isOfStart ? nil : sum(figure.above), below: below,
      kind: isMoney ? .rateOfMoney : .rate)
  }

  /// Returns the number of a term; `nil` if it is not known.
  private func number(_ term: OtherTerm, _ month: Month, _ currency: Symbol?) -> Int128? {
    let month = term.isOfMonthBefore ? month - 1 : month
    switch term.measure {
    case .value: return currency.map { amount(month, $0, term) }
    case .price: return currency.map { price(month, $0, term) }
    default: break
    }
    var sum = 0
    for counted in term.counted {
      guard let count = count(counted, month, currency, isDatedBySale: term.isDatedBySale) else {
        return nil
      }
      sum += count
    }
    return Int128(sum)
  }

  private func count(
    _ counted: Counted, _ month: Month, _ currency: Symbol?, isDatedBySale: Bool
  ) -> Int? {
    switch counted {
    case .fact(let fact): return facts([fact], month)
    case .other(let fact): return count(fact, month)
    case .activeBefore: return activeStart(month)
    case .recurring: return snapshot[month]?.count ?? active(month)
    case .status: return active(month) { $0.kind == .standard }
    case .changedProduct: return productChanges(month)
    default: break
    }
    let cells = (money[month] ?? [:]).filter { currency == nil || $0.key == currency }.values
    return cells.reduce(0) { sum, cell in
      let refunds = isDatedBySale ? cell.bySale : cell.byRefund
      return switch counted {
      case .refund(let isFull): sum + (isFull ? refunds.full : refunds.partial)
      default: sum + cell.charges.count
      }
    }
  }

  /// Returns the price of the charges of a month, of its refunds, or of the full refunds of its sales.
  private func price(_ month: Month, _ currency: Symbol, _ term: OtherTerm) -> Int128 {
    if term.isDatedBySale { return fullRefunds[month]?[currency] ?? 0 }
    guard let cell = money[month]?[currency] else { return 0 }
    return term.counted == [.charge] ? cell.charges.sum.price : cell.byRefund.sum.price
  }

  // MARK: Counts

  /// Returns whether `churn` has a row even if it counts nothing.
  func hasRow(_ month: Month) -> Bool {
    report.tally.firstChargeDay.map { report.completeness.monthSystem.month(of: $0) <= month }
      ?? false
  }

  private func facts(_ facts: [Fact], _ month: Month) -> Int {
    view.index.cohorts.indices.reduce(0) { sum, cohort in
      sum + facts.sum { view.facts.count($0, cohort: cohort, month: month) }
    }
  }

  /// Returns the events of a month, or a stock at its end.
  private func count(_ fact: OtherFact, _ month: Month) -> Int {
    counts[fact]?[month]?.values.reduce(0, +) ?? 0
  }

  private func active(_ month: Month, where counts: (ChargeValue) -> Bool = { _ in true }) -> Int {
    (charges[month] ?? [:]).reduce(0) { $0 + (counts(values[Int($1.key)]) ? $1.value : 0) }
  }

  /// Returns the subscriptions before a month, as `churn` has them; `nil` if they are not known.
  private func activeStart(_ month: Month) -> Int? {
    let isUnknown = report.source.hasLeftEdge && month <= report.completeness.firstMonth
    if isUnknown { return nil }
    return view.index.cohorts.isEmpty ? 0 : before.before(month, cohort: 0)
  }

  private func productChanges(_ month: Month) -> Int { changesOfProduct[month] ?? 0 }

  // MARK: Amounts

  /// Returns the currencies of the charges that pay for the end of a month, or would by another tool's text, in order.
  private func currencies(_ month: Month, _ tool: OtherTool) -> [Symbol] {
    let known = (charges[month] ?? [:]).keys.map { values[Int($0)] }
    let further = [OtherFact.withRefundedPeriods, .inGrace].flatMap { fact in
      (counts[fact]?[month] ?? [:]).keys.map { grid.values[Int($0)] }
    }
    var symbols = Set((known + further).map(\.price.currency))
    if tool == .apphud, report.source.hasProceeds {
      symbols.formUnion(known.map(\.proceeds.currency).filter { $0 != .blank })
    }
    return symbols.filter(report.source.hasPrice)
  }

  /// Returns the monthly values of charges at the end of a month in a currency, in milliunits.
  private func amount(_ month: Month, _ currency: Symbol, _ term: OtherTerm) -> Int128 {
    var sum = Int128(0)
    for counted in term.counted {
      let stock: [Int32: Int]?
      let amounts: [Amount]?
      if case .other(let fact) = counted {
        (stock, amounts) = (counts[fact]?[month], furtherWorths[term.worth])
      } else {
        (stock, amounts) = (charges[month], worths[term.worth])
      }
      guard let stock, let amounts else { continue }
      for (value, count) in stock where amounts[Int(value)].currency == currency {
        sum += Int128(count) * Int128(amounts[Int(value)].milliunits)
      }
    }
    return sum
  }

  // MARK: States

  /// Returns the state of our number.
  func state(of measure: OtherMeasure, _ month: Month, _ maker: TableMaker) -> SourceReport.State {
    switch measure {
    case .active, .churnRate, .mrr:
      if let snapshot = snapshot[month] { return snapshot.state }
      return maker.churnState(of: month, cohort: 0, report, view)
    case .conversionRate: return state(month, facts([.trialPending], month) > 0)
    case .refundRate:
      let days = report.completeness
      let age = days.lastFullDay - days.monthSystem.lastDay(of: month)
      return state(month, age < ChainBuilder.retryDays)
    case .renewalRate:
      return state(month, report.source != .events && facts([.duePending], month) > 0)
    }
  }

  private func state(_ month: Month, _ isUndecided: Bool) -> SourceReport.State {
    report.state(
      of: month, isUndecided: isUndecided,
      isAtEdge: report.isNearTransfer(month, cohort: 0, view))
  }
}
