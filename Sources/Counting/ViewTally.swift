import Storage
package import SubscriptionModel

/// All counts of one view from one source.
///
/// Tallies of parts of the input merge into the tally of the whole, in any order.
package struct ViewTally: Sendable {
  /// A key of ``ViewTally/gaps``.
  package struct GapKey: Hashable, Sendable {
    /// The cohort's index.
    package var cohort: Int32
    /// The month of the lapse.
    package var month: Month

    package init(cohort: Int32, month: Month) {
      self.cohort = cohort
      self.month = month
    }
  }

  /// The view's cohorts.
  package var index: CohortIndex
  package var facts: FactGrid
  /// Money by currency.
  package var money = MoneyGrid()
  /// Outcomes of paid periods by cohort and k, the number of the paid period; the element for k 0
  /// stays empty.
  package private(set) var survival: [[SurvivalCounts]] = []
  /// Recovered and reactivated lapses: their number by the length of the gap, in days (receipts:
  /// hundredths of days).
  package private(set) var gaps: [GapKey: [Int: Int]] = [:]
  /// For each cohort, the days from ``addEdge(_:count:cohort:)``, each with its number of charges.
  ///
  /// They are counted so that the charges of a part can be subtracted again.
  private(set) var edges: [DayCounts] = []
  /// For each cohort, the days on which an app of its charges moved to another account, each with the days from
  /// ``addTransfer(_:on:count:cohort:)``.
  private var transfers: [[(day: Day, edges: DayCounts)]] = []
  /// The open periods and late outcomes: see ``OpenPeriod``.
  package var open = OpenPeriods()
  /// Counts of commitments; empty if the source has no instalments.
  package var commitments = CommitmentGrid()
  /// The charges that came and went with their values; `nil` if no table of money is made.
  package var recurring: RecurringGrid?
  /// What chains have paid since their start; `nil` likewise.
  package var lifetime: LifetimeGrid?
  /// The subscriptions in snapshots; empty for other sources than `events`.
  package private(set) var snapshots = SnapshotGrid()
  private let filter: Filter

  /// Creates the empty tally of a view.
  package init(
    dimensions: [Dimension], filter: Filter, months: ClosedRange<Month>, hasMoney: Bool = false
  ) {
    recurring = hasMoney ? RecurringGrid() : nil
    lifetime = hasMoney ? LifetimeGrid() : nil
    index = CohortIndex(dimensions: dimensions, filter: filter)
    facts = FactGrid(months: months)
    self.filter = filter
  }

  /// Returns an empty tally of other dimensions with the same filter and months.
  func empty(dimensions: [Dimension]) -> ViewTally {
    let last = facts.firstMonth + (facts.monthCount - 1)
    return ViewTally(
      dimensions: dimensions, filter: filter, months: facts.firstMonth...last,
      hasMoney: recurring != nil)
  }

  /// Adds outcomes of paid period k.
  package mutating func addSurvival(
    _ counts: SurvivalCounts, cohort: Int, k: Int, _ sign: MergeSign = .plus
  ) {
    survival.extend(to: cohort + 1, with: [])
    survival[cohort].extend(to: k + 1, with: SurvivalCounts())
    survival[cohort][k].merge(counts, sign)
  }

  /// Adds recovered or reactivated lapses, given the days to the next charge; for receipts, hundredths of days.
  package mutating func addGap(_ gapDays: Int, count: Int = 1, cohort: Int, month: Month) {
    let key = GapKey(cohort: Int32(cohort), month: month)
    gaps[key, default: [:]][gapDays, default: 0] += count
    if count < 0, gaps[key]?[gapDays] == 0 { gaps[key]?[gapDays] = nil }
  }

  /// Adds charges of chains that may have begun before the first file.
  ///
  /// Example: the first file is of 1 March. A monthly subscription that was active then has had a
  /// charge by 1 April, so a monthly charge adds 1 April. The cohort's left edge is the latest day
  /// added.
  ///
  /// The day is the first of the data plus the duration of the charge; `count` is one for each ``ChainFacts/Segment``.
  mutating func addEdge(_ day: Day, count: Int = 1, cohort: Int) {
    edges.extend(to: cohort + 1, with: DayCounts())
    edges[cohort].add(count, on: day)
  }

  /// Returns a cohort's left edge: the first day on which all its active chains are in the data.
  ///
  /// Later than the first file, because a chain is only in the data from its first charge there on.
  /// `nil` if all its chains have a known start.
  package func edge(cohort: Int) -> Day? { cohort < edges.count ? edges[cohort].last : nil }

  /// Adds charges of an app that moved to another account.
  ///
  /// Example: the app moved on 1 April. A charge adds 1 April; a monthly one of a chain that may have begun in the old
  /// account adds 1 May, by when all such chains have been charged.
  ///
  /// `edge` is the day of the move, or that day plus the duration of the charge; `count` is one for each
  /// ``ChainFacts/Segment``.
  mutating func addTransfer(_ edge: Day, on day: Day, count: Int = 1, cohort: Int) {
    transfers.extend(to: cohort + 1, with: [])
    let place = transfers[cohort].firstIndex { $0.day >= day } ?? transfers[cohort].count
    if place == transfers[cohort].count || transfers[cohort][place].day != day {
      transfers[cohort].insert((day: day, edges: DayCounts()), at: place)
    }
    transfers[cohort][place].edges.add(count, on: edge)
  }

  /// Returns the days on which an app of a cohort's charges moved to another account, in order, each with the first day
  /// on which all active chains that came with it are in the data: METRICS.md 2.13.
  package func transfers(cohort: Int) -> [(day: Day, edge: Day)] {
    guard cohort < transfers.count else { return [] }
    return transfers[cohort].compactMap { day, edges in edges.last.map { (day, $0) } }
  }

  /// Adds the subscriptions of a snapshot row.
  mutating func addSnapshot(
    _ count: Int, _ column: SnapshotColumn, of day: Day, _ terms: SnapshotTerms
  ) {
    guard recurring != nil, isInSnapshot else { return }
    let cohort = index.cohort(attributes: terms.attributes, chainPart: 0)
    if let cohort { snapshots.add(count, column, terms, on: day, cohort: cohort) }
  }

  /// Adds the facts of the open periods as of a day; `onlyDecided` skips periods that a later day may count
  /// differently.
  mutating func countOpen(on asOf: Day, onlyDecided: Bool, _ months: MonthSystem) {
    // A copy: the closure changes `self` while the periods are enumerated.
    let open = open
    open.forEachOpen(on: asOf) { period, end, count, cohort in
      guard !onlyDecided || period.isDecided(end, on: asOf) else { return }
      period.forEachFact(end, on: asOf) { facts.add(count, $0, cohort: cohort, month: $1) }
      period.forEachSurvival(end, on: asOf) { counts, k in
        addSurvival(counts * count, cohort: cohort, k: k)
      }
      let lapse = ChainBuilder.lapseDay(ofPeriodUntil: end)
      let month = Month(number: period.number)
      // At the end of the month the period was not a lapse yet: keep this for
      // ``rateCounts(of:on:)``.
      if period.lapses, lapse <= asOf, months.month(of: lapse) > month {
        self.open.add(OpenPeriod(.lateLapse, month), until: lapse, count: count, cohort: cohort)
      }
    }
    commitments.countOpen(on: asOf, onlyDecided: onlyDecided)
    recurring?.countOpen(on: asOf, onlyDecided: onlyDecided)
  }

  /// Adds all counts of another part's tally, of this view or of a view with more dimensions.
  package mutating func merge(_ other: ViewTally) { merge(other, .plus) }

  /// Adds all counts of another tally, or subtracts them.
  mutating func merge(_ other: ViewTally, _ sign: MergeSign) {
    let indices = index.dimensions.map { dimension in
      other.index.dimensions.firstIndex(of: dimension) ?? 0
    }
    let cohorts = other.index.cohorts.map { values in
      index.cohort(of: indices.map { values[$0] })
    }
    facts.merge(other.facts, cohorts: cohorts, sign)
    money.merge(other.money, cohorts: cohorts, sign)
    for (cohort, byK) in other.survival.enumerated() {
      for (k, counts) in byK.enumerated() where counts != SurvivalCounts() {
        addSurvival(counts, cohort: cohorts[cohort], k: k, sign)
      }
    }
    for (key, histogram) in other.gaps {
      for (gapDays, count) in histogram {
        addGap(
          gapDays, count: sign.factor * count, cohort: cohorts[Int(key.cohort)], month: key.month)
      }
    }
    for (cohort, days) in other.edges.enumerated() {
      days.forEach { addEdge($0, count: sign.factor * $1, cohort: cohorts[cohort]) }
    }
    for (cohort, transfers) in other.transfers.enumerated() {
      for (day, edges) in transfers {
        edges.forEach {
          addTransfer($0, on: day, count: sign.factor * $1, cohort: cohorts[cohort])
        }
      }
    }
    open.merge(other.open, cohorts: cohorts, sign)
    commitments.merge(other.commitments, cohorts: cohorts, sign)
    snapshots.merge(other.snapshots, cohorts: cohorts, sign)
    if let recurring = other.recurring { self.recurring?.merge(recurring, cohorts: cohorts, sign) }
    if let lifetime = other.lifetime { self.lifetime?.merge(lifetime, cohorts: cohorts, sign) }
  }
}

