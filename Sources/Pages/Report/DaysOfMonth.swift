import AppStoreReports
import Counting
import Pipeline
import Settlement
import Storage
import SubscriptionModel
import Tables

/// The days without a report, as the page names them.
struct MissingDays: Sendable {
  /// A kind of report with days of it.
  struct Kind: Sendable {
    let name: String
    /// The vendor, where there are several; blank otherwise.
    var vendor = ""
    let days: [Day]
    /// What to do about them, each once; blank for a day to download again.
    var notes: [String] = []

    var fullName: String { name + ofVendor }
    private var ofVendor: String { vendor.isEmpty ? "" : " of vendor \(vendor)" }

    /// Returns one report, or several, in words.
    func reports(_ count: Int) -> String {
      "\(name) \(count == 1 ? "report" : "reports")\(ofVendor)"
    }
  }

  /// The kinds of report that numbers of the first screen are made from, with their days of the headline month.
  let ofMonth: [Kind]
  /// All other missing days, in no number of the headline month.
  let others: [Kind]
  /// Whether none of the days of the headline month can come: the user accepts them as missing, or Apple has none.
  let areGone: Bool
  /// Whether each day of the headline month may still come.
  let arePending: Bool
  /// The word for the other days: `older` if all are before the headline month.
  let wordOfOthers: String
  /// Until when to wait for them, as an archive of `fetch` knows it; blank where nothing says so.
  let waiting: String

  /// The note of a day after the last report of a kind that has stopped.
  static let neverCame = "no later file"

  /// The days of the headline month.
  var count: Int { ofMonth.map(\.days.count).reduce(0, +) }
  /// The other days.
  var otherCount: Int { others.map(\.days.count).reduce(0, +) }
}

extension ReportData {
  /// Returns a kind of report in words, such as `Subscription Event`; other kinds as they are.
  static func name(ofKind kind: String) -> String {
    switch ReportKind(rawValue: kind) {
    case .sales: "Sales"
    case .subscriber: "Subscriber"
    case .subscription: "Subscription"
    case .subscriptionEvent: "Subscription Event"
    default: kind
    }
  }

  /// Returns `Sales and Subscriber reports stop on 11 June 2026: download the later ones.`, one for each last day.
  static func stopped(_ ends: [FeedEnd]) -> [String] {
    ends.map(\.last).unique.map { last in
      let kinds = ends.filter { $0.last == last }.map { name(ofKind: $0.kind.rawValue) }.unique
      return
        "\(kinds.inWords()) reports stop on \(PageText.day(last)): \(DayCoverage.stopAdvice)."
    }
  }

  /// Returns until when a kind of report that has stopped is there.
  ///
  /// Such as `the last Sales report is of 11 Jun 2026; other reports go on to 31 Jul 2026: download the later ones.`
  static func lastReport(_ end: FeedEnd) -> String {
    let others =
      end.isBehindOthers
      ? "other reports go on to \(PageText.shortDay(end.newest))"
      : "it should reach \(PageText.shortDay(end.reach))"
    return
      "the last \(name(ofKind: end.kind.rawValue)) report is of \(PageText.shortDay(end.last)); \(others): \(DayCoverage.stopAdvice)."
  }

  /// The sources that the first screen's numbers of the headline month are made from, or would be.
  var usedSources: Set<Source> {
    let ofMoney = report(.sales)?.source
    // Of trials the month may be an earlier one because days of this one are missing.
    let ofTrials = Headline.conversionRate.sources(source).first { report($0) != nil }
    return Set(
      content.values.filter { $0.month == month && $0.headline != .refundRate }.map(\.source)
        + [source, ofMoney, ofTrials].compactMap(\.self))
  }

