package import Counting
package import Pipeline
import Rendering
package import Settlement
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
