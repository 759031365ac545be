import Storage
import SubscriptionModel

/// The facts of a chain, derived once and added to every view.
///
/// Consecutive charges usually have equal terms, and within a chain the cohort depends only on the terms. So charges
/// are grouped in segments of equal terms, and a view looks up one cohort per segment, not per charge.
///
/// Example: twelve monthly charges at 9.99 USD, then three at 12.99 USD, are two segments.
struct ChainFacts {
  /// Consecutive charges of equal terms, without a lapse between them.
  struct Segment {
    /// The index of the terms.
    var terms: Int
    /// Whether the charges are paid.
    var isPaid: Bool
    /// The month of the first charge.
    var start: Month
    /// The month in which the last period lapsed; `nil` when it continues or is running.
    var lapse: Month?
    /// The number of elements of `charges` that belong to the segment.
    var months = 0
    /// The period that begins the segment, or whose end begins it: see ``period``.
    var period = ChainFacts.noPeriod
  }

  /// Charges of one segment in one month.
  struct MonthlyCharges: Equatable {
    var month: Month
    var count: Int
    /// The period of the charge: see ``period``.
    var period = ChainFacts.noPeriod
  }

  /// A fact, and the number of periods of a segment for which it holds.
  struct FactCount: Equatable {
    var fact: Fact
    var month: Month
    /// The segment's index.
    var segment: Int
    var count: Int
    /// The period that the fact is of: see ``period``.
    var period: Int32
  }

  /// The gap of a lapse that ended with another charge.
  struct Gap: Equatable {
    /// The length in whole days; for receipts, in hundredths of days.
    var days: Int
    var month: Month
    /// The segment's index.
    var segment: Int
    /// The period that lapsed: see ``period``.
    var period: Int32
  }

  /// The chain's outcome in retention.
  struct Survival: Equatable {
    /// The last k at which the chain was at risk; 0 if there is none.
    var k = 0
    var isLost = false
  }

  struct Instalment {
    /// The index of its terms.
    var terms: Int
    var step: CommitmentStep
    /// The month of the charge.
    var start: Month
    var place: CommitmentStep.Place
    var periods: Periods

    /// The indices of the periods that an instalment rests on.
    struct Periods {
      var own: Int
      /// That of the next instalment of the term; `nil` after the last one.
      var next: Int?
      /// That of the charge whose price the remaining instalments have.
      var priced: Int
    }
  }

  /// A paid period of retention, or a whole term of instalments.
  struct RetentionStep {
    /// The index of the period; of a term, that of its last instalment.
    var period: Int
    /// The first day after it; of a term, its scheduled end.
    var end: Day
  }

  /// The terms of a period, and the period before it.
  struct ExplainedPeriod {
    /// The index of its terms.
    var terms: Int
    /// The index of the period that its charge follows; `nil` for the first of the chain.
    var before: Int?
  }

  /// An open period, or a late outcome: see ``OpenPeriod``.
  struct DatedOpenPeriod {
    var period: OpenPeriod
    /// The first day after the period; for a late outcome, the day from which it counts.
    var end: Day
    /// The segment's index.
    var segment: Int
    /// The number of the period: see ``ChainFacts/period``.
    var number = ChainFacts.noPeriod
    /// Whether both versions of the chain have it: see ``SharedParts``.
    var isShared = false
  }

  var key = ChainKey(start: .unknown, offer: nil)
  var segments = ReusableArray<Segment>()
  /// Whether a segment has free charges; few chains have one.
  private(set) var hasFreeSegment = false
  var charges = ReusableArray<MonthlyCharges>()
  var facts = ReusableArray<FactCount>()
  var gaps = ReusableArray<Gap>()
  /// The segments that continue a paid segment of other terms; some are switches, depending on the view.
  var changes = ReusableArray<Int>()
  var survival: Survival?
  /// For receipts, the k of each pending paid period; for reports, pending periods are in `open`.
  var pending = ReusableArray<Int>()
  var isOfUnknownStart = false
  /// The day on which the app came to the account of the chain; `nil` if it was there before.
  var receivedOn: Day?
  /// The instalments of the chain's commitments; empty for most chains.
  var instalments = ReusableArray<Instalment>()
  /// The as-of for instalments; for receipts the last possible day, because each chain is counted at its own as-of.
  var asOf = Day(number: 0)
  var open = ReusableArray<DatedOpenPeriod>()
  var shared = SharedParts()

