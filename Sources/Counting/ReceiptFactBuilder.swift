import Storage
import SubscriptionModel

/// Derives the facts of a chain of receipts: METRICS.md section 5.
///
/// Periods of receipts may overlap. The newest of the paid periods that cover an instant represents the chain. When it
/// ends before an older one, the older one represents the chain again. So the chain's cohort may change without a
/// charge; `ChainFacts` then has a segment without charges.
struct ReceiptFactBuilder {
  var derived = ChainFacts()
  let toleranceSeconds: Int
  /// As-of of the run; each chain also has its own, which may be earlier.
  let asOf: Instant
  let monthSystem: MonthSystem
  /// Whether months are those of Pacific Time.
  var isPacific = false

  private(set) var periods: ArraySlice<ReceiptPeriod> = []
  /// The index of each period's charge terms, in the order of ``periods``.
  private var terms: [Int] = []
  /// The paid periods that cover the current instant, in order; the last one represents the chain.
  private var covering: [Int] = []
  /// Of the charges so far, the one whose period ends last.
  private var latest: Int?

  init(toleranceSeconds: Int, asOf: Instant, monthSystem: MonthSystem) {
    self.monthSystem = monthSystem
    self.toleranceSeconds = toleranceSeconds
    self.asOf = asOf
    // Each chain is counted at its own as-of, so no instalment stays open.
    derived.asOf = .last
  }

  /// Derives the facts of a chain and puts them in `derived`; `terms` has the index of each period's terms, in the
  /// order of the chain.
  mutating func derive(
    _ chain: ReceiptChain, _ all: [ReceiptPeriod], terms: [Int],
    _ commitments: [CommitmentTerm<Instant>]
  ) {
    periods = all[chain.periods]
    self.terms = terms
    covering.removeAll(keepingCapacity: true)
    latest = nil
    derived.removeAll()
    derived.key = ChainKey(chain, all)
    for index in periods.indices { add(periodAt: index, chain) }
    endPeriods(beforeCharge: nil)
    derived.survival = chain.isStartKnown ? survival(chain, commitments) : nil
    for term in commitments { derive(term, chain) }
  }

  /// Adds the facts of a period.
  private mutating func add(periodAt index: Int, _ chain: ReceiptChain) {
    derived.beginPeriod(index, terms: terms(index), after: latest)
    if periods[index].isReplacedAtOnce {
      addReplacedAtOnce(index, chain)
    } else {
      endPeriods(beforeCharge: index)
      add(index, chain)
    }
  }

  // MARK: Coverage

  /// Returns the end of a period; its start if the end is not known.
  func end(_ index: Int) -> Instant { periods[index].end ?? periods[index].start }

  func month(of instant: Instant) -> Month {
    monthSystem.month(of: isPacific ? instant.pacificDay : instant.day)
  }

  func terms(_ index: Int) -> Int { terms[index - periods.startIndex] }

  /// Removes the paid periods that ended at an instant or earlier, if no later one covers them.
  private mutating func removeCovering(endedBy instant: Instant) {
    while let last = covering.last, end(last) <= instant { covering.removeLast() }
  }

  /// Ends the covering periods that are over when the next charge begins; all if there is no next
  /// charge.
  private mutating func endPeriods(beforeCharge charge: Int?) {
    let next = charge.map { periods[$0].start }
    while let representative = covering.last, next.map({ end(representative) <= $0 }) ?? true {
      let over = end(representative)
      removeCovering(endedBy: over)
      if let charge, periods[charge].start - over <= toleranceSeconds,
        covering.isEmpty || canRepresentChain(charge)
      {
        // The next charge continues this period.
        covering.append(representative)
        return
      } else if let other = covering.last {
        derived.changes.append(derived.segments.count)
        represent(other, from: month(of: over))
      } else {
        endCoverage(representative, at: over, isLast: next == nil)
      }
    }
  }

  /// Returns whether a period can represent the chain: it is paid and not empty.
  private func canRepresentChain(_ index: Int) -> Bool {
    periods[index].event.isPaid && !periods[index].hasNoLength
  }

