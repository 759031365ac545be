import AppStoreReports
package import SubscriptionModel

/// The Event Dates of a SUBSCRIBER or SUBSCRIPTION_EVENT report, from which the day of the report is found.
package struct EventDays: Equatable, Sendable {
  /// The number of rows of each day, of those that can be read.
  package let counts: [Day: Int]
  /// The number of rows that can be read.
  package let rowCount: Int
  /// Their most frequent day; of equally frequent ones the later.
  package let mostFrequent: Day

  /// The fewest different days in the rows of a file that may be several daily reports joined.
  private static let fewestJoinedDays = 8

  /// Returns whether the rows are of many days, and no day has half of them.
  ///
  /// Such a file is several daily reports joined without their headers. Taken as the report of one day, it would
  /// replace Apple's report of that day. Compared with another file of its day (`hasDay`), it has four rows a day at
  /// least: late rows of other days make a small report no joined one.
  package func areOfJoinedReports(hasDay: Bool) -> Bool {
    counts.count >= Self.fewestJoinedDays && counts[mostFrequent, default: 0] * 2 < rowCount
      && (!hasDay || rowCount >= 4 * counts.count)
  }

  /// Creates the days of some rows; `nil` without a row.
  package init?(_ counts: [Day: Int]) {
    guard let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return nil }
    self.counts = counts
    rowCount = counts.values.reduce(0, &+)
    mostFrequent = most.key
  }

  /// Counts rows by day.
  ///
  /// Most rows have the day of the row before.
  package struct Counter {
    private var counts: [Day: Int] = [:]
    private var last = Day(number: 0)
    private var lastCount = 0

    package init() {}

    @inline(__always)
    mutating func note(_ day: Day) {
      if day == last {
        lastCount &+= 1
      } else {
        change(to: day)
      }
    }

    @inline(never)
    private mutating func change(to day: Day) {
      if lastCount > 0 { counts[last, default: 0] += lastCount }
      (last, lastCount) = (day, 1)
    }

    /// The result; `nil` without a row.
    var days: EventDays? {
      var all = counts
      if lastCount > 0 { all[last, default: 0] += lastCount }
      return EventDays(all)
    }
  }
}

/// The days that names of files are later than their reports, where names say the day of the download: METRICS.md section
/// 8, "Report date".
struct DownloadDays {
  private struct Key: Hashable {
    var kind: ReportKind
    var vendor: String
  }

  /// The fewest files of a kind and vendor whose names must be late by the same number of days.
  private static let fewestFiles = 5

  /// The days by which the names of a kind and vendor are late, 0 for names that are not.
  private var late: [Key: Int] = [:]

  /// Finds the kinds and vendors whose names are late, from the files whose rows are known.
  init(_ files: [RecognizedFile]) {
    let owners = EventDays.owners(files)
    var differences: [Key: [Int?]] = [:]
    for (file, vendor) in zip(files, owners) {
      guard let rows = file.eventDays else { continue }
      differences[Key(kind: file.kind, vendor: vendor), default: []]
        .append(file.name.date.map { $0 - rows.mostFrequent })
    }
    late = differences.mapValues { all in
      (1...3).first { days in
        let count = all.count { $0 == days }
        return count >= Self.fewestFiles && 4 * count >= 3 * all.count
      } ?? 0
    }
  }

  /// Sets the day of each file with a day in its name.
  func setDays(of files: inout [RecognizedFile]) {
    guard !late.isEmpty else { return }
    for (index, day) in days(of: files).enumerated() { files[index].day = day }
  }

  /// Returns whether all files have the days that follow.
  func fits(_ files: [RecognizedFile]) -> Bool { days(of: files) == files.map(\.day) }

  private func days(of files: [RecognizedFile]) -> [Day?] {
    zip(files, EventDays.owners(files)).map { file, vendor in
      guard let date = file.name.date, file.day != nil, let days = days(of: file.kind, vendor)
      else { return file.day }
      return date - days
    }
  }

  private func days(of kind: ReportKind, _ vendor: String) -> Int? {
    let days = { late[Key(kind: $0, vendor: vendor)] }
    return switch kind {
    case .subscriber, .subscriptionEvent: days(kind) ?? 0
    case .subscription: days(.subscriptionEvent) ?? days(.subscriber) ?? 0
    default: nil
    }
  }
}

extension EventDays {
  /// Returns the vendor of each file of the daily kinds: that in its name, or the only one; blank for other files.
  static func owners(_ files: [RecognizedFile]) -> [String] {
    let kinds: Set<ReportKind> = [.subscriber, .subscriptionEvent, .subscription]
    let vendors = files.map { kinds.contains($0.kind) ? $0.vendor : "" }
    let named = Set(vendors).subtracting([""])
    return named.count == 1 ? vendors.map { _ in named.first ?? "" } : vendors
  }
}
