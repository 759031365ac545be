import Storage

extension ReceiptHistory {
  /// Sets the actual end of each period of a chain: METRICS.md 3.8 and 3.14.
  mutating func setEnds(of chain: ReceiptChain) {
    for index in chain.periods {
      let event = periods[index].event
      periods[index].end = boughtEnd(of: event, chain.kind)
      periods[index].isUpgraded =
        event.flags.contains(.upgraded) || looksUpgraded(event, chain)
    }
    markReplaced(in: chain)
    for index in chain.periods {
      if periods[index].isUpgraded {
        cutByUpgrade(index, chain)
      } else if periods[index].event.cancellation != nil {
        endAtRefund(index, chain)
      }
    }
  }

  /// Returns the end of a period without any upgrade or refund; `nil` if it is not known.
  private func boughtEnd(of event: ReceiptEvent, _ kind: ReceiptChain.Kind) -> Instant? {
    switch kind {
    case .autoRenewable: event.expires
    case .nonRenewing:
      event.expires ?? settings.durations[event.product].map { event.purchase.adding($0) }
    case .free: nil
    }
  }

  /// Returns whether a transaction without V2 data looks upgraded: METRICS.md 3.8.
  ///
  /// True if it was canceled at most 300 seconds after a later purchase of another product.
  private func looksUpgraded(_ event: ReceiptEvent, _ chain: ReceiptChain) -> Bool {
    guard !event.hasV2, let cancellation = event.cancellation else { return false }
    return begun(cancellation + -ReceiptSettings.upgradeSeconds...cancellation, chain).contains {
      periods[$0].event.product != event.product && periods[$0].start > event.purchase
    }
  }

  /// Returns the periods of a chain, which are in the order of their starts, that began between two instants.
  private func begun(_ instants: ClosedRange<Instant>, _ chain: ReceiptChain) -> Range<Int> {
    let own = periods[chain.periods]
    let first = own.partitionPoint { $0.start < instants.lowerBound }
    return first..<own[first...].partitionPoint { $0.start <= instants.upperBound }
  }

  // MARK: Replaced periods

  /// Where to look for the periods that overlap a purchase.
  private struct Neighbours {
    /// The periods of each original id.
    let ofID: [ReceiptID: [Int]]
    /// All periods with a known end, by their ends.
    let byEnd: [(end: Instant, index: Int)]

    init(_ periods: ArraySlice<ReceiptPeriod>) {
      ofID = Dictionary(grouping: periods.indices) { periods[$0].event.originalID }
      byEnd = periods.indices.compactMap { index in periods[index].end.map { ($0, index) } }
        .sorted { $0.end < $1.end }
    }
  }

  /// Marks the periods that a purchase replaced, as a notification says or an overlap shows: METRICS.md 3.8.
  private mutating func markReplaced(in chain: ReceiptChain) {
    var latest: Instant?
    var known: Neighbours?
    for index in chain.periods {
      let purchase = periods[index]
      if let latest, latest > purchase.start {
        let near = known ?? Neighbours(periods[chain.periods])
        known = near
        if purchase.event.flags.contains(.upgradeNotification),
          let replaced = replaced(by: index, chain, near, where: { isRunning($0, at: purchase) })
        {
          mark(replaced, replacedAt: purchase.start)
        }
        if latest - purchase.start > toleranceSeconds,
          let replaced = replaced(
            by: index, chain, near, where: { isOverlapped($0, by: purchase) }),
          !periods[replaced].event.hasV2, !isRenewal(index, near)
        {
          mark(replaced, replacedAt: purchase.start)
        }
      }
      latest = [latest, purchase.end].compactMap { $0 }.max()
    }
  }

  private mutating func mark(_ index: Int, replacedAt instant: Instant) {
    periods[index].isUpgraded = true
    periods[index].replacedAt = min(periods[index].replacedAt ?? instant, instant)
  }

  /// Returns the period that a purchase replaces: the last begun of those accepted or, if its renewal had been charged
  /// already, that renewal.
  private func replaced(
    by index: Int, _ chain: ReceiptChain, _ near: Neighbours, where accepts: (ReceiptPeriod) -> Bool
  ) -> Int? {
    let start = periods[index].start
    // Only a period of the same original id is accepted.
    let own = near.ofID[periods[index].event.originalID] ?? []
    let last = own[..<own.partitionPoint { $0 < index }].last {
      periods[$0].start < start && accepts(periods[$0])
    }
    guard let last else { return nil }
    let renewal = begun(start...(start + ReceiptSettings.earlyChargeSeconds), chain).first {
      $0 != index && $0 > last && isRenewal(periods[$0], of: periods[last])
    }
    return renewal ?? last
  }

