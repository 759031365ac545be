import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Settlement
import SubscriptionModel
import Tables

extension FinanceReport {
  /// The checks of identities, product sums, forms of the same settlement, carried balances and payout lines.
  var checks: [Check] { identities + products + forms + balanceChecks + payouts + rowChecks }

  /// Lines 10 … 29 add up to 30, and lines 30 … 49 to 50, where the total is known.
  private var identities: [Check] {
    var amounts: [String: [Int: Int128]] = [:]
    var scopes: [String] = []
    // The bridges with an unknown line between 20 and 25, because of a rejected row: their sum is not the total.
    var incomplete: Set<String> = []
    // Without sales the sum is not tested: line 12 takes the whole settlement, so that it always adds up.
    var withoutSales: Set<String> = []
    for row in Reconciliation.table(reconciliation.bridges, names).rows {
      // Cells 1 to 3 are period, region and currency, 4 is the step, 6 the amount.
      let scope = row[1...3].map { $0.words ?? "" }.joined(separator: " ")
      guard let step = row[4].count else { continue }
      guard let milliunits = row[6].milliunits else {
        if (20...25).contains(step) { incomplete.insert(scope) }
        if step == Bridge.Line.salesGross.rawValue { withoutSales.insert(scope) }
        continue
      }
      if amounts[scope] == nil { scopes.append(scope) }
      amounts[scope, default: [:]][step, default: 0] += milliunits
    }
    let sums: [(name: String, steps: ClosedRange<Int>, total: Int)] = [
      ("10 … 29 = 30", 10...29, 30), ("30 … 49 = 50", 30...49, 50),
    ]
    return scopes.flatMap { scope in
      let amounts = amounts[scope, default: [:]]
      return sums.filter {
        amounts[$0.steps.upperBound] != nil && ($0.total != 30 || !incomplete.contains(scope))
      }.map { name, steps, total in
        let sum = amounts.filter { steps.contains($0.key) }.values.reduce(0, +)
        let expected = amounts[total, default: 0]
        let isTested = total != 30 || !withoutSales.contains(scope)
        return Check(
          name: name, scope: scope, expected: .money(milliunits: expected),
          found: isTested ? .money(milliunits: sum) : .missing,
          state: !isTested ? .missing : sum == expected ? .ok : .failed, isOfInput: false)
      }
    }
  }

  /// The sums of two forms of the same settlement are equal.
  private var forms: [Check] {
    reconciliation.formsChecks.map { check in
      Check(
        name: "forms agree",
        scope: "\(check.period) \(names.text(check.currency)): \(check.forms)",
        expected: .money(milliunits: check.counted), found: .money(milliunits: check.other),
        state: !check.isComplete ? .missing : check.differs(tolerance: tolerance) ? .failed : .ok)
    }
  }

  /// For each line, the products add up to the whole.
  private var products: [Check] {
    let products = Dictionary(grouping: reconciliation.productBridges) {
      "\($0.period) \(name($0))"
    }
    return reconciliation.bridges.compactMap { bridge in
      let scope = "\(bridge.period) \(name(bridge))"
      guard let parts = products[scope] else { return nil }
      let lines = Bridge.Line.allCases.filter { line in
        line.rawValue <= 30 && bridge.amount(of: line) != nil
      }
      let equal = lines.count { line in
        let amounts = parts.map { $0.amount(of: line) }
        return !amounts.contains(nil)
          && amounts.compactMap(\.self).reduce(0, +) == bridge.amount(of: line)
      }
      guard !lines.isEmpty else { return nil }
      return Check(
        name: "lines = sum of products", scope: scope, expected: lines.count, found: equal)
    }
  }

  /// The balance carried into a period is the unpaid one of the period before.
  private var balanceChecks: [Check] {
    carriedBalances.map { check in
      let state: Check.State =
        switch check.state {
        case .ok: .ok
        case .failed: .failed
        case .missing: .missing
        }
      return Check(
        name: "carried balance",
        scope: "\(check.period) \(check.region) \(names.text(check.currency))",
        expected: .amount(check.expected), found: .amount(check.found), state: state)
    }
  }

  /// The payout line of each block of a payments file is the sum of its rows.
  private var payouts: [Check] {
    records.payments.filter { !$0.isPending }.flatMap { statement in
      let path = result.files[statement.fileIndex].file.relativePath
      return statement.payouts.map { payout in
        Check(
          name: "payout line",
          scope: statement.payouts.count == 1 ? path : "\(path):\(payout.line)",
          expected: .amount(payout.amount.map { Int128($0) }),
          found: .money(milliunits: statement.paid(payout)),
          state: payout.amount == nil || !statement.rejected.isEmpty
            ? .missing : statement.wrongPayouts.contains(payout) ? .failed : .ok)
      }
    }
  }

  /// A failed check for each contradiction in a row of a payments file; none for what Apple prints.
  private var rowChecks: [Check] {
    contradictions.map {
      Check(
        name: "payments row",
        scope:
          "\(result.files[$0.statement.fileIndex].file.relativePath):\($0.row.line) \($0.found.column)",
        expected: .text($0.found.expected), found: .text($0.found.found), state: .failed)
    }
  }

  /// Returns error lines for payout lines that are not the sum of their rows.
  func payoutFindings() -> [String] {
    records.payments.filter { isShown($0.period) }.flatMap { statement in
      statement.wrongPayouts.map { payout in
        let place = "\(result.files[statement.fileIndex].file.shownPath):\(payout.line)"
        let stated = amount(Int128(payout.amount ?? 0), of: payout)
        let sum = amount(statement.paid(payout), of: payout)
        return
          "\(place): error: found a payout of \(stated), expected \(sum), the sum of Proceeds [wrong-payout]"
      }
    } + contradictionFindings()
  }

  /// Returns error lines for rows of payments files whose numbers do not agree.
  private func contradictionFindings() -> [String] {
    contradictions.filter { isShown($0.statement.period) }.map {
      let place = "\(result.files[$0.statement.fileIndex].file.shownPath):\($0.row.line)"
      return
        "\(place): error: found \($0.found.column) \($0.found.found), expected \($0.found.expected), \($0.found.source) [wrong-payout]"
    }
  }

  /// Returns the file name and the text of each fiscal period's page.
  package func pages() -> [(name: String, text: String)] {
    settlementPages.map { (PageFile.ofPeriod($0.period, "md"), $0.text()) }
  }

  /// The settlements of the shown periods.
  var settlementPages: [SettlementPage] {
    let checks = checks + result.files.flatMap(\.trailerChecks)
    return periods.filter(isShown).map { SettlementPage(self, $0, checks: checks) }
  }
}
