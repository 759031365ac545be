import Storage
package import SubscriptionModel

/// Something that another tool counts and no table of ours does: METRICS.md 11.5.
package enum OtherFact: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  // Changes of stocks at the ends of months, to be added to the number of active subscriptions.
  /// Subscriptions of customers beyond the first of each.
  case furtherPlaces
  /// With periods that a refund ended up to their own end, and without charges refunded in full: with values.
  case withRefundedPeriods, withoutRefundedCharges
  /// With months of Pacific Time.
  case pacificPlaces

  // Events of a month.
  /// Customers who have no subscription left, once a month: those who had one at its start, and the others.
  case lostCustomerOfStart, lostNewCustomer
  /// Renewals with another product; of events, downgrades.
  case renewedByOther
  /// Trials by their start: with any later payment, with one that was not refunded in full, with one that continues them.
  case trialPaid, trialPaidNotRefunded, trialContinued
  /// Full refunds by the month of the sale: with values, whose price is the refunded one.
  case fullRefund
  /// Subscriptions in a grace period at the end of the month: with values, those of the ended charges.
  case inGrace
  /// What months of lapses add that are dated by the end of their grace periods; negative in those of the lapses.
  case graceChurned, graceEnteredRetry, graceRecovered, graceReactivated
  /// What months of Pacific Time add.
  case pacificDue, pacificRenewed, pacificRenewedByOther

  /// Whether it changes a stock, which is the sum of all months so far.
  package var isStock: Bool { rawValue <= Self.pacificPlaces.rawValue }
}

/// Counts by month of what other tools count otherwise, of the whole population.
///
/// A count applies from a day on: a subscription whose period ended yesterday is not lost yet.
package struct OtherGrid: Sendable {
  package struct Key: QuickHashable {
    package var fact: OtherFact
    package var month: Month
    /// The number of the value in ``OtherGrid/values``; -1 for none.
    package var value: Int32
    /// The as-of from which it counts; ``OtherGrid/always`` for every one.
    fileprivate var from: Day

    package var quickHash: UInt32 {
      let place = UInt64(UInt32(bitPattern: value)) << 32 | UInt64(UInt32(bitPattern: month.number))
      let time = UInt64(UInt32(bitPattern: from.number)) << 8 | UInt64(fact.rawValue)
      return (place ^ time &* 0xD6E8_FEB8_6659_FD93).quickHash
    }
  }

  static let always = Day(number: .min)

  private var numbered = ChargeValues()
  private var counts = KeyCounts<Key>()
  /// The counts of the current customer with their periods, for `explain`; `nil` in other runs.
  private(set) var notes: [(key: Key, count: Int, period: Int)]?
  /// The period that the next counts are of.
  var period = 0
  /// Whether any renewal info was seen, without which grace periods are unknown.
  package internal(set) var hasRenewalInfo = false

  /// Creates a grid without counts; one that keeps periods is for `explain`.
  init(keepsPeriods: Bool = false) { if keepsPeriods { notes = [] } }

  /// Returns what the periods of the current customer add to the counts of a month on a day, and forgets them.
  mutating func takeNotes(
    of month: Month, on asOf: Day
  ) -> [(fact: OtherFact, value: ChargeValue?, period: Int, count: Int)] {
    let own = (notes ?? []).filter { key, _, _ in
      key.from <= asOf && (key.fact.isStock ? key.month <= month : key.month == month)
    }
    notes?.removeAll(keepingCapacity: true)
    return own.map { key, count, period in
      (key.fact, key.value < 0 ? nil : values[Int(key.value)], period, count)
    }
  }

  /// The values, by their numbers in ``entries``.
  package var values: [ChargeValue] { numbered.all }
  /// All counts, in no order; a count may be 0.
  package var entries: some Sequence<(key: Key, count: Int)> { counts.entries }

  mutating func number(of value: ChargeValue) -> Int32 { numbered.number(of: value) }

  /// Returns the number of the value of SUBSCRIBER terms.
  mutating func number(ofTerms index: Int, _ terms: [ChargeTerms]) -> Int32 {
    numbered.number(ofTerms: index, terms)
  }

  /// Adds to a count of a month, from an as-of on; to that of a value, by its number.
  mutating func add(
    _ count: Int = 1, _ fact: OtherFact, in month: Month, value: Int32 = -1,
    from day: Day = Self.always
  ) {
    let key = Key(fact: fact, month: month, value: value, from: day)
    counts.add(count, of: key)
    notes?.append((key, count, period))
  }

  /// Adds a place that is held at the ends of some months, or takes one away (-1); its end counts from the as-of `day`
  /// on.
  mutating func addPlace(
    _ count: Int, _ fact: OtherFact, _ months: (first: Month, end: Month), value: Int32,
    endingFrom day: Day = Self.always
  ) {
    guard months.first < months.end || day != Self.always else { return }
    add(count, fact, in: months.first, value: value)
    add(-count, fact, in: months.end, value: value, from: day)
  }

  /// Counts what applies on a day as if it always did, and drops the rest if no later day matters.
  mutating func settle(on asOf: Day, keepsLater: Bool) {
    let dated = counts.entries.filter { $0.key.from != Self.always && $0.count != 0 }
    guard !dated.isEmpty else { return }
    var settled = KeyCounts<Key>()
    for (key, count) in counts.entries where count != 0 {
      var own = key
      if own.from <= asOf { own.from = Self.always }
      if keepsLater || own.from == Self.always { settled.add(count, of: own) }
    }
    counts = settled
  }

  mutating func merge(_ other: OtherGrid, _ sign: MergeSign) {
    hasRenewalInfo = hasRenewalInfo || other.hasRenewalInfo
    let own = other.values.map { number(of: $0) }
    for (key, count) in other.counts.entries where count != 0 {
      let value = key.value < 0 ? -1 : own[Int(key.value)]
      add(sign.factor * count, key.fact, in: key.month, value: value, from: key.from)
    }
  }

  /// Writes or reads every count that is not 0.
  mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    coder.flag(&hasRenewalInfo)
    numbered.code(with: &coder)
    var counted = counts.entries.filter { $0.count != 0 }
    let possible = -1..<Int32(values.count)
    let blank = Key(fact: .inGrace, month: Month(number: 0), value: -1, from: Self.always)
    coder.list(&counted, blank: (blank, 0)) { entry, coder in
      coder.word(&entry.key.fact)
      coder.month(&entry.key.month)
      coder.integer(&entry.key.value)
      var isDated = entry.key.from != Self.always
      coder.flag(&isDated)
      if isDated { coder.day(&entry.key.from) }
      coder.count(&entry.count)
      if !possible.contains(entry.key.value) { coder.fail() }
    }
    guard coder.isReading, coder.isValid else { return }
    counts = KeyCounts()
    for (key, count) in counted { counts.add(count, of: key) }
  }
}

