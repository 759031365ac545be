import Storage
import SubscriptionModel

/// Finds what a row of a table counts in the facts of a chain, of either source.
///
/// It has no rules of its own: each fact knows its period, and cohorts, switches and active chains are found as
/// ``ViewTally`` does. Example: of 2,000 chains, 19 have a period whose lapse the row counts.
struct RowFinder {
  /// What a chain is, apart from its facts.
  struct Place {
    /// The index of the chain in the history.
    var number: Int
    var start: Chain.Start
    /// Whether its app moved to another account.
    var isGivenAway: Bool
    /// The number of paid periods and terms that a change of product or plan cut short.
    var cutShort: Int
  }

  /// A fact of a period.
  private struct Note {
    var fact: Fact
    var count: Int
    var segment: Int
    var period: Int32
    /// Whether it was known so on a day, and is another fact today.
    var isOutdated = false
  }

  let row: CountedRow
  let counted: Set<Counted>
  /// Whether columns count paid periods of retention, refunds, or anything of chains.
  let needs: (chains: Bool, retention: Bool, refunds: Bool)
  private let needsFacts: Bool
  private let needsSwitches: Bool
  private let needsStock: Bool
  private let needsInstalments: Bool
  let needsRecurring: Bool
  let needsStatus: Bool
  let needsLifetime: Bool
  let needsOthers: Bool
  private let monthSystem: MonthSystem
  /// As-of of the table, for open periods.
  let asOf: Day
  private var index: CohortIndex
  /// For each cohort of ``index``, whether the row is that of the cohort; `nil` until it is tested.
  private var isCohortOfRow: [Bool?] = []
  /// The month of the row that is being counted.
  private(set) var month: Month
  /// The days of the row's months.
  private let firstDay, lastDay: Day

  // Those of the current chain.
  private(set) var place = Place(number: 0, start: .known, isGivenAway: false, cutShort: 0)
  /// The terms that its facts refer to by index.
  private(set) var terms: [ChargeTerms] = []
  private var notes = ReusableArray<Note>()
  private(set) var cohorts = ReusableArray<Int>()

  init(_ row: CountedRow, _ counted: Set<Counted>, _ monthSystem: MonthSystem, asOf: Day) {
    (self.row, self.counted, self.monthSystem, self.asOf) = (row, counted, monthSystem, asOf)
    month = row.month
    (firstDay, lastDay) = (
      monthSystem.firstDay(of: row.months.lowerBound),
      monthSystem.lastDay(of: row.months.upperBound)
    )
    index = CohortIndex(dimensions: row.dimensions, filter: row.filter)
    needsFacts = counted.contains { if case .fact = $0 { true } else { false } }
    needsSwitches = !counted.isDisjoint(with: [.fact(.switchedIn), .fact(.switchedOut)])
    needsStock = !counted.isDisjoint(with: [.activeBefore, .activeAtEnd])
    needsRecurring =
      counted.contains(.changedProduct)
      || counted.contains { if case .recurring = $0 { true } else { false } }
    needsStatus = counted.contains { if case .status = $0 { true } else { false } }
    needsLifetime = counted.contains {
      switch $0 {
      case .lifetime, .notInLifetime: true
      default: false
      }
    }
    needsOthers = counted.contains { if case .other = $0 { true } else { false } }
    needsInstalments = counted.contains { $0 == .instalment || $0.commitment != nil }
    let needsRetention = !counted.isDisjoint(with: [.atRisk, .kept, .lost, .notAtRisk])
    needs = (
      chains: needsFacts || needsStock || counted.contains(.charge) || needsRetention
        || needsInstalments || needsRecurring || needsStatus,
      retention: needsRetention,
      refunds: !counted.isDisjoint(with: [.refund(isFull: true), .refund(isFull: false)])
    )
  }

  /// Returns whether the row may count anything of a chain of charges, apart from its refunds.
  ///
  /// A chain has facts from its first day to its last end, and is a suspended instalment for up to 90 days more.
  func mayCount(_ first: Day, _ end: Day) -> Bool {
    row.k != nil || first <= lastDay && end + Self.daysAfterEnd >= firstDay
  }

