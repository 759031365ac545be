public import SubscriptionModel

/// Which days of a source's data are there: what a number's state depends on.
public struct Completeness: Sendable, Equatable {
  /// The report date of the first file; the day of the first charge of receipts.
  public let firstDay: Day
  /// The day up to which the source is complete, or that of the instant.
  public let asOf: Day
  /// The last day of which the source knows all: the day before as-of, when as-of is an instant inside it.
  public let lastFullDay: Day
  /// Days from the first file's to as-of without a file, in order; receipts have none.
  public let missingDays: [Day]
  /// Whether days before the first one are missing too: receipts tell of the time before them.
  private let hasLeftEdge: Bool
  /// What a month is.
  public let monthSystem: MonthSystem
  /// The records of receipts that an earlier `--as-of` leaves out; `nil` without any.
  public let leftOut: LeftOut?

  /// Records of receipts made after as-of: what they say about the time before it cannot be used.
  public struct LeftOut: Sendable, Equatable {
    /// How many records.
    public var records: Int
    /// How many subscriptions, by their original transaction ids, no earlier record has.
    public var chains: Int

    /// Creates a count.
    ///
    /// - Parameters:
    ///   - records: How many records.
    ///   - chains: How many subscriptions no earlier record has.
    public init(records: Int, chains: Int) {
      self.records = records
      self.chains = chains
    }
  }

  /// Creates the completeness of a source.
  ///
  /// - Parameters:
  ///   - firstDay: The report date of the first file.
  ///   - asOf: The day up to which the source is complete.
  ///   - presentDays: The report dates of all files that were read.
  ///   - monthSystem: What a month is.
  public init(
    firstDay: Day, asOf: Day, presentDays: Set<Day>, monthSystem: MonthSystem = .calendar
  ) {
    self.monthSystem = monthSystem
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

  /// Creates the completeness of receipts, which have no days that could be missing.
  ///
  /// - Parameters:
  ///   - firstDay: The day of the first charge; `nil` without a charge.
  ///   - asOf: The run's as-of.
  ///   - leftOut: What as-of leaves out: then everything is partial.
  ///   - monthSystem: What a month is.
  public init(
    receiptsFrom firstDay: Day?, asOf: Instant, leftOut: LeftOut? = nil,
    monthSystem: MonthSystem = .calendar
  ) {
    self.monthSystem = monthSystem
    self.firstDay = firstDay ?? asOf.day
    self.asOf = asOf.day
    lastFullDay = (asOf + 1).day - 1
    hasLeftEdge = false
    self.leftOut = leftOut
    missingDays = []
  }

  /// Returns what was there on an earlier as-of, after which no day is missing.
  ///
  /// - Parameter asOf: The earlier day, not before the first.
  /// - Returns: The completeness of that day.
  public func until(_ asOf: Day) -> Completeness {
    let days = (firstDay.number...asOf.number).map(Day.init(number:))
    return Completeness(
      firstDay: firstDay, asOf: asOf, presentDays: Set(days).subtracting(missingDays),
      monthSystem: monthSystem)
  }

  /// Whether days of any month are missing, or records that as-of leaves out.
  public var lacksData: Bool { !missingDays.isEmpty || leftOut != nil }

  /// Whether a day of the month, up to as-of, is missing or lies before the first file, or as-of leaves
  /// records out.
  ///
  /// - Parameter month: Any month.
  /// - Returns: Whether numbers of the month lack data.
  public func isPartial(_ month: Month) -> Bool {
    leftOut != nil || hasLeftEdge && monthSystem.firstDay(of: month) < firstDay
      || missingDays.contains { monthSystem.month(of: $0) == month }
  }

  /// Whether the month has ended at as-of.
  ///
  /// - Parameter month: Any month.
  /// - Returns: Whether the month's last day is as-of or earlier.
  public func isOver(_ month: Month) -> Bool { monthSystem.lastDay(of: month) <= lastFullDay }

  /// Whether a day lies at most 2 days from a missing one.
  ///
  /// - Parameter day: Any day.
  /// - Returns: Whether a charge that seems to be missing may be in a missing file.
  public func isNearMissingDay(_ day: Day) -> Bool {
    var low = 0
    var high = missingDays.count
    while low < high {
      let middle = (low + high) / 2
      if missingDays[middle] < day - ChainBuilder.toleranceDays {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < missingDays.count && missingDays[low] <= day + ChainBuilder.toleranceDays
  }

  /// The last month that is over at as-of.
  public var lastCompleteMonth: Month { isOver(lastMonth) ? lastMonth : lastMonth - 1 }

  /// The month of the first day.
  public var firstMonth: Month { monthSystem.month(of: firstDay) }

  /// The month of as-of.
  public var lastMonth: Month { monthSystem.month(of: asOf) }
}
