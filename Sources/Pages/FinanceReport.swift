package import Counting
package import Pipeline
import Rendering
package import Settlement
import Storage
package import SubscriptionModel
package import Tables

/// The bridges of a run with their verdicts, findings, checks and pages.
package struct FinanceReport: Sendable {
  package let reconciliation: Reconciliation
  /// The maximum deviation of a line that should be 0, in milliunits of each currency.
  package let tolerance: Int128
  /// The verdicts, in the order of the bridges.
  package let verdicts: [BridgeVerdict]
  /// The periods that tables, pages, lines and the journal show; `nil` for all.
  package var shownPeriods: ClosedRange<FiscalPeriod>?
  let records: FinanceData
  package let result: RunResult

  /// Reconciles a run; `nil` when it has no usable finance file.
  package init?(_ result: RunResult, tolerance: Int128 = 0) {
    guard let records = result.finance, records.hasFiles else { return nil }
    self.records = records
    self.result = result
    self.tolerance = tolerance
    reconciliation = Reconciliation(
      records, regions: result.plan.financeRegions,
      commissions: result.plan.commissions, texts: result.names.symbols)
    verdicts = reconciliation.verdicts(tolerance: tolerance)
  }

  package var names: Names { result.names }

  /// The fiscal periods with bridges, ascending.
  package var periods: [FiscalPeriod] {
    Set(reconciliation.bridges.map(\.period)).sorted()
  }

  /// The end of a title: the last day of the newest period, such as ` until 2026-02-28 (FY2026-P05)`; blank without a period.
  var newest: String { periods.last.map { " until \($0.lastDay) (\($0))" } ?? "" }

  package func isShown(_ period: FiscalPeriod) -> Bool { shownPeriods?.contains(period) != false }

  private var shownBridges: [Bridge] { reconciliation.bridges.filter { isShown($0.period) } }

  /// The periods in words, consecutive ones as `FY2026-P01 to FY2026-P03`.
  package var periodText: String { Self.text(periods) }

  /// Returns periods in words, consecutive ones as `FY2026-P01 to FY2026-P03`.
  static func text(_ periods: [FiscalPeriod]) -> String {
    periods.runs { $0 + 1 }.map { run in
      run.lowerBound == run.upperBound
        ? "\(run.lowerBound)" : "\(run.lowerBound) to \(run.upperBound)"
    }.joined(separator: ", ")
  }

  /// Returns `reconcile.csv`.
  package func table() -> ReportTable { Reconciliation.table(shownBridges, names) }

  /// Returns the same table for readers: the cause of a payment says what becomes of the amount.
  package func tableForReaders() -> ReportTable {
    Reconciliation.table(shownBridges, names, cause: causeText)
  }

  /// Returns `reconcile-by-product.csv`: the same by product, up to the settlement.
  package func productTable() -> ReportTable {
    Reconciliation.table(
      reconciliation.productBridges.filter { isShown($0.period) }, dimensions: ["product"], names)
  }

  /// The rows of health.csv about countries and currencies whose region is a guess.
  package var healthRows: [[ReportTable.Cell]] {
    reconciliation.guessedRegions.map {
      RunResult.healthRow("finance", note: "no region lists \($0)")
    }
  }

  /// Returns the bridges as a journal for hledger.
  package func journal(_ accounts: JournalAccounts) -> String {
    HledgerJournal.text(transactions(accounts), names, notes: journalNotes())
  }

  /// Returns the bridges as a journal for spreadsheets and bookkeeping programs: a row for each posting.
  ///
  /// The rows of one entry follow each other and have one text. Within it debits equal credits; a payment in the bank's
  /// currency balances the amount owed in the settlement's, whose text names both.
  package func journalTable(_ accounts: JournalAccounts) -> ReportTable {
    ReportTable(
      name: "journal", dimensions: [],
      columns: [
        .init("date", .key), .init("account", .text), .init("debit", .money),
        .init("credit", .money), .init("currency", .key), .init("text", .text),
      ],
      rows: transactions(accounts).flatMap { entry in
        entry.postings.map { posting in
          let amount = ReportTable.Cell.money(milliunits: abs(posting.milliunits))
          let isDebit = posting.milliunits > 0
          let cost = posting.cost.map { cost in
            " = \(NumberStyle.money(milliunits: cost.milliunits)) \(names.text(cost.currency))"
          }
          return [
            .text(entry.day.description), .text(posting.account), isDebit ? amount : .missing,
            isDebit ? .missing : amount, .text(names.text(posting.currency)),
            .text(entry.title + (cost ?? "")),
          ]
        }
      })
  }

  private func transactions(_ accounts: JournalAccounts) -> [JournalTransaction] {
    let others = shownBridges.map { (name: name($0), bridge: $0) }
    return shownBridges.flatMap {
      $0.transactions(accounts, currency: names.text($0.currency), others: others)
    }
  }

  /// Returns a row for each bridge, for a terminal: its verdict and the amounts from sales to the bank.
  package func bridgeTable() -> ReportTable {
    let verdicts = verdicts
    let unexplained = { (bridge: Bridge) -> ReportTable.Cell in
      let cells = [Bridge.Line.unexplainedSales, .unexplainedPayment].map(bridge.shownAmount)
      return cells.first { $0.milliunits == nil }
        ?? .money(milliunits: cells.compactMap(\.milliunits).reduce(0, +))
    }
    // On a terminal a reason would take the room of an amount.
    let brief = { (cell: ReportTable.Cell) -> ReportTable.Cell in
      cell.words.map { .text(String($0.prefix { $0 != ":" })) } ?? cell
    }
    let overview = overviewTable(shownBridges)
    let paid = overview.columns.firstIndex { $0.name == Bridge.Line.payment.name } ?? 0
    return ReportTable(
      name: "reconcile", dimensions: [],
      columns: [
        .init("period", .key), .init("region", .key), .init("currency", .key),
        .init("verdict", .text), .init("sales", .money), .init("settled", .money),
        .init("owed", .money), .init("paid", .money), .init("bank", .key),
        .init("unexplained", .money),
      ],
      rows: zip(shownBridges, overview.rows).map { bridge, row in
        [
          .text(bridge.period.description), .text(bridge.region),
          .text(names.text(bridge.currency)),
          .text(verdicts.first { $0.bridge == bridge }?.verdict.rawValue ?? ""),
          bridge.shownAmount(of: .salesGross), bridge.shownAmount(of: .financeShare),
          bridge.shownAmount(of: .totalOwed), brief(row[paid]), row[paid + 1], unexplained(bridge),
        ]
      })
  }

  /// Returns the bridges, or halves of bridges, that are missing from the journal, with the reason.
  package func journalNotes() -> [String] {
    let halves: [(Bridge.Line, String)] = [
      (.financeShare, "settlement"), (.totalOwed, "what is owed"),
    ]
    return shownBridges.flatMap { bridge in
      halves.compactMap { line, half in
        guard let entry = bridge.entries(of: line).first, entry.amount == nil else { return nil }
        return "not in the journal: \(bridge.period) \(name(bridge)), \(half): \(entry.cause)"
      }
    }
  }

  /// Returns the differences that are not reconciled, one line each for standard error.
  package func findings() -> [String] {
    reconciliation.findings(tolerance: tolerance).filter { isShown($0.period) }.map {
      "reconcile \(name($0)): error: \(text($0)), \(expectedText) [unreconciled]"
    } + payoutFindings()
  }

  /// The expected difference in words: `expected 0.00`, or the tolerance either way.
  var expectedText: String {
    let most = NumberStyle.money(milliunits: tolerance)
    return tolerance == 0 ? "expected \(most)" : "expected at most \(most) either way"
  }

  func name(_ finding: Reconciliation.Finding) -> String {
    switch finding {
    case .line(let bridge, _): "\(bridge.period) \(name(bridge))"
    case .forms(let check): "\(check.period) \(names.text(check.currency))"
    case .carried(let check): "\(check.period) \(check.region) \(names.text(check.currency))"
    }
  }

  func text(_ finding: Reconciliation.Finding) -> String {
    let money = { (amount: Int128) in NumberStyle.money(milliunits: amount) }
    switch finding {
    case .line(_, let entry):
      let cause = entry.line == .shareDifference ? " (\(entry.cause))" : ""
      return "\(entry.line.name)\(cause): found \(money(entry.amount ?? 0))"
    case .forms(let check):
      return "\(check.forms): found a difference of \(money(check.other - check.counted))"
    case .carried(let check):
      return
        "carried_balance: found \(money((check.found ?? 0) - (check.expected ?? 0))) beyond the \(money(check.expected ?? 0)) left unpaid before"
    }
  }
}