  private static let daysAfterEnd = 120

  /// Finds what the row counts of a chain, apart from its refunds.
  mutating func find(
    in facts: borrowing ChainFacts, of place: Place, _ terms: [ChargeTerms],
    _ body: (CountedPeriod) -> Void
  ) {
    (self.place, self.terms, month) = (place, terms, row.month)
    // A list that is kept would be copied when it grows.
    defer { self.terms = [] }
    repeat {
      findMonth(in: facts, body)
      month = month + 1
    } while row.months.contains(month)
    if needs.retention { findPaidPeriods(facts, body) }
  }

  private mutating func findMonth(in facts: borrowing ChainFacts, _ body: (CountedPeriod) -> Void) {
    let hasSwitches = needsSwitches && !facts.changes.isEmpty
    note(facts)
    let hasCharges = counted.contains(.charge)
    if !notes.isEmpty || hasCharges || hasSwitches || needsStock {
      findCohorts(facts)
      for note in notes where isAsked(cohorts[note.segment]) {
        var one = found(.fact(note.fact), Int(note.period), facts)
        one.count = note.count
        one.before = facts.periods[Int(note.period) - facts.firstPeriod].before
        one.gap = facts.gaps.first { $0.period == note.period }?.days
        if note.isOutdated { one.knownOn = row.knownOn }
        body(one)
      }
      if hasCharges { findCharges(facts, body) }
      if hasSwitches { findSwitches(facts, body) }
      if needsStock { findActive(facts, body) }
    }
    if needsInstalments { findInstalments(facts, body) }
    if needsRecurring { findRecurring(facts, body) }
    if needsStatus { findStatus(facts, body) }
  }

  /// Returns a period of a chain that the row counts.
  func found(_ counted: Counted, _ period: Int, _ facts: borrowing ChainFacts) -> CountedPeriod {
    let own = facts.periods[period - facts.firstPeriod]
    var one = CountedPeriod(counted: counted, chain: place.number, period: period)
    one.month = month
    one.key = facts.key
    one.attributes = terms[own.terms].attributes
    return one
  }

  // MARK: Facts

  /// Notes the facts of the row's month that the columns count, with those that open periods have on as-of.
  private mutating func note(_ facts: borrowing ChainFacts) {
    notes.removeAll()
    guard needsFacts else { return }
    for own in facts.facts where own.month == month && counted.contains(.fact(own.fact)) {
      notes.append(Note(fact: own.fact, count: own.count, segment: own.segment, period: own.period))
    }
    for own in facts.open {
      own.period.forEachFact(own.end, on: asOf) { fact, month in
        guard month == self.month, counted.contains(.fact(fact)) else { return }
        notes.append(Note(fact: fact, count: 1, segment: own.segment, period: own.number))
      }
    }
    if let day = row.knownOn { outdate(facts, on: day) }
  }

  /// Replaces the notes of periods with late outcomes by those of the facts that were known on a day.
  private mutating func outdate(_ facts: borrowing ChainFacts, on day: Day) {
    let late = facts.open.filter {
      $0.period.isLate && $0.period.number == month.number && $0.end > day
    }
    guard !late.isEmpty else { return }
    let today = Array(notes)
    notes.removeAll()
    for note in today where !late.contains(where: { $0.number == note.period }) {
      notes.append(note)
    }
    for (place, first) in late.enumerated()
    where !late[..<place].contains(where: { $0.number == first.number }) {
      let own = today.filter { $0.period == first.number }
      let kinds = late.filter { $0.number == first.number }.map(\.period.kind)
      let known = RateCounts.facts(own.map(\.fact), before: kinds)
      for note in own where known.contains(note.fact) { notes.append(note) }
      for fact in known where !own.contains(where: { $0.fact == fact }) {
        notes.append(
          Note(
            fact: fact, count: 1, segment: first.segment, period: first.number, isOutdated: true))
      }
    }
  }

