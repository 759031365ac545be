import SubscriptionModel

/// Lines 20 to 25 of a period with FINANCE_DETAIL.
extension BridgeLines {
  func countedEntries() -> [Bridge.Entry] {
    [
      pairable(.cutoffIn, [.cutoffIn]), cutoffOut(), refundTiming(), notCollected(),
      shareDifference(.rateDifference, cause: Bridge.rateCause),
      shareDifference(.otherDifference, cause: Bridge.otherCause),
    ] + otherRegions()
  }

  private var knowsNext: Bool { input.hasDetail(period + 1) }
  private var isFinal: Bool { knowsNext && input.hasDetail(period + 2) }

  /// A line that is an estimate where units count in the neighbouring period: with that, or without.
  private func pairable(_ line: Bridge.Line, _ parts: [BridgeSums.Part]) -> Bridge.Entry {
    var entry = Entry(line, parts.reduce(CountedMoney.zero) { $0 + sums[$1] })
    guard sums.hasMoved else { return entry }
    let moved = parts.reduce(Int128(0)) { $0 + sums.moved($1).milliunits }
    entry.estimate(changes: [-moved], cause: "paired across the period's end")
    return entry
  }

  /// Until the next period is known, any open sale may settle in it or never be collected.
  private func cutoffOut() -> Bridge.Entry {
    var entry = pairable(.cutoffOut, [.cutoffOut, .openSales])
    guard !knowsNext else { return entry }
    entry.estimate(
      changes: [-sums[.openSales].milliunits, sums[.notCollectedSales].milliunits],
      cause: Self.notYetSettled)
    return entry
  }

  /// Until the next period is known, an open return may be settled in it.
  private func refundTiming() -> Bridge.Entry {
    var entry = pairable(.refundTiming, [.refundTiming])
    let open = sums[.notCollectedReturns]
    guard !knowsNext, open != .zero else { return entry }
    entry.estimate(changes: [open.milliunits], cause: Self.notYetSettled)
    return entry
  }

  private func notCollected() -> Bridge.Entry {
    var entry = pairable(.notCollected, [.notCollectedSales, .notCollectedReturns])
    guard !isFinal else { return entry }
    let sales = sums[.notCollectedSales].milliunits
    let returns = sums[.notCollectedReturns].milliunits
    // What was sold may still settle and what was returned stay open, or the other way round.
    entry.estimate(
      changes: [
        sums[.openSales].milliunits - returns - max(0, sums.moved(.notCollectedSales).milliunits),
        -sales - min(0, sums.moved(.notCollectedReturns).milliunits),
      ], cause: knowsNext ? "may be settled later" : Self.notYetSettled)
    return entry
  }

  /// Without the next period only what is settled is compared, and nobody knows what is to come.
  private func shareDifference(_ part: BridgeSums.Part, cause: String) -> Bridge.Entry {
    var entry = pairable(.shareDifference, [part])
    entry.cause = cause
    guard !knowsNext else { return entry }
    entry.status = .estimate
    (entry.low, entry.high) = (nil, nil)
    return entry
  }

  private func otherRegions() -> [Bridge.Entry] {
    guard !sums.otherRegion.isEmpty else { return [Entry(.otherRegion, CountedMoney.zero)] }
    return sums.otherRegion.sorted { $0.key < $1.key }.map { other, money in
      var entry = Entry(.otherRegion, money)
      entry.cause = other
      // Until two more periods are known, the country may turn out to be settled in both. There is no
      // range: what is still to be settled is in another currency.
      if !isFinal { entry.status = .estimate }
      return entry
    }
  }
}

extension Bridge.Entry {
  /// Makes a known amount an estimate.
  ///
  /// - Parameters:
  ///   - changes: What the amount may turn out to be more; the range has them and 0, in milliunits.
  ///   - cause: Why it is one.
  fileprivate mutating func estimate(changes: [Int128], cause: String) {
    guard let amount else { return }
    let bounds = [low, high].compactMap(\.self) + [amount] + changes.map { amount + $0 }
    (low, high) = (bounds.min(), bounds.max())
    status = .estimate
    self.cause = cause
  }
}
