/// Hashes runs of bytes, 32 bytes a step.
///
/// Two lanes alternate, so that a multiplication need not wait for the previous one. The last bytes
/// of a run are read together with bytes before them, not one by one. The design follows Wang Yi's
/// wyhash. It does not resist deliberate collisions.
package struct ByteHasher {
  private var lane: UInt64 = 0x243F_6A88_85A3_08D3
  private var otherLane: UInt64 = 0x1319_8A2E_0370_7344

  package init() {}

  /// Adds a run of bytes; the same bytes divided into different runs give a different hash.
  @inline(__always)
  package mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    let count = range.count
    let run = bytes.extracting(range)
    var offset = 0
    if count >= 32 {
      // A copy stays in registers.
      var own = self
      while offset &+ 32 < count {
        own.mix(thirtyTwoBytes(run, at: offset))
        offset &+= 32
      }
      own.mix(thirtyTwoBytes(run, at: count &- 32))
      self = own
    } else if count >= 16 {
      mix(eightBytes(run, at: 0), eightBytes(run, at: 8))
      mix(eightBytes(run, at: count &- 16), eightBytes(run, at: count &- 8))
    } else if count >= 8 {
      mix(eightBytes(run, at: 0), eightBytes(run, at: count &- 8))
    } else {
      mix(fewBytes(bytes, at: range.lowerBound, count: count), 0)
    }
    lane ^= UInt64(truncatingIfNeeded: count)
  }

  /// Returns the hash of all runs added; its low 32 bits alone are well mixed.
  @inline(__always)
  package func finished() -> UInt64 {
    Self.folded(lane ^ 0xA409_3822_299F_31D1, otherLane ^ 0x082E_FA98_EC4E_6C89)
  }

  @inline(__always)
  private mutating func mix(_ first: UInt64, _ second: UInt64) {
    (lane, otherLane) = (
      otherLane, Self.folded(lane ^ first, second ^ 0x9E37_79B9_7F4A_7C15)
    )
  }

  @inline(__always)
  private mutating func mix(_ words: (UInt64, UInt64, UInt64, UInt64)) {
    mix(words.0, words.1)
    mix(words.2, words.3)
  }

  @inline(__always)
  private static func folded(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let (high, low) = first.multipliedFullWidth(by: second)
    return high ^ low
  }
}
