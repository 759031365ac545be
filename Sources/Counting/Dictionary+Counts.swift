public import Storage

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
  /// Writes or reads a dictionary, in the same order each time.
  ///
  /// - Parameters:
  ///   - dictionary: The dictionary.
  ///   - blank: Any key and value; reading replaces them.
  ///   - code: Writes or reads a key and its value.
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