  // The rest is for `explain`. On a plain run no fact has the number of its period, and equal facts of neighbouring
  // periods are one entry.

  static let noPeriod: Int32 = -1

  /// Whether each fact keeps the period that it is of.
  var keepsPeriods = false
  /// The index of the period whose facts are being added; ``noPeriod`` on a plain run.
  private(set) var period = noPeriod
  /// The index of the chain's first period, which is the first of ``periods``.
  private(set) var firstPeriod = 0
  private(set) var periods = ReusableArray<ExplainedPeriod>()
  /// The paid periods of retention, from k = 1 on.
  private(set) var steps = ReusableArray<RetentionStep>()
  /// The index of an instalment of a term whose position is unknown; paid periods after it are not counted.
  private(set) var unknownTerm: Int?

  /// Begins a period, which follows the period `before`: facts, charges and gaps are of it until the next one begins.
  @inline(__always)
  mutating func beginPeriod(_ index: Int, terms: Int, after before: Int?) {
    if keepsPeriods { keepPeriod(index, terms, before) }
  }

  @inline(never)
  private mutating func keepPeriod(_ index: Int, _ terms: Int, _ before: Int?) {
    if periods.isEmpty { firstPeriod = index }
    period = Int32(index)
    periods.append(ExplainedPeriod(terms: terms, before: before))
  }

  /// Begins a segment, whose first charge is of the month `start`.
  ///
  /// The end of `period` begins it; by default the period whose facts are being added.
  @inline(__always)
  mutating func beginSegment(terms: Int, isPaid: Bool, start: Month, with period: Int? = nil) {
    var segment = Segment(terms: terms, isPaid: isPaid, start: start)
    segment.period = period.map(Int32.init) ?? self.period
    segments.append(segment)
    if !isPaid { hasFreeSegment = true }
  }

  /// Adds a charge to the last segment; charges of the same month become one entry.
  @inline(__always)
  mutating func addCharge(_ month: Month) {
    let segment = segments.count - 1
    if segments[segment].months > 0, charges[charges.count - 1].month == month, !keepsPeriods {
      charges[charges.count - 1].count += 1
    } else {
      charges.append(MonthlyCharges(month: month, count: 1, period: period))
      segments[segment].months += 1
    }
  }

  /// Adds a fact of the last segment; equal facts of neighbouring periods become one entry.
  mutating func addFact(_ fact: Fact, _ month: Month) {
    let segment = segments.count - 1
    if let last = facts.last, last.fact == fact, last.month == month, last.segment == segment,
      last.period == period
    {
      facts[facts.count - 1].count += 1
    } else {
      facts.append(FactCount(fact: fact, month: month, segment: segment, count: 1, period: period))
    }
  }

  /// Adds the gap of a lapse of the last segment.
  mutating func addGap(_ days: Int, _ month: Month) {
    gaps.append(Gap(days: days, month: month, segment: segments.count - 1, period: period))
  }

  /// Adds an open period or a late outcome of the last segment.
  mutating func addOpen(_ open: OpenPeriod, until end: Day) {
    self.open.append(
      DatedOpenPeriod(period: open, end: end, segment: segments.count - 1, number: period))
  }

  /// Adds the next paid period of retention.
  @inline(__always)
  mutating func addStep(_ period: Int, until end: Day) {
    if keepsPeriods { steps.append(RetentionStep(period: period, end: end)) }
  }

  /// Ends the paid periods of retention at an instalment of a term whose position is unknown.
  mutating func endSteps(atUnknown instalment: Int) { unknownTerm = instalment }

  /// Removes the chain and keeps the allocated memory.
  mutating func removeAll() {
    segments.removeAll()
    hasFreeSegment = false
    charges.removeAll()
    facts.removeAll()
    gaps.removeAll()
    changes.removeAll()
    open.removeAll()
    pending.removeAll()
    instalments.removeAll()
    shared = SharedParts()
    guard keepsPeriods else { return }
    periods.removeAll()
    steps.removeAll()
    unknownTerm = nil
  }
}

/// What a charge adds to the edges of its cohort: the days around which chains may be missing or be seen twice.
struct ChargeEdges {
  /// For each terms, the first day of the data plus the duration: see ``ViewTally/addEdge(_:count:cohort:)``.
  let ofTerms: [Day]
  /// For each terms, the days on which the app moved to another account; empty if no app moved.
  let transfers: [[Day]]

