import AppStoreReports
import Charts
import Counting
import Pipeline
import Rendering
import Scanning
import Settlement
import Storage
import SubscriptionModel
import Tables

/// The health of the data, and what the numbers mean.
extension PageContent {
  /// The days of each kind of report, and, folded, all that is wrong; `nil` on the page of an app.
  var healthPart: Section? {
    guard app == nil else { return nil }
    var section = Section(id: "health", title: "Data health", lead: healthLead)
    section.figure = strips
    var tables: [Fold.Table] = []
    if let table = health.reportTable {
      tables.append(.init("Days and rows of each report", table))
    }
    tables += [comparedNumbers].compactMap(\.self)
    tables += [
      counts(
        "Rejected rows by reason", result.files.flatMap { $0.rejects.map { ($0.code.rawValue, 1) } }
      ),
      counts(
        "Rows left aside by reason",
        result.files.flatMap(\.rows.ignored).map { ($0.key.words, $0.value) }),
      changes?.table.map { Fold.Table("Changed since the last run", $0) },
    ].compactMap(\.self)
    let problems = health.problems
    var notes = problems.prefix(ReportData.foldedRows).map(\.line)
    if problems.isEmpty { notes = [health.allIsWell] }
    if problems.count > notes.count {
      notes.append(
        "… and \(counted(problems.count - notes.count, "more line")): see the files below."
      )
    }
    notes += [health.receiptLine, changes?.sentence ?? ""]
      .filter { !$0.isEmpty }
    if let table = otherSources {
      let names = table.columns.map(\.name)
      notes += comparedSources.filter { !names.contains(ReportData.words($0.source)) }
        .flatMap(sourceReasons)
    }
    section.fold = Fold(
      summary: "Files, rejected rows, unknown words, what is worth a look", tables: tables,
      notes: notes, files: ["days.csv", "health.csv", "rejects.csv", "checks.csv"],
      command: PageCommand(result.plan).line("check"))
    return section
  }

  /// The numbers of the headline month as each source counts them, and why they differ; `nil` with one source.
  private var comparedNumbers: Fold.Table? {
    guard let table = otherSources, let month = headlines?.month else { return nil }
    let reports = comparedSources.filter { report in
      table.columns.contains { $0.name == ReportData.words(report.source) }
    }
    let texts = { (place: Int) in table.rows.map { $0[place].words ?? "" } }
    let numbers = texts(0).map { (text: $0, isNumber: true) }
    return Fold.Table(
      caption: "\(PageText.long(month, months)), counted by each source, with its state",
      headings: [("source", false)] + numbers + [("why it differs", false)],
      rows: reports.map { report -> [String] in
        let place = table.columns.firstIndex { $0.name == ReportData.words(report.source) } ?? 0
        let cells = texts(place)
        let why = sourceReasons(report).map(InlineMarkdown.plain).joined(separator: " ")
        return [ReportData.words(report.source).capitalizedFirst] + cells + [why]
      })
  }

  private func counts(_ caption: String, _ all: [(String, Int)]) -> Fold.Table? {
    let sums = Dictionary(all, uniquingKeysWith: +)
    guard !sums.isEmpty else { return nil }
    let sorted = sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return Fold.Table(
      caption, by: "reason", numbers: ["rows"],
      rows: sorted.map { [$0.key, PageText.count($0.value)] })
  }

  /// The kinds of daily report with their days, in the order of the figure.
  private var kinds: [(kind: String, entries: [DayCoverage.Entry])] {
    let order: [ReportKind] = [.sales, .subscriber, .subscription, .subscriptionEvent]
    let groups = Dictionary(grouping: health.days.entries, by: \.kind)
    let names =
      order.map(\.rawValue).filter { groups[$0] != nil }
      + groups.keys.filter { kind in !order.contains { $0.rawValue == kind } }.sorted()
    return names.map { ($0, groups[$0] ?? []) }
  }

  private var healthLead: Phrase {
    let kinds = kinds
    let all = kinds.reduce(0) { $0 + Set($1.entries.map(\.day)).count }
    guard all > 0 else {
      let rows = result.files.filter(\.isReceiptDump).map(\.rows)
      let (read, used) = (rows.map(\.read).reduce(0, +), rows.map(\.used).reduce(0, +))
      return rows.isEmpty
        ? "No daily report is in the input."
        : "All data are receipts: \(PageText.count(used)) of \(PageText.counted(read, "row")) are used, the others are left aside or rejected."
    }
    let missing = kinds.compactMap { kind, entries -> MissingDays.Kind? in
      let days = Set(entries.filter { $0.state == .missing }.map(\.day)).sorted()
      return days.isEmpty
        ? nil : MissingDays.Kind(name: ReportData.name(ofKind: kind), days: days)
    }
    let count = missing.reduce(0) { $0 + $1.days.count }
    if count == 0 {
      let pending = Set(health.days.entries.filter { $0.state == .pending }.map(\.day)).count
      let more = pending == 0 ? "" : " \(PageText.counted(pending, "day")) may still come."
      let known =
        all == 1 ? "The only daily report is" : "All \(PageText.count(all)) daily reports are"
      return Phrase("\(known) there.\(more)")
    }
    let texts = Self.texts(missing, of: kinds.count)
    let last = kinds.flatMap(\.entries).map(\.day).max() ?? Day.last
    let newest = missing.flatMap(\.days).max() ?? last
    let available = last - newest < 365
    let start =
      count == all
      ? "No daily report is there."
      : "\(PageText.count(all - count)) of \(PageText.counted(all, "daily report")) are there."
    let end =
      available
      ? "Apple keeps daily reports for 365 days: \(count == 1 ? "it" : "the newest") can be downloaded until \(PageText.day(newest + 365))."
      : "Apple keeps daily reports for 365 days: \(count == 1 ? "it" : "they") can no longer be downloaded."
    return Phrase("\(start) Missing: \(texts.inWords())\(spoiled(missing)). \(end)")
  }