// MARK: Coding

extension ViewTally {
  mutating func codeSurvival<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    coder.list(&survival, blank: []) { byK, coder in
      coder.list(&byK, blank: SurvivalCounts()) { $0.code(with: &$1) }
    }
    if survival.count > cohorts { coder.fail() }
  }

  mutating func codeGaps<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    var entries = gaps.flatMap { key, histogram in
      histogram.map { (key: key, days: $0.key, count: $0.value) }
    }
    entries.sort {
      ($0.key.cohort, $0.key.month, $0.days) < ($1.key.cohort, $1.key.month, $1.days)
    }
    let blank = GapKey(cohort: 0, month: Month(number: 0))
    coder.list(&entries, blank: (blank, 0, 0)) { entry, coder in
      coder.integer(&entry.key.cohort)
      coder.month(&entry.key.month)
      coder.count(&entry.days)
      coder.count(&entry.count)
    }
    guard coder.isReading else { return }
    gaps = [:]
    for (key, days, count) in entries {
      guard (0..<cohorts).contains(Int(key.cohort)) else { return coder.fail() }
      addGap(days, count: count, cohort: Int(key.cohort), month: key.month)
    }
  }

  mutating func codeEdges<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    coder.list(&edges, blank: DayCounts()) { $0.code(with: &$1) }
    coder.list(&transfers, blank: []) { own, coder in
      coder.list(&own, blank: (Day(number: 0), DayCounts())) { transfer, coder in
        coder.day(&transfer.day)
        transfer.edges.code(with: &coder)
      }
    }
    if max(edges.count, transfers.count) > cohorts { coder.fail() }
  }
}

