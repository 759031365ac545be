extension ReceiptHistory {
  /// Sets what followed each period of a chain: METRICS.md 3.9 and 3.10.
  mutating func setFates(of chain: Int) {
    setGaps(of: chains[chain])
    var first = chains[chain].periods.lowerBound
    let end = chains[chain].periods.upperBound
    while first < end {
      guard periods[first].end != nil, !periods[first].isReplacedAtOnce else {
        if periods[first].isReplacedAtOnce { periods[first].fate = .upgraded }
        first += 1
        continue
      }
      first = setFates(ofActivePeriodFrom: first, chain)
    }
  }

  /// Sets the gap before each period of a chain.
  private mutating func setGaps(of chain: ReceiptChain) {
    var latest: Instant?
    for index in chain.periods {
      periods[index].gapBefore = latest.map { periods[index].start - $0 }
      latest = [latest, periods[index].end].compactMap { $0 }.max()
    }
  }

  /// Sets the fates of the periods of one active period: periods that overlap, or with gaps up to
  /// the tolerance.
  ///
  /// All but the last are continued by another one of them.
  ///
  /// - Returns: The index of the first period after them.
  private mutating func setFates(ofActivePeriodFrom first: Int, _ chain: Int) -> Int {
    let upperBound = chains[chain].periods.upperBound
    var last = first
    var end = periods[first].start
    var next = first
    while next < upperBound {
      // A period without a known end does not belong to an active period.
      if let nextEnd = periods[next].end {
        guard next == first || periods[next].start - end <= settings.toleranceSeconds else { break }
        chains[chain].coveredSeconds += max(0, nextEnd - max(end, periods[next].start))
        if nextEnd >= end, !periods[next].isReplacedAtOnce { (last, end) = (next, nextEnd) }
      }
      next += 1
    }
    let hasLength = end > periods[first].start
    if hasLength { chains[chain].activePeriodCount += 1 }
    for index in first..<next where periods[index].end != nil {
      periods[index].activePeriod = hasLength ? chains[chain].activePeriodCount : nil
      periods[index].fate = periods[index].isUpgraded ? .upgraded : .renewed
    }
    setLastFate(last, chains[chain])
    return next
  }

  /// Sets the fate of the period that ends an active period, unless a period without a known end
  /// continues it.
  private mutating func setLastFate(_ last: Int, _ chain: ReceiptChain) {
    guard let end = periods[last].end else { return }
    let later = (last + 1)..<chain.periods.upperBound
    let tolerance = settings.toleranceSeconds
    let isContinued =
      chain.kind != .autoRenewable
      && later.prefix { periods[$0].start - end <= tolerance }.contains { periods[$0].end == nil }
    guard !isContinued else { return }
    periods[last].endsCoverage = true
    guard !periods[last].isUpgraded else { return }
    let next = later.first { periods[$0].start - end > tolerance && !periods[$0].isReplacedAtOnce }
    setLapseOrRunning(last, chain, next: next.map { periods[$0].start })
  }

  /// Sets whether the last period of an active period is a lapse or still running.
  private mutating func setLapseOrRunning(_ index: Int, _ chain: ReceiptChain, next: Instant?) {
    guard let end = periods[index].end else { return }
    periods[index].fate = fate(of: periods[index], end: end, chain, next: next)
    guard periods[index].isLapse else { return }
    periods[index].gapAfter = next.map { $0 - end }
    periods[index].reason = reason(of: index, end: end, chain)
  }

  private func fate(
    of period: ReceiptPeriod, end: Instant, _ chain: ReceiptChain, next: Instant?
  ) -> ReceiptPeriod.Fate {
    guard end <= chain.asOf else { return .current }
    if let next {
      return next - end <= period.retrySeconds ? .recovered : .reactivated
    }
    if period.isRefunded { return .openFinal }
    let age = chain.asOf - end
    if age <= settings.toleranceSeconds, !isOver(period, end: end, chain) { return .current }
    return age >= period.retrySeconds ? .openFinal : .openProvisional
  }

  /// Returns whether a period that ended just before as-of is over: cut short, or expired according
  /// to Apple.
  private func isOver(_ period: ReceiptPeriod, end: Instant, _ chain: ReceiptChain) -> Bool {
    if period.cut != nil || period.event.flags.contains(.hasExpiredStatus) { return true }
    let info = infos.newest(of: period, in: chain, from: end) {
      $0.expirationIntent != 0 || $0.isRetryingBilling
    }
    return info != nil
  }

  private func reason(of index: Int, end: Instant, _ chain: ReceiptChain) -> LapseReason {
    let period = periods[index]
    if period.isRefunded { return .refund }
    if period.refund == .revoked { return .other }
    return infoOfReason(of: index, end: end, chain)?.reason ?? .unknown
  }

  /// Returns the renewal info that has the reason of a lapse; `nil` without one.
  func infoOfReason(of index: Int, end: Instant, _ chain: ReceiptChain) -> RenewalCopy? {
    let period = periods[index]
    guard infos.newest(of: period, in: chain, from: end) != nil else { return nil }
    let id = period.event.originalID
    let following = periods[index..<chain.periods.upperBound].first {
      $0.event.originalID == id && $0.start >= end
    }
    let info = infos.newest(of: period, in: chain, from: end, before: following?.start) {
      !$0.isOfPeriod || $0.reason != .unknown
    }
    // A row of a snapshot without a flag gives no reason where another info does.
    return info ?? infos.newest(of: period, in: chain, from: end, before: following?.start)
  }
}
