package import Storage
package import SubscriptionModel

/// All counts of one source: one tally per view, and counts of the source as a whole.
package struct Tally: Sendable {
  package let source: Source
  /// Calendar or fiscal months.
  package let monthSystem: MonthSystem
  /// One tally per view, in the order of the requested views; those of retention alone come last.
  package var views: [ViewTally]
  /// The views of every table whose dimensions the source can supply.
  let fullViews: [Int]
  /// The views of `retention` alone whose dimensions the source can supply.
  let retentionViews: [Int]
  /// Selects the rows that count.
  let filter: Filter
  /// Lapses close to a missing day, by month: the missing file may contain the next charge.
  var doubtfulLapses: [Month: Int] = [:]
  /// The same for periods without a next charge so far, by the day from which they are lapses.
  var laterDoubtfulLapses = CountsFromDay<Month, Int>()
  /// Months with a snapshot of the day before their first day.
  package var snapshotMonths: Set<Month> = []
  /// The days of the snapshots that tables of money may use.
  package var snapshotDays: Set<Day> = []
  /// Quantities of events with an unknown name, by name.
  package var unknownEvents: [Symbol: Int] = [:]
  /// The number of SUBSCRIBER rows counted, with refunds and with rows that filters exclude.
  package internal(set) var rowCount = 0
  /// SUBSCRIBER instalments whose place in their term is unknown: their renewals are not due.
  package internal(set) var instalmentsWithoutPosition = 0
  /// The number of paid charges by day, to find the first day; for subscribers, only each chain's first paid charge.
  var firstPaidDays = DayCounts()
  /// The charges at each standard price by day; `nil` if the run does not search for price changes.
  package var prices: PriceTally?
  /// The lengths of receipt charges without a billing plan.
  var lengths = PeriodLengths()
  /// The usual terms of the products of receipts.
  package internal(set) var usualTerms = UsualTerms()
  /// What other tools count otherwise, of the whole population; `nil` if no table needs it.
  package internal(set) var others: OtherGrid?
  /// The day of the earliest charge of receipts, paid or free; `nil` for other sources.
  package private(set) var firstChargeDay: Day?

  /// Creates an empty tally.
  ///
  /// `retentionViews` are further views, in which only retention is counted. `hasMoney`: tables of recurring revenue
  /// and lifetime value are made. `hasOthers`: the definitions of other tools are counted too, only with a view of the
  /// whole population.
  package init(
    source: Source, views: [[Dimension]], retentionViews: [[Dimension]] = [], filter: Filter,
    months: ClosedRange<Month>, monthSystem: MonthSystem = .calendar, hasMoney: Bool = false,
    hasOthers: Bool = false
  ) {
    self.source = source
    self.monthSystem = monthSystem
    self.filter = filter
    let all = views + retentionViews
    let isSupplied = { (view: Int) in source.dimensions.isSuperset(of: all[view]) }
    fullViews = views.indices.filter(isSupplied)
    self.retentionViews = all.indices.dropFirst(views.count).filter(isSupplied)
    let isFull = { (view: Int) in hasMoney && view < views.count }
    self.views = all.enumerated().map {
      ViewTally(dimensions: $1, filter: filter, months: months, hasMoney: isFull($0))
    }
    if hasMoney, hasOthers, views.contains([]) { others = OtherGrid() }
  }

  /// The views whose dimensions the source can supply; the others stay empty.
  var suppliedViews: [Int] { fullViews + retentionViews }

  /// The month of the earliest paid charge.
  package var firstPaidMonth: Month? { firstPaidDays.first.map(monthSystem.month) }

  /// Whether any charge is an instalment.
  package var hasInstalments: Bool { views.contains { !$0.commitments.isEmpty } }

  /// Whether facts were dropped because they lie outside the tally's months.
  package var hasDroppedFacts: Bool { views.contains(where: \.facts.hasDroppedFacts) }

  /// Adds the counts of another tally of the same source and views.
  package mutating func merge(_ other: Tally) { merge(other, .plus) }

  /// Subtracts the counts of another tally; the result of `merge` and then `subtract` gives the same tables as before.
  package mutating func subtract(_ other: Tally) { merge(other, .minus) }

  /// Returns the counts as of a day, with the open periods turned into facts of that day.
  ///
  /// Example: 10 monthly charges of 5 March without a next charge are 10 pending renewals of April on 6 April. On
  /// 9 April they are churned in April too, provisionally. The tallies of receipts have no open periods: each
  /// chain is counted on its own as-of.
  ///
  /// The day is the as-of of the folds that were added, or a later one up to their `lastDay`. Do not add to the result
  /// again.
  package func settled(on asOf: Day) -> Tally {
    var settled = self
    settled.count(on: asOf, onlyDecided: false)
    for view in suppliedViews { settled.views[view].open.removeAllButLate() }
    settled.others?.settle(on: asOf, keepsLater: false)
    settled.laterDoubtfulLapses = CountsFromDay()
    return settled
  }

  /// Turns open periods that are decided into counts.
  ///
  /// The tally then holds fewer open periods; ``settled(on:)`` returns the same for this day and every later one.
  package mutating func decide(by asOf: Day) {
    count(on: asOf, onlyDecided: true)
    for view in suppliedViews { views[view].open.removeDecided(on: asOf) }
    others?.settle(on: asOf, keepsLater: true)
    laterDoubtfulLapses.removeAll(on: asOf)
  }

  private mutating func count(on asOf: Day, onlyDecided: Bool) {
    for view in suppliedViews {
      views[view].countOpen(on: asOf, onlyDecided: onlyDecided, monthSystem)
    }
    let later = laterDoubtfulLapses
    later.forEach(on: asOf) { addDoubtfulLapses($1, in: $0) }
  }

  private mutating func merge(_ other: Tally, _ sign: MergeSign) {
    precondition(
      source == other.source && views.count == other.views.count, "same source and views")
    for index in views.indices { views[index].merge(other.views[index], sign) }
    rowCount += sign.factor * other.rowCount
    instalmentsWithoutPosition += sign.factor * other.instalmentsWithoutPosition
    for (month, count) in other.doubtfulLapses {
      addDoubtfulLapses(sign.factor * count, in: month)
    }
    laterDoubtfulLapses.merge(other.laterDoubtfulLapses, sign) { $0 }
    snapshotMonths.formUnion(other.snapshotMonths)
    snapshotDays.formUnion(other.snapshotDays)
    unknownEvents.merge(other.unknownEvents, uniquingKeysWith: +)
    if let otherPrices = other.prices { prices?.merge(otherPrices, sign) }
    if let theirs = other.others { others?.merge(theirs, sign) }
    firstPaidDays.merge(other.firstPaidDays, sign)
    lengths.merge(other.lengths)
    usualTerms.merge(other.usualTerms)
    includeFirstCharge(on: other.firstChargeDay)
  }

  /// Returns whether a month has a lapse close to a missing day.
  package func isDoubtful(_ month: Month) -> Bool { doubtfulLapses[month] != nil }

  /// Adds lapses close to a missing day.
  mutating func addDoubtfulLapses(_ count: Int = 1, in month: Month) {
    let sum = (doubtfulLapses[month] ?? 0) + count
    doubtfulLapses[month] = sum == 0 ? nil : sum
  }

  /// Adds the day of a paid charge.
  mutating func addPaidDay(on day: Day) { firstPaidDays.add(on: day) }

  /// Sets the day of the earliest charge if a charge is earlier.
  mutating func includeFirstCharge(on day: Day?) {
    guard let day else { return }
    firstChargeDay = min(firstChargeDay ?? day, day)
  }
}

