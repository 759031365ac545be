import Counting
import Files
import Pipeline
import Rendering
package import Settlement
import Storage
import SubscriptionModel
package import Tables

/// The page on one fiscal period, for a controller to file.
struct SettlementPage {
  let report: FinanceReport
  let period: FiscalPeriod
  let bridges: [Bridge]
  private let checks: [Check]
  let names: Names
  /// The amounts owed of the period that only a later payments CSV carries over.
  let moved: [AmountOwed]
  /// The comparisons of the balances that are carried into the period.
  let balances: [CarriedBalance]

  /// The number of differences that the page lists for each bridge.
  private static let shownDifferences = 5

  init(_ report: FinanceReport, _ period: FiscalPeriod, checks: [Check]) {
    self.report = report
    self.period = period
    self.checks = checks
    names = report.names
    bridges = report.reconciliation.bridges.filter { $0.period == period }
    moved = report.amountsOwed.filter { $0.bridge.period == period && $0.isMoved }
    balances = report.carriedBalances.filter {
      $0.period == period
    }
  }

  /// Returns the page: the verdict and what to do, all bridges in a table, those with a difference line by line, those
  /// without in one table, the estimates, and at the end the evidence.
  func text() -> String {
    let told = bridges.filter(\.hasDifference)
    return """
      # Settlement of fiscal period \(period)\(report.result.settlementTitleEnd): \(report.verdict(of: period).rawValue)

      \(report.headline(period))

      \(items(verdict() + whatToDo() + payments()))
      \(period.firstDay) to \(period.lastDay), \(period.weekCount) weeks; Apple calls it \
      \(period.nameMonth.longName(.calendar)). \(report.paymentSentences(period)) Sales and \
      Trends is an estimate, and Apple advises against forcing the two equal: this page shows the \
      difference with its causes.

      ## All bridges

      \(report.overview(bridges))

      """ + report.worstFirst(told).map(section).joined() + withoutDifference()
        + list("What is estimated", items(.estimate)) + list("What is missing", missing())
        + checksums()
  }

  /// Returns a section with a list; blank when the list is empty.
  private func list(_ title: String, _ texts: [String]) -> String {
    texts.isEmpty ? "" : "## \(title)\n\n\(items(texts))\n"
  }

  private func items(_ texts: [String]) -> String { texts.map { "- \($0)\n" }.joined() }

  // MARK: Bridges

  /// Returns the lines of a bridge, without those that are exactly 0.
  func lines(_ bridge: Bridge) -> ReportTable {
    ReportTable(
      name: "bridge", dimensions: [],
      columns: [
        .init("step", .count), .init("line", .key), .init("meaning", .text),
        .init("amount", .money), .init("currency", .key), .init("units", .count),
        .init("status", .text), .init("low", .money), .init("high", .money), .init("cause", .text),
        .init("evidence", .text),
      ],
      rows: bridge.entries.filter { entry in
        !entry.isLeftOut && (entry.amount != 0 || uncheckedBecause(entry, bridge) == nil)
      }.map { entry in
        let isUnchecked = uncheckedBecause(entry, bridge) != nil
        let payment = movedPayment(entry, bridge)
        return [
          .count(entry.line.rawValue), .text(entry.line.name), .text(entry.line.meaning),
          .amount(entry.amount), .text(names.currency(of: entry, bridge)),
          entry.count.map { .count($0) } ?? .missing,
          .text(isUnchecked ? "not checked" : entry.status.rawValue),
          .amount(entry.low), .amount(entry.high),
          .text(payment ?? report.causeText(entry, bridge)),
          .text(payment == nil ? entry.evidence : ""),
        ]
      }
    ).withoutEmptyColumns
  }

  private func section(_ bridge: Bridge) -> String {
    "## \(MarkdownText.escaped(report.name(bridge)))\n\n"
      + TableRenderer(.md).text(of: lines(bridge)) + "\n" + zeroLines(bridge)
      + unchecked(bridge) + differences(bridge)
  }

  /// Returns the lines of a bridge that are exactly 0, by their cause; the table leaves them out.
  func zeroLines(_ bridge: Bridge) -> String {
    let zeros = bridge.entries.filter {
      $0.isLeftOut && uncheckedBecause($0, bridge) == nil
    }.map { entry in
      let isShare = entry.line == .shareDifference
      let name = "`\(entry.line.name)`" + (isShare ? " (\(entry.cause))" : "")
      return (name: name, cause: isShare ? "" : entry.cause)
    }
    let texts = zeros.map(\.cause).unique.map { cause in
      let same = zeros.filter { $0.cause == cause }.map(\.name).joined(separator: ", ")
      return "Exactly 0.00\(cause.isEmpty ? "" : ", \(MarkdownText.escaped(cause))"): \(same)."
    }
    return texts.isEmpty ? "" : texts.joined(separator: " ") + "\n\n"
  }

