import Storage
import SubreportTestSupport
import Testing

/// A number of which many have the same hash.
private struct Crowded: QuickHashable {
  var number: Int
  var quickHash: UInt32 { UInt32(number % 3) }
}

@Suite("Counts by key")
struct KeyCountsTests {
  @Test(arguments: seeds(50))
  func `agree with a dictionary, also after they were emptied`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var counts = KeyCounts<Crowded>()
    for _ in 0..<6 {
      var reference: [Crowded: Int] = [:]
      var order: [Crowded] = []
      // Few after many: then the room is given back.
      for _ in 0..<Int.random(in: 0...400, using: &random) {
        let key = Crowded(number: Int.random(in: 0..<200, using: &random))
        let count = Int.random(in: -2...5, using: &random)
        if reference[key] == nil { order.append(key) }
        reference[key, default: 0] += count
        counts.add(count, of: key)
      }
      #expect(Array(counts.entries.map(\.key)) == order)
      #expect(Array(counts.entries.map(\.count)) == order.map { reference[$0] })
      counts.removeAll()
      #expect(Array(counts.entries).isEmpty)
    }
  }

  @Test(arguments: [0, 16, 32, 40])
  func `find each of a million numbers again, whichever bits they differ in`(shift: UInt64) {
    // A hash whose lower bits are alike would take hours.
    var values = NumberedValues<Shifted>()
    for number in 0..<1_000_000 as Range<UInt64> {
      _ = values.number(of: Shifted(bits: number << shift))
    }
    #expect(values.values.count == 1_000_000)
    #expect(values.number(of: Shifted(bits: 999_999 << shift)) == 999_999)
  }
}

private struct Shifted: QuickHashable {
  var bits: UInt64
  var quickHash: UInt32 { bits.quickHash }
}