  /// Returns missing days in words, first those that all kinds of report lack: `all reports of 1 to 31 Mar 2026`.
  private static func texts(_ missing: [MissingDays.Kind], of count: Int) -> [String] {
    let shared =
      count > 1 && missing.count == count
      ? missing.dropFirst().reduce(Set(missing[0].days)) { $0.intersection($1.days) } : []
    let all = MissingDays.Kind(name: "all reports", days: shared.sorted())
    let others = missing.map { kind in
      MissingDays.Kind(name: kind.name, days: kind.days.filter { !shared.contains($0) })
    }
    return ([all] + others).filter { !$0.days.isEmpty }.map {
      ReportData.text($0, year: true, atMost: 2)
    }
  }

  /// Returns which numbers of which months lack something, as the end of a sentence; blank where it would be long.
  private func spoiled(_ missing: [MissingDays.Kind]) -> String {
    // Of Subscription reports numbers need those of the months' last days.
    let missing = missing.filter { kind in
      kind.name != ReportData.name(ofKind: ReportKind.subscription.rawValue)
        || kind.days.contains { months.lastDay(of: months.month(of: $0)) == $0 }
    }
    let found = Set(missing.flatMap { $0.days.map { months.month(of: $0) } }).sorted()
    let names = Set(missing.map(\.name))
    let numbers = Self.numbers(from: headlines?.headlineSource)
      .filter { names.contains($0.report) }.flatMap(\.numbers).unique
    guard !found.isEmpty, found.count <= 3, !numbers.isEmpty else { return "" }
    let shown = found.map { PageText.long($0, months) }.inWords()
    return ", so \(numbers.inWords()) of \(shown) \(Self.isOne(numbers) ? "is" : "are") incomplete"
  }

  private var strips: SectionFigure? {
    let kinds = kinds
    let days = kinds.flatMap(\.entries).map(\.day)
    guard let first = days.min(), let last = days.max() else { return nil }
    let length = last - first + 1
    let strips = kinds.map { kind, entries -> DayStrips.Strip in
      var states = [DayStrips.State](repeating: .unexpected, count: length)
      for entry in entries {
        let place = entry.day - first
        let state: DayStrips.State =
          switch entry.state {
          case .missing: .missing
          case .pending, .empty: .hollow
          case .present, .covered: .there
          }
        // The worst of several vendors.
        if states[place] != .missing { states[place] = state }
      }
      let name = ReportData.name(ofKind: kind)
      return DayStrips.Strip(name, states) { range, state in
        let from = PageText.shortDay(first + range.lowerBound)
        let to = PageText.shortDay(first + range.upperBound - 1)
        let word = state == .missing ? "missing" : "empty or may still come"
        return "\(name): \(from == to ? from : "\(from) to \(to)") \(word)"
      }
    }
    var labels: [DayStrips.Month] = []
    var month = first.month
    while month.firstDay <= last {
      let place = max(0, month.firstDay - first)
      labels.append(
        DayStrips.Month(
          PageText.shortest(month, .calendar), year: "\(month.year)", day: place))
      month = month + 1
    }
    let isMissing = kinds.contains { $0.entries.contains { $0.state == .missing } }
    let isHollow = kinds.contains { kind in
      kind.entries.contains { [.empty, .pending].contains($0.state) }
    }
    return SectionFigure(
      caption: "Every day from \(PageText.day(first)) to \(PageText.day(last))",
      legend: [.init(mark: "lt", text: "report is there")]
        + (isMissing ? [.init(mark: "wa", text: "missing")] : [])
        + (isHollow ? [.init(mark: "", text: "thin: empty or may still come")] : []),
      description: healthLead.plain,
      picture: .chart(DayStrips(strips, days: length, months: labels)))
  }

  // MARK: Meaning

  /// The definitions of the numbers on the page, folded.
  func meaningPart(_ sections: [Section]) -> Section {
    Section(
      id: "definitions", title: "What the numbers mean", lead: "",
      fold: Fold(
        summary: "Definitions of all numbers on this page",
        notes: meanings(of: sections)))
  }
}