/// The time in which a subscription of a customer is active without a gap.
struct HeldPlace {
  /// The first moment, and the first one after it: numbers of days, or of seconds.
  var start, end: Int
  /// The months of both.
  var months: (first: Month, end: Month)
  /// The as-of from which its end counts.
  var from = OtherGrid.always
  /// The index of its last period.
  var period = 0

  /// Returns whether it is active at the end of a month, apart from what as-of decides.
  func isActive(atEndOf month: Month) -> Bool { months.first <= month && month < months.end }
}

/// A lapse that is churn: a subscription that has left.
struct LostPlace {
  /// The last moment of the day on which it ended: the number of a day, or of a second.
  var dayEnd: Int
  var month: Month
  var from = OtherGrid.always
  /// The index of the period that ended.
  var period = 0
}

extension OtherGrid {
  /// Adds a customer with the places of all subscriptions, of which several may be held at once, and the subscriptions
  /// that have left; places of one subscription do not overlap.
  mutating func add(
    _ places: borrowing ReusableArray<HeldPlace>, _ lost: borrowing ReusableArray<LostPlace>,
    hasSeveral: Bool
  ) {
    if hasSeveral { addFurtherPlaces(copy places) }
    guard lost.count > 1 else {
      if lost.count == 1 { _ = add(lost[0], places, hasSeveral: hasSeveral) }
      return
    }
    let lost = copy lost
    var months: [Month] = []
    for one in lost.sorted(by: { $0.from < $1.from }) where !months.contains(one.month) {
      if add(one, places, hasSeveral: hasSeveral) { months.append(one.month) }
    }
  }