  // MARK: Cohorts

  mutating func findCohorts(_ facts: borrowing ChainFacts) {
    let chainPart = index.chainPart(facts.key)
    cohorts.removeAll()
    for segment in facts.segments {
      let cohort = index.cohort(
        terms: segment.terms, attributes: terms[segment.terms].attributes, chainPart: chainPart)
      cohorts.append(cohort ?? ViewTally.leftOut)
    }
  }

  mutating func isAsked(_ cohort: Int) -> Bool {
    guard cohort != ViewTally.leftOut else { return false }
    isCohortOfRow.extend(to: cohort + 1, with: nil)
    if let known = isCohortOfRow[cohort] { return known }
    let isOwn = row.isOfCohort(index.cohorts[cohort])
    isCohortOfRow[cohort] = isOwn
    return isOwn
  }

  /// Returns whether charges of some terms are of the row's cohort, whatever the row counts of them.
  mutating func isOfRow(terms number: Int, _ terms: [ChargeTerms], _ key: ChainKey) -> Bool {
    let cohort = index.cohort(
      terms: number, attributes: terms[number].attributes, chainPart: index.chainPart(key))
    return cohort.map { isAsked($0) } == true
  }

  func isOfCurrency(_ currency: Symbol) -> Bool { row.currency.map { $0 == currency } ?? true }

  // MARK: Charges

  private mutating func findCharges(
    _ facts: borrowing ChainFacts, _ body: (CountedPeriod) -> Void
  ) {
    var first = 0
    for (number, segment) in facts.segments.enumerated() {
      let end = first + segment.months
      defer { first = end }
      let own = terms[segment.terms]
      guard segment.isPaid, isOfCurrency(own.proceeds.currency) else { continue }
      for charge in facts.charges[first..<end]
      where charge.month == month && isAsked(cohorts[number]) {
        var one = found(.charge, Int(charge.period), facts)
        one.price = own.price.milliunits
        one.proceeds = own.proceeds.milliunits
        one.currency = own.proceeds.currency
        body(one)
      }
    }
  }

  // MARK: Switches and active chains

  /// Returns the last period of a segment that begins before a month; without charges, the period that begins it.
  func lastPeriod(
    ofSegment number: Int, _ facts: borrowing ChainFacts, before month: Month? = nil
  ) -> Int {
    let first = facts.segments[..<number].reduce(0) { $0 + $1.months }
    let own = facts.charges[first..<first + facts.segments[number].months]
    let last = own.last { charge in month.map { charge.month < $0 } ?? true }
    return Int(last?.period ?? facts.segments[number].period)
  }

  private mutating func findSwitches(
    _ facts: borrowing ChainFacts, _ body: (CountedPeriod) -> Void
  ) {
    // A list, because the cohorts cannot change while they are read.
    var switches: [(fact: Fact, cohort: Int, segment: Int)] = []
    ViewTally.forEachSwitch(of: facts, terms, &index) { fact, cohort, month, segment in
      if month == self.month { switches.append((fact, cohort, segment)) }
    }
    for (fact, cohort, segment) in switches
    where counted.contains(.fact(fact)) && isAsked(cohort) {
      let old = lastPeriod(ofSegment: segment - 1, facts)
      let new = Int(facts.segments[segment].period)
      let isArrival = fact == .switchedIn
      var one = found(.fact(fact), isArrival ? new : old, facts)
      if isArrival { one.before = old }
      one.replacement = isArrival || new == old ? nil : new
      body(one)
    }
  }

