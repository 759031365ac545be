public import SubscriptionModel

/// States the facts of one subscriber's chains and adds them to every view: METRICS.md section 5,
/// source `subscribers`.
public struct ChainFold {
  /// What the fold has counted so far.
  public private(set) var tally: Tally

  private struct StatedFact {
    var fact: Fact
    var month: Month
    var period: Int
    var count = 1
  }

  private let terms: [ChargeTerms]
  private let completeness: Completeness
  private let edgeOfTerms: [Day]
  private var facts: [StatedFact] = []
  private var cohorts: [Int] = []
  private static let leftOut = -1

  /// Creates a fold.
  ///
  /// - Parameters:
  ///   - terms: The terms that periods refer to by index.
  ///   - completeness: Which days of the data are there.
  ///   - tally: An empty tally to add to.
  public init(terms: [ChargeTerms], completeness: Completeness, tally: Tally) {
    self.terms = terms
    self.completeness = completeness
    self.tally = tally
    edgeOfTerms = terms.map { completeness.firstDay.adding($0.standardTerm) }
  }

  /// Adds one subscriber's history.
  ///
  /// - Parameter history: A builder that has built the subscriber's chains.
  public mutating func add(_ history: borrowing ChainBuilder) {
    for chain in history.chains {
      stateFacts(of: chain, history.periods)
      let key = key(of: chain, history.periods)
      let outcome = chain.start == .known ? survival(of: chain, history.periods) : nil
      for view in tally.suppliedViews {
        let chainPart = tally.views[view].index.chainPart(key)
        findCohorts(of: chain, history.periods, view: view, chainPart: chainPart)
        addFacts(of: chain, history.periods, to: view)
        if let outcome { addSurvival(outcome, to: view) }
      }
    }
    for refund in history.refunds { add(refund, history) }
  }

  private func key(of chain: Chain, _ periods: [Period]) -> ChainKey {
    let first = periods[chain.periods.lowerBound]
    return switch chain.start {
    case .known: ChainKey(start: .day(first.start), offer: terms[Int(first.terms)].kind)
    case .before: ChainKey(start: .before(completeness.firstDay.month), offer: nil)
    case .idReset: ChainKey(start: .idReset, offer: nil)
    }
  }

  // MARK: Facts

  private mutating func state(_ fact: Fact, _ month: Month, of period: Int) {
    facts.append(StatedFact(fact: fact, month: month, period: period))
  }

  private mutating func stateFacts(of chain: Chain, _ periods: [Period]) {
    facts.removeAll(keepingCapacity: true)
    for index in chain.periods {
      let period = periods[index]
      let periodTerms = terms[Int(period.terms)]
      if period.isLapse, !completeness.missingDays.isEmpty,
        completeness.isNearMissingDay(period.end)
      {
        tally.doubtfulMonths.insert(period.end.month)
      }
      if periodTerms.isPaid {
        tally.notePaidCharge(in: period.start.month)
        stateArrival(at: index, chain, periods)
        stateStock(of: period, index)
        stateLapse(of: period, index)
        stateRenewal(of: period, index)
      } else if periodTerms.kind == .trial {
        stateTrial(index, chain, periods)
      }
    }
  }

  /// States how a paid charge came to be: METRICS.md section 5, movement.
  private mutating func stateArrival(at index: Int, _ chain: Chain, _ periods: [Period]) {
    let month = periods[index].start.month
    guard index > chain.periods.lowerBound else {
      switch chain.start {
      case .known: state(.started, month, of: index)
      case .before: state(.firstSeen, month, of: index)
      case .idReset: state(.reactivated, month, of: index)
      }
      return
    }
    let before = periods[index - 1]
    if before.fate == .reactivated {
      state(.reactivated, month, of: index)
    } else if !terms[Int(before.terms)].isPaid {
      state(.converted, month, of: index)
    } else if before.fate == .recovered {
      state(.recovered, month, of: index)
    }
    // A continuing paid charge is a switch or nothing, which depends on the view.
  }

