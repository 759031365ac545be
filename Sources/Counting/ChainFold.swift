import Storage
package import SubscriptionModel

/// Derives facts from subscribers' chains for every view: METRICS.md section 5, source `subscribers`.
package struct ChainFold {
  /// The counts so far, complete: computed from ``counted``, the finer views and the paid charges.
  package var tally: Tally {
    var (tally, finer) = (counted, finer)
    finer.forEach(andDirectOf: &tally) {
      if !$0.index.hasChainDimensions { $0.add(charges, terms) }
      $0.add(lifetimes, terms, before: completeness.firstMonth)
    }
    finer.add(to: &tally)
    tally.others = others
    for view in tally.fullViews where !tally.views[view].index.hasChainDimensions {
      tally.views[view].add(replacements, terms)
    }
    return tally
  }

  /// The counts so far, without those of finer views and without ``charges``.
  private var counted: Tally
  private var finer: FinerViews
  /// The paid charges, added at the end to views without chain dimensions.
  private var charges: ChargeCounts
  /// The charges that took the place of others, added at the end to views without chain dimensions.
  private var replacements = KeyCounts<Replacement>()
  /// What chains have paid since their start, added at the end to all views.
  var lifetimes = KeyCounts<LifetimeEvent>()
  /// What other tools count otherwise; `nil` if no table needs it.
  var others: OtherGrid?
  /// For each terms, whether the filter admits them; empty if no table needs it.
  let isCountedByOthers: [Bool]
  /// The places of the current subscriber, and those that were left.
  var (places, lost) = (ReusableArray<HeldPlace>(), ReusableArray<LostPlace>())
  /// Whether tables of money are made, and whether a view needs the day of a chain's start.
  private let hasMoney: Bool
  let needsStartDay: Bool

  let terms: [ChargeTerms]
  /// Two flags of each terms, stored apart from `terms` so that they stay in the CPU cache.
  let kindOfTerms: [(isPaid: Bool, isTrial: Bool)]
  /// Whether any terms are of instalments; if not, the search for instalments is skipped.
  private let hasInstalments: Bool
  let completeness: Completeness
  /// The latest day on which the tally will be settled; open periods that end later are not counted.
  let lastDay: Day
  let months: MonthsOfDays
  /// What charges of each terms add to the edges of a cohort.
  private let edges: ChargeEdges
  /// The facts of the current chain.
  var derived = ChainFacts()
  /// Whether to derive the outcome in retention; `explain` needs it for few questions.
  var derivesRetention = true
  /// The instalment terms of the current chain.
  var commitments: [CommitmentTerm<Day>] = []
  private var cohorts = ReusableArray<Int>()

  /// Creates a fold with an empty tally, which will be settled on `lastDay` at the latest: as-of or later.
  package init(terms: [ChargeTerms], completeness: Completeness, tally: Tally, lastDay: Day) {
    self.terms = terms
    kindOfTerms = terms.map { ($0.isPaid, $0.kind == .trial) }
    hasInstalments = terms.contains(where: \.isInstalment)
    self.completeness = completeness
    self.lastDay = lastDay
    months = MonthsOfDays(completeness)
    charges = ChargeCounts(terms: terms.count, completeness)
    counted = tally
    counted.prices?.learn(terms)
    derived.asOf = completeness.asOf
    edges = ChargeEdges(terms, completeness)
    finer = FinerViews(of: tally)
    hasMoney = tally.views.contains { $0.lifetime != nil }
    others = tally.others
    counted.others = nil
    isCountedByOthers = others == nil ? [] : terms.map { tally.filter.admits($0.attributes) }
    needsStartDay = tally.views.contains { $0.index.dimensions.contains(.startWeek) }
  }

  /// Adds one subscriber's history.
  package mutating func add(_ history: borrowing ChainBuilder) {
    for number in history.chains.indices {
      derive(history.chains[number], history)
      addDerived()
    }
    addRest(history)
  }

  /// Adds a subscriber's old history to one fold and the new one to another, each without the facts
  /// that are in both.
  ///
  /// The caller subtracts the fold of the old histories and adds the other, so these facts would
  /// cancel out.
  package static func add(
    _ old: borrowing ChainBuilder, to then: inout ChainFold, _ new: borrowing ChainBuilder,
    to now: inout ChainFold
  ) {
    guard old.chains.count == new.chains.count else {
      then.add(old)
      now.add(new)
      return
    }
    for number in new.chains.indices {
      then.derive(old.chains[number], old)
      now.derive(new.chains[number], new)
      ChainFacts.compare(&then.derived, &now.derived)
      then.addDerived()
      now.addDerived()
    }
    then.addRest(old)
    now.addRest(new)
  }

  /// Replaces ``derived`` by the facts of a chain.
  mutating func derive(_ chain: Chain, _ history: borrowing ChainBuilder) {
    addFacts(of: chain, history.periods)
    derived.key = ChainKey(chain, history.periods, terms, firstDay: completeness.firstDay)
    if hasInstalments { deriveCommitments(of: chain, history.periods) }
    let hasOutcome = chain.start == .known && derivesRetention
    derived.survival = hasOutcome ? survival(of: chain, history.periods) : nil
    derived.isOfUnknownStart = chain.start == .before
    derived.receivedOn = chain.receivedOn
  }

  private mutating func deriveCommitments(of chain: Chain, _ periods: ReusableArray<Period>) {
    commitments = CommitmentTerm<Day>.terms(of: chain, periods)
    for term in commitments {
      derive(term, periods)
      if periods[term.instalments[0]].instalment.position?.number == nil {
        counted.instalmentsWithoutPosition += term.instalments.count
      }
    }
  }

  /// Adds ``derived`` to every view.
  private mutating func addDerived() {
    for number in finer.views.indices {
      finer.views[number].tally.add(
        derived, terms, edges, cohorts: &cohorts,
        addsCharges: finer.views[number].tally.index.hasChainDimensions)
    }
    for view in finer.direct {
      counted.views[view].add(
        derived, terms, edges, cohorts: &cohorts,
        addsCharges: counted.views[view].index.hasChainDimensions)
    }
    for view in counted.retentionViews { counted.views[view].addRetention(of: derived, terms) }
    guard derived.changes.count > derived.shared.changes else { return }
    if hasMoney { derived.addReplacements(to: &replacements) }
    for view in counted.fullViews {
      counted.views[view].addSwitches(
        of: derived, terms, addsValues: counted.views[view].index.hasChainDimensions)
    }
  }

  /// Adds the parts outside the chains: the number of rows, the refunds and the prices.
  private mutating func addRest(_ history: borrowing ChainBuilder) {
    counted.rowCount += history.rowCount
    for refund in history.refunds { add(refund, history) }
    if hasMoney { addLifetimes(history) }
    if others != nil { addOtherFacts(history) }
    counted.prices?.add(history)
  }

  // MARK: Facts

  private mutating func addFacts(of chain: Chain, _ periods: ReusableArray<Period>) {
    derived.removeAll()
    if let first = chain.periods.first(where: { kindOfTerms[Int(periods[$0].terms)].isPaid }) {
      counted.addPaidDay(on: periods[first].start)
    }
    for index in chain.periods { addFacts(ofPeriodAt: index, chain, periods) }
  }

  /// Adds the facts of a chain's next period to ``derived``.
  @inline(__always)
  private mutating func addFacts(
    ofPeriodAt index: Int, _ chain: Chain, _ periods: ReusableArray<Period>
  ) {
    let period = periods[index]
    let kind = kindOfTerms[Int(period.terms)]
    let start = months[period.start]
    let end = months[period.end]
    derived.beginPeriod(
      index, terms: Int(period.terms), after: index > chain.periods.lowerBound ? index - 1 : nil)
    addToSegment(period, isPaid: kind.isPaid, start: start, end: end)
    if !completeness.missingDays.isEmpty { countDoubtfulLapse(of: period, end) }
    if kind.isPaid {
      charges.add(terms: Int(period.terms), month: start)
      addInflow(at: index, chain, periods, start)
      addLateOutcome(period, end)
      if period.isUndecided {
        addOpenPeriod(OpenPeriod(period.kindWhenOpen, end), until: period.end)
      } else {
        addLapse(of: period, end)
        addRenewal(of: period, end)
      }
      return
    }
    if period.isUndecided {
      addOpenPeriod(OpenPeriod(kind.isTrial ? .freeTrial : .freeOffer, end), until: period.end)
    } else if period.ending == .transferred {
      derived.addFact(kind.isTrial ? .freeTrialEnded : .freeOfferEnded, end)
    }
    if kind.isTrial {
      if period.ending == .transferred {
        derived.addFact(.trialPending, start)
      } else if period.isOpen {
        addOpenPeriod(OpenPeriod(.trial, start), until: period.end)
      } else {
        addTrial(period, before: periods[index + 1], start)
      }
    }
  }

  /// Adds the facts of a period if they are decided; otherwise keeps it in `derived.open`.
  @inline(__always)
  private mutating func addOpenPeriod(_ period: OpenPeriod, until end: Day) {
    if period.isDecided(end, on: completeness.asOf) {
      period.forEachFact(end, on: completeness.asOf) { derived.addFact($0, $1) }
      if period.lapses { addLateLapse(Month(number: period.number), end) }
    } else if end <= lastDay || period.kind == .trial {
      // A trial counts as pending even before its end.
      derived.addOpen(period, until: end)
    }
  }

  /// Counts a lapse close to a missing day: the missing file may contain the next charge.
  private mutating func countDoubtfulLapse(of period: Period, _ month: Month) {
    guard completeness.isNearMissingDay(period.end) else { return }
    let lapse = ChainBuilder.lapseDay(ofPeriodUntil: period.end)
    if period.isUndecided, lapse > completeness.asOf {
      guard lapse <= lastDay else { return }
      counted.laterDoubtfulLapses.add(1, month, on: lapse)
    } else if period.isLapse {
      counted.addDoubtfulLapses(in: month)
    }
  }

  /// Adds a period to the last segment, or to a new one after a lapse or with other terms.
  @inline(__always)
  private mutating func addToSegment(_ period: Period, isPaid: Bool, start: Month, end: Month) {
    let isNew =
      derived.segments.last.map { $0.terms != Int(period.terms) || $0.lapse != nil } ?? true
    if isNew {
      if let last = derived.segments.last, last.isPaid, last.lapse == nil {
        derived.changes.append(derived.segments.count)
      }
      derived.beginSegment(terms: Int(period.terms), isPaid: isPaid, start: start)
    }
    derived.addCharge(start)
    if period.isLapse, !period.isUndecided {
      derived.segments[derived.segments.count - 1].lapse = end
    }
  }

  /// Adds a paid charge to the inflows of movement, such as `started`: METRICS.md section 5, movement.
  private mutating func addInflow(
    at index: Int, _ chain: Chain, _ periods: ReusableArray<Period>, _ month: Month
  ) {
    guard index > chain.periods.lowerBound else {
      switch chain.start {
      case .known: derived.addFact(.started, month)
      case .before: derived.addFact(.firstSeen, month)
      case .idReset: derived.addFact(.reactivated, month)
      }
      return
    }
    let before = periods[index - 1]
    if before.fate == .reactivated {
      derived.addFact(.reactivated, month)
    } else if !kindOfTerms[Int(before.terms)].isPaid {
      derived.addFact(.converted, month)
    } else if before.fate == .recovered {
      derived.addFact(.recovered, month)
    }
    // Any other paid charge continues a paid period; whether it is a switch depends on the view.
  }

  @inline(__always)
  private mutating func addLapse(of period: Period, _ month: Month) {
    if let days = period.gapDays, period.isLapse {
      derived.addGap(days, month)
    }
    switch period.fate {
    case .continued: return
    case .recovered:
      derived.addFact(.lapseRecovered, month)
      derived.addFact(.enteredRetry, month)
      return
    case .reactivated: derived.addFact(.lapseReactivated, month)
    // A period that ended by a transfer: ``OpenPeriod`` counts all others that are running.
    case .running:
      derived.addFact(.switchedOut, month)
      derived.addFact(.stoppedBeingActive, month + 1)
      return
    // A period that ended by a refund is final at once; ``OpenPeriod`` counts the others.
    case .openFinal, .openProvisional: derived.addFact(.lapseOpenFinal, month)
    }
    derived.addFact(period.ending == .refunded ? .churnedRefund : .churnedUnknown, month)
    if period.ranToItsEnd, !period.wasDue { derived.addFact(.churnedInTerm, month) }
  }

  private mutating func addRenewal(of period: Period, _ month: Month) {
    guard period.wasDue else { return }
    let kind: OpenPeriod.Kind
    switch period.fate {
    case .continued: kind = .renewed
    case .recovered: kind = .recovered
    // A due period with a next charge has none of the other three fates.
    case .reactivated, .openFinal, .openProvisional, .running: kind = .reactivated
    }
    addOpenPeriod(OpenPeriod(kind, month), until: period.end)
  }

  private mutating func addTrial(_ trial: Period, before next: Period, _ month: Month) {
    let isInTime = next.start - trial.end <= ChainBuilder.retryDays
    let isConverted = isInTime && kindOfTerms[Int(next.terms)].isPaid
    derived.addFact(isConverted ? .trialConverted : .trialNotConverted, month)
    if isConverted { addLateOutcome(.lateConversion, month, on: next.start) }
  }

  /// Adds the outcomes of a paid period that came after the month of its end.
  @inline(__always)
  private mutating func addLateOutcome(_ period: Period, _ month: Month) {
    // Nearly all periods are renewed on the day of their end.
    guard let next = period.nextStart, next != period.end else { return }
    if period.fate != .continued, period.ending != .refunded { addLateLapse(month, period.end) }
    if period.fate == .continued, period.wasDue { addLateOutcome(.lateRenewal, month, on: next) }
    if period.fate == .recovered || period.fate == .continued && period.ending == .refunded {
      addLateOutcome(.lateRecovery, month, on: next)
    }
  }

  private mutating func addLateLapse(_ month: Month, _ end: Day) {
    addLateOutcome(.lateLapse, month, on: ChainBuilder.lapseDay(ofPeriodUntil: end))
  }

  private mutating func addLateOutcome(_ kind: OpenPeriod.Kind, _ month: Month, on day: Day) {
    guard months[day] > month else { return }
    derived.addOpen(OpenPeriod(kind, month), until: day)
  }

  // MARK: Refunds

  private mutating func add(_ refund: Refund, _ history: borrowing ChainBuilder) {
    let derived = facts(of: refund, history)
    let terms = terms
    finer.forEach(andDirectOf: &counted) { $0.add(derived, terms) }
  }
}

