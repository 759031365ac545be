/// What a subscription without a running period is waiting for: METRICS.md 11.4.
package enum WaitingState: Sendable {
  case grace, billingRetry
  /// The next instalment of a term failed, and Apple retries.
  case suspended
  /// The data do not say what became of it.
  case unresolved
}

extension ReceiptHistory {
  /// Returns the state of a chain at an instant at which no period covers it.
  ///
  /// - Parameters:
  ///   - chain: The chain.
  ///   - instant: At most the run's as-of.
  /// - Returns: The state, and the index of the last period that has ended; `nil` if the chain has lapsed, or not begun.
  package func waitingState(
    of chain: ReceiptChain, at instant: Instant
  ) -> (state: WaitingState, period: Int)? {
    var last: Int?
    var lastEnd = Instant(seconds: 0)
    for index in chain.periods where !periods[index].isReplacedAtOnce {
      guard let end = periods[index].end, end <= instant, end >= lastEnd else { continue }
      (last, lastEnd) = (index, end)
    }
    guard let last else { return nil }
    let period = periods[last]
    if period.fate == .current || period.isUpgraded { return (.unresolved, last) }
    guard period.refund == nil, instant - lastEnd < period.retrySeconds else { return nil }
    let infos = renewalInfos(after: period, until: lastEnd, in: chain)
    if !period.isInstalment, let grace = infos.compactMap(\.graceEnd).max(), instant < grace {
      return (.grace, last)
    }
    guard let info = infos.last(where: { $0.madeAt <= instant }) ?? infos.first else {
      return (.unresolved, last)
    }
    guard info.isRetryingBilling else { return nil }
    let isSuspended = period.isInstalment && period.position?.isLast != true
    return (isSuspended ? .suspended : .billingRetry, last)
  }

  /// Whether the customer has any renewal info.
  package var hasRenewalInfo: Bool { !infos.all.isEmpty || !infos.ofPeriods.isEmpty }

  /// Returns the end of the grace period after a lapse, at most that of Apple's retry; `nil` without one.
  package func graceEnd(of index: Int, in chain: ReceiptChain) -> Instant? {
    let period = periods[index]
    guard hasRenewalInfo, period.refund == nil, !period.isInstalment, let end = period.end,
      let grace = renewalInfos(after: period, until: end, in: chain).compactMap(\.graceEnd).max(),
      grace > end
    else { return nil }
    return min(grace, end + period.retrySeconds)
  }

  /// Returns the renewal infos of a period made at or after its end and before the next purchase of its original id, and
  /// those of the period alone, in the order of time.
  private func renewalInfos(
    after period: ReceiptPeriod, until end: Instant, in chain: ReceiptChain
  ) -> [RenewalCopy] {
    let id = period.event.originalID
    let next = periods[chain.periods].lazy
      .filter { $0.event.originalID == id && $0.start > period.start }.map(\.start).min()
    var found: [RenewalCopy] = []
    if id.isUsable {
      found = infos.ofID(id).filter { info in
        info.madeAt >= end && next.map { info.madeAt < $0 } ?? true && infos.counts(info, in: chain)
      }
    }
    guard let own = period.ownInfos else { return found }
    found += infos.ofPeriods[Int(own)].filter { $0.madeAt >= end }
    return found.sorted { $0.madeAt < $1.madeAt }
  }
}