extension Reconciliation.Finding {
  var period: FiscalPeriod {
    switch self {
    case .line(let bridge, _): bridge.period
    case .forms(let check): check.period
    case .carried(let check): check.period
    }
  }
}

/// The verdict on each bridge: METRICS.md section 7, "Verdict".
extension FinanceReport {
  /// Returns `verdicts.csv`.
  package func verdictTable() -> ReportTable {
    ReportTable(
      name: "verdicts", dimensions: [],
      columns: ["period", "region", "currency"].map { .init($0, .key) } + [
        .init("verdict", .text), .init("why", .text),
      ],
      rows: shownVerdicts.map { verdict in
        let bridge = verdict.bridge
        return [
          .text(bridge.period.description), .text(bridge.region),
          .text(names.text(bridge.currency)), .text(verdict.verdict.rawValue), .text(verdict.why),
        ]
      })
  }

  private var shownVerdicts: [BridgeVerdict] { verdicts.filter { isShown($0.bridge.period) } }

  func verdicts(of period: FiscalPeriod) -> [BridgeVerdict] {
    verdicts.filter { $0.bridge.period == period }
  }

  /// Returns one line for standard error for each period with bridges that could not be verified.
  ///
  /// Notes are about bridges that wait for a report that Apple has not made yet. The lines of a period that the user
  /// asked for are errors all the same.
  package func unverified(asked: FiscalPeriod? = nil) -> (errors: [String], notes: [String]) {
    let unverified = shownVerdicts.filter { $0.verdict == .notVerified }
    let isNote = { (verdict: BridgeVerdict) in
      verdict.waits && verdict.bridge.period != asked
    }
    return (lines(unverified.filter { !isNote($0) }), lines(unverified.filter(isNote)))
  }

