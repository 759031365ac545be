import Charts
import Counting
import Pipeline
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Draws the rows of one table from one source: PAGE.md, "Single figures".
///
/// A rate is a line with its interval, outcomes and amounts are columns, and the values of a view are lines in rows.
struct FigureMaker {
  typealias Row = ReportTable.NamedRow
  typealias MonthRow = (month: Month, row: Row?)

  private let kind: TableKind
  private let table: ReportTable
  private let source: Source?
  private let months: MonthSystem
  private let completeness: Completeness?
  /// The months in which subscriptions from before the data may not have been seen yet.
  private let edgeMonths: Set<Month>
  /// The churn of the whole population from all sources; `nil` if it is not known.
  private let churn: ReportTable?
  private let captionEnd: String

  /// The currencies with a figure.
  private static let mostCurrencies = 4
  /// The rows of a figure: the largest values of a view.
  private static let mostRows = 6
  /// The payments of a curve of retention.
  private static let mostPayments = 24
  /// The fewest at risk of a point of a curve that has larger ones.
  private static let fewestAtRisk = 10

  /// Reads a table, of refunds by the month of the sale, of recurring revenue by price; captions end in `captionEnd`.
  init(
    _ kind: TableKind, _ table: ReportTable, _ source: String, _ result: RunResult,
    churn: ReportTable?, captionEnd: String = ""
  ) {
    self.kind = kind
    self.table = table.filtered("dating") { $0 == "sale" }.filtered("basis") { $0 == "price" }
    self.source = Source(rawValue: source)
    (self.churn, self.captionEnd) = (churn, captionEnd)
    let months = result.plan.monthSystem
    self.months = months
    completeness = result.sources.first { $0.source.rawValue == source }?.completeness
    let partial = (churn?.namedRows ?? []).filter {
      $0.source == source && $0.text("state") == "partial"
    }
    edgeMonths =
      kind == .movement ? Set(partial.compactMap { months.month(named: $0.text("month")) }) : []
  }

  // MARK: Months

  /// Returns the rows by month, from the first to the last one without a hole.
  private func monthly(_ rows: [Row]) -> [MonthRow] {
    let found = rows.compactMap { row in months.month(named: row.text("month")).map { ($0, row) } }
    let byMonth = Dictionary(found) { $1 }
    guard let first = byMonth.keys.min(), let last = byMonth.keys.max() else { return [] }
    return (0...(last - first)).map { (first + $0, byMonth[first + $0]) }
  }

  /// Returns how sure a month's number is, by its state, or by its days in a table that has no states.
  private func state(_ month: Month, _ row: Row?) -> TimePlot.State {
    let isKnown = row.map { number($0, line.column) != .missing } ?? false
    if !isKnown, completeness?.isWithoutFiles(month) == true { return .noData }
    guard let row else { return .settled }
    let lacksDay =
      completeness?.lacksDay(from: months.firstDay(of: month), to: months.lastDay(of: month))
      ?? false
    switch row.text("state") {
    case "partial": return lacksDay ? .incomplete : .notAllSeen
    case "provisional": return .canStillChange
    case "final": return .settled
    default: break
    }
    if completeness?.isPartial(month) == true { return .incomplete }
    if completeness?.isOver(month) == false { return .canStillChange }
    return edgeMonths.contains(month) ? .notAllSeen : .settled
  }

  private func plotMonth(
    _ month: Month, _ row: Row?, _ content: TimePlot.Content?, text: String, title: String
  ) -> TimePlot.Month {
    let year = months == .fiscal ? "" : "\(month.year)"
    return TimePlot.Month(
      PageText.shortest(month, months), year: year, content, state: state(month, row), text: text,
      title: "\(PageText.long(month, months)): \(title.isEmpty ? "no data" : title)")
  }

  private func trend(
    _ name: String, _ column: String, _ rows: [MonthRow], currency: String = ""
  ) -> String {
    let points = rows.compactMap { month, row -> TrendWords.Point? in
      let cell = row.map { number($0, column) } ?? .missing
      return PageText.value(cell).map { _ in
        TrendWords.Point(month: month, cell: cell, state: state(month, row))
      }
    }
    return TrendWords(name: name, points: points, months: months, currency: currency).sentence
  }