  private mutating func stateStock(of period: Period, _ index: Int) {
    let end = period.fate == .continued ? period.nextStart : period.end
    let firstMonth = period.start.month + 1
    let isRunning = period.fate == .running
    guard isRunning || (end.map { $0.month >= firstMonth } ?? true) else { return }
    state(.becameActive, firstMonth, of: index)
    if !isRunning, let end { state(.stoppedBeingActive, end.month + 1, of: index) }
  }

  private mutating func stateLapse(of period: Period, _ index: Int) {
    let month = period.end.month
    if period.fate == .running, period.end <= completeness.asOf {
      state(.endedAtEdge, month, of: index)
    }
    switch period.fate {
    case .continued, .running: return
    case .recovered:
      state(.lapseRecovered, month, of: index)
      state(.enteredRetry, month, of: index)
      return
    case .reactivated: state(.lapseReactivated, month, of: index)
    case .openFinal: state(.lapseOpenFinal, month, of: index)
    case .openProvisional: state(.lapseOpenProvisional, month, of: index)
    }
    state(period.ending == .refunded ? .churnedRefund : .churnedUnknown, month, of: index)
  }

  private mutating func stateRenewal(of period: Period, _ index: Int) {
    guard period.wasDue, period.end <= completeness.asOf else { return }
    let fact: Fact =
      switch period.fate {
      case .continued: .dueRenewed
      case .recovered: .dueRecovered
      case .reactivated, .openFinal: .dueLapsed
      case .openProvisional, .running: .duePending
      }
    state(fact, period.end.month, of: index)
  }

  private mutating func stateTrial(_ index: Int, _ chain: Chain, _ periods: [Period]) {
    let trial = periods[index]
    let fact: Fact
    if index + 1 < chain.periods.upperBound {
      let nextIsPaid = terms[Int(periods[index + 1].terms)].isPaid
      let isInTime = (trial.gapDays ?? 0) <= ChainBuilder.retryDays
      fact = nextIsPaid && isInTime ? .trialConverted : .trialNotConverted
    } else {
      let isOver = trial.end + ChainBuilder.retryDays <= completeness.asOf
      fact = isOver ? .trialNotConverted : .trialPending
    }
    state(fact, trial.start.month, of: index)
  }

  // MARK: Survival

  private struct Outcome {
    /// The last k at which the chain was at risk; 0 when at none.
    var k = 0
    var isLost = false
    /// How many paid periods after it ended too late to be decided.
    var pendingPeriods = 0
  }

  /// Follows a chain through its paid periods: METRICS.md section 5, retention.
  private func survival(of chain: Chain, _ periods: [Period]) -> Outcome? {
    var outcome = Outcome()
    for index in chain.periods {
      let period = periods[index]
      guard terms[Int(period.terms)].isPaid, period.wasDue || period.ending == .refunded else {
        continue
      }
      let isDecided = period.end + ChainBuilder.retryDays <= completeness.asOf
      guard isDecided, outcome.pendingPeriods == 0 else {
        if period.end > completeness.asOf { break }
        outcome.pendingPeriods += 1
        continue
      }
      outcome.k += 1
      outcome.isLost = period.isLapse && period.fate != .recovered
      if outcome.isLost { break }
    }
    return outcome.k > 0 || outcome.pendingPeriods > 0 ? outcome : nil
  }

  private mutating func addSurvival(_ outcome: Outcome, to view: Int) {
    let cohort = cohorts[0]
    guard cohort != Self.leftOut else { return }
    if outcome.k > 0 {
      let counts = SurvivalCounts(
        kept: outcome.isLost ? 0 : 1, lost: outcome.isLost ? 1 : 0, pending: 0)
      tally.views[view].addSurvival(counts, cohort: cohort, k: outcome.k)
    }
    for later in 0..<outcome.pendingPeriods {
      tally.views[view].addSurvival(
        SurvivalCounts(kept: 0, lost: 0, pending: 1), cohort: cohort, k: outcome.k + 1 + later)
    }
  }

