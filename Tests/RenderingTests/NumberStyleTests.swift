import Rendering
import Testing

@Suite struct NumberStyleTests {
  static let rates: [(Int128, Int128, String)] = [
    (31, 40, "0.775000"),
    (1, 3, "0.333333"),
    (2, 3, "0.666667"),
    (0, 7, "0.000000"),
    (7, 7, "1.000000"),
    (5, 2, "2.500000"),
    (-1, 4, "-0.250000"),
    (1, -4, "-0.250000"),
    (-1, -4, "0.250000"),
    (999_999_9, 10_000_000, "1.000000"),
    (-1, 10_000_000, "0.000000"),
  ]

  @Test(arguments: rates)
  func `writes a ratio with six decimals`(numerator: Int128, denominator: Int128, expected: String)
  {
    #expect(NumberStyle.rate(numerator, over: denominator) == expected)
  }

  static let ties: [(Int128, String)] = [
    (1, "0.000000"), (3, "0.000002"), (5, "0.000002"), (7, "0.000004"), (-3, "-0.000002"),
    (-1, "0.000000"), (1_999_999, "1.000000"), (1_999_997, "0.999998"),
  ]

  @Test(arguments: ties)
  func `rounds a tie of the sixth decimal to the even digit`(
    halfMillionths: Int128, expected: String
  ) {
    #expect(NumberStyle.rate(halfMillionths, over: 2_000_000) == expected)
  }

  @Test
  func `decides ties beyond what a Double can tell apart`() {
    let half = Int128(10).powered(30)
    #expect(NumberStyle.rate(half, over: half * 2_000_000) == "0.000000")
    #expect(NumberStyle.rate(half + 1, over: half * 2_000_000) == "0.000001")
    #expect(NumberStyle.rate(3 * half - 1, over: half * 2_000_000) == "0.000001")
  }

  @Test
  func `writes the largest ratios without overflow`() {
    #expect(NumberStyle.rate(.max, over: 1) == "\(Int128.max).000000")
    #expect(NumberStyle.rate(.min, over: 1) == "\(Int128.min).000000")
    #expect(NumberStyle.rate(.max - 1, over: .max) == "1.000000")
    #expect(NumberStyle.percentage(.max, over: 1) == "\(Int128.max)00.00%")
    #expect(NumberStyle.rate(.min, over: .min) == "1.000000")
  }

  static let percentages: [(Int128, Int128, String)] = [
    (31, 40, "77.50%"), (1, 3, "33.33%"), (1, 1, "100.00%"), (0, 3, "0.00%"), (1, 400, "0.25%"),
    (1, 20_000, "0.00%"), (3, 20_000, "0.02%"), (5, 20_000, "0.02%"), (-1, 20, "-5.00%"),
    (12, 10, "120.00%"), (1, 1_000_000, "0.00%"), (-1, 1_000_000, "0.00%"),
  ]

  @Test(arguments: percentages)
  func `writes a percentage with two decimals, ties to even`(
    numerator: Int128, denominator: Int128, expected: String
  ) {
    #expect(NumberStyle.percentage(numerator, over: denominator) == expected)
  }

  static let fractions: [(Double, String?, String?)] = [
    (0, "0.000000", "0.00%"),
    (-0.0, "0.000000", "0.00%"),
    (1, "1.000000", "100.00%"),
    (0.6250, "0.625000", "62.50%"),
    (0.20079, "0.200790", "20.08%"),
    (1e-300, "0.000000", "0.00%"),
    (.leastNonzeroMagnitude, "0.000000", "0.00%"),
    (-0.0524, "-0.052400", "-5.24%"),
    (-1e-9, "0.000000", "0.00%"),
    (0.9999999, "1.000000", "100.00%"),
    // 1/128 and 3/128 are stored exactly, so these are true ties of the sixth decimal.
    (0.0078125, "0.007812", "0.78%"),
    (0.0234375, "0.023438", "2.34%"),
    (1_234_567.5, "1234567.500000", "123456750.00%"),
    (.nan, nil, nil),
    (.infinity, nil, nil),
    (1e31, nil, nil),
  ]

  @Test(arguments: fractions)
  func `writes a statistic from its exact binary value`(
    value: Double, rate: String?, percentage: String?
  ) {
    #expect(NumberStyle.rate(value) == rate)
    #expect(NumberStyle.percentage(value) == percentage)
  }

  static let amounts: [(Int128, String)] = [
    (9_990, "9.99"), (5, "0.005"), (-5, "-0.005"), (-13_470, "-13.47"), (980_000, "980.00"),
    (0, "0.00"), (10, "0.01"), (1_234_567, "1234.567"), (-10, "-0.01"),
    (.max, "170141183460469231731687303715884105.727"),
    (.min, "-170141183460469231731687303715884105.728"),
  ]

  @Test(arguments: amounts)
  func `writes money with two decimals and a third when needed`(
    milliunits: Int128, expected: String
  ) {
    #expect(NumberStyle.money(milliunits: milliunits) == expected)
  }

  static let hundredthsCases: [(Int, String)] = [
    (125, "1.25"), (5, "0.05"), (0, "0.00"), (-5, "-0.05"), (-3_100, "-31.00"),
    (.min, "-92233720368547758.08"),
  ]

  @Test(arguments: hundredthsCases)
  func `writes hundredths with two decimals`(value: Int, expected: String) {
    #expect(NumberStyle.hundredths(value) == expected)
  }
}

extension Int128 {
  fileprivate func powered(_ exponent: Int) -> Int128 {
    (0..<exponent).reduce(1) { power, _ in power * self }
  }
}
