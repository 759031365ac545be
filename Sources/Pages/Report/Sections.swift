import Charts
import Counting
import Pipeline
import PriceImpact
import Rendering
import Storage
import SubscriptionModel
import Tables

/// Who came and who left; churn, reasons and renewals.
extension ReportData {
  /// The months of a line, and of a folded table.
  static let lineMonths = 24
  private static let tableMonths = 13

  /// Returns the headline month and those before it, the oldest first, from the first month of some rows on.
  func lastMonths(_ count: Int, from first: Month) -> [Month] {
    (0..<count).reversed().map { month - $0 }.filter { $0 >= first }
  }

  /// Returns months as a chart labels them.
  func label(_ month: Month) -> (short: String, year: String) {
    (PageText.shortest(month, months), months == .fiscal ? "" : "\(month.year)")
  }

  static func state(_ standing: Standing) -> TimePlot.State {
    switch standing {
    case .settled: .settled
    case .canStillChange: .canStillChange
    case .incomplete: .incomplete
    case .notAllSeen: .notAllSeen
    case .noData: .noData
    }
  }

  /// Returns the files that are beside the page, of a page of an app those by app.
  func files(_ names: [String]) -> [String] {
    content.app == nil ? names : names.filter { $0.hasSuffix("-by-app.csv") }
  }

  /// Returns the figures of a view from one source, of the newest months; `nil` without the table.
  func figures(
    _ kind: TableKind, _ source: Source, by dimensions: [Dimension] = []
  ) -> FigureMaker? {
    let names = dimensions.map(\.rawValue)
    let shown = Set(lastMonths(Self.lineMonths, from: firstMonth).map(months.name))
    return content.tables[kind]?.first { $0.dimensions == names }.map { table in
      let own = table.filtered("source") { $0 == source.rawValue }
        .filtered("month", shown.contains)
      let churn = content.tables[.churn]?.first { $0.dimensions.isEmpty }
      return FigureMaker(kind, own, source.rawValue, result, churn: churn)
    }
  }

  // MARK: Movement

  var movementSection: Section? {
    guard let source, !rows(.movement, source).isEmpty else { return nil }
    var section = Section(id: "movement", title: "Who came and who left", lead: "")
    let row = row(.movement, source, month)
    let value = value(.active)
    guard let flows = Flows(row), value != nil || missingSnapshot(for: .active) != nil else {
      section.lead =
        "How many came and left in \(name(month)) is not known: \(noRows(source, .netChange))."
      return section
    }
    if let value {
      let standing = standing(value)
      section.lead = movementLead(flows, standing, value.source)
      section.figure = waterfall(flows, standing)
    } else {
      section.lead =
        "\(comeAndGone(source)) How many are left is not known: \(noRows(source, .active))."
    }
    section.side = [activeByProduct].compactMap(\.self)
    section.fold = Fold(
      summary: "Numbers, by product and country, files",
      figures: [figures(.movement, source)?.allMonths].compactMap(\.self),
      tables: [movementTable(source)] + split(.movement, source, in: month)
        + [statusTable].compactMap(\.self),
      files: files([
        "movement.csv", "movement-by-product.csv", "movement-by-country.csv", "status.csv",
      ]),
      command: content.explainCommand(.movement, source))
    return section
  }

  /// Returns why numbers of the headline month are not known in a source.
  func noRows(_ source: Source, _ headline: Headline) -> String {
    if let day = missingSnapshot(for: headline) {
      return
        "the Subscription report of \(PageText.day(day)), which counts them, is missing"
    }
    if source == .receipts, let end = endOfReceipts {
      return "receipts end on \(PageText.day(end)); take a new dump"
    }
    if lacksFiles { return "the month has no \(Self.words(source))" }
    guard report(source)?.isAfterMonthWithoutFiles(month) == true else {
      return "no report says how many subscriptions were active when it began"
    }
    return
      "no \(Self.words(source).replacing("reports", with: "report")) of \(name(month - 1)) says who was active when it began"
  }

  /// Whether the headline source has no file of the headline month.
  var lacksFiles: Bool {
    source.flatMap(report)?.completeness.isWithoutFiles(month) ?? true
  }

