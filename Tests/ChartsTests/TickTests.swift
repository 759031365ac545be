import Charts
import SubreportTestSupport
import Testing

@Suite struct TickTests {
  private static let formats: [ValueFormat] = [
    .count, .percent, .amount(decimals: 2), .amount(decimals: 0),
  ]

  @Test(arguments: seeds(200))
  func `are the finest of 1, 2, 2.5 and 5 that cover the values and zero with at most five`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    for format in Self.formats {
      let size = Self.power(Int.random(in: -2...7, using: &random))
      let one = Double(Int.random(in: -999...999, using: &random)) / 100 * size
      let two = one + Double(Int.random(in: 1...999, using: &random)) / 100 * size
      let ticks = try Self.figure([one, two], format).ticks(isUpright: true).map(\.value)
      let expected = Self.ticks(min(0, one), max(0, two), format)
      try #require(ticks.count == expected.count, "\(one) \(two) \(format): \(ticks) \(expected)")
      for (tick, value) in zip(ticks, expected) {
        #expect(abs(tick - value) <= abs(value) * 1e-12, "\(ticks) \(expected)")
      }
    }
  }

  private static func figure(_ values: [Double], _ format: ValueFormat) throws -> ReadFigure {
    try ReadFigure(
      TimePlot(values.map { TimePlot.Month("x", year: "", .point($0)) }, format))
  }

  static func power(_ exponent: Int) -> Double { Double("1e\(exponent)") ?? 0 }

  /// The slow version: tries every step, and takes the first with at most five ticks.
  private static func ticks(_ low: Double, _ high: Double, _ format: ValueFormat) -> [Double] {
    for exponent in -12...15 {
      for factor in [1, 2, 2.5, 5] where suits(factor, exponent, format) {
        let step = factor * power(exponent)
        var ticks: [Double] = []
        var index = (low / step + 1e-9).rounded(.down)
        while ticks.count <= 5 {
          ticks.append(index * step)
          if index >= high / step - 1e-9, ticks.count > 1 { break }
          index += 1
        }
        if ticks.count <= 5 { return ticks }
      }
    }
    return []
  }

  private static func suits(_ factor: Double, _ exponent: Int, _ format: ValueFormat) -> Bool {
    let digit = factor == 2.5 ? exponent - 1 : exponent
    switch format {
    case .count: return digit >= 0
    case .amount(let decimals): return digit >= -decimals
    case .percent: return true
    }
  }

  static let texts: [([Double], ValueFormat, [String])] = [
    ([0, 0.09], .percent, ["0.0%", "2.5%", "5.0%", "7.5%", "10.0%"]),
    ([0, 1], .percent, ["0%", "25%", "50%", "75%", "100%"]),
    ([0, 3], .count, ["0", "1", "2", "3"]),
    ([0, 9_999], .count, ["0", "2,500", "5,000", "7,500", "10,000"]),
    (
      [-1_500, 2_000], .amount(decimals: 2),
      ["\u{2212}2,000", "\u{2212}1,000", "0", "1,000", "2,000"]
    ),
    ([-9_000, 12_000], .count, ["\u{2212}10k", "0", "10k", "20k"]),
    ([0, 110_000], .amount(decimals: 2), ["0", "50k", "100k", "150k"]),
    ([0, 9_000_000], .count, ["0", "2.5M", "5.0M", "7.5M", "10.0M"]),
    ([0, 2e9], .count, ["0", "500M", "1,000M", "1,500M", "2,000M"]),
    ([7, 7], .count, ["0", "2", "4", "6", "8"]), ([0, 0], .count, ["0", "1"]),
    ([0.5], .amount(decimals: 2), ["0.0", "0.2", "0.4", "0.6"]),
  ]

  @Test(arguments: texts)
  func `have texts of the same form`(values: [Double], format: ValueFormat, expected: [String])
    throws
  {
    let texts = try Self.figure(values, format).all("ax", "e").sorted { $0.y > $1.y }
    #expect(texts.map(\.element.text) == expected)
  }
}
