import Storage
package import SubscriptionModel

/// Counts of open periods by cohort, kind and end, and of late outcomes by cohort, kind and day.
package struct OpenPeriods: Sendable {
  private struct Key: QuickHashable {
    var period: OpenPeriod
    package var cohort: Int32
    /// The number of the 32-day span that contains the end.
    var span: Int32

    /// Hashes all fields.
    ///
    /// A chain looks up about five keys per view; with Swift's own hash that took 5 % of a run.
    var quickHash: UInt32 {
      let bits = UInt64(UInt32(bitPattern: cohort)) << 32 | period.bits
      return (bits ^ UInt64(UInt32(bitPattern: span)) &* 0xD6E8_FEB8_6659_FD93).quickHash
    }

    /// The first day of the span.
    var firstDay: Day { Day(number: span << spanBits) }
  }

  /// A span has 32 days: one for each bit of a `UInt32`, and about a month.
  private static let spanBits = Int32(5)
  private static let daysOfSpan = 1 << Int(spanBits)
  private static let possibleSpans =
    Day.possibleNumbers.lowerBound >> spanBits...Day.possibleNumbers.upperBound >> spanBits

  private var keys = NumberedValues<Key>()
  /// The number of periods that end on each day of a key's span, or of outcomes that came late on it.
  ///
  /// All keys share one list, because a list per key would be scattered over memory.
  private var counts: [UInt32] = []

  /// Adds open periods with their end, or late outcomes with their day.
  mutating func add(_ period: OpenPeriod, until end: Day, count: Int = 1, cohort: Int) {
    let span = end.number >> Self.spanBits
    let first = indexOfFirstCount(of: Key(period: period, cohort: Int32(cohort), span: span))
    counts[first + Int(end.number & Int32(Self.daysOfSpan - 1))] &+= UInt32(
      truncatingIfNeeded: count)
  }

  /// Returns the index of a key's first count, adding the key if new.
  private mutating func indexOfFirstCount(of key: Key) -> Int {
    let first = keys.number(of: key) * Self.daysOfSpan
    if first == counts.count {
      counts.append(contentsOf: repeatElement(0, count: Self.daysOfSpan))
    }
    return first
  }

  /// Adds the open periods of another part, or subtracts them.
  ///
  /// - Parameters:
  ///   - other: The other part.
  ///   - cohorts: For each cohort of the other part, its index here.
  ///   - sign: Add or subtract.
  mutating func merge(_ other: OpenPeriods, cohorts: [Int], _ sign: MergeSign) {
    for (number, key) in other.keys.values.enumerated() {
      var own = key
      own.cohort = Int32(cohorts[Int(key.cohort)])
      let first = indexOfFirstCount(of: own)
      for offset in 0..<Self.daysOfSpan {
        let count = other.counts[number * Self.daysOfSpan + offset]
        // Only counts that were added before are subtracted, so none falls below 0.
        counts[first + offset] &+= sign == .plus ? count : 0 &- count
      }
    }
  }

  /// Calls `body` with some open periods and late outcomes.
  ///
  /// - Parameters:
  ///   - isWanted: Returns whether a period is passed; asked once for all its ends in a span.
  ///   - body: Receives a period, its end, the number of such periods and their cohort.
  package func forEach(
    where isWanted: (OpenPeriod) -> Bool,
    _ body: (OpenPeriod, _ end: Day, _ count: Int, _ cohort: Int) -> Void
  ) {
    for (number, key) in keys.values.enumerated() where isWanted(key.period) {
      for offset in 0..<Self.daysOfSpan {
        let count = counts[number * Self.daysOfSpan + offset]
        guard count != 0 else { continue }
        body(key.period, key.firstDay + offset, Int(count), Int(key.cohort))
      }
    }
  }

  /// Calls `body` with all periods, decided or not as of a day, and with no late outcomes.
  ///
  /// Days of a span whose periods count alike on the day are passed once, with the last end and the sum: most periods of
  /// retention are decided.
  ///
  /// - Parameters:
  ///   - asOf: The day.
  ///   - body: Receives a period, the last end of days that count alike, the number of periods on them, and their cohort.
  func forEachOpen(
    on asOf: Day, _ body: (OpenPeriod, _ end: Day, _ count: Int, _ cohort: Int) -> Void
  ) {
    for (number, key) in keys.values.enumerated() where !key.period.isLate {
      var (sum, last) = (0, key.firstDay)
      for offset in 0..<Self.daysOfSpan {
        let count = counts[number * Self.daysOfSpan + offset]
        guard count != 0 else { continue }
        let end = key.firstDay + offset
        if sum != 0, !key.period.countsAlike(last, end, on: asOf) {
          body(key.period, last, sum, Int(key.cohort))
          sum = 0
        }
        sum += Int(count)
        last = end
      }
      if sum != 0 { body(key.period, last, sum, Int(key.cohort)) }
    }
  }

  /// Removes the periods that are decided on a day, but no late outcomes.
  mutating func removeDecided(on asOf: Day) { removeAll { $0.isDecided($1, on: asOf) } }

  /// Keeps only the late outcomes.
  mutating func removeAllButLate() { removeAll { period, _ in !period.isLate } }

  private mutating func removeAll(where isRemoved: (OpenPeriod, Day) -> Bool) {
    for (number, key) in keys.values.enumerated() {
      for offset in 0..<Self.daysOfSpan where isRemoved(key.period, key.firstDay + offset) {
        counts[number * Self.daysOfSpan + offset] = 0
      }
    }
  }

  /// Writes or reads all counts other than 0.
  mutating func code<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    // The days of a key's span with counts, one bit for each.
    let daysOf = { (counts: [UInt32], number: Int) in
      (0..<Self.daysOfSpan).reduce(into: UInt32(0)) { days, offset in
        if counts[number * Self.daysOfSpan + offset] != 0 { days |= 1 << UInt32(offset) }
      }
    }
    let numbered = keys.values.enumerated().map { (key: $1, days: daysOf(counts, $0), number: $0) }
    var entries = numbered.filter { $0.days != 0 }
    let blank = Key(period: OpenPeriod(.kept, k: 0), cohort: 0, span: 0)
    coder.list(&entries, blank: (blank, 0, 0)) { entry, coder in
      coder.integer(&entry.key.cohort)
      coder.integer(&entry.key.span)
      coder.word(&entry.key.period.kind)
      coder.integer(&entry.key.period.number)
      coder.integer(&entry.days)
      let isPossible =
        (0..<cohorts).contains(Int(entry.key.cohort))
        && Month.possibleNumbers.contains(entry.key.period.number)
        && Self.possibleSpans.contains(entry.key.span)
      guard isPossible else { return coder.fail() }
      let first =
        coder.isReading ? indexOfFirstCount(of: entry.key) : entry.number * Self.daysOfSpan
      for offset in 0..<Self.daysOfSpan where entry.days >> UInt32(offset) & 1 == 1 {
        coder.integer(&counts[first + offset])
      }
    }
    // A damaged entry may have a key twice.
    if coder.isReading, keys.values.count != entries.count { coder.fail() }
  }
}