  /// Ends the chain's coverage, by a lapse or as switched out.
  private mutating func endCoverage(_ representative: Int, at end: Instant, isLast: Bool) {
    if periods[representative].isLapse {
      derived.segments[derived.segments.count - 1].lapse = month(of: end)
      return
    }
    // A period that may still be running stays active. A period without a record after its end, or upgraded to a
    // product outside the data, ends the coverage without a lapse.
    let hasLeft = periods[representative].isUpgraded ? end <= asOf : asOf - end > toleranceSeconds
    guard hasLeft || !isLast else { return }
    derived.changes.append(derived.segments.count)
    derived.beginSegment(
      terms: terms(representative), isPaid: false, start: month(of: end), with: representative)
  }

  /// Begins a segment in which a period represents the chain again.
  private mutating func represent(_ index: Int, from month: Month) {
    derived.beginSegment(terms: terms(index), isPaid: true, start: month, with: index)
  }

  // MARK: Charges

  private mutating func add(_ index: Int, _ chain: ReceiptChain) {
    let period = periods[index]
    let isPaid = period.event.isPaid
    let isCovered = covering.last.map { end($0) > period.start } ?? false
    if isCovered, let representative = covering.last, !canRepresentChain(index) {
      // A free or empty period inside a paid one: it never represents the chain.
      begin(index, continuesChain: false)
      addFacts(index, chain)
      represent(representative, from: month(of: period.start))
    } else {
      let isInflow = covering.isEmpty
      begin(index, continuesChain: !isInflow)
      removeCovering(endedBy: period.start)
      if isPaid {
        if isInflow { derived.addFact(inflow(index, chain), month(of: period.start)) }
        covering.append(index)
      }
      addFacts(index, chain)
    }
    if latest.map({ end($0) <= end(index) }) ?? true { latest = index }
  }

  /// Adds a charge that was replaced before its period began: the chain goes on, or stays ended, as without it.
  private mutating func addReplacedAtOnce(_ index: Int, _ chain: ReceiptChain) {
    begin(index, continuesChain: false)
    addFacts(index, chain)
    let month = month(of: periods[index].start)
    if let representative = covering.last {
      represent(representative, from: month)
    } else {
      derived.beginSegment(terms: terms(index), isPaid: false, start: month, with: index)
    }
  }

  /// Adds a charge to the last segment, or to a new one.
  ///
  /// If it continues the chain without a gap and its terms are equal, it belongs to that segment; otherwise its own
  /// segment is a change.
  private mutating func begin(_ index: Int, continuesChain: Bool) {
    let month = month(of: periods[index].start)
    let isPaid = periods[index].event.isPaid
    let last = derived.segments.count - 1
    let isSame =
      continuesChain && derived.segments[last].terms == terms(index)
      && derived.segments[last].isPaid == isPaid
    if !isSame {
      if continuesChain { derived.changes.append(derived.segments.count) }
      derived.beginSegment(terms: terms(index), isPaid: isPaid, start: month)
    }
    derived.addCharge(month)
  }

  /// Returns the inflow of a paid charge that no paid period covers: METRICS.md section 5, movement.
  private func inflow(_ index: Int, _ chain: ReceiptChain) -> Fact {
    guard let latest else { return chain.isStartKnown ? .started : .firstSeen }
    let before = periods[latest]
    if periods[index].start - end(latest) > before.retrySeconds { return .reactivated }
    if !before.event.isPaid { return .converted }
    return before.fate == .recovered ? .recovered : .switchedIn
  }

  // MARK: Facts

  private mutating func addFacts(_ index: Int, _ chain: ReceiptChain) {
    if periods[index].event.isPaid {
      addLapse(of: periods[index], end(index), chain)
      addRenewal(of: periods[index], end(index), chain)
      addLateOutcome(index, end(index))
    } else if periods[index].event.kind == .trial {
      addTrial(index, chain)
    }
  }

