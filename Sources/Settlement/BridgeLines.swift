import Storage
import SubscriptionModel

/// The rows of one bridge, or of one product's part of it, up to the settlement (step 30).
struct BridgeLines {
  let period: FiscalPeriod
  let sums: BridgeSums
  let input: PeriodInput
  let lags: (sales: SettlementLags, returns: SettlementLags)
  let missing: [Day]
  /// The sums by product; estimates are computed by product and added up.
  let parts: [BridgeSums]
  let hasSettlement: Bool
  /// The countries that move within the period: the single file has no days to divide their rows by.
  let undated: [String]
  /// The forms from which the settlement was read.
  let evidence: String

  init(_ name: BridgeName, _ parts: [BridgeSums], _ builder: BridgeBuilder) {
    period = name.period
    self.parts = parts
    sums = parts.dropFirst().reduce(into: parts.first ?? BridgeSums()) { $0.merge($1) }
    let forms = builder.usedForms[name, default: []].sorted()
    evidence = forms.map(\.text).joined(separator: " + ")
    undated = builder.undated[name, default: []].sorted()
    input = builder.input
    lags = builder.lags
    missing = input.missingDays(period)
    hasSettlement =
      input.hasSettlement(period, region: name.region)
      || (input.method(period) == .lags && builder.settledElsewhere.contains(name))
  }

  typealias Entry = Bridge.Entry

  /// Returns steps 10 to 30; step 29 is the remainder, so that steps 10 to 29 add up to step 30.
  func entries() -> [Bridge.Entry] {
    var entries = salesEntries()
    switch input.method(period) {
    case .counting: entries += countedEntries()
    case .lags: entries += laggedEntries()
    case .none: entries += unknownEntries(cause: Self.noReport)
    }
    var settled = Entry(.financeShare, unknown: Self.noReport)
    if !undated.isEmpty {
      settled.cause =
        "\(Self.needsDetail): \(undated.listed()) moved to another region in this period"
    } else if hasSettlement {
      settled = Entry(.financeShare, sums[.settled])
      settled.evidence = evidence
    }
    return entries + [unexplained(entries, settled), settled]
  }

  // MARK: Steps 10 to 12

  private func salesEntries() -> [Bridge.Entry] {
    let sales = [Entry(.salesGross, sums[.gross]), Entry(.salesRefunds, sums[.refunds])].map {
      isAllMissing ? Entry($0.line, unknown: missingCause) : estimatedByDays($0, hasRange: false)
    }
    guard input.hasDetail(period) else {
      return sales + [Entry(.missingDays, unknown: Self.needsDetail)]
    }
    return sales + [estimatedByDays(Entry(.missingDays, sums[.missingDays]), hasRange: false)]
  }

  /// Returns an exact amount as an estimate if SALES days are missing, because their units may belong to any line.
  func estimatedByDays(_ entry: Bridge.Entry, hasRange: Bool = true) -> Bridge.Entry {
    guard !missing.isEmpty, entry.status == .exact else { return entry }
    var entry = entry
    entry.status = .estimate
    entry.cause = missingCause
    if hasRange { (entry.low, entry.high) = (entry.amount, entry.amount) }
    return entry
  }

  /// Whether no day of the period has a SALES report.
  var isAllMissing: Bool { missing.count == period.lastDay - period.firstDay + 1 }

  /// The cause of lines that are estimates because SALES days are missing.
  var missingCause: String { isAllMissing ? Self.noSales : "no SALES report: \(missing.dayText)" }

  /// The longest usual lag, in days; the SALES reports of that many days before the period are needed.
  private var longestUsualLag: Int {
    max(lags.sales.usualRange.upperBound, lags.returns.usualRange.upperBound)
  }

  static let needsDetail = "needs FINANCE_DETAIL"
  private static let noReport = "no finance report"
  static let noSales = "no SALES report in the period"
  static let notChecked = "not checked: no SALES report of this period"
  static let notYetSettled = "no FINANCE_DETAIL of the next period"

  // MARK: Step 29

  private func unexplained(_ entries: [Bridge.Entry], _ settled: Bridge.Entry) -> Bridge.Entry {
    guard let share = settled.amount else {
      return Entry(.unexplainedSales, unknown: settled.cause)
    }
    let known = entries.compactMap(\.amount).reduce(0, +)
    if input.method(period) == .counting {
      let units = entries.compactMap(\.count).reduce(0, +)
      var entry = Entry(
        .unexplainedSales, CountedMoney(share - known, units: sums[.settled].units - units))
      // Line 12 has the whole settlement of the period's days, so that nothing is left whatever was sold.
      if isAllMissing { entry.cause = Self.notChecked }
      return entry
    }
    var entry = Entry(.unexplainedSales, unknown: Self.needsDetail)
    let mustBeKnown = entries.filter {
      ![.missingDays, .notCollected, .shareDifference].contains($0.line)
    }
    guard missing.isEmpty, input.hasSales(daysBefore: longestUsualLag, period),
      mustBeKnown.allSatisfy({ $0.amount != nil })
    else { return entry }
    entry.low = share - mustBeKnown.compactMap { $0.high ?? $0.amount }.reduce(0, +)
    entry.high = share - mustBeKnown.compactMap { $0.low ?? $0.amount }.reduce(0, +)
    entry.evidence = "remainder \(exactAmount(share - known))"
    return entry
  }
}

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
  fileprivate func estimated(_ bounds: BridgeBounds, cause: String) -> Bridge.Entry {
    guard bounds.least != bounds.largest else { return self }
    var entry = self
    (entry.low, entry.high) = (bounds.least, bounds.largest)
    entry.status = .estimate
    entry.cause = cause
    return entry
  }
}

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
