import Charts
import Counting
import Pipeline
import Rendering
import Settlement
import Storage
package import SubscriptionModel
package import Tables

/// A settled and paid period in the bank's currency at Apple's own rates: PAGE.md, "Settlement".
struct PaidPeriod: Sendable {
  /// A line of the way from sales to the bank.
  struct Line: Sendable {
    /// The name in `settlement.csv`, such as `refunded`.
    let name: String
    let label: String
    let isTotal: Bool
    let amount: Int128
  }

  let period: FiscalPeriod
  let currency: String
  let lines: [Line]
  /// The settlements of the period that are not in the lines, such as `BR BRL`: not paid, or to another account.
  let others: [String]

  /// What reached the bank.
  var paid: Int128 { lines.last?.amount ?? 0 }

  private static let flows: [(name: String, label: String, lines: [Bridge.Line])] = [
    ("refunded", "Refunded", [.salesRefunds]),
    ("missing_days", "Missing days", [.missingDays]),
    ("other_periods", "Other periods", [.cutoffIn, .cutoffOut, .refundTiming]),
    ("not_collected", "Not collected", [.notCollected]),
    ("another_share", "Another share", [.shareDifference]),
    ("other_region", "Other region", [.otherRegion]),
    ("unexplained", "Unexplained", [.unexplainedSales, .unexplainedPayment]),
    ("taxes", "Taxes", [.inputTax, .withholdingTax]),
    ("adjustments", "Adjustments", [.adjustments]),
    ("carried_over", "Carried over", [.carriedBalance]),
  ]

  /// Converts the bridges of a period that were paid; `nil` without a payment, or where an amount is not known.
  ///
  /// Each line is converted at the bridge's payment for one unit owed, rounded half to even; the line `rounding` has
  /// the rest.
  init?(_ period: FiscalPeriod, _ finance: FinanceReport) {
    let paid = finance.reconciliation.bridges.filter { $0.period == period }.compactMap {
      bridge -> (bridge: Bridge, owed: Int128, payment: Int128, bank: Symbol)? in
      guard let owed = bridge.amount(of: .totalOwed), owed != 0,
        let entry = bridge.entries(of: .payment).first(where: { $0.isPaid && $0.amount != 0 }),
        bridge.entries(of: .payment).count == 1, let payment = entry.amount,
        let bank = entry.bankCurrency
      else { return nil }
      return (bridge, owed, payment, bank)
    }
    let sums = Dictionary(grouping: paid) { finance.names.text($0.bank) }
    let largest = sums.sorted { left, right in
      let totals = [left, right].map { $0.value.reduce(Int128(0)) { $0 + $1.payment } }
      return totals[0] != totals[1] ? totals[0] > totals[1] : left.key < right.key
    }.first
    guard let (currency, own) = largest else { return nil }
    func converted(_ line: Bridge.Line) -> Int128? {
      var sum: Int128 = 0
      for (bridge, owed, payment, _) in own {
        guard let amount = bridge.amount(of: line) else { return nil }
        sum += (amount * payment).dividedHalfToEven(by: owed)
      }
      return sum
    }
    guard let sold = converted(.salesGross) else { return nil }
    let total = own.reduce(Int128(0)) { $0 + $1.payment }
    var lines = [Line(name: "sold", label: "Sold in the period", isTotal: true, amount: sold)]
    for flow in Self.flows {
      let amounts = flow.lines.map(converted)
      guard !amounts.contains(nil) else { return nil }
      let amount = amounts.compactMap(\.self).reduce(0, +)
      if amount != 0 {
        lines.append(Line(name: flow.name, label: flow.label, isTotal: false, amount: amount))
      }
    }
    let rest = total - lines.map(\.amount).reduce(0, +)
    if rest != 0 {
      lines.append(Line(name: "rounding", label: "Rounding", isTotal: false, amount: rest))
    }
    lines.append(Line(name: "paid", label: "Paid to the bank", isTotal: true, amount: total))
    (self.period, self.currency, self.lines) = (period, currency, lines)
    others = finance.reconciliation.bridges.filter { bridge in
      bridge.period == period && bridge.amount(of: .totalOwed) != 0
        && !own.contains { $0.bridge == bridge }
    }.map(finance.name)
  }
}

extension FinanceReport {
  /// The newest period that is reconciled and paid; `nil` without one.
  var newestPaid: PaidPeriod? {
    periods.reversed().lazy.compactMap { period in
      verdict(of: period) == .reconciled ? PaidPeriod(period, self) : nil
    }.first
  }

  /// The period that pages show: the newest verified and paid one, else the newest one; `nil` without any.
  package var shownPeriod: FiscalPeriod? { newestPaid?.period ?? periods.last }

