import SubscriptionModel

/// Counts that can be added, and taken back.
protocol Summable: Equatable, Sendable {
  init()
  mutating func merge(_ other: Self, _ sign: MergeSign)
}

/// What is known already, by the day from which it counts.
///
/// Example: a period that nothing followed is a lapse from the third day after its end on.
struct CountsByDay<Key: QuickHashable, Counts: Summable>: Sendable {
  private struct DatedKey: QuickHashable {
    var day: Day
    var key: Key

    var quickHash: UInt32 {
      (UInt64(UInt32(bitPattern: day.number)) << 32 | UInt64(key.quickHash)).quickHash
    }
  }

  private var keys = NumberedValues<DatedKey>()
  /// The counts of each key.
  private var counts: [Counts] = []

  /// Adds what counts from a day on, or takes it back.
  mutating func add(_ added: Counts, _ key: Key, on day: Day, _ sign: MergeSign = .plus) {
    let number = keys.number(of: DatedKey(day: day, key: key))
    if number == counts.count { counts.append(Counts()) }
    counts[number].merge(added, sign)
  }

  /// Adds what another part has, or takes it back.
  ///
  /// - Parameters:
  ///   - other: The other part.
  ///   - sign: Whether it is added.
  ///   - own: Returns for a key of the other part the one here.
  mutating func merge(_ other: CountsByDay, _ sign: MergeSign, own: (Key) -> Key) {
    for (dated, counts) in zip(other.keys.values, other.counts) {
      add(counts, own(dated.key), on: dated.day, sign)
    }
  }

  /// Hands out what counts on a day.
  func forEach(on asOf: Day, _ body: (Key, Counts) -> Void) {
    for (dated, counts) in zip(keys.values, counts) where dated.day <= asOf {
      body(dated.key, counts)
    }
  }

  /// Forgets what counts on a day, and so on all that follow.
  mutating func removeAll(on asOf: Day) {
    var left = CountsByDay()
    for (dated, counts) in zip(keys.values, counts) where dated.day > asOf {
      left.add(counts, dated.key, on: dated.day)
    }
    self = left
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
    var entries = zip(keys.values, counts).compactMap { dated, counts in
      counts == Counts() ? nil : (dated: dated, counts: counts)
    }
    let blank = (dated: DatedKey(day: Day(number: 0), key: blank), counts: Counts())
    coder.list(&entries, blank: blank) { entry, coder in
      coder.day(&entry.dated.day)
      codeEntry(&entry.dated.key, &entry.counts, &coder)
    }
    guard coder.isReading else { return }
    self = CountsByDay()
    for (dated, counts) in entries { add(counts, dated.key, on: dated.day) }
  }
}

extension Int: Summable {
  mutating func merge(_ other: Int, _ sign: MergeSign) { self += sign.factor * other }
}
