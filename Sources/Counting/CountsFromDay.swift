public import Storage
public import SubscriptionModel

/// Counts that can be added and subtracted.
@usableFromInline
package protocol Summable: Equatable, Sendable {
  init()
  mutating func merge(_ other: Self, _ sign: MergeSign)
}

/// Counts, each with the day from which it applies.
///
/// Example: the period of a monthly charge of 5 March ends on 5 April. Without a next charge it counts as a lapse
/// from 8 April on.
@usableFromInline
package struct CountsFromDay<Key: Hashable & Sendable, Counts: Summable>: Sendable {
  @usableFromInline struct DatedKey: Hashable, Sendable {
    @usableFromInline var day: Day
    @usableFromInline var key: Key

    @usableFromInline init(day: Day, key: Key) {
      self.day = day
      self.key = key
    }
  }

  @usableFromInline var counted: [DatedKey: Counts] = [:]

  /// Creates counts without any.
  @inlinable package init() {}

  /// Adds counts that apply from a day on, or subtracts them.
  @inlinable package mutating func add(
    _ counts: Counts, _ key: Key, on day: Day, _ sign: MergeSign = .plus
  ) {
    counted[DatedKey(day: day, key: key), default: Counts()].merge(counts, sign)
  }

  /// Adds the counts of another part, or subtracts them.
  ///
  /// - Parameters:
  ///   - other: The other counts.
  ///   - sign: Add or subtract.
  ///   - own: Returns the key in these counts for a key of the other part.
  @inlinable package mutating func merge(
    _ other: CountsFromDay, _ sign: MergeSign, own: (Key) -> Key
  ) {
    for (dated, counts) in other.counted { add(counts, own(dated.key), on: dated.day, sign) }
  }

  /// Calls `body` with all counts that apply on a day.
  @inlinable package func forEach(on asOf: Day, _ body: (Key, Counts) -> Void) {
    for (dated, counts) in counted where dated.day <= asOf { body(dated.key, counts) }
  }

  /// Removes all counts that apply on a day.
  @inlinable package mutating func removeAll(on asOf: Day) {
    counted = counted.filter { $0.key.day > asOf }
  }

  /// Writes or reads all counts other than 0.
  ///
  /// - Parameters:
  ///   - coder: Writes or reads.
  ///   - blank: Any key; reading replaces it.
  ///   - codeEntry: Writes or reads a key and its counts.
  @inlinable package mutating func code<Coder: ValueCoder>(
    with coder: inout Coder, blank: Key, _ codeEntry: (inout Key, inout Counts, inout Coder) -> Void
  ) {
    var entries = counted.compactMap { dated, counts in
      counts == Counts() ? nil : (dated: dated, counts: counts)
    }
    let blank = (dated: DatedKey(day: Day(number: 0), key: blank), counts: Counts())
    func codeDated(entry: inout (dated: DatedKey, counts: Counts), coder: inout Coder) {
      coder.day(&entry.dated.day)
      codeEntry(&entry.dated.key, &entry.counts, &coder)
    }
    if !coder.isReading { entries = coder.inOrder(entries, codeDated) }
    coder.list(&entries, blank: blank, codeDated)
    guard coder.isReading else { return }
    counted = Dictionary(entries.map { ($0.dated, $0.counts) }) { $1 }
  }
}

extension Int: Summable {
  /// Adds a count, or subtracts it.
  ///
  /// - Parameters:
  ///   - other: The other count.
  ///   - sign: Add or subtract.
  @inlinable package mutating func merge(_ other: Int, _ sign: MergeSign) {
    self += sign.factor * other
  }
}