  /// Finds the chain if it is active in the row's cohort.
  private mutating func findActive(_ facts: borrowing ChainFacts, _ body: (CountedPeriod) -> Void) {
    var changes: [(fact: Fact, cohort: Int, month: Month)] = []
    ViewTally.forEachStockChange(of: facts, cohorts) { changes.append(($0, $1, $2)) }
    // The end of the last period, if no charge followed it: undecided among the open periods, decided among the facts.
    for own in facts.open where cohorts[own.segment] != ViewTally.leftOut {
      own.period.forEachFact(own.end, on: asOf) { [cohorts] fact, month in
        if fact == .stoppedBeingActive { changes.append((fact, cohorts[own.segment], month)) }
      }
    }
    for own in facts.facts
    where own.fact == .stoppedBeingActive && cohorts[own.segment] != ViewTally.leftOut {
      changes.append((.stoppedBeingActive, cohorts[own.segment], own.month))
    }
    for (when, month) in [(Counted.activeBefore, self.month), (.activeAtEnd, self.month + 1)]
    where counted.contains(when) {
      var active = 0
      for change in changes where change.month <= month && isAsked(change.cohort) {
        active += change.fact == .becameActive ? 1 : -1
      }
      guard active != 0 else { continue }
      let covering = facts.segments.lastIndex { $0.isPaid && $0.start < month } ?? 0
      let last = lastPeriod(ofSegment: covering, facts, before: month)
      var one = found(when, last, facts)
      one.count = active
      body(one)
    }
  }

  // MARK: Retention

  /// Finds the paid periods `k` to `lastK` that the row of retention counts; else why the chain is not at risk.
  private mutating func findPaidPeriods(
    _ facts: borrowing ChainFacts, _ body: (CountedPeriod) -> Void
  ) {
    guard let first = row.k, place.start == .known || counted.contains(.notAtRisk),
      isOfRowInRetention(facts, terms)
    else { return }
    let counts = place.start == .known ? survivalCounts(facts) : [:]
    let last = row.lastK.map { min($0, counts.keys.max() ?? 0) } ?? first
    guard first <= last else { return }
    for k in first...last { find(k, counts, facts, body) }
  }

  /// Returns whether retention counts a chain in the row's cohort.
  mutating func isOfRowInRetention(_ facts: borrowing ChainFacts, _ terms: [ChargeTerms]) -> Bool {
    let chainPart = index.chainPart(facts.key)
    let first = facts.segments[0].terms
    let ofFirst = index.cohort(
      terms: first, attributes: terms[first].attributes, chainPart: chainPart)
    return isAsked(
      ViewTally.cohortOfSurvival(
        of: facts, terms, &index, chainPart, ofFirst: ofFirst ?? ViewTally.leftOut))
  }

  /// Returns what retention counts of a chain on as-of, by k.
  private func survivalCounts(_ facts: borrowing ChainFacts) -> [Int: SurvivalCounts] {
    var counts: [Int: SurvivalCounts] = [:]
    if let outcome = facts.survival, outcome.k > 0 {
      counts[outcome.k] = outcome.isLost ? SurvivalCounts(lost: 1) : SurvivalCounts(kept: 1)
    }
    for open in facts.open where open.period.isOfSurvival {
      open.period.forEachSurvival(open.end, on: asOf) {
        counts[$1, default: SurvivalCounts()].merge($0, .plus)
      }
    }
    return counts
  }

  private func find(
    _ k: Int, _ counts: [Int: SurvivalCounts], _ facts: borrowing ChainFacts,
    _ body: (CountedPeriod) -> Void
  ) {
    // A chain was at risk at every k up to its last one.
    let atRisk = counts.reduce(0) { $1.key < k ? $0 : $0 + $1.value.kept + $1.value.lost }
    let lost = counts[k]?.lost ?? 0
    guard atRisk != 0 || lost != 0, k <= facts.steps.count else {
      guard counted.contains(.notAtRisk) else { return }
      let (rule, period) = rule(counts, facts, k)
      var one = found(.notAtRisk, period, facts)
      (one.k, one.notAtRisk) = (k, rule)
      return body(one)
    }
    for (what, count) in [(Counted.atRisk, atRisk), (.lost, lost), (.kept, atRisk - lost)]
    where count != 0 && counted.contains(what) {
      var one = found(what, facts.steps[k - 1].period, facts)
      (one.k, one.count) = (k, count)
      body(one)
    }
  }

