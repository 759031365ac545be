import Storage
import SubscriptionModel

extension ChainFold {
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
  mutating func survival(
    of chain: Chain, _ periods: ReusableArray<Period>
  ) -> ChainFacts.Survival {
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