  /// Adds the customer of a subscription that has left, and returns whether no other was held at the end of that day.
  @inline(__always)
  private mutating func add(
    _ lost: LostPlace, _ places: borrowing ReusableArray<HeldPlace>, hasSeveral: Bool
  ) -> Bool {
    var wasThere = false
    for place in places.indices {
      let place = places[place]
      if hasSeveral, place.start <= lost.dayEnd, lost.dayEnd < place.end { return false }
      wasThere = wasThere || place.isActive(atEndOf: lost.month - 1)
    }
    period = lost.period
    add(1, wasThere ? .lostCustomerOfStart : .lostNewCustomer, in: lost.month, from: lost.from)
    return true
  }

  /// Adds the subscriptions beyond the first, at the ends of the months between two changes.
  private mutating func addFurtherPlaces(_ places: ReusableArray<HeldPlace>) {
    let changes = Set(places.flatMap { [$0.months.first, $0.months.end] }).sorted()
    for (place, month) in changes.enumerated() {
      let next = place + 1 < changes.count ? changes[place + 1] : nil
      // Those whose end does not count yet are active after it too.
      let ends = places.filter { $0.from != Self.always && $0.months.first <= month }
        .filter { $0.months.end <= month }.map(\.from).sorted()
      var count = ends.count + places.count { $0.isActive(atEndOf: month) }
      if notes != nil {
        let held = places.filter { $0.months.first <= month }
        period = held.max { $0.start < $1.start }?.period ?? 0
      }
      let add = { (grid: inout Self, count: Int, day: Day) in
        grid.add(count, .furtherPlaces, in: month, from: day)
        if let next { grid.add(-count, .furtherPlaces, in: next, from: day) }
      }
      if count > 1 { add(&self, count - 1, Self.always) }
      for end in ends {
        if count > 1 { add(&self, -1, end) }
        count -= 1
      }
    }
  }
}

extension ChargeTerms {
  /// Whether a charge is of another product or plan: METRICS.md 10.1.
  func isOfOtherProduct(than other: ChargeTerms) -> Bool {
    attributes.product != other.attributes.product || plan != other.plan
  }
}

// MARK: SUBSCRIBER reports

extension ChainFold {
  /// Adds what other tools count of a subscriber otherwise.
  mutating func addOtherFacts(_ history: borrowing ChainBuilder) {
    places.removeAll()
    lost.removeAll()
    for chain in history.chains { addOtherFacts(of: chain, history.periods, history.refunds) }
    let hasSeveral = history.chains.count > 1
    if hasSeveral || !lost.isEmpty { others?.add(places, lost, hasSeveral: hasSeveral) }
    for refund in history.refunds where refund.isFull { addOtherFacts(of: refund, history) }
  }

  private mutating func addOtherFacts(
    of chain: Chain, _ periods: ReusableArray<Period>, _ refunds: [Refund]
  ) {
    var start: Day?
    for index in chain.periods {
      let period = periods[index]
      guard isCountedByOthers[Int(period.terms)] else { continue }
      let (isPaid, isTrial) = kindOfTerms[Int(period.terms)]
      if isTrial { addTrial(index, chain, periods, refunds) }
      guard isPaid else { continue }
      let began = start ?? period.start
      start = began
      if period.fate == .continued {
        let next = Int(periods[index + 1].terms)
        if next == Int(period.terms) { continue }
        if period.wasDue, terms[next].isOfOtherProduct(than: terms[Int(period.terms)]) {
          others?.period = index
          others?.add(1, .renewedByOther, in: months[period.end], from: period.end)
        }
        if kindOfTerms[next].isPaid, isCountedByOthers[next] { continue }
      }
      var place = Self.place(of: period, from: began, months)
      place.period = index
      places.append(place)
      start = nil
      guard period.isUndecided || period.isLapse && period.fate != .recovered else { continue }
      lost.append(
        LostPlace(dayEnd: place.end, month: place.months.end, from: place.from, period: index))
    }
  }

  /// Returns the place that ends with a period.
  @inline(__always)
  private static func place(of period: Period, from start: Day, _ months: MonthsOfDays) -> HeldPlace
  {
    var end = period.end
    // The next charge takes the place, a day early too.
    if period.fate == .continued, let next = period.nextStart { end = next }
    return HeldPlace(
      start: Int(start.number), end: Int(end.number), months: (months[start], months[end]),
      from: period.isUndecided
        ? ChainBuilder.lapseDay(ofPeriodUntil: period.end) : OtherGrid.always)
  }