  private func movementLead(_ flows: Flows, _ standing: Standing, _ source: Source) -> Phrase {
    let end = flows.row[.closeObserved]
    if !standing.isCompared, standing != .notAllSeen, let end {
      let last = value(.active).flatMap(lastReport)
      let isLimit = source == .subscribers && last == nil
      let when =
        last.map { "on \(PageText.day($0, year: false)), the day of the last report" }
        ?? "at the end of \(name(month))"
      var text = "\(isLimit ? "At least " : "")\(PageText.counted(end, "subscription")) \(when)."
      if isLimit {
        text +=
          " Of the \(PageText.count(flows.went)) counted as gone some may have renewed on a day whose Subscriber report is missing."
      } else {
        text +=
          " \((gapWords(source) ?? "reports of the month are missing").capitalizedFirst), so what changed is not fully known."
      }
      return Phrase(text)
    }
    var parts = ["\(PageText.count(flows.came)) came", "\(PageText.count(flows.went)) went"]
    if flows.changed != 0 {
      parts.append(
        "changes of plan \(flows.changed > 0 ? "added" : "took away") \(PageText.count(abs(flows.changed)))"
      )
    }
    if flows.unexplained != 0 {
      let count = abs(flows.unexplained)
      parts.append("\(PageText.count(count)) \(count == 1 ? "is" : "are") unexplained")
    }
    var text = parts.inWords()
    if let open = flows.row[.open], let end {
      let change = end - open
      let noun = abs(change) == 1 ? "subscription" : "subscriptions"
      let words =
        change == 0
        ? "as many subscriptions as"
        : "\(PageText.count(abs(change))) \(change > 0 ? "more" : "fewer") \(noun) than"
      text += ": \(words) at the end of \(name(month - 1))"
    }
    text += "."
    if source == .events, value(.churnRate) != nil,
      let churned = row(.churn, source, month)?[.churned], let left = flows.row[.churned],
      churned != left
    {
      text +=
        " Churn below counts \(PageText.count(churned)): also those who had stopped paying in an earlier month and left for good in \(name(month))."
    }
    return Phrase(text)
  }

  private func waterfall(_ flows: Flows, _ standing: Standing) -> SectionFigure? {
    let limit = value(.active).map(isLimit) == true ? "≥ " : ""
    return flows.waterfall(
      from: "End of \(name(month - 1))", to: "End of \(name(month))",
      caption: "Active subscriptions, \(PageText.long(month, months))",
      isIncomplete: standing == .incomplete, limit: limit)
  }

  /// What each product adds to the change of active subscriptions.
  private var activeByProduct: SideTable? {
    guard let value = value(.active), value.before.today != .missing || content.app != nil else {
      return nil
    }
    let drivers = (content.drivers?.rows ?? []).filter {
      $0.headline == .active && $0.split == .of(.product) && $0.against == $0.month - 1
    }
    let changes = drivers.map { driver -> (name: String, now: Int, change: Int) in
      let name =
        driver.value == HeadlineMaker.notInView ? "not in a product" : driver.shownValue
      return (name, driver.cell("after").count ?? 0, Int(driver.size))
    }
    guard !changes.isEmpty else { return nil }
    let longest = changes.map { abs($0.change) }.max() ?? 0
    let row = { (name: String, now: Int, bar: Double?, change: Int) -> [SideTable.Cell] in
      [
        .text(name), .number(PageText.count(now)), .signedBar(bar),
        .number(PageText.signed(change)),
      ]
    }
    var rows = changes.prefix(SideTable.mostRows).map { name, now, change in
      row(name, now, longest == 0 ? 0 : Double(change) / Double(longest), change)
    }
    let rest = changes.dropFirst(SideTable.mostRows)
    if !rest.isEmpty {
      rows.append(
        row(
          "\(rest.count) more, together", rest.reduce(0) { $0 + $1.now }, nil,
          rest.reduce(0) { $0 + $1.change }))
    }
    let all = changes.reduce(0) { $0 + $1.change }
    return SideTable(
      title: "By product",
      headings: ["", "now", "", "change in \(name(month))"], rows: rows,
      note: "Together \(PageText.signed(all)).")
  }

  private func movementTable(_ source: Source) -> Fold.Table {
    let shown = lastMonths(Self.tableMonths, from: firstMonth).reversed()
    let rows = shown.compactMap { month -> [String]? in
      guard let flows = Flows(row(.movement, source, month)) else { return nil }
      let count = { (column: ColumnName) in flows.row[column].map(PageText.count) ?? "" }
      return [
        PageText.long(month, months), count(.open), PageText.count(flows.came),
        PageText.count(flows.went), PageText.signed(flows.changed),
        PageText.signed(flows.unexplained), count(.closeObserved),
      ]
    }
    return Fold.Table(
      by: "month", numbers: ["start", "came", "went"] + Flows.besides + ["end"], rows: rows
    ).withoutZeros(in: Flows.besides)
  }

