import Counting
import Pipeline
import Rendering
import Settlement
import Storage
import SubscriptionModel
import Tables

extension FinanceReport {
  /// Returns the money in some bridges, one row each, and the payments to each bank account, in Markdown.
  func overview(_ bridges: [Bridge], limit: Int = .max) -> String {
    let shown = bridges.count > limit ? Array(worstFirst(bridges).prefix(limit)) : bridges
    var table = overviewTable(shown)
    table.rows += paymentTotals(bridges, blank: table.columns.count - 4)
    return TableRenderer(.md).text(of: table)
  }

  /// The column with tax, adjustments and the balance of earlier periods.
  private static let balanceAndTax = ReportTable.Column("balance_and_tax", .money)

  /// The lines of a bridge that its overview has: those up to the settlement, and those after it.
  private static let overviewLines: (sales: [Bridge.Line], owed: [Bridge.Line]) = (
    [.salesGross, .salesRefunds, .financeShare, .unexplainedSales],
    [.totalOwed, .unexplainedPayment]
  )

  func overviewTable(_ bridges: [Bridge]) -> ReportTable {
    let lines = Self.overviewLines
    let key = { (bridge: Bridge) in "\(bridge.period) \(self.name(bridge))" }
    let amounts = Dictionary(grouping: amountsOwed) { key($0.bridge) }
    return ReportTable(
      name: "overview", dimensions: [],
      columns: [.init("region", .key), .init("currency", .key)]
        + lines.sales.map { .init($0.name, .money) } + [Self.balanceAndTax]
        + (lines.owed + [.payment]).map { .init($0.name, .money) } + [.init("bank", .key)],
      rows: bridges.map { bridge in
        let bank = bridge.entries(of: .payment).first?.bankCurrency
        return [.text(bridge.region), .text(names.text(bridge.currency))]
          + lines.sales.map(bridge.shownAmount) + [.amount(bridge.balanceAndTax)]
          + lines.owed.map(bridge.shownAmount)
          + [payment(amounts[key(bridge), default: []]), .text(bank.map { names.text($0) } ?? "")]
      })
  }

  /// Returns the payment of a bridge, or why there is none; of several vendors all of them in words.
  private func payment(_ amounts: [AmountOwed]) -> ReportTable.Cell {
    guard amounts.count > 1 else { return amounts.first.map(payment) ?? .missing }
    let texts = amounts.map { amount in
      let currency = amount.payment.bankCurrency.map { names.text($0) } ?? ""
      return switch payment(amount) {
      case .money(let milliunits):
        "\(NumberStyle.amount(milliunits: milliunits, currency: currency)) \(currency)"
      case .text(let text): text
      default: "not known"
      }
    }
    return .text(texts.joined(separator: "; "))
  }

  private func payment(_ amount: AmountOwed) -> ReportTable.Cell {
    switch amount.state {
    case .due: .text(Bridge.notPaidYet)
    case .carriedOver:
      .text(
        amount.payment.isCarriedOver
          ? causeText(amount.payment, amount.bridge) : amount.isLost ? "not paid" : "carried over")
    default: .amount(amount.payment.amount)
    }
  }

  /// Returns a row for each currency in which several bridges are paid, after `blank` cells of amounts not added up.
  private func paymentTotals(_ bridges: [Bridge], blank: Int) -> [[ReportTable.Cell]] {
    var payments: [String: [Int128]] = [:]
    for entry in bridges.flatMap({ $0.entries(of: .payment) }) where entry.isPaid {
      guard let amount = entry.amount, let bank = entry.bankCurrency else { continue }
      payments[names.text(bank), default: []].append(amount)
    }
    return payments.sorted { $0.key.precedes($1.key) }
      .filter { $0.value.count > 1 }
      .map { bank, amounts in
        [.text("total"), .text("")] + Array(repeating: .missing, count: blank)
          + [.money(milliunits: amounts.reduce(0, +)), .text(bank)]
      }
  }

  /// Returns bridges with the worst verdicts first, else in their order.
  func worstFirst(_ bridges: [Bridge]) -> [Bridge] {
    let names = { (bridge: Bridge) in "\(bridge.period) \(name(bridge))" }
    let verdicts = Dictionary(verdicts.map { (names($0.bridge), $0.verdict) }) { first, _ in first }
    return [Verdict.unreconciled, .notVerified, .reconciled].flatMap { verdict in
      bridges.filter { (verdicts[names($0)] ?? .notVerified) == verdict }
    }
  }

