import SubscriptionModel

/// Makes the rows of one bridge, or of one product's part of it, up to the settlement.
struct BridgeLines {
  private let period: FiscalPeriod
  private let sums: BridgeSums
  private let input: PeriodInput
  private let lags: (sales: SettlementLags, returns: SettlementLags)
  private let missing: [Day]
  private let knowsSettlement: Bool
  /// Where the settlement was read from.
  private let evidence: String

  init(_ name: BridgeName, _ sums: BridgeSums, _ builder: BridgeBuilder) {
    period = name.period
    self.sums = sums
    let forms = builder.usedForms[name, default: []].sorted()
    evidence = forms.map(\.text).joined(separator: " + ")
    input = builder.input
    lags = builder.lags
    missing = input.missingDays(period)
    knowsSettlement = input.knowsSettlement(period, region: name.region)
  }

  private typealias Entry = Bridge.Entry

  /// Steps 10 to 30; what is unexplained closes to the settlement.
  func entries() -> [Bridge.Entry] {
    var entries = salesEntries()
    switch input.method(period) {
    case .counting: entries += countedEntries()
    case .lags: entries += laggedEntries()
    case .none: entries += unknownEntries(cause: "no finance report")
    }
    var settled = Entry(.financeShare)
    if knowsSettlement {
      settled = Entry(.financeShare, sums[.settled])
      settled.evidence = evidence
    } else {
      settled.cause = "no finance report"
    }
    return entries + [unexplained(entries, settled), settled]
  }

  // MARK: What SALES says

  private func salesEntries() -> [Bridge.Entry] {
    var entries = [Entry(.salesGross, sums[.gross]), Entry(.salesRefunds, sums[.refunds])]
    let isAllMissing = missing.count == period.lastDay - period.firstDay + 1
    if !missing.isEmpty {
      let line = entries.map(\.line)
      if isAllMissing { entries = line.map { Entry($0) } }
      for index in entries.indices {
        entries[index].status = isAllMissing ? .unknown : .estimate
        entries[index].cause =
          isAllMissing ? "no SALES report in the period" : "no SALES report: \(missing.dayText)"
      }
    }
    if missing.isEmpty || input.hasDetail(period) {
      var entry = Entry(.missingDays, sums[.missingDays])
      if !missing.isEmpty, !input.hasDetail(period + 1) {
        entry.status = .estimate
        entry.cause = Self.notYetSettled
      }
      entries.append(entry)
    } else {
      var entry = Entry(.missingDays)
      entry.cause = "needs FINANCE_DETAIL"
      entries.append(entry)
    }
    return entries
  }

  private static let notYetSettled = "no FINANCE_DETAIL of the next period"

  // MARK: By counting

  private func countedEntries() -> [Bridge.Entry] {
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

  // MARK: By lags

  private func laggedEntries() -> [Bridge.Entry] {
    let lagged = sums.lagged
    let needed = max(
      lags.sales.usualRange.upperBound, lags.returns.usualRange.upperBound)
    let hasDaysBefore = input.hasSales(daysBefore: needed, period)
    var entries = [
      estimated(.cutoffIn, lagged.cutoffIn, lags.sales, isKnown: hasDaysBefore),
      estimated(.cutoffOut, lagged.cutoffOut, lags.sales),
      estimated(.refundTiming, lagged.refundTiming, lags.returns, isKnown: hasDaysBefore),
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
    _ line: Bridge.Line, _ amounts: [Int: Int128], _ lags: SettlementLags, isKnown: Bool = true
  ) -> Bridge.Entry {
    let range = lags.usualRange
    guard isKnown, missing.isEmpty else {
      var entry = Entry(line)
      entry.cause =
        isKnown
        ? "no SALES report on some days" : "no SALES report of the \(range.upperBound) days before"
      return entry
    }
    let (mean, low, high) = lags.estimate { amounts[$0] ?? 0 }
    var entry = Entry(line, mean)
    entry.status = .estimate
    entry.low = low
    entry.high = high
    entry.cause = "settlement lag"
    let source = lags.isMeasured ? "\(lags.units) units of FINANCE_DETAIL" : "usual lags"
    entry.evidence = "\(range.lowerBound) to \(range.upperBound) days, \(source)"
    return entry
  }

  private func unknownEntries(cause: String) -> [Bridge.Entry] {
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

  // MARK: What is left

  private func unexplained(
    _ entries: [Bridge.Entry], _ settled: Bridge.Entry
  ) -> Bridge.Entry {
    guard let share = settled.amount else {
      var entry = Entry(.unexplainedSales)
      entry.cause = settled.cause
      return entry
    }
    let known = entries.compactMap(\.amount).reduce(0, +)
    if input.method(period) == .counting {
      let units = entries.compactMap(\.count).reduce(0, +)
      var entry = Entry(
        .unexplainedSales, CountedMoney(share - known, units: sums[.settled].units - units))
      let isExact = entries.allSatisfy { $0.status == .exact || $0.line == .notCollected }
      if !isExact { entry.status = .estimate }
      return entry
    }
    var entry = Entry(.unexplainedSales)
    entry.cause = "needs FINANCE_DETAIL"
    let mustBeKnown = entries.filter { ![.notCollected, .shareDifference].contains($0.line) }
    guard mustBeKnown.allSatisfy({ $0.amount != nil }) else { return entry }
    entry.low = share - mustBeKnown.compactMap { $0.high ?? $0.amount }.reduce(0, +)
    entry.high = share - mustBeKnown.compactMap { $0.low ?? $0.amount }.reduce(0, +)
    entry.evidence = "remainder \(exactAmount(share - known))"
    return entry
  }
}
