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

  static func count(_ number: Int) -> Figure { Figure(above: Int128(number), kind: .count) }
  static func money(_ milliunits: Int128) -> Figure { Figure(above: milliunits, kind: .money) }
  static func rate(_ above: Int, of below: Int?) -> Figure {
    Figure(above: Int128(above), below: below.map { Int128($0) }, kind: .rate)
  }
  static func rate(amount above: Int128, of below: Int128) -> Figure {
    Figure(above: above, below: below, kind: .rateOfMoney)
  }

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
  case needs(String)

  static let graceDates = Step.needs("grace dates")
  static let instants = Step.needs("instants")
}

extension TableMaker {
  /// Makes the rows of `definitions`.
  func definitionRows(_ report: SourceReport, _ view: Int) -> [KeyedRow] {
    guard let grid = report.tally.others, views[view].isEmpty else { return [] }
    let others = OtherNumbers(report, view, grid, names)
    var rows: [KeyedRow] = []
    for month in others.months {
      func add(
        _ measure: OtherMeasure, _ tool: OtherTool, currency: String = "",
        _ state: SourceReport.State, _ ours: Figure, _ steps: [(axis: OtherAxis, step: Step)],
        source: String = report.source.rawValue, keepsEmpty: Bool = false
      ) {
        let figures = steps.compactMap { if case .to(let figure) = $0.step { figure } else { nil } }
        guard keepsEmpty || !([ours] + figures).allSatisfy(\.isZero) else { return }
        let keys: [KeyedRow.Key] = [
          .text(source), .text(report.name(month)), .text(measure.rawValue), .text(currency),
          .text(tool.rawValue),
        ]
        var (last, missing) = (ours, [OtherAxis]())
        var known = ours.printed
        func row(
          _ axis: OtherAxis, _ figure: Figure?, since other: Int128?, _ state: String
        ) -> KeyedRow {
          let cells: [ReportTable.Cell] = [
            figure.map { $0.cell($0.above) } ?? .missing,
            figure.map { $0.cell($0.below) } ?? .missing, figure?.value ?? .missing,
            figure?.change(since: other) ?? .missing,
            // A month without files has no number and this state in every row.
            report.completeness.isWithoutFiles(month)
              ? SourceReport.State.partial.cell : .text(state),
          ]
          return KeyedRow(
            keys: keys, cells: [.text(axis.rawValue)] + self.known(cells, in: month, report))
        }
        rows.append(row(.ours, ours, since: nil, state.rawValue))
        for (axis, step) in steps {
          switch step {
          case .needs(let what):
            missing.append(axis)
            rows.append(row(axis, nil, since: nil, "needs \(what)"))
          case .to(let figure):
            rows.append(row(axis, figure, since: known, ""))
            last = figure
            known = figure.printed ?? known
          }
        }
        let state =
          missing.isEmpty ? "exact" : "without \(missing.map(\.rawValue).joined(separator: ", "))"
        rows.append(row(.theirs, last, since: ours.printed, state))
      }
      if report.source == .events {
        if let active = others.snapshot[month] {
          add(
            .active, .apple, active.isOver ? .final : .provisional, .count(active.count),
            [(.month, .instants)], source: "snapshot")
        }
      } else {
        addActive(others, month) { add(.active, $0, $1, $2, $3) }
        addChurn(others, month) {
          add(.churnRate, $0, $1, $2, $3, keepsEmpty: others.hasRow(month))
        }
        addConversion(others, month) { add(.conversionRate, $0, $1, $2, $3) }
        addMRR(others, month) { add(.mrr, $0, currency: $1, $2, $3, $4) }
        addRefunds(others, month) { add(.refundRate, $0, currency: $1, $2, $3, $4) }
      }
      addRenewals(others, month) { add(.renewalRate, $0, $1, $2, $3) }
    }
    return rows
  }

  private typealias Steps = [(axis: OtherAxis, step: Step)]

  private func addActive(
    _ others: OtherNumbers, _ month: Month,
    _ add: (OtherTool, SourceReport.State, Figure, Steps) -> Void
  ) {
    let active = others.active(month)
    let state = others.churnState(month, self)
    let standard = others.active(month) { $0.kind == .standard }
    let ofCustomers = Step.to(.count(active - others.count(.furtherPlaces, month)))
    add(.apphud, state, .count(active), [(.population, .to(.count(standard)))])
    let pacific = Step.to(.count(active + others.count(.pacificPlaces, month)))
    add(.apple, state, .count(active), [(.month, others.hasInstants ? pacific : .instants)])
    add(.chartmogul, state, .count(active), [(.population, ofCustomers)])
    add(.recurly, state, .count(active), [(.population, ofCustomers)])
    let inGrace = Step.to(.count(active + others.count(.inGrace, month)))
    add(.revenuecat, state, .count(active), [(.date, others.hasGrace ? inGrace : .graceDates)])
  }