  /// Which bridges agree, and those that differ, in Markdown; for the section on settlements.
  ///
  /// Those that are not verified are in the section on health, with what to download; that the newest period waits for
  /// the next is in its own first line.
  package var sectionSentences: [String] {
    let counts = [Verdict.unreconciled, .notVerified, .reconciled].map { verdict in
      "\(verdicts.count { $0.verdict == verdict }) \(verdict.rawValue)"
    }.joined(separator: ", ")
    let why = problems.isEmpty ? "" : " Why, and what to download: Data health."
    let known = "\(agreement(verdicts.map(\.bridge))) Verdicts: \(counts).\(why)"
    let unchecked = periods.filter(hasNoSales)
    let sales =
      unchecked.isEmpty
      ? nil : "Sales are not checked in \(Self.text(unchecked)): no SALES report."
    return [known] + [sales, paidSentence].compactMap(\.self)
      + problems.filter { $0.kind == Self.unreconciled }.map(\.line)
  }

  // MARK: Problems, in words shared by both parts of `summary.md`

  /// The number of periods in a list; more are in `verdicts.csv`.
  private static let shownPeriods = 10

  private static let unreconciled = "Unreconciled"

  /// One line for bridges that differ, and one for bridges that could not be compared.
  ///
  /// The newest period is left out if it lacks only reports that Apple has not made yet.
  package var problems: [Problem] {
    [Verdict.unreconciled, .notVerified].compactMap { verdict in
      let found = verdicts.filter { $0.verdict == verdict && !$0.waits }
      guard !found.isEmpty else { return nil }
      let word = verdict == .unreconciled ? Self.unreconciled : "Not verified"
      let total = counted(verdicts.count, "settlement")
      let sentences =
        ["\(found.count) of \(total): \(pageList(found))."] + [downloads(found)].compactMap(\.self)
      return Problem(word, sentences.joined(separator: " "))
    }
  }

  /// A line on countries and currencies whose region is a guess; `nil` without any.
  var assumedRegions: Problem? {
    let pairs = reconciliation.guessedRegions
    return pairs.isEmpty
      ? nil
      : Problem(
        "Assumed",
        "no region of Apple's list has these countries and currencies: \(MarkdownText.escaped(pairs.listed())). Their money is in that region's settlement; a list of your own (`--regions`) says where it belongs."
      )
  }

  /// A line about bridges that wait for a report that Apple has not made yet, or for its payment; `nil` without any.
  var waiting: String? {
    let groups = Dictionary(grouping: verdicts.filter(\.waits), by: \.bridge.period)
    let texts = groups.sorted { $0.key < $1.key }.map { period, found in
      let reasons = found.flatMap(\.reasons)
      let downloads = reasons.compactMap(\.download).unique
      let needs = downloads.isEmpty ? [] : ["they need \(downloads.joined(separator: "; "))"]
      let pending = reasons.contains(where: \.isPending) ? ["Apple has not paid yet"] : []
      return "\(counted(found.count, "settlement")) of \(period); "
        + (needs + pending).joined(separator: "; ")
    }
    return texts.isEmpty ? nil : "Not verified yet: \(texts.joined(separator: ". "))."
  }

  /// Returns the periods of some bridges in words.
  ///
  /// Periods with all their bridges come first, such as `all of FY2026-P01 to FY2026-P05`. Then comes each other
  /// period with its bridges and its page, such as ``FY2026-P06 US USD (`reconcile-FY2026-P06.md`)``.
  private func pageList(_ found: [BridgeVerdict]) -> String {
    let groups = Dictionary(grouping: found, by: \.bridge.period).sorted { $0.key < $1.key }
    let whole = groups.filter { $1.count == verdicts(of: $0).count }.map(\.key)
    let parts = groups.filter { !whole.contains($0.key) }
    var items: [String] = []
    if let only = whole.first, whole.count == 1 {
      items.append("all of \(only) (`\(PageFile.ofPeriod(only, "md"))`)")
    } else if !whole.isEmpty {
      items.append("all of \(Self.text(whole))")
    }
    items += parts.prefix(Self.shownPeriods).map { period, found in
      "\(period) \(found.map { name($0.bridge) }.listed()) (`\(PageFile.ofPeriod(period, "md"))`)"
    }
    let rest = parts.count - Self.shownPeriods
    let more = rest > 0 ? " and \(counted(rest, "period")) more (`verdicts.csv`)" : ""
    return items.joined(separator: "; ") + more
  }
}
