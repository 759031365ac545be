import SubscriptionModel

/// Counts that can be added, and taken back.
protocol Summable: Equatable, Sendable {
  init()
  mutating func merge(_ other: Self, _ sign: MergeSign)
}

/// What is known already and counts once as-of reaches a day.
///
/// A cache keeps it with the tally, so that nobody has to be folded again for the day alone.
struct LaterCounts<Key: Hashable & Sendable, Counts: Summable>: Sendable {
  private var byDay: [Day: [Key: Counts]] = [:]

  /// Adds what counts from a day on, or takes it back.
  mutating func add(_ counts: Counts, _ key: Key, on day: Day, _ sign: MergeSign = .plus) {
    byDay[day, default: [:]][key, default: Counts()].merge(counts, sign)
  }

  /// Adds what another part has, or takes it back.
  ///
  /// - Parameters:
  ///   - other: The other part.
  ///   - sign: Whether it is added.
  ///   - own: Returns for a key of the other part the one here.
  mutating func merge(_ other: LaterCounts, _ sign: MergeSign, own: (Key) -> Key) {
    for (day, counted) in other.byDay {
      for (key, counts) in counted { add(counts, own(key), on: day, sign) }
    }
  }

  /// Returns what counts on a day, and forgets it.
  mutating func takeDue(on asOf: Day) -> [(key: Key, counts: Counts)] {
    byDay.keys.filter { $0 <= asOf }.flatMap { day in
      (byDay.removeValue(forKey: day) ?? [:]).map { (key: $0.key, counts: $0.value) }
    }
  }

  /// Codes all but what is 0.
  ///
  /// - Parameters:
  ///   - coder: Writes it, or reads it.
  ///   - blank: What reading a key begins with.
  ///   - codeEntry: Codes a key and its counts.
  mutating func code<Coder: ValueCoder>(
    with coder: inout Coder, blank: Key, _ codeEntry: (inout Key, inout Counts, inout Coder) -> Void
  ) {
    var days = byDay.map { (day: $0.key, counted: $0.value.filter { $0.value != Counts() }) }
    coder.list(&days, blank: (Day(number: 0), [:])) { entry, coder in
      coder.day(&entry.day)
      var counted = entry.counted.map { (key: $0.key, counts: $0.value) }
      coder.list(&counted, blank: (blank, Counts())) { codeEntry(&$0.key, &$0.counts, &$1) }
      guard coder.isReading else { return }
      entry.counted = Dictionary(counted.map { ($0.key, $0.counts) }) { $1 }
    }
    guard coder.isReading else { return }
    byDay = Dictionary(days.map { ($0.day, $0.counted) }) { $1 }
  }
}

extension Int: Summable {
  mutating func merge(_ other: Int, _ sign: MergeSign) { self += sign.factor * other }
}
