import Charts
import Counting
import Pipeline
import PriceImpact
import Rendering
import Settlement
import Storage
import SubscriptionModel
import Tables

/// Money, price increases and settlement.
extension ReportData {
  // MARK: Money

  var moneySection: Section? {
    guard let currency = mainCurrency, let value = value(.netProceeds, currency) else { return nil }
    var section = Section(id: "money", title: "Money", lead: moneyLead(value, currency))
    let points = maker.history(of: value, months: Self.lineMonths)
    let first = points.first { $0.standing != .noData && $0.value != .missing }?.month ?? month
    let shown = points.filter { $0.month >= first }
    let columns = shown.map { point -> TimePlot.Month in
      let label = label(point.month)
      let amount = point.value.milliunits
      return TimePlot.Month(
        label.short, year: label.year,
        amount.map { .column([TimePlot.Part(Double($0) / 1_000, .level)]) },
        state: point.standing == .noData
          ? .noData : point.standing == .incomplete ? .incomplete : .settled,
        text: amount.map { PageText.count(Int($0.dividedHalfToEven(by: 1_000))) } ?? "",
        title:
          "\(PageText.long(point.month, months)): \(amount.map { PageText.amount($0, currency) } ?? "no data")"
      )
    }
    let isConverted = self.content.target != nil
    section.figure = SectionFigure(
      caption:
        "Net proceeds by month, \(currency)\(isConverted ? ", all currencies converted" : currencies.count > 1 ? ", the currency with the most charges" : "")",
      legend: [.init(mark: "", text: "after Apple’s share and refunds")],
      description: amountWords(shown, currency),
      picture: .chart(
        TimePlot(columns, .amount(decimals: CurrencyDecimals.of(currency)), height: 240)))
    section.side = [byCurrency(value)].compactMap(\.self)
    let owed = OwedInstalments(self.content, currencies: SideTable.mostRows)
    let tables: [Fold.Table?] = [
      monthTable(shown, currency), moneyParts(value, currency, by: .product),
      moneyParts(value, currency, by: .country),
    ]
    let later: [Fold.Table?] = [
      revenueByCurrency, lifetimeTable,
      owed.map { Fold.Table("Owed under commitments", $0.table) },
    ]
    let revenueNotes = revenueNotes
    section.fold = Fold(
      summary: "Numbers, by product and country, files",
      tables: (tables + revenueTables + later).compactMap(\.self),
      notes: revenueNotes.map(Self.inPageWords),
      textNotes: revenueNotes,
      endNotes: owed.map { [$0.caption, $0.notes] } ?? [],
      files: files([
        "proceeds.csv", "proceeds-by-country.csv", "proceeds-by-product.csv",
        "recurring.csv", "lifetime.csv", "commitments.csv",
      ]), command: self.content.explainCommand(.proceeds, value.source))
    // The command converts no money.
    if let target = self.content.target,
      let code = chargedCurrencies(.proceeds, value.source, month).first, code != target
    {
      section.fold?.part = code
    }
    return section
  }

  /// The net proceeds of each month, newest first.
  private func monthTable(_ points: [HeadlinePoint], _ currency: String) -> Fold.Table? {
    let rows = points.suffix(13).reversed().compactMap { point -> [String]? in
      guard let amount = point.value.milliunits else { return nil }
      return [
        PageText.long(point.month, months), PageText.amount(amount, currency),
        AnswerLines.words(point.standing),
      ]
    }
    return Fold.Table(
      caption: "Net proceeds by month, \(currency)",
      headings: [("month", false), ("net proceeds", true), ("state", false)], rows: rows
    ).withoutEmptyColumns
  }

  private func amountWords(_ points: [HeadlinePoint], _ currency: String) -> String {
    let known = points.compactMap { point in point.value.milliunits.map { (point.month, $0) } }
    guard let last = known.last, let first = known.first else { return "No amount is known." }
    return
      "From \(PageText.amount(first.1, currency)) \(currency) in \(PageText.long(first.0, months)) to \(PageText.amount(last.1, currency)) \(currency) in \(PageText.long(last.0, months))."
  }

