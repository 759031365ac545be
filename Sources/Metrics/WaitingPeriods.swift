import SubscriptionModel

/// How many periods wait for as-of to go on, by cohort and by the day of their end.
struct WaitingPeriods: Sendable {
  private struct Key: Hashable {
    var period: WaitingPeriod
    var cohort: Int32
    /// The number of the span that the end is in: days far apart have counts of their own, because those are a
    /// list from the first day to the last.
    var span: Int32

    /// Every chain asks for some five keys in each view: the language's own hash took a twentieth of a night.
    var ownHash: UInt32 {
      let bits = UInt64(UInt32(bitPattern: cohort)) << 32 | period.bits
      let product = (bits ^ UInt64(UInt32(bitPattern: span)) << 48) &* 0x9E37_79B9_7F4A_7C15
      return UInt32(truncatingIfNeeded: product >> 32)
    }
  }

  /// As many days as periods of a year wait, and some more.
  private static let daysOfSpan = Int32(512)

  private var keys = NumberedValues<Key>()
  /// Of each key the days on which such periods end.
  private var ends: [DayCounts] = []

  /// Adds a period.
  mutating func add(_ period: WaitingPeriod, until end: Day, cohort: Int) {
    let span = end.number / Self.daysOfSpan
    ends[number(of: Key(period: period, cohort: Int32(cohort), span: span))].add(on: end)
  }

  private mutating func number(of key: Key) -> Int {
    let number = keys.number(of: key, hash: key.ownHash)
    if number == ends.count { ends.append(DayCounts()) }
    return number
  }

  /// Adds another part, or takes it back.
  ///
  /// - Parameters:
  ///   - other: The other part.
  ///   - cohorts: For each of its cohorts the index here.
  ///   - sign: Whether it is added.
  mutating func merge(_ other: WaitingPeriods, cohorts: [Int], _ sign: MergeSign) {
    for (key, counts) in zip(other.keys.values, other.ends) {
      var own = key
      own.cohort = Int32(cohorts[Int(key.cohort)])
      ends[number(of: own)].merge(counts, sign)
    }
  }

  /// Hands out all but what was taken back.
  func forEach(_ body: (WaitingPeriod, _ end: Day, _ count: Int, _ cohort: Int) -> Void) {
    for (key, ends) in zip(keys.values, ends) {
      for (end, count) in ends.counted { body(key.period, end, count, Int(key.cohort)) }
    }
  }

  /// Forgets those of which all is said.
  mutating func settle(on asOf: Day) {
    var rest = WaitingPeriods()
    for (key, counts) in zip(keys.values, ends) {
      var waiting = DayCounts()
      for (end, count) in counts.counted where !key.period.isSettled(end, on: asOf) {
        waiting.add(count, on: end)
      }
      if waiting.last != nil { rest.ends[rest.number(of: key)] = waiting }
    }
    self = rest
  }

  /// Codes all of it.
  mutating func code<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    var entries = zip(keys.values, ends).map { (key: $0, ends: $1) }
    let blank = Key(period: WaitingPeriod(.kept, k: 0), cohort: 0, span: 0)
    coder.list(&entries, blank: (blank, DayCounts())) { entry, coder in
      coder.integer(&entry.key.cohort)
      coder.integer(&entry.key.span)
      coder.word(&entry.key.period.kind)
      coder.integer(&entry.key.period.number)
      entry.ends.code(with: &coder)
      let isPossible = (0..<cohorts).contains(Int(entry.key.cohort)) && entry.key.period.number >= 0
      if !isPossible { coder.fail() }
    }
    guard coder.isReading else { return }
    self = WaitingPeriods()
    for (key, counts) in entries { ends[number(of: key)] = counts }
    if ends.count != entries.count { coder.fail() }
  }
}
