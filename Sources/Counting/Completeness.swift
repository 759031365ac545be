import Storage
package import SubscriptionModel

/// The days that a source's data cover; the `state` column depends on them.
package struct Completeness: Sendable, Equatable {
  /// The first day that a file covers; the day of the first charge of receipts.
  package let firstDay: Day
  /// The day up to which the source is complete; for receipts, the day of the as-of instant.
  package let asOf: Day
  /// The last full day: as-of, or the day before it when as-of is an instant inside the day.
  package let lastFullDay: Day
  /// The days without a file from the first file to as-of, in order; empty for receipts.
  package let missingDays: [Day]
  /// The months that share a file with another month, so that their numbers are not exactly theirs: only SALES has files
  /// of weeks.
  package let sharedMonths: Set<Month>
  /// Whether data before the first day are missing too; receipts contain a customer's past.
  private let hasLeftEdge: Bool
  /// The months with a day that a file covers; `nil` for receipts.
  private let monthsWithFiles: Set<Month>?
  /// The months with a day that a file covers; empty for receipts, which have no days.
  package var monthsOfFiles: Set<Month> { monthsWithFiles ?? [] }
  /// Calendar or fiscal months.
  package let monthSystem: MonthSystem
  /// The apps that moved from one account to another; only SUBSCRIBER reports show them.
  package private(set) var transfers: AppTransfers
  /// The receipt records that an earlier `--as-of` excludes; `nil` if there are none.
  package let leftOut: LeftOut?
  /// Whether the reports end although other reports go on: METRICS.md section 8, *A feed that stopped*.
  package let hasStopped: Bool

  /// Receipt records made after as-of; their data on earlier days cannot be used.
  package struct LeftOut: Sendable, Equatable {
    package var records: Int
    /// The number of subscriptions (original transaction ids) without an earlier record.
    package var chains: Int

    package init(records: Int, chains: Int) {
      self.records = records
      self.chains = chains
    }
  }

  /// Creates the completeness of a source.
  ///
  /// `coveredDays` are those that any vendor's file covers, `nil` for the days that all cover. `sharedMonths` share a
  /// file with another month. `hasStopped`: the reports end although other reports go on.
  package init(
    firstDay: Day, asOf: Day, presentDays: Set<Day>, coveredDays: Set<Day>? = nil,
    sharedMonths: Set<Month> = [], monthSystem: MonthSystem = .calendar,
    transfers: AppTransfers = .none, hasStopped: Bool = false
  ) {
    let covered = (coveredDays ?? presentDays).filter { $0 <= asOf }
    monthsWithFiles = Set(covered.map(monthSystem.month(of:)))
    self.transfers = transfers
    self.hasStopped = hasStopped
    self.monthSystem = monthSystem
    self.sharedMonths = sharedMonths
    self.firstDay = firstDay
    self.asOf = asOf
    lastFullDay = asOf
    hasLeftEdge = true
    leftOut = nil
    missingDays =
      firstDay <= asOf
      ? (firstDay.number...asOf.number).map(Day.init(number:)).filter { !presentDays.contains($0) }
      : []
  }

  /// Creates the completeness of receipts, which have no days that could be missing; with records that as-of leaves
  /// out, every row is partial.
  package init(
    receiptsFrom firstDay: Day?, asOf: Instant, leftOut: LeftOut? = nil,
    monthSystem: MonthSystem = .calendar
  ) {
    self.monthSystem = monthSystem
    self.firstDay = firstDay ?? asOf.day
    self.asOf = asOf.day
    lastFullDay = (asOf + 1).day - 1
    hasLeftEdge = false
    transfers = .none
    self.leftOut = leftOut
    monthsWithFiles = nil
    hasStopped = false
    missingDays = []
    sharedMonths = []
  }

  /// Returns the completeness at an earlier as-of, not before the first day; days after it do not count as missing.
  package func until(_ asOf: Day) -> Completeness {
    let days = (firstDay.number...asOf.number).map(Day.init(number:))
    return Completeness(
      firstDay: firstDay, asOf: asOf, presentDays: Set(days).subtracting(missingDays),
      sharedMonths: sharedMonths, monthSystem: monthSystem, transfers: transfers)
  }

  /// Returns the same days with other transfers of apps.
  package func with(_ transfers: AppTransfers) -> Completeness {
    var other = self
    other.transfers = transfers
    return other
  }

  /// The days before a transfer on which an app's lapses may be recovered under a new id.
  private static let daysBeforeTransfer = ChainBuilder.retryDays

  /// Returns the months whose numbers of an app that moved on a day lack what its new ids hide, from 60 days before it:
  /// METRICS.md 2.13.
  package func months(around day: Day) -> ClosedRange<Month> {
    monthSystem.month(of: day - Self.daysBeforeTransfer)...monthSystem.month(of: day)
  }

  /// Whether any day is missing or as-of excludes records.
  package var lacksData: Bool { !missingDays.isEmpty || leftOut != nil }

  /// Why a month's numbers are not those of the whole month.
  package enum Gap: Sendable {
    /// As-of excludes records of receipts.
    case leftOutRecords
    /// A day has no file, or lies before the first file.
    case missingDays
    /// A file of the month covers days of another month too.
    case sharedFiles
  }

  /// Returns the first reason why a month lacks data; `nil` if all its days are in the data.
  ///
  /// With `afterItsEnd`, also reports that stopped on its last day are a reason.
  package func gap(in month: Month, afterItsEnd: Bool = true) -> Gap? {
    if leftOut != nil { return .leftOutRecords }
    if isWithoutFiles(month) { return .missingDays }
    if hasLeftEdge && monthSystem.firstDay(of: month) < firstDay { return .missingDays }
    if hasStopped && month == lastMonth && (afterItsEnd || !isOver(month)) { return .missingDays }
    if lacksDay(from: monthSystem.firstDay(of: month), to: monthSystem.lastDay(of: month)) {
      return .missingDays
    }
    return sharedMonths.contains(month) ? .sharedFiles : nil
  }

  /// Returns whether no file covers a day of a month: METRICS.md section 5, *No data*.
  package func isWithoutFiles(_ month: Month) -> Bool { monthsWithFiles?.contains(month) == false }

  /// Returns whether a month lacks data, for any reason of ``gap(in:afterItsEnd:)``.
  package func isPartial(_ month: Month, afterItsEnd: Bool = true) -> Bool {
    gap(in: month, afterItsEnd: afterItsEnd) != nil
  }

  /// Returns whether a month has ended at as-of.
  package func isOver(_ month: Month) -> Bool { monthSystem.lastDay(of: month) <= lastFullDay }

  /// Returns whether a day lies at most 2 days from a missing one.
  ///
  /// If so, the charge that should follow a period with this end may be in a missing file.
  package func isNearMissingDay(_ day: Day) -> Bool {
    lacksDay(from: day - ChainBuilder.toleranceDays, to: day + ChainBuilder.toleranceDays)
  }

  /// Returns whether a day from the first to the last is missing.
  package func lacksDay(from first: Day, to last: Day) -> Bool {
    let place = missingDays.partitionPoint { $0 < first }
    return place < missingDays.count && missingDays[place] <= last
  }

  package var lastCompleteMonth: Month { isOver(lastMonth) ? lastMonth : lastMonth - 1 }

  package var firstMonth: Month { monthSystem.month(of: firstDay) }

  package var lastMonth: Month { monthSystem.month(of: asOf) }
}