  private func moneyLead(_ value: HeadlineValue, _ currency: String) -> Phrase {
    guard let now = value.value.milliunits else {
      return "Net proceeds of \(name(month)) are not known."
    }
    let amount = "\(PageText.amount(now, currency)) \(currency)"
    var change = ""
    if let then = value.before.today.milliunits, let share = PageText.change(now, since: then) {
      change =
        now == then
        ? "as much as in \(name(month - 1))"
        : "\(share) \(now > then ? "more" : "less") than in \(name(month - 1))"
    }
    let isSoFar = !standing(value).isCompared
    if content.target != nil || currencies.count == 1 {
      let end = change.isEmpty ? "" : ", \(change)"
      let converted = content.target == nil ? "" : " Each month is converted at its own rates."
      return
        "\(amount) \(isSoFar ? "so far " : "")were left after Apple’s share and refunds\(end).\(converted)"
    }
    let changes = currencies.compactMap { code -> Int128? in
      guard let value = self.value(.netProceeds, code), let now = value.value.milliunits else {
        return nil
      }
      return value.before.today.milliunits.map { now - $0 }
    }
    if changes.isEmpty {
      return
        "Net proceeds came in \(currencies.count) currencies; in \(currency) \(PageText.amount(now, currency))."
    }
    let rising = changes.count { $0 > 0 }
    let start = Self.risen(rising, fallen: changes.count { $0 < 0 }, of: changes.count)
    guard let then = value.before.today.milliunits else { return Phrase(start + ".") }
    let share = PageText.change(now, since: then).map { " by \($0)" } ?? ""
    let verb = now < then && rising > 0 ? " they fell" : ""
    return "\(start); in \(currency)\(verb)\(share) to \(PageText.amount(now, currency))."
  }

  /// Returns in how many currencies net proceeds rose: `Net proceeds rose in 4 of 7 currencies`.
  static func risen(_ rising: Int, fallen falling: Int, of all: Int) -> String {
    let verb =
      rising == all
      ? "rose in all"
      : falling == all ? "fell in all" : "rose in \(rising == 0 ? "none" : "\(rising)") of"
    return "Net proceeds \(verb) \(all) currencies"
  }

  /// The amounts of one currency in the last months.
  private struct OfCurrency {
    let code: String
    let amounts: [Int128?]
    let isCompared: Bool
  }

  /// Returns the amounts of each currency, with a line, and how they changed.
  private func byCurrency(_ value: HeadlineValue) -> SideTable? {
    let all: [OfCurrency]
    if content.target == nil {
      all = currencies.compactMap { code in
        self.value(.netProceeds, code).map { value in
          let points = maker.history(of: value, months: 13)
          return OfCurrency(
            code: code,
            amounts: points.map(\.value.milliunits),
            isCompared: points.suffix(2).allSatisfy { $0.standing.isCompared })
        }
      }
    } else {
      all = unconverted(value.source)
    }
    guard all.count > 1 else { return nil }
    let rows = all.prefix(SideTable.mostRows).map { own -> [SideTable.Cell] in
      let (code, amounts) = (own.code, own.amounts)
      let (now, then) = (amounts.last ?? nil, amounts.dropLast().last ?? nil)
      var change = SideTable.Cell.number("")
      if own.isCompared, let now, let then, let share = PageText.change(now, since: then) {
        let tone = Tone(Double(now - then), isGoodUp: true)
        change = .change(tone == .flat ? "0%" : "\(now > then ? "▲" : "▼") \(share)", tone)
      }
      return [
        .text(code), .line(amounts.map { $0.map { Double($0) } }, .settled),
        .number(now.map { PageText.amount($0, code) } ?? ""), change,
      ]
    }
    let rest = all.count - rows.count
    return SideTable(
      title: "By currency",
      headings: [
        "", PageText.counted(min(13, (month - firstMonth) + 1), "month"), name(month),
        "than \(name(month - 1))",
      ],
      rows: rows,
      note: rest > 0
        ? Phrase("\(PageText.moreCurrencies(rest)) are not shown.")
        : "")
  }

