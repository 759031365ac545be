public import Metrics
import Rendering
public import SubscriptionModel

/// The bridges of a run with what a reader needs beside them: findings, checks and pages.
public struct FinanceReport: Sendable {
  /// The bridges.
  public let reconciliation: Reconciliation
  /// What a line that should be 0 may be, in milliunits of each currency.
  public let tolerance: Int128
  let records: FinanceRecords
  let result: RunResult

  /// Reconciles a run, or returns `nil` when it has no finance file that can be used.
  ///
  /// - Parameters:
  ///   - result: The run.
  ///   - tolerance: What a line that should be 0 may be, in milliunits of each currency.
  public init?(_ result: RunResult, tolerance: Int128 = 0) {
    guard let records = result.finance, records.hasFiles else { return nil }
    self.records = records
    self.result = result
    self.tolerance = tolerance
    reconciliation = Reconciliation(
      records, regions: result.plan.financeRegions, texts: result.names.symbols)
  }

  var names: Names { result.names }

  /// The fiscal periods that have bridges, ascending.
  public var periods: [FiscalPeriod] {
    Set(reconciliation.bridges.map(\.period)).sorted()
  }

  /// Returns `reconcile.csv`.
  ///
  /// - Parameter periods: The periods to show; `nil` for all.
  /// - Returns: The table.
  public func table(_ periods: ClosedRange<FiscalPeriod>? = nil) -> ReportTable {
    reconciliation.table(names, periods: periods)
  }

  /// Returns `reconcile-by-product.csv`.
  ///
  /// - Parameter periods: The periods to show; `nil` for all.
  /// - Returns: The table.
  public func productTable(_ periods: ClosedRange<FiscalPeriod>? = nil) -> ReportTable {
    reconciliation.productTable(names, periods: periods)
  }

  /// What health says of countries and currencies whose region is a guess.
  var healthRows: [[ReportTable.Cell]] {
    reconciliation.guessedRegions.map {
      RunResult.healthRow("finance", note: "no region lists \($0)")
    }
  }

  /// Returns the bridges as a journal for hledger.
  ///
  /// - Parameters:
  ///   - accounts: Where the lines are posted.
  ///   - periods: The periods to post; `nil` for all.
  /// - Returns: The text.
  public func journal(
    _ accounts: JournalAccounts, _ periods: ClosedRange<FiscalPeriod>? = nil
  ) -> String {
    let bridges = reconciliation.bridges.filter { periods?.contains($0.period) != false }
    return HledgerJournal.text(
      bridges.flatMap { $0.transactions(accounts, currency: names.text($0.currency)) }, names)
  }

  /// Returns what is not reconciled, one line each for standard error.
  ///
  /// - Parameter periods: The periods to look at; `nil` for all.
  /// - Returns: None when everything is reconciled.
  public func findings(_ periods: ClosedRange<FiscalPeriod>? = nil) -> [String] {
    lines(reconciliation.findings(tolerance: tolerance), periods) + payoutFindings(periods)
  }

  /// What contradicts itself in the finance files alone, one line each for standard error.
  public var contradictions: [String] {
    let forms = reconciliation.findings(tolerance: tolerance).filter {
      if case .forms = $0 { true } else { false }
    }
    return lines(forms, nil) + payoutFindings(nil)
  }

  private func lines(
    _ findings: [Reconciliation.Finding], _ periods: ClosedRange<FiscalPeriod>?
  ) -> [String] {
    let most = NumberStyle.money(milliunits: tolerance)
    return findings.filter { periods?.contains($0.period) != false }.map { finding in
      "reconcile \(place(finding)): error: \(text(finding)), "
        + "expected at most \(most) either way [unreconciled]"
    }
  }

  func place(_ finding: Reconciliation.Finding) -> String {
    switch finding {
    case .line(let bridge, _): "\(bridge.period) \(bridge.region) \(names.text(bridge.currency))"
    case .forms(let check): "\(check.period) \(names.text(check.currency))"
    }
  }

  func text(_ finding: Reconciliation.Finding) -> String {
    let money = { (amount: Int128) in NumberStyle.money(milliunits: amount) }
    switch finding {
    case .line(_, let entry):
      let found =
        entry.amount.map(money)
        ?? [entry.low, entry.high].compactMap { $0.map(money) }
        .joined(separator: " to ")
      let cause = entry.line == .shareDifference ? " (\(entry.cause))" : ""
      return "\(entry.line.name)\(cause): found \(found)"
    case .forms(let check):
      return
        "\(check.forms): found a difference of \(money(check.other - check.counted))"
    }
  }
}

extension Reconciliation.Finding {
  /// The fiscal period it is about.
  var period: FiscalPeriod {
    switch self {
    case .line(let bridge, _): bridge.period
    case .forms(let check): check.period
    }
  }
}
