import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import Scanning
import Storage
import SubscriptionModel
import Tables

/// The health of the data in one line, at the top of the pages.
extension HealthSection {
  /// Returns the figures that lack the days of a kind of report in a month, such as `churn rate`; none where they come
  /// from other reports.
  typealias FiguresOfDays = (_ kind: String, _ month: Month) -> [String]

  /// Returns the health in one line, in Markdown: the days of the headline month, those of other months, and how many
  /// files, rows and events are in no number; details are in the section.
  ///
  /// - Parameter figures: Says what missing days do to which figure; `nil` where no figure is known.
  /// - Returns: The sentences.
  func line(_ figures: FiguresOfDays?) -> String {
    guard problems.contains(where: { !$0.kind.isEmpty }) else { return allIsWell }
    let month = days.entries.isEmpty ? nil : result.lastCompleteMonth()
    var sentences = stops(figures) + (month.map { daysOf($0, figures) } ?? [])
    var states: [DayCoverage.State] = [.missing, .empty]
    if let month {
      sentences += missingDays(in: { $0 != month }, figures)
      states = [.empty]
    }
    let others = dayCounts(states) { month == nil || $0 != month }
    if !others.isEmpty {
      let place = month == nil ? "Days of the data" : "In other months"
      sentences.append("\(place): \(others.joined(separator: ", ")).")
    }
    let counts = notCounted
    if !counts.isEmpty { sentences.append("In no number: \(counts.joined(separator: ", ")).") }
    let failed = checks.all.count { !$0.holds }
    if failed > 0 { sentences.append("\(counted(failed, "check")) failed.") }
    if let settlements = finance?.problemSentence { sentences.append(settlements) }
    return (sentences + ["More under Health of the data."]).joined(separator: " ")
  }

  /// Returns whether days of the headline month are missing, empty or restated, in sentences.
  private func daysOf(_ month: Month, _ figures: FiguresOfDays?) -> [String] {
    let name = month.longName(result.plan.monthSystem)
    let own = daysOfKinds(in: month)
    // An app that seldom sells has nearly no rows in the month before too.
    let before = daysOfKinds(in: month - 1).filter(\.isNearlyEmpty).map(\.kind)
    let withoutRows = own.filter { days in
      days.empty > 0 && days.isWhole || days.isNearlyEmpty && !before.contains(days.kind)
    }
    let empty = withoutRows.map(\.kind)
    let missing = missingDays(in: { $0 == month }, besides: empty, figures)
    var sentences: [String] = []
    let waiting = days.entries.filter { entry in
      entry.state == .pending && entry.fetched?.state == .pending
        && result.plan.monthSystem.month(of: entry.day) == month
    }
    sentences += waiting.map {
      "**`\($0.kind)` of \($0.day) is \($0.note)**; until then \(name) is `partial`."
    }
    if !missing.isEmpty {
      sentences += missing.map { "**\($0)**" }
      sentences.append("Download these reports again (\(RunResult.keptDays)).")
    } else if withoutRows.isEmpty, waiting.isEmpty, counts(.missing, month).isEmpty {
      sentences.append("No day of \(name) is missing.")
    }
    sentences += self.withoutRows(withoutRows, name)
    let states: [DayCoverage.State] = withoutRows.isEmpty ? [.empty] : []
    let inIt = dayCounts(states) { $0 == month }
    if !inIt.isEmpty { sentences.append("In it: \(inIt.joined(separator: ", ")).") }
    return sentences
  }

  /// Returns which reports have stopped, and which figures lack their days.
  private func stops(_ figures: FiguresOfDays?) -> [String] {
    days.stops.flatMap { end -> [String] in
      let monthOf = result.plan.monthSystem.month(of:)
      let months = ([end.last] + end.missing).map(monthOf).unique
      let touched = figures.map { figures in
        months.map { (month: $0, figures: figures(end.kind.rawValue, $0)) }
          .filter { !$0.figures.isEmpty }
      }
      let consequence = touched.map {
        Self.consequence($0.flatMap(\.figures).unique, of: names($0.map(\.month)))
      }
      return ["**\(MarkdownText.escaped(days.line(end))).**"]
        + [consequence].compactMap { $0.map { $0.capitalizedFirst + "." } }
    } + (days.stops.isEmpty ? [] : ["Download the reports after that day (\(RunResult.keptDays))."])
  }

  /// The most ranges of days, and the most months, in a sentence.
  private static let (shownRanges, shownMonths) = (3, 2)

  /// Days of one kind of report that have no file, and what that does.
  private struct Gap: Equatable {
    var days: [Day]
    /// The figures that lack the days; `nil` where no figure is known.
    var figures: [String]?
    /// The months of the figures.
    var months: [Month]
  }