  /// Returns a sentence for each reason why lines of a bridge are not checked; blank without any.
  func unchecked(_ bridge: Bridge) -> String {
    let found = bridge.entries.compactMap { entry in
      uncheckedBecause(entry, bridge).map { (entry: entry, reason: $0) }
    }
    return found.map(\.reason).unique.map { reason in
      let same = found.filter { $0.reason == reason }.map(\.entry)
      let lines = same.map { "`\($0.line.name)`" }.unique.joined(separator: ", ")
      let zero = same.allSatisfy { $0.amount == 0 } ? " (0.00 in `reconcile.csv`)" : ""
      let isOfSales = reason == Self.withoutSales && bridge.amount(of: .missingDays) != nil
      let settled = isOfSales ? "; `missing_days` has what was settled of the period's sales" : ""
      return "Not checked, because \(reason): \(lines)\(zero)\(settled).\n\n"
    }.joined()
  }

  /// Returns the bridges with equal sales, settlement and amount owed; blank without any.
  private func withoutDifference() -> String {
    let equal = bridges.filter { !$0.hasDifference }
    guard !equal.isEmpty else { return "" }
    let lines: [Bridge.Line] = [.salesGross, .salesRefunds, .financeShare, .totalOwed, .payment]
    let table = ReportTable(
      name: "equal", dimensions: [],
      columns: [.init("region", .key), .init("currency", .key), .init("units", .count)]
        + lines.map { .init($0.name, .money) }
        + [.init("bank", .key), .init("cause", .text), .init("evidence", .text)],
      rows: equal.map { bridge in
        let payment = bridge.entries(of: .payment).first
        let settled = bridge.entries(of: .financeShare).first
        let evidence = [settled, payment].compactMap { $0?.evidence }.filter { !$0.isEmpty }
        return [
          .text(bridge.region), .text(names.text(bridge.currency)),
          settled?.count.map { .count($0) } ?? .missing,
        ] + lines.map { ReportTable.Cell.amount(bridge.amount(of: $0)) } + [
          .text(payment?.bankCurrency.map { names.text($0) } ?? ""),
          .text(payment.map { report.causeText($0, bridge) } ?? ""),
          .text(evidence.joined(separator: "; ")),
        ]
      })
    return """
      ## Without a difference

      Sales, settlement and what is owed are the same to the cent; every other line is exactly 0.00.

      \(TableRenderer(.md).text(of: table.withoutEmptyColumns))

      """
  }

  private func differences(_ bridge: Bridge) -> String {
    let found = report.reconciliation.differences(of: bridge, limit: Self.shownDifferences)
    guard !found.isEmpty else {
      if bridge.isComparedWithSales { return "No difference between sales and settlement.\n\n" }
      // Where lines are 0 without a comparison, the sentence about them says so.
      return bridge.entries.contains { uncheckedBecause($0, bridge) == Self.withoutSales }
        ? "" : "Differences between sales and settlement are not known.\n\n"
    }
    let table = ReportTable(
      name: "differences", dimensions: [],
      columns: [
        .init("product", .key), .init("country", .key), .init("amount", .money),
        .init("units", .count), .init("line", .text), .init("meaning", .text),
        .init("status", .text), .init("cause", .text),
      ],
      rows: found.map { difference in
        let entry = difference.entry
        return [
          .text(names.product(difference.product)), .text(names.text(difference.country)),
          .amount(entry.amount), entry.count.map { .count($0) } ?? .missing,
          .text(entry.line.name), .text(entry.line.meaning), .text(entry.status.rawValue),
          .text(entry.cause),
        ]
      })
    return "The largest differences by product and country:\n\n"
      + TableRenderer(.md).text(of: table.withoutEmptyColumns) + "\n"
  }

  // MARK: Checksums

  private func checksums() -> String {
    "## Checksums\n\n" + TableRenderer(.md).text(of: files) + "\n"
      + TableRenderer(.md).text(of: ownChecks)
  }

  var files: ReportTable {
    ReportTable(
      name: "files", dimensions: [],
      columns: [.init("file", .text), .init("rows", .count), .init("sha256", .text)],
      rows: ownFiles.map {
        [.text($0.file.relativePath), .count($0.rows.read), .text($0.sha256)]
      })
  }

