import Charts
import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Retention, trials and refunds.
extension ReportData {
  // MARK: Retention

  /// The payments in the sentence and the side table.
  private static let namedPayments = [1, 3, 6, 12]
  /// The fewest at risk of a cell.
  private static let fewestAtRisk = 10
  /// The most starts and payments of the grid.
  private static let (mostStarts, mostPayments) = (8, 12)

  /// The curve of one length of plan.
  private struct Curve {
    let duration: String
    let rows: [Row]

    var people: Int { at(1)?[.atRisk] ?? 0 }

    func at(_ k: Int) -> Row? { rows.first { $0[.k] == k } }
  }

  /// Returns the curve of each length of plan, that of most people first.
  private func curves(_ source: Source) -> [Curve] {
    let rows = rows(.retention, source, by: [.duration])
    let names = Set<ExactText>(of: rows.map { $0.text("duration") }).inOrder
    let all = names.map { name in
      Curve(duration: name, rows: rows.filter { $0.text("duration").isSame(as: name) })
    }
    return all.sorted { ($1.people, $0.duration) < ($0.people, $1.duration) }
  }

  /// Returns a length of plan in words, such as `monthly` for `1 Month`.
  static func words(ofDuration duration: String) -> String {
    switch duration {
    case "7 Days", "1 Week": "weekly"
    case "1 Month": "monthly"
    case "2 Months": "two-month"
    case "3 Months": "quarterly"
    case "6 Months": "half-yearly"
    case "1 Year": "yearly"
    default: duration
    }
  }

  var retentionSection: Section? {
    guard let source = content.retentionSource else { return nil }
    let curves = curves(source).filter { $0.people > 0 }
    var section = Section(id: "retention", title: "Retention", lead: "")
    let whole = curves.first ?? Curve(duration: "", rows: rows(.retention, source))
    guard whole.people >= Self.fewest else {
      section.lead =
        "\(PageText.counted(whole.people, "person", "people")) began in the data; \(Self.fewest) are needed to say how many stay."
      section.fold = retentionFold(source, curves)
      return section
    }
    section.lead = retentionLead(whole, source)
    section.figure = grid(whole, source)
    section.side = [byLength(curves)].compactMap(\.self)
    section.fold = retentionFold(source, curves)
    return section
  }

  private func retentionLead(_ curve: Curve, _ source: Source) -> Phrase {
    let known = Self.namedPayments.compactMap { k -> String? in
      guard let row = curve.at(k), row[.atRisk] ?? 0 >= Self.fewest,
        let share = row.fraction(.survival)
      else { return nil }
      let number = Int((share * 100).rounded(.toNearestOrEven))
      let ordinals = [1: "first", 3: "third", 6: "sixth", 12: "twelfth"]
      return
        "\(number)\(k == 1 ? " stay" : "") after the \(ordinals[k] ?? "")\(k == 1 ? " payment" : "")"
    }
    let plan =
      curve.duration.isEmpty ? "any plan" : "a \(Self.words(ofDuration: curve.duration)) plan"
    // Receipts know all payments; event reports count each payment of all who are there, whenever they began.
    let first =
      source == .subscribers ? " since \(PageText.long(firstStart(source), months))" : ""
    var text = "Of 100 who began \(plan)\(first), \(known.inWords())."
    if source.hasLeftEdge {
      let first = report(source)?.completeness.firstMonth ?? month
      let lost = (0...max(0, month - first)).map { first + $0 }
        .filter { report(source)?.completeness.isWithoutFiles($0) == true }
      text += " Earlier starts are left out: their first payments were not seen"
      text +=
        lost.isEmpty
        ? "."
        : "; payments of \(lost.map { PageText.long($0, months) }.inWords()), not seen either, count as losses."
    }
    return Phrase(text)
  }

  private func firstStart(_ source: Source) -> Month {
    report(source)?.completeness.firstDay.month ?? month
  }

  /// Returns the grid of the starts with a curve: quarters where the median start month has fewer than 30.
  private func grid(_ curve: Curve, _ source: Source) -> SectionFigure {
    let all = RetentionGrid.Row(
      name: "All", people: PageText.counted(curve.people, "person", "people"),
      cells: cells(curve.rows))
    let dimension = startDimension(curve, source)
    let starts = dimension.map { self.starts(curve, source, $0) } ?? []
    let rows = starts.suffix(Self.mostStarts).map { start in
      RetentionGrid.Row(
        name: Self.name(ofStart: start.name, months),
        people: PageText.counted(start.curve.people, "person", "people"),
        cells: cells(start.curve.rows))
    }
    let plan =
      curve.duration.isEmpty
      ? "All plans" : "\(Self.words(ofDuration: curve.duration).capitalizedFirst) plans"
    return SectionFigure(
      caption: "\(plan): of 100 who began, how many stay after payment 1, 2, 3 …",
      legend: [
        .init(mark: "", text: "darker: more stay"),
        .init(mark: "", text: "grey: fewer than \(Self.fewest) people"),
      ], description: "", picture: .grid(RetentionGrid(rows: [all] + rows)))
  }

