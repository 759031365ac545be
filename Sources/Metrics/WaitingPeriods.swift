import SubscriptionModel

/// How many periods wait for as-of to go on, by cohort and by the day of their end.
struct WaitingPeriods: Sendable {
  private struct Key: Hashable {
    var period: WaitingPeriod
    var cohort: Int32
  }

  private var keys = NumberedValues<Key>()
  /// Of each key the days on which such periods end.
  private var ends: [DayCounts] = []

  /// Adds a period.
  mutating func add(_ period: WaitingPeriod, until end: Day, cohort: Int) {
    ends[number(of: Key(period: period, cohort: Int32(cohort)))].add(on: end)
  }

  private mutating func number(of key: Key) -> Int {
    let number = keys.number(of: key)
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
      let own = Key(period: key.period, cohort: Int32(cohorts[Int(key.cohort)]))
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
      if waiting.first != nil { rest.ends[rest.number(of: key)] = waiting }
    }
    self = rest
  }

  /// Codes all of it.
  mutating func code<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    var entries = zip(keys.values, ends).map { (key: $0, ends: $1) }
    let blank = Key(period: WaitingPeriod(.kept, k: 0), cohort: 0)
    coder.list(&entries, blank: (blank, DayCounts())) { entry, coder in
      coder.integer(&entry.key.cohort)
      coder.word(&entry.key.period.kind)
      coder.integer(&entry.key.period.number)
      entry.ends.code(with: &coder)
      if !(0..<cohorts).contains(Int(entry.key.cohort)) { coder.fail() }
    }
    guard coder.isReading else { return }
    self = WaitingPeriods()
    for (key, counts) in entries {
      let number = keys.number(of: key)
      guard number == ends.count else { return coder.fail() }
      ends.append(counts)
    }
  }
}
