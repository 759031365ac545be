extension ReceiptHistory {
  /// Sets the state of a chain at its as-of: METRICS.md 3.11.
  mutating func setState(of index: Int) {
    let chain = chains[index]
    let begun = periods[chain.periods].prefix { $0.start <= chain.asOf }
    let info = infoOfState(begun, chain)
    chains[index].winBackOffers = info?.winBackOffers
    chains[index].state = state(of: chain, begun, info)
    chains[index].reason =
      switch chains[index].state {
      case .refunded: .refund
      case .lapsed: begun.last(where: \.endsCoverage)?.reason ?? .unknown
      default: nil
      }
  }

  /// Returns the renewal info that decides the state: the newest one of the period that decides it, made since the last
  /// purchase of that period's original id.
  private func infoOfState(
    _ begun: ArraySlice<ReceiptPeriod>, _ chain: ReceiptChain
  ) -> RenewalCopy? {
    let isRunning = { (period: ReceiptPeriod) in
      period.fate == .current || !period.hasNoLength && period.covers(chain.asOf)
    }
    guard
      let deciding = begun.last(where: isRunning) ?? begun.last(where: \.endsCoverage)
        ?? begun.last,
      let last = begun.last(where: { $0.event.originalID == deciding.event.originalID })
    else { return nil }
    return infos.newest(of: deciding, in: chain, from: last.start)
  }

  private func state(
    of chain: ReceiptChain, _ begun: ArraySlice<ReceiptPeriod>, _ info: RenewalCopy?
  ) -> ReceiptChain.State {
    guard !begun.isEmpty else { return stateBeforeStart(of: chain) }
    if isRefunded(begun, chain) { return .refunded }
    switch chain.kind {
    case .free: return .active
    case .nonRenewing:
      guard begun.allSatisfy({ $0.end != nil }) else { return .durationUnknown }
      guard let end = begun.compactMap(\.end).max(), end > chain.asOf else { return .lapsed }
      return isUnseen(since: end) ? .unresolved : .active
    case .autoRenewable: break
    }
    if let end = coverageEnd(begun, chain) {
      if isUnseen(since: end) { return .unresolved }
      if info?.autoRenews == false { return .willNotRenew }
      let endsWithTerm = begun.last?.isInstalment == true && info?.renewsAfterTerm == false
      return endsWithTerm ? .endsWithTerm : .active
    }
    guard let last = begun.last(where: \.endsCoverage), let end = last.end, !last.isUpgraded
    else { return .unresolved }
    if last.refund == .revoked { return .lapsed }
    // There is no grace period for instalments: METRICS.md 10.2.
    if !last.isInstalment, let grace = info?.graceEnd, chain.asOf < grace, grace > end {
      return .grace
    }
    let isInRetryTime = chain.asOf - end < last.retrySeconds
    if isInRetryTime, info?.isRetryingBilling == true {
      return last.isInstalment && last.position?.isLast != true ? .suspended : .billingRetry
    }
    if isInRetryTime, infos.newest(of: last, in: chain, from: end) == nil { return .unresolved }
    return .lapsed
  }

  /// Returns the state of a chain whose purchases are all after as-of: active if Apple says so.
  private func stateBeforeStart(of chain: ReceiptChain) -> ReceiptChain.State {
    let first = periods[chain.periods.lowerBound]
    let info = infos.newest(of: first, in: chain) { $0.status != 0 }
    return info?.status == 1 ? .active : .unresolved
  }

  /// Returns whether the newest period, apart from upgraded ones, was refunded and no other covers
  /// as-of.
  private func isRefunded(_ begun: ArraySlice<ReceiptPeriod>, _ chain: ReceiptChain) -> Bool {
    guard let newest = begun.lastIndex(where: { !$0.isUpgraded }), begun[newest].isRefunded else {
      return false
    }
    return !begun.indices.contains { index in
      index != newest && (begun[index].covers(chain.asOf) || begun[index].fate == .current)
    }
  }

  /// Returns the end of the active period that covers as-of; `nil` if none does.
  private func coverageEnd(
    _ begun: ArraySlice<ReceiptPeriod>, _ chain: ReceiptChain
  ) -> Instant? {
    guard let number = begun.last?.activePeriod else { return nil }
    let own = periods[chain.periods].filter { $0.activePeriod == number }
    guard let end = own.compactMap(\.end).max() else { return nil }
    let isRunning = end > chain.asOf || own.contains { $0.fate == .current }
    return isRunning ? end : nil
  }

  /// Returns whether coverage ended more than the tolerance before the run's as-of: the state is
  /// then unknown.
  private func isUnseen(since end: Instant) -> Bool {
    asOf - end > settings.toleranceSeconds
  }

  /// Returns the customer's answers to price increases from the renewal infos of a chain, oldest
  /// first.
  ///
  /// - Parameter chain: One of the customer's chains.
  /// - Returns: When each renewal info was made, and whether the customer accepted or did not need
  ///   to.
  package func priceConsents(of chain: ReceiptChain) -> [(madeAt: Instant, isGiven: Bool)] {
    consentInfos(of: chain).compactMap { info in
      info.acceptsPriceIncrease.map { (info.madeAt, $0) }
    }
  }

  /// Returns the renewal infos with the answers of ``priceConsents(of:)``, in the same order.
  func consentInfos(of chain: ReceiptChain) -> [RenewalCopy] {
    let order = { (info: RenewalCopy) in
      (
        info.madeAt, info.acceptsPriceIncrease == true ? 1 : 0, info.file, info.row, info.number
      )
    }
    return infosOfIDs(of: chain).filter { $0.acceptsPriceIncrease != nil }
      .sorted { order($0) < order($1) }
  }

  /// Returns the renewal infos with an original id of a chain that count for it, apart from those of single periods.
  func infosOfIDs(of chain: ReceiptChain) -> [RenewalCopy] {
    let ids = Set(periods[chain.periods].map(\.event.originalID).filter(\.isUsable))
    return ids.flatMap(infos.ofID).filter { infos.counts($0, in: chain) }
  }
}
