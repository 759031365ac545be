import SubscriptionModel

/// Makes lines 20 to 25 of a period with FINANCE_DETAIL.
extension BridgeLines {
  func countedEntries() -> [Bridge.Entry] {
    let usual = sums.rateDifferences[.usual] ?? .zero
    let rate = usual.milliunits
    let open = sums.open
    let others = sums.rateDifferences
      .filter { $0.key != .usual && $0.value.milliunits != 0 }.sorted { $0.key < $1.key }
    return [
      Entry(.cutoffIn, sums[.cutoffIn]), cutoffOut(), refundTiming(), notCollected(),
      shareDifference(
        usual, cause: Bridge.rateCause,
        rate - part(15, of: 85, open.worth) - part(15, of: 70, open.credit),
        rate + part(15, of: 70, open.worth) + part(15, of: 85, open.credit)),
    ]
      + others.map { pair, money in
        shareDifference(money, cause: pair.name, money.milliunits, money.milliunits)
      } + [unexplainedShares()] + otherRegions()
  }

  /// Returns the share difference that no pair of rates explains, with the rates as evidence.
  private func unexplainedShares() -> Bridge.Entry {
    let money = sums[.otherDifference]
    var entry = shareDifference(
      money, cause: Bridge.otherCause, money.milliunits, money.milliunits)
    let rates = sums.unknownRates.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }
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
    roundedHalfToEven(sum * numerator, over: denominator)
  }

  /// Returns line 21; its range reflects that open sales may settle later, even at 85 instead of 70 %, or never.
  private func cutoffOut() -> Bridge.Entry {
    let settled = sums[.cutoffOut].milliunits
    var entry = Entry(.cutoffOut, sums[.cutoffOut] + sums[.openSales])
    entry.estimate(
      settled - part(85, of: 70, sums.open.salesWorth) - sums.unsettledSales,
      settled + part(85, of: 70, sums.open.salesCredit), cause: openCause)
    return entry
  }

  private func refundTiming() -> Bridge.Entry {
    let settled = sums[.refundTiming].milliunits
    var entry = Entry(.refundTiming, sums[.refundTiming] + sums[.openReturns])
    entry.estimate(
      settled - part(85, of: 70, sums.open.returnsWorth),
      settled + part(85, of: 70, sums.open.returnsCredit) + sums.unsettledReturns,
      cause: openCause)
    return entry
  }

  private func notCollected() -> Bridge.Entry {
    var entry = Entry(.notCollected, sums[.notCollected])
    let isFinal = input.hasDetail(period + 1) && input.hasDetail(period + 2)
    let amount = sums[.notCollected].milliunits
    entry.estimate(
      isFinal ? amount : -sums.open.worth, isFinal ? amount : sums.open.credit, cause: openCause)
    return estimatedByDays(entry)
  }

  private func shareDifference(
    _ money: CountedMoney, cause: String, _ low: Int128, _ high: Int128
  ) -> Bridge.Entry {
    var entry = Entry(.shareDifference, money)
    entry.estimate(low, high, cause: cause)
    entry = estimatedByDays(entry)
    entry.cause = cause
    return entry
  }

  private func otherRegions() -> [Bridge.Entry] {
    guard !sums.otherRegion.isEmpty else {
      return [estimatedByDays(Entry(.otherRegion, CountedMoney.zero))]
    }
    return sums.otherRegion.sorted { $0.key < $1.key }.map { other, part in
      var entry = Entry(.otherRegion, part.money)
      let amount = part.money.milliunits
      entry.estimate(amount - part.unsettledReturns, amount + part.unsettledSales, cause: other)
      entry = estimatedByDays(entry)
      entry.cause = other
      return entry
    }
  }

  /// Turns an exact amount into an estimate if SALES days are missing: their units may belong to any line.
  private func estimatedByDays(_ entry: Bridge.Entry) -> Bridge.Entry {
    guard !missing.isEmpty, entry.status == .exact else { return entry }
    var entry = entry
    entry.status = .estimate
    entry.cause = missingCause
    (entry.low, entry.high) = (entry.amount, entry.amount)
    return entry
  }
}

extension Bridge.Entry {
  /// Turns the amount into an estimate with a range, unless both ends are equal.
  ///
  /// - Parameters:
  ///   - low: The least possible amount, in milliunits.
  ///   - high: The largest possible amount, in milliunits.
  ///   - cause: The reason for the range.
  fileprivate mutating func estimate(_ low: Int128, _ high: Int128, cause: String) {
    guard low != high else { return }
    (self.low, self.high) = (low, high)
    status = .estimate
    self.cause = cause
  }
}