  var ownChecks: ReportTable {
    let paths = Set<ExactText>(of: ownFiles.map(\.file.relativePath))
    return Checks.table(
      checks.filter { check in
        check.scope.hasPrefix("\(period) ")
          || paths.contains { check.scope.utf8.starts(with: $0.text.utf8) }
      })
  }

  private var ownFiles: [FileReport] {
    let indices =
      report.records.statements.filter { $0.period == period }.map(\.fileIndex)
      + report.records.payments.filter { $0.period == period }.map(\.fileIndex)
    return Set(indices).sorted().map { report.result.files[$0] }
  }
}

extension Bridge {
  /// Returns whether a line is 0 only because the period has no SALES report with which it could be compared.
  func isUnchecked(_ entry: Entry) -> Bool {
    let lines: [Line] = [.notCollected, .shareDifference, .otherRegion, .unexplainedSales]
    return amount(of: .salesGross) == nil && lines.contains(entry.line) && entry.amount == 0
  }

  /// Returns the amount of a line for readers.
  ///
  /// An unexplained amount is `not checked` where there is nothing to compare, and `not known` where FINANCIAL alone leaves
  /// a range.
  func shownAmount(of line: Line) -> ReportTable.Cell {
    let amount = amount(of: line)
    switch line {
    case .unexplainedSales where !isComparedWithSales:
      let isUnknown = self.amount(of: .salesGross) != nil && self.amount(of: .financeShare) != nil
      return .text(isUnknown ? "not known" : "not checked")
    case .unexplainedPayment where amount == nil: return .text("not checked")
    default: return .amount(amount)
    }
  }

  /// Whether a line between sales, settlement and the amount owed is unknown or not exactly 0.
  fileprivate var hasDifference: Bool {
    entries.contains { entry in
      switch entry.line {
      case .salesGross, .salesRefunds, .financeShare, .totalOwed: entry.amount == nil
      case .payment: entry.amount == nil && !entry.isCarriedOver
      default: !entry.isZero
      }
    }
  }
}

extension Bridge.Entry {
  /// Whether the amount is exactly 0, of no units and without a range.
  fileprivate var isZero: Bool {
    amount == 0 && status == .exact && (count ?? 0) == 0 && low == nil && high == nil
  }

  /// Whether the table of a bridge leaves the line out; sums and payments are always shown.
  fileprivate var isLeftOut: Bool {
    isZero && ![.financeShare, .totalOwed, .payment].contains(line)
  }
}

extension Bridge {
  /// The columns of `reconcile.csv` and the names in its column `line`, with their meanings.
  package static var columnTable: ReportTable {
    let keys: [(String, String)] = [
      ("period", "Apple's fiscal period."), ("region", "The region of Apple's settlement."),
      ("currency", "The currency of the settlement."),
    ]
    let columns = keys + Definition.reconcileColumns.map { ($0.column.name, $0.meaning) }
    let lines = Line.allCases.map { ("line=\($0.name)", "\($0.rawValue): \($0.meaning)") }
    return ReportTable(
      name: "reconcile", dimensions: [], columns: [.init("column", .key), .init("meaning", .text)],
      rows: (columns + lines).map { [.text($0), .text($1)] })
  }
}

extension Bridge.Line {
  /// The meaning of the line for readers who do not know its name.
  package var meaning: String {
    switch self {
    case .salesGross: "sold, says Sales and Trends"
    case .salesRefunds: "refunded, says Sales and Trends"
    case .missingDays: "settled of days without a SALES report"
    case .cutoffIn: "sold in another period, settled in this"
    case .cutoffOut: "sold in this period, settled in another"
    case .refundTiming: "refunded in one period, settled in another"
    case .notCollected: "sold or refunded, not settled"
    case .shareDifference: "settled at another share"
    case .otherRegion: "sold in one region, settled in another"
    case .unexplainedSales, .unexplainedPayment: "explained by nothing"
    case .financeShare: "settled by Apple: the sum so far"
    case .inputTax: "tax that Apple passes on"
    case .adjustments: "adjusted by Apple"
    case .withholdingTax: "withheld by tax offices"
    case .carriedBalance: "carried over from earlier periods"
    case .totalOwed: "owed by Apple: the sum from 30"
    case .payment: "paid to the bank"
    }
  }
}

/// The verdicts, estimates and gaps on the page.
extension SettlementPage {
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