  // MARK: Churn

  var churnSection: Section? {
    guard let source, !rows(.churn, source).isEmpty else { return nil }
    var section = Section(id: "churn", title: "Churn, reasons and renewals", lead: "")
    let points = maker.history(.churnRate, source, until: month, months: Self.lineMonths)
    let first = points.first { $0.standing != .noData }?.month ?? month
    let shown = points.filter { $0.month >= first }
    let value = value(.churnRate)
    if let value, let counts = value.ratio {
      section.lead = churnLead(value, counts, shown)
    } else {
      section.lead = "Churn of \(name(month)) is not known: \(noRows(source, .churnRate))."
    }
    // Months before one without data are shown all the same.
    if shown.contains(where: { $0.value != .missing }) {
      section.figure = churnFigure(shown, source)
    }
    section.side = [reasons(source), value.flatMap(risen)].compactMap(\.self)
    section.fold = Fold(
      summary: "Numbers, by product and country, files",
      figures: Array(figures(.renewals, source)?.whole.prefix(1) ?? []),
      tables: [churnTable(shown), renewalTable(source)].compactMap(\.self)
        + split(.churn, source, in: month),
      files: files([
        "churn.csv", "churn-by-product.csv", "churn-by-country.csv", "renewals.csv", "lapses.csv",
        "drivers.csv",
      ]), command: content.explainCommand(.churn, source))
    return section
  }

  private func churnLead(
    _ value: HeadlineValue, _ counts: TwoMonths.Ratio, _ points: [HeadlinePoint]
  ) -> Phrase {
    let (left, rate) = (counts.words, counts.percent)
    let standing = standing(value)
    var text: String
    if isLimit(value) {
      text = "At most \(left) left in \(name(month)) (\(rate))."
    } else if standing == .incomplete, let last = lastReport(value) {
      text =
        "\(left) left until \(PageText.day(last, year: false)), the day of the last report (\(rate))."
    } else {
      text = "\(left) left in \(name(month)): \(rate)"
      let comparable = points.filter { $0.standing.isCompared && $0.value != .missing }
      let rates = comparable.compactMap { PageText.value($0.value) }
      if standing.isCompared, rates.count > 2, let own = rates.last {
        let words = NumberWord.text(rates.count)
        if rates.dropLast().allSatisfy({ $0 < own }) { text += ", the highest of \(words) months" }
        if rates.dropLast().allSatisfy({ $0 > own }) { text += ", the lowest of \(words) months" }
      }
      if standing.isCompared, let low = PageText.value(value.interval[0]),
        let high = PageText.value(value.interval[1]),
        let then = PageText.value(value.before.atSameAge),
        counts.denominator >= Self.fewest
      {
        // The same test as the tile's.
        let isChance = value.before.difference?.spansZero ?? true
        text +=
          " (\(PageText.interval(low, high))), \(isChance ? "which may be chance after" : "more than chance explains after") \(name(month - 1))’s \(PageText.percent(then))"
      }
      text += "."
    }
    if isAtSameAge(value) {
      text +=
        " \(name(month - 1)) stood at \(PageText.rate(value.before.atSameAge)) at this age and is at \(PageText.rate(value.before.today)) now."
    }
    let renewed = renewalSentence
    if !renewed.isEmpty { text += " " + renewed }
    return Phrase(text)
  }

  /// Returns a line of rates with their interval.
  func rateMonths(
    _ points: [HeadlinePoint], of source: Source, atMost isUpper: Bool
  ) -> [TimePlot.Month] {
    points.map { point in
      let label = label(point.month)
      let text = PageText.rate(point.value)
      let isLimit = point.standing == .incomplete && mayBeLimit(source, in: point.month)
      let sign = isLimit ? (isUpper ? "≤ " : "≥ ") : ""
      let content = PageText.value(point.value).map {
        TimePlot.Content.point($0, low: point.interval?.low, high: point.interval?.high)
      }
      return TimePlot.Month(
        label.short, year: label.year, content, state: Self.state(point.standing),
        text: text.isEmpty ? "" : sign + text,
        title: "\(PageText.long(point.month, months)): \(text.isEmpty ? "no data" : text)")
    }
  }

