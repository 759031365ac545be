import Storage
package import SubscriptionModel

/// The result of the comparisons of a bridge: reconciled, not verified or unreconciled.
package enum Verdict: String, Comparable, Sendable {
  /// A comparison shows a difference.
  case unreconciled
  /// No comparison shows a difference, but some were impossible.
  case notVerified = "not verified"
  /// All comparisons were made, and none shows a difference.
  case reconciled

  private var rank: Int {
    switch self {
    case .unreconciled: 0
    case .notVerified: 1
    case .reconciled: 2
    }
  }

  /// Orders verdicts from the worst to the best.
  package static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }
}

/// The verdict of one bridge, with its reasons.
package struct BridgeVerdict: Sendable {
  /// A reason why a bridge is not reconciled.
  package struct Reason: Hashable, Sendable {
    /// The difference or the missing comparison, such as `unexplained_sales 1.25`.
    package let text: String
    /// The report to download for the comparison, such as `FINANCE_DETAIL of 2026-04`.
    package var download: String?
    /// The period, if the download is the SALES reports of all its days.
    package var salesOf: FiscalPeriod?
    /// Whether the download replaces an existing file.
    package var isAgain = false
    /// Whether the download is the next period's FINANCE_DETAIL, and the period has its own; Apple may not have made
    /// it yet.
    package var isNext = false
    /// Whether Apple has not paid the period yet, and no later one.
    package var isPending = false

    /// The download, unless it replaces an existing file.
    package var missing: String? { isAgain ? nil : download }
  }

  package let bridge: Bridge
  package let verdict: Verdict
  /// The reasons in the order of METRICS.md; empty if the bridge is reconciled.
  package let reasons: [Reason]
  /// Whether only Apple's payment is missing, or the next period's FINANCE_DETAIL of the newest period of the run.
  package let waits: Bool

  package var why: String { reasons.map(\.text).joined(separator: "; ") }
}

/// Decides the verdicts: METRICS.md section 7, "Verdicts".
struct Verdicts {
  let reconciliation: Reconciliation
  let tolerance: Int128
  let input: PeriodInput
  let rejected: RejectedMoney
  let records: FinanceData
  let carried: [CarriedBalance]
  let texts: [String]

  private var payments: [PaymentsStatement] { records.payments }

  func all() -> [BridgeVerdict] {
    let newest = input.periods.last
    return reconciliation.bridges.map { bridge in
      let wrong = differences(bridge)
      let missing = wrong.isEmpty ? missingComparisons(bridge) : []
      let verdict: Verdict =
        !wrong.isEmpty ? .unreconciled : missing.isEmpty ? .reconciled : .notVerified
      return BridgeVerdict(
        bridge: bridge, verdict: verdict, reasons: wrong + missing,
        waits: !missing.isEmpty
          && missing.allSatisfy { $0.isPending || $0.isNext && bridge.period == newest })
    }
  }

  private typealias Reason = BridgeVerdict.Reason

  // MARK: Differences

  private func differences(_ bridge: Bridge) -> [Reason] {
    var reasons = bridge.entries.filter { $0.isUnreconciled(tolerance: tolerance) }.map { entry in
      let part = entry.line == .shareDifference ? " (\(entry.cause))" : ""
      return Reason(text: "\(entry.line.name)\(part) \(exactAmount(entry.amount ?? 0))")
    }
    for check in reconciliation.formsChecks
    where check.period == bridge.period && check.currency == bridge.currency
      && check.differs(tolerance: tolerance)
    {
      let difference = exactAmount(check.other - check.counted)
      reasons.append(Reason(text: "\(check.forms): a difference of \(difference)"))
    }
    for check in carried where check.state == .failed && check.isOf(bridge) {
      let (found, left) = (exactAmount(check.found ?? 0), exactAmount(check.expected ?? 0))
      reasons.append(Reason(text: "carried_balance \(found), but \(left) was left unpaid before"))
    }
    for file in payments where file.period == bridge.period {
      for payout in file.wrongPayouts where file.rows(of: payout).contains(where: bridge.has) {
        let place = records.place(line: Int(payout.line), file.fileIndex)
        let currency = texts[Int(payout.currency)]
        let found = "\(exactAmount(Int128(payout.amount ?? 0))) \(currency)"
        let paid = "\(exactAmount(file.paid(payout))) \(currency)"
        reasons.append(
          Reason(text: "\(place): a payout of \(found), but Proceeds add up to \(paid)"))
      }
    }
    for file in payments where file.period == bridge.period {
      for row in file.rows where bridge.has(row) {
        reasons += row.contradictions(tolerance: tolerance).map { Reason(text: $0.text) }
      }
    }
    return reasons
  }

  // MARK: Missing comparisons