  // MARK: Views

  /// Finds the cohort of each of the chain's periods in one view.
  private mutating func findCohorts(
    of chain: Chain, _ periods: [Period], view: Int, chainPart: Int32
  ) {
    cohorts.removeAll(keepingCapacity: true)
    for index in chain.periods {
      let termsIndex = Int(periods[index].terms)
      let cohort = tally.views[view].index.cohort(
        terms: termsIndex, attributes: terms[termsIndex].attributes, chainPart: chainPart)
      cohorts.append(cohort ?? Self.leftOut)
      if let cohort, chain.start == .before {
        tally.views[view].extendEdge(to: edgeOfTerms[termsIndex], cohort: cohort)
      }
    }
  }

  private mutating func addFacts(of chain: Chain, _ periods: [Period], to view: Int) {
    let first = chain.periods.lowerBound
    for stated in facts {
      let cohort = cohorts[stated.period - first]
      guard cohort != Self.leftOut else { continue }
      tally.views[view].facts.add(stated.count, stated.fact, cohort: cohort, month: stated.month)
      if stated.fact == .lapseRecovered || stated.fact == .lapseReactivated,
        let gap = periods[stated.period].gapDays
      {
        tally.views[view].addGap(gap, cohort: cohort, month: stated.month)
      }
    }
    for index in chain.periods {
      addCharge(periods[index], cohort: cohorts[index - first], to: view)
      addSwitch(from: index, chain, periods, to: view)
    }
  }

  private mutating func addCharge(_ period: Period, cohort: Int, to view: Int) {
    guard cohort != Self.leftOut else { return }
    let periodTerms = terms[Int(period.terms)]
    guard periodTerms.isPaid else { return }
    tally.views[view].money.addCharge(
      price: periodTerms.price, proceeds: periodTerms.proceeds, count: 1, cohort: cohort,
      month: period.start.month)
  }

  /// Adds a continuing charge that left one cohort for another, or changed its product, or became
  /// free.
  private mutating func addSwitch(
    from index: Int, _ chain: Chain, _ periods: [Period], to view: Int
  ) {
    let period = periods[index]
    guard period.fate == .continued, let day = period.nextStart else { return }
    let old = terms[Int(period.terms)]
    let new = terms[Int(periods[index + 1].terms)]
    guard old.isPaid else { return }
    let oldCohort = cohorts[index - chain.periods.lowerBound]
    let newCohort = cohorts[index + 1 - chain.periods.lowerBound]
    let isSame = oldCohort == newCohort && old.attributes.product == new.attributes.product
    guard !new.isPaid || !isSame else { return }
    if oldCohort != Self.leftOut {
      tally.views[view].facts.add(1, .switchedOut, cohort: oldCohort, month: day.month)
    }
    if new.isPaid, newCohort != Self.leftOut {
      tally.views[view].facts.add(1, .switchedIn, cohort: newCohort, month: day.month)
    }
  }

  // MARK: Refunds

  private mutating func add(_ refund: Refund, _ history: borrowing ChainBuilder) {
    let money = terms[Int(refund.terms)]
    let soldTerms: Int
    let key: ChainKey
    if let charge = refund.charge {
      soldTerms = Int(history.periods[charge.period].terms)
      key = self.key(of: history.chains[charge.chain], history.periods)
    } else {
      soldTerms = Int(refund.terms)
      key = ChainKey(start: .before(completeness.firstDay.month), offer: nil)
    }
    for view in tally.suppliedViews {
      let chainPart = tally.views[view].index.chainPart(key)
      let cohort = tally.views[view].index.cohort(
        terms: soldTerms, attributes: terms[soldTerms].attributes, chainPart: chainPart)
      guard let cohort else { continue }
      tally.views[view].money.addRefund(
        price: money.price, proceeds: money.proceeds, isFull: refund.isFull, count: 1,
        cohort: cohort, month: refund.day.month,
        saleMonth: refund.charge.map { history.periods[$0.period].start.month })
    }
  }
}