  /// Returns the amounts of each currency before their conversion.
  private func unconverted(_ source: Source) -> [OfCurrency] {
    let own = rows(.proceeds, source)
    let shown = lastMonths(13, from: firstMonth)
    let sizes = own.filter { month(of: $0) == month }.reduce(into: [String: Int]()) {
      $0[$1.currency, default: 0] += $1[.charges] ?? 0
    }
    let codes = sizes.keys.filter { !$0.isEmpty }.sorted {
      (sizes[$1] ?? 0, $0) < (sizes[$0] ?? 0, $1)
    }
    let isCompared = report(source).map { report in
      [month, month - 1].allSatisfy {
        maker.standing(.netProceeds, report, in: $0).isCompared
      }
    }
    return codes.map { code in
      let byMonth = Dictionary(
        own.filter { $0.currency == code }.map { ($0.text("month"), $0.money(.netProceeds)) }
      ) { first, _ in first }
      return OfCurrency(
        code: code, amounts: shown.map { byMonth[months.name($0)] ?? nil },
        isCompared: isCompared ?? false)
    }
  }

  private func moneyParts(
    _ value: HeadlineValue, _ currency: String, by dimension: Dimension
  ) -> Fold.Table? {
    let parts = (content.drivers?.rows ?? []).filter {
      $0.headline == .netProceeds && $0.split == .of(dimension) && $0.currency == currency
        && $0.against == $0.month - 1
    }
    guard parts.count > 1 else { return nil }
    let amount = { (cell: ReportTable.Cell) in cell.milliunits ?? 0 }
    let sorted = parts.sorted { amount($0.cell("after")) > amount($1.cell("after")) }
    return Fold.Table(
      "By \(dimension.words), \(currency)", by: dimension.words,
      numbers: [name(month), name(month - 1), "change"],
      rows: sorted.prefix(Self.foldedRows).map { part in
        [
          part.shownValue, PageText.amount(amount(part.cell("after")), currency),
          PageText.amount(amount(part.cell("before")), currency),
          PageText.signedAmount(amount(part.total), currency),
        ]
      })
  }

  // MARK: Price increases

  private static let mostIncreases = 10

  var pricesSection: Section? {
    guard content.app == nil, let prices = content.prices else { return nil }
    var section = Section(id: "prices", title: "Price increases", lead: "")
    let overview = prices.overview
    let measured = overview.measured
    guard !overview.impacts.isEmpty else {
      section.lead = Phrase(prices.noIncrease.lead)
      section.fold = Fold(
        summary: "Why, and what looks like one", notes: [prices.noIncrease.text],
        files: files(["price_changes.csv"]))
      return section
    }
    section.fold = Fold(
      summary: "Each increase in full, files",
      notes: prices.shown.prefix(Self.mostIncreases).map { impact in
        let own = ImpactSection(impact: impact, names: prices.names)
        return "**\(own.title).** \(pricesLead(impact).markdown)"
      } + [prices.noIncrease.besides].filter { !$0.isEmpty },
      files: files([
        "price_impact.md", "price_impact.csv", "price_impact-months.csv", "price_changes.csv",
      ]))
    let rises = prices.noIncrease.besidesLead
    let also = Phrase(rises.isEmpty ? "" : " \(rises)")
    let single = Self.distinct(overview.impacts.filter { !$0.isPooled }, prices.names)
    let largest = measured.first { !$0.isPooled } ?? measured.first
    // The increase of the sentence.
    section.fold?.command =
      ([largest].compactMap(\.self) + prices.shown).lazy
      .compactMap { content.explainComparison($0) }.first
    guard let largest else {
      let met = single.reduce(0) { $0 + $1.exposed }
      let count = NumberWord.text(single.count).capitalizedFirst
      let own = single.count == 1 ? single.first : nil
      let which = own.map { impact -> String in
        let section = ImpactSection(impact: impact, names: prices.names)
        return " (\(section.product), \(section.places))"
      }
      section.lead =
        Phrase(
          "\(count) \(single.count == 1 ? "increase\(which ?? "") is" : "increases are") in the data, and \(PageText.counted(met, "subscriber")) \(met == 1 ? "has" : "have") met \(single.count == 1 ? "it" : "them"): too few to tell what \(single.count == 1 ? "it" : "they") did (\(Self.fewest) are needed)."
        ) + also
      return section
    }
    section.lead = pricesLead(largest) + also
    let rows = measured.prefix(Self.mostIncreases).map { impact -> IntervalRows.Row in
      let own = ImpactSection(impact: impact, names: prices.names)
      let loss = impact.comparison.observedLoss
      return IntervalRows.Row(
        "\(own.product), \(own.places)", loss?.value, low: loss?.low, high: loss?.high,
        text: loss.map { PageText.percent($0.value) } ?? "", mark: impact.breakEven?.loss,
        markText: impact.breakEven.map { "break-even \(PageText.percent($0.loss))" } ?? "")
    }
    section.figure = .lostRenewals(Array(rows))
    section.side = [increases(single, prices.names)]
    return section
  }