  // MARK: Lines

  /// A number of a table that is drawn as a line.
  private struct Line {
    let column: String
    let name: String
    let caption: String
    /// The sign before a number of an incomplete month of Subscriber reports.
    var limit = "≥ "
    /// The column that says how large a value of a view is.
    let size: String
  }

  /// The number that the table is about.
  private var line: Line {
    switch kind {
    case .churn:
      Line(
        column: "churn_rate", name: "Churn rate",
        caption: "Churn: share of those active at the start of the month who left", limit: "≤ ",
        size: "active_start")
    case .renewals:
      Line(
        column: "renewal_rate", name: "Renewal rate",
        caption: "Renewal rate: share of those due that were renewed", size: "due")
    case .lapses:
      Line(column: "lapses", name: "Lapses", caption: "Lapses by month", size: "lapses")
    case .refunds:
      Line(
        column: "refund_rate", name: "Refund rate",
        caption: "Share of charges refunded, by the month of the charge", size: "charges")
    case .retention:
      Line(
        column: "survival", name: "Kept",
        caption: "Of 100 who began, how many stay after payment 1, 2, 3 …", size: "at_risk")
    case .movement:
      Line(
        column: "close_observed", name: "The number of active subscriptions at the month's end",
        caption: "Active subscriptions at the end of the month", size: "close_observed")
    case .proceeds:
      Line(
        column: "net_proceeds", name: "Net proceeds", caption: "Net proceeds by month",
        size: "charges")
    case .trials:
      Line(
        column: "conversion_rate", name: "Conversion rate",
        caption: "Share of trials that became paying, by the month in which they began",
        size: "trials")
    case .commitments:
      Line(
        column: "paid_rate", name: "Paid rate",
        caption: "Share of instalments due that were paid on time", size: "due")
    case .recurring:
      Line(column: "mrr", name: "MRR", caption: "MRR at the end of the month", size: "active")
    case .status, .lifetime, .definitions:
      Line(
        column: "paid", name: "The number of paid subscriptions at the month's end",
        caption: "Paid subscriptions at the end of the month", size: "paid")
    }
  }

  private func points(_ line: Line, _ rows: [MonthRow], _ currency: String) -> [TimePlot.Month] {
    rows.map { month, row in
      let cell = row.map { number($0, line.column) } ?? .missing
      let value = PageText.value(cell)
      let isRate = if case .ratio = cell { true } else { false }
      let bounds = isRate ? [row?.fraction(.low), row?.fraction(.high)].compactMap(\.self) : []
      var text = Self.text(cell, currency)
      var title = text
      if bounds.count == 2 { title += " (\(PageText.interval(bounds[0], bounds[1])))" }
      if state(month, row) == .incomplete, source == .subscribers, !text.isEmpty {
        text = line.limit + text
      }
      let content = value.map {
        TimePlot.Content.point($0, low: bounds.first, high: bounds.last)
      }
      return plotMonth(month, row, content, text: text, title: title)
    }
  }

  /// Returns a number of a row; the conversion rate is not known where no trial is decided.
  private func number(_ row: Row, _ column: String) -> ReportTable.Cell {
    let pending = row[.pending] ?? 0
    let isUndecided = kind == .trials && pending > 0 && pending == row[.trials]
    return isUndecided && column == "conversion_rate" ? .missing : row.cell(column)
  }

  /// Returns a number as figures print it; `100%` without a decimal, which would be cut on a phone.
  private static func text(_ cell: ReportTable.Cell, _ currency: String) -> String {
    switch cell {
    case .count(let count): PageText.count(count)
    case .money(let amount): PageText.amount(amount, currency)
    default: PageText.rate(cell).replacing("100.0%", with: "100%")
    }
  }

  private func format(_ line: Line, _ currency: String) -> ValueFormat {
    switch table.columns.first(where: { $0.name == line.column })?.kind {
    case .count: .count
    case .money: .amount(decimals: CurrencyDecimals.of(currency))
    default: .percent
    }
  }

