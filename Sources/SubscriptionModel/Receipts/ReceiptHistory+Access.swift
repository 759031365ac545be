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
  /// Refunded periods, revoked periods and non-renewing periods of unknown duration give no access.
  ///
  /// - Parameter chain: One of the customer's chains.
  /// - Returns: The periods, which may overlap.
  package func accessPeriods(of chain: ReceiptChain) -> [AccessPeriod] {
    var graceEnds: [Int: Instant] = [:]
    for info in infos.all where infos.counts(info, in: chain) {
      guard let grace = info.graceEnd, let period = newestPeriod(of: info, in: chain),
        !periods[period].isInstalment
      else { continue }
      graceEnds[period] = max(graceEnds[period] ?? grace, grace)
    }
    return chain.periods.compactMap { index in
      let period = periods[index]
      guard period.refund == nil, period.end != nil || chain.kind == .free else { return nil }
      let end = period.end.map { max($0, graceEnds[index] ?? $0) }
      return AccessPeriod(
        start: period.start, end: end, app: chain.app, group: period.event.group,
        product: period.event.product)
    }
  }

  /// Returns the newest period with an info's original id that had begun when the info was made.
  private func newestPeriod(of info: RenewalCopy, in chain: ReceiptChain) -> Int? {
    guard info.originalID.isUsable else { return nil }
    return chain.periods.last {
      periods[$0].event.originalID == info.originalID && periods[$0].start <= info.madeAt
    }
  }
}
