import Metrics
import Rendering
import SubscriptionModel

/// The settlement in brief.
extension FinanceReport {
  /// Returns a table of the money in some bridges, one row each.
  func overview(_ bridges: [Bridge]) -> String {
    let lines: [Bridge.Line] = [
      .salesGross, .salesRefunds, .financeShare, .unexplainedSales, .totalOwed,
      .unexplainedPayment, .payment,
    ]
    let table = ReportTable(
      name: "overview", dimensions: [],
      columns: [.init("region", .key), .init("currency", .key)]
        + lines.map { .init($0.name, .money) } + [.init("bank", .key)],
      rows: bridges.map { bridge in
        let bank = bridge.entries(of: .payment).first?.bankCurrency
        return [.text(bridge.region), .text(names.text(bridge.currency))]
          + lines.map { line in
            bridge.amount(of: line).map { .money(milliunits: $0) } ?? .missing
          } + [.text(bank.map { names.text($0) } ?? "")]
      })
    return TableRenderer(.md).text(of: table)
  }

  /// Returns the section of `summary.md`: the newest period, and the problems of all periods.
  func summary() -> String {
    guard let newest = periods.last else { return "" }
    let bridges = reconciliation.bridges.filter { $0.period == newest }
    let pages = periods.map { "`\(Self.pageName($0))`" }.joined(separator: ", ")
    let counts = [Verdict.unreconciled, .notVerified, .reconciled].map { verdict in
      "\(verdicts.count { $0.verdict == verdict }) \(verdict.rawValue)"
    }.joined(separator: ", ")
    let problems = problems.map { $0 + "\n\n" }.joined()
    return """
      ## Settlement

      From Sales and Trends to what Apple settles, owes and pays, by fiscal period, region and \
      currency. Verdicts of \(counted(verdicts.count, "bridge")): \(counts).

      \(problems)Shown is \(newest): \(headline(newest)) \(paymentSentences(newest))

      \(overview(bridges))
      Each period has a page with every line, its cause and its checksums: \(pages). All of it: \
      `reconcile.csv`, `reconcile-by-product.csv`, `verdicts.csv`.


      """
  }

  /// The name of a period's page, `reconcile-FY2026-P03.md`.
  static func pageName(_ period: FiscalPeriod) -> String { "reconcile-\(period).md" }
}