  /// Returns the number of the table by month as a line.
  private func lineFigure(_ rows: [Row], _ currency: String = "") -> SectionFigure {
    let (line, rows) = (line, monthly(rows))
    let drawn = points(line, rows, currency)
    let hasBand = drawn.contains { month in
      if case .point(_, .some, .some) = month.content { true } else { false }
    }
    var legend = hasBand ? [LegendItem(mark: "bd", text: "95% interval")] : []
    if drawn.contains(where: { $0.state == .notAllSeen }) {
      legend.append(.init(mark: "", text: "dotted: long plans not all seen yet"))
    }
    return SectionFigure(
      caption: caption(line.caption, currency), legend: legend,
      description: trend(line.name, line.column, rows, currency: currency),
      picture: .chart(TimePlot(drawn, format(line, currency))))
  }

  private func caption(_ text: String, _ currency: String = "") -> String {
    text + (currency.isEmpty ? "" : ", \(currency)") + captionEnd
  }

  // MARK: Columns

  private struct Part {
    let column: String
    let words: String
    let fill: ChartFill
    /// 1 above the axis, -1 below it.
    var sign = 1.0
    /// Whether it can still change.
    var isHatched = false

    init(
      _ column: String, _ words: String, _ fill: ChartFill, sign: Double = 1,
      isHatched: Bool = false
    ) {
      (self.column, self.words, self.fill) = (column, words, fill)
      (self.sign, self.isHatched) = (sign, isHatched)
    }

    var mark: String { isHatched ? "ht" : String(fill.rawValue.dropFirst(2)) }
  }

  /// Returns columns of parts; a part that no month has is left out.
  ///
  /// `label` returns the number above a column; `labelWords` is its meaning, blank for one that its part has. The
  /// description begins with `lead`, and has the parts of the last month.
  private func columns(
    _ title: String, _ rows: [Row], _ parts: [Part], label: (Row) -> String, labelWords: String,
    lead: String = "", currency: String = ""
  ) -> SectionFigure {
    let rows = monthly(rows)
    let parts = parts.filter { part in
      rows.contains { _, row in PageText.value(row?.cell(part.column) ?? .missing) ?? 0 != 0 }
    }
    let list = { (row: Row) in
      parts.compactMap { part -> String? in
        let cell = row.cell(part.column)
        guard let value = PageText.value(cell), value != 0 else { return nil }
        return "\(Self.text(cell, currency)) \(part.words)"
      }.joined(separator: ", ")
    }
    let drawn = rows.map { month, row -> TimePlot.Month in
      let known = parts.compactMap { part -> TimePlot.Part? in
        guard let value = PageText.value(row?.cell(part.column) ?? .missing) else { return nil }
        return TimePlot.Part(part.sign * value, part.fill, isHatched: part.isHatched)
      }
      let text = row.map(label) ?? ""
      let title = row.map { [text, list($0)].filter { !$0.isEmpty }.joined(separator: ": ") } ?? ""
      return plotMonth(
        month, row, known.isEmpty ? nil : .column(known), text: text, title: title)
    }
    var legend: [LegendItem] = []
    for mark in parts.map(\.mark).unique {
      // The legend lists parts of one colour in the order in which they are drawn.
      let words = parts.filter { $0.mark == mark }.map(\.words)
      legend.append(
        .init(
          mark: mark,
          text: words.joined(separator: ", ") + (words.count > 1 ? " (from the axis on)" : "")))
    }
    if !labelWords.isEmpty, drawn.count <= TimePlot.mostLabels {
      legend.append(.init(mark: "", text: "number above: \(labelWords)"))
    }
    let last = rows.last { $0.row != nil }
    let newest =
      last.flatMap { month, row in
        row.map { "\(PageText.long(month, months)): \(list($0).isEmpty ? "none" : list($0))." }
      } ?? "No month has a number."
    let isEmpty = parts.isEmpty && labelWords.isEmpty
    let format: ValueFormat =
      currency.isEmpty ? .count : .amount(decimals: CurrencyDecimals.of(currency))
    return SectionFigure(
      caption: caption(title, currency), legend: legend,
      description: lead.isEmpty ? newest : "\(lead) \(newest)",
      picture: .chart(TimePlot(isEmpty ? [] : drawn, format, height: 240)))
  }

