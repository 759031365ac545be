/// The charges of one product whose periods are measured from the first of them: METRICS.md 2.2, billing day.
///
/// Example: monthly charges on 31 January, 28 February and 31 March. Their periods end one, two and three months after
/// 31 January: on 28 February, 31 March and 30 April.
struct BillingRun {
  /// Days by which a charge may be early or late and still belong to the run.
  static let toleranceDays = 3

  /// The index of the newest charge.
  private(set) var last = 0
  /// The months of all charges so far; 0 if there is no run.
  private(set) var months = 0
  /// The end of the newest charge's period.
  private var end = Day.first
  /// The day of the first charge.
  private var start = Day.first
  /// Whether that day is late in its month: ``Day/isLateInMonth``.
  private var isLate = false
  /// Whether the newest charge is the first.
  private var isFirst = false

  /// Ends the run: the next charge does not belong to it.
  mutating func stop() { months = 0 }

  /// Begins a run with a charge.
  ///
  /// - Parameters:
  ///   - index: The index of the charge.
  ///   - day: Its day.
  ///   - isLate: Whether the day is late in its month.
  ///   - months: The months that it buys.
  ///   - end: The end of its period.
  @inline(__always)
  mutating func begin(_ index: Int, on day: Day, isLate: Bool, months: Int, end: Day) {
    last = index
    self.months = months
    self.end = end
    start = day
    self.isLate = isLate
    isFirst = true
  }

  /// Adds a charge on which the run goes on.
  ///
  /// - Parameters:
  ///   - index: The index of the charge.
  ///   - day: Its day.
  ///   - months: The months that it buys.
  ///   - ownEnd: The end of its period if it were the first of a run.
  /// - Returns: The end of its period.
  @inline(__always)
  mutating func add(_ index: Int, on day: Day, months: Int, ownEnd: Day) -> Day {
    last = index
    self.months += months
    isFirst = false
    // All months have such a day, so that both are the same.
    let isSameEnd = day == end && !isLate
    end = isSameEnd ? ownEnd : start.adding(Term(months: Int16(clamping: self.months)))
    return end
  }

  /// Returns whether the run goes on with a charge of the same product that continues the newest one.
  ///
  /// - Parameter day: The day of the charge.
  /// - Returns: Whether it starts at most 3 days from the end of the newest period.
  @inline(__always)
  func goesOn(on day: Day) -> Bool {
    if day == end { return true }
    return abs(day - end) <= Self.toleranceDays && !isLaterBillingDay(day)
  }

  /// Returns whether a charge after the end of the first period shows a later billing day than the first charge.
  ///
  /// Example: a charge on 28 February, whose period ends on 28 March, and the next one on 31 March.
  ///
  /// - Parameter day: The day of the second charge, of the same product.
  /// - Returns: Whether the run begins again with it.
  func isLaterBillingDay(_ day: Day) -> Bool {
    isFirst && isLate && day > end && day <= end.month.lastDay && start == start.month.lastDay
  }
}

extension Day {
  /// Whether some months lack this day of the month, or the day is the last of its month.
  var isLateInMonth: Bool { dayOfMonth > 28 || self == month.lastDay }
}
