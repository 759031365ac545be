import AppStoreReports
import Counting
import Files
package import Pipeline
import Storage
package import SubscriptionModel
package import Tables

/// The days with and without a report: METRICS.md section 8.
package struct DayCoverage: Sendable {
  package enum State: String, Sendable {
    /// A file with rows.
    case present
    /// A file with a header and no rows.
    case empty
    /// No file of its own, but in a SALES report of a week or a month.
    case covered
    /// No file.
    case missing
    /// No file yet: it may be late.
    case pending
  }

  /// A day for one kind of report.
  package struct Entry: Sendable {
    /// The kind, as health.csv prints it.
    package let kind: String
    /// The vendor of the report; blank when no name has one.
    package let vendor: String
    package let day: Day
    package let state: State
    /// The file; blank for a missing day.
    package let file: String
    /// Whether the file replaces an earlier version of the day's report.
    package let isRestated: Bool
    /// Whether the day is missing because its file cannot be used.
    var isOfUnusableFile = false
    /// What an archive of `fetch` says about a day without a file; `nil` without one.
    fileprivate(set) var fetched: FetchedDays.Entry?
    /// Whether the reports have stopped before the day, which then has no line of its own.
    package var isAfterEnd: Bool { lastBefore != nil }
    /// The last day with a report, where none follows although other reports go on; `nil` for any other day.
    fileprivate(set) var lastBefore: Day?
    /// What the column `note` says; blank for most days.
    package var note: String {
      fetched?.note ?? lastBefore.map { "no file after \($0)" } ?? ""
    }
    /// The state as `days.csv` prints it.
    var stateText: String {
      switch fetched?.state {
      case .gone?, .refused?: fetched?.state.rawValue ?? ""
      default: state.rawValue
      }
    }
  }

  /// Every day of every kind, sorted by kind, vendor and day.
  package private(set) var entries: [Entry]
  /// The kinds with files of more than a day and no others, as health.csv prints them.
  let longerKinds: Set<String>
  /// The reports that have stopped although others go on, or that do not reach the day of `--through`.
  package private(set) var stops: [FeedEnd]
  /// The vendors of each kind; a report without a vendor in its name is of none.
  private let vendors: [String: Set<String>]
  private let accepted: AcceptedFaults
  let months: MonthSystem

  init(_ result: RunResult) {
    (accepted, months) = (result.plan.accepted, result.plan.monthSystem)
    let restated = Set<ExactText>(of: result.restatements.map(\.new))
    // Where later reports follow, the days are missing as any others.
    let ends = result.feedEnds.filter { !$0.isFollowed }
    stops = ends.filter { !$0.missing.isEmpty }
    entries = FeedEnd.kinds.flatMap { kind in
      Self.entries(of: kind, result, restated, ends.filter { $0.kind == kind })
    }.sorted {
      ($0.kind, $0.vendor, $0.day, $0.file) < ($1.kind, $1.vendor, $1.day, $1.file)
    }
    vendors = entries.reduce(into: [:]) { vendors, entry in
      if !entry.vendor.isEmpty { vendors[entry.kind, default: []].insert(entry.vendor) }
    }
    let sales = VendorDays(.sales, result.files).items
    let hasOnlyLonger = !sales.isEmpty && sales.allSatisfy { $0.days.lowerBound < $0.day }
    longerKinds = hasOnlyLonger ? [ReportKind.sales.rawValue] : []
  }

  private static func entries(
    of kind: ReportKind, _ result: RunResult, _ restated: Set<ExactText>, _ ends: [FeedEnd]
  ) -> [Entry] {
    // Files after as-of get no entry, but show that reports should exist for the days before them.
    let fetched = result.plan.fetched
    let found = VendorDays(
      kind, result.files, closed: result.closedVendors, fetched: fetched, includesLater: true)
    guard let first = found.items.map(\.day).min(), let last = found.lastDay else { return [] }
    let asOf = min(last, result.plan.asOf ?? last)
    // A copy of another vendor's file, such as one without rows, still is a report of its own vendor's day.
    let items = found.items.filter { item in
      !item.isCopy && !result.files[item.file].isAfterAsOf && item.day <= asOf
    }
    // A name without a vendor is of the only one.
    let isOfSeveral = Set(items.map(\.vendor)).subtracting([""]).count > 1
    let owner = { (item: VendorDays.Item) in isOfSeveral ? item.vendor : "" }
    let ownDays = Dictionary(grouping: items.filter { $0.days.lowerBound == $0.day }, by: owner)
      .mapValues { Set($0.map(\.day)) }
    var entries = items.flatMap { item -> [Entry] in
      let file = result.files[item.file]
      let path = file.file.relativePath
      let isDaily = item.days.lowerBound == item.day
      let state: State = !isDaily ? .covered : file.rows.read == 0 ? .empty : .present
      let days = (item.days.lowerBound.number...item.day.number).map(Day.init(number:)).filter {
        isDaily || ownDays[owner(item)]?.contains($0) != true
      }
      return days.map { day in
        Entry(
          kind: kind.rawValue, vendor: item.vendor, day: day, state: state, file: path,
          isRestated: restated.contains(path))
      }
    }
    // Only SALES has longer periods, and a report of one covers its days.
    let isDaily =
      kind == .sales
      || found.items.allSatisfy { result.files[$0.file].period == $0.day.description }
    guard isDaily, first <= asOf else { return entries }
    let unusable = result.files.filter { $0.kind == kind && $0.problem != nil }
    var withoutFile = found.missing(until: asOf).mapValues {
      $0.map { (day: $0, state: State.missing) }
    }
    for end in ends {
      let known = Set(withoutFile[end.vendor, default: []].map(\.day))
      let days =
        end.missing.map { (day: $0, state: State.missing) }
        + end.pending.map { (day: $0, state: State.pending) }
      withoutFile[end.vendor, default: []] += days.filter { !known.contains($0.day) }
    }
    // A file of the day counts, whatever an archive beside it says.
    let withFile = Set(items.map(\.day))
    for (vendor, days) in found.empty {
      withoutFile[vendor, default: []] += days.filter {
        first <= $0 && $0 <= asOf && !withFile.contains($0)
      }.map { (day: $0, state: State.empty) }
    }
    for (vendor, days) in withoutFile {
      let end = ends.first { $0.vendor == vendor && !$0.missing.isEmpty }
      entries += days.map { day, state in
        let isUnusable = unusable.contains { $0.day == day && $0.vendor == vendor }
        var known = isUnusable ? nil : fetched.entry(kind, vendor, day)
        // The archive has a file that is no report.
        let isDamaged = known?.state == .present
        if isDamaged { known = nil }
        let state = known?.state == .pending ? .pending : state
        let isAfterEnd = state == .missing && !isUnusable && end.map { day > $0.last } == true
        return Entry(
          kind: kind.rawValue, vendor: vendor, day: day, state: state, file: "", isRestated: false,
          isOfUnusableFile: isUnusable || isDamaged, fetched: known,
          lastBefore: isAfterEnd ? end?.last : nil)
      }
    }
    return entries
  }

  /// Returns whether reports of a kind are from several vendors, so that a day needs its vendor beside it.
  package func hasSeveralVendors(_ kind: String) -> Bool {
    (vendors[kind]?.count ?? 0) > 1
  }

  /// Returns the vendor of a day in words; blank unless there are several vendors.
  func vendorText(_ entry: Entry) -> String {
    hasSeveralVendors(entry.kind)
      ? " of vendor \(entry.vendor.isEmpty ? "unknown" : entry.vendor)" : ""
  }

  /// The days of one kind, and of one vendor if there are several.
  struct Group {
    /// The kind, and the vendor if there are several.
    var kind: String
    var vendor: String
    /// The days, in order, each once.
    var days: [Day]
    var unusable: Set<Day> = []
    /// What an archive of `fetch` says about all of them; `nil` without one.
    var fetched: FetchedDays.Entry?

    var name: String { vendor.isEmpty ? kind : "\(kind) of vendor \(vendor)" }

    /// Returns the days in words; a day whose file cannot be used says so.
    func dayText(atMost limit: Int) -> String {
      days.map { unusable.contains($0) ? "\($0) (its file cannot be used)" : "\($0)" }
        .listed(atMost: limit)
    }
  }

  /// Returns the days in a state by kind, and by vendor if there are several.
  func groups(in state: State, withStops: Bool = false) -> [Group] {
    let shown = entries.filter {
      $0.state == state && (withStops || !$0.isAfterEnd)
        && $0.fetched?.state != FetchedDays.State.none
    }
    let own = Dictionary(grouping: shown) { entry in
      [entry.kind, hasSeveralVendors(entry.kind) ? entry.vendor : "", entry.fetched?.note ?? ""]
    }
    return own.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, days in
      Group(
        kind: key[0], vendor: key[1], days: Set(days.map(\.day)).sorted(),
        unusable: Set(days.filter(\.isOfUnusableFile).map(\.day)), fetched: days[0].fetched)
    }
  }

  /// Returns the number of days in a state, of one kind or of all: of all, a day counts once for each.
  package func count(_ state: State, kind: String? = nil) -> Int {
    Self.count(entries.filter { $0.state == state && (kind == nil || $0.kind == kind) })
  }

  /// The words of ``line(_:)`` before the day.
  package static let stopWords = " stop on "
  /// The first words of that line, of each kind of report.
  package static let stopBeginnings = FeedEnd.kinds.map { "\($0.rawValue) reports" }

  /// What to do about reports that have stopped.
  package static let stopAdvice = "download the later ones"

  /// Returns such as `subscriber reports stop on 2026-09-09; other reports go on to 2026-09-30`: METRICS.md 8.
  package func line(_ end: FeedEnd) -> String {
    let isOfSeveral = hasSeveralVendors(end.kind.rawValue) && !end.vendor.isEmpty
    let vendor = isOfSeveral ? " of vendor \(end.vendor)" : ""
    let start = "\(end.kind.rawValue) reports\(vendor)\(Self.stopWords)\(end.last); "
    return start
      + (end.isBehindOthers
        ? "other reports go on to \(end.newest)" : "--through asks for \(end.reach)")
  }

  /// The lines of all reports that have stopped.
  package var stopLines: [String] { stops.map(line) }

  /// Returns whether a day is missing, and the user accepts that.
  package func isAccepted(_ entry: Entry) -> Bool {
    entry.state == .missing && accepted.accepts(.missing, entry.kind, entry.day, of: entry.vendor)
  }

  /// The days without those that the user accepts as missing, for messages and exit codes.
  package var unaccepted: DayCoverage {
    guard !accepted.entries.isEmpty else { return self }
    var days = self
    days.entries.removeAll(where: isAccepted)
    days.stops.removeAll(where: accepted.accepts)
    return days
  }

  /// Returns the number of days of some entries: a day counts once for each kind of report.
  package static func count(_ entries: [Entry]) -> Int {
    Set(entries.map { "\($0.kind) \($0.day)" }).count
  }

  /// `days.csv`.
  package var longTable: LongTable {
    LongTable(
      name: "days",
      columns: ["kind", "vendor", "day", "state", "file", "restated", "note"].map {
        ReportTable.Column($0, .text)
      },
      count: entries.count
    ) { [entries] row in
      let entry = entries[row]
      return [
        .text(entry.kind), .text(entry.vendor), .text(entry.day.description),
        .text(entry.stateText), .text(entry.file), .text(entry.isRestated ? "yes" : "no"),
        .text(entry.note),
      ]
    }
  }
}

extension RunResult {
  /// The days with and without a report.
  package var days: DayCoverage { DayCoverage(self) }

  /// Returns whether days of a month are missing in a source; `false` for a source that the run does not have.
  package func lacksDays(_ source: String, _ month: Month) -> Bool {
    sources.first { $0.source.rawValue == source }?.completeness.isPartial(month) ?? false
  }

  /// The months whose churn is `partial`, by source: also one before a month without files, which ends in it.
  package var partialChurn: [Source: Set<Month>] {
    let whole = plan.views.firstIndex(of: [])
    let churn = whole.flatMap { try? tableMaker().table(.churn, view: $0, needsRates: false) }
    return (churn?.namedRows ?? []).reduce(into: [:]) { partial, row in
      guard row.text("state") == SourceReport.State.partial.rawValue,
        let source = Source(rawValue: row.source),
        let month = plan.monthSystem.month(named: row.text("month"))
      else { return }
      partial[source, default: []].insert(month)
    }
  }
}