extension Period {
  /// The kind of open period while there is no next charge.
  fileprivate var kindWhenOpen: OpenPeriod.Kind {
    guard let position = instalment.position else { return .paid }
    return position.isLast ? .lastInstalment : .instalment
  }
}

extension ChainFold {
  /// Adds the instalments of a term to `derived`: METRICS.md section 5, commitments.
  mutating func derive(_ term: CommitmentTerm<Day>, _ periods: ReusableArray<Period>) {
    let isKnown = periods[term.instalments[0]].instalment.position?.number != nil
    for (place, index) in term.instalments.enumerated() {
      let period = periods[index]
      let next = term.instalments.indices.contains(place + 1) ? term.instalments[place + 1] : nil
      let pricedIndex = self.priced(in: term, upTo: place, periods)
      let priced = terms[Int(periods[pricedIndex].terms)]
      let position = period.instalment.position
      let step = CommitmentStep(
        currency: priced.proceeds.currency, customerCurrency: priced.price.currency,
        price: priced.price.milliunits, proceeds: priced.proceeds.milliunits,
        remaining: isKnown ? position?.remaining : nil, end: period.end,
        endMonth: months[period.end],
        retryEndMonth: months[period.end + ChainBuilder.instalmentRetryDays],
        next: next.map { after(period, periods[$0]) } ?? after(period, term.ending))
      derived.instalments.append(
        ChainFacts.Instalment(
          terms: Int(period.terms), step: step, start: months[period.start],
          place: .init(place, position),
          periods: .init(own: index, next: next, priced: pricedIndex)))
    }
  }

