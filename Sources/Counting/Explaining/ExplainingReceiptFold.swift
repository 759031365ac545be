package import Storage
package import SubscriptionModel

/// Finds the periods and refunds of receipts that a row of a table counts.
///
/// It has no rules of its own: after each period it takes the facts that ``ReceiptFactBuilder`` has derived from it, and
/// it finds cohorts, switches and active chains as ``ViewTally`` does.
package struct ExplainingReceiptFold {
  /// Something that the builder has derived from a period.
  private struct Note {
    var counted: Counted
    var count = 1
    var segment: Int
    var period: Int
    var before: Int?
    var gap: Int?
    /// Whether it was known so on a day, and is another fact today.
    var isOutdated = false
  }

  let row: CountedRow
  let counted: Set<Counted>
  private let needsInstalments: Bool
  private let monthSystem: MonthSystem
  var terms: ReceiptTerms
  var builder: ReceiptFactBuilder
  var index: CohortIndex
  /// For each cohort that was tested, whether the row is that of the cohort.
  private var isCohortOfRow: [Int: Bool] = [:]

  // Those of the current chain.
  var termsOfPeriods: [Int] = []
  private var notes: [Note] = []
  /// The segment of each period's charge.
  private var segmentOfPeriod: [Int] = []
  /// By k, the period and its end; of a term, its last instalment and its scheduled end.
  var periodOfK: [Int: (index: Int, end: Instant)] = [:]
  /// The last instalment of a term whose position is not known.
  var unknownTerm: Int?
  var cohorts = ReusableArray<Int>()

  /// Creates a fold.
  ///
  /// - Parameters:
  ///   - row: The row to explain.
  ///   - counted: What its columns count.
  ///   - customers: The customers of the run.
  ///   - contingent: Prices that reports of the run mark as contingent.
  ///   - monthSystem: Calendar or fiscal months.
  ///   - symbol: Returns the symbol of a text, as it did in the run.
  package init(
    _ row: CountedRow, _ counted: Set<Counted>, customers: ReceiptCustomers,
    contingent: MarkedPrices, monthSystem: MonthSystem, symbol: @escaping (String) -> Symbol
  ) {
    self.row = row
    self.counted = counted
    self.monthSystem = monthSystem
    terms = ReceiptTerms(
      symbols: customers.settings.symbols, contingent: contingent, symbol: symbol)
    builder = ReceiptFactBuilder(
      toleranceSeconds: customers.settings.toleranceSeconds,
      asOf: customers.asOf ?? Instant(seconds: 0), monthSystem: monthSystem)
    builder.firstPeriods = []
    builder.instalmentPeriods = []
    needsInstalments = counted.contains { $0 == .instalment || $0.commitment != nil }
    index = CohortIndex(dimensions: row.dimensions, filter: row.filter)
  }

  /// Finds what the row counts of one customer.
  ///
  /// - Parameters:
  ///   - history: A builder that has built the customer's chains.
  ///   - body: Receives each period and refund that the row counts.
  package mutating func add(
    _ history: borrowing ReceiptHistory, _ body: (CountedReceipt) -> Void
  ) {
    for chain in history.chains.indices where history.chains[chain].isInRates {
      derive(history.chains[chain], history)
      pass(chain, body)
      passSwitches(chain, body)
      passActive(chain, body)
      if row.k != nil { passRetention(chain, history, body) }
      passRefunds(chain, history, body)
      if needsInstalments { passInstalments(chain, history, body) }
    }
    if row.k != nil, counted.contains(.notAtRisk) { passShared(history, body) }
  }

  // MARK: Facts

  /// Derives the facts of a chain, and notes the period of each.
  mutating func derive(_ chain: ReceiptChain, _ history: borrowing ReceiptHistory) {
    notes.removeAll(keepingCapacity: true)
    segmentOfPeriod.removeAll(keepingCapacity: true)
    terms.number(chain, history.periods, into: &termsOfPeriods)
    builder.begin(chain, history.periods, terms: termsOfPeriods)
    for period in chain.periods {
      let (facts, gaps) = (builder.derived.facts.count, builder.derived.gaps.count)
      let (noted, open) = (notes.count, builder.derived.open.count)
      let lastCount = builder.derived.facts.last?.count ?? 0
      let before = builder.latest
      builder.add(periodAt: period, chain)
      let gap =
        gaps < builder.derived.gaps.count ? builder.derived.gaps[gaps].days : nil
      noteCharge(period)
      // An equal fact of the period before has been counted together with this one's.
      if facts > 0 { note(facts - 1, less: lastCount, period, before, gap) }
      for new in facts..<builder.derived.facts.count { note(new, less: 0, period, before, gap) }
      if let day = row.knownOn { outdate(from: noted, open: open, period, on: day) }
    }
    var steps: [Int: (index: Int, end: Instant)] = [:]
    var unknown: Int?
    builder.finish(
      chain, history.commitmentTerms(of: chain), onStep: { steps[$0] = ($1, $2) },
      onUnknownTerm: { unknown = $0 })
    (periodOfK, unknownTerm) = (steps, unknown)
    findCohorts()
  }

  /// Notes the charge of a period that has just been added.
  private mutating func noteCharge(_ period: Int) {
    // A segment without charges may follow: an older period then represents the chain again.
    let own = builder.derived.segments.lastIndex { $0.months > 0 } ?? 0
    segmentOfPeriod.append(own)
    guard builder.derived.segments[own].isPaid, builder.derived.charges.last?.month == row.month
    else { return }
    note(Note(counted: .charge, segment: own, period: period))
  }

  private mutating func note(
    _ place: Int, less earlier: Int, _ period: Int, _ before: Int?, _ gap: Int?
  ) {
    let own = builder.derived.facts[place]
    guard own.count > earlier, own.month == row.month else { return }
    note(
      Note(
        counted: .fact(own.fact), count: own.count - earlier, segment: own.segment,
        period: period, before: before, gap: gap))
  }

  /// Replaces the notes of a period by those of the facts that were known on a day.
  ///
  /// - Parameters:
  ///   - first: The place of the period's first note.
  ///   - open: The place of its first late outcome.
  ///   - period: The index of the period.
  ///   - day: The day.
  private mutating func outdate(from first: Int, open: Int, _ period: Int, on day: Day) {
    let late = builder.derived.open[open...].filter {
      $0.period.isLate && $0.period.number == row.month.number && $0.end > day
    }
    guard let segment = late.first?.segment else { return }
    let own = notes[first...]
    let today = own.compactMap { note -> Fact? in
      if case .fact(let fact) = note.counted { fact } else { nil }
    }
    let known = RateCounts.facts(today, before: late.map(\.period.kind))
    notes.removeSubrange(first...)
    notes += own.filter { note in
      if case .fact(let fact) = note.counted { known.contains(fact) } else { true }
    }
    for fact in known where !today.contains(fact) {
      note(Note(counted: .fact(fact), segment: segment, period: period, isOutdated: true))
    }
  }

  private mutating func note(_ note: Note) {
    if counted.contains(note.counted) { notes.append(note) }
  }

  // MARK: Cohorts

  private mutating func findCohorts() {
    cohorts.removeAll()
    let chainPart = index.chainPart(builder.derived.key)
    for segment in builder.derived.segments {
      let cohort = index.cohort(
        terms: segment.terms, attributes: terms.all[segment.terms].attributes,
        chainPart: chainPart)
      cohorts.append(cohort ?? ViewTally.leftOut)
    }
  }

  mutating func isAsked(_ cohort: Int) -> Bool {
    guard cohort != ViewTally.leftOut else { return false }
    if let known = isCohortOfRow[cohort] { return known }
    let isOwn = row.isOfCohort(index.cohorts[cohort])
    isCohortOfRow[cohort] = isOwn
    return isOwn
  }

  func isOfCurrency(_ currency: Symbol) -> Bool {
    row.currency.map { $0 == currency } ?? true
  }

  func receipt(_ counted: Counted, _ chain: Int, _ period: Int) -> CountedReceipt {
    let number = termsOfPeriods[period - builder.periods.startIndex]
    var own = CountedReceipt(counted: counted, chain: chain, period: period)
    own.key = builder.derived.key
    own.attributes = terms.all[number].attributes
    return own
  }

  /// Passes the noted facts and charges of the row's cohort.
  private mutating func pass(_ chain: Int, _ body: (CountedReceipt) -> Void) {
    for note in notes where isAsked(cohorts[note.segment]) {
      let own = terms.all[builder.derived.segments[note.segment].terms]
      var found = receipt(note.counted, chain, note.period)
      if note.counted == .charge {
        guard isOfCurrency(own.proceeds.currency) else { continue }
        found.price = own.price.milliunits
        found.currency = own.proceeds.currency
      }
      found.count = note.count
      found.before = note.before
      found.gap = note.gap
      if note.isOutdated { found.knownOn = row.knownOn }
      body(found)
    }
  }

  // MARK: Switches and active chains

  /// Returns the last period of a segment; a segment without charges has the period that begins it.
  private func lastPeriod(ofSegment segment: Int, until month: Month? = nil) -> Int {
    let first = builder.periods.startIndex
    let last = segmentOfPeriod.indices.last { place in
      segmentOfPeriod[place] == segment
        && month.map { builder.month(of: builder.periods[first + place].start) < $0 } ?? true
    }
    return last.map { first + $0 } ?? builder.firstPeriods?[segment] ?? first
  }

  private mutating func passSwitches(_ chain: Int, _ body: (CountedReceipt) -> Void) {
    let switches: [Counted] = [.fact(.switchedIn), .fact(.switchedOut)]
    guard !counted.isDisjoint(with: switches), !builder.derived.changes.isEmpty else { return }
    // A list, because the cohorts cannot change while they are read.
    var found: [(fact: Fact, cohort: Int, month: Month, segment: Int)] = []
    ViewTally.forEachSwitch(of: builder.derived, terms.all, &index) {
      found.append(($0, $1, $2, $3))
    }
    for (fact, cohort, month, segment) in found
    where month == row.month && counted.contains(.fact(fact)) && isAsked(cohort) {
      let old = lastPeriod(ofSegment: segment - 1)
      let new = builder.firstPeriods?[segment] ?? old
      var own = receipt(.fact(fact), chain, fact == .switchedIn ? new : old)
      if fact == .switchedIn { own.before = old }
      if fact == .switchedOut, new != old { own.replacement = new }
      body(own)
    }
  }

  /// Passes the chain if it is active in the row's cohort.
  private mutating func passActive(_ chain: Int, _ body: (CountedReceipt) -> Void) {
    guard !counted.isDisjoint(with: [.activeBefore, .activeAtEnd]) else { return }
    var changes: [(fact: Fact, cohort: Int, month: Month)] = []
    ViewTally.forEachStockChange(of: builder.derived, cohorts) { changes.append(($0, $1, $2)) }
    for (when, month) in [(Counted.activeBefore, row.month), (.activeAtEnd, row.month + 1)]
    where counted.contains(when) {
      var active = 0
      for change in changes where change.month <= month && isAsked(change.cohort) {
        active += change.fact == .becameActive ? 1 : -1
      }
      guard active != 0 else { continue }
      var covering = 0
      for (place, segment) in builder.derived.segments.enumerated()
      where segment.isPaid && segment.start < month { covering = place }
      var own = receipt(when, chain, lastPeriod(ofSegment: covering, until: month))
      own.count = active
      body(own)
    }
  }

  // MARK: Refunds

  private mutating func passRefunds(
    _ chain: Int, _ history: borrowing ReceiptHistory, _ body: (CountedReceipt) -> Void
  ) {
    guard !counted.isDisjoint(with: [.refund(isFull: true), .refund(isFull: false)]) else { return }
    let chainPart = index.chainPart(builder.derived.key)
    for period in history.chains[chain].periods {
      let number = termsOfPeriods[period - builder.periods.startIndex]
      let refund = RefundFacts(
        of: history.periods[period], terms: number, terms.all, builder.derived.key, monthSystem)
      guard let refund, counted.contains(.refund(isFull: refund.isFull)),
        (row.isDatedBySale ? refund.saleMonth : refund.month) == row.month,
        isOfCurrency(refund.proceeds.currency),
        !refund.isLate(on: row.knownOn)
      else { continue }
      let cohort = index.cohort(
        terms: number, attributes: terms.all[number].attributes, chainPart: chainPart)
      guard let cohort, isAsked(cohort) else { continue }
      var own = receipt(.refund(isFull: refund.isFull), chain, period)
      own.price = refund.price.milliunits
      own.currency = refund.proceeds.currency
      body(own)
    }
  }
}
