/// A count for each key, in the order in which keys were first added.
@usableFromInline
package struct KeyCounts<Key: QuickHashable>: Sendable {
  @usableFromInline var keys = NumberedValues<Key>()
  /// The counts, by the numbers of the keys.
  @usableFromInline var counts: [Int] = []

  /// Creates empty counts.
  @inlinable
  package init() {}

  /// All keys with their counts.
  @inlinable package var entries: some Sequence<(key: Key, count: Int)> {
    keys.values.indices.lazy.map { (key: keys.values[$0], count: counts[$0]) }
  }

  /// Adds to the count of a key.
  ///
  /// - Parameters:
  ///   - count: The amount to add.
  ///   - key: The key.
  @inlinable
  package mutating func add(_ count: Int, of key: Key) {
    let number = keys.number(of: key)
    if number == counts.count {
      counts.append(count)
    } else {
      counts[number] += count
    }
  }

  /// Removes all keys; keeps memory for reuse like ``NumberedValues/removeAll()``.
  @inlinable
  package mutating func removeAll() {
    keys.removeAll()
    counts.removeAll(keepingCapacity: keys.values.capacity > 0)
  }
}