  /// Receipts have neither.
  static let none = ChargeEdges(ofTerms: [], transfers: [])

  private init(ofTerms: [Day], transfers: [[Day]]) {
    (self.ofTerms, self.transfers) = (ofTerms, transfers)
  }

  init(_ terms: [ChargeTerms], _ days: Completeness) {
    self.init(
      ofTerms: terms.map { days.firstDay.adding($0.regularTerm) },
      transfers: days.transfers.isEmpty
        ? [] : terms.map { days.transfers.days(of: $0.attributes.app) })
  }
}

/// A refund with its amounts, dates and cohort.
struct RefundFacts {
  /// The price given back.
  var price: Amount
  var proceeds: Amount
  var isFull: Bool
  var day: Day
  var month: Month
  /// The month of the charge; `nil` if the charge is outside the input.
  var saleMonth: Month?
  /// The terms of the charge, or the refund's own.
  var terms: Int
  /// The key of the charge's chain.
  var key: ChainKey

  /// The late outcome of the charge, with its day: a full refund after the month of the sale; `nil` for any other.
  var lateOutcome: (period: OpenPeriod, day: Day)? {
    guard isFull, let saleMonth, saleMonth < month else { return nil }
    return (OpenPeriod(.lateRefund, saleMonth), day)
  }
}

extension ViewTally {
  /// Stands for the cohort of rows that the filter excludes.
  static let leftOut = -1

  /// Adds a chain, except its switches; without `addsCharges` ``ChargeCounts`` adds the paid charges at the end.
  mutating func add(
    _ chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ edges: ChargeEdges,
    cohorts: inout ReusableArray<Int>, addsCharges: Bool
  ) {
    let chainPart = index.chainPart(chain.key)
    cohorts.removeAll()
    for segment in chain.segments {
      let cohort = index.cohort(
        terms: segment.terms, attributes: terms[segment.terms].attributes, chainPart: chainPart)
      cohorts.append(cohort ?? Self.leftOut)
      if let cohort, cohorts.count > chain.shared.segments {
        if chain.isOfUnknownStart, chain.receivedOn == nil {
          addEdge(edges.ofTerms[segment.terms], cohort: cohort)
        }
        if !edges.transfers.isEmpty {
          addTransfers(of: chain, terms[segment.terms], edges.transfers[segment.terms], cohort)
        }
      }
    }
    for instalment in chain.instalments {
      add(instalment, terms, chainPart, asOf: chain.asOf)
    }
    if addsCharges { addCharges(of: chain, terms, cohorts) }
    for fact in chain.facts[chain.shared.facts...] where cohorts[fact.segment] != Self.leftOut {
      facts.add(fact.count, fact.fact, cohort: cohorts[fact.segment], month: fact.month)
      if let flow = RecurringFlow.ofFact[fact.fact.rawValue] {
        recurring?.add(
          fact.count, flow, terms: chain.segments[fact.segment].terms, terms,
          cohort: cohorts[fact.segment], month: fact.month)
      }
    }
    for gap in chain.gaps[chain.shared.gaps...] where cohorts[gap.segment] != Self.leftOut {
      addGap(gap.days, cohort: cohorts[gap.segment], month: gap.month)
    }
    if !chain.shared.isStockEqual {
      addStock(of: chain, cohorts)
      // Receipts have free periods inside paid ones, and count them with the states at the ends of months.
      if chain.hasFreeSegment, !edges.ofTerms.isEmpty { addFreeStock(of: chain, terms, cohorts) }
    }
    let followed = Self.cohortOfSurvival(of: chain, terms, &index, chainPart, ofFirst: cohorts[0])
    if followed != Self.leftOut { addSurvival(of: chain, followed) }
    for own in chain.open where !own.isShared {
      let cohort = own.period.isOfSurvival ? followed : cohorts[own.segment]
      guard cohort != Self.leftOut else { continue }
      open.add(own.period, until: own.end, cohort: cohort)
      if own.period.lapses {
        recurring?.addOpen(
          own.period, until: own.end, terms: chain.segments[own.segment].terms, terms,
          cohort: cohort)
      }
    }
  }