  /// Returns why a chain is not at risk at k, and the index of the period that decides it.
  private func rule(
    _ counts: [Int: SurvivalCounts], _ facts: borrowing ChainFacts, _ k: Int
  ) -> (NotAtRisk, period: Int) {
    switch place.start {
    case .before: return (.startUnknown, facts.firstPeriod)
    case .idReset: return (.idReset, facts.firstPeriod)
    case .known: break
    }
    // The last k that is decided, up to which the chain was at risk.
    let decided = counts.filter { $1.kept + $1.lost != 0 }.keys.max() ?? 0
    let count = facts.steps.count
    if counts[decided]?.lost ?? 0 != 0, decided <= count {
      return (.lost(k: decided), facts.steps[decided - 1].period)
    }
    if count >= k, decided < count {
      let (next, number) = (facts.steps[decided], decided + 1)
      return place.isGivenAway
        ? (.transferred(k: number, end: next.end), next.period)
        : (.undecided(k: number, end: next.end), next.period)
    }
    if let unknown = facts.unknownTerm { return (.placeUnknown, unknown) }
    return (
      .fewer(paidPeriods: count, cutShort: place.cutShort),
      facts.steps.last?.period ?? facts.firstPeriod
    )
  }

  // MARK: Commitments

  /// Finds the chain's instalments that the row of commitments counts.
  private mutating func findInstalments(
    _ facts: borrowing ChainFacts, _ body: (CountedPeriod) -> Void
  ) {
    for own in facts.instalments
    where isOfCurrency(own.step.currency) && isOfRow(terms: own.terms, terms, facts.key) {
      var one = found(.instalment, own.periods.own, facts)
      one.replacement = own.periods.next
      one.outcome = own.step.explainedOutcome(on: facts.asOf)
      if counted.contains(.instalment) { body(one) }
      // The stock of a month is the sum of all changes up to it.
      let (flows, stocks) = own.explainedCounts(in: month, on: facts.asOf)
      one.currency = own.step.currency
      for column in CommitmentColumn.allCases where counted.contains(.commitment(column)) {
        one.counted = .commitment(column)
        one.count = (column.isStock ? stocks : flows).count(column)
        guard one.count != 0 else { continue }
        let isRemaining = column == .remaining
        one.price = isRemaining ? Int64(clamping: stocks.remainingPrice) : 0
        one.proceeds = isRemaining ? Int64(clamping: stocks.remainingProceeds) : 0
        one.priced = isRemaining ? own.periods.priced : nil
        body(one)
      }
    }
  }

  // MARK: Refunds

  /// Finds a refund if the row counts it; it has no place in the history yet.
  mutating func find(
    _ refund: RefundFacts, _ terms: [ChargeTerms], _ body: (CountedPeriod) -> Void
  ) {
    let months = refund.months.filter {
      ($0.isOfSale == row.isDatedBySale || row.isOfBothDatings) && row.months.contains($0.month)
    }
    guard !months.isEmpty, counted.contains(.refund(isFull: refund.isFull)),
      isOfCurrency(refund.proceeds.currency), !refund.isLate(on: row.knownOn),
      isOfRow(terms: refund.terms, terms, refund.key)
    else { return }
    var one = CountedPeriod(counted: .refund(isFull: refund.isFull))
    one.key = refund.key
    one.attributes = terms[refund.terms].attributes
    one.price = refund.price.milliunits
    one.proceeds = refund.proceeds.milliunits
    one.currency = refund.proceeds.currency
    for (month, isOfSale) in months {
      (one.month, one.isDatedBySale) = (month, isOfSale)
      body(one)
    }
  }
}

extension RefundFacts {
  /// Its own month and that of the refunded charge, the earlier one first.
  fileprivate var months: [(month: Month, isOfSale: Bool)] {
    guard let sale = saleMonth else { return [(month, false)] }
    return sale < month ? [(sale, true), (month, false)] : [(month, false), (sale, true)]
  }
}

