import AppStoreReports
import Metrics
import Rendering
public import SubscriptionModel

extension FinanceReport {
  /// The identities of the finished table, the comparisons of Apple's downloads, and payout lines.
  var checks: [Check] { identities + forms + payouts }

  /// 10 … 29 = 30 and 30 … 49 = 50, wherever the line that closes to the sum is known.
  private var identities: [Check] {
    var amounts: [String: [Int: Int128]] = [:]
    var scopes: [String] = []
    for row in table().rows {
      let keys = row[1...3].map { if case .text(let text) = $0 { text } else { "" } }
      let scope = keys.joined(separator: " ")
      guard case .count(let step) = row[4], case .money(let milliunits) = row[6] else { continue }
      if amounts[scope] == nil { scopes.append(scope) }
      amounts[scope, default: [:]][step, default: 0] += milliunits
    }
    let sums: [(name: String, steps: ClosedRange<Int>, total: Int)] = [
      ("10 … 29 = 30", 10...29, 30), ("30 … 49 = 50", 30...49, 50),
    ]
    return scopes.flatMap { scope in
      let amounts = amounts[scope, default: [:]]
      return sums.filter { amounts[$0.steps.upperBound] != nil }.map { name, steps, total in
        let sum = amounts.filter { steps.contains($0.key) }.values.reduce(0, +)
        let expected = amounts[total, default: 0]
        return Check(
          name: name, scope: scope, expected: .money(milliunits: expected),
          found: .money(milliunits: sum), state: sum == expected ? .ok : .failed,
          isOfInput: false)
      }
    }
  }

  private var forms: [Check] {
    reconciliation.formsChecks.map { check in
      Check(
        name: "forms agree",
        scope: "\(check.period) \(names.text(check.currency)): \(check.forms)",
        expected: .money(milliunits: check.counted), found: .money(milliunits: check.other),
        state: abs(check.other - check.counted) <= tolerance ? .ok : .failed)
    }
  }

  private var payouts: [Check] {
    records.payments.filter { !$0.isPending }.map { statement in
      Check(
        name: "payout line", scope: result.files[statement.fileIndex].file.relativePath,
        expected: statement.payout.map { .money(milliunits: Int128($0)) } ?? .missing,
        found: .money(milliunits: statement.paid),
        state: statement.payout == nil ? .missing : statement.isPaidOut ? .ok : .failed)
    }
  }

  /// Payout lines that are not the sum of their rows, as lines for standard error.
  func payoutFindings(_ periods: ClosedRange<FiscalPeriod>?) -> [String] {
    records.payments.filter { periods?.contains($0.period) != false && !$0.isPaidOut }.map {
      let path = result.files[$0.fileIndex].file.shownPath
      let payout = NumberStyle.money(milliunits: Int128($0.payout ?? 0))
      let sum = NumberStyle.money(milliunits: $0.paid)
      return
        "\(path): error: found a payout of \(payout), expected \(sum), the sum of Proceeds [wrong-payout]"
    }
  }

  /// Returns the page of each fiscal period.
  ///
  /// - Parameter periods: The periods to show; `nil` for all.
  /// - Returns: Each page's file name and its text.
  public func pages(
    _ periods: ClosedRange<FiscalPeriod>? = nil
  ) -> [(name: String, text: String)] {
    let checks = checks + result.files.flatMap(\.trailerChecks)
    return self.periods.filter { periods?.contains($0) != false }.map { period in
      (Self.pageName(period), SettlementPage(self, period, checks: checks).text())
    }
  }
}

extension PaymentsStatement {
  /// The sum of what the rows above the payout threshold pay.
  fileprivate var paid: Int128 {
    rows.filter { !$0.isBelowThreshold }.compactMap(\.proceeds).reduce(0) { $0 + Int128($1) }
  }

  /// Whether the payout line, where there is one, is that sum.
  fileprivate var isPaidOut: Bool {
    isPending || payout.map { Int128($0) == paid } != false
  }
}
