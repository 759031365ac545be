public import Storage
public import SubscriptionModel

/// Counts by day, in a flat array from the first day to the last.
package struct DayCounts: Sendable {
  private var firstDay = Int32(0)
  private var counts: [UInt32] = []
  /// The smallest number of days by which the array grows, because charges are not added in the order of days.
  private static let spareDays = Int32(32)
  /// The day numbers that may be read: about 2,900 years before and after day 0, so that the array stays short.
  private static let possibleDays = -(1 << 20)...Int32(1 << 20)

  mutating func add(_ count: Int = 1, on day: Day) {
    var place = Int(day.number &- firstDay)
    if place < 0 || place >= counts.count {
      reach(day)
      place = Int(day.number &- firstDay)
    }
    counts[place] = UInt32(truncatingIfNeeded: Int(counts[place]) + count)
  }

  /// Enlarges the array so that it contains a day.
  private mutating func reach(_ day: Day) {
    let isEmpty = counts.isEmpty
    let end = firstDay + Int32(counts.count)
    let newFirst = isEmpty || day.number < firstDay ? day.number - Self.spareDays : firstDay
    let newEnd = isEmpty || day.number >= end ? day.number + Self.spareDays : end
    var reaching = [UInt32](repeating: 0, count: Int(newEnd - newFirst))
    let shift = Int(firstDay - newFirst)
    for place in counts.indices { reaching[place + shift] = counts[place] }
    (firstDay, counts) = (newFirst, reaching)
  }

  /// Adds the counts of another part, or subtracts them.
  mutating func merge(_ other: DayCounts, _ sign: MergeSign = .plus) {
    other.forEach { add(sign.factor * $1, on: $0) }
  }

  /// Calls `body` with each day whose count is not 0, in order, and the count.
  package func forEach(_ body: (Day, Int) -> Void) {
    for place in counts.indices where counts[place] != 0 {
      body(day(at: place), Int(counts[place]))
    }
  }

  private func day(at place: Int) -> Day { Day(number: firstDay + Int32(place)) }

  /// The first day with a count; `nil` if there is none.
  package var first: Day? { counts.firstIndex { $0 != 0 }.map(day) }

  /// The last day with a count; `nil` if there is none.
  package var last: Day? { counts.lastIndex { $0 != 0 }.map(day) }

  /// Writes or reads the days and their counts; each day as its distance from the one before.
  mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    var counted: [(step: Int32, count: Int)] = []
    var last = Int32(0)
    forEach { day, count in
      counted.append((day.number - last, count))
      last = day.number
    }
    coder.list(&counted, blank: (0, 0)) { entry, coder in
      coder.integer(&entry.step)
      coder.count(&entry.count)
    }
    guard coder.isReading else { return }
    self = DayCounts()
    last = 0
    for (step, count) in counted {
      last &+= step
      guard Self.possibleDays.contains(last) else { return coder.fail() }
      add(count, on: Day(number: last))
    }
  }
}

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

  /// Adds the counts of another part, or subtracts them; `own` returns the key here for a key of the other part.
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

  /// Writes or reads all counts other than 0; reading replaces the blank key.
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
  @inlinable package mutating func merge(_ other: Int, _ sign: MergeSign) {
    self += sign.factor * other
  }
}

extension Array {
  /// Appends an element until the list has so many; a longer list stays as it is.
  @inline(__always)
  mutating func extend(to count: Int, with element: Element) {
    if count > self.count { append(contentsOf: repeatElement(element, count: count - self.count)) }
  }
}

extension Dictionary where Value: Summable {
  /// Adds counts to those of a key, or subtracts them; removes the key if all its counts are 0.
  @inlinable package mutating func add(_ counts: Value, to key: Key, _ sign: MergeSign = .plus) {
    self[key, default: Value()].merge(counts, sign)
    if self[key] == Value() { self[key] = nil }
  }

  /// Adds the counts of another part, or subtracts them.
  @inlinable package mutating func merge(_ other: Self, _ sign: MergeSign) {
    for (key, counts) in other { add(counts, to: key, sign) }
  }
}

extension ValueCoder {
  /// Writes or reads a dictionary, in the same order each time; reading replaces the blank key and value.
  @inlinable package mutating func dictionary<Key, Value>(
    _ dictionary: inout [Key: Value], blank: (key: Key, value: Value),
    _ code: (inout Key, inout Value, inout Self) -> Void
  ) {
    var entries = Array(dictionary)
    if !isReading { entries = inOrder(entries) { code(&$0.key, &$0.value, &$1) } }
    list(&entries, blank: blank) { code(&$0.key, &$0.value, &$1) }
    if isReading { dictionary = Dictionary(entries.map { ($0.key, $0.value) }) { $1 } }
  }
}