  /// Returns the extremes of a line in words.
  func words(_ points: [HeadlinePoint]) -> String {
    let known = points.filter { $0.standing.isCompared && $0.value != .missing }
    let size = { (point: HeadlinePoint) in PageText.value(point.value) ?? 0 }
    guard let low = known.min(by: { size($0) < size($1) }),
      let high = known.max(by: { size($0) < size($1) }), let last = points.last
    else { return "Too little is known to compare months." }
    let text = { (point: HeadlinePoint) in
      "\(PageText.rate(point.value)) in \(PageText.long(point.month, months))"
    }
    return "Between \(text(low)) and \(text(high)); last \(text(last))."
  }

  private func churnFigure(_ points: [HeadlinePoint], _ source: Source) -> SectionFigure {
    var legend = [LegendItem(mark: "bd", text: "95% interval")]
    if points.contains(where: { $0.standing == .notAllSeen }) {
      legend.append(.init(mark: "", text: "dotted: long plans not all seen yet"))
    }
    return SectionFigure(
      caption: "Churn: share of those active at the start of the month who left", legend: legend,
      description: words(points),
      picture: .chart(
        TimePlot(
          rateMonths(points, of: source, atMost: true), .percent, height: 260,
          marks: marks(in: points.map(\.month)))))
  }

  /// Returns the price increases that at least 30 met, the largest three, as marks.
  func marks(in shown: [Month]) -> [TimePlot.Mark] {
    guard content.app == nil, let prices = content.prices else { return [] }
    let single = prices.impacts.filter { !$0.isPooled && $0.exposed >= Self.fewest }
    var seen: Set<String> = []
    let largest = single.sorted { $0.exposed > $1.exposed }.filter { impact in
      let section = ImpactSection(impact: impact, names: result.names)
      return seen.insert("\(section.title) \(impact.effective)").inserted
    }.prefix(3)
    return largest.compactMap { impact in
      guard let place = shown.firstIndex(of: months.month(of: impact.effective)) else { return nil }
      let change = impact.changes[0]
      var text = result.names.product(impact.product)
      if let old = change.oldPrice, let new = change.newPrice, old > 0 {
        let share = (Double(new) / Double(old) - 1) * 100
        text += " +\(Int(share.rounded()))%"
      }
      return TimePlot.Mark(month: place, text + " " + result.names.text(change.key.country))
    }.sorted { $0.month < $1.month }
  }

  /// The title of the table of reasons.
  static let whyTheyLeft = "Why they left"

  /// The sentence on renewals alone, above their table.
  var renewalSection: Section? {
    let text = renewalSentence
    return text.isEmpty ? nil : Section(id: "renewals", title: "Renewals", lead: Phrase(text))
  }

  /// How many of those due were renewed; blank where it is not known.
  private var renewalSentence: String {
    guard let renewals = value(.renewalRate), let own = renewals.ratio, own.denominator > 0
    else { return "" }
    let standing = standing(renewals)
    let age = isAtSameAge(renewals) ? " at this age" : ""
    let before = PageText.rate(renewals.before.atSameAge)
    let earlier = before.isEmpty ? "" : " (\(before) in \(name(month - 1))\(age))"
    let counts = "\(own.words) due"
    let words =
      isLimit(renewals)
      ? "At least \(counts) were renewed"
      : "Renewed \([.canStillChange, .incomplete].contains(standing) ? "so far are" : "were") \(counts)"
    return "\(words), \(own.percent)\(earlier)."
  }

