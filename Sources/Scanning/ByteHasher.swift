/// Hashes bytes that come in pieces; the same bytes give the same hash however they are cut.
///
/// Eight bytes a step through two lanes that take turns, so that one multiplication need not wait
/// for the one before it. Not meant to resist somebody who looks for collisions.
struct ByteHasher {
  private var lane: UInt64 = 0x243F_6A88_85A3_08D3
  private var otherLane: UInt64 = 0x1319_8A2E_0370_7344
  private var pending: UInt64 = 0
  private var pendingBits: UInt64 = 0
  private var length = 0

  /// Adds bytes of a line.
  @inline(__always)
  mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    var offset = range.lowerBound
    let end = range.upperBound
    length &+= end &- offset
    if pendingBits == 0 {
      while offset &+ 8 <= end {
        mix(eightBytes(bytes, at: offset))
        offset &+= 8
      }
    } else {
      while offset &+ 8 <= end {
        let word = eightBytes(bytes, at: offset)
        mix(pending | word &<< pendingBits)
        pending = word &>> (64 &- pendingBits)
        offset &+= 8
      }
    }
    let count = end &- offset
    if count > 0 { addFew(fewBytes(bytes, at: offset, count: count), count: count) }
  }

  /// Adds one tab.
  @inline(__always)
  mutating func addTab() {
    length &+= 1
    addFew(0x09, count: 1)
  }

  /// Returns the hash of all bytes added: the low 32 bits alone are well mixed.
  @inline(__always)
  func finished() -> UInt64 {
    var last = self
    last.mix(pending)
    return Self.folded(
      last.lane ^ 0xA409_3822_299F_31D1,
      last.otherLane ^ 0x082E_FA98_EC4E_6C89 ^ UInt64(truncatingIfNeeded: length))
  }

  @inline(__always)
  private mutating func addFew(_ word: UInt64, count: Int) {
    pending |= word &<< pendingBits
    let bits = UInt64(truncatingIfNeeded: count &* 8)
    let total = pendingBits &+ bits
    guard total >= 64 else {
      pendingBits = total
      return
    }
    mix(pending)
    pendingBits = total &- 64
    pending = word &>> (bits &- pendingBits)
  }

  @inline(__always)
  private mutating func mix(_ word: UInt64) {
    (lane, otherLane) = (otherLane, Self.folded(lane ^ word, 0x9E37_79B9_7F4A_7C15))
  }

  @inline(__always)
  private static func folded(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let (high, low) = first.multipliedFullWidth(by: second)
    return high ^ low
  }
}
