import Charts
import Counting
import Pipeline
import Rendering
import Settlement
import Storage
import SubscriptionModel
import Tables

/// The settlement of a period as a page: PAGE.md, "Single figures".
extension SettlementPage {
  /// Returns the page beside those of other periods, oldest first; without any it has all periods in a table.
  func layout(beside others: [FiscalPeriod]) -> PageLayout {
    var layout = PageLayout(
      title: "Settlement of \(period)",
      subtitle:
        "\(PageText.day(period.firstDay)) to \(PageText.day(period.lastDay))\(report.result.settlementTitleEnd)",
      status: status, sections: [wayPart, linesPart, filesPart])
    layout.tiles = [tile].compactMap(\.self)
    if others.isEmpty {
      layout.sections.append(
        Section(
          id: "periods", title: "All periods", lead: "",
          fold: Fold(summary: "Each period with its verdict", tables: [report.allPeriods])))
    } else {
      layout.linksName = "Periods"
      layout.links = [.init(text: "Report", target: PageFile.index)]
      layout.links += [others.last { $0 < period }, period, others.first { $0 > period }]
        .compactMap(\.self).map { other in
          .init(
            text: other.description,
            target: other == period ? nil : PageFile.ofPeriod(other, "html"))
        }
      layout.footer = ["Every number is in a CSV file beside this page."]
      layout.footerFiles = [PageFile.ofPeriod(period, "md"), "reconcile.csv", "verdicts.csv"]
    }
    return layout
  }

  /// Returns a sentence with the lines of a bridge in words, and with minus signs.
  private static func onPage(_ sentence: String) -> String {
    let text = Bridge.Line.allCases.reduce(sentence) { text, line in
      let words = "“\(line.meaning)”"
      let text = text.replacing("`\(line.name)`", with: words)
      // Other names are words of sentences too, such as `payment`.
      return line.name.contains("_")
        ? text.replacing(line.name, with: words)
          .replacing(MarkdownText.escaped(line.name), with: words) : text
    }
    return PageText.withMinus(text)
  }

  /// The most characters of the second line of the status.
  private static let mostDetail = 150

  private var status: Answer.Status {
    let own = report.verdicts(of: period)
    let all = own.count
    let count = { (verdict: Verdict) in own.count { $0.verdict == verdict } }
    var detail = ""
    switch report.verdict(of: period) {
    case .reconciled:
      return .init(
        isComplete: true, headline: "Reconciled: nothing unexplained",
        detail: InlineMarkdown.plain(report.agreement(bridges)))
    case .unreconciled:
      detail = whatToDo().first ?? verdict().first ?? ""
    case .notVerified:
      detail = report.downloads(own) ?? own.lazy.map(\.why).first { !$0.isEmpty } ?? ""
    }
    let isWrong = count(.unreconciled) > 0
    detail = InlineMarkdown.plain(Self.onPage(detail))
    if detail.count > Self.mostDetail { detail = "What is missing, and why, is listed below." }
    let found = isWrong ? count(.unreconciled) : count(.notVerified)
    return .init(
      isComplete: false,
      headline:
        "\(isWrong ? "Not reconciled" : "Not verified"): \(found) of \(PageText.counted(all, "settlement"))",
      detail: detail)
  }

  /// The amount paid to the bank; `nil` without a payment of the period.
  private var tile: Tile? {
    let entries = bridges.flatMap { $0.entries(of: .payment) }
    let paid = Dictionary(grouping: entries.filter(\.isPaid)) {
      $0.bankCurrency.map(names.text) ?? ""
    }.compactMapValues { entries -> Int128? in
      let amounts = entries.map(\.amount)
      return amounts.contains(nil) ? nil : amounts.compactMap(\.self).reduce(0, +)
    }
    let sorted = paid.filter { !$0.key.isEmpty }.sorted {
      ($1.value, $0.key) < ($0.value, $1.key)
    }
    guard let (currency, amount) = sorted.first else { return nil }
    var tile = Tile(label: "Paid to the bank", number: PageText.exact(amount, currency))
    tile.after = currency
    tile.lines =
      sorted.dropFirst().map { Phrase("and \(PageText.exact($0.value, $0.key)) \($0.key)") }
      + [Phrase("planned for \(PageText.day(period.expectedPaymentDay))")]
    return tile
  }