  /// Returns whether a period was running when its original id made another purchase.
  private func isRunning(_ period: ReceiptPeriod, at purchase: ReceiptPeriod) -> Bool {
    guard period.event.originalID == purchase.event.originalID, let end = period.end,
      end > purchase.start
    else { return false }
    return period.event.cancellation.map { $0 > purchase.start } ?? true
  }

  /// Returns whether a purchase of another product overlaps a period: one original id has only one product at a time.
  private func isOverlapped(_ period: ReceiptPeriod, by purchase: ReceiptPeriod) -> Bool {
    guard period.event.originalID == purchase.event.originalID, period.event.originalID.isUsable,
      period.event.product != purchase.event.product, let end = period.end,
      end - purchase.start > toleranceSeconds
    else { return false }
    return period.event.cancellation.map { $0 >= purchase.start } ?? true
  }

  /// Returns whether a period is a renewal of an earlier one.
  private func isRenewal(_ period: ReceiptPeriod, of earlier: ReceiptPeriod) -> Bool {
    guard earlier.start < period.start, let end = earlier.end,
      earlier.event.product == period.event.product,
      earlier.event.originalID == period.event.originalID
    else { return false }
    return abs(period.start - end) <= ReceiptSettings.renewalSeconds
  }

  private func isRenewal(_ index: Int, _ near: Neighbours) -> Bool {
    let start = periods[index].start
    let first = near.byEnd.partitionPoint { $0.end < start + -ReceiptSettings.renewalSeconds }
    return near.byEnd[first...].prefix { $0.end <= start + ReceiptSettings.renewalSeconds }
      .contains { $0.index < index && isRenewal(periods[index], of: periods[$0.index]) }
  }

  /// Ends an upgraded period at the purchase that replaced it; at its own start, if it began later.
  private mutating func cutByUpgrade(_ index: Int, _ chain: ReceiptChain) {
    let period = periods[index]
    let cut = period.replacedAt ?? likelyCut(of: period, chain)
    guard let cut, period.end.map({ cut < $0 }) ?? true else { return }
    periods[index].end = max(cut, period.start)
    periods[index].cut = .upgrade
  }

  /// Returns where an upgraded period ends, if neither a notification nor an overlap names the purchase that replaced it.
  private func likelyCut(of period: ReceiptPeriod, _ chain: ReceiptChain) -> Instant? {
    let all = periods[chain.periods]
    let cancellation = period.event.cancellation
    if let cancellation {
      let earliest = cancellation + -ReceiptSettings.earlyChargeSeconds
      let bought = begun(earliest...cancellation, chain).last {
        periods[$0].event.product != period.event.product
      }
      if let bought { return periods[bought].start }
    }
    let next = all[all.partitionPoint { $0.start <= period.start }...].first
    if let next, period.event.expires.map({ next.start < $0 }) ?? true { return next.start }
    let isReplacedAtOnce = all.contains { other in
      other.event.product != period.event.product && !other.isUpgraded
        && other.start <= period.start && isRunning(other, at: period.start)
    }
    return isReplacedAtOnce ? period.start : cancellation
  }

  private func isRunning(_ period: ReceiptPeriod, at instant: Instant) -> Bool {
    let ends = [period.event.expires, period.event.cancellation].compactMap { $0 }
    return ends.allSatisfy { instant < $0 }
  }

  /// Ends a period at its refund or, in Family Sharing, at the loss of access.
  private mutating func endAtRefund(_ index: Int, _ chain: ReceiptChain) {
    let period = periods[index]
    let event = period.event
    guard let cancellation = event.cancellation else { return }
    let isRevoked = chain.ownership == .family || event.flags.contains(.familyRevoke)
    let isPartial =
      event.flags.contains(.prorated) || (event.revocationPercentage.map { $0 < 100_000 } ?? false)
    periods[index].refund = isRevoked ? .revoked : isPartial ? .partial : .full
    guard period.end.map({ cancellation < $0 }) ?? true else { return }
    periods[index].end = max(cancellation, period.start)
    periods[index].cut = isRevoked ? .revoke : .refund
  }
}

extension Instant {
  /// Returns the instant that is a term later, at the same time of day: METRICS.md 2.2.
  ///
  /// - Parameter term: The term, such as 1 Month.
  /// - Returns: The later instant.
  package func adding(_ term: Term) -> Instant {
    let days = day.adding(term) - day
    return self + days * 86_400
  }
}