  private mutating func addTrial(
    _ index: Int, _ chain: Chain, _ periods: ReusableArray<Period>, _ refunds: [Refund]
  ) {
    let trial = periods[index]
    let payment = ((index + 1)..<chain.periods.upperBound).first {
      kindOfTerms[Int(periods[$0].terms)].isPaid
    }
    guard let payment else { return }
    let month = months[trial.start]
    others?.period = index
    others?.add(1, .trialPaid, in: month)
    let isRefunded = refunds.contains { $0.isFull && $0.charge?.period == payment }
    if !isRefunded { others?.add(1, .trialPaidNotRefunded, in: month) }
    if payment == index + 1, trial.fate == .continued {
      others?.add(1, .trialContinued, in: month)
    }
  }

  private mutating func addOtherFacts(of refund: Refund, _ history: borrowing ChainBuilder) {
    guard let charge = refund.charge else { return }
    let period = history.periods[charge.period]
    guard isCountedByOthers[Int(period.terms)] else { return }
    guard let value = others?.number(ofTerms: Int(period.terms), terms),
      let refunded = others?.number(ofTerms: Int(refund.terms), terms)
    else { return }
    let place = Self.place(of: period, from: period.start, months)
    others?.period = charge.period
    others?.add(1, .fullRefund, in: months[period.start], value: refunded)
    others?.addPlace(
      -1, .withoutRefundedCharges, place.months, value: value, endingFrom: place.from)
    guard period.ending == .refunded, period.fate != .continued else { return }
    let end = min(period.fullEnd, period.nextStart ?? period.fullEnd)
    others?.addPlace(1, .withRefundedPeriods, (months[period.end], months[end]), value: value)
  }
}

// MARK: Receipts

/// Finds what other tools count of receipts otherwise, with a second derivation of facts where periods or months differ.
struct OtherReceiptFacts {
  private var builder: ReceiptFactBuilder
  private let tolerance: Int
  private let asOf: Instant
  private let months: MonthSystem
  private var isCounted: [Bool] = []
  private var places = ReusableArray<HeldPlace>()
  private var lost = ReusableArray<LostPlace>()
  private var chainCount = 0

  init(_ customers: ReceiptCustomers, _ months: MonthSystem, keepsPeriods: Bool = false) {
    tolerance = customers.settings.toleranceSeconds
    asOf = customers.asOf ?? Instant(seconds: 0)
    self.months = months
    builder = ReceiptFactBuilder(toleranceSeconds: tolerance, asOf: asOf, monthSystem: months)
    builder.derived.keepsPeriods = keepsPeriods
  }

  private func month(_ instant: Instant) -> Month { months.month(of: instant.day) }
  private func pacificMonth(_ instant: Instant) -> Month { months.month(of: instant.pacificDay) }

  /// Adds a chain of a customer to a grid, given its facts; `admits` returns whether the filter admits terms.
  mutating func add(
    _ chain: ReceiptChain, _ history: borrowing ReceiptHistory, _ source: ReceiptFacts,
    isCounted admits: (Int) -> Bool, to grid: inout OtherGrid
  ) {
    let (periods, terms, numbers) = (history.periods, source.terms, source.termsOfPeriods)
    for number in isCounted.count..<max(isCounted.count, terms.count) {
      isCounted.append(admits(number))
    }
    chainCount += 1
    addPlaces(of: chain, periods, numbers)
    let derived = source.derived
    for fact in derived.facts where fact.fact == .inGrace {
      let number = derived.segments[fact.segment].terms
      guard isCounted[number] else { continue }
      grid.period = Int(fact.period)
      grid.add(fact.count, .inGrace, in: fact.month, value: grid.number(of: terms[number].value))
    }
    for (offset, index) in chain.periods.enumerated() where isCounted[numbers[offset]] {
      let period = periods[index]
      grid.period = index
      let next = periods[(index + 1)..<chain.periods.upperBound].first { !$0.isReplacedAtOnce }
      guard period.event.isPaid else {
        if period.event.kind == .trial { addTrial(index, chain, periods, to: &grid) }
        continue
      }
      addRenewal(of: period, before: next, chain, to: &grid)
      guard period.isLapse, let end = period.end else { continue }
      if period.fate != .recovered {
        let dayEnd = Instant(endOf: end.day) ?? end
        lost.append(LostPlace(dayEnd: Int(dayEnd.seconds), month: month(end), period: index))
      }
      if let grace = history.graceEnd(of: index, in: chain) {
        addLapse(of: period, at: end, grace: grace, next, to: &grid)
      }
    }
    addPacific(of: chain, history, source, to: &grid)
    addRefunds(of: chain, history, source, to: &grid)
  }

