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
  var missingCause: String {
    isAllMissing ? Self.noSales : "no SALES report: \(missing.dayText)"
  }

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

  private func unexplained(
    _ entries: [Bridge.Entry], _ settled: Bridge.Entry
  ) -> Bridge.Entry {
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