extension Fold.Table {
  /// Creates the printed form of a table, its states in words.
  init(_ caption: String, _ table: ReportTable) {
    let state = table.columns.firstIndex { $0.name == "state" }
    self.init(
      caption: caption,
      headings: table.columns.map { (HTMLTable.heading($0), $0.isNumeric) },
      rows: table.shownRows.prefix(ReportData.foldedRows).map { row in
        var row = zip(row, table.columns).map { HTMLTable.shown($0, $1) }
        if let state { row[state] = SourceReport.State(rawValue: row[state])?.onPage ?? row[state] }
        return row
      })
  }
}

/// What the numbers on a page mean, a sentence each, as the source that speaks counts them: PAGE.md, "Sections".
///
/// The exact rules are those of METRICS.md; these sentences use no word that a reader must look up.
extension PageContent {
  /// Returns such as `**Active (event reports):** subscriptions that pay, by …`, for the sections that the page has.
  func meanings(of sections: [Section]) -> [String] {
    let named: [(section: String, name: String, table: TableKind)] = [
      ("movement", "Active", .movement), ("churn", "Churn", .churn),
      ("churn", "Renewals", .renewals), ("retention", "Retention", .retention),
      ("trials", "Trials that paid", .trials), ("refunds", "Refunds", .refunds),
      ("money", "Net proceeds", .proceeds), ("money", "Recurring revenue", .recurring),
    ]
    let definitions = named.filter { one in sections.contains { $0.id == one.section } }
      .compactMap { one in
        let source: Source? =
          switch one.table {
          case .retention: retentionSource
          case .proceeds: values.first { $0.headline == .netProceeds }?.source
          case .recurring: revenue.map { Source(rawValue: $0.source) ?? .events }
          default: table(of: one.table, months: 12)?.source
          }
        return source.flatMap { source in
          Self.meaning(one.table, source).map {
            "**\(one.name) (\(ReportData.words(source))):** \($0)"
          }
        }
      }
    return definitions + (finance != nil && app == nil ? Self.settlementMeanings : []) + [
      "**Incomplete:** days of the month are missing. **Not all seen yet:** subscriptions from before the data may not have been charged yet. **Can still change:** a renewal, return or refund may still come. Without a word nothing known is outstanding.",
      "An empty cell means not known; 0 means zero. Beside a rate stand the bounds between which the true rate lies in 95 of 100 such cases. \(ofCurrencies)",
    ]
  }

  /// The source of retention: the headline source where 30 are at risk after the first payment, else the first other one.
  var retentionSource: Source? {
    let rows = tables.whole(.retention)?.namedRows ?? []
    let atRisk = { (source: Source) in
      rows.first { $0.source == source.rawValue && $0["k"] == 1 }?["at_risk"] ?? 0
    }
    if let own = headlines?.headlineSource, atRisk(own) >= ReportData.fewest { return own }
    return [Source.subscribers, .receipts, .events].first { source in
      rows.contains { $0.source == source.rawValue }
    }
  }

  /// Returns what a number counts in a source; `nil` for a table that has none there.
  private static func meaning(_ table: TableKind, _ source: Source) -> String? {
    let isOfEvents = source == .events
    let within = source == .receipts ? "an hour" : "2 days"
    return switch table {
    case .movement:
      isOfEvents
        ? "subscriptions that pay at the end of the month, by Apple's Subscription report of its last day; free trials are left out."
        : "subscriptions in a period that was paid for at the end of the month; free trials are left out."
    case .churn:
      isOfEvents
        ? "cancellations of paid subscriptions in the month, divided by the subscriptions active on the last day before it. After a failed payment Apple reports them when it stops trying, up to 60 days later."
        : "paid periods that ended in the month and were not followed by a charge within 60 days (after a monthly instalment 90), divided by the subscriptions active at the month's start."
    case .renewals:
      isOfEvents
        ? "renewals of paid subscriptions, divided by these, the cancellations at the end of a paid period and the payments that began to fail."
        : "paid periods followed by another charge within \(within), divided by those that were due to renew."
    case .retention:
      isOfEvents
        ? "of 100 who began to pay, how many still paid after a number of payments: the shares that renewed after each payment, multiplied. Apple's events do not follow single subscriptions."
        : "of 100 who began to pay, how many still paid after a number of payments, counted where there was time for it."
    case .trials:
      "free trials followed by a paid charge within 60 days of their end, divided by the trials that began in the month."
    case .refunds:
      "charges paid back in full, divided by the paid charges of the month in which they were sold. What was paid back in a month counts by the day of the refund."
    case .proceeds:
      "what Apple owes you for the month's charges, less what it takes back for the month's refunds."
    case .recurring:
      "the price of each subscription active at the month's end, divided by the months that it pays for: what they pay a month, not what came in."
    default: nil
    }
  }

  private static let settlementMeanings = [
    "**Owed:** the amount that Apple's payments report states. **Unexplained:** what remains of a difference between sales, settlement and amount owed after every known cause; it should be 0."
  ]

  private var ofCurrencies: String {
    guard let target else { return "Currencies are never added up." }
    return
      "Currencies are added up only in the key figures and what changed them, converted to \(MarkdownText.escaped(target))."
  }
}