  private func starts(
    _ curve: Curve, _ source: Source, _ dimension: Dimension
  ) -> [(name: String, curve: Curve)] {
    let own = rows(.retention, source, by: [dimension, .duration])
      .filter { $0.text("duration").isSame(as: curve.duration) }
    let groups = Dictionary(grouping: own) { $0.text(dimension.rawValue) }
    // Who began before the data is seen from a later payment on.
    let first = source == .events ? "\(firstStart(source))" : ""
    return groups.keys.filter { $0.utf8.first.map { (0x30...0x39).contains($0) } ?? false }.sorted()
      .filter { $0 >= first }.map { ($0, Curve(duration: curve.duration, rows: groups[$0] ?? [])) }
      .filter { $0.1.people >= Self.fewestAtRisk }
  }

  private func startDimension(_ curve: Curve, _ source: Source) -> Dimension? {
    let sizes = starts(curve, source, .startMonth).map(\.curve.people).sorted()
    let isSmall = sizes.isEmpty || sizes[sizes.count / 2] < Self.fewest
    let hasQuarters = !rows(.retention, source, by: [.startQuarter, .duration]).isEmpty
    if isSmall, hasQuarters { return .startQuarter }
    return sizes.isEmpty ? nil : .startMonth
  }

  /// Returns a start in words: `Nov 2025`, or `Jan–Mar 2026` of a quarter.
  private static func name(ofStart start: String, _ months: MonthSystem) -> String {
    if let month = MonthSystem.calendar.month(named: start) {
      return PageText.short(month, .calendar)
    }
    let parts = start.split(separator: "-Q")
    guard parts.count == 2, let year = Int(parts[0]), let quarter = Int(parts[1]) else {
      return start
    }
    let first = Month(year: year, month: quarter * 3 - 2)
    return "\(PageText.shortest(first, .calendar))–\(PageText.short(first + 2, .calendar))"
  }

  private func cells(_ rows: [Row]) -> [RetentionGrid.Cell] {
    let last = min(Self.mostPayments, rows.compactMap { $0[.k] }.max() ?? 0)
    guard last > 0 else { return [] }
    let cells = (1...last).map { k -> RetentionGrid.Cell in
      let row = rows.first { $0[.k] == k }
      let atRisk = row?[.atRisk] ?? 0
      let share = atRisk < Self.fewestAtRisk ? nil : row?.fraction(.survival)
      return RetentionGrid.Cell(share: share, isFew: atRisk < Self.fewest)
    }
    return Array(cells.prefix((cells.lastIndex { $0.share != nil } ?? -1) + 1))
  }

  private func byLength(_ curves: [Curve]) -> SideTable? {
    guard curves.count > 1 else { return nil }
    let rows = curves.prefix(SideTable.mostRows).map { curve -> [SideTable.Cell] in
      let name = Self.words(ofDuration: curve.duration).capitalizedFirst
      return [.text(name), .number(PageText.count(curve.people))]
        + Self.namedPayments.map { k in
          let row = curve.at(k)
          let isKnown = row?[.atRisk] ?? 0 >= Self.fewestAtRisk
          let share = isKnown ? row?.fraction(.survival) : nil
          return .number(share.map { "\(Int(($0 * 100).rounded(.toNearestOrEven)))" } ?? "")
        }
    }
    return SideTable(
      title: "Left of 100 after payment …, by length of plan",
      headings: ["", "people"] + Self.namedPayments.map { "\($0)" }, rows: rows,
      note:
        "Only rows of one length compare: a weekly plan pays 12 times in 12 weeks, a yearly one in 12 years."
    )
  }