  /// Returns outcomes as columns with the rate above, and the rate as a line with its interval.
  private func outcomes(
    _ title: String, _ rows: [Row], _ parts: [Part], _ rate: String, currency: String = ""
  ) -> [SectionFigure] {
    let line = line
    var outcomes = columns(
      title, rows, parts,
      label: { row in
        kind == .trials && row[.pending] ?? 0 > 0 ? "" : Self.text(number(row, line.column), "")
      }, labelWords: rate,
      lead: trend(line.name, line.column, monthly(rows)))
    outcomes.caption = caption(title, currency)
    return [outcomes, lineFigure(rows, currency)]
  }

  // MARK: Tables

  /// The figures of the whole population, the main one first.
  var whole: [SectionFigure] {
    let rows = table.namedRows
    switch kind {
    case .churn:
      return [lineFigure(rows), reasons(rowsWithReasons)]
    case .renewals:
      // Event reports count who came back on the day of the payment, not among those due.
      let isEvents = source == .events
      let parts =
        isEvents
        ? [
          Part("renewed", "renewed", .added), Part("lapsed", "not renewed", .taken),
          Part("pending", "payment failed", .taken2),
        ]
        : [
          Part("renewed", "renewed", .added), Part("recovered", "recovered later", .added),
          Part("lapsed", "not renewed", .taken),
          Part("pending", "undecided", .unknown, isHatched: true),
        ]
      return outcomes(
        "Renewals by the month in which they were due", rows, parts, "share renewed")
    case .trials:
      let parts = [
        Part("converted", "became paying", .added), Part("not_converted", "did not", .taken3),
        Part("pending", "undecided", .unknown, isHatched: true),
      ]
      return outcomes(
        "Trials by the month in which they began", rows, parts, "share that paid, once decided")
    case .lapses:
      let parts = [
        Part("recovered", "charged again within 60 days", .added),
        Part("reactivated", "charged again later", .added),
        Part("open_final", "not charged again", .taken),
        Part("open_provisional", "undecided", .unknown, isHatched: true),
      ]
      return [
        columns(
          "Lapses by what followed", rows, parts, label: { $0["lapses"].map(PageText.count) ?? "" },
          labelWords: "all lapses")
      ]
    case .movement:
      return [allMonths, lineFigure(rows), lastMonth(rows)].compactMap(\.self)
    case .retention: return [curve(rows)]
    case .proceeds:
      return ofCurrencies { rows, currency in
        [
          columns(
            "Net proceeds by month", rows,
            [
              Part("gross_proceeds", "proceeds of charges", .level),
              Part("refunded_proceeds", "given back", .taken, sign: -1),
            ],
            label: { Self.text($0.cell(.netProceeds), currency) }, labelWords: "net proceeds",
            lead: trend("Net proceeds", "net_proceeds", monthly(rows), currency: currency),
            currency: currency)
        ]
      }
    case .refunds: return ofCurrencies { [lineFigure($0, $1)] }
    case .commitments:
      let parts = [
        Part("paid", "paid on time", .added), Part("recovered", "paid late", .added),
        Part("defaulted", "not paid", .taken),
        Part("pending", "undecided", .unknown, isHatched: true),
      ]
      return ofCurrencies { rows, currency in
        outcomes(
          "Instalments by the month in which they were due", rows, parts, "share paid on time",
          currency: currency)
      }
    case .recurring:
      return ofCurrencies { rows, currency in
        [
          columns(
            "MRR at the end of the month", rows, [Part("mrr", "MRR", .level)],
            label: { Self.text($0.cell("mrr"), currency) }, labelWords: "",
            lead: trend("MRR", "mrr", monthly(rows), currency: currency), currency: currency)
        ]
      }
    case .status: return [lineFigure(rows)]
    case .lifetime, .definitions: return []
    }
  }

  private func ofCurrencies(_ make: ([Row], String) -> [SectionFigure]) -> [SectionFigure] {
    table.mainCurrencies(limit: Self.mostCurrencies).flatMap { currency in
      make(table.filtered("currency") { $0.isSame(as: currency) }.namedRows, currency)
    }
  }

