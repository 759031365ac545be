import Counting
import Pipeline
import Rendering
import Settlement
import Storage
import SubscriptionModel

/// The verdicts, estimates and gaps on the page.
extension SettlementPage {
  /// Returns the reconciled, unreconciled and unverified bridges.
  func verdict() -> [String] {
    let findings = report.reconciliation.findings(tolerance: report.tolerance)
      .filter { $0.period == period }
    let most = NumberStyle.money(milliunits: report.tolerance)
    let own = report.verdicts(of: period)
    var items = findings.map {
      "**Unreconciled:** \(report.name($0)): \(report.text($0)), \(report.expectedText)."
    }
    items += report.wrongPayouts(period).map { place, stated, sum, rows in
      let names = own.filter { rows.contains(where: $0.bridge.has) }.map(name)
      return
        "**Unreconciled:** \(places(names)): the payout line `\(place)` says \(stated), but its rows add up to \(sum)."
    }
    items += report.contradictions(period).map { "**Unreconciled:** \($0)." }
    let open = own.filter { $0.verdict == .notVerified }.map { (name($0), why: $0.why) }
    items += open.map(\.why).unique.map { why in
      let same = open.filter { $0.why == why }.map(\.0)
      return "**Not verified:** \(places(same)): \(MarkdownText.escaped(why))."
    }
    let reconciled = own.filter { $0.verdict == .reconciled }.map(name)
    if !reconciled.isEmpty {
      items.append(
        "Reconciled: \(places(reconciled)): nothing unexplained is larger than \(most).")
    }
    return items
  }

  /// Returns what to do beside the downloads, which the first line of the page names.
  func whatToDo() -> [String] {
    let own = report.verdicts(of: period)
    let wrong = own.filter { $0.verdict == .unreconciled }.map(name)
    let damaged = report.contradictoryPayments(period)
    if !wrong.isEmpty, !damaged.isEmpty {
      let files = damaged.map { "`\($0)`" }.joined(separator: ", ")
      return [
        "**To do:** download \(files) again; its numbers contradict each other. If a new one does too, ask Apple."
      ]
    }
    if !wrong.isEmpty {
      return [
        "**To do:** look for the cause in the lines of \(places(wrong)) below, which name products and countries; what stays unexplained is a question for Apple."
      ]
    }
    let isOpen = own.contains { $0.reasons.contains { $0.download != nil } }
    return own.allSatisfy { $0.verdict == .reconciled } && !isOpen ? ["Nothing to do."] : []
  }

  /// Returns the amounts paid to the bank, by currency.
  func payments() -> [String] {
    let wrong = report.wrongPayouts(period)
    guard wrong.isEmpty else {
      return wrong.map { _, stated, sum, _ in
        "To the bank: \(stated) by the payout line, \(sum) by the rows; which of them is paid is not known."
      }
    }
    let entries = bridges.flatMap { $0.entries(of: .payment) }
    let paid = report.bankAmounts(entries.filter(\.isPaid)).map { "To the bank: \($0)." }
    let estimates = report.bankAmounts(entries.filter { $0.status == .estimate }).map {
      "Not paid yet; to the bank by Apple's estimate: \($0)."
    }
    return paid + estimates
  }

  /// Returns one item for each cause, with its lines and bridges.
  func items(_ status: Bridge.Status) -> [String] {
    var found: [ExactText: [String: [String]]] = [:]
    for bridge in bridges {
      for entry in bridge.entries
      where entry.status == status && !entry.isCarriedOver
        && uncheckedBecause(entry, bridge) == nil && movedPayment(entry, bridge) == nil
      {
        let cause = cause(of: entry, bridge)
        let name = report.name(bridge)
        if found[cause]?[entry.line.name]?.last != name {
          found[cause, default: [:]][entry.line.name, default: []].append(name)
        }
      }
    }
    return found.sorted { $0.key < $1.key }.map { cause, lines in
      let texts = lines.sorted { $0.key < $1.key }.map { "`\($0)` (\(places($1)))" }
      return "\(MarkdownText.escaped(cause.text)): \(texts.joined(separator: ", "))"
    }
  }