  /// Returns `settlement.csv`: the way of the newest verified and paid period from sales to the bank.
  package func settlementTable() -> ReportTable {
    let paid = newestPaid
    return ReportTable(
      name: "settlement", dimensions: [],
      columns: [
        .init("period", .key), .init("line", .key), .init("amount", .money),
        .init("amount_currency", .key),
      ],
      rows: paid.map { paid in
        paid.lines.map { line in
          [
            .text(paid.period.description), .text(line.name), .money(milliunits: line.amount),
            .text(paid.currency),
          ]
        }
      } ?? [])
  }
}

extension PageContent {
  /// From sales to the bank; `nil` on the page of an app.
  var settlementSection: Section? {
    guard app == nil else { return nil }
    var section = Section(id: "settlement", title: "Settlement", lead: "")
    guard let finance else {
      section.lead =
        "No financial reports are in the input, so no settlement is checked. Add Apple’s Financial reports and payments file, and this section shows the last verified period and what is due."
      return section
    }
    let paid = finance.newestPaid
    section.lead = finance.lead(paid)
    section.figure = paid.map { $0.figure }
    section.side = [finance.dueNext].compactMap(\.self)
    section.fold = Fold(
      summary: "All periods, one page each, files", tables: [finance.allPeriods],
      notes: finance.sectionSentences + finance.dueSentences(),
      files: finance.periods.filter(finance.isShown).flatMap { period in
        [PageFile.ofPeriod(period, "html"), PageFile.ofPeriod(period, "md")]
      }
        + [
          "settlement.csv", "reconcile.csv", "reconcile-by-product.csv", "verdicts.csv",
          "payments_due.csv",
        ],
      command: finance.shownPeriod.flatMap(explainBridge))
    return section
  }
}

extension PaidPeriod {
  /// The waterfall, in the bank's currency.
  var figure: SectionFigure {
    // As they are printed, the lines add up to the last one: what their rounding leaves is a line of its own.
    let smallest: Int128 = CurrencyDecimals.of(currency) == 0 ? 1_000 : 10
    let printed = { (amount: Int128) in amount.dividedHalfToEven(by: smallest) * smallest }
    var shown = lines.filter { $0.name != "rounding" }
    let rest = printed(paid) - shown.dropLast().reduce(0) { $0 + printed($1.amount) }
    if rest != 0 {
      let rounding = Line(name: "rounding", label: "Rounding", isTotal: false, amount: rest)
      shown.insert(rounding, at: shown.count - 1)
    }
    let rows = shown.map { line -> Waterfall.Row in
      let text =
        line.isTotal
        ? PageText.exact(line.amount, currency)
        : (line.amount > 0 ? "+" : "") + PageText.exact(line.amount, currency)
      return Waterfall.Row(
        line.label, line.isTotal ? .stock() : line.name == "unexplained" ? .unexplained : .flow,
        Double(line.amount) / 1_000, text: text)
    }
    let without =
      others.isEmpty ? "" : "without \(others.inWords()), not paid in \(currency)"
    let days =
      "\(PageText.day(period.firstDay, year: period.firstDay.month.year != period.lastDay.month.year)) to \(PageText.day(period.lastDay))"
    return .waterfall(
      "Period \(period) (\(days)), \(currency) at Apple’s own rates", rows, in: "adds",
      out: "takes away", note: without,
      more: without.isEmpty ? "" : " \(without.capitalizedFirst).")
  }
}

extension FinanceReport {
  /// The answer above the bridges on a terminal: the section's sentence, or that of the only period, and what to download.
  package var answer: [String] {
    let shown = periods.filter(isShown)
    if shown.count == 1, let period = shown.first {
      return ["\(period): \(InlineMarkdown.plain(headline(period)))"]
    }
    let paid = newestPaid.flatMap { isShown($0.period) ? $0 : nil }
    return [lead(paid).plain]
      + [downloads(shown.flatMap(verdicts(of:)))].compactMap { $0.map(InlineMarkdown.plain) }
  }