  private mutating func addLapse(of period: ReceiptPeriod, _ end: Instant, _ chain: ReceiptChain) {
    let month = month(of: end)
    if let gap = period.gapAfter { derived.addGap(hundredthsOfDays(gap), month) }
    switch period.fate {
    case .none, .renewed, .upgraded: return
    case .current:
      if end <= chain.asOf { derived.addFact(.endedAtEdge, month) }
      return
    case .recovered:
      derived.addFact(.lapseRecovered, month)
      derived.addFact(.enteredRetry, month)
      return
    case .reactivated: derived.addFact(.lapseReactivated, month)
    case .openFinal: derived.addFact(.lapseOpenFinal, month)
    case .openProvisional: derived.addFact(.lapseOpenProvisional, month)
    }
    derived.addFact(.churned(period.reason ?? .unknown), month)
  }

  private mutating func addRenewal(
    of period: ReceiptPeriod, _ end: Instant, _ chain: ReceiptChain
  ) {
    guard period.wasDue, end <= chain.asOf else { return }
    let fact: Fact =
      switch period.fate {
      case .none, .renewed, .upgraded: .dueRenewed
      case .recovered: .dueRecovered
      case .reactivated, .openFinal: .dueLapsed
      case .openProvisional, .current: .duePending
      }
    derived.addFact(fact, month(of: end))
  }

  private mutating func addTrial(_ index: Int, _ chain: ReceiptChain) {
    let fact: Fact
    let next = next(after: index)
    if let next {
      let isInTime = next.start - end(index) <= ReceiptSettings.retrySeconds
      fact = next.event.isPaid && isInTime ? .trialConverted : .trialNotConverted
    } else {
      let isOver = chain.asOf - end(index) >= ReceiptSettings.retrySeconds
      fact = isOver ? .trialNotConverted : .trialPending
    }
    let month = month(of: periods[index].start)
    derived.addFact(fact, month)
    if fact == .trialConverted, let next {
      addLateOutcome(.lateConversion, month, at: next.start)
    }
  }

  /// Adds the outcomes of a paid period that came after the month of its end.
  private mutating func addLateOutcome(_ index: Int, _ end: Instant) {
    let period = periods[index]
    let month = month(of: end)
    if period.isLapse, period.cut == nil {
      addLateOutcome(.lateLapse, month, at: end + toleranceSeconds + 1)
    }
    if period.fate == .recovered, let gap = period.gapAfter {
      addLateOutcome(.lateRecovery, month, at: end + gap)
    }
    guard period.wasDueUnlessRefunded else { return }
    let renewal = next(after: index)?.start ?? end
    let isRenewed = period.fate == .renewed
    if isRenewed, renewal > end, period.wasDue { addLateOutcome(.lateRenewal, month, at: renewal) }
    if period.isRefunded, let refund = period.event.cancellation, refund > end {
      addLateOutcome(.lateNotDue, month, at: refund)
      if isRenewed { addLateOutcome(.lateNotRenewed, month, at: refund) }
    }
  }

  /// Returns the next charge of the chain, apart from those that were replaced before they began.
  private func next(after index: Int) -> ReceiptPeriod? {
    periods[(index + 1)...].first { !$0.isReplacedAtOnce }
  }

  private mutating func addLateOutcome(_ kind: OpenPeriod.Kind, _ month: Month, at instant: Instant)
  {
    guard self.month(of: instant) > month else { return }
    derived.addOpen(OpenPeriod(kind, month), until: instant.day)
  }
}

/// Returns seconds as hundredths of days, rounded half to even.
private func hundredthsOfDays(_ seconds: Int) -> Int {
  Int(Int128(seconds * 100).dividedHalfToEven(by: 86_400))
}

