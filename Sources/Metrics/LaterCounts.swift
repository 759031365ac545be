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
  private struct DatedKey: Hashable {
    var day: Day
    var key: Key
  }

  private var counted: [DatedKey: Counts] = [:]

  /// Adds what counts from a day on, or takes it back.
  mutating func add(_ counts: Counts, _ key: Key, on day: Day, _ sign: MergeSign = .plus) {
    counted[DatedKey(day: day, key: key), default: Counts()].merge(counts, sign)
  }

  /// Adds what another part has, or takes it back.
  ///
  /// - Parameters:
  ///   - other: The other part.
  ///   - sign: Whether it is added.
  ///   - own: Returns for a key of the other part the one here.
  mutating func merge(_ other: LaterCounts, _ sign: MergeSign, own: (Key) -> Key) {
    for (dated, counts) in other.counted { add(counts, own(dated.key), on: dated.day, sign) }
  }

  /// Returns what counts on a day, and forgets it.
  mutating func takeDue(on asOf: Day) -> [(key: Key, counts: Counts)] {
    let due = counted.filter { $0.key.day <= asOf }
    for dated in due.keys { counted[dated] = nil }
    return due.map { (key: $0.key.key, counts: $0.value) }
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
    var entries = counted.compactMap { dated, counts in
      counts == Counts() ? nil : (dated: dated, counts: counts)
    }
    let blank = (dated: DatedKey(day: Day(number: 0), key: blank), counts: Counts())
    coder.list(&entries, blank: blank) { entry, coder in
      coder.day(&entry.dated.day)
      codeEntry(&entry.dated.key, &entry.counts, &coder)
    }
    guard coder.isReading else { return }
    counted = Dictionary(entries.map { ($0.dated, $0.counts) }) { $1 }
  }
}

extension Int: Summable {
  mutating func merge(_ other: Int, _ sign: MergeSign) { self += sign.factor * other }
}