  private func retentionFold(_ source: Source, _ curves: [Curve]) -> Fold {
    let rows = curves.prefix(3).flatMap { curve in
      curve.rows.prefix(Self.mostPayments).map { row -> [String] in
        let bounds = [row.fraction(.low), row.fraction(.high)].compactMap(\.self)
        return [
          Self.words(ofDuration: curve.duration).capitalizedFirst,
          row[.k].map(PageText.count) ?? "", row[.atRisk].map(PageText.count) ?? "",
          row[.lost].map(PageText.count) ?? "",
          row.fraction(.survival).map { PageText.percent($0) } ?? "",
          bounds.count == 2 ? PageText.interval(bounds[0], bounds[1]) : "",
        ]
      }
    }
    let table = Fold.Table(
      by: "length of plan", numbers: ["k", "at risk", "lost", "stay", "95% interval"], rows: rows)
    let command = curves.first.flatMap { curve in
      content.explainRetention(
        rowsTable(source, curve.duration), source, where: [("duration", curve.duration)])
    }
    return Fold(
      summary: "Numbers, by product and country, files",
      figures: curves.isEmpty ? [] : figures(.retention, source, by: [.duration])?.byValue ?? [],
      tables: rows.isEmpty ? [] : [table],
      files: files([
        "retention.csv", "retention-by-duration.csv", "retention-by-start_month-duration.csv",
        "retention-by-start_quarter-duration.csv",
      ]), command: command)
  }

  private func rowsTable(_ source: Source, _ duration: String) -> ReportTable {
    let table = content.tables[.retention]?.first { $0.dimensions == ["duration"] }
    return table?.filtered("source") { $0 == source.rawValue }
      .filtered("duration") { $0.isSame(as: duration) }
      ?? ReportTable(name: "retention", dimensions: [], columns: [], rows: [])
  }

  // MARK: Trials

  /// The source of trials and refunds: the kinds of report in the input decide, not what a month lacks.
  private func ownSource(_ kind: TableKind) -> Source? {
    let source = [Source.subscribers, .receipts].first { report($0) != nil }
    return source.flatMap { rows(kind, $0).isEmpty ? nil : $0 }
  }

  var trialsSection: Section? {
    guard let source = ownSource(.trials), let report = report(source) else { return nil }
    var section = Section(id: "trials", title: "Trials", lead: "")
    let first = rows(.trials, source).compactMap(month(of:)).min() ?? month
    let shown = lastMonths(Self.lineMonths, from: max(first, report.completeness.firstMonth))
    let byMonth = shown.map { ($0, row(.trials, source, $0)) }
    guard byMonth.contains(where: { $0.1?[.trials] ?? 0 > 0 }) else { return nil }
    let isLimit = { (month: Month) in
      maker.standing(.conversionRate, report, in: month) == .incomplete
        && mayBeLimit(source, in: month)
    }
    section.lead = trialsLead()
    section.figure = trialsFigure(byMonth, report, isLimit)
    let decided = value(.conversionRate)?.month
    section.side = [trialsByProduct(source, decided)].compactMap(\.self)
    let rows = byMonth.suffix(13).reversed().compactMap { month, row -> [String]? in
      guard let row, let all = row[.trials], let paid = row[.converted] else { return nil }
      let open = row[.pending] ?? 0
      let share = all == 0 ? "" : PageText.percent(paid, of: all)
      return [
        PageText.long(month, months), PageText.count(all), PageText.count(paid),
        row[.notConverted].map(PageText.count) ?? "", PageText.count(open),
        ((open > 0 || isLimit(month)) && !share.isEmpty ? "at least " : "") + share,
      ]
    }
    section.fold = Fold(
      summary: "Numbers, by product and country, files",
      tables: [
        Fold.Table(
          by: "month", numbers: ["trials", "became paying", "did not", "undecided", "share"],
          rows: rows)
      ] + split(.trials, source, in: decided ?? month),
      files: files(["trials.csv", "trials-by-product.csv", "trials-by-country.csv"]),
      command: content.explainCommand(.trials, source, month: decided))
    return section
  }

  private func trialsLead() -> Phrase {
    var text: String
    if let value = value(.conversionRate), let counts = value.ratio {
      text =
        "Of the \(PageText.counted(counts.denominator, "trial")) begun in \(name(value.month)), the last month that is decided, \(PageText.count(counts.numerator)) became paying."
    } else {
      text = "No month of trials is decided yet."
    }
    if let soFar = value(.conversionSoFar), let counts = soFar.ratio {
      let open = row(.trials, soFar.source, soFar.month)?[.pending] ?? 0
      text +=
        " \(name(soFar.month)) stands at \(counts.words)"
        + (open > 0 ? " with \(PageText.count(open)) undecided and can only rise." : ".")
    }
    return Phrase(text)
  }