/// Whether counts are added or subtracted.
@usableFromInline
package enum MergeSign: Sendable {
  /// Counts are added.
  case plus
  /// Counts are subtracted.
  case minus

  /// 1 or -1.
  @inlinable package var factor: Int { self == .plus ? 1 : -1 }
  /// 1 or -1, for sums of money.
  @inlinable package var wideFactor: Int128 { self == .plus ? 1 : -1 }
}

extension Tally {
  /// Writes the counts of chains, or reads them into an empty tally of the same views, filters and months.
  package mutating func code(with coder: inout some ValueCoder) {
    coder.buffered { codeParts(with: &$0) }
  }

  private mutating func codeParts(with coder: inout ValueBuffer) {
    for view in suppliedViews { views[view].code(with: &coder) }
    var doubtful = doubtfulLapses.map { (month: $0.key, count: $0.value) }
    doubtful.sort { $0.month < $1.month }
    coder.list(&doubtful, blank: (Month(number: 0), 0)) { lapses, coder in
      coder.month(&lapses.month)
      coder.count(&lapses.count)
    }
    if coder.isReading {
      doubtfulLapses = [:]
      for (month, count) in doubtful { addDoubtfulLapses(count, in: month) }
    }
    laterDoubtfulLapses.code(with: &coder, blank: Month(number: 0)) { month, count, coder in
      coder.month(&month)
      coder.count(&count)
    }
    firstPaidDays.code(with: &coder)
    prices?.code(with: &coder)
    others?.code(with: &coder)
    coder.count(&instalmentsWithoutPosition)
    coder.count(&rowCount)
    guard source == .receipts else { return }
    lengths.code(with: &coder)
    usualTerms.code(with: &coder)
    var first = firstChargeDay
    coder.optional(&first, blank: Day(number: 0)) { $1.day(&$0) }
    includeFirstCharge(on: first)
  }
}