/// Finds what depends on the cohorts of a view: active chains, and switches from one cohort to another.
extension ViewTally {
  /// Calls `body` with each fact by which a chain becomes active in a cohort or stops being active there, given the
  /// cohort of each segment.
  @inline(__always)
  static func forEachStockChange(
    of chain: borrowing ChainFacts, _ cohorts: ReusableArray<Int>,
    _ body: (Fact, _ cohort: Int, Month) -> Void
  ) {
    var activeCohort = leftOut
    for (number, segment) in chain.segments.enumerated() {
      let cohort = segment.isPaid ? cohorts[number] : leftOut
      if cohort != activeCohort {
        if activeCohort != leftOut { body(.stoppedBeingActive, activeCohort, segment.start + 1) }
        if cohort != leftOut { body(.becameActive, cohort, segment.start + 1) }
      }
      activeCohort = cohort
      guard let lapse = segment.lapse else { continue }
      if activeCohort != leftOut { body(.stoppedBeingActive, activeCohort, lapse + 1) }
      activeCohort = leftOut
    }
  }

  /// Calls `body` with each switch of a chain.
  ///
  /// A switch is a continuing charge with another cohort, product or plan, or a free one after a paid one. Because
  /// cohorts depend on the view, switches cannot be added up from a finer view.
  @inline(__always)
  static func forEachSwitch(
    of chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ index: inout CohortIndex,
    _ body: (Fact, _ cohort: Int, Month, _ segment: Int) -> Void
  ) {
    forEachReplacement(of: chain, terms, &index) { oldCohort, newCohort, number in
      let old = terms[chain.segments[number - 1].terms]
      let new = chain.segments[number]
      let isSame =
        oldCohort == newCohort && RecurringFlow(from: old, to: terms[new.terms]) != .product
      guard !new.isPaid || !isSame else { return }
      if let oldCohort { body(.switchedOut, oldCohort, new.start, number) }
      if new.isPaid, let newCohort { body(.switchedIn, newCohort, new.start, number) }
    }
  }

