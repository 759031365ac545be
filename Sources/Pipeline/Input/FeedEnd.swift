package import AppStoreReports
import Scanning
package import SubscriptionModel

/// The last report of a kind and a vendor, and the days after it that have none: METRICS.md section 8, *A feed that
/// stopped*.
package struct FeedEnd: Sendable {
  /// The kinds of report that Apple makes every day.
  package static let kinds: [ReportKind] = [
    .sales, .subscriber, .subscription, .subscriptionEvent,
  ]

  package let kind: ReportKind
  /// The vendor; blank when no name has one.
  package let vendor: String
  /// The last day that a report covers.
  package let last: Day
  /// The newest day of any report of the vendor.
  package let newest: Day
  /// The day of `--through`; `nil` without it.
  package let through: Day?
  /// Whether there are reports of later days, which as-of leaves out.
  package let isFollowed: Bool
  /// The number of days after which a report is not late but missing.
  private let patience: Int

  /// The day up to which the vendor has reports, or should have them.
  package var reach: Day { max(newest, through ?? newest) }

  /// The days of which an archive of `fetch` says that Apple has not made the report yet.
  private let waiting: Set<Day>

  /// The days without a report for longer than one may be late.
  package var missing: [Day] {
    days(last + 1, reach - patience).filter { !waiting.contains($0) }
  }

  /// The days whose report may still come.
  package var pending: [Day] {
    days(last + 1, reach).filter { waiting.contains($0) || $0 > reach - patience }
  }

  /// Whether reports are missing although the vendor has reports of later days.
  package var isBehindOthers: Bool { missing.contains { $0 <= newest - patience } }

  /// Whether reports of `--through`, or of days before it, are missing.
  package var fallsShort: Bool { through.map { last < $0 - patience } ?? false }

  private func days(_ first: Day, _ last: Day) -> [Day] {
    first <= last ? (first.number...last.number).map(Day.init(number:)) : []
  }

  /// Finds the ends of all kinds and vendors, in this order; closed accounts have none: METRICS.md 2.13.
  ///
  /// `closed` are the last report dates of vendors whose apps are now in other accounts.
  package static func all(
    _ files: [FileReport], closed: [String: Day], _ plan: RunPlan
  ) -> [FeedEnd] {
    let asOf = plan.asOf ?? .last
    // Reports of sources that were not asked for show how far Apple's reports go too.
    var newest: [String: Day] = [:]
    for index in files.indices where kinds.contains(files[index].kind) {
      let file = files[index]
      guard file.problem == nil, let day = file.day, day <= asOf,
        file.isUsed || file.isIgnored(.otherSource), !plan.filters.excludesVendor(file.vendor)
      else { continue }
      for vendor in Set(["", file.vendor]) { newest[vendor] = max(newest[vendor] ?? day, day) }
    }
    let isOfSeveral = newest.count > 2
    return kinds.flatMap { kind -> [FeedEnd] in
      let later = VendorDays(kind, files, fetched: plan.fetched, includesLater: true)
        .lastReports(until: .last)
      let own = VendorDays(kind, files, fetched: plan.fetched).lastReports(until: asOf)
      return own.sorted { $0.key < $1.key }.compactMap { vendor, report in
        guard closed[vendor] == nil else { return nil }
        let others = newest[isOfSeveral ? vendor : ""] ?? report.day
        return FeedEnd(
          kind: kind, vendor: vendor, last: report.day, newest: max(others, report.day),
          through: plan.through.map { min($0, asOf) },
          isFollowed: later[vendor].map { $0.day > report.day } ?? false,
          patience: patience(kind, length: report.length),
          waiting: plan.fetched.days(.pending, kind, vendor))
      }
    }
  }

  /// Returns after how many days a report is not late but missing.
  ///
  /// Subscription reports can come five days late. A report of a week or a month comes when it is over, that of a month
  /// five days later.
  private static func patience(_ kind: ReportKind, length: Int) -> Int {
    switch kind {
    case .subscription, .subscriptionEvent: 5
    default: length == 1 ? 1 : length <= 7 ? 7 : 36
    }
  }
}