  private mutating func addTransfers(
    of chain: borrowing ChainFacts, _ terms: ChargeTerms, _ days: [Day], _ cohort: Int
  ) {
    for day in days {
      let isReceived = chain.isOfUnknownStart && chain.receivedOn == day
      addTransfer(isReceived ? day.adding(terms.regularTerm) : day, on: day, cohort: cohort)
    }
  }

  /// Adds a chain to a view of retention alone.
  mutating func addRetention(of chain: borrowing ChainFacts, _ terms: [ChargeTerms]) {
    guard chain.survival != nil || chain.pending.count > 0 else { return }
    let chainPart = index.chainPart(chain.key)
    let first = chain.segments[0].terms
    let ofFirst = index.cohort(
      terms: first, attributes: terms[first].attributes, chainPart: chainPart)
    let followed = Self.cohortOfSurvival(
      of: chain, terms, &index, chainPart, ofFirst: ofFirst ?? Self.leftOut)
    guard followed != Self.leftOut else { return }
    addSurvival(of: chain, followed)
    for own in chain.open where !own.isShared && own.period.isOfSurvival {
      open.add(own.period, until: own.end, cohort: followed)
    }
  }

  /// Adds a chain's decided retention, and for receipts its pending periods.
  private mutating func addSurvival(of chain: borrowing ChainFacts, _ cohort: Int) {
    if let survival = chain.survival, survival.k > 0, chain.shared.survival != survival {
      let counts = survival.isLost ? SurvivalCounts(lost: 1) : SurvivalCounts(kept: 1)
      addSurvival(counts, cohort: cohort, k: survival.k)
    }
    for k in chain.pending { addSurvival(SurvivalCounts(pending: 1), cohort: cohort, k: k) }
  }

  /// Returns the cohort in which retention counts a chain: that of its first charge.
  ///
  /// The dimensions `plan` and `contingent` are those of the first paid charge: METRICS.md 10.1 and 10.7.
  static func cohortOfSurvival(
    of chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ index: inout CohortIndex,
    _ chainPart: Int32, ofFirst: Int
  ) -> Int {
    guard index.needsFirstPaidCharge, !chain.segments[0].isPaid,
      let paid = chain.segments.first(where: \.isPaid)
    else { return ofFirst }
    var attributes = terms[chain.segments[0].terms].attributes
    attributes.plan = terms[paid.terms].attributes.plan
    attributes.contingent = terms[paid.terms].attributes.contingent
    return index.cohort(attributes: attributes, chainPart: chainPart) ?? leftOut
  }

  private mutating func add(
    _ instalment: ChainFacts.Instalment, _ terms: [ChargeTerms], _ chainPart: Int32, asOf: Day
  ) {
    let cohort = index.cohort(
      terms: instalment.terms, attributes: terms[instalment.terms].attributes, chainPart: chainPart)
    guard let cohort else { return }
    commitments.add(
      instalment.step, from: instalment.start, instalment.place, cohort: cohort, asOf: asOf)
  }

  private mutating func addCharges(
    of chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ cohorts: ReusableArray<Int>
  ) {
    var first = 0
    for (number, segment) in chain.segments.enumerated() {
      let end = first + segment.months
      defer { first = end }
      guard segment.isPaid, cohorts[number] != Self.leftOut else { continue }
      let price = terms[segment.terms].price
      let proceeds = terms[segment.terms].proceeds
      for position in max(first, chain.shared.charges)..<max(end, chain.shared.charges) {
        money.addCharge(
          price: price, proceeds: proceeds, count: chain.charges[position].count,
          cohort: cohorts[number], month: chain.charges[position].month)
      }
    }
  }

  /// Adds the months in which the chain became active in a cohort and stopped being active.
  private mutating func addStock(of chain: borrowing ChainFacts, _ cohorts: ReusableArray<Int>) {
    Self.forEachStockChange(of: chain, cohorts) { fact, cohort, month in
      facts.add(1, fact, cohort: cohort, month: month)
    }
  }

  /// Adds a chain's switches, and the values of charges that take the place of others; without `addsValues`
  /// ``Replacement`` adds these at the end.
  mutating func addSwitches(
    of chain: borrowing ChainFacts, _ terms: [ChargeTerms], addsValues: Bool = true
  ) {
    if addsValues, recurring != nil { addReplacements(of: chain, terms) }
    Self.forEachSwitch(of: chain, terms, &index) { fact, cohort, month, _ in
      facts.add(1, fact, cohort: cohort, month: month)
    }
  }

