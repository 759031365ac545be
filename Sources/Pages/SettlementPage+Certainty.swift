import Counting
import Rendering
import Settlement
import Storage
import SubscriptionModel
import UserTables

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
    items += report.wrongPayouts(period).map { file, stated, sum in
      "**Unreconciled:** all: the payout line of `\(file)` says \(stated), but its rows add up to \(sum)."
    }
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
      return wrong.map { _, stated, sum in
        "To the bank: \(stated) by the payout line, \(sum) by the rows; which of them is paid is not known."
      }
    }
    var sums: [String: Int128] = [:]
    for entry in bridges.flatMap({ $0.entries(of: .payment) }) {
      guard let amount = entry.amount, let bank = entry.bankCurrency else { continue }
      sums[report.names.text(bank), default: 0] += amount
    }
    return sums.sorted { $0.key < $1.key }.map { currency, sum in
      "To the bank: \(NumberStyle.amount(milliunits: sum, currency: currency)) \(MarkdownText.escaped(currency))."
    }
  }

  /// Returns one item for each cause, with its lines and bridges.
  func items(_ status: Bridge.Status) -> [String] {
    var found: [String: [String: [String]]] = [:]
    for bridge in bridges {
      for entry in bridge.entries
      where entry.status == status && !entry.isCarriedOver && !bridge.isUnchecked(entry) {
        let cause = cause(of: entry, bridge)
        let name = report.name(bridge)
        if found[cause]?[entry.line.name]?.last != name {
          found[cause, default: [:]][entry.line.name, default: []].append(name)
        }
      }
    }
    return found.sorted { $0.key < $1.key }.map { cause, lines in
      let texts = lines.sorted { $0.key < $1.key }.map { "`\($0)` (\(places($1)))" }
      return "\(MarkdownText.escaped(cause)): \(texts.joined(separator: ", "))"
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

  private func name(_ verdict: BridgeVerdict) -> String { report.name(verdict.bridge) }

  private func places(_ names: [String]) -> String {
    names.count == bridges.count ? "all" : names.joined(separator: ", ")
  }

  /// Returns the gaps in the input.
  func missing() -> [String] {
    let days = (period.firstDay.number...period.lastDay.number).map { Day(number: $0) }
      .filter { !report.records.salesDays.contains($0) }
    let missing = days.isEmpty ? [] : ["\(counted(days.count, "SALES report")): \(days.dayText)"]
    let guessed = report.reconciliation.guessedRegions.map { "a region that lists \($0)" }
    return missing + guessed + items(.unknown)
  }
}
