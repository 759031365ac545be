import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Settlement
import Storage
import SubscriptionModel
import Tables

/// The first screen of a report and the sections below it: PAGE.md.
///
/// `index.html`, the pages of apps, `summary.md` and `--brief` print it.
struct Answer: Sendable {
  /// Whether the data of the headline month are complete, and what to do.
  struct Status: Sendable {
    let isComplete: Bool
    /// Such as `September is complete`.
    let headline: String
    /// One sentence or two, at most 150 characters.
    let detail: String
  }

  let content: PageContent
  /// The names of the apps.
  let title: String
  /// What the page is about, such as `Subscriptions in September 2026`.
  let subtitle: String
  let status: Status
  let tiles: [Tile]
  let bullets: [Bullet]
  let sections: [Section]
  /// The apps with a page, the one with most active subscriptions first.
  let apps: [AppPage]
  /// The sources of the numbers, for the end of the page.
  let footer: String
  /// A sentence in place of comparisons with a year ago.
  let noYear: String

  init(_ content: PageContent, apps: [AppPage]) {
    self.content = content
    self.apps = apps
    let data = ReportData(content, apps: apps)
    let finance = content.finance
    title = content.app ?? content.result.plan.title ?? Self.title(content.result, apps)
    let limits = content.result.limits()
    let end = limits.isEmpty ? "" : " (\(limits))"
    if let data {
      let isOver = content.result.isOver(data.month)
      subtitle =
        "Subscriptions in \(PageText.long(data.month, data.months))\(isOver ? "" : ", which is not over")\(end)"
      status = data.status
      tiles = data.tiles
      bullets = data.bullets
      noYear = data.noYear
      footer = data.footer
    } else {
      subtitle = finance.map { "Settlements of \($0.periodText)" } ?? "Subscriptions\(end)"
      status = Status(
        isComplete: false, headline: finance.map(Self.headline) ?? "No numbers",
        detail: finance == nil
          ? "The input has no report or receipt that gives a number."
          : "Sales and Subscriber reports would bring active subscriptions, churn and money.")
      (tiles, bullets, noYear, footer) = ([], [], "", "")
    }
    var sections: [Section] = []
    if let data {
      let stock = "Subscriber reports, event reports with snapshots, or receipts"
      let chains = "Subscriber reports or receipts"
      sections =
        [
          data.movementSection ?? .absent("movement", "Who came and who left", stock),
          data.churnSection ?? .absent("churn", "Churn, reasons and renewals", stock),
          data.retentionSection ?? .absent("retention", "Retention", chains),
          data.trialsSection ?? .absent("trials", "Trials", chains),
          data.refundsSection ?? .absent("refunds", "Refunds", chains),
          data.moneySection ?? .absent("money", "Money", data.neededForMoney),
        ] + [data.pricesSection].compactMap(\.self)
    }
    sections += [content.settlementSection, content.healthPart].compactMap(\.self)
    var meaning = content.meaningPart(sections)
    meaning.parts = [data?.otherDashboards].compactMap(\.self)
    sections.append(meaning)
    self.sections = sections
  }

  /// Until which period settlements are verified, where there is nothing else.
  private static func headline(_ finance: FinanceReport) -> String {
    let wrong = finance.periods.last { finance.verdict(of: $0) == .unreconciled }
    if let wrong { return "The settlement of \(wrong) is not reconciled" }
    let verified = finance.periods.last { finance.verdict(of: $0) == .reconciled }
    return verified.map { "Settlements only, verified up to \($0)" }
      ?? "Settlements only, none is verified"
  }

  /// The names of up to two apps, or the first and the number of the others.
  private static func title(_ result: RunResult, _ apps: [AppPage]) -> String {
    let names = apps.isEmpty ? result.appNames : apps.map(\.name)
    switch names.count {
    case 0: return "Your subscriptions"
    case 1, 2: return names.joined(separator: " and ")
    default: return "\(names[0]) and \(names.count - 1) more apps"
    }
  }
}