  /// Adds a refund under the cohort of the refunded charge.
  mutating func add(_ refund: RefundFacts, _ terms: [ChargeTerms]) {
    let cohort = index.cohort(
      terms: refund.terms, attributes: terms[refund.terms].attributes,
      chainPart: index.chainPart(refund.key))
    guard let cohort else { return }
    money.addRefund(
      price: refund.price, proceeds: refund.proceeds, isFull: refund.isFull, count: 1,
      cohort: cohort, month: refund.month, saleMonth: refund.saleMonth)
    if let late = refund.lateOutcome { open.add(late.period, until: late.day, cohort: cohort) }
  }
}

/// Compares a chain's facts before and after tonight's rows, so that only the difference is counted.
///
/// Usually one period differs.
extension ChainFacts {
  /// The parts of a chain that are equal before and after; views skip them.
  struct SharedParts {
    /// The number of equal elements at the beginning of each list.
    var (segments, charges, facts, gaps, changes) = (0, 0, 0, 0, 0)
    /// The retention outcome of the other version of the chain; `nil` if the cohorts may differ.
    ///
    /// An outcome equal to it is not counted.
    var survival: Survival?
    /// Whether the segments of both versions have the same terms, starts and lapses, and so the
    /// same stock.
    var isStockEqual = false
  }

  /// Finds the parts that are equal in a chain before tonight's rows and after them, and stores them in both.
  static func compare(_ then: inout ChainFacts, _ now: inout ChainFacts) {
    // A segment's cohort depends only on the chain's key and on its terms.
    guard then.key == now.key, then.isOfUnknownStart == now.isOfUnknownStart,
      then.receivedOn == now.receivedOn
    else { return }
    var shared = SharedParts()
    shared.segments = length(then.segments, now.segments) { $0.terms == $1.terms }
    let isShared = { (segment: Int) in segment < shared.segments }
    shared.charges = sharedCharges(then, now, segments: shared.segments)
    shared.facts = length(then.facts, now.facts) { $0 == $1 && isShared($0.segment) }
    shared.gaps = length(then.gaps, now.gaps) { $0 == $1 && isShared($0.segment) }
    shared.changes = length(then.changes, now.changes) {
      $0 == $1 && isShared($0) && then.segments[$0].start == now.segments[$0].start
    }
    shared.isStockEqual = then.segments.elementsEqual(now.segments) {
      $0.terms == $1.terms && $0.start == $1.start && $0.lapse == $1.lapse
    }
    then.shared = shared
    now.shared = shared
    guard shared.segments > 0 else { return }
    // The cohort in retention also depends on the first paid charge: METRICS.md 10.1.
    let firstPaid = then.segments.firstIndex(where: \.isPaid)
    let isSurvivalShared =
      firstPaid == now.segments.firstIndex(where: \.isPaid) && isShared(firstPaid ?? 0)
    if isSurvivalShared {
      then.shared.survival = now.survival
      now.shared.survival = then.survival
    }
    for index in then.open.indices where isShared(then.open[index].segment) {
      let old = then.open[index]
      guard isSurvivalShared || !old.period.isOfSurvival else { continue }
      let same = now.open.firstIndex {
        $0.period == old.period && $0.end == old.end && $0.segment == old.segment && !$0.isShared
      }
      guard let same else { continue }
      then.open[index].isShared = true
      now.open[same].isShared = true
    }
  }

  /// Returns the number of equal charges at the beginning, in segments of equal terms.
  private static func sharedCharges(
    _ then: borrowing ChainFacts, _ now: borrowing ChainFacts, segments: Int
  ) -> Int {
    var index = 0
    for number in 0..<segments {
      let (old, new) = (then.segments[number].months, now.segments[number].months)
      let end = index + min(old, new)
      while index < end {
        guard then.charges[index] == now.charges[index] else { return index }
        index += 1
      }
      guard old == new else { return index }
    }
    return index
  }

  /// Returns the number of equal elements at the beginning of two lists.
  private static func length<Element>(
    _ then: ReusableArray<Element>, _ now: ReusableArray<Element>,
    _ isSame: (Element, Element) -> Bool
  ) -> Int {
    let end = min(then.count, now.count)
    var length = 0
    while length < end, isSame(then[length], now[length]) { length += 1 }
    return length
  }
}