extension ReceiptFactBuilder {
  /// Adds the instalments of a term as of the chain's own as-of: METRICS.md section 5, commitments.
  mutating func derive(_ term: CommitmentTerm<Instant>, _ chain: ReceiptChain) {
    let isKnown = periods[term.instalments[0]].position?.number != nil
    for (place, index) in term.instalments.enumerated() where periods[index].start <= chain.asOf {
      let period = periods[index]
      let priced = pricedPeriod(in: term, upTo: place)
      let price = periods[priced].event.price ?? 0
      let next = place + 1 < term.instalments.count ? term.instalments[place + 1] : nil
      let step = CommitmentStep(
        currency: period.event.currency, customerCurrency: period.event.currency, price: price,
        proceeds: 0, remaining: isKnown ? period.position?.remaining : nil, end: end(index).day,
        endMonth: month(of: end(index)), retryEndMonth: month(of: retryEnd(index)),
        next: after(index, next, term.ending, chain))
      derived.instalments.append(
        ChainFacts.Instalment(
          terms: terms(index), step: step, start: month(of: period.start),
          place: .init(place, period.position),
          periods: .init(own: index, next: next, priced: priced)))
    }
  }

  private func retryEnd(_ index: Int) -> Instant {
    end(index) + ReceiptSettings.instalmentRetrySeconds
  }

  /// Returns the period whose price the remaining instalments will have.
  ///
  /// This is the newest period; in a term that began with an offer, the newest standard period, if any.
  private func pricedPeriod(in term: CommitmentTerm<Instant>, upTo place: Int) -> Int {
    let soFar = term.instalments[...place]
    if periods[soFar[0]].event.kind == .standard { return term.instalments[place] }
    return soFar.last { periods[$0].event.kind == .standard } ?? term.instalments[place]
  }

  private func after(
    _ index: Int, _ next: Int?, _ ending: CommitmentTerm<Instant>.Ending, _ chain: ReceiptChain
  ) -> CommitmentStep.Next {
    let over = end(index)
    // A chain without a record after the period's end leaves the stocks at that end.
    let lastSeen = asOf - over > toleranceSeconds ? month(of: over) : nil
    let start = next.map { periods[$0].start }.flatMap { $0 <= chain.asOf ? $0 : nil }
    guard over <= chain.asOf else {
      // A renewal may be charged some minutes early; then the next instalment replaces this one in the stocks.
      return start.map { .replaced(month(of: $0)) } ?? .running(lastSeen: lastSeen)
    }
    if let start {
      return start - over <= toleranceSeconds
        ? .paid(month(of: start)) : .recovered(month(of: start))
    }
    switch ending {
    case .complete where next == nil:
      return .complete(isRenewed: periods[index].fate == .renewed || periods[index].isUpgraded)
    case .refunded where next == nil: return .refunded
    case .changed(let start) where next == nil: return .changed(month(of: start))
    case .lost where next == nil:
      return .defaulted(over: retryEnd(index) <= asOf ? month(of: retryEnd(index)) : nil)
    default: break
    }
    let age = chain.asOf - over
    if age >= ReceiptSettings.instalmentRetrySeconds {
      return .defaulted(over: month(of: retryEnd(index)))
    }
    // It ended at most the tolerance before the chain's as-of, so it still counts as running.
    if periods[index].fate == .current { return .pending(isSuspended: false, lastSeen: lastSeen) }
    let isGone = asOf - retryEnd(index) >= 0
    return .pending(isSuspended: true, lastSeen: isGone ? month(of: retryEnd(index)) : nil)
  }

  // MARK: Retention