  /// Adds what depends on all chains of a customer, after the last of them.
  mutating func endCustomer(to grid: inout OtherGrid) {
    if chainCount > 1 || !lost.isEmpty { grid.add(places, lost, hasSeveral: chainCount > 1) }
    places.removeAll()
    lost.removeAll()
    chainCount = 0
  }

  /// Adds the times in which paid periods cover a chain.
  private mutating func addPlaces(
    of chain: ReceiptChain, _ periods: [ReceiptPeriod], _ numbers: [Int]
  ) {
    let first = places.count
    var last: ReceiptPeriod?
    for (offset, index) in chain.periods.enumerated() {
      let period = periods[index]
      guard period.event.isPaid, isCounted[numbers[offset]], !period.hasNoLength,
        let end = period.end
      else { continue }
      if places.count > first, Int(period.start.seconds) - places[places.count - 1].end <= tolerance
      {
        guard Int(end.seconds) > places[places.count - 1].end else { continue }
        places[places.count - 1].end = Int(end.seconds)
        places[places.count - 1].months.end = month(end)
        places[places.count - 1].period = index
      } else {
        places.append(
          HeldPlace(
            start: Int(period.start.seconds), end: Int(end.seconds),
            months: (month(period.start), month(end)), period: index))
      }
      last = period
    }
    // A period that may still be running holds its place.
    guard let last, let end = last.end, !last.isLapse else { return }
    let hasEnded = last.isUpgraded ? end <= asOf : asOf - end > tolerance
    guard !hasEnded else { return }
    places[places.count - 1].end = .max
    places[places.count - 1].months.end = month(asOf) + 1
  }

  private func addRenewal(
    of period: ReceiptPeriod, before next: ReceiptPeriod?, _ chain: ReceiptChain,
    to grid: inout OtherGrid
  ) {
    guard period.wasDue, let end = period.end, end <= chain.asOf, period.fate == .renewed,
      let next, next.event.product != period.event.product || next.plan != period.plan
    else { return }
    grid.add(1, .renewedByOther, in: month(end))
    guard month(end) != pacificMonth(end) else { return }
    grid.add(-1, .pacificRenewedByOther, in: month(end))
    grid.add(1, .pacificRenewedByOther, in: pacificMonth(end))
  }

  private func addTrial(
    _ index: Int, _ chain: ReceiptChain, _ periods: [ReceiptPeriod], to grid: inout OtherGrid
  ) {
    let later = periods[(index + 1)..<chain.periods.upperBound].filter { !$0.isReplacedAtOnce }
    guard let payment = later.first(where: \.event.isPaid) else { return }
    let month = month(periods[index].start)
    grid.add(1, .trialPaid, in: month)
    if payment.refund != .full { grid.add(1, .trialPaidNotRefunded, in: month) }
    let end = periods[index].end ?? periods[index].start
    if later[later.startIndex].event.isPaid, payment.start - end <= tolerance {
      grid.add(1, .trialContinued, in: month)
    }
  }

  /// Moves a lapse to the end of its grace period; with a return by then it is none.
  private func addLapse(
    of period: ReceiptPeriod, at end: Instant, grace: Instant, _ next: ReceiptPeriod?,
    to grid: inout OtherGrid
  ) {
    let fact: OtherFact = period.fate == .recovered ? .graceEnteredRetry : .graceChurned
    grid.add(-1, fact, in: month(end))
    if let gap = period.gapAfter, end + gap <= grace {
      guard next?.event.isPaid == true else { return }
      grid.add(
        -1, period.fate == .recovered ? .graceRecovered : .graceReactivated, in: month(end + gap))
    } else if grace <= asOf {
      grid.add(1, fact, in: month(grace))
    }
  }

  // MARK: Other months, other periods