  /// The rows of churn from the source that knows reasons, which need not be the one that counts.
  private var rowsWithReasons: [Row] {
    let shown = Set(table.namedRows.map { $0.text("month") })
    let known = (churn?.namedRows ?? table.namedRows).filter { row in
      shown.contains(row.text("month")) && row.cell("churned_voluntary") != .missing
    }
    let own = known.filter { $0.source == source?.rawValue }
    // Of several sources each has a figure of its own.
    guard own.isEmpty, captionEnd.isEmpty else { return own }
    let others = [Source.events, .receipts].map { other in
      known.filter { $0.source == other.rawValue }
    }
    return others.first { !$0.isEmpty } ?? []
  }

  /// The churned subscriptions by reason, from the source that knows them.
  private func reasons(_ rows: [Row]) -> SectionFigure {
    let parts = ChurnReason.allCases.map { reason in
      let fill: ChartFill =
        reason == .voluntary ? .taken : reason == .billing ? .taken2 : .taken3
      return Part(reason.column, reason == .other ? "for other reasons" : reason.name, fill)
    }
    let own = rows.first.flatMap { Source(rawValue: $0.source) }
    let origin = own.map { $0 == source ? "" : ", from \(ReportData.words($0))" } ?? ""
    return columns(
      "Why they left, by month" + origin, rows, parts,
      label: { $0[.churned].map(PageText.count) ?? "" },
      labelWords: "all who left")
  }

  var allMonths: SectionFigure {
    let rows = table.namedRows
    let parts = [
      Part("started", "new", .added), Part("first_seen", "first seen", .added),
      Part("converted", "trials that paid", .added), Part("reactivated", "came back", .added),
      Part("recovered", "payment recovered", .added),
      Part("switched_in", "came from another plan", .added),
      Part("churned", "left", .taken, sign: -1),
      Part("entered_retry", "payment failing", .taken2, sign: -1),
      Part("switched_out", "went to another plan", .taken3, sign: -1),
      Part("unexplained", "unexplained", .unknown),
    ]
    return columns(
      "Who came and who left, by month", rows, parts,
      label: { row in
        guard let open = row[.open], let end = row[.closeObserved] else { return "" }
        return PageText.signed(end - open)
      }, labelWords: "change of active subscriptions")
  }

  /// The way from the beginning to the end of the last month.
  private func lastMonth(_ rows: [Row]) -> SectionFigure? {
    guard let (month, row) = monthly(rows).last, let flows = Flows(row) else { return nil }
    let isOver = completeness?.isOver(month) ?? true
    let state = state(month, row)
    let name = PageText.long(month, months)
    return flows.waterfall(
      from: "End of \(PageText.name(month - 1, months))",
      to: isOver ? "End of \(PageText.name(month, months))" : "So far",
      caption: caption("Active subscriptions, \(name)\(isOver ? "" : " so far")"),
      isIncomplete: state == .incomplete,
      limit: state == .incomplete && source == .subscribers ? "≥ " : "")
  }

  // MARK: Retention

  /// Returns the share that stays after each payment: dotted where fewer than 30 are at risk, left out where fewer than
  /// 10 are but for curves that never have more.
  private func payments(_ rows: [Row]) -> [TimePlot.Month] {
    let known = rows.filter { row in
      (row[.k] ?? .max) <= Self.mostPayments && row.fraction(.survival) != nil
    }
    let enough = known.filter { ($0[.atRisk] ?? 0) >= Self.fewestAtRisk }
    let shown = enough.isEmpty ? known : enough
    let last = shown.compactMap { $0[.k] }.max()
    guard let last else { return [] }
    let start = TimePlot.Month("0", year: "", .point(1), text: "100%", title: "all who began")
    return [start]
      + (1...max(1, last)).map { k in
        let row = shown.first { $0[.k] == k }
        let atRisk = row?[.atRisk] ?? 0
        let isFew = atRisk < ReportTable.fewAtRisk
        let share = row?.fraction(.survival)
        let text = share.map { PageText.percent($0) } ?? ""
        let state: TimePlot.State =
          isFew ? .notAllSeen : row?.text("state") == "provisional" ? .canStillChange : .settled
        return TimePlot.Month(
          "\(k)", year: "",
          share.map { .point($0, low: row?.fraction(.low), high: row?.fraction(.high)) },
          state: state, text: text,
          title:
            "payment \(k): \(text.isEmpty ? "not known" : text), \(PageText.count(atRisk)) at risk")
      }
  }