  /// Returns the period whose price the remaining instalments will have.
  ///
  /// This is the newest period; in a term that began with an offer, the newest standard period, if any.
  private func priced(
    in term: CommitmentTerm<Day>, upTo place: Int, _ periods: ReusableArray<Period>
  ) -> Int {
    let soFar = term.instalments[...place]
    if terms[Int(periods[soFar[0]].terms)].kind == .standard { return term.instalments[place] }
    return soFar.last { terms[Int(periods[$0].terms)].kind == .standard } ?? term.instalments[place]
  }

  private func after(_ period: Period, _ next: Period) -> CommitmentStep.Next {
    period.fate == .continued ? .paid(months[next.start]) : .recovered(months[next.start])
  }

  private func after(_ period: Period, _ ending: CommitmentTerm<Day>.Ending) -> CommitmentStep.Next
  {
    switch ending {
    case .complete: return .complete(isRenewed: period.fate == .continued)
    case .refunded: return .refunded
    case .changed(let day): return .changed(months[day])
    case .lost: return .lost
    case .open: return .open
    }
  }

  /// Returns a refund with its dates, amounts and cohort.
  func facts(of refund: Refund, _ history: borrowing ChainBuilder) -> RefundFacts {
    let refunded = terms[Int(refund.terms)]
    var soldTerms = Int(refund.terms)
    var key = ChainKey(start: .before(completeness.firstDay.month), offer: nil)
    if let charge = refund.charge {
      soldTerms = Int(history.periods[charge.period].terms)
      key = ChainKey(
        history.chains[charge.chain], history.periods, terms, firstDay: completeness.firstDay)
    }
    return RefundFacts(
      price: refunded.price, proceeds: refunded.proceeds, isFull: refund.isFull,
      day: refund.day, month: months[refund.day],
      saleMonth: refund.charge.map { months[history.periods[$0.period].start] },
      terms: soldTerms, key: key)
  }