extension ViewTally {
  fileprivate mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    var cohorts = index.cohorts
    coder.list(&cohorts, blank: []) { values, coder in
      coder.list(&values, blank: .unknown) { $0.code(with: &$1) }
    }
    guard coder.isValid, cohorts.allSatisfy({ $0.count == index.dimensions.count }) else {
      return coder.fail()
    }
    for (number, values) in cohorts.enumerated() where index.cohort(of: values) != number {
      return coder.fail()
    }
    facts.code(cohorts: cohorts.count, with: &coder)
    money.code(cohorts: cohorts.count, with: &coder)
    codeSurvival(cohorts: cohorts.count, with: &coder)
    codeGaps(cohorts: cohorts.count, with: &coder)
    codeEdges(cohorts: cohorts.count, with: &coder)
    open.code(cohorts: cohorts.count, with: &coder)
    commitments.code(cohorts: cohorts.count, with: &coder)
    recurring?.code(cohorts: cohorts.count, with: &coder)
    lifetime?.code(cohorts: cohorts.count, with: &coder)
  }
}

extension DimensionValue {
  /// Writes or reads the value: a number for its case, then its associated value.
  package mutating func code(with coder: inout some ValueCoder) {
    var (form, symbol): (UInt8, Symbol) = (0, .blank)
    var (kind, number): (ChargeKind, Int32) = (.standard, 0)
    switch self {
    case .unknown: form = 0
    case .text(let text): (form, symbol) = (1, text)
    case .product(let id): (form, symbol) = (2, id)
    case .app(let id): (form, symbol) = (3, id)
    case .offer(let own): (form, kind) = (4, own)
    case .month(let month): (form, number) = (5, month.number)
    case .quarter(let month): (form, number) = (6, month.number)
    case .week(let day): (form, number) = (7, day.number)
    case .before(let month): (form, number) = (8, month.number)
    case .idReset: form = 9
    }
    coder.integer(&form)
    switch form {
    case 1...3: coder.symbol(&symbol)
    case 4: coder.word(&kind)
    case 5, 6, 8: coder.integer(&number, in: Month.possibleNumbers)
    case 7: coder.integer(&number, in: Day.possibleNumbers)
    default: break
    }
    switch form {
    case 0: self = .unknown
    case 1: self = .text(symbol)
    case 2: self = .product(symbol)
    case 3: self = .app(symbol)
    case 4: self = .offer(kind)
    case 5: self = .month(Month(number: number))
    case 6: self = .quarter(Month(number: number))
    case 7: self = .week(Day(number: number))
    case 8: self = .before(Month(number: number))
    case 9: self = .idReset
    default: coder.fail()
    }
  }
}