  /// Returns which days of some months have no file and which figures lack them; one sentence for kinds of reports that
  /// lack the same days and touch the same figures.
  ///
  /// Such as: 7 days of `subscriber` are missing (2026-08-10 to 2026-08-16): churn rate and renewal rate of August 2026
  /// are `partial`.
  ///
  /// - Parameters:
  ///   - isShown: Returns whether the days of a month are named.
  ///   - others: The kinds, in Markdown, that are named elsewhere.
  ///   - figures: Says what the days do to which figure.
  /// - Returns: The sentences, in Markdown.
  private func missingDays(
    in isShown: (Month) -> Bool, besides others: [String] = [], _ figures: FiguresOfDays?
  ) -> [String] {
    let monthOf = result.plan.monthSystem.month(of:)
    var found: [(kinds: [String], gap: Gap)] = []
    for group in days.groups(in: .missing) {
      let kind = Self.name(group.kind, group.vendor)
      let own = group.days.filter { isShown(monthOf($0)) }
      guard !own.isEmpty, !others.contains(kind) else { continue }
      let touched = own.map(monthOf).unique.map { month in
        (month: month, figures: figures?(group.kind, month) ?? [])
      }.filter { !$0.figures.isEmpty }
      let gap = Gap(
        days: own, figures: figures == nil ? nil : touched.flatMap(\.figures).unique,
        months: touched.map(\.month))
      if let place = found.firstIndex(where: { $0.gap == gap }) {
        found[place].kinds.append(kind)
      } else {
        found.append((kinds: [kind], gap: gap))
      }
    }
    // What touches a figure comes first.
    let isTouched = { (gap: Gap) in gap.figures?.isEmpty == false }
    return (found.filter { isTouched($0.gap) } + found.filter { !isTouched($0.gap) })
      .map { sentence($0.kinds, $0.gap) }
  }

  private func sentence(_ kinds: [String], _ gap: Gap) -> String {
    let days = gap.days.inRanges.listed(atMost: Self.shownRanges)
    let each = kinds.count > 1 ? " each" : ""
    let isOneDay = gap.days.count == 1 && kinds.count == 1
    let start =
      "\(counted(gap.days.count, "day"))\(each) of \(kinds.inWords()) \(isOneDay ? "is" : "are") missing (\(days))"
    guard let figures = gap.figures else { return start + "." }
    let sign = figures.isEmpty ? ";" : ":"
    return "\(start)\(sign) \(Self.consequence(figures, of: names(gap.months)))."
  }

  /// Returns what missing days do to figures of some months.
  private static func consequence(_ figures: [String], of months: String) -> String {
    guard !figures.isEmpty else { return "no headline number is made from these" }
    let isOne = figures.count == 1 && !figures[0].hasSuffix("s")
    return "\(figures.inWords()) of \(months) \(isOne ? "is" : "are") `partial`"
  }

  /// Returns months in words; of many their number.
  private func names(_ months: [Month]) -> String {
    let names = months.map { $0.longName(result.plan.monthSystem) }
    return names.count > Self.shownMonths ? "\(names.count) months" : names.inWords()
  }

  /// Returns a kind of report, and the vendor if there are several, in Markdown.
  private static func name(_ kind: String, _ vendor: String) -> String {
    "`\(kind)`" + ofVendor(vendor)
  }

  /// Returns such as ` of vendor 80012345`, in Markdown; blank for the only vendor.
  static func ofVendor(_ vendor: String) -> String {
    vendor.isEmpty ? "" : " of vendor \(MarkdownText.escaped(vendor))"
  }

  /// The days of a month without rows, of one kind of report, and of one vendor if there are several.
  private struct DaysOfKind {
    /// The kind and the vendor, in Markdown.
    var kind: String
    /// Whether it is the kind of a report whose missing charges look like losses.
    var isOfSubscribers: Bool
    var empty: Int
    var missing: Int
    /// The days of the month.
    var length: Int

    /// Whether no day has rows.
    var isWhole: Bool { empty + missing == length }
    /// Whether the files of at least nine tenths of the days are empty.
    var isNearlyEmpty: Bool { 10 * empty >= 9 * length }

    /// How many files are empty and missing.
    var words: String {
      let others = missing == 0 ? "" : ", \(missing) \(missing == 1 ? "is" : "are") missing"
      return "\(empty) of \(length) daily files \(empty == 1 ? "is" : "are") empty\(others)"
    }
  }

  /// Returns the days without rows of a month.
  private func daysOfKinds(in month: Month) -> [DaysOfKind] {
    let months = result.plan.monthSystem
    let length = months.lastDay(of: month) - months.firstDay(of: month) + 1
    let (empty, missing) = (counts(.empty, month), counts(.missing, month))
    let kinds = (missing + empty).map(\.kind).unique
    return kinds.map { kind in
      DaysOfKind(
        kind: kind, isOfSubscribers: kind.hasPrefix("`\(ReportKind.subscriber.rawValue)`"),
        empty: empty.first { $0.kind == kind }?.days ?? 0,
        missing: missing.first { $0.kind == kind }?.days ?? 0, length: length)
    }
  }