extension ReportData {
  /// Whether the data of the headline month are complete.
  fileprivate var status: Answer.Status {
    let missing = missingDays
    let shown = content.values.filter { $0.month == month && $0.headline != .refundRate }
    let isAfterGap = source.flatMap(report)?.isAfterMonthWithoutFiles(month) == true
    let isIncomplete =
      shown.contains { [.incomplete, .noData].contains(standing($0)) }
      || missing.count > 0 || isAfterGap || endOfReceipts != nil || cutOffDump != nil
    let name = name(month)
    let extra = extraClause
    guard isIncomplete else {
      var detail: String
      let others = missing.otherCount
      if others > 0 {
        let first = missing.others[0]
        let what =
          others == 1
          ? "1 \(missing.wordOfOthers) report is missing (\(first.fullName), \(PageText.shortDay(first.days[0])))"
          : "\(PageText.count(others)) \(missing.wordOfOthers) reports are missing"
        let ofReasons = reasonsSource.flatMap { $0 == source ? nil : lackedDays($0) }
        detail =
          mayHideCharges(missing.others)
          ? "\(what); active may be too low."
          : !uncompared.isEmpty
            ? "\(what); \(uncompared.inWords()) \(PageContent.isOne(uncompared) ? "lacks" : "lack") a comparison."
            : ofReasons.map { "\(what); why they left lacks \($0)." }
              ?? "\(what); no key figure uses \(others == 1 ? "it" : "them")."
      } else {
        let all = days.entries.filter { $0.state != .pending }.count
        let first = days.entries.map(\.day).min()
        detail =
          all == 0 || first == nil
          ? "Data until \(PageText.day(asOf))."
          : all == 1
            ? "The only daily report is of \(PageText.day(first ?? asOf))."
            : "All \(PageText.count(all)) daily reports since \(PageText.day(first ?? asOf)) are there."
      }
      let headline =
        result.isOver(month) ? "\(name) is complete" : "\(name) is not over"
      return .init(
        isComplete: result.isOver(month), headline: headline,
        detail: Self.joined(extra + [detail] + canStillChange))
    }
    let count = missing.count
    let headline =
      count == 0
      ? "\(name) is incomplete"
      : "\(name) is incomplete: \(PageText.counted(count, "report")) missing"
    var parts: [String] = []
    if !missing.ofMonth.isEmpty {
      let texts = missing.ofMonth.prefix(2).map { Self.text($0, atMost: 2) }
      let download = "download \(count == 1 ? "it" : "them")"
      let notes = missing.ofMonth.flatMap(\.notes).unique
      let advice = notes.filter { $0 != MissingDays.neverCame || !notes.contains("") }.map { note in
        note.isEmpty ? "\(download) again" : note == MissingDays.neverCame ? download : note
      }
      let more = missing.ofMonth.count - texts.count
      parts.append(
        "\(texts.inWords())\(more > 0 ? " and \(more) more" : "")"
          + (missing.arePending
            ? " may still come\(missing.waiting.isEmpty ? "" : " (\(missing.waiting))")."
            : ": \(advice.joined(separator: "; ")).")
      )
    } else if let end = endOfReceipts {
      let numbers =
        (source == .receipts ? ["active subscriptions", "churn"] : []) + ["trials"]
      parts.append(
        "Receipts end on \(PageText.day(end)): take a new dump. Until then \(numbers.inWords()) are incomplete."
      )
    } else if cutOffDump == nil {
      let empty = source.flatMap { emptyReports($0, month) }
      let known =
        empty.map { "\($0.capitalizedFirst): download them again if there were sales." }
        ?? source.flatMap(missingBefore)
      let gap = { shown.lazy.map(\.source).compactMap(gapWords).first }
      // Of reports that have stopped the next sentence says it.
      if known != nil || days.stops.isEmpty {
        parts.append(
          known ?? gap().map { "\($0.capitalizedFirst)." }
            ?? "A report near its first or last day is missing: see Data health.")
      }
    }
    if !missing.arePending, let effect = effect(of: missing) { parts.append(effect) }
    parts += extra
    if missing.otherCount > 0 {
      parts.append(
        "\(PageText.count(missing.otherCount)) \(missing.wordOfOthers) \(missing.otherCount == 1 ? "one is" : "ones are") missing."
      )
    }
    return .init(isComplete: false, headline: headline, detail: Self.joined(parts))
  }

  /// Returns which numbers lack something while reports are missing; `nil` without any.
  private func effect(of missing: MissingDays) -> String? {
    let start = missing.areGone ? "" : "Until then "
    if value(.churnRate).map(isLimit) == true {
      let are = missing.areGone ? "stay" : "are"
      return "\(start)active, net new and churn \(are) limits.".capitalizedFirst
    }
    let effects = missing.ofMonth.flatMap { kind -> [String] in
      guard kind.name == Self.name(ofKind: ReportKind.subscription.rawValue) else {
        return PageContent.numbers(from: source).first { $0.report == kind.name }?.numbers ?? []
      }
      // The report of the month's last day, and that of the day before its first.
      let last = months.lastDay(of: month)
      let ofEvents = source == .events
      let revenue = content.revenue?.source ?? TableKind.recurring.name(of: .events)
      let ofEnd =
        (ofEvents ? ["active subscriptions", "net new"] : [])
        + (revenue == TableKind.recurring.name(of: .events) ? ["recurring revenue"] : [])
      return (kind.days.contains(last) ? ofEnd : [])
        + (ofEvents && kind.days.contains { $0 < last } ? ["net new", "churn"] : [])
    }
    let numbers = effects.unique
    let one = PageContent.isOne(numbers)
    let are = missing.areGone ? one ? "stays" : "stay" : one ? "is" : "are"
    return numbers.isEmpty
      ? nil : "\(start)\(numbers.inWords()) \(are) incomplete.".capitalizedFirst
  }