  private func missingComparisons(_ bridge: Bridge) -> [Reason] {
    let period = bridge.period
    var reasons: [Reason] = []
    let missing = input.missingDays(period)
    let isAllMissing = missing.count == period.lastDay - period.firstDay + 1
    var causes: Set<String> = []
    for line in [Bridge.Line.unexplainedSales, .unexplainedPayment] {
      for entry in bridge.entries(of: line) where entry.amount == nil {
        let isRejected = entry.cause.hasPrefix(RejectedMoney.causePrefix)
        guard causes.insert(entry.cause).inserted, !isRejected else { continue }
        reasons.append(
          Reason(
            text: "\(line.name) is not known: \(Self.range(entry))\(entry.cause)",
            download: download(entry, bridge)))
      }
    }
    for entry in bridge.entries(of: .shareDifference) where entry.cause == Bridge.otherCause {
      guard entry.status == .estimate, let low = entry.low, let high = entry.high,
        low < -tolerance || high > tolerance
      else { continue }
      reasons.append(
        Reason(
          text: "share_difference (other) is between \(exactAmount(low)) and \(exactAmount(high))"))
    }
    let rows = rejected.rows(of: BridgeName(bridge))
    if !rows.isEmpty {
      let files = rejected.files(of: BridgeName(bridge)).map { "\($0) again, it has rejected rows" }
      reasons.append(
        Reason(
          text: RejectedMoney.causePrefix + rows.listed(),
          download: files.joined(separator: "; "), isAgain: true))
    }
    if let pending = pendingReason(bridge) { reasons.append(pending) }
    if !missing.isEmpty {
      let what =
        isAllMissing
        ? "sales are not checked: no SALES report of this period"
        : "no SALES report of \(missing.dayText)"
      let days = isAllMissing ? "\(period.firstDay) to \(period.lastDay)" : missing.dayText
      reasons.append(
        Reason(text: what, download: "SALES of \(days)", salesOf: isAllMissing ? period : nil))
    }
    if !input.hasDetail(period + 1) {
      let next = period + 1
      let name = "FINANCE_DETAIL of \(next)"
      // The text must not depend on the day of the run, so it does not say whether Apple has made the report.
      let isLater = input.periods.last.map { $0 < next } ?? true
      let when = isLater ? ", which can be had after \(next.lastDay)" : ""
      reasons.append(
        Reason(
          text: "no \(name), the next period", download: name + when,
          isNext: input.hasDetail(period)))
    }
    return reasons
  }

  /// Returns the reason that Apple has not paid a bridge yet; `nil` if it has.
  private func pendingReason(_ bridge: Bridge) -> Reason? {
    guard bridge.entries(of: .payment).contains(where: { $0.cause == Bridge.notPaidYet }) else {
      return nil
    }
    let vendors = payments.filter { $0.period == bridge.period && $0.isPending }.map(\.vendor)
    let later = payments.filter {
      $0.period > bridge.period && !$0.isPending && vendors.contains($0.vendor)
    }.map(\.period).min()
    guard let later else { return Reason(text: Bridge.notPaidYet, isPending: true) }
    return Reason(
      text: "\(Bridge.notPaidYet), but \(later) is paid: download it again",
      download: "payments CSV of \(bridge.period) again, \(later) is paid", isAgain: true)
  }

  /// Returns the report to download so that a line can be computed; `nil` if no download helps.
  private func download(_ entry: Bridge.Entry, _ bridge: Bridge) -> String? {
    let period = bridge.period
    switch entry.line {
    case .unexplainedSales
    where input.method(period) == .lags
      && !input.hasSettlement(period, region: bridge.region):
      return "FINANCIAL of \(bridge.region) of \(period)"
    case .unexplainedSales where !input.hasDetail(period): return "FINANCE_DETAIL of \(period)"
    case .unexplainedPayment where input.hasUnusablePayments(period): return nil
    case .unexplainedPayment where !input.hasPayments(period): return "payments CSV of \(period)"
    case .unexplainedPayment
    where !input.unpaidVendors(period, bridge.currency).isEmpty:
      let vendors = input.unpaidVendors(period, bridge.currency).listed()
      return "payments CSV of \(period) of \(vendors)"
    case .unexplainedPayment where input.method(period) == .none:
      return "FINANCE_DETAIL of \(period)"
    default: return nil
    }
  }

  /// Returns the range of an unknown amount as text; it excludes the lines that need FINANCE_DETAIL.
  private static func range(_ entry: Bridge.Entry) -> String {
    guard let low = entry.low, let high = entry.high else { return "" }
    let amounts = low == high ? exactAmount(low) : "\(exactAmount(low)) to \(exactAmount(high))"
    return "\(amounts) remain (\(Bridge.outsideRange)); "
  }
}

extension CarriedBalance {
  fileprivate func isOf(_ bridge: Bridge) -> Bool {
    period == bridge.period && region == bridge.region && currency == bridge.currency
  }
}