  /// Returns one line for each period: its bridges, and the missing files or other reasons.
  private func lines(_ verdicts: [BridgeVerdict]) -> [String] {
    Dictionary(grouping: verdicts, by: \.bridge.period).sorted { $0.key < $1.key }
      .map { period, verdicts in
        let reasons = verdicts.flatMap(\.reasons).map { reason in
          reason.missing.map { "no \($0)" } ?? reason.text
        }
        let bridges = verdicts.map { name($0.bridge) }.listed()
        return
          "reconcile \(period): not verified: \(bridges): \(reasons.unique.listed()) [not-verified]"
      }
  }

  /// Returns the name of a bridge within its period, such as `US USD`.
  func name(_ bridge: Bridge) -> String { "\(bridge.region) \(names.text(bridge.currency))" }

  // MARK: Pages

  /// Returns the verdict of a period: the worst of its bridges.
  func verdict(of period: FiscalPeriod) -> Verdict {
    verdicts(of: period).map(\.verdict).min() ?? .notVerified
  }

  /// Returns the first line of a period's page: what agrees, the verdicts, the widest range, and what to download.
  ///
  /// Of a period that is unreconciled the verdicts come first.
  package func headline(_ period: FiscalPeriod) -> String {
    let own = verdicts(of: period)
    var sentences = groups(own).map { verdict, bridges in
      "**\(verdict.rawValue.capitalizedFirst):** \(MarkdownText.escaped(bridges))."
    }
    let isWrong = own.contains { $0.verdict == .unreconciled }
    sentences.insert(agreement(own.map(\.bridge)), at: isWrong ? sentences.count : 0)
    if hasNoSales(period) {
      sentences.append("Sales are not checked: no SALES report of this period.")
    }
    sentences += widestRange(own.map(\.bridge), of: period)
    if let downloads = downloads(own) { sentences.append(downloads) }
    return sentences.joined(separator: " ")
  }

  /// Returns whether no day of a period has a SALES report, so that its settlement was compared with no sales.
  func hasNoSales(_ period: FiscalPeriod) -> Bool {
    !(period.firstDay.number...period.lastDay.number).contains {
      records.salesDays.contains(Day(number: $0))
    }
  }

  /// Returns such as `From the settlement to the amount owed everything agrees: 7 bridges`.
  func agreement(_ bridges: [Bridge]) -> String {
    let balances = carriedBalances
    let failed = balances.filter { $0.state == .failed }
    let compared = bridges.filter { $0.amount(of: .unexplainedPayment) != nil }
    let differing = compared.count { bridge in
      abs(bridge.amount(of: .unexplainedPayment) ?? 0) > tolerance
        || failed.contains {
          $0.period == bridge.period && $0.region == bridge.region
            && $0.currency == bridge.currency
        }
    }
    let causes = bridges.filter { $0.amount(of: .unexplainedPayment) == nil }
      .flatMap { $0.entries(of: .unexplainedPayment).map(\.cause) }.unique.listed()
    let start = "From the settlement to the amount owed"
    let why = causes.isEmpty ? "" : ": \(MarkdownText.escaped(causes))"
    let total = counted(bridges.count, "settlement")
    guard !compared.isEmpty else { return "\(start) nothing could be compared\(why)." }
    let open = bridges.count - compared.count
    // Those of the first period too: no file before it has the balance.
    let unknown = compared.filter { bridge in
      !balances.contains {
        $0.state != .missing && $0.period == bridge.period && $0.region == bridge.region
          && $0.currency == bridge.currency
      }
    }
    let periods = unknown.map(\.period.description).unique.listed()
    let balance =
      unknown.isEmpty
      ? ""
      : " Not checked: the balance carried over into \(periods) (\(counted(unknown.count, "settlement")))."
    guard differing > 0 || open > 0 else {
      let all = unknown.isEmpty ? "everything" : "every other number"
      return "\(start) \(all) agrees: \(total).\(balance)"
    }
    var parts = ["\(compared.count - differing) of \(total) agree"]
    if differing > 0 { parts.append("\(differing) differ\(differing == 1 ? "s" : "")") }
    if open > 0 { parts.append("\(open) could not be compared\(why)") }
    return "\(start) \(parts.joined(separator: ", ")).\(balance)"
  }