  /// A step of the retention curve: a paid period, or a whole term of instalments.
  private struct Step {
    /// The first day after the period; for a term, after its last instalment if all are paid.
    var end: Day
    /// The first day on which it is pending: `end`, or earlier the day on which a term defaulted.
    var pending: Day
    var isLost: Bool
    var isTerm: Bool

    var kind: OpenPeriod.Kind {
      switch (isTerm, isLost) {
      case (false, false): .kept
      case (false, true): .lost
      case (true, false): .keptTerm
      case (true, true): .lostTerm
      }
    }

    var retryDays: Int { isTerm ? ChainBuilder.instalmentRetryDays : ChainBuilder.retryDays }

    /// The first day on which the outcome is final: no later charge changes it.
    var decision: Day { end + retryDays }
  }

  /// Returns a chain's outcome in retention: METRICS.md section 5 and 10.4.
  ///
  /// Steps that are not decided at as-of are added to `derived.open`.
  mutating func survival(of chain: Chain, _ periods: ReusableArray<Period>) -> ChainFacts.Survival {
    var outcome = ChainFacts.Survival()
    // After it, the reports of another account show what followed, under another id.
    let lastDayOfAccount = chain.givenAway?.lastDay
    var (k, lastDecision, dayOfLoss) = (0, Day?.none, Day?.none)
    var nextTerm = 0
    for index in chain.periods {
      let step: Step
      var last = index
      if periods[index].instalment != .none {
        // A term counts once, at its first instalment.
        guard nextTerm < commitments.count, commitments[nextTerm].instalments[0] == index
        else { continue }
        let term = commitments[nextTerm]
        nextTerm += 1
        if case .changed = term.ending { continue }
        // Stop: the term's position is unknown, and so is k from here on.
        guard let own = self.step(of: term, periods) else {
          derived.endSteps(atUnknown: index)
          break
        }
        step = own
        last = term.instalments.last ?? index
      } else if isCompleted(periods[index]) {
        let end = periods[index].end
        step = Step(end: end, pending: end, isLost: isLost(periods[index]), isTerm: false)
      } else {
        continue
      }
      // A step is decided only after all earlier ones.
      let decision = max(step.decision, lastDecision ?? step.decision)
      lastDecision = decision
      k += 1
      derived.addStep(last, until: step.end)
      if let lastDayOfAccount, decision > lastDayOfAccount { break }
      guard decision > completeness.asOf || dayOfLoss != nil else {
        outcome.k = k
        outcome.isLost = step.isLost
        if outcome.isLost { break }
        continue
      }
      if let dayOfLoss {
        if step.pending < dayOfLoss {
          keepPending(k, from: step.pending, to: min(step.decision, dayOfLoss))
        }
        continue
      }
      let end = decision - step.retryDays
      keepOpen(OpenPeriod(step.kind, k: k), until: end)
      keepPending(k, from: step.pending, to: step.end)
      if end != step.end {
        // The step is pending only until its own decision day, even if an earlier step delays its count.
        keepPending(k, from: step.end, to: step.decision)
        keepPending(k, from: decision, to: end)
      }
      if step.isLost { dayOfLoss = decision }
    }
    return outcome
  }