  /// Returns a chain's outcome in retention, where an upgraded period counts too: METRICS.md section 5 and 10.4.
  mutating func survival(
    _ chain: ReceiptChain, _ commitments: [CommitmentTerm<Instant>]
  ) -> ChainFacts.Survival {
    var outcome = ChainFacts.Survival()
    var k = 0
    var nextTerm = 0
    for index in periods.indices where periods[index].event.isPaid {
      let period = periods[index]
      var ofStep = index
      var (over, retrySeconds) = (end(index), ReceiptSettings.retrySeconds)
      // A term is pending from its default on; anything else from its end on.
      var pending = over
      var isLost = period.isLapse && period.fate != .recovered
      if period.isInstalment {
        // A term counts once, at its first instalment.
        guard nextTerm < commitments.count, commitments[nextTerm].instalments[0] == index else {
          continue
        }
        let term = commitments[nextTerm]
        nextTerm += 1
        if case .changed = term.ending { continue }
        guard let last = term.instalments.last else { break }
        guard let remaining = periods[last].position?.remaining else {
          derived.endSteps(atUnknown: last)
          break
        }
        over = end(last).adding(Term(months: Int16(remaining)))
        retrySeconds = ReceiptSettings.instalmentRetrySeconds
        pending = over
        switch term.ending {
        case .lost, .open: pending = min(over, retryEnd(last))
        case .complete, .refunded, .changed: break
        }
        isLost = Self.isLost(periods[last], term.ending)
        ofStep = last
      } else {
        guard !period.isPassedOver || period.isRefunded else { continue }
      }
      k += 1
      derived.addStep(ofStep, until: over.day)
      let isDecided = chain.asOf - over >= retrySeconds
      guard isDecided, outcome.k == k - 1 else {
        // A period is pending until its own decision, even if an earlier period is decided later.
        if pending <= chain.asOf, !isDecided { derived.pending.append(k) }
        continue
      }
      outcome.k = k
      outcome.isLost = isLost
      if outcome.isLost { break }
    }
    return outcome
  }

  /// Returns whether retention counts a term as lost.
  private static func isLost(
    _ last: ReceiptPeriod, _ ending: CommitmentTerm<Instant>.Ending
  ) -> Bool {
    switch ending {
    case .complete, .refunded: last.isLapse && last.fate != .recovered
    case .lost, .open: true
    case .changed: false
    }
  }

  /// Adds the states of a derived chain at the ends of the months in which no paid period covers it: METRICS.md 11.4.
  mutating func addMonthEnds(of chain: ReceiptChain, _ history: borrowing ReceiptHistory) {
    var month = month(of: history.periods[chain.periods.lowerBound].start)
    let last = self.month(of: asOf)
    while month <= last {
      defer { month = month + 1 }
      let end = Instant(endOf: monthSystem.lastDay(of: month)) ?? asOf
      guard !hasPaidPlace(atEndOf: month) else { continue }
      addState(of: chain, history, at: min(end, asOf), month, isLast: month == last)
    }
  }

  /// Returns whether a paid period represents the chain at the end of a month.
  private func hasPaidPlace(atEndOf month: Month) -> Bool {
    guard let number = derived.segments.lastIndex(where: { $0.start <= month }) else {
      return false
    }
    let segment = derived.segments[number]
    return segment.isPaid && segment.lapse.map { month < $0 } ?? true
  }

  private mutating func addState(
    of chain: ReceiptChain, _ history: borrowing ReceiptHistory, at instant: Instant,
    _ month: Month, isLast: Bool
  ) {
    let free = chain.periods.last { index in
      let period = history.periods[index]
      guard !period.event.isPaid, period.start <= instant, !period.hasNoLength else {
        return false
      }
      // One whose end has passed was not seen since.
      return period.end.map { instant < $0 } ?? (period.fate == .current)
    }
    if let free {
      let isTrial = history.periods[free].event.kind == .trial
      add(isTrial ? .freeTrialBegan : .freeOfferBegan, month, ofPeriodAt: free)
      if !isLast { add(isTrial ? .freeTrialEnded : .freeOfferEnded, month + 1, ofPeriodAt: free) }
      return
    }
    guard let (state, period) = history.waitingState(of: chain, at: instant) else { return }
    let fact: Fact =
      switch state {
      case .grace: .inGrace
      case .billingRetry: .inBillingRetry
      case .suspended: .isSuspended
      case .unresolved: .isUnresolved
      }
    add(fact, month, ofPeriodAt: period)
  }

  /// Adds a fact with the cohort of a period.
  private mutating func add(_ fact: Fact, _ month: Month, ofPeriodAt index: Int) {
    let own = terms(index)
    let segment = derived.segments.lastIndex { $0.terms == own } ?? 0
    derived.facts.append(
      ChainFacts.FactCount(
        fact: fact, month: month, segment: segment, count: 1,
        period: derived.keepsPeriods ? Int32(index) : ChainFacts.noPeriod))
  }
}
