import SubreportTestSupport
import Tables
import Testing

@Suite("Statistics")
struct StatisticsTests {
  static let wilson: [(Int, Int, Double, Double)] = [
    (31, 40, 0.6250, 0.8768), (13, 40, 0.2008, 0.4798), (2, 40, 0.0138, 0.1650),
    (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (3, 25, 0.0417, 0.2996),
    (62, 1_000, 0.0487, 0.0787),
  ]

  @Test(arguments: wilson.indices)
  func `give Wilson's intervals to four decimals`(index: Int) throws {
    let (count, total, low, high) = Self.wilson[index]
    let interval = try #require(Statistics.wilson(count, of: total))
    #expect((interval.low * 10_000).rounded() == (low * 10_000).rounded())
    #expect((interval.high * 10_000).rounded() == (high * 10_000).rounded())
  }

  @Test(arguments: [(0, 0), (3, 0), (4, 3), (-1, 3)])
  func `give no interval without a proportion`(count: Int, total: Int) {
    #expect(Statistics.wilson(count, of: total) == nil)
  }

  @Test(arguments: seeds(200))
  func `keep the rate between bounds between 0 and 1`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let total = Int.random(in: 1...[3, 50, 100_000][Int(seed % 3)], using: &random)
      let count = Int.random(in: 0...total, using: &random)
      let rate = Double(count) / Double(total)
      let interval = try #require(Statistics.wilson(count, of: total))
      #expect(0 <= interval.low && interval.low <= rate)
      #expect(rate <= interval.high && interval.high <= 1)
      // The interval of the opposite is the mirror image.
      let mirrored = try #require(Statistics.wilson(total - count, of: total))
      #expect(abs(mirrored.low - (1 - interval.high)) < 1e-12)
    }
  }

  /// The vectors of Newcombe's paper, table II, method 10.
  static let differences: [((Int, Int), (Int, Int), Double, Double)] = [
    ((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090),
    ((6, 7), (2, 7), 0.0582, 0.8062), ((5, 56), (0, 29), -0.0381, 0.1926),
    ((0, 10), (0, 20), -0.1611, 0.2775), ((0, 10), (0, 10), -0.2775, 0.2775),
    ((10, 10), (0, 20), 0.6791, 1), ((10, 10), (0, 10), 0.6075, 1),
  ]

  @Test(arguments: differences.indices)
  func `give Newcombe's intervals to four decimals`(index: Int) {
    let (first, second, low, high) = Self.differences[index]
    let found = Statistics.difference(
      WeightedRate(first.0, of: first.1), WeightedRate(second.0, of: second.1))
    #expect((found.low * 10_000).rounded() == (low * 10_000).rounded())
    #expect((found.high * 10_000).rounded() == (high * 10_000).rounded())
  }

  @Test(arguments: [
    ([30, 34, 28, 32, 29, 31], 0.023884, 0.102404),
    ([10, 60, 20, 50, 15, 29], -0.041398, 0.262725),
  ])
  func `a departure allows for how much the months before differ`(
    lost: [Int], low: Double, high: Double
  ) {
    let earlier = lost.map { TwoMonths.Ratio(numerator: $0, denominator: 500) }
    let found = Statistics.departure(
      of: TwoMonths.Ratio(numerator: 60, denominator: 500), from: earlier)
    #expect(abs(found.value - 0.058667) < 1e-6)
    #expect(abs(found.low - low) < 1e-6 && abs(found.high - high) < 1e-6, "\(found)")
  }

  @Test
  func `subtract a difference from a difference by the same rule`() {
    let first = RateDifference(value: -0.20, low: -0.23, high: -0.16)
    let second = RateDifference(value: -0.05, low: -0.09, high: -0.02)
    let found = Statistics.difference(first, second)
    #expect(abs(found.value + 0.15) < 1e-12)
    // 3 points below the first and 3 above the second; 4 above the first and 4 below the second.
    #expect(abs(found.low - (-0.15 - 0.03 * 2.0.squareRoot())) < 1e-12)
    #expect(abs(found.high - (-0.15 + 0.04 * 2.0.squareRoot())) < 1e-12)
    #expect(found.negated.negated == found)
    #expect(!found.spansZero)
  }

  @Test
  func `know a rate of strata as well as a sample of the effective size`() {
    let equal = WeightedRate([(10, 5, 10), (30, 15, 30)])
    #expect(abs(equal.rate - 0.5) < 1e-12)
    #expect(abs(equal.effectiveSize - 40) < 1e-9)
    // Half the weight on a tenth of the cases: 1 / (0.25 / 10 + 0.25 / 90) = 36.
    let skewed = WeightedRate([(1, 5, 10), (1, 90, 90)])
    #expect(abs(skewed.rate - 0.75) < 1e-12)
    #expect(abs(skewed.effectiveSize - 36) < 1e-9)
  }

  @Test
  func `give the Kaplan-Meier curve of the example`() {
    let curve = Statistics.kaplanMeier([(370, 74), (176, 18), (72, 6)])
    #expect(curve.map { ($0.survival * 10_000).rounded() } == [8_000, 7_182, 6_583])
    #expect((curve[2].standardError * 10_000).rounded() == 335)
  }

  @Test
  func `know no interval where nobody or everybody was lost`() {
    let curve = Statistics.kaplanMeier([(10, 0), (10, 1), (0, 0), (5, 5), (0, 0)])
    #expect(curve.map(\.survival) == [1, 0.9, 0.9, 0, 0])
    #expect(curve.map { $0.interval == nil } == [true, false, false, true, true])
    #expect(curve[1] == curve[2])
    #expect(Statistics.kaplanMeier([]).isEmpty)
  }

  @Test(arguments: seeds(200))
  func `keep survival falling between its bounds`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let steps = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      let atRisk = Int.random(in: 1...500, using: &random)
      return (atRisk: atRisk, lost: Int.random(in: 0...atRisk / 2, using: &random))
    }
    var last = 1.0
    for point in Statistics.kaplanMeier(steps) {
      #expect(0 <= point.survival && point.survival <= last)
      last = point.survival
      guard let interval = point.interval else { continue }
      #expect(0 <= interval.low && interval.low <= point.survival)
      #expect(point.survival <= interval.high && interval.high <= 1)
    }
  }

  static let ranks: [(Int, [Int], Int)] = [
    (50, [7], 7), (90, [7], 7), (50, [1, 2], 1), (50, [1, 2, 3], 2), (50, [1, 2, 3, 4], 2),
    (90, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 9), (90, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 10),
    (100, [4, 4, 9], 9), (1, [4, 4, 9], 4), (50, [5, 5, 5, 60], 5),
  ]

  @Test(arguments: ranks.indices)
  func `take the value of the nearest rank`(index: Int) {
    let (percent, values, expected) = Self.ranks[index]
    let histogram = values.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    #expect(Statistics.nearestRank(percent: percent, of: histogram) == expected)
  }

  @Test
  func `know no rank of nothing`() {
    #expect(Statistics.nearestRank(percent: 50, of: [:]) == nil)
  }
}