  /// Returns increases, each once however many sources have it.
  private static func distinct(_ impacts: [PriceImpact], _ names: Names) -> [PriceImpact] {
    var seen: Set<String> = []
    return impacts.filter { seen.insert(ImpactSection(impact: $0, names: names).title).inserted }
  }

  private func pricesLead(_ impact: PriceImpact) -> Phrase {
    let section = ImpactSection(impact: impact, names: result.names)
    let product = section.product
    var price = ""
    if !impact.isPooled, let new = impact.changes[0].newPrice {
      let currency = result.names.text(impact.changes[0].key.currency)
      price = "\(PageText.exact(Int128(new), currency)) \(currency) for \(product)"
    } else {
      price = "the increases of \(product)"
    }
    let met = "\(PageText.count(impact.exposed)) met it"
    guard let loss = impact.comparison.observedLoss else {
      return Phrase("What \(price) did cannot be told: \(met), and \(section.shortVerdict).")
    }
    let lost = "\(PageText.percent(loss.value)) were lost"
    let interval = PageText.interval(loss.low, loss.high)
    guard let breakEven = impact.breakEven?.loss else {
      return Phrase("\(price.capitalizedFirst): \(met), and \(lost) because of it (\(interval)).")
    }
    let limit = "up to \(PageText.percent(breakEven)) would be made up for"
    if loss.high < breakEven {
      return
        "\(price.capitalizedFirst) paid off: \(met), \(lost), and \(limit); the whole interval (\(interval)) is below."
    }
    if loss.low > breakEven {
      return
        "\(price.capitalizedFirst) did not pay off: \(met), \(lost), and \(limit); the whole interval (\(interval)) is above."
    }
    return
      "Whether \(price) paid off cannot be told yet: \(met), \(lost), and \(limit); the interval (\(interval)) holds both."
  }

  private func increases(_ all: [PriceImpact], _ names: Names) -> SideTable {
    let sorted = all.sorted { $0.effective > $1.effective }
    let rows = sorted.prefix(SideTable.mostRows).map { impact -> [SideTable.Cell] in
      let section = ImpactSection(impact: impact, names: names)
      return [
        .name(
          "\(section.product), \(section.places)", "from \(PageText.shortDay(impact.effective))"),
        .number(section.prices), .number(PageText.count(impact.exposed)),
      ]
    }
    let few = sorted.filter { $0.comparison.verdict == .tooFew }.count
    let rest = sorted.count - rows.count
    let more = rest > 0 ? "\(PageText.counted(rest, "more increase")) are not shown. " : ""
    return SideTable(
      title: "All increases", headings: ["", "price", "met it"], rows: rows,
      note: Phrase(
        more
          + (few > 0
            ? "\(PageText.count(few)) \(few == 1 ? "has" : "have") too few renewals to tell (\(Self.fewest) are needed)."
            : "")))
  }
}