  private func curve(_ rows: [Row]) -> SectionFigure {
    let known = rows.filter { $0.fraction(.survival) != nil }
    let enough = known.filter { ($0[.atRisk] ?? 0) >= ReportTable.fewAtRisk }
    let text = { (row: Row) in
      "\(PageText.percent(row.fraction(.survival) ?? 0)) after payment \(row[.k] ?? 0)"
    }
    let shown =
      enough.isEmpty ? known.prefix(1) : [enough[0], enough[enough.count - 1]].prefix(enough.count)
    return SectionFigure(
      caption: caption(line.caption), legend: Self.curveLegend,
      description: shown.isEmpty
        ? "No payment is decided yet." : "Kept: \(shown.map(text).inWords()).",
      picture: .chart(TimePlot(payments(rows), .percent)))
  }

  private static let curveLegend = [
    LegendItem(mark: "bd", text: "95% interval"),
    LegendItem(mark: "", text: "dotted: fewer than \(ReportTable.fewAtRisk) people"),
  ]

  // MARK: Views

  /// The largest values of a view in rows; of money, in the currency with most charges.
  var byValue: [SectionFigure] {
    let line = line
    let currency = table.mainCurrencies(limit: 1).first ?? ""
    let rows = table.filtered("currency") { currency.isEmpty || $0.isSame(as: currency) }.namedRows
    let groups = Dictionary(grouping: rows) { row in
      ExactText(
        table.dimensions.map { dimension in
          let value = row.text(dimension)
          return value.isEmpty
            ? "unknown"
            : dimension == Dimension.duration.rawValue
              ? ReportData.words(ofDuration: value).capitalizedFirst : value
        }.joined(separator: ", "))
    }.map { (name: $0, rows: $1, size: $1.reduce(0) { $0 + ($1[line.size] ?? 0) }) }
      .sorted { ($1.size, $0.name) < ($0.size, $1.name) }
    let shown = groups.prefix(Self.mostRows)
    guard !shown.isEmpty else { return [] }
    let axis = monthly(rows).map(\.month)
    let lines = shown.map { name, rows, _ -> LineRows.Row in
      guard kind != .retention else { return LineRows.Row(name.text, payments(rows)) }
      let own = Dictionary(monthly(rows).map { ($0.month, $0.row) }) { $1 }
      return LineRows.Row(
        name.text, points(line, axis.map { ($0, own[$0] ?? nil) }, currency))
    }
    let longest = lines.map(\.months.count).max() ?? 0
    let filled = lines.map { row in
      let more = (row.months.count..<max(row.months.count, longest)).map {
        TimePlot.Month("\($0)", year: "", nil)
      }
      return LineRows.Row(row.name, row.months + more)
    }
    let by = table.dimensions.map {
      $0 == "duration" ? "length of plan" : $0.replacing("_", with: " ")
    }.inWords()
    let last = lines.compactMap { row -> String? in
      row.months.last { $0.content != nil }.map { month in
        "\(row.name) \(month.text)" + (kind == .retention ? " after payment \(month.label)" : "")
      }
    }
    let hidden = groups.count - shown.count
    let more = hidden > 0 ? " \(PageText.counted(hidden, "smaller one")) not drawn." : ""
    let end = kind == .retention ? "Kept" : "In the last month"
    var legend = [LegendItem(mark: "", text: "one scale, the largest first")]
    if kind == .retention { legend = Self.curveLegend + legend }
    return [
      SectionFigure(
        caption: caption("\(line.caption), by \(by)", currency), legend: legend,
        description: "\(end): \(last.joined(separator: ", ")).\(more)",
        picture: .chart(LineRows(filled, format(line, currency))))
    ]
  }
}