  private func trialsFigure(
    _ byMonth: [(Month, Row?)], _ report: SourceReport, _ isLimit: (Month) -> Bool
  ) -> SectionFigure {
    let columns = byMonth.map { month, row -> TimePlot.Month in
      let label = label(month)
      let (paid, not, open) = (row?[.converted] ?? 0, row?[.notConverted] ?? 0, row?[.pending] ?? 0)
      let all = row?[.trials] ?? 0
      let isNoData = report.completeness.isWithoutFiles(month)
      let share =
        open == 0 && all > 0 ? (isLimit(month) ? "≥ " : "") + PageText.whole(paid, of: all) : ""
      var parts = [TimePlot.Part(Double(paid), .added), TimePlot.Part(Double(not), .taken3)]
      if open > 0 { parts.append(TimePlot.Part(Double(open), .unknown, isHatched: true)) }
      let title =
        isNoData
        ? "\(PageText.long(month, months)): no data"
        : "\(PageText.long(month, months)): \(PageText.count(paid)) became paying, \(PageText.count(not)) did not, \(PageText.count(open)) undecided"
      return TimePlot.Month(
        label.short, year: label.year, .column(parts),
        state: isNoData ? .noData : row?.text("state") == "partial" ? .incomplete : .settled,
        text: share, title: title)
    }
    let known = byMonth.compactMap { month, row in
      row?[.trials].map { "\(PageText.count($0)) in \(PageText.long(month, months))" }
    }
    return SectionFigure(
      caption: "Trials by the month in which they began",
      legend: [
        .init(mark: "in", text: "became paying"), .init(mark: "o3", text: "did not"),
        .init(mark: "ht", text: "undecided"),
      ]
        + (columns.count > TimePlot.mostLabels
          ? [] : [.init(mark: "", text: "number above: share that paid, once decided")]),
      description: "Trials begun: \(known.suffix(3).inWords()).",
      picture: .chart(TimePlot(columns, .count, height: 240)))
  }

  private func trialsByProduct(_ source: Source, _ last: Month?) -> SideTable? {
    guard let last else { return nil }
    let shown = (0..<6).map { last - $0 }.filter { $0 >= firstMonth }
    let names = Set(shown.map(months.name))
    let own = rows(.trials, source, by: [.product]).filter { names.contains($0.text("month")) }
    let groups = Dictionary(grouping: own) { ExactText($0.text("product")) }
    let sums = groups.map { name, rows in
      (
        name: name, paid: rows.reduce(0) { $0 + ($1[.converted] ?? 0) },
        all: rows.reduce(0) { $0 + ($1[.trials] ?? 0) }
      )
    }.filter { $0.all > 0 }.sorted { ($1.all, $0.name) < ($0.all, $1.name) }
    guard sums.count > 1 else { return nil }
    let row = { (name: String, paid: Int, all: Int) -> [SideTable.Cell] in
      [
        .text(name), .bar(Double(paid) / Double(all), .added),
        .number(PageText.part(paid, of: all)),
      ]
    }
    var rows = sums.prefix(SideTable.mostRows).map { name, paid, all in
      row(name.text.isEmpty ? "unknown" : name.text, paid, all)
    }
    let rest = sums.dropFirst(SideTable.mostRows)
    if !rest.isEmpty {
      rows.append(
        row(
          "\(rest.count) more, together", rest.reduce(0) { $0 + $1.paid },
          rest.reduce(0) { $0 + $1.all }))
    }
    let (paid, all) = (sums.reduce(0) { $0 + $1.paid }, sums.reduce(0) { $0 + $1.all })
    let first = shown.last ?? last
    let range =
      first == last
      ? PageText.short(last, months)
      : "\(PageText.shortest(first, months)) to \(PageText.shortest(last, months)) together"
    return SideTable(
      title: "By product, \(range)", headings: ["", "", "became paying"], rows: rows,
      note: "All: \(PageText.part(paid, of: all)), \(PageText.percent(paid, of: all)).")
  }

  // MARK: Refunds