  /// Why subscriptions churned, from the source that knows it.
  private func reasons(_ source: Source) -> SideTable? {
    let found = reasonsSource
    let short = PageText.shortest(month, months)
    let before = PageText.shortest(month - 1, months)
    guard let found, let row = row(.churn, found, month) else {
      return SideTable(
        title: Self.whyTheyLeft, headings: [], rows: [],
        note: "Reasons are not known: Subscription Event reports and receipts have them.")
    }
    let earlier = self.row(.churn, found, month - 1)
    let groups: [(name: String, columns: [String], fill: ChartFill)] = [
      ("Canceled by the customer", ["churned_voluntary"], .taken),
      ("Payment failed", ["churned_billing"], .taken2),
      (
        "Other",
        ["churned_price", "churned_refund", "churned_removed", "churned_other", "churned_unknown"],
        .taken3
      ),
    ]
    // Not known where no column is, as in a month without files.
    let count = { (row: Row?, columns: [String]) -> Int? in
      let known = columns.compactMap { column in row.flatMap { $0[column] } }
      return known.isEmpty ? nil : known.reduce(0, +)
    }
    let most = groups.compactMap { count(row, $0.columns) }.max() ?? 0
    let rows = groups.map { group -> [SideTable.Cell] in
      let now = count(row, group.columns) ?? 0
      let then = count(earlier, group.columns)
      return [
        .text(group.name), .bar(most == 0 ? 0 : Double(now) / Double(most), group.fill),
        .number(PageText.count(now)), .number(then.map(PageText.count) ?? ""),
      ]
    }
    var note: Phrase = ""
    let total = groups.compactMap { count(row, $0.columns) }.reduce(0, +)
    if found != source, let counts = value(.churnRate)?.ratio {
      let lacks = lackedDays(source).map { " and lack \($0)" } ?? ""
      let of =
        source == .subscribers
        ? "which have no reasons\(lacks.isEmpty ? " and" : ",") date failed payments earlier\(lacks)"
        : "which count otherwise\(lacks)"
      note =
        "Reasons are Apple’s, from \(Self.words(found)): \(PageText.count(total)) in \(name(month)). The count of \(PageText.count(counts.numerator)) is from \(Self.words(source)), \(of)."
    }
    if let days = lackedDays(found) {
      note +=
        "\(note.plain.isEmpty ? "" : " ")\(Self.words(found).capitalizedFirst) lack \(days) of \(name(month))."
    }
    return SideTable(
      title: Self.whyTheyLeft, headings: ["", "", short, before], rows: rows, note: note)
  }

  /// Where churn changed by more than chance.
  private func risen(_ churn: HeadlineValue) -> SideTable? {
    guard let difference = churn.before.difference, difference.value != 0 else { return nil }
    let isUp = difference.value > 0
    let named = [Dimension.product, .country].flatMap { dimension in
      parts(.churnRate, by: dimension).filter {
        $0.isNamed && !$0.isMaybeChance && ($0.size > 0) == isUp
      }
    }
    guard !named.isEmpty else { return nil }
    let rows = named.prefix(SideTable.mostRows).map { part -> [SideTable.Cell] in
      let suffix = part.split == .of(.country) ? " (country)" : ""
      return [
        .text(part.value + suffix), .number(PageText.rate(part.cell("before"))),
        .number(PageText.rate(part.cell("after"))), .number(PageText.signedPoints(part.size)),
      ]
    }
    return SideTable(
      title: "Where it \(isUp ? "rose" : "fell") by more than chance",
      headings: [
        "", PageText.shortest(month - 1, months), PageText.shortest(month, months), "points",
      ], rows: rows)
  }

  private func renewalTable(_ source: Source) -> Fold.Table? {
    let shown = lastMonths(Self.tableMonths, from: firstMonth).reversed()
    let rows = shown.compactMap { month -> [String]? in
      guard let row = row(.renewals, source, month) else { return nil }
      let count = { (column: ColumnName) in row[column].map(PageText.count) ?? "" }
      return [
        PageText.long(month, months), count(.due), count(.renewed), count(.recovered),
        count(.lapsed), count(.pending), PageText.rate(row.cell(.renewalRate)),
      ]
    }
    guard !rows.isEmpty else { return nil }
    return Fold.Table(
      "Renewals", by: "month",
      numbers: ["due", "renewed", "recovered", "not renewed", "undecided", "renewal rate"],
      rows: rows)
  }

  /// The churn of each month, newest first.
  private func churnTable(_ points: [HeadlinePoint]) -> Fold.Table? {
    let rows = points.suffix(Self.tableMonths).reversed().compactMap { point -> [String]? in
      guard let counts = point.counts else { return nil }
      return [
        PageText.long(point.month, months), PageText.count(counts.denominator),
        PageText.count(counts.numerator), PageText.rate(point.value),
        point.interval.map { PageText.interval($0.low, $0.high) } ?? "",
        AnswerLines.words(point.standing),
      ]
    }
    guard !rows.isEmpty else { return nil }
    return Fold.Table(
      caption: "",
      headings: [("month", false)]
        + ["at start", "left", "share", "95% interval"].map { ($0, true) } + [("state", false)],
      rows: rows
    ).withoutEmptyColumns
  }

  /// The most rows of a folded table; all are in the files.
  static let foldedRows = 60
}

/// Small numbers in words.
enum NumberWord {
  /// Returns a number up to twelve in words, such as `eight`.
  static func text(_ number: Int) -> String {
    let words = [
      "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
      "eleven", "twelve",
    ]
    return words.indices.contains(number) ? words[number] : PageText.count(number)
  }
}
