package import AppStoreReports
package import SubscriptionModel

/// The days on which vendors have a report of one kind: METRICS.md section 8.
///
/// A day is complete only if all vendors have a report. A SALES report of a week, a month or a year covers all its days
/// up to as-of. A file without a vendor in its name belongs to the only
/// vendor; if there are several, to the vendor whose report of that day it replaces, or else to none.
package struct VendorDays {
  /// A file that counts, or a copy of one that does.
  package struct Item {
    /// The file's index among all files.
    package var file: Int
    /// The vendor of the report; blank when unknown.
    package var vendor: String
    package var day: Day
    /// The days that the report covers; ``day`` is the last of them.
    package var days: ClosedRange<Day>
    /// Whether it is a copy of a file of the same vendor.
    package var isCopy: Bool
  }

  /// The files, in path order.
  package let items: [Item]
  /// The days of each vendor's reports; the vendor is blank when no name has one.
  private let days: [String: [ClosedRange<Day>]]
  /// The days of each vendor on which Apple has no report, as an archive of `fetch` says.
  package private(set) var empty: [String: Set<Day>] = [:]
  /// The last report dates, of any kind, of vendors whose apps are now in other accounts.
  private let closed: [String: Day]

  /// Finds the days of a kind, with files of days after as-of if it `includesLater`.
  ///
  /// No day is missing after the last report date of a closed vendor, whose apps are now in other accounts; a day
  /// without sales, as an archive has it, needs no file.
  package init(
    _ kind: ReportKind, _ files: [FileReport], closed: [String: Day] = [:],
    fetched: FetchedDays = FetchedDays(), includesLater: Bool = false
  ) {
    self.closed = closed
    let owners = Self.owners(files.map(\.vendor), files.map { $0.replacement?.file })
    var items: [Item] = []
    for index in files.indices where files[index].kind == kind {
      let file = files[index]
      // A SALES report of a week or a month counts by its last day.
      let isLater =
        includesLater && file.isAfterAsOf && (kind != .sales || file.frequency == .daily)
      let original = file.isDuplicate ? file.replacement?.file : nil
      // A copy of a report that does not count, such as one of a year, has no days either.
      let isCopyOfUsed =
        original.map { files[$0].isUsed || includesLater && files[$0].isAfterAsOf } ?? false
      guard let day = file.day, file.isUsed || isCopyOfUsed || isLater else { continue }
      // The bytes of another day are no report of this one.
      if let original, files[original].day != day { continue }
      let isCopy = original.map { owners[index].isEmpty || owners[index] == owners[$0] } ?? false
      // All other reports are daily, whatever their names look like.
      let days = kind == .sales ? file.frequency?.days(until: day) : nil
      items.append(
        Item(file: index, vendor: owners[index], day: day, days: days ?? day...day, isCopy: isCopy))
    }
    self.items = items
    let vendors = Set(items.map(\.vendor)).subtracting([""])
    var days = items.reduce(into: [String: [ClosedRange<Day>]]()) { days, item in
      if vendors.count < 2 {
        days[vendors.first ?? "", default: []].append(item.days)
      } else if !item.vendor.isEmpty {
        days[item.vendor, default: []].append(item.days)
      }
    }
    for vendor in days.keys {
      empty[vendor] = fetched.days(.none, kind, vendor)
      days[vendor]?.append(contentsOf: (empty[vendor] ?? []).map { $0...$0 })
    }
    self.days = days
  }

  /// The last day of a report, or of a day on which Apple has none; `nil` without a report.
  package var lastDay: Day? {
    items.isEmpty ? nil : (items.map(\.day) + empty.values.flatMap(\.self)).max()
  }

  /// Returns the vendor of each file: that in its name, or of a file without one that of the report it replaces; else
  /// blank.
  ///
  /// `replacements` are the indices of the files that are used in place of others.
  static func owners(_ vendors: [String], _ replacements: [Int?]) -> [String] {
    var owners = vendors
    for (vendor, winner) in zip(vendors, replacements) {
      guard let winner, owners[winner].isEmpty else { continue }
      owners[winner] = vendor
    }
    return owners
  }

  /// Returns the first day that a report up to as-of covers; `nil` without such a report.
  func firstDay(until asOf: Day) -> Day? {
    items.filter { $0.day <= asOf }.map(\.days.lowerBound).min()
  }

  /// Returns the first and the last day with a daily report up to as-of; `nil` without one.
  func dailyDays(until asOf: Day) -> ClosedRange<Day>? {
    let days = items.filter { $0.days.lowerBound == $0.day && $0.day <= asOf }.map(\.day)
    guard let first = days.min(), let last = days.max() else { return nil }
    return first...last
  }

  /// Returns the last day that a report of each vendor covers, and the length of that report in days: of several the
  /// shortest.
  func lastReports(until asOf: Day) -> [String: (day: Day, length: Int)] {
    days.compactMapValues { reports in
      reports.filter { $0.upperBound <= asOf }.map {
        (day: $0.upperBound, length: $0.upperBound - $0.lowerBound + 1)
      }
      .max { ($0.day, $1.length) < ($1.day, $0.length) }
    }
  }

  /// Returns the days without a report, by vendor: from the vendor's first day to as-of, or to the last day of a closed
  /// account.
  package func missing(until asOf: Day) -> [String: [Day]] {
    days.reduce(into: [:]) { missing, own in
      let (vendor, reports) = own
      let end = min(closed[vendor] ?? asOf, asOf)
      guard let first = reports.map(\.lowerBound).min(), first <= end else {
        return missing[vendor] = []
      }
      let present = Self.days(of: reports, until: end)
      missing[vendor] =
        (first.number...end.number).map(Day.init(number:)).filter { !present.contains($0) }
    }
  }

  /// Returns the days on which no vendor's report is missing; between two accounts of an app there may be none.
  func complete(until asOf: Day) -> Set<Day> {
    var days = covered(until: asOf)
    let ends = self.days.keys.compactMap { closed[$0] }
    if let end = ends.min(), end < asOf {
      days.formUnion((end.number + 1...asOf.number).map(Day.init(number:)))
    }
    return days.subtracting(missing(until: asOf).values.flatMap(\.self))
  }

  /// Returns the days that a report of any vendor covers.
  func covered(until asOf: Day) -> Set<Day> {
    Self.days(of: days.values.flatMap(\.self) + items.map(\.days), until: asOf)
  }

  private static func days(of reports: [ClosedRange<Day>], until asOf: Day) -> Set<Day> {
    var days: Set<Day> = []
    for report in reports where report.lowerBound <= asOf {
      for number in report.lowerBound.number...min(report.upperBound, asOf).number {
        days.insert(Day(number: number))
      }
    }
    return days
  }

  /// Returns the months, up to that of as-of, that share a report, because it covers days of both.
  ///
  /// All rows of a report count in the month in which it begins, so the numbers of these months are not exactly
  /// theirs. Example: a week from 26 January to 1 February is shared by both months.
  func sharedMonths(until asOf: Day, _ system: MonthSystem) -> Set<Month> {
    var shared: Set<Month> = []
    for days in items.map(\.days) where days.lowerBound <= asOf {
      var month = system.month(of: days.lowerBound)
      let last = system.month(of: min(days.upperBound, asOf))
      guard month < last else { continue }
      while month <= last {
        shared.insert(month)
        month = month + 1
      }
    }
    return shared
  }
}