  /// The lines that `check` prints about unreconciled periods: the verdicts, and what to download.
  ///
  /// A period is left out if all its bridges are reconciled or wait for a report that Apple has not made yet.
  package var advice: [String] {
    periods.compactMap { period in
      let own = verdicts(of: period)
      guard own.contains(where: { $0.verdict != .reconciled && !$0.waits }) else {
        return nil
      }
      let groups = groups(own).map { "\($0.rawValue): \($1)" }.joined(separator: "; ")
      return (["settlement \(period): \(groups)."] + [downloads(own)].compactMap(\.self))
        .joined(separator: " ")
    }
  }

  /// Returns the verdicts, worst first, each with its bridges: `all`, or `US USD, EU EUR and 2 more`.
  private func groups(_ verdicts: [BridgeVerdict]) -> [(verdict: Verdict, bridges: String)] {
    let groups = Dictionary(grouping: verdicts, by: \.verdict).sorted { $0.key < $1.key }
    return groups.map { verdict, found in
      (verdict, groups.count == 1 ? "all" : found.map { name($0.bridge) }.listed())
    }
  }

  /// Returns the sentence `To download: …`; `nil` when nothing is missing.
  ///
  /// Neighbouring periods without any SALES report are one item: `SALES of 2026-02-01 to 2026-09-26`.
  func downloads(_ verdicts: [BridgeVerdict]) -> String? {
    let reasons = verdicts.flatMap(\.reasons)
    let sales = reasons.compactMap(\.salesOf).unique.sorted().runs { $0 + 1 }
      .map { "SALES of \($0.lowerBound.firstDay) to \($0.upperBound.lastDay)" }
    let items = reasons.flatMap { reason in
      reason.salesOf == nil ? [reason.download].compactMap(\.self) : sales
    }.unique
    return items.isEmpty ? nil : "To download: \(items.joined(separator: "; "))."
  }

  /// Returns sentences on the widest range of an amount, and on estimates without a range.
  private func widestRange(_ bridges: [Bridge], of period: FiscalPeriod) -> [String] {
    var widest: (width: Int128, text: String)?
    for bridge in bridges {
      for entry in bridge.entries {
        guard let low = entry.low, let high = entry.high, high - low > widest?.width ?? 0 else {
          continue
        }
        let currency = names.text(bridge.currency)
        let range = [low, high].map {
          HeadlineFigures.text(.money(milliunits: $0), currency: currency)
        }.joined(separator: " to ")
        let cause = entry.line == .shareDifference ? " (\(entry.cause))" : ""
        let left = entry.line == .unexplainedSales ? " (\(Bridge.outsideRange))" : ""
        widest = (high - low, "`\(entry.line.name)`\(cause) of \(name(bridge)), \(range)\(left)")
      }
    }
    let withoutRange = linesWithoutRange(bridges, of: period)
    guard let widest else {
      return withoutRange.map { [$0] } ?? (hasNoSales(period) ? [] : ["No amount has a range."])
    }
    return ["The widest range is that of \(widest.text)."] + [withoutRange].compactMap(\.self)
  }

  /// Returns a sentence on estimates without a known range; `nil` without any.
  ///
  /// Without any SALES report line 12 has the settled units of the period; another sentence says that sales are not checked.
  private func linesWithoutRange(_ bridges: [Bridge], of period: FiscalPeriod) -> String? {
    guard !hasNoSales(period) else { return nil }
    let found = Set(
      bridges.flatMap(\.entries).filter {
        $0.status == .estimate && $0.low == nil && $0.line != .payment
      }.map(\.line))
    let lines = Bridge.Line.allCases.filter(found.contains).map { "`\($0.name)`" }
    guard !lines.isEmpty else { return nil }
    return "Estimates whose error is not known: \(lines.joined(separator: ", "))."
  }
}