  private func addChurn(
    _ others: OtherNumbers, _ month: Month,
    _ add: (OtherTool, SourceReport.State, Figure, Steps) -> Void
  ) {
    let state = others.churnState(month, self)
    let start = others.activeStart(month)
    let churned = others.facts(FactSums.churned, month)
    let ours = Figure.rate(churned, of: start)
    let customers = start.map { $0 - others.count(.furtherPlaces, month - 1) }
    let ofStart = others.count(.lostCustomerOfStart, month)
    let lost = ofStart + others.count(.lostNewCustomer, month)
    let population = Step.to(.rate(lost, of: customers))
    let denominator = Step.to(.rate(ofStart, of: customers))
    add(.chartmogul, state, ours, [(.population, population), (.denominator, denominator)])
    add(.recurly, state, ours, [(.population, population)])
    // Without grace dates these are 0.
    let dated = churned + others.count(.graceChurned, month)
    let held = start.map { $0 + others.count(.inGrace, month - 1) }
    let date = others.hasGrace ? Step.to(.rate(dated, of: held)) : .graceDates
    let lapses =
      dated + others.facts([.enteredRetry], month) + others.count(.graceEnteredRetry, month)
    let returns =
      others.facts([.recovered, .reactivated], month) + others.count(.graceRecovered, month)
      + others.count(.graceReactivated, month)
    add(
      .revenuecat, state, ours,
      [(.date, date), (.recovery, .to(.rate(lapses - returns, of: held)))])
    let changes = others.productChanges(month)
    add(
      .revenuecat3, state, ours,
      [
        (.date, date), (.recovery, .to(.rate(lapses, of: held))),
        (.product, .to(.rate(lapses + changes, of: held))),
      ])
  }

  private func addConversion(
    _ others: OtherNumbers, _ month: Month,
    _ add: (OtherTool, SourceReport.State, Figure, Steps) -> Void
  ) {
    let trials = others.facts(FactSums.trials, month)
    let state = others.state(month, undecided: [.trialPending], isNearTransfer: true)
    let ours = Figure.rate(others.facts([.trialConverted], month), of: trials)
    let rate = { (fact: OtherFact) in Step.to(.rate(others.count(fact, month), of: trials)) }
    add(
      .revenuecat, state, ours,
      [
        (.population, .needs("customers first seen in the month")),
        (.recovery, rate(.trialPaid)), (.refund, rate(.trialPaidNotRefunded)),
      ])
    add(.revenuecat3, state, ours, [(.recovery, rate(.trialContinued))])
  }

  private func addMRR(
    _ others: OtherNumbers, _ month: Month,
    _ add: (OtherTool, String, SourceReport.State, Figure, Steps) -> Void
  ) {
    let state = others.churnState(month, self)
    for (currency, code) in others.currencies(month) {
      let sum = { (worth: OtherNumbers.Worth, further: [OtherFact]) -> Figure in
        .money(others.amount(month, currency, worth, with: further))
      }
      let ours = sum(.price, [])
      add(
        .adapty, code, state, ours,
        [
          (.basis, .to(sum(.byAdapty, []))),
          (.refund, .to(sum(.byAdapty, [.withoutRefundedCharges]))),
        ])
      let hasProceeds = others.report.source.hasProceeds
      add(
        .apphud, code, state, ours,
        [(.basis, hasProceeds ? .to(sum(.proceeds, [])) : .needs("proceeds"))])
      add(
        .chartmogul, code, state, ours,
        [(.refund, .to(sum(.price, [.withRefundedPeriods])))])
      let inGrace = Step.to(sum(.byRevenueCat, [.inGrace]))
      add(
        .revenuecat, code, state, ours,
        [
          (.basis, .to(sum(.byRevenueCat, []))),
          (.date, others.hasGrace ? inGrace : .graceDates),
        ])
    }
  }

