import SubscriptionModel

/// Lines 20 to 25 of a period with FINANCE_DETAIL.
extension BridgeLines {
  func countedEntries() -> [Bridge.Entry] {
    let isSettled = input.hasDetail(period + 1)
    var entries = [
      movable(.cutoffIn, [.cutoffIn]),
      movable(.cutoffOut, [.cutoffOut, .openSales], isOpen: !isSettled),
      movable(.refundTiming, [.refundTiming, .openReturns], isOpen: !isSettled),
      notCollected(),
      movable(.shareDifference, [.rateDifference], isOpen: !isSettled),
      movable(.shareDifference, [.otherDifference], isOpen: !isSettled),
    ]
    entries[4].cause = Bridge.rateCause
    entries[5].cause = Bridge.otherCause
    return entries + otherRegions()
  }

  /// A line that pairing across the period's ends or open units may have made an estimate.
  private func movable(
    _ line: Bridge.Line, _ parts: [BridgeSums.Part], isOpen: Bool = false
  ) -> Bridge.Entry {
    let sum = parts.reduce(CountedMoney.zero) { $0 + sums[$1] }
    var entry = Entry(line, sum)
    guard isOpen || sums.hasMoved else { return entry }
    entry.status = .estimate
    entry.cause = isOpen ? Self.notYetSettled : "paired across the period's end"
    let moved = parts.reduce(Int128(0)) { $0 + sums.moved($1).milliunits }
    var bounds = [sum.milliunits, sum.milliunits - moved]
    if isOpen, line != .shareDifference {
      let (open, old): (BridgeSums.Part, BridgeSums.Part) =
        line == .refundTiming
        ? (.openReturns, .notCollectedReturns) : (.openSales, .notCollectedSales)
      let known = sum.milliunits - sums[open].milliunits
      bounds += [known, sum.milliunits + sums[old].milliunits]
    }
    entry.low = bounds.min()
    entry.high = bounds.max()
    return entry
  }

  private func notCollected() -> Bridge.Entry {
    let (sales, returns) = (sums[.notCollectedSales], sums[.notCollectedReturns])
    var entry = Entry(.notCollected, sales + returns)
    guard !input.hasDetail(period + 1) || !input.hasDetail(period + 2) || sums.hasMoved else {
      return entry
    }
    entry.status = .estimate
    let (openSales, openReturns) = (sums[.openSales].milliunits, sums[.openReturns].milliunits)
    let moved = [BridgeSums.Part.notCollectedSales, .notCollectedReturns].map {
      sums.moved($0).milliunits
    }
    entry.low = sales.milliunits + openSales - max(0, moved[0])
    entry.high = returns.milliunits + openReturns - min(0, moved[1])
    entry.cause =
      input.hasDetail(period + 1) ? "may be settled later" : Self.notYetSettled
    return entry
  }

  private func otherRegions() -> [Bridge.Entry] {
    guard !sums.otherRegion.isEmpty else { return [Entry(.otherRegion, CountedMoney.zero)] }
    let isFinal = input.hasDetail(period + 1) && input.hasDetail(period + 2)
    return sums.otherRegion.sorted { $0.key < $1.key }.map { other, money in
      var entry = Entry(.otherRegion, money)
      entry.cause = other
      if !isFinal {
        entry.status = .estimate
        entry.low = min(0, money.milliunits)
        entry.high = max(0, money.milliunits)
      }
      return entry
    }
  }
}
