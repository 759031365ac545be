import SubscriptionModel

/// Lines 20 to 25 of a period with FINANCE_DETAIL.
extension BridgeLines {
  func countedEntries() -> [Bridge.Entry] {
    let usual = sums.rateDifferences[.usual] ?? .zero
    // An open unit sold at 85 % may be settled at 70 %, 15/85 less; one sold at 70 % at 85 %, 15/70 more.
    let open = sums.open
    let others = sums.rateDifferences
      .filter { $0.key != .usual && $0.value.milliunits != 0 }.sorted { $0.key < $1.key }
    return [
      Entry(.cutoffIn, sums[.cutoffIn]), cutoffOut(), refundTiming(), notCollected(),
      shareDifference(
        usual, cause: Bridge.rateCause,
        less: part(15, of: 85, open.worth) + part(15, of: 70, open.credit),
        more: part(15, of: 70, open.worth) + part(15, of: 85, open.credit)),
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

  /// Returns a sum times a fraction, rounded half to even.
  private func part(_ numerator: Int128, of denominator: Int128, _ sum: Int128) -> Int128 {
    (sum * numerator).dividedHalfToEven(by: denominator)
  }

  /// Returns line 21; its range allows open sales to settle later, at 70 or 85 %, or never.
  private func cutoffOut() -> Bridge.Entry {
    let settled = sums[.cutoffOut].milliunits
    return Entry(.cutoffOut, sums[.cutoffOut] + sums[.openSales]).estimated(
      settled - part(85, of: 70, sums.open.salesWorth) - sums.unsettledSales,
      settled + part(85, of: 70, sums.open.salesCredit), cause: openCause)
  }

  /// Returns line 22; its range is that of line 21 for refunds.
  private func refundTiming() -> Bridge.Entry {
    let settled = sums[.refundTiming].milliunits
    return Entry(.refundTiming, sums[.refundTiming] + sums[.openReturns]).estimated(
      settled - part(85, of: 70, sums.open.returnsWorth),
      settled + part(85, of: 70, sums.open.returnsCredit) + sums.unsettledReturns,
      cause: openCause)
  }

  /// Returns line 23; until the period is final, its range allows that open units are never settled.
  private func notCollected() -> Bridge.Entry {
    let isFinal = input.isFinal(period)
    let amount = sums[.notCollected].milliunits
    return estimatedByDays(
      Entry(.notCollected, sums[.notCollected]).estimated(
        isFinal ? amount : -sums.open.worth, isFinal ? amount : sums.open.credit, cause: openCause))
  }

  /// Returns a row of line 24, whose amount may be `less` smaller or `more` larger.
  private func shareDifference(
    _ money: CountedMoney, cause: String, less: Int128 = 0, more: Int128 = 0
  ) -> Bridge.Entry {
    var entry = estimatedByDays(
      Entry(.shareDifference, money).estimated(
        money.milliunits - less, money.milliunits + more, cause: cause))
    entry.cause = cause
    return entry
  }

  /// Returns the rows of line 25, one for each other bridge.
  private func otherRegions() -> [Bridge.Entry] {
    guard !sums.otherRegion.isEmpty else {
      return [estimatedByDays(Entry(.otherRegion, CountedMoney.zero))]
    }
    return sums.otherRegion.sorted { $0.key < $1.key }.map { other, part in
      let amount = part.money.milliunits
      var entry = estimatedByDays(
        Entry(.otherRegion, part.money).estimated(
          amount - part.unsettledReturns, amount + part.unsettledSales, cause: other))
      entry.cause = other
      return entry
    }
  }
}

extension Bridge.Entry {
  /// Returns the entry as an estimate with a range, unless both ends are equal.
  ///
  /// - Parameters:
  ///   - low: The least possible amount, in milliunits.
  ///   - high: The largest possible amount, in milliunits.
  ///   - cause: The reason for the range.
  /// - Returns: The entry.
  fileprivate func estimated(_ low: Int128, _ high: Int128, cause: String) -> Bridge.Entry {
    guard low != high else { return self }
    var entry = self
    (entry.low, entry.high) = (low, high)
    entry.status = .estimate
    entry.cause = cause
    return entry
  }
}
