/// Lines 20 to 25 of a period without FINANCE_DETAIL.
extension BridgeLines {
  func laggedEntries() -> [Bridge.Entry] {
    var entries = [Bridge.Line.cutoffIn, .cutoffOut, .refundTiming].map(estimated)
    entries += unknownEntries(cause: Self.needsDetail).filter {
      [.notCollected, .shareDifference].contains($0.line)
    }
    guard !sums.otherRegion.isEmpty else {
      return entries + [Entry(.otherRegion, CountedMoney.zero)]
    }
    return entries + sums.otherRegion.keys.sorted().map { Entry(.otherRegion, unknown: $0) }
  }

  private func estimated(_ line: Bridge.Line) -> Bridge.Entry {
    let lags = lags(of: line)
    let range = lags.usualRange
    let lacksBefore = "no SALES report on some of the \(range.upperBound) days before"
    let hasSalesBefore = input.hasSales(daysBefore: range.upperBound, period)
    guard !isAllMissing, line != .cutoffIn || hasSalesBefore else {
      return Entry(line, unknown: isAllMissing ? Self.noSales : lacksBefore)
    }
    // Add up the means by product, because they are rounded: the mean of the whole could differ from their sum.
    let means = parts.map { part in
      lags.mean { part.lagged[BridgeSums.Lag(line: line, days: $0)] ?? 0 }
    }
    var entry = Entry(line, means.reduce(0, +))
    entry.status = .estimate
    (entry.low, entry.high) = lags.range { amount(line, days: $0) }
    entry.cause = "settlement lag"
    if line == .refundTiming, !hasSalesBefore { entry.cause += "; \(lacksBefore)" }
    let source = lags.isMeasured ? "\(lags.units) units of FINANCE_DETAIL" : "usual lags"
    entry.evidence = "\(range.lowerBound) to \(range.upperBound) days, \(source)"
    return entry
  }

  private func lags(of line: Bridge.Line) -> SettlementLags {
    line == .refundTiming ? lags.returns : lags.sales
  }

  /// Returns the amount that a line would have if every row settled so many days after its sale.
  private func amount(_ line: Bridge.Line, days: Int) -> Int128 {
    sums.lagged[BridgeSums.Lag(line: line, days: days)] ?? 0
  }

  /// Returns the usual lag at which a line would have its least or its largest amount.
  func lag(_ line: Bridge.Line, isLeast: Bool) -> BridgeSums.Lag {
    let range = lags(of: line).usualRange
    let isLess = { (left: Int, right: Int) in
      self.amount(line, days: left) < self.amount(line, days: right)
    }
    let days = isLeast ? range.min(by: isLess) : range.max(by: isLess)
    return BridgeSums.Lag(line: line, days: days ?? 0)
  }

  func unknownEntries(cause: String) -> [Bridge.Entry] {
    let lines: [Bridge.Line] = [
      .cutoffIn, .cutoffOut, .refundTiming, .notCollected, .shareDifference, .shareDifference,
      .otherRegion,
    ]
    var entries = lines.map { Entry($0, unknown: cause) }
    entries[4].cause = Bridge.rateCause
    entries[5].cause = Bridge.otherCause
    return entries
  }
}
