import Counting
import Pipeline
import Rendering
import SubscriptionModel
import Tables

extension IndexPage {
  /// The currencies with figures of their own: those with most charges in the headline month.
  private static let shownCurrencies = 3

  // MARK: Refunds

  /// The refunds by month of the sale, and how they grow with the months since.
  var refundsSection: PageSection? {
    guard let (source, rows) = content.table(of: .refunds, months: detail.months) else {
      return nil
    }
    return PageSection("refunds", "Refunds") { page in
      page.paragraph(markdown: content.monthWithoutRows(.refunds, source))
      if let delays = tables.refundDelays {
        append(delays: delays, source, to: &page)
      } else {
        for currency in currencies(.refunds, source) {
          var frame = frame(.refunds, source)
          frame.titleEnd = ": \(Figures.name(currency))\(frame.titleEnd)"
          let own = rows.filtered("currency") { $0 == currency }
          append(
            Figures.rate(
              "refunds-\(currency)", "Refund rate", "refund_rate", own, frame), to: &page)
        }
      }
      page.paragraph(
        markdown: content.refundsOfEarlierSales(source), linking: files, class: "note")
      appendExplanation(.refunds, source, of: "a currency's refund rate", to: &page)
    }
  }

  /// Writes the command that explains the number of the currency with most charges; nothing without one.
  private func appendExplanation(
    _ kind: TableKind, _ source: Source, of words: String, to page: inout HTMLWriter
  ) {
    append(explanation: content.explainCommand(kind, source, appID: appID), of: words, to: &page)
  }

  /// Writes the command that explains a number; nothing without one.
  func append(explanation command: String?, of words: String, to page: inout HTMLWriter) {
    guard let command else { return }
    page.element(.p, [.class: "origin"]) { page in
      page.text("Explain \(words): ")
      page.element(.code, [.use: "copy"], text: command)
    }
  }

  private func append(
    delays: ReportTable, _ preferred: Source, to page: inout HTMLWriter
  ) {
    let ofMonths = content.rows(of: delays, lastMonths: detail.months)
    let sources = Set(ofMonths.namedRows.map(\.source))
    let order = [preferred] + (content.headlines?.sourceOrder ?? [])
    guard let source = order.first(where: { sources.contains($0.rawValue) }) else {
      page.element(.p, [.class: "note"], text: "No source says when a charge was refunded.")
      return
    }
    let rows = ofMonths.filtered("source") { $0 == source.rawValue }.keeping { $0 != "source" }
    let frame = FigureFrame(
      months: months, events: content.events, states: refundStates(source),
      titleEnd: titleEnd(source), files: ["refund_delays.csv"].filter(files.contains))
    append(Figures.refunds(rows, frame), to: &page)
    if let triangle = Figures.refundTriangle(rows, frame) { append(triangle, to: &page) }
    page.paragraph(
      markdown:
        "States in the triangle and in `refund_delays.csv` are of refunds within so many months; the refund rate can change until 60 days after the month's end.",
      linking: files, class: "note")
  }

  /// Returns the state of each month's refund rate: the worst of all currencies, as the headline number has it.
  private func refundStates(_ source: Source) -> [Month: String] {
    guard let whole = content.tables[.refunds]?.first(where: \.dimensions.isEmpty) else {
      return [:]
    }
    // From the worst to the best.
    let states = ["partial", "provisional", "final"]
    let rank = { (state: String) in states.firstIndex(of: state) ?? states.count }
    var found: [Month: String] = [:]
    for row in whole.namedRows where row.text("dating") == "sale" {
      guard row.source == source.rawValue, let month = months.month(named: row.text("month"))
      else { continue }
      let state = row.text("state")
      if rank(state) < found[month].map(rank) ?? .max { found[month] = state }
    }
    return found
  }