extension ChainBuilder {
  /// Creates a builder for the charges of the reports that cover some days.
  package init(_ terms: [ChargeTerms], _ days: Completeness) {
    self.init(terms: terms, asOf: days.asOf, firstFileDay: days.firstDay, transfers: days.transfers)
  }
}

/// The month of each day, as a lookup table: every period needs the months of its start and end.
struct MonthsOfDays: Sendable {
  private let monthSystem: MonthSystem
  private let first: Day
  private let months: [Month]
  /// The first days of their calendar months.
  private let firstDays: [Day]

  /// The number of days in the table after as-of: periods end at most a year after the last day of the data.
  private static let daysAfterAsOf = 400

  init(_ completeness: Completeness) {
    monthSystem = completeness.monthSystem
    first = completeness.firstDay
    let last = completeness.asOf + Self.daysAfterAsOf
    let days = (0...(last - first)).map { [first] in first + $0 }
    months = days.map { [monthSystem] in monthSystem.month(of: $0) }
    firstDays = days.map(\.month.firstDay)
  }

  subscript(day: Day) -> Month {
    let place = day - first
    return months.indices.contains(place) ? months[place] : monthSystem.month(of: day)
  }

  /// Returns the first day of a day's calendar month.
  func firstOfMonth(_ day: Day) -> Day {
    let place = day - first
    return firstDays.indices.contains(place) ? firstDays[place] : day.month.firstDay
  }
}