  /// Returns which reports have no rows in a month, or nearly none, and what to do about it; none without any.
  private func withoutRows(_ kinds: [DaysOfKind], _ name: String) -> [String] {
    guard !kinds.isEmpty else { return [] }
    let start = "**\(name.capitalizedFirst) has"
    var sentences: [String] = []
    let empty = kinds.filter { $0.empty == $0.length }.map(\.kind)
    if !empty.isEmpty, let length = kinds.first?.length {
      sentences.append(
        "\(start) no rows in \(empty.joined(separator: ", ")): all \(length) daily files\(empty.count == 1 ? "" : " of each") are empty.**"
      )
    }
    for kind in kinds where kind.empty < kind.length {
      sentences.append(
        "\(start) \(kind.isWhole ? "no" : "nearly no") rows in \(kind.kind): \(kind.words).**")
    }
    let losses =
      kinds.contains(where: \.isOfSubscribers)
      ? ", and `\(Source.subscribers.rawValue)` counts their renewals as losses" : ""
    return sentences + [
      "If there were sales, download these files again: until then no table has them\(losses)."
    ]
  }

  /// Returns the reports of a month that have no rows.
  func emptyReports(in month: Month) -> EmptyReports {
    days.emptyReports(in: month, result.plan.monthSystem)
  }

  /// Returns the numbers of days that are missing, empty or restated, such as `1 missing day (2026-02-26)`.
  ///
  /// A day counts once for each kind of report.
  ///
  /// - Parameters:
  ///   - states: The states to count besides restated days.
  ///   - isCounted: Whether days of a month count.
  /// - Returns: The numbers above 0; a single day is named.
  private func dayCounts(
    _ states: [DayCoverage.State] = [.missing, .empty], in isCounted: (Month) -> Bool
  ) -> [String] {
    let own = days.entries.filter { isCounted(result.plan.monthSystem.month(of: $0.day)) }
    let found =
      states.map { state in (state.rawValue, own.filter { $0.state == state }) }
      + [("restated", own.filter(\.isRestated))]
    var isOfSeveral = false
    let counts = found.compactMap { word, entries -> String? in
      guard let first = entries.first?.day else { return nil }
      let (count, days) = (DayCoverage.count(entries), Set(entries.map(\.day)).count)
      if count > days { isOfSeveral = true }
      return counted(count, "\(word) day") + (days == 1 ? " (\(first))" : "")
    }
    guard isOfSeveral, let last = counts.last else { return counts }
    return counts.dropLast() + ["\(last); each kind of report is counted by itself"]
  }

  /// The files, rows and events that are in no number; none where there are none.
  private var notCounted: [String] {
    let folders = result.inputErrors.count(where: \.isOfFolder)
    let files =
      result.files.count { $0.problem != nil } + result.inputErrors.count { !$0.isOfFolder }
    let unknown = result.sources.first { $0.source == .events }?.tally.unknownEvents ?? [:]
    let counts = [
      (number: folders, noun: "unreadable folder"), (number: files, noun: "unusable file"),
      (number: result.rejectedRows, noun: "rejected row"),
      (number: unknown.values.reduce(0, +), noun: "unknown event"),
    ]
    return counts.filter { $0.number > 0 }.map { counted($0.number, $0.noun) }
  }

  /// Returns the number of days of a month in a state, by kind of report and vendor in Markdown; none where it is 0.
  private func counts(
    _ state: DayCoverage.State, _ month: Month
  ) -> [(kind: String, days: Int)] {
    days.groups(in: state, withStops: true).map { group in
      (
        Self.name(group.kind, group.vendor),
        group.days.count { result.plan.monthSystem.month(of: $0) == month }
      )
    }.filter { $0.days > 0 }
  }

  // MARK: Receipts

  /// Returns the rows of receipts, in Markdown; blank without receipts.
  ///
  /// - Parameter withReasons: Whether to say why rows are left aside; the page has a table of the reasons.
  /// - Returns: The sentence.
  package func receiptLine(withReasons: Bool) -> String {
    guard let note = result.receiptNote else { return "" }
    let rows = result.files.filter(\.isReceiptDump).map(\.rows)
    let sum = { (count: (RowCounts) -> Int) in rows.map(count).reduce(0, +) }
    let text = { (count: (RowCounts) -> Int) in NumberStyle.grouped(sum(count)) }
    var reasons: [String: Int] = [:]
    for (reason, count) in rows.flatMap(\.ignored) { reasons[reason.words, default: 0] += count }
    let why = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key): \(NumberStyle.grouped($0.value))" }.joined(separator: ", ")
    let shownReasons = withReasons && !why.isEmpty ? " (\(why))" : ""
    return """
      Receipts: \(counted(sum(\.read), "row")) in \(counted(rows.count, "dump")), \(text(\.used)) used, \
      \(text(\.rejected)) rejected, \(text(\.ignoredTotal)) left aside\(shownReasons); \
      \(ReceiptRemarks.words(note)).
      """
  }
}
