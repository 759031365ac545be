/// A random generator with the same numbers on every machine: SplitMix64.
struct SeededRandom {
  private var state: UInt64

  /// Creates a generator; `stream` is the number of one of the world's independent sequences.
  init(seed: UInt64, stream: UInt64) {
    state = seed
    state = next() ^ (stream &* 0xD134_2543_DE82_EF95)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns a number from 0 up to, not including, a limit of at least 1.
  mutating func below(_ limit: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(limit)).high)
  }

  /// Returns true with a probability in per mille.
  mutating func chance(_ perMille: Int) -> Bool {
    below(1_000) < perMille
  }

  /// Returns one of some values, of which there must be at least one.
  mutating func element<Value>(of values: [Value]) -> Value {
    values[below(values.count)]
  }

  /// Returns an index, drawn in proportion to the weights, whose sum must be positive.
  mutating func pick(_ weights: [Int]) -> Int {
    var rest = below(weights.reduce(0, +))
    for (index, weight) in weights.enumerated() {
      if rest < weight { return index }
      rest -= weight
    }
    return weights.count - 1
  }
}