  /// Returns how many of the shown periods are verified, and why the others are not.
  fileprivate func lead(_ paid: PaidPeriod?) -> Phrase {
    let shown = periods.filter(isShown)
    let verified = shown.count { verdict(of: $0) == .reconciled }
    var text: String
    if let paid {
      text =
        "Period \(paid.period) is the last verified and paid one: \(PageText.exact(paid.paid, paid.currency)) \(paid.currency) reached the bank, and nothing is unexplained."
    } else {
      text = "No period is verified and paid yet."
      let newest = shown.reversed().lazy.compactMap { period -> String? in
        let entries = reconciliation.bridges.filter { $0.period == period }
          .flatMap { $0.entries(of: .payment) }
        let amounts = bankAmounts(entries.filter(\.isPaid)).map(InlineMarkdown.plain)
        return amounts.isEmpty
          ? nil : " The newest payment is that of \(period): \(amounts.inWords()) reached the bank."
      }.first
      text += newest ?? ""
    }
    text +=
      " \(verified) of \(PageText.counted(shown.count, "period")) \(verified == 1 || shown.count == 1 ? "is" : "are") verified"
    let wrong = shown.filter { verdict(of: $0) == .unreconciled }
    let lacking = shown.filter { period in
      verdict(of: period) == .notVerified && !verdicts(of: period).allSatisfy(\.waits)
    }
    let waiting = shown.filter { period in
      verdict(of: period) == .notVerified && verdicts(of: period).allSatisfy(\.waits)
    }
    var why: [String] = []
    if !wrong.isEmpty {
      why.append("\(Self.text(wrong)) \(wrong.count == 1 ? "is" : "are") not reconciled")
    }
    let names = lacking.flatMap(verdicts(of:)).flatMap(\.reasons).compactMap(\.missing)
      .map(Self.reportName).unique
    if !lacking.isEmpty {
      why.append(
        names.isEmpty
          ? "\(lacking.count) cannot be compared"
          : "\(lacking.count == shown.count && lacking.count > 1 ? "all" : "\(lacking.count)") lack\(lacking.count == 1 ? "s" : "") \(names.inWords())"
      )
    }
    let hasReason = { (period: FiscalPeriod, isPending: Bool) in
      verdicts(of: period).contains { $0.reasons.contains { $0.isPending == isPending } }
    }
    let waits = [
      (true, false, ("is not paid yet", "are not paid yet")),
      (true, true, ("waits for its payment and", "wait for their payments and")),
      (false, true, ("waits for", "wait for")),
    ]
    for (isPending, lacksNext, words) in waits {
      let own = waiting.filter {
        hasReason($0, true) == isPending && hasReason($0, false) == lacksNext
      }
      if !own.isEmpty {
        let end = lacksNext ? " the next period’s detail" : ""
        why.append("\(Self.text(own)) \(own.count == 1 ? words.0 : words.1)\(end)")
      }
    }
    return Phrase(text + (why.isEmpty ? "." : "; \(why.inWords())."))
  }

  /// Returns the kind of a report to download in words: `Sales reports` for `SALES of 2026-08-30 to 2026-09-26`.
  private static func reportName(_ download: String) -> String {
    switch download.prefix(while: { $0 != " " }) {
    case "SALES": "Sales reports"
    case "FINANCE_DETAIL": "detail reports"
    case "FINANCIAL": "Financial reports"
    case "payments": "payments files"
    default: "reports"
    }
  }

  /// The next payments, by currency and expected day.
  fileprivate var dueNext: SideTable? {
    let due = amountsOwed.filter { $0.isToCome && $0.owed != 0 }
    guard !due.isEmpty else { return nil }
    let days = Array(Set(due.map(\.bridge.period)).sorted().suffix(2))
    let shown = due.filter { days.contains($0.bridge.period) }
    let places = Set(shown.map { "\($0.bridge.region) \(names.text($0.bridge.currency))" }).sorted()
    let isOfSeveral = { (code: String) in
      Set(shown.filter { names.text($0.bridge.currency) == code }.map(\.bridge.region)).count > 1
    }
    let rows = places.map { place -> [SideTable.Cell] in
      let own = shown.filter { "\($0.bridge.region) \(names.text($0.bridge.currency))" == place }
      let code = names.text(own[0].bridge.currency)
      let label = isOfSeveral(code) ? "\(code) (\(own[0].bridge.region))" : code
      return [.text(label)]
        + days.map { period in
          guard let amount = own.first(where: { $0.bridge.period == period }),
            let owed = amount.owed
          else { return .number("") }
          let carried = amount.state == .carriedOver ? " carried" : ""
          return .number(PageText.exact(owed, code) + carried)
        }
    }.sorted { ($0[0].words ?? "") < ($1[0].words ?? "") }
    let rest = rows.count - SideTable.mostRows
    return SideTable(
      title: "Due next",
      headings: [""] + days.map { PageText.shortDay($0.expectedPaymentDay) },
      rows: Array(rows.prefix(SideTable.mostRows)),
      note: rest > 0 ? Phrase("\(rest) more are not shown.") : "")
  }

  var allPeriods: Fold.Table {
    Fold.Table(
      caption: "All periods",
      headings: [("period", false), ("verdict", false), ("expected payment", false)],
      rows: periods.reversed().prefix(ReportData.foldedRows).map { period in
        [
          period.description, verdict(of: period).rawValue,
          PageText.shortDay(period.expectedPaymentDay),
        ]
      })
  }
}