extension RowFinder {
  /// Finds the charges that come, go and hold the chain's place, each with its part of a column of recurring revenue.
  mutating func findRecurring(_ facts: borrowing ChainFacts, _ body: (CountedPeriod) -> Void) {
    findCohorts(facts)
    // Lists, because the cohorts cannot change while they are read.
    var flows: [(flow: RecurringFlow, segment: Int, period: Int32, count: Int)] = []
    for own in facts.facts where own.month == month {
      guard let flow = RecurringFlow.ofFact[own.fact.rawValue] else { continue }
      flows.append((flow, own.segment, own.period, own.count))
    }
    for own in facts.open where own.period.lapses {
      own.period.forEachFact(own.end, on: asOf) { [month] fact, ofFact in
        guard ofFact == month, let flow = RecurringFlow.ofFact[fact.rawValue] else { return }
        flows.append((flow, own.segment, own.number, 1))
      }
    }
    for (flow, segment, period, count) in flows where isAsked(cohorts[segment]) {
      let value = value(facts.segments[segment])
      let numbers: (Int32, Int32) = flow.isInflow ? (-1, 0) : (0, -1)
      find(flow, numbers, [value], Int(period), facts, count: count, body)
    }
    for number in facts.changes where facts.segments[number].start == month {
      findReplacement(number, facts, body)
    }
    for (column, end) in [(RecurringColumn.open, month), (.mrr, month + 1), (.active, month + 1)]
    where counted.contains(.recurring(column)) {
      guard let number = facts.holder(before: end, on: asOf), isAsked(cohorts[number]) else {
        continue
      }
      let value = value(facts.segments[number])
      guard isOfCurrency(value.currency) else { continue }
      let period = lastPeriod(ofSegment: number, facts, before: end)
      var one = found(.recurring(column), period, facts)
      (one.price, one.currency) = (value.milliunits, value.currency)
      body(one)
    }
  }

  /// Finds the chain in a column of status.
  mutating func findStatus(_ facts: borrowing ChainFacts, _ body: (CountedPeriod) -> Void) {
    findCohorts(facts)
    let end = month + 1
    var all: [(column: StatusColumn, segment: Int, period: Int)] = []
    if let number = facts.holder(before: end, on: asOf) {
      let column: StatusColumn =
        switch terms[facts.segments[number].terms].kind {
        case .standard: .standard
        case .trial, .intro: .introductory
        case .offer: .offers
        }
      all.append((column, number, lastPeriod(ofSegment: number, facts, before: end)))
    } else if let number = facts.freeHolder(before: end, on: asOf), asOf != .last {
      let isTrial = terms[facts.segments[number].terms].kind == .trial
      let period = lastPeriod(ofSegment: number, facts, before: end)
      all.append((isTrial ? .freeTrials : .freeOffers, number, period))
    }
    // Those of receipts, at the end of each month.
    for own in facts.facts where own.month == month {
      if let column = StatusColumn(own.fact) { all.append((column, own.segment, Int(own.period))) }
    }
    for (column, segment, period) in all
    where counted.contains(.status(column)) && isAsked(cohorts[segment]) {
      body(found(.status(column), period, facts))
    }
    guard counted.contains(.status(.suspended)), asOf != .last else { return }
    for own in facts.instalments where isOfRow(terms: own.terms, terms, facts.key) {
      let count = own.explainedCounts(in: month, on: facts.asOf).stocks.suspended
      guard count != 0 else { continue }
      var one = found(.status(.suspended), own.periods.own, facts)
      one.count = count
      body(one)
    }
  }

