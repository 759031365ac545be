import SubscriptionModel

/// Makes lines 20 to 25 of a period without FINANCE_DETAIL.
extension BridgeLines {
  func laggedEntries() -> [Bridge.Entry] {
    var entries = [
      estimated(.cutoffIn, \.cutoffIn, lags.sales, needsDaysBefore: true),
      estimated(.cutoffOut, \.cutoffOut, lags.sales, needsDaysBefore: false),
      estimated(.refundTiming, \.refundTiming, lags.returns, needsDaysBefore: false),
    ]
    entries += unknownEntries(cause: "needs FINANCE_DETAIL").filter {
      [.notCollected, .shareDifference].contains($0.line)
    }
    guard !sums.otherRegion.isEmpty else {
      return entries + [Entry(.otherRegion, CountedMoney.zero)]
    }
    return entries
      + sums.otherRegion.keys.sorted().map { other in
        var entry = Entry(.otherRegion)
        entry.cause = other
        return entry
      }
  }

  private func estimated(
    _ line: Bridge.Line, _ amounts: (BridgeSums.Lagged) -> [Int: Int128], _ lags: SettlementLags,
    needsDaysBefore: Bool
  ) -> Bridge.Entry {
    let range = lags.usualRange
    let lacksBefore = "no SALES report on some of the \(range.upperBound) days before"
    let knowsBefore = input.hasSales(daysBefore: range.upperBound, period)
    guard !isAllMissing, !needsDaysBefore || knowsBefore else {
      var entry = Entry(line)
      entry.cause = isAllMissing ? Self.noSales : lacksBefore
      return entry
    }
    let whole = amounts(sums.lagged)
    // Means are rounded by product, so sum these: the mean of the whole could differ from their sum.
    let means = parts.map { part in
      let own = amounts(part.lagged)
      return lags.mean { own[$0] ?? 0 }
    }
    var entry = Entry(line, means.reduce(0, +))
    entry.status = .estimate
    (entry.low, entry.high) = lags.range { whole[$0] ?? 0 }
    entry.cause = "settlement lag"
    if line == .refundTiming, !knowsBefore { entry.cause += "; \(lacksBefore)" }
    let source = lags.isMeasured ? "\(lags.units) units of FINANCE_DETAIL" : "usual lags"
    entry.evidence = "\(range.lowerBound) to \(range.upperBound) days, \(source)"
    return entry
  }

  func unknownEntries(cause: String) -> [Bridge.Entry] {
    let lines: [Bridge.Line] = [
      .cutoffIn, .cutoffOut, .refundTiming, .notCollected, .shareDifference, .shareDifference,
      .otherRegion,
    ]
    var entries = lines.map { Entry($0) }
    for index in entries.indices { entries[index].cause = cause }
    entries[4].cause = Bridge.rateCause
    entries[5].cause = Bridge.otherCause
    return entries
  }
}
