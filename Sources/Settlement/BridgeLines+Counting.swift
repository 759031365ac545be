import SubscriptionModel

/// Lines 20 to 25 of a period with FINANCE_DETAIL.
extension BridgeLines {
  func countedEntries() -> [Bridge.Entry] {
    let usual = sums.rateDifferences[.usual] ?? .zero
    let others = sums.rateDifferences
      .filter { $0.key != .usual && $0.value.milliunits != 0 }.sorted { $0.key < $1.key }
    return [
      estimated(Entry(.cutoffIn, sums[.cutoffIn])),
      estimated(Entry(.cutoffOut, sums[.cutoffOut] + sums[.openSales])),
      estimated(Entry(.refundTiming, sums[.refundTiming] + sums[.openReturns])),
      estimatedByDays(estimated(Entry(.notCollected, sums[.notCollected]))),
      shareDifference(usual, cause: Bridge.rateCause, shareDifferenceBounds),
    ]
      + others.map { shareDifference($1, cause: $0.name) } + [unexplainedShares()]
      + otherRegions()
  }

  /// Returns the share difference that no pair of rates explains, with the rates as evidence.
  private func unexplainedShares() -> Bridge.Entry {
    var entry = shareDifference(sums[.otherDifference], cause: Bridge.otherCause)
    let rates = sums.unexplainedRates.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }
    entry.evidence = rates.prefix(Self.shownRates)
      .map { "\($0.key.text) (\($0.value == 1 ? "1 unit" : "\($0.value) units"))" }.joined(
        separator: "; ")
    return entry
  }

  /// The largest number of unexplained rates to list.
  private static let shownRates = 3

  private var openCause: String {
    input.hasDetail(period + 1) ? "may be settled later" : Self.notYetSettled
  }

  private static let edgeCause = "the days of the two reports differ at the edge of the period"

  /// Returns one of lines 20 to 23: an estimate with open units, or with units that may count on the other side of the
  /// period's edge.
  private func estimated(_ entry: Bridge.Entry) -> Bridge.Entry {
    guard let bounds = bounds(of: entry) else { return entry }
    let edge = sums.edges[entry.line] ?? BridgeSums.Edge()
    let isOpen = bounds.largest - bounds.least != edge.high - edge.low
    return entry.estimated(bounds, cause: isOpen ? openCause : Self.edgeCause)
  }

  /// Returns a row of line 24.
  private func shareDifference(
    _ money: CountedMoney, cause: String, _ bounds: BridgeBounds? = nil
  ) -> Bridge.Entry {
    var entry = Entry(.shareDifference, money)
    if let bounds { entry = entry.estimated(bounds, cause: cause) }
    entry = estimatedByDays(entry)
    entry.cause = cause
    return entry
  }

  /// Returns the rows of line 25, one for each other bridge.
  private func otherRegions() -> [Bridge.Entry] {
    guard !sums.otherRegion.isEmpty else {
      return [estimatedByDays(Entry(.otherRegion, CountedMoney.zero))]
    }
    return sums.otherRegion.sorted { $0.key < $1.key }.map { other, part in
      var entry = estimatedByDays(
        Entry(.otherRegion, part.money).estimated(otherRegionBounds(part), cause: other))
      entry.cause = other
      return entry
    }
  }
}

extension Bridge.Entry {
  /// Returns the entry as an estimate with a range, unless both ends are equal.
  ///
  /// - Parameters:
  ///   - bounds: The least and the largest possible amount.
  ///   - cause: The reason for the range.
  /// - Returns: The entry.
  fileprivate func estimated(_ bounds: BridgeBounds, cause: String) -> Bridge.Entry {
    guard bounds.least != bounds.largest else { return self }
    var entry = self
    (entry.low, entry.high) = (bounds.least, bounds.largest)
    entry.status = .estimate
    entry.cause = cause
    return entry
  }
}