  private mutating func findReplacement(
    _ number: Int, _ facts: borrowing ChainFacts, _ body: (CountedPeriod) -> Void
  ) {
    let (old, new) = (facts.segments[number - 1], facts.segments[number])
    let values = [value(old), value(new)]
    let going = lastPeriod(ofSegment: number - 1, facts)
    let (oldCohort, newCohort) = (cohorts[number - 1], cohorts[number])
    guard new.isPaid else {
      if isAsked(oldCohort) {
        find(.switchedOut, (0, -1), values, going, facts, body)
      }
      return
    }
    if oldCohort != newCohort, isAsked(oldCohort) {
      find(.movedOut, (0, 1), values, going, facts, body)
    }
    guard isAsked(newCohort) else { return }
    let cause = RecurringFlow(from: terms[old.terms], to: terms[new.terms])
    if cause == .product, counted.contains(.changedProduct) {
      var one = found(.changedProduct, Int(new.period), facts)
      one.before = going
      body(one)
    }
    find(
      oldCohort == newCohort ? cause : cause.fromAnotherCohort, (0, 1), values, Int(new.period),
      before: going, facts, body)
  }

  /// Passes the parts of a flow to the wanted columns.
  private func find(
    _ flow: RecurringFlow, _ numbers: (Int32, Int32), _ values: [Amount], _ period: Int,
    before: Int? = nil, _ facts: borrowing ChainFacts,
    count: Int = 1, _ body: (CountedPeriod) -> Void
  ) {
    var sums: [RecurringColumn: Int64] = [:]
    flow.forEachPosting(numbers.0, numbers.1, values) { currency, column, value, sign in
      guard let column, counted.contains(.recurring(column)), isOfCurrency(currency) else { return }
      sums[column, default: 0] += Int64(sign * count) * values[Int(value)].milliunits
    }
    for column in RecurringColumn.allCases {
      guard let sum = sums[column] else { continue }
      // A charge in another currency comes, and the one before it goes.
      let own = column == .switchedOut ? before ?? period : period
      var one = found(.recurring(column), own, facts)
      (one.price, one.count, one.currency) = (sum, count, row.currency)
      let earlier = facts.periods[own - facts.firstPeriod].before
      one.before = own == period ? before ?? earlier : earlier
      body(one)
    }
  }

  /// Returns the monthly value of the charges of a segment, on the basis of the row.
  private func value(_ segment: ChainFacts.Segment) -> Amount {
    row.monthly(terms[segment.terms].value).result
  }
}

extension ChainFacts {
  /// Returns the index of the segment whose charge holds the chain's place before a month; `nil` if none does.
  fileprivate func holder(before month: Month, on asOf: Day) -> Int? {
    guard let number = segments.lastIndex(where: { $0.start < month }) else { return nil }
    let segment = segments[number]
    guard segment.isPaid, segment.lapse.map({ month <= $0 }) ?? true else { return nil }
    // The end of the last period, if no charge followed it.
    var hasEnded = facts.contains { $0.fact == .stoppedBeingActive && $0.month <= month }
    for own in open {
      own.period.forEachFact(own.end, on: asOf) { fact, end in
        if fact == .stoppedBeingActive, end <= month { hasEnded = true }
      }
    }
    return hasEnded ? nil : number
  }

  /// Returns the index of the segment of charges whose free period covers the end of a month; `nil` if none does.
  fileprivate func freeHolder(before month: Month, on asOf: Day) -> Int? {
    guard let number = segments.lastIndex(where: { $0.start < month }),
      !segments[number].isPaid, segments[number].lapse.map({ month <= $0 }) ?? true
    else { return nil }
    let ends: [Fact] = [.freeTrialEnded, .freeOfferEnded]
    var hasEnded = facts.contains {
      ends.contains($0.fact) && $0.segment == number && $0.month < month
    }
    for own in open where own.segment == number {
      own.period.forEachFact(own.end, on: asOf) { fact, end in
        if ends.contains(fact), end < month { hasEnded = true }
      }
    }
    return hasEnded ? nil : number
  }
}

extension StatusColumn {
  /// The column of a state at the end of a month; `nil` for any other fact.
  fileprivate init?(_ fact: Fact) {
    switch fact {
    case .freeTrialBegan: self = .freeTrials
    case .freeOfferBegan: self = .freeOffers
    case .inGrace: self = .grace
    case .inBillingRetry: self = .billingRetry
    case .isSuspended: self = .suspended
    case .isUnresolved: self = .unresolved
    default: return nil
    }
  }
}
