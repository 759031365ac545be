import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Settlement
import Storage
package import SubscriptionModel
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

  var settlementPages: [SettlementPage] {
    let checks = checks + result.files.flatMap(\.trailerChecks)
    return periods.filter(isShown).map { SettlementPage(self, $0, checks: checks) }
  }
}

/// Sentences on payments and carried balances of a period, shared by its page and `summary.md`.
extension FinanceReport {
  /// Returns when Apple pays, or which amounts it does not pay.
  ///
  /// For example `The payments CSV has the payment, which was expected on 2026-04-02.`, or
  /// `Nothing is paid for FY2026-P05: 66.21 USD of US is carried to FY2026-P06.`
  package func paymentSentences(_ period: FiscalPeriod) -> String {
    let bridges = reconciliation.bridges.filter { $0.period == period }
    let payments = bridges.flatMap { $0.entries(of: .payment) }
    let unpaid = bridges.filter { bridge in
      bridge.entries(of: .payment).contains(where: \.isCarriedOver)
        && bridge.amount(of: .totalOwed) != 0
    }
    let isPaid = payments.contains { $0.isPaid && $0.amount != 0 }
    let hasFile = bridges.contains { $0.amount(of: .totalOwed) != nil }
    let day = period.expectedPaymentDay
    let unknown = hasFile ? "" : "; without a payments CSV it is not known whether it came"
    var expected = "Payment is expected on \(day)\(unknown)."
    if isPaid {
      // Of a payout that is not the sum of its rows, the page says that the payment is not known.
      expected =
        wrongPayouts(period).isEmpty
        ? "The payments CSV has the payment, which was expected on \(day)."
        : "Payment was expected on \(day)."
    }
    let moved = amountsOwed.filter { $0.bridge.period == period && $0.isMoved }
    if !moved.isEmpty {
      let isAll = bridges.allSatisfy { bridge in
        bridge.amount(of: .totalOwed) == 0 || moved.contains { $0.bridge == bridge }
      }
      expected =
        isAll
        ? "Nothing is paid for \(period): \(destinations(moved))."
        : "\(expected) Not paid for \(period): \(destinations(moved))."
    }
    guard !unpaid.isEmpty else { return expected }
    let start = isPaid ? "\(expected) Not paid for \(period)" : "Nothing is paid for \(period)"
    return "\(start): \(destinations(unpaid, period).joined(separator: "; "))."
  }

  /// Returns the amounts that only a later payments CSV carries over, with that file's period.
  private func destinations(_ moved: [AmountOwed]) -> String {
    let later = moved.compactMap(\.carriedTo).unique
    return later.map { next in
      let texts = moved.filter { $0.carriedTo == next }.map { amount in
        let carried = amount.carried ?? 0
        let part = carried == amount.owed ? "" : ", of which \(money(carried, amount.bridge))"
        return "\(money(amount.owed ?? 0, amount.bridge)) of \(amount.bridge.region)\(part)"
      }
      let verb = texts.count == 1 ? "is" : "are"
      return
        "\(texts.joined(separator: ", ")) \(verb) carried to \(next), as the payments CSV of \(next) says"
    }.joined(separator: "; ")
  }

  /// Returns what happens to unpaid amounts: carried over, carried over with another amount, or unknown.
  private func destinations(_ unpaid: [Bridge], _ period: FiscalPeriod) -> [String] {
    let next = period + 1
    let balances = carriedBalances.filter {
      $0.period == next
    }
    var carried: [String] = []
    var changed: [String] = []
    var unknown: [String] = []
    for bridge in unpaid {
      let owed = bridge.amount(of: .totalOwed).map { money($0, bridge) } ?? "what is owed"
      let text = "\(owed) of \(bridge.region)"
      let balance = balances.first {
        $0.region == bridge.region && $0.currency == bridge.currency
      }
      switch balance?.state {
      case .ok: carried.append(text)
      case .failed: changed.append("\(text), of which \(money(balance?.found ?? 0, bridge))")
      case .missing, nil: unknown.append(text)
      }
    }
    let verb = { (items: [String]) in items.count == 1 ? "is" : "are" }
    var sentences: [String] = []
    if !carried.isEmpty {
      sentences.append("\(carried.joined(separator: ", ")) \(verb(carried)) carried to \(next)")
    }
    sentences += changed.map { "\($0) is carried to \(next)" }
    if !unknown.isEmpty {
      sentences.append(
        "\(unknown.joined(separator: ", ")) \(verb(unknown)) owed, and no payments CSV of \(next) carries "
          + "\(unknown.count == 1 ? "it" : "them") over")
    }
    return sentences
  }

  /// The shown periods whose payments are in the files but are expected after as-of, in words: files count by the last day
  /// of their period.
  package var paymentsAfterAsOf: [String] {
    guard let asOf = result.plan.asOf else { return [] }
    let paid = Set(
      reconciliation.bridges.filter { bridge in
        bridge.entries(of: .payment).contains { $0.isPaid && $0.amount != 0 }
      }.map(\.period))
    return paid.sorted().filter { isShown($0) && $0.expectedPaymentDay > asOf }.map {
      "the payment of \($0), expected on \($0.expectedPaymentDay), is shown although it is after \(asOf): files of a period count when its last day is not after as-of"
    }
  }

  private func money(_ amount: Int128, _ bridge: Bridge) -> String {
    let currency = names.text(bridge.currency)
    return
      "\(NumberStyle.amount(milliunits: amount, currency: currency)) \(MarkdownText.escaped(currency))"
  }

  /// The contradictions in the rows of all payments CSVs.
  var contradictions:
    [(statement: PaymentsStatement, row: PaymentsRow, found: PaymentsContradiction)]
  {
    records.payments.flatMap { statement in
      statement.rows.flatMap { row in
        row.contradictions(tolerance: tolerance).map { (statement, row, $0) }
      }
    }
  }

  /// Returns the contradictions of a period in words for a page, each with its region and currency.
  func contradictions(_ period: FiscalPeriod) -> [String] {
    contradictions.filter { $0.statement.period == period }.map {
      MarkdownText.escaped("\($0.row.region) \(names.text($0.row.currency)): \($0.found.text)")
    }
  }

  /// Returns a period's payments CSVs whose numbers contradict each other, in a row or in the payout line.
  func contradictoryPayments(_ period: FiscalPeriod) -> [String] {
    let inRows = Set(contradictions.map(\.statement.fileIndex))
    return records.payments.filter {
      $0.period == period && (!$0.wrongPayouts.isEmpty || inRows.contains($0.fileIndex))
    }.map { result.files[$0.fileIndex].file.relativePath }
  }

  /// Returns a period's payout lines that are not the sum of their rows, in words for a page, each with its rows.
  func wrongPayouts(
    _ period: FiscalPeriod
  ) -> [(place: String, stated: String, sum: String, rows: [PaymentsRow])] {
    records.payments.filter { $0.period == period }.flatMap { statement in
      statement.wrongPayouts.map { payout in
        (
          "\(result.files[statement.fileIndex].file.relativePath):\(payout.line)",
          amount(Int128(payout.amount ?? 0), of: payout),
          amount(statement.paid(payout), of: payout), statement.rows(of: payout)
        )
      }
    }
  }

  /// Returns an amount in the currency of a payout, such as `29.80 EUR`.
  func amount(_ milliunits: Int128, of payout: PaymentsStatement.Payout) -> String {
    let currency = names.text(payout.currency)
    return "\(NumberStyle.amount(milliunits: milliunits, currency: currency)) \(currency)"
  }
}
