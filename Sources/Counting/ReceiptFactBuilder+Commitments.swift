import Storage
import SubscriptionModel

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
}