  /// The tiles without a comparison that data of an earlier month would give, in words.
  private var uncompared: [String] {
    guard firstMonth < month - 1 else { return [] }
    return tiles.filter { tile in
      tile.row != nil && tile.tag.isEmpty
        && (tile.verdict == nil || tile.lines.contains { $0.plain.hasSuffix("no data") })
    }.map { String($0.label.prefix { $0 != "," }).lowercased() }
  }

  /// A dump of receipts that ends inside a record, and the line of that record; `nil` without one.
  private var cutOffDump: (file: FileReport, line: Int)? {
    result.files.lazy.compactMap { file in file.lineOfCut.map { (file, $0) } }.first
  }

  /// Returns that the month before has no report of a source, as a sentence; `nil` where it has one.
  private func missingBefore(_ source: Source) -> String? {
    guard report(source)?.isAfterMonthWithoutFiles(month) == true,
      let kind = PageContent.kinds(source).first?.nameInSentences
    else { return nil }
    return "No \(kind) report of \(name(month - 1)) is there: download them."
  }

  /// Returns whether missing Subscriber reports of the year before may hide subscriptions of numbers on the first screen.
  private func mayHideCharges(_ missing: [MissingDays.Kind]) -> Bool {
    let usesChains =
      source == .subscribers || content.revenue?.source == Source.subscribers.rawValue
    let first = months.firstDay(of: month - 12)
    return usesChains
      && missing.contains { kind in
        kind.name == Self.name(ofKind: ReportKind.subscriber.rawValue)
          && kind.days.contains { first <= $0 && $0 < months.firstDay(of: month) }
      }
  }

  /// The newest day of the data.
  private var asOf: Day { result.sources.map(\.completeness.asOf).max() ?? .last }

  /// What else a reader must know, the most serious first.
  private var extraClause: [String] {
    var clauses: [String] = []
    let leftOut = content.leftOutByFilters
    if !leftOut.isEmpty { clauses.append(leftOut) }
    if let (file, line) = cutOffDump {
      clauses.append(
        "\(file.file.relativePath) is cut off in line \(line): what follows is lost. Copy or take the dump again."
      )
    }
    // A feed that stopped: METRICS.md 8.
    clauses += Self.stopped(days.stops)
    if let note = result.noteOnCountries, source == .receipts {
      clauses.append("\(note.capitalizedFirst).")
    }
    if let finance = content.finance,
      let period = finance.periods.last(where: { finance.verdict(of: $0) == .unreconciled })
    {
      clauses.append("The settlement of \(period) is not reconciled.")
    }
    if switchedFrom != nil {
      clauses.append("Churn is counted from another source.")
    }
    let failed = content.health.checks.all.count { !$0.holds }
    if failed > 0 { clauses.append("\(PageText.counted(failed, "check")) failed.") }
    let files = result.files.count { $0.problem != nil } + result.inputErrors.count
    if files > 0 { clauses.append("\(PageText.counted(files, "file")) cannot be used.") }
    if result.rejectedRows > (cutOffDump == nil ? 0 : 1) {
      clauses.append(
        "\(PageText.counted(result.rejectedRows, "row")) \(result.rejectedRows == 1 ? "is" : "are") rejected."
      )
    }
    return Array(clauses.prefix(2))
  }

  private var canStillChange: [String] {
    guard value(.churnRate).map(standing) == .canStillChange else { return [] }
    let last = months.lastDay(of: month) + 60
    return [
      "Churn, trials and refunds can still change until \(PageText.day(last, year: last.month.year != month.year))."
    ]
  }

  /// Joins sentences as far as they fit into 150 characters; the first always stands.
  private static func joined(_ sentences: [String]) -> String {
    sentences.dropFirst().reduce(sentences.first ?? "") { text, next in
      text.utf8.count + 1 + next.utf8.count <= 150 ? "\(text) \(next)" : text
    }
  }

  fileprivate var noYear: String {
    month - 12 < firstMonth
      ? "nothing of a year ago: reports begin in \(PageText.long(firstMonth, months))" : ""
  }

  /// The sources of the numbers, such as `Churn, movement and reasons: event reports. Trials: Subscriber reports`.
  fileprivate var footer: String {
    var groups: [(source: Source, names: [String])] = []
    func add(_ name: String, _ source: Source?) {
      guard let source else { return }
      if let place = groups.firstIndex(where: { $0.source == source }) {
        groups[place].names.append(name)
      } else {
        groups.append((source, [name]))
      }
    }
    add("churn", source)
    add("movement", source)
    add("reasons", reasonsSource)
    add("trials", value(.conversionRate)?.source ?? value(.conversionSoFar)?.source)
    add("refunds", value(.refundRate)?.source)
    add("retention", content.retentionSource)
    add("money", value(.netProceeds)?.source)
    let revenue = content.revenue.map { revenue in
      let own = Source(rawValue: revenue.source)
      return " Recurring revenue: \(own.map(Self.words) ?? "Apple’s daily counts")."
    }
    return groups.map { "\($0.names.inWords().capitalizedFirst): \(Self.words($0.source))." }
      .joined(separator: " ") + (revenue ?? "")
  }
}