  /// Returns a test of whether those numbers are made from the report of a kind and a day.
  ///
  /// Of Subscription reports they need that of the month's last day and, for changes, of the day before its first.
  private var isUsed: (_ kind: String, _ day: Day) -> Bool {
    let kinds = Set(usedSources.flatMap(PageContent.kinds).map(\.rawValue))
    let ofRevenue = content.revenue.map { $0.source == TableKind.recurring.name(of: .events) }
    let hasSnapshots = report(.events) != nil
    let ends = [
      source == .events ? months.firstDay(of: month) - 1 : nil,
      source == .events || ofRevenue ?? hasSnapshots ? months.lastDay(of: month) : nil,
    ]
    return { kind, day in
      kind == ReportKind.subscription.rawValue
        ? ends.contains(day) : kinds.contains(kind) && months.month(of: day) == month
    }
  }

  /// Returns the days without a report, until the newest day of any report.
  var missingDays: MissingDays {
    struct Feed: Hashable {
      let kind: String
      let vendor: String
    }
    let isUsed = isUsed
    // Days whose report may still come count where no other day of the month is missing.
    var (own, pending, others) = ([Feed: [Day]](), [Feed: [Day]](), [Feed: [Day]]())
    var feeds: [Feed] = []
    var waiting = ""
    var notes: [Feed: [String]] = [:]
    var areGone = true
    for entry in days.entries where entry.state == .missing || entry.state == .pending {
      let feed = Feed(
        kind: entry.kind, vendor: days.hasSeveralVendors(entry.kind) ? entry.vendor : "")
      if !feeds.contains(feed) { feeds.append(feed) }
      if isUsed(entry.kind, entry.day) {
        if entry.state == .missing {
          own[feed, default: []].append(entry.day)
          let isAccepted = days.isAccepted(entry)
          let usual = entry.isAfterEnd ? MissingDays.neverCame : ""
          notes[feed, default: []].append(
            isAccepted ? "accepted as missing" : entry.fetched?.note ?? usual)
          areGone =
            areGone && (isAccepted || [.gone, .refused].contains(entry.fetched?.state))
        } else {
          pending[feed, default: []].append(entry.day)
          waiting = entry.note
        }
      } else if entry.state == .missing {
        others[feed, default: []].append(entry.day)
      }
    }
    let list = { (days: [Feed: [Day]]) in
      feeds.compactMap { feed in
        days[feed].map {
          MissingDays.Kind(
            name: Self.name(ofKind: feed.kind), vendor: feed.vendor, days: $0.sorted(),
            notes: notes[feed]?.unique ?? [])
        }
      }
    }
    let arePending = own.isEmpty && !pending.isEmpty
    return MissingDays(
      ofMonth: list(arePending ? pending : own), others: list(others), areGone: areGone,
      arePending: arePending,
      wordOfOthers: others.values.joined().allSatisfy { $0 < months.firstDay(of: month) }
        ? "older" : "other",
      waiting: waiting)
  }

  /// Returns days of one kind in words, such as `Subscriber of 21 Sep` or `Sales of 3 to 9 Sep`.
  static func text(_ kind: MissingDays.Kind, year: Bool = false, atMost limit: Int = 3) -> String {
    "\(kind.fullName) of \(text(kind.days, year: year, atMost: limit))"
  }

  /// Returns days in words: runs of days as `3 to 9 Sep`, of many the newest and the number of the rest.
  static func text(_ days: [Day], year: Bool, atMost limit: Int) -> String {
    let runs = days.unique.sorted().runs { $0 + 1 }
    let texts = runs.suffix(limit).map { run -> String in
      let last = PageText.shortDay(run.upperBound, year: year)
      if run.lowerBound == run.upperBound { return last }
      let isOneMonth = run.lowerBound.month == run.upperBound.month
      let first =
        isOneMonth ? "\(run.lowerBound.dayOfMonth)" : PageText.shortDay(run.lowerBound, year: false)
      return "\(first) to \(last)"
    }
    let rest = runs.dropLast(limit).reduce(0) { $0 + ($1.upperBound - $1.lowerBound) + 1 }
    if rest > 0 {
      return "\(texts.joined(separator: ", ")) and \(PageText.counted(rest, "more day"))"
    }
    return texts.inWords()
  }
}