  var refundsSection: Section? {
    guard let source = ownSource(.refunds), let value = maker.value(.refundRate, in: month) else {
      return nil
    }
    var section = Section(id: "refunds", title: "Refunds", lead: "")
    section.lead = refundsLead(value)
    let points = maker.history(of: value, months: Self.lineMonths)
    let first = points.first { $0.standing != .noData }?.month ?? month
    let shown = points.filter { $0.month >= first }
    section.figure = SectionFigure(
      caption: "Share of charges refunded, by the month of the charge",
      legend: [.init(mark: "bd", text: "95% interval")], description: words(shown),
      picture: .chart(
        TimePlot(rateMonths(shown, of: value.source, atMost: false), .percent, height: 210)))
    section.side = [paidBack(source)].compactMap(\.self)
    let rows = shown.suffix(13).reversed().compactMap { point -> [String]? in
      guard let counts = point.counts else { return nil }
      return [
        PageText.long(point.month, months), PageText.count(counts.denominator),
        PageText.count(counts.numerator), PageText.rate(point.value),
      ]
    }
    section.fold = Fold(
      summary: "Numbers, by product and country, files",
      tables: [
        Fold.Table(by: "month of charge", numbers: ["charges", "refunded", "share"], rows: rows)
      ] + [refundTriangle(source)].compactMap(\.self)
        + split(.refunds, source, in: settledRefunds?.month ?? month),
      files: files(["refunds.csv", "refund_delays.csv", "refunds-by-product.csv"]),
      command: content.explainCommand(
        .refunds, source, month: settledRefunds?.month))
    // The sentence adds up the charges of all currencies.
    let codes = chargedCurrencies(.refunds, source, settledRefunds?.month ?? month)
    if codes.count > 1 { section.fold?.part = codes[0] }
    return section
  }

  /// The share of each month's charges that was refunded after 0, 1, 2 … months, newest month first; `nil` on the page of
  /// an app.
  private func refundTriangle(_ source: Source) -> Fold.Table? {
    guard content.app == nil else { return nil }
    let shown = lastMonths(13, from: firstMonth).reversed()
    let rows = result.tableMaker().refundDelayTable().namedRows.filter {
      $0.source == source.rawValue
    }
    let byMonth = Dictionary(grouping: rows) { month(of: $0) ?? month }
    let shares = shown.compactMap { month in
      byMonth[month].map {
        (month, $0.prefix(13).map { PageText.rate($0.cell("cumulative_rate")) })
      }
    }
    let count = shares.map(\.1.count).max() ?? 0
    guard count > 1 else { return nil }
    return Fold.Table(
      "Share of charges refunded after 0, 1, 2 … months", by: "month of charge",
      numbers: (0..<count).map { "\($0)" },
      rows: shares.map { month, rates in
        [PageText.long(month, months)] + rates
          + [String](repeating: "", count: count - rates.count)
      })
  }

  private func refundsLead(_ value: HeadlineValue) -> Phrase {
    var text = ""
    if let settled = settledRefunds, let counts = settled.ratio {
      text =
        "Of the \(PageText.counted(counts.denominator, "charge")) of \(name(settled.month)), the last month that is nearly settled, \(PageText.count(counts.numerator)) \(counts.numerator == 1 ? "was" : "were") refunded (\(counts.percent))."
      if settled.month == value.month { return Phrase(text) }
    }
    if let counts = value.ratio {
      text +=
        "\(text.isEmpty ? "" : " ")\(name(value.month)): \(counts.words) so far; refunds come up to 60 days late and later."
    }
    return Phrase(text)
  }

  private func paidBack(_ source: Source) -> SideTable? {
    let rows = rows(.refunds, source, in: month, dated: "refund").compactMap { row in
      let count = (row[.refundsFull] ?? 0) + (row[.refundsPartial] ?? 0)
      return count == 0
        ? nil : (currency: row.currency, count: count, money: row.money(.refundedProceeds))
    }.sorted { ($1.count, $0.currency) < ($0.count, $1.currency) }
    guard !rows.isEmpty else { return nil }
    let hasMoney = rows.contains { $0.money != nil }
    let cells = rows.prefix(SideTable.mostRows).map { row -> [SideTable.Cell] in
      let money = row.money.map { PageText.amount($0, row.currency) } ?? ""
      return [
        .text(row.currency.isEmpty ? "currency not known" : row.currency),
        .number(PageText.count(row.count)),
      ]
        + (hasMoney ? [.number(money)] : [])
    }
    let rest = rows.dropFirst(SideTable.mostRows)
    let more: [[SideTable.Cell]] =
      rest.isEmpty
      ? []
      : [
        [
          .text("\(rest.count) more, together"),
          .number(PageText.count(rest.reduce(0) { $0 + $1.count })),
        ] + (hasMoney ? [.number("")] : [])
      ]
    return SideTable(
      title: "Paid back in \(name(month))",
      headings: ["", "refunds"] + (hasMoney ? ["your share"] : []), rows: cells + more)
  }
}