  private func addRefunds(
    _ others: OtherNumbers, _ month: Month,
    _ add: (OtherTool, String, SourceReport.State, Figure, Steps) -> Void
  ) {
    let money = others.money[month] ?? [:]
    let days = others.report.completeness
    let mayBeRefundedLater =
      days.lastFullDay - days.monthSystem.lastDay(of: month) < ChainBuilder.retryDays
    let state = others.state(month, isUndecided: mayBeRefundedLater, isNearTransfer: true)
    let (charges, full, partial) = money.values.reduce(into: (0, 0, 0)) { sums, cell in
      sums.0 += cell.charges.count
      sums.1 += cell.bySale.full
      sums.2 += cell.bySale.partial
    }
    add(
      .revenuecat, "", state, .rate(full, of: charges),
      [(.refund, .to(.rate(full + partial, of: charges)))])
    for (currency, cell) in money {
      let ours = Figure.rate(cell.bySale.full, of: cell.charges.count)
      let (charged, refunded) = (cell.charges.sum, cell.byRefund.sum)
      let isKnown =
        !charged.hasForeignPrice && !refunded.hasForeignPrice
        && others.report.source.hasPrice(in: currency)
      let refunds = cell.byRefund.full + cell.byRefund.partial
      let fullPrice = others.fullRefunds[month]?[currency] ?? 0
      add(
        .apphud, names.text(currency), state, ours,
        isKnown
          ? [
            (.basis, .to(.rate(amount: fullPrice, of: charged.price))),
            (.refund, .to(.rate(amount: refunded.price, of: charged.price))),
          ]
          : [
            (.basis, .needs("prices")), (.refund, .to(.rate(refunds, of: cell.charges.count))),
          ])
    }
  }

  private func addRenewals(
    _ others: OtherNumbers, _ month: Month,
    _ add: (OtherTool, SourceReport.State, Figure, Steps) -> Void
  ) {
    let due = others.facts(
      others.report.source == .events
        ? [.dueRenewed, .dueLapsed, .duePending] : FactSums.due, month)
    let renewed = others.facts([.dueRenewed], month)
    let state = others.state(
      month, undecided: others.report.source == .events ? [] : [.duePending], isNearTransfer: true)
    let same = renewed - others.count(.renewedByOther, month)
    let pacific = Figure.rate(
      same + others.count(.pacificRenewed, month) - others.count(.pacificRenewedByOther, month),
      of: due + others.count(.pacificDue, month))
    add(
      .apple, state, .rate(renewed, of: due),
      [
        (.product, .to(.rate(same, of: due))),
        (.month, others.hasInstants ? .to(pacific) : .instants),
      ])
  }
}

/// The counts of the whole population from which `definitions` is made.
private struct OtherNumbers {
  /// What a charge is worth a month, by our factors or by those of another tool.
  enum Worth: CaseIterable {
    case price, proceeds, byAdapty, byRevenueCat

    /// Returns the factor of the price for a number of days, as a fraction; `nil` for ours.
    func factor(ofDays days: Int) -> (Int128, Int128)? {
      switch (self, days) {
      case (.byAdapty, _): (700, 23 * Int128(days))
      case (.byRevenueCat, 1): (30, 1)
      case (.byRevenueCat, 3): (10, 1)
      case (.byRevenueCat, 7): (4, 1)
      case (.byRevenueCat, 14): (2, 1)
      case (.byRevenueCat, _): (28, Int128(days))
      default: nil
      }
    }

    /// Returns the monthly value of each charge.
    func amounts(_ values: [ChargeValue], _ usual: UsualTerms) -> [Amount] {
      let basis = self == .proceeds ? \ChargeValue.proceeds : \.price
      return values.map { value in
        let term = usual.term(of: value.product) ?? value.term
        guard term.months == 0, let (factor, divisor) = factor(ofDays: max(1, Int(term.days)))
        else { return value.monthly(basis, usual) }
        let month = (Int128(value.price.milliunits) * factor).dividedHalfUp(by: divisor)
        return Amount(milliunits: Int64(clamping: month), currency: value.price.currency)
      }
    }
  }