  /// Returns the currencies of a table with most charges in the headline month.
  private func currencies(_ kind: TableKind, _ source: Source) -> [String] {
    guard let whole = content.tables[kind]?.first(where: \.dimensions.isEmpty) else { return [] }
    let own = whole.filtered("source") { $0 == source.rawValue }
    let ofMonth = content.currencies(of: own)
    let all = ofMonth.isEmpty ? own.mainCurrencies(limit: Self.shownCurrencies) : ofMonth
    return Array(all.prefix(Self.shownCurrencies))
  }

  // MARK: Proceeds

  /// The proceeds by month and currency, the parts of the largest currency in the headline month, and what customers
  /// still owe under commitments.
  var proceedsSection: PageSection? {
    let owed = OwedInstalments(content, currencies: Self.owedCurrencies)
    guard let (source, rows) = content.table(of: .proceeds, months: detail.months) else {
      guard let owed else { return nil }
      return PageSection("proceeds", "Proceeds") { page in
        page.element(.p, text: "Not known: no source of the input says what you are paid.")
        append(owed, to: &page)
      }
    }
    let currencies = currencies(.proceeds, source)
    return PageSection("proceeds", "Proceeds") { page in
      page.paragraph(markdown: content.monthWithoutRows(.proceeds, source))
      page.element(.p, text: "Refunds are taken off in the month of the refund. \(ofCurrencies)")
      page.paragraph(markdown: content.proceedsOfSales, linking: files)
      for currency in currencies {
        var frame = frame(.proceeds, source)
        frame.explanation = content.explainCommand(
          .proceeds, source, currency: currency, appID: appID)
        // The figure of the first currency has the same command.
        if currency != currencies.first, frame.explanation != nil { frame.command = nil }
        frame.titleEnd = ": \(Figures.name(currency))\(frame.titleEnd)"
        let own = rows.filtered("currency") { $0 == currency }
        append(Figures.proceeds(own, currency, frame), to: &page)
      }
      if let main = currencies.first, content.app == nil {
        for dimension in [Dimension.product, .country] {
          appendParts(by: dimension, source, main, to: &page)
        }
      }
      let more = content.rows(of: rows, lastMonths: 1).currencyCount - currencies.count
      if more > 0 {
        page.paragraph(
          markdown: "\(more) more \(more == 1 ? "currency" : "currencies"): `proceeds.csv`.",
          linking: files, class: "note")
      }
      if let owed {
        append(owed, to: &page)
      } else {
        page.paragraph(markdown: content.commitmentsNotShown)
      }
    }
  }

  /// The most currencies of what customers still owe.
  private static let owedCurrencies = 10

  private func append(_ owed: OwedInstalments, to page: inout HTMLWriter) {
    page.element(.h3, text: "Instalments to come")
    page.paragraph(markdown: owed.caption)
    append(owed.table, "Instalments to come", to: &page)
    page.paragraph(markdown: owed.notes, linking: files, class: "note")
    appendExplanation(
      .commitments, owed.source, of: "the instalments of a currency", to: &page)
  }

  private var ofCurrencies: String {
    guard let target = content.target else { return "Currencies are never added up." }
    return "The files also have each amount converted to \(target)."
  }

  private func appendParts(
    by dimension: Dimension, _ source: Source, _ currency: String, to page: inout HTMLWriter
  ) {
    let name = dimension.rawValue
    guard let month = content.headlines?.month,
      let view = content.tables[.proceeds]?.first(where: { $0.dimensions == [name] })
    else { return }
    let compared = view.filtered("source") { $0 == source.rawValue }
      .filtered("currency") { $0 == currency }
      .addingChanges(.previous, months) { content.result.lacksDays($0, $1) }
    let rows = content.rows(of: compared, lastMonths: 1).keeping { $0 != "source" && $0 != "month" }
    guard !rows.rows.isEmpty else { return }
    var frame = frame(
      .proceeds, source, options: "--by \(name) --month \(months.name(month)) --against previous")
    frame.files = ["proceeds-by-\(name).csv"].filter(files.contains)
    append(
      Figures.parts(
        by: name, rows, currency, month: month.longName(months), frame), to: &page)
  }
}