  /// Returns a term as a step of retention, or `nil` when its position is unknown.
  private func step(of term: CommitmentTerm<Day>, _ periods: ReusableArray<Period>) -> Step? {
    guard let index = term.instalments.last,
      let remaining = periods[index].instalment.position?.remaining
    else { return nil }
    let last = periods[index]
    let end = last.end.adding(Term(months: Int16(remaining)))
    var step = Step(end: end, pending: end, isLost: false, isTerm: true)
    switch term.ending {
    case .complete: step.isLost = isLost(last)
    case .refunded: step.isLost = last.fate != .recovered && last.fate != .continued
    case .lost, .open:
      step.isLost = true
      step.pending = min(end, last.end + ChainBuilder.instalmentRetryDays)
    case .changed: break
    }
    return step
  }

  /// Counts step k as pending from one day to before another; with the days swapped, removes that count.
  private mutating func keepPending(_ k: Int, from first: Day, to end: Day) {
    guard first != end else { return }
    keepOpen(OpenPeriod(.pending, k: k), until: first)
    keepOpen(OpenPeriod(.noLongerPending, k: k), until: end)
  }

  private mutating func keepOpen(_ period: OpenPeriod, until end: Day) {
    guard end <= lastDay else { return }
    derived.open.append(.init(period: period, end: end, segment: 0))
  }

  /// Returns whether retention counts a period as a step.
  private func isCompleted(_ period: Period) -> Bool {
    kindOfTerms[Int(period.terms)].isPaid && (period.wasDue || period.ending == .refunded)
  }

  /// Returns whether a period lapsed without a recovery or has no next charge.
  private func isLost(_ period: Period) -> Bool {
    period.isOpen || period.isLapse && period.fate != .recovered
  }
}