  let report: SourceReport
  /// The months that have rows.
  let months: [Month]
  /// The money of each month by the currency of its proceeds.
  private(set) var money: [Month: [Symbol: MoneyCell]] = [:]
  /// The prices of full refunds by the month of the sale.
  private(set) var fullRefunds: [Month: [Symbol: Int128]] = [:]
  /// The paid subscriptions in snapshots, and whether the snapshot is of the month's end.
  private(set) var snapshot: [Month: (count: Int, isOver: Bool)] = [:]
  private let view: ViewTally
  private let before: Stock
  private let names: Names
  private let grid: OtherGrid
  /// The number of charges of each value at the end of each month.
  private var charges: [Month: [Int32: Int]] = [:]
  private let values: [ChargeValue]
  /// The monthly values of the charges, and of those of other counts.
  private let worths, furtherWorths: [Worth: [Amount]]
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
      Dictionary(uniqueKeysWithValues: Worth.allCases.map { ($0, $0.amounts(values, usual)) })
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
          }, system.lastDay(of: month) == day
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
    for fact in [
      OtherFact.furtherPlaces, .pacificPlaces, .withRefundedPeriods, .withoutRefundedCharges,
    ] {
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

  // MARK: Counts

  var hasInstants: Bool { report.source == .receipts }
  /// Whether grace periods are known.
  var hasGrace: Bool { report.source == .receipts && grid.hasRenewalInfo }

  /// Returns whether `churn` has a row even if it counts nothing.
  func hasRow(_ month: Month) -> Bool {
    report.tally.firstChargeDay.map { report.completeness.monthSystem.month(of: $0) <= month }
      ?? false
  }

  func facts(_ facts: [Fact], _ month: Month) -> Int {
    view.index.cohorts.indices.reduce(0) { sum, cohort in
      sum + facts.sum { view.facts.count($0, cohort: cohort, month: month) }
    }
  }

  /// Returns the events of a month, or a stock at its end.
  func count(_ fact: OtherFact, _ month: Month) -> Int {
    counts[fact]?[month]?.values.reduce(0, +) ?? 0
  }

  func active(_ month: Month, where counts: (ChargeValue) -> Bool = { _ in true }) -> Int {
    (charges[month] ?? [:]).reduce(0) { $0 + (counts(values[Int($1.key)]) ? $1.value : 0) }
  }

  /// Returns the subscriptions before a month, as `churn` has them; `nil` if they are not known.
  func activeStart(_ month: Month) -> Int? {
    let isUnknown = report.source.hasLeftEdge && month <= report.completeness.firstMonth
    if isUnknown { return nil }
    return view.index.cohorts.isEmpty ? 0 : before.before(month, cohort: 0)
  }

  func productChanges(_ month: Month) -> Int { changesOfProduct[month] ?? 0 }

  // MARK: Amounts

  /// Returns the currencies of the charges that pay for the end of a month, or would by another tool's text, in order.
  func currencies(_ month: Month) -> [(Symbol, String)] {
    let known = (charges[month] ?? [:]).keys.map { values[Int($0)] }
    let further = [OtherFact.withRefundedPeriods, .inGrace].flatMap { fact in
      (counts[fact]?[month] ?? [:]).keys.map { grid.values[Int($0)] }
    }
    let symbols = Set((known + further).map(\.price.currency))
    return symbols.filter(report.source.hasPrice).map { ($0, names.text($0)) }
      .sorted { $0.1.precedes($1.1) }
  }

  /// Returns the monthly values of the charges at the end of a month in a currency.
  ///
  /// - Parameters:
  ///   - month: The month.
  ///   - currency: The currency.
  ///   - worth: What a charge is worth.
  ///   - further: Stocks to add.
  /// - Returns: Milliunits.
  func amount(
    _ month: Month, _ currency: Symbol, _ worth: Worth, with further: [OtherFact]
  ) -> Int128 {
    func sum(_ stock: [Int32: Int]?, _ worths: [Worth: [Amount]]) -> Int128 {
      guard let stock, let amounts = worths[worth] else { return 0 }
      return stock.reduce(Int128(0)) { sum, entry in
        let amount = amounts[Int(entry.key)]
        return amount.currency == currency
          ? sum + Int128(entry.value) * Int128(amount.milliunits) : sum
      }
    }
    return further.reduce(sum(charges[month], worths)) {
      $0 + sum(counts[$1]?[month], furtherWorths)
    }
  }

  // MARK: States

  func churnState(_ month: Month, _ maker: TableMaker) -> SourceReport.State {
    maker.churnState(of: month, cohort: 0, report, view)
  }

  func state(
    _ month: Month, undecided: [Fact] = [], isUndecided: Bool = false, isNearTransfer: Bool
  ) -> SourceReport.State {
    report.state(
      of: month, isUndecided: isUndecided || undecided.contains { facts([$0], month) > 0 },
      isAtEdge: isNearTransfer && report.isNearTransfer(month, cohort: 0, view))
  }
}