  /// Calls `body` with each charge of other terms that takes the place of a paid one: the cohort of the paid one, that
  /// of the other (`nil` if filters exclude it), and the index of the segment that begins with it.
  @inline(__always)
  private static func forEachReplacement(
    of chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ index: inout CohortIndex,
    _ body: (Int?, Int?, _ segment: Int) -> Void
  ) {
    let chainPart = index.chainPart(chain.key)
    for number in chain.changes[chain.shared.changes...] {
      let (old, new) = (chain.segments[number - 1].terms, chain.segments[number].terms)
      body(
        index.cohort(terms: old, attributes: terms[old].attributes, chainPart: chainPart),
        index.cohort(terms: new, attributes: terms[new].attributes, chainPart: chainPart), number)
    }
  }

  /// Adds the values of charges that take the place of others: METRICS.md 11.2.
  ///
  /// Cohorts of rows alone depend only on the terms: ``add(_:_:)`` adds all chains to such a view at once.
  mutating func addReplacements(of chain: borrowing ChainFacts, _ terms: [ChargeTerms]) {
    Self.forEachReplacement(of: chain, terms, &index) { oldCohort, newCohort, number in
      let (old, new) = (chain.segments[number - 1], chain.segments[number])
      recurring?.replace(
        old.terms, by: new.isPaid ? new.terms : nil, terms, in: oldCohort, newCohort,
        month: new.start)
    }
  }

  /// Adds replacements of all chains to a view without dimensions of chains.
  mutating func add(_ replacements: KeyCounts<Replacement>, _ terms: [ChargeTerms]) {
    guard recurring != nil else { return }
    for (key, count) in replacements.entries where count != 0 {
      let cohort = { (number: Int, index: inout CohortIndex) in
        index.cohort(terms: number, attributes: terms[number].attributes, chainPart: 0)
      }
      let (old, new) = (Int(key.old), key.new < 0 ? nil : Int(key.new))
      recurring?.replace(
        old, by: new, terms, in: cohort(old, &index), new.flatMap { cohort($0, &index) },
        month: key.month, count: count)
    }
  }

  /// Adds the months in which free periods begin to cover a chain of charges and cease to: METRICS.md 11.4.
  mutating func addFreeStock(
    of chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ cohorts: ReusableArray<Int>
  ) {
    for (number, segment) in chain.segments.enumerated()
    where !segment.isPaid && cohorts[number] != Self.leftOut {
      let isTrial = terms[segment.terms].kind == .trial
      facts.add(
        1, isTrial ? .freeTrialBegan : .freeOfferBegan, cohort: cohorts[number],
        month: segment.start)
      let next = number + 1 < chain.segments.count ? chain.segments[number + 1].start : nil
      if let end = segment.lapse ?? next {
        facts.add(
          1, isTrial ? .freeTrialEnded : .freeOfferEnded, cohort: cohorts[number], month: end)
      }
    }
  }
}

/// A charge that takes the place of a paid one of other terms.
struct Replacement: QuickHashable {
  /// The indices of the terms; the new ones are -1 for a free charge.
  var old: Int32
  var new: Int32
  var month: Month

  var quickHash: UInt32 {
    let terms = UInt64(UInt32(bitPattern: old)) << 32 | UInt64(UInt32(bitPattern: new))
    return (terms ^ UInt64(UInt32(bitPattern: month.number)) &* 0xD6E8_FEB8_6659_FD93).quickHash
  }
}

extension ChainFacts {
  /// Adds the replacements of the chain that are not in both its versions.
  func addReplacements(to counts: inout KeyCounts<Replacement>) {
    for number in changes[shared.changes...] {
      let new = segments[number]
      counts.add(
        1,
        of: Replacement(
          old: Int32(segments[number - 1].terms), new: new.isPaid ? Int32(new.terms) : -1,
          month: new.start))
    }
  }
}