  private mutating func addPacific(
    of chain: ReceiptChain, _ history: borrowing ReceiptHistory, _ source: ReceiptFacts,
    to grid: inout OtherGrid
  ) {
    let isOther = history.periods[chain.periods].contains { period in
      month(period.start) != pacificMonth(period.start)
        || period.end.map { month($0) != pacificMonth($0) } ?? false
    }
    guard isOther else { return }
    builder.isPacific = true
    builder.derive(chain, history.periods, terms: source.termsOfPeriods, [])
    builder.isPacific = false
    add(builder.derived, 1, to: &grid)
    add(source.derived, -1, to: &grid)
  }

  private func add(_ derived: borrowing ChainFacts, _ sign: Int, to grid: inout OtherGrid) {
    derived.forEachPlace(isCounted) { segment, month, count in
      grid.period = Int(segment.period)
      grid.add(sign * count, .pacificPlaces, in: month)
    }
    for fact in derived.facts where isCounted[derived.segments[fact.segment].terms] {
      grid.period = Int(fact.period)
      switch fact.fact {
      case .dueRenewed:
        grid.add(sign * fact.count, .pacificRenewed, in: fact.month)
        grid.add(sign * fact.count, .pacificDue, in: fact.month)
      case .dueRecovered, .dueLapsed, .duePending:
        grid.add(sign * fact.count, .pacificDue, in: fact.month)
      default: break
      }
    }
  }

  private mutating func addRefunds(
    of chain: ReceiptChain, _ history: borrowing ReceiptHistory, _ source: ReceiptFacts,
    to grid: inout OtherGrid
  ) {
    let own = Array(history.periods[chain.periods])
    guard own.contains(where: { $0.isRefunded && $0.event.isPaid }) else { return }
    source.forEachRefund(of: chain, history) { refund, index in
      guard refund.isFull, isCounted[refund.terms], let month = refund.saleMonth else { return }
      var value = source.terms[refund.terms].value
      value.price = refund.price
      grid.period = index
      grid.add(1, .fullRefund, in: month, value: grid.number(of: value))
    }
    var whole = own
    for index in whole.indices where whole[index].cut == .refund && whole[index].event.isPaid {
      (whole[index].end, whole[index].cut) = (whole[index].event.expires, nil)
    }
    let numbers = source.termsOfPeriods
    let all = Array(chain.periods)
    add(.withRefundedPeriods, chain, whole, all, numbers, source, to: &grid)
    let kept = own.indices.filter { own[$0].refund != .full || !own[$0].event.isPaid }
    add(
      .withoutRefundedCharges, chain, kept.map { own[$0] }, kept.map { all[$0] },
      kept.map { numbers[$0] }, source, to: &grid)
  }

  /// Adds the difference that other periods make to the places of a chain; `places` are their indices in its history.
  private mutating func add(
    _ fact: OtherFact, _ chain: ReceiptChain, _ periods: [ReceiptPeriod], _ places: [Int],
    _ numbers: [Int], _ source: ReceiptFacts, to grid: inout OtherGrid
  ) {
    let terms = source.terms
    var other = chain
    (other.periods, other.isStartKnown) = (0..<periods.count, false)
    source.derived.forEachPlace(isCounted) { segment, month, count in
      grid.period = Int(segment.period)
      grid.add(-count, fact, in: month, value: grid.number(of: terms[segment.terms].value))
    }
    guard !periods.isEmpty else { return }
    builder.derive(other, periods, terms: numbers, [])
    let keepsPeriods = builder.derived.keepsPeriods
    builder.derived.forEachPlace(isCounted) { segment, month, count in
      if keepsPeriods { grid.period = places[Int(segment.period)] }
      grid.add(count, fact, in: month, value: grid.number(of: terms[segment.terms].value))
    }
  }
}

extension ChainFacts {
  /// Calls `body` with each change of the charge that holds the place of the chain: 1 for one that comes, -1 for one
  /// that goes.
  fileprivate borrowing func forEachPlace(
    _ isCounted: [Bool], _ body: (Segment, Month, Int) -> Void
  ) {
    for (number, segment) in segments.enumerated()
    where segment.isPaid && isCounted[segment.terms] {
      body(segment, segment.start, 1)
      let next = number + 1 < segments.count ? segments[number + 1].start : nil
      if let end = segment.lapse ?? next { body(segment, end, -1) }
    }
  }
}
