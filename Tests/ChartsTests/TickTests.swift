import Charts
import SubreportTestSupport
import Testing

@Suite struct TickTests {
  private static let formats: [ValueFormat] = [
    .count, .percent, .points, .amount(decimals: 2), .amount(decimals: 0),
  ]

  @Test(arguments: seeds(200))
  func `are the finest of 1, 2, 2.5 and 5 that cover the values with at most six`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    for format in Self.formats {
      let size = Self.power(Int.random(in: -4...9, using: &random))
      let one = Double(Int.random(in: -999...999, using: &random)) / 100 * size
      let two = one + Double(Int.random(in: 1...999, using: &random)) / 100 * size
      let startsAtZero = Bool.random(using: &random)
      let figure = try Self.figure([one, two], format, startsAtZero)
      let ticks = TickReader(vertical: figure).ticks.map(\.value)
      let expected = Self.ticks(min(one, two), max(one, two), format, startsAtZero)
      try #require(ticks.count == expected.count, "\(one) \(two) \(format): \(ticks) \(expected)")
      for (tick, value) in zip(ticks, expected) {
        #expect(abs(tick - value) <= abs(value) * 1e-12, "\(ticks) \(expected)")
      }
      let texts = figure.all(named: "text").map(\.text)
      #expect(texts.contains { $0.hasPrefix("axis begins at ") } == (expected[0] > 0))
      #expect(texts.contains { $0.hasPrefix("axis ends at ") } == (expected.last ?? 0 < 0))
    }
  }

  private static func figure(
    _ values: [Double], _ format: ValueFormat, _ startsAtZero: Bool = false
  ) throws -> SVGElement {
    let points = values.map { LinePoint($0) }
    let chart = LineChart(
      labels: values.map { _ in "x" }, series: [LineSeries(name: "x", points: points)],
      format: format, startsAtZero: startsAtZero)
    return try SVGParser.parse(chart.svg(FigureText(id: "x", title: "", description: "")))
  }

  static func power(_ exponent: Int) -> Double { Double("1e\(exponent)") ?? 0 }

  /// The slow version: tries every step, and takes the first with at most six ticks.
  private static func ticks(
    _ low: Double, _ high: Double, _ format: ValueFormat, _ startsAtZero: Bool
  ) -> [Double] {
    let needsZero = startsAtZero || low > 0 && 2 * low <= high || high < 0 && 2 * high >= low
    let low = needsZero ? min(0, low) : low
    let high = needsZero ? max(0, high) : high
    for exponent in -12...15 {
      for factor in [1, 2, 2.5, 5] where suits(factor, exponent, format) {
        let step = factor * power(exponent)
        var ticks: [Double] = []
        var index = (low / step + 1e-9).rounded(.down)
        while ticks.count <= 6 {
          ticks.append(index * step)
          if index >= high / step - 1e-9, ticks.count > 1 { break }
          index += 1
        }
        if ticks.count <= 6 { return ticks }
      }
    }
    return []
  }

  private static func suits(_ factor: Double, _ exponent: Int, _ format: ValueFormat) -> Bool {
    let digit = factor == 2.5 ? exponent - 1 : exponent
    switch format {
    case .count: return digit >= 0
    case .amount(let decimals): return digit >= -decimals
    case .percent, .points: return true
    }
  }

  static let texts: [([Double], ValueFormat, [String])] = [
    ([0, 0.11], .percent, ["0 %", "2.5 %", "5.0 %", "7.5 %", "10.0 %", "12.5 %"]),
    ([0, 1], .percent, ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]),
    ([0, 3], .count, ["0", "1", "2", "3"]),
    ([0, 9_999], .count, ["0", "2k", "4k", "6k", "8k", "10k"]),
    ([0, 12_345], .count, ["0", "2.5k", "5.0k", "7.5k", "10.0k", "12.5k"]),
    ([0, 5_000_000], .amount(decimals: 2), ["0", "1M", "2M", "3M", "4M", "5M"]),
    ([0, 2e9], .count, ["0", "0.5bn", "1.0bn", "1.5bn", "2.0bn"]),
    ([100_001, 100_004], .count, ["100,001", "100,002", "100,003", "100,004"]),
    ([-0.02, 0.01], .points, ["-2 pp", "-1 pp", "0 pp", "1 pp"]),
    ([0, 2e20], .count, ["0", "0.5e20", "1.0e20", "1.5e20", "2.0e20"]),
    ([0, 2e-9], .percent, ["0 %", "0.5e-7 %", "1.0e-7 %", "1.5e-7 %", "2.0e-7 %"]),
    ([7, 7], .count, ["0", "2", "4", "6", "8"]),
    ([0, 0], .count, ["0", "1"]),
    ([-5, -5], .amount(decimals: 0), ["-5", "-4", "-3", "-2", "-1", "0"]),
  ]

  @Test(arguments: texts)
  func `have texts of the same form`(values: [Double], format: ValueFormat, expected: [String])
    throws
  {
    let figure = try Self.figure(values, format)
    let texts = figure.all(named: "text").filter { $0["text-anchor"] == "end" }.map(\.text)
    #expect(texts.map { String($0.map { $0 == "\u{A0}" ? " " : $0 }) } == expected)
  }
}