extension PaymentsStatement {
  /// Returns the sum of Proceeds of the paid rows of a payout, in its currency.
  package func paid(_ payout: Payout) -> Int128 {
    paidRows(payout).filter { $0.isPaid(in: payout.currency) }.compactMap(\.proceeds)
      .reduce(0) { $0 + Int128($1) }
  }

  /// Returns the rows that a payout is about: the paid rows of its block in its currency or, if there are none, all paid
  /// rows of the block.
  ///
  /// A payout beside no paid row is about all rows of the file.
  package func rows(of payout: Payout) -> [PaymentsRow] {
    let paid = paidRows(payout)
    let own = paid.filter { $0.isPaid(in: payout.currency) }
    return !own.isEmpty ? own : !paid.isEmpty ? paid : rows
  }

  /// Returns the rows of a payout's block that are not below the threshold.
  private func paidRows(_ payout: Payout) -> [PaymentsRow] {
    rows.filter { $0.block == payout.block && !$0.isBelowThreshold }
  }

  /// The payout lines that differ from the sum of their rows; none if a row was rejected, because a sum lacks it, and in
  /// a pending month.
  package var wrongPayouts: [Payout] {
    isPending || !rejected.isEmpty
      ? [] : payouts.filter { payout in payout.amount.map { Int128($0) != paid(payout) } == true }
  }
}

/// Two numbers of one row of a payments CSV that do not agree.
package struct PaymentsContradiction: Equatable, Sendable {
  /// The column, such as `Proceeds`.
  package let column: String
  package let found: String
  /// The number by the other columns.
  package let expected: String
  /// The other columns, such as `Total Owed 356.57 × Exchange Rate 0.92168`.
  package let source: String

  /// The contradiction as one sentence: `Proceeds 300.00, but Total Owed 356.57 × Exchange Rate 0.92168 is 328.64`.
  package var text: String { "\(column) \(found), but \(source) is \(expected)" }
}

extension Bridge {
  /// Returns whether a row of the period's payments CSV belongs to the bridge.
  package func has(_ row: PaymentsRow) -> Bool { row.region == region && row.currency == currency }
}

extension PaymentsRow {
  /// Returns whether the row is paid to an account in a currency, as far as the file tells.
  fileprivate func isPaid(in currency: Symbol) -> Bool {
    bankCurrency == currency || bankCurrency == .blank || currency == .blank
  }

  /// Compares the numbers of the row with each other; there are no contradictions in what Apple prints.
  ///
  /// Earned with taxes, adjustments and the balance carried over is Total Owed, within the tolerance in milliunits, and
  /// Total Owed × Exchange Rate is Proceeds. The rate is rounded when it is printed, so half a unit of its last digit
  /// is no contradiction.
  package func contradictions(tolerance: Int128) -> [PaymentsContradiction] {
    var found: [PaymentsContradiction] = []
    let others =
      Int128(inputTax) + Int128(adjustments) + Int128(withholdingTax) + Int128(carriedBalance)
    let expected = Int128(totalOwed) - others
    // A cent, because Apple rounds each of the amounts.
    if (Int128(earned) - expected).magnitude > max(tolerance, 10).magnitude {
      found.append(
        PaymentsContradiction(
          column: "Earned", found: exactAmount(Int128(earned)), expected: exactAmount(expected),
          source: "Total Owed without taxes, adjustments and balance"))
    }
    guard let proceeds, let rate = Decimal(exchangeRate) else { return found }
    let product = Int128(totalOwed) * rate.digits
    let difference = (product - Int128(proceeds) * rate.unit).magnitude
    let smallestUnit: Int128 = proceeds % 1_000 == 0 ? 1_000 : 10
    if difference > Int128(totalOwed).magnitude / 2 + (smallestUnit * rate.unit).magnitude {
      let half: Int128 = product < 0 ? -5 : 5
      found.append(
        PaymentsContradiction(
          column: "Proceeds", found: exactAmount(Int128(proceeds)),
          expected: exactAmount((product + half * rate.unit) / (10 * rate.unit) * 10),
          source: "Total Owed \(exactAmount(Int128(totalOwed))) × Exchange Rate \(exchangeRate)"))
    }
    return found
  }

  /// A printed decimal: `0.92168` is 92,168 over 100,000.
  private struct Decimal {
    let digits: Int128
    let unit: Int128

    init?(_ text: String) {
      let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      let digits = parts.joined()
      guard let first = parts.first, !first.isEmpty, digits.count <= 15,
        digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let value = Int128(digits)
      else { return nil }
      self.digits = value
      unit = (0..<(parts.count == 2 ? parts[1].count : 0)).reduce(1) { unit, _ in unit * 10 }
    }
  }
}
