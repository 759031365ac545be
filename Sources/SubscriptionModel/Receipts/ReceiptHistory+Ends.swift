extension ReceiptHistory {
  /// Sets the actual end of each period of a chain: METRICS.md 3.8 and 3.14.
  mutating func setEnds(of chain: ReceiptChain) {
    for index in chain.periods {
      let event = periods[index].event
      periods[index].end = boughtEnd(of: event, chain.kind)
      periods[index].isUpgraded =
        event.flags.contains(.upgraded) || looksUpgraded(event, chain)
    }
    for index in chain.periods where periods[index].event.flags.contains(.upgradeNotification) {
      if let replaced = running(before: index, in: chain) { periods[replaced].isUpgraded = true }
    }
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
    return periods[chain.periods].contains { other in
      other.event.product != event.product && other.start > event.purchase
        && (0...ReceiptSettings.upgradeSeconds).contains(cancellation - other.start)
    }
  }

  /// Returns the newest period that was running when another one was bought.
  private func running(before index: Int, in chain: ReceiptChain) -> Int? {
    let start = periods[index].start
    return (chain.periods.lowerBound..<index).last { earlier in
      let period = periods[earlier]
      guard period.start < start, let end = period.end, start < end else { return false }
      return period.event.cancellation.map { $0 >= start } ?? true
    }
  }

  /// Ends an upgraded period at the chain's next purchase or, without one, at its cancellation.
  private mutating func cutByUpgrade(_ index: Int, _ chain: ReceiptChain) {
    let period = periods[index]
    let successor = (index..<chain.periods.upperBound).first { periods[$0].start > period.start }
    let cut = successor.map { periods[$0].start } ?? period.event.cancellation
    guard let cut, period.end.map({ cut < $0 }) ?? true else { return }
    periods[index].end = max(cut, period.start)
    periods[index].cut = .upgrade
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
