import Storage
package import SubscriptionModel

/// Finds the periods and refunds that a row of a table counts.
///
/// It has no rules of its own: after each period it takes the facts that ``ChainFold`` has derived from it, and it
/// finds cohorts, switches and active chains as ``ViewTally`` does. Example: of 2,000 chains, 19 have a period whose
/// lapse the row counts.
package struct ExplainingFold {
  /// A fact that the fold has derived from a period.
  private struct Note {
    var fact: Fact
    var count: Int
    var segment: Int
    var period: Int
  }

  /// A segment whose chain stops being active by an open period that is not decided.
  private struct Stop {
    var month: Month
    var segment: Int
  }

  var fold: ChainFold
  let terms: [ChargeTerms]
  let row: CountedRow
  let counted: Set<Counted>
  /// Whether the columns count facts, switches, active chains, charges, refunds, paid periods of retention and
  /// instalments.
  private let needs:
    (
      facts: Bool, switches: Bool, stock: Bool, charges: Bool, refunds: Bool, retention: Bool,
      instalments: Bool
    )
  var index: CohortIndex
  /// For each cohort of ``index``, whether the row is that of the cohort; `nil` until it is tested.
  private var isCohortOfRow: [Bool?] = []

  // Those of the current chain.
  private var notes = ReusableArray<Note>()
  private var stops = ReusableArray<Stop>()
  private var charges = ReusableArray<Note>()
  private var firstPeriods = ReusableArray<Int>()
  private var cohorts = ReusableArray<Int>()

  /// Creates a fold.
  ///
  /// - Parameters:
  ///   - row: The row to explain.
  ///   - counted: What its columns count.
  ///   - terms: The terms that periods refer to by index.
  ///   - completeness: The days that the data cover; the table was settled on its as-of.
  ///   - months: The first and last month that the table can have.
  package init(
    _ row: CountedRow, _ counted: Set<Counted>, terms: [ChargeTerms], _ completeness: Completeness,
    months: ClosedRange<Month>
  ) {
    let tally = Tally(
      source: .subscribers, views: [], filter: row.filter, months: months,
      monthSystem: completeness.monthSystem)
    fold = ChainFold(
      terms: terms, completeness: completeness, tally: tally, lastDay: completeness.asOf)
    self.terms = terms
    self.row = row
    self.counted = counted
    index = CohortIndex(dimensions: row.dimensions, filter: row.filter)
    let switches: [Counted] = [.fact(.switchedIn), .fact(.switchedOut)]
    needs = (
      facts: counted.contains { if case .fact = $0 { true } else { false } },
      switches: !counted.isDisjoint(with: switches),
      stock: !counted.isDisjoint(with: [.activeBefore, .activeAtEnd]),
      charges: counted.contains(.charge),
      refunds: !counted.isDisjoint(with: [.refund(isFull: true), .refund(isFull: false)]),
      retention: !counted.isDisjoint(with: [.atRisk, .kept, .lost, .notAtRisk]),
      instalments: counted.contains { $0 == .instalment || $0.commitment != nil }
    )
  }

  /// Finds what the row counts of one subscriber.
  ///
  /// - Parameters:
  ///   - history: A builder that has built the subscriber's chains.
  ///   - body: Receives each period and refund that the row counts.
  package mutating func add(
    _ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void
  ) {
    let isOfChains = needs.facts || needs.stock || needs.charges
    if isOfChains || needs.retention || needs.instalments {
      for chain in history.chains.indices {
        derive(history.chains[chain], history)
        pass(chain, history, body)
        if needs.retention { passRetention(chain, history, body) }
        if needs.instalments { passInstalments(chain, history, body) }
      }
    }
    guard needs.refunds else { return }
    for refund in history.refunds.indices { pass(refund: refund, history, body) }
  }

  // MARK: Facts

  /// Derives the facts of a chain, and notes the period of each.
  private mutating func derive(_ chain: Chain, _ history: borrowing ChainBuilder) {
    notes.removeAll()
    stops.removeAll()
    charges.removeAll()
    firstPeriods.removeAll()
    let periods = history.periods
    fold.derived.removeAll()
    fold.derived.key = ChainKey(chain, periods, terms, firstDay: fold.completeness.firstDay)
    for period in chain.periods {
      let (facts, open) = (fold.derived.facts.count, fold.derived.open.count)
      let lastCount = fold.derived.facts.last?.count ?? 0
      fold.addFacts(ofPeriodAt: period, chain, periods)
      let segments = fold.derived.segments.count
      if segments > firstPeriods.count { firstPeriods.append(period) }
      noteCharge(period)
      guard needs.facts || needs.stock else { continue }
      // An equal fact of the period before has been counted together with this one's.
      if facts > 0 { note(facts - 1, less: lastCount, period) }
      for new in facts..<fold.derived.facts.count { note(new, less: 0, period) }
      for new in open..<fold.derived.open.count { noteOpen(new, period) }
    }
  }

  private mutating func noteCharge(_ period: Int) {
    let segment = fold.derived.segments.count - 1
    guard needs.charges, fold.derived.segments[segment].isPaid,
      fold.derived.charges.last?.month == row.month
    else { return }
    charges.append(Note(fact: .started, count: 1, segment: segment, period: period))
  }

  private mutating func note(_ place: Int, less earlier: Int, _ period: Int) {
    let own = fold.derived.facts[place]
    guard own.count > earlier, own.month == row.month, counted.contains(.fact(own.fact)) else {
      return
    }
    notes.append(
      Note(fact: own.fact, count: own.count - earlier, segment: own.segment, period: period))
  }

  /// Notes the facts that an open period has on as-of.
  private mutating func noteOpen(_ place: Int, _ period: Int) {
    let open = fold.derived.open[place]
    open.period.forEachFact(open.end, on: fold.completeness.asOf) { fact, month in
      if fact == .stoppedBeingActive { stops.append(Stop(month: month, segment: open.segment)) }
      guard month == row.month, counted.contains(.fact(fact)) else { return }
      notes.append(Note(fact: fact, count: 1, segment: open.segment, period: period))
    }
  }

  // MARK: Cohorts

  /// Passes the noted facts of the row's cohort.
  private mutating func pass(
    _ chain: Int, _ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void
  ) {
    let hasSwitches = needs.switches && !fold.derived.changes.isEmpty
    guard !notes.isEmpty || !charges.isEmpty || hasSwitches || needs.stock else { return }
    let key = fold.derived.key
    let chainPart = index.chainPart(key)
    cohorts.removeAll()
    for segment in fold.derived.segments {
      let cohort = index.cohort(
        terms: segment.terms, attributes: terms[segment.terms].attributes, chainPart: chainPart)
      cohorts.append(cohort ?? ViewTally.leftOut)
    }
    for note in notes where isAsked(cohorts[note.segment]) {
      body(
        CountedPeriod(
          counted: .fact(note.fact), count: note.count, key: key, chain: chain,
          period: note.period))
    }
    for note in charges where isAsked(cohorts[note.segment]) {
      let own = terms[fold.derived.segments[note.segment].terms]
      guard row.currency.map({ $0 == own.proceeds.currency }) ?? true else { continue }
      body(
        CountedPeriod(
          counted: .charge, count: 1, key: key, chain: chain, period: note.period,
          price: own.price.milliunits, proceeds: own.proceeds.milliunits,
          currency: own.proceeds.currency))
    }
    if hasSwitches { passSwitches(chain, body) }
    if needs.stock { passActive(chain, history, body) }
  }

  private mutating func passSwitches(_ chain: Int, _ body: (CountedPeriod) -> Void) {
    // A list, because the cohorts cannot change while they are read.
    var found: [(fact: Fact, cohort: Int, segment: Int)] = []
    ViewTally.forEachSwitch(of: fold.derived, terms, &index) { fact, cohort, month, segment in
      if month == row.month { found.append((fact, cohort, segment)) }
    }
    for (fact, cohort, segment) in found
    where counted.contains(.fact(fact)) && isAsked(cohort) {
      let first = firstPeriods[segment]
      body(
        CountedPeriod(
          counted: .fact(fact), count: 1, key: fold.derived.key, chain: chain,
          period: fact == .switchedIn ? first : first - 1))
    }
  }

  /// Passes the chain if it is active in the row's cohort.
  private mutating func passActive(
    _ chain: Int, _ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void
  ) {
    var changes: [(fact: Fact, cohort: Int, month: Month)] = []
    ViewTally.forEachStockChange(of: fold.derived, cohorts) { changes.append(($0, $1, $2)) }
    // The end of the last period, if no charge followed it: undecided in `stops`, decided among the facts.
    for stop in stops where cohorts[stop.segment] != ViewTally.leftOut {
      changes.append((.stoppedBeingActive, cohorts[stop.segment], stop.month))
    }
    for own in fold.derived.facts
    where own.fact == .stoppedBeingActive && cohorts[own.segment] != ViewTally.leftOut {
      changes.append((.stoppedBeingActive, cohorts[own.segment], own.month))
    }
    for (when, month) in [(Counted.activeBefore, row.month), (.activeAtEnd, row.month + 1)]
    where counted.contains(when) {
      var active = 0
      for change in changes where change.month <= month && isAsked(change.cohort) {
        active += change.fact == .becameActive ? 1 : -1
      }
      guard active != 0 else { continue }
      let firstDay = fold.completeness.monthSystem.firstDay(of: month)
      let covering = history.chains[chain].periods.last { period in
        history.periods[period].start < firstDay
          && fold.kindOfTerms[Int(history.periods[period].terms)].isPaid
      }
      body(
        CountedPeriod(
          counted: when, count: active, key: fold.derived.key, chain: chain, period: covering))
    }
  }

  // MARK: Refunds

  private mutating func pass(
    refund place: Int, _ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void
  ) {
    let refund = history.refunds[place]
    let facts = fold.facts(of: refund, history)
    let month = row.isDatedBySale ? facts.saleMonth : facts.month
    guard counted.contains(.refund(isFull: facts.isFull)), month == row.month,
      row.currency.map({ $0 == facts.proceeds.currency }) ?? true
    else { return }
    let cohort = index.cohort(
      terms: facts.terms, attributes: terms[facts.terms].attributes,
      chainPart: index.chainPart(facts.key))
    guard let cohort, isAsked(cohort) else { return }
    body(
      CountedPeriod(
        counted: .refund(isFull: facts.isFull), count: 1, key: facts.key,
        chain: refund.charge?.chain, period: refund.charge?.period, refund: place,
        price: facts.price.milliunits, proceeds: facts.proceeds.milliunits,
        currency: facts.proceeds.currency))
  }

  mutating func isAsked(_ cohort: Int) -> Bool {
    guard cohort != ViewTally.leftOut else { return false }
    if cohort >= isCohortOfRow.count {
      isCohortOfRow.append(contentsOf: repeatElement(nil, count: cohort + 1 - isCohortOfRow.count))
    }
    if let known = isCohortOfRow[cohort] { return known }
    let isOwn = row.isOfCohort(index.cohorts[cohort])
    isCohortOfRow[cohort] = isOwn
    return isOwn
  }
}
