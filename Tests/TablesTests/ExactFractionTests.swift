import SubreportTestSupport
import Tables
import Testing

/// A fraction of natural numbers of any size with a sign: slow and obvious.
private struct SlowFraction {
  let isNegative: Bool
  let above: NaturalNumber
  let below: NaturalNumber

  init(_ numerator: Int128, _ denominator: Int128) {
    isNegative = numerator != 0 && (numerator < 0) != (denominator < 0)
    above = NaturalNumber(numerator.magnitude)
    below = NaturalNumber(denominator.magnitude)
  }

  /// Returns -1, 0 or 1.
  func order(_ other: SlowFraction) -> Int {
    if isNegative != other.isNegative { return isNegative ? -1 : 1 }
    let (one, two) = (above * other.below, other.above * below)
    if one == two { return 0 }
    return (one < two) != isNegative ? -1 : 1
  }
}

@Suite("Exact fractions")
struct ExactFractionTests {
  /// The numbers above and below a line, with any signs.
  private struct Pair {
    var above: Int128
    var below: Int128

    init(_ above: Int128, _ below: Int128) { (self.above, self.below) = (above, below) }

    var fraction: ExactFraction { ExactFraction(above, over: below) }
    var slow: SlowFraction { SlowFraction(above, below) }
  }

  private static func order(_ left: ExactFraction, _ right: ExactFraction) -> Int {
    left == right ? 0 : left < right ? -1 : 1
  }

  /// Returns a number of up to 127 bits with either sign, not 0.
  private static func number(_ random: inout SeededGenerator) -> Int128 {
    let bits = Int.random(in: 1...126, using: &random)
    let number = Int128.random(in: 1...(1 << Int128(bits)), using: &random)
    return Bool.random(using: &random) ? number : -number
  }

  @Test(arguments: seeds(100))
  func `of any size are ordered as slow arithmetic orders them`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pairs: [Pair] = []
    for _ in 0..<12 {
      let above = Self.number(&random)
      pairs.append(Pair(above, Self.number(&random)))
    }
    // Zeros, equal fractions of other numbers, and neighbours.
    pairs += [
      Pair(0, 7), Pair(0, -1), Pair(1, 2), Pair(2, 4), Pair(-1, -2), Pair(1, -2), Pair(-2, 4),
    ]
    let some = pairs.prefix(3)
    pairs += some.map { Pair($0.above, -$0.below) } + some.map { Pair($0.above - 1, $0.below) }
    for left in pairs {
      for right in pairs {
        let found = Self.order(left.fraction, right.fraction)
        #expect(found == left.slow.order(right.slow), "\(left) \(right)")
      }
    }
  }

  @Test(arguments: seeds(100))
  func `are subtracted as at school, and the difference is in lowest terms`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let (a, c) = (
        Int128.random(in: -60...60, using: &random), Int128.random(in: -60...60, using: &random)
      )
      let b = Int128.random(in: 1...60, using: &random) * (Bool.random(using: &random) ? 1 : -1)
      let d = Int128.random(in: 1...60, using: &random) * (Bool.random(using: &random) ? 1 : -1)
      let found = ExactFraction(a, over: b) - ExactFraction(c, over: d)
      #expect(found == ExactFraction(a * d - c * b, over: b * d), "\(a)/\(b) - \(c)/\(d)")
      #expect(found.denominator > 0)
      let common = (2...3_600).filter {
        found.numerator.isMultiple(of: Int128($0)) && found.denominator.isMultiple(of: Int128($0))
      }
      #expect(common.isEmpty || found.numerator == 0 && found.denominator == 1)
    }
  }

  @Test
  func `that are too large for an exact difference give it to twelve decimals`() {
    // Nearly 1/3 and nearly 1/7; the product of the denominators has 203 bits.
    let size = Int128(1) << 100
    let third = ExactFraction(size, over: 3 * size + 1)
    let seventh = ExactFraction(size, over: 7 * size + 2)
    let difference = third - seventh
    #expect(difference == ExactFraction(190_476_190_476, over: 1_000_000_000_000))
    #expect(seventh - third == ExactFraction(-190_476_190_476, over: 1_000_000_000_000))
    #expect(third - third == ExactFraction(0, over: 1))
  }

  @Test
  func `have a positive denominator, and keep it where they are added by their numerators`() {
    let fraction = ExactFraction(6, over: -100)
    #expect(fraction.numerator == -6 && fraction.denominator == 100)
    #expect(fraction == ExactFraction(-3, over: 50))
    #expect(fraction.approximate == -0.06)
    #expect(fraction.cell == .ratio(numerator: -6, denominator: 100))
    let least = ExactFraction(Int128.min, over: 1)
    #expect(least < ExactFraction(Int128.min + 1, over: 1) && least == least)
  }

  static let changes: [(ReportTable.Cell, ReportTable.Cell, ReportTable.Cell)] = [
    (.count(3), .count(5), .count(2)), (.count(5), .count(3), .count(-2)),
    (.money(milliunits: 9_990), .money(milliunits: 8_000), .money(milliunits: -1_990)),
    (.hundredths(125), .hundredths(100), .hundredths(-25)),
    // 5/40 - 3/30 is 1/40; 4/40 - 5/40 and 4/-40 - 5/-40 are -1/40 and 1/40.
    (.rate(3, of: 30), .rate(5, of: 40), .ratio(numerator: 1, denominator: 40)),
    (.rate(5, of: 40), .rate(4, of: 40), .ratio(numerator: -1, denominator: 40)),
    (
      .ratio(numerator: 5, denominator: -40), .ratio(numerator: 4, denominator: -40),
      .ratio(numerator: 1, denominator: 40)
    ),
    (.rate(1, of: 2), .rate(2, of: 4), .ratio(numerator: 0, denominator: 1)),
    (.fraction(0.5), .fraction(0.25), .missing), (.missing, .count(1), .missing),
    (.count(1), .missing, .missing), (.count(1), .rate(1, of: 2), .missing),
    (.text("a"), .text("b"), .missing),
    // Too large.
    (.count(.min), .count(1), .missing), (.hundredths(.max), .hundredths(-2), .missing),
    (.money(milliunits: .min), .money(milliunits: 1), .missing),
  ]

  @Test(arguments: changes)
  func `are the changes of rates`(
    before: ReportTable.Cell, after: ReportTable.Cell, expected: ReportTable.Cell
  ) {
    #expect(after.change(since: before) == expected)
  }
}
