package import Storage

/// A period in which a customer has access to content: METRICS.md section 9.
package struct AccessPeriod: Sendable {
  /// When access begins.
  package var start: Instant
  /// When access ends, after a grace period if there is one; `nil` if it does not end.
  package var end: Instant?
  /// The bundle id.
  package var app: Symbol
  /// The subscription group's id.
  package var group: Symbol
  /// The product id.
  package var product: Symbol
}

extension ReceiptHistory {
  /// Returns the periods of a chain that give access, in order of their starts.
  ///
  /// Fully refunded periods, revoked periods and non-renewing periods of unknown duration give no access; a period that
  /// was refunded in part gives access up to the refund.
  ///
  /// - Parameter chain: One of the customer's chains.
  /// - Returns: The periods, which may overlap.
  package func accessPeriods(of chain: ReceiptChain) -> [AccessPeriod] {
    let graceEnds = graceEnds(of: chain)
    return chain.periods.compactMap { index in
      let period = periods[index]
      guard period.refund == nil || period.refund == .partial,
        period.end != nil || chain.kind == .free
      else { return nil }
      let grace = period.refund == nil ? graceEnds[index] : nil
      let end = period.end.map { max($0, grace ?? $0) }
      return AccessPeriod(
        start: period.start, end: end, app: chain.app, group: period.event.group,
        product: period.event.product)
    }
  }

  /// Returns until when grace periods extend periods of a chain.
  ///
  /// A grace period ends at its date, or with the next renewal info of the period that has none.
  private func graceEnds(of chain: ReceiptChain) -> [Int: Instant] {
    var graceEnds: [Int: Instant] = [:]
    for (position, info) in infos.all.enumerated() where infos.counts(info, in: chain) {
      guard let grace = info.graceEnd, let period = newestPeriod(of: info, in: chain),
        !periods[period].isInstalment
      else { continue }
      let next = infos.all[position...].prefix { $0.originalID == info.originalID }.first {
        $0.madeAt > info.madeAt && $0.graceEnd == nil && infos.counts($0, in: chain)
          && newestPeriod(of: $0, in: chain) == period
      }
      let end = min(grace, next?.madeAt ?? grace)
      graceEnds[period] = max(graceEnds[period] ?? end, end)
    }
    for index in chain.periods {
      for info in infosOfPeriod(index) {
        guard let grace = info.graceEnd, !periods[index].isInstalment else { continue }
        graceEnds[index] = max(graceEnds[index] ?? grace, grace)
      }
    }
    return graceEnds
  }

  /// Returns the newest period with an info's original id that had begun when the info was made.
  private func newestPeriod(of info: RenewalCopy, in chain: ReceiptChain) -> Int? {
    guard info.originalID.isUsable else { return nil }
    return chain.periods.last {
      periods[$0].event.originalID == info.originalID && periods[$0].start <= info.madeAt
    }
  }
}