  // MARK: Sections

  private var wayPart: Section {
    var section = Section(
      id: "way", title: "From sales to the bank",
      lead: Phrase(InlineMarkdown.plain(Self.onPage(report.headline(period)))))
    section.figure = PaidPeriod(period, report)?.figure
    section.side = [regions]
    let reasons = verdict() + whatToDo() + payments() + missing()
    let estimates = items(.estimate).map { "Estimated: \($0)" }
    section.fold = Fold(
      summary: "Verdicts, what to do, estimates", notes: (reasons + estimates).map(Self.onPage),
      files: ["reconcile.csv", "verdicts.csv", "payments_due.csv"],
      command: PageCommand(report.result.plan).line(
        "explain", of: "reconcile", "--month \(period)"))
    return section
  }

  /// One row for each region and currency: the amount owed, Apple's rate, the payment.
  private var regions: SideTable {
    let verdicts = report.verdicts(of: period)
    let rows = bridges.map { bridge -> [SideTable.Cell] in
      let code = names.text(bridge.currency)
      let owed = bridge.amount(of: .totalOwed)
      let entries = bridge.entries(of: .payment)
      let entry = entries.count == 1 ? entries.first : nil
      let bank = entry?.bankCurrency.map(names.text) ?? ""
      let paid = entry?.isPaid == true ? entry?.amount : nil
      var rate = ""
      if let owed, owed != 0, let paid, bank != code {
        rate = NumberStyle.rate(paid, over: owed)
      }
      let verdict = verdicts.first { $0.bridge == bridge }?.verdict
      return [
        .name(report.name(bridge), verdict?.rawValue ?? ""),
        .number(owed.map { PageText.exact($0, code) } ?? "not known"), .number(rate),
        .number(
          paid.map { "\(PageText.exact($0, bank)) \(bank)" }
            ?? (entry?.isCarriedOver == true || moved.contains { $0.bridge == bridge }
              ? "carried over" : "not paid yet")),
      ]
    }
    return SideTable(
      title: "Each region and currency", headings: ["", "owed", "rate", "paid"], rows: rows)
  }

  private var linesPart: Section {
    var section = Section(
      id: "lines", title: "Line by line",
      lead: "The lines from sales to the settlement, and from there to what is owed and paid.")
    section.parts = report.worstFirst(bridges).map { bridge in
      let notes = [zeroLines(bridge), unchecked(bridge)].flatMap { text in
        text.split(separator: "\n\n").map(String.init)
      }
      return Fold(
        summary: report.name(bridge),
        tables: [Fold.Table("", lines(bridge).keeping { $0 != "line" })],
        notes: notes.map(Self.onPage))
    }
    return section
  }

  private var filesPart: Section {
    Section(
      id: "files", title: "Files",
      lead: "\(PageText.counted(files.rows.count, "finance file")) of this period.",
      fold: Fold(
        summary: "Files with their checksums, and all checks",
        tables: [Fold.Table("Files", files), Fold.Table("Checks", ownChecks)]))
  }
}

extension FinanceReport {
  /// Returns the pages of the shown periods, oldest first: their file names, and how they are made.
  func layouts(inFolder: Bool) -> [(name: String, layout: @Sendable () -> PageLayout)] {
    let pages = settlementPages
    let periods = pages.map(\.period)
    return pages.map { page in
      (PageFile.ofPeriod(page.period, "html"), { page.layout(beside: inFolder ? periods : []) })
    }
  }

  /// The page of the newest verified period, else of the newest one, as UTF-8; `nil` without a period.
  package var html: [UInt8]? {
    let shown = periods.filter(isShown)
    let newest = shown.last { verdict(of: $0) == .reconciled } ?? shown.last
    return settlementPages.first { $0.period == newest }.map { page in
      ReportPage(page.layout(beside: []), files: []).bytes
    }
  }
}