  /// Returns the reason why an entry is not exact; for some lines, another line's entry has it.
  private func cause(of entry: Bridge.Entry, _ bridge: Bridge) -> String {
    let lines: [Bridge.Line]
    switch (entry.line, entry.status) {
    case (.otherRegion, .estimate): return "settled in another region, as far as is known"
    case (.shareDifference, .estimate): lines = [.cutoffOut, .notCollected]
    case (.otherRegion, _), (.shareDifference, _): lines = [.notCollected]
    default: return entry.cause
    }
    let causes = lines.flatMap { bridge.entries(of: $0) }.map(\.cause) + [entry.cause]
    return causes.first { !$0.isEmpty } ?? ""
  }

  // MARK: Not checked

  /// The reason of lines that nothing of the period's sales can be compared with.
  static let withoutSales = "there is no SALES report of this period"

  /// Returns why a line has an amount that was not checked, to be read after `because`; `nil` where it was, or is unknown.
  func uncheckedBecause(_ entry: Bridge.Entry, _ bridge: Bridge) -> String? {
    if bridge.isUnchecked(entry) { return Self.withoutSales }
    switch entry.line {
    case .cutoffOut, .refundTiming: return laterSettlement(entry)
    case .carriedBalance: return balanceBefore(entry, bridge)
    default: return nil
    }
  }

  /// Returns why it is not known what a later period settles: neither its details nor all sales are there.
  private func laterSettlement(_ entry: Bridge.Entry) -> String? {
    guard entry.status == .exact, hasMissingSales else { return nil }
    let next = period + 1
    let hasDetail = report.records.statements.contains { $0.period == next && $0.form == .detail }
    return hasDetail ? nil : "there is no FINANCE_DETAIL of \(next)"
  }

  /// Whether a day of the period has no SALES report.
  private var hasMissingSales: Bool {
    !(period.firstDay.number...period.lastDay.number).allSatisfy {
      report.records.salesDays.contains(Day(number: $0))
    }
  }

  /// Returns why a carried balance is not compared with the amount left unpaid before; `nil` where it is.
  ///
  /// A balance of 0 in the first payments CSV has nothing before it.
  private func balanceBefore(_ entry: Bridge.Entry, _ bridge: Bridge) -> String? {
    guard entry.amount != nil, entry.cause != Bridge.notInPayments else { return nil }
    let before = period - 1
    guard let file = report.records.payments.first(where: { $0.period == before }) else {
      return entry.amount == 0 ? nil : "there is no payments CSV of \(before)"
    }
    let check = balances.first {
      $0.region == bridge.region && $0.currency == bridge.currency
    }
    guard let check, check.state == .missing else { return nil }
    if check.found == nil { return "the payments CSV of this period does not state it" }
    return file.isPending
      ? "the payments CSV of \(before) is older than its payment"
      : "what was left unpaid before is not known"
  }

  // MARK: Carried over later

  /// Returns what became of a payment that only a later payments CSV carries over; `nil` for any other line.
  func movedPayment(_ entry: Bridge.Entry, _ bridge: Bridge) -> String? {
    guard entry.line == .payment, let next = moved.first(where: { $0.bridge == bridge })?.carriedTo
    else { return nil }
    return "carried over, says the payments CSV of \(next)"
  }

  private func name(_ verdict: BridgeVerdict) -> String { report.name(verdict.bridge) }

  private func places(_ names: [String]) -> String {
    names.count == bridges.count ? "all" : names.joined(separator: ", ")
  }

  /// Returns the gaps in the input.
  func missing() -> [String] {
    let days = (period.firstDay.number...period.lastDay.number).map { Day(number: $0) }
      .filter { !report.records.salesDays.contains($0) }
    let missing = days.isEmpty ? [] : ["\(counted(days.count, "SALES report")): \(days.dayText)"]
    let guessed = report.reconciliation.guessedRegions.map {
      "a region that lists \(MarkdownText.escaped($0))"
    }
    return missing + guessed + items(.unknown)
  }
}
