import Counting
import Rendering
import Settlement
import Storage
package import SubscriptionModel
package import Tables
import UserTables

/// The settlement in brief.
extension FinanceReport {
  /// Returns a table of the money in some bridges, one row each, and a row for the payments to each bank account.
  ///
  /// - Parameters:
  ///   - bridges: The bridges.
  ///   - limit: The number of rows; of more bridges, those with the worst verdicts are shown.
  /// - Returns: The table in Markdown.
  func overview(_ bridges: [Bridge], limit: Int = .max) -> String {
    let shown = bridges.count > limit ? Array(worstFirst(bridges).prefix(limit)) : bridges
    var table = overviewTable(shown)
    table.rows += paymentTotals(bridges, blank: Self.overviewLines.count - 1)
    return TableRenderer(.md).text(of: table)
  }

  /// The lines of a bridge that its overview has.
  private static let overviewLines: [Bridge.Line] = [
    .salesGross, .salesRefunds, .financeShare, .unexplainedSales, .totalOwed,
    .unexplainedPayment, .payment,
  ]

  /// Returns the money in some bridges, one row each.
  func overviewTable(_ bridges: [Bridge]) -> ReportTable {
    ReportTable(
      name: "overview", dimensions: [],
      columns: [.init("region", .key), .init("currency", .key)]
        + Self.overviewLines.map { .init($0.name, .money) } + [.init("bank", .key)],
      rows: bridges.map { bridge in
        let bank = bridge.entries(of: .payment).first?.bankCurrency
        return [.text(bridge.region), .text(names.text(bridge.currency))]
          + Self.overviewLines.map(bridge.shownAmount)
          + [.text(bank.map { names.text($0) } ?? "")]
      })
  }

  /// Returns the bridges of all periods, the newest first, with what nothing explains and the verdict.
  package func periodTable() -> ReportTable {
    let columns: [ReportTable.Column] = [
      .init("period", .key), .init("region", .key), .init("currency", .key),
      .init("finance_share", .money), .init("unexplained_sales", .money),
      .init("total_owed", .money), .init("unexplained_payment", .money), .init("verdict", .text),
    ]
    let lines: [Bridge.Line] = [
      .financeShare, .unexplainedSales, .totalOwed, .unexplainedPayment,
    ]
    let rows = periods.reversed().flatMap { verdicts(of: $0) }.map {
      verdict -> [ReportTable.Cell] in
      let bridge = verdict.bridge
      let keys = [bridge.period.description, bridge.region, names.text(bridge.currency)]
      return keys.map { ReportTable.Cell.text($0) }
        + lines.map(bridge.shownAmount) + [.text(verdict.verdict.rawValue)]
    }
    return ReportTable(name: "periods", dimensions: [], columns: columns, rows: rows)
  }

  /// Returns a row of the overview for each currency in which several bridges are paid to the bank.
  ///
  /// - Parameters:
  ///   - bridges: The bridges.
  ///   - blank: The number of columns in currencies of regions, which are not added up.
  /// - Returns: The rows; none for a currency of one bridge.
  private func paymentTotals(_ bridges: [Bridge], blank: Int) -> [[ReportTable.Cell]] {
    var payments: [String: [Int128]] = [:]
    for entry in bridges.flatMap({ $0.entries(of: .payment) }) {
      guard let amount = entry.amount, let bank = entry.bankCurrency else { continue }
      payments[names.text(bank), default: []].append(amount)
    }
    return payments.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
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

  /// Returns the section of `summary.md`: the newest period, and the problems of all periods.
  ///
  /// - Parameter limit: The number of bridges to show.
  /// - Returns: The section in Markdown; blank without a period.
  func summary(bridges limit: Int) -> String {
    guard let newest = periods.last else { return "" }
    let bridges = reconciliation.bridges.filter { $0.period == newest }
    let pages = periods.map { "`\(Self.pageName($0))`" }.joined(separator: ", ")
    let counts = [Verdict.unreconciled, .notVerified, .reconciled].map { verdict in
      "\(verdicts.count { $0.verdict == verdict }) \(verdict.rawValue)"
    }.joined(separator: ", ")
    let hidden = max(0, bridges.count - limit)
    let problems = problems.map { $0.line + "\n\n" }.joined()
    return """
      ## Settlement

      From Sales and Trends to what Apple settles, owes and pays, by fiscal period, region and \
      currency. Verdicts of \(counted(verdicts.count, "bridge")): \(counts).

      \(problems)Shown is \(newest): \(headline(newest)) \(paymentSentences(newest))

      \(overview(bridges, limit: limit))
      \(hidden > 0 ? "\(counted(hidden, "bridge")) more on the page. " : "")Each period has a page with every line, its cause and its checksums: \(pages). All of it: \
      `reconcile.csv`, `reconcile-by-product.csv`, `verdicts.csv`.

      \(toCome(limit: limit))
      """
  }

  /// Returns what Apple still has to pay, in sentences and a table.
  private func toCome(limit: Int) -> String {
    let sentences = dueSentences().joined(separator: " ")
    var table = toComeTable()
    let hidden = max(0, table.rows.count - limit)
    table.rows = Array(table.rows.prefix(limit))
    let text = TableRenderer(.md).text(of: table.withoutEmptyColumns) + "\n"
    let rows = table.rows.isEmpty ? "" : text
    let more = hidden > 0 ? "\(counted(hidden, "more row")) in `index.html`. " : ""
    return "\(sentences)\n\n\(rows)\(more)Every period: `payments_due.csv`.\n\n"
  }

  /// The name of a period's page, `reconcile-FY2026-P03.md`.
  package static func pageName(_ period: FiscalPeriod) -> String { "reconcile-\(period).md" }

  // MARK: Problems, in words shared by both parts of `summary.md`

  /// The number of periods in a list; more are in `verdicts.csv`.
  private static let shownPeriods = 10

  /// One line for bridges that differ, and one for bridges that could not be compared.
  ///
  /// The newest period is left out if it lacks only reports that Apple has not made yet.
  package var problems: [Problem] {
    [Verdict.unreconciled, .notVerified].compactMap { verdict in
      let found = verdicts.filter { $0.verdict == verdict && !$0.waitsForNextPeriod }
      guard !found.isEmpty else { return nil }
      let word = verdict == .unreconciled ? "Unreconciled" : "Not verified"
      let total = counted(verdicts.count, "bridge")
      let sentences =
        ["\(found.count) of \(total): \(pageList(found))."] + [downloads(found)].compactMap(\.self)
      return Problem(word, sentences.joined(separator: " "))
    }
  }

  /// A line about bridges that wait for a report that Apple has not made yet; `nil` without any.
  var waiting: String? {
    guard let newest = verdicts.last(where: \.waitsForNextPeriod) else { return nil }
    let found = verdicts.filter(\.waitsForNextPeriod)
    let download = newest.reasons.compactMap(\.download).joined(separator: "; ")
    return "Not verified yet: \(counted(found.count, "bridge")) of \(newest.bridge.period); "
      + "they need \(download)."
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
      items.append("all of \(only) (`\(Self.pageName(only))`)")
    } else if !whole.isEmpty {
      items.append("all of \(Self.text(whole))")
    }
    items += parts.prefix(Self.shownPeriods).map { period, found in
      "\(period) \(found.map { name($0.bridge) }.listed()) (`\(Self.pageName(period))`)"
    }
    let rest = parts.count - Self.shownPeriods
    let more = rest > 0 ? " and \(counted(rest, "period")) more (`verdicts.csv`)" : ""
    return items.joined(separator: "; ") + more
  }
}
