import Charts
import SubreportTestSupport
import Testing

@Suite struct ValueFormatTests {
  static let texts: [(ValueFormat, Double, String)] = [
    (.count, 1_234, "1,234"), (.count, 0.4, "0"), (.count, -0.4, "0"), (.count, 2.5, "3"),
    (.count, -2.5, "-3"), (.count, 999_999.5, "1,000,000"), (.count, 1.5e15, "1.5e15"),
    (.count, 9.99e20, "1.0e21"), (.count, -1e300, "-1.0e290"), (.count, .nan, "–"),
    (.count, .infinity, "–"), (.percent, 0.1, "10.0\u{A0}%"), (.percent, 0.000_4, "0.0\u{A0}%"),
    (.percent, 12.345, "1,234.5\u{A0}%"), (.points, -0.005, "-0.5\u{A0}pp"),
    (.amount(decimals: 2), 1_234.5, "1,234.50"), (.amount(decimals: 2), -0.004, "0.00"),
    (.amount(decimals: 0), 0.5, "1"), (.amount(decimals: 9), 1, "1.000000"),
    (.amount(decimals: -1), 15, "15"), (.amount(decimals: 6), 9e14, "900,000,000,000,000.000"),
  ]

  @Test(arguments: texts)
  func `rounds and groups`(format: ValueFormat, value: Double, expected: String) {
    #expect(format.text(value) == expected)
  }

  @Test(arguments: seeds(200))
  func `agrees with digits grouped by hand`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let decimals = Int.random(in: 0...6, using: &random)
    let digits = Int.random(in: -999_999_999_999...999_999_999_999, using: &random)
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let whole = Array(String(abs(digits) / scale))
    var grouped = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { grouped += "," }
      grouped.append(digit)
    }
    let rest = String(String(scale + abs(digits) % scale).dropFirst())
    let expected = (digits < 0 ? "-" : "") + grouped + (decimals > 0 ? "." + rest : "")
    let text = ValueFormat.amount(decimals: decimals).text(Double(digits) / Double(scale))
    #expect(text == expected)
  }

  @Test func `changes have their sign, but not zero`() {
    #expect(ValueFormat.count.signedText(5) == "+5")
    #expect(ValueFormat.count.signedText(-5) == "-5")
    #expect(ValueFormat.count.signedText(0.2) == "0")
    #expect(ValueFormat.points.signedText(0.000_1) == "0.0\u{A0}pp")
  }
}

@Suite struct TextWidthTests {
  @Test(arguments: seeds(200))
  func `cut text fits, and is the longest beginning that does`(seed: UInt64) {
    var charts = RandomCharts(seed: seed, isHostile: true)
    let text = charts.text() + charts.text()
    let width = Double(charts.integer(15...200))
    let cut = TextWidth.cut(text, to: width, size: 12)
    if cut == text { return #expect(TextWidth.of(text, size: 12) <= width + 0.01) }
    #expect(cut.hasSuffix("…") && TextWidth.of(cut, size: 12) <= width + 0.01)
    let kept = Array(cut.dropLast())
    #expect(Array(text.prefix(kept.count)) == kept)
    // The next letter does not fit, nor spaces and one more.
    let next = text.dropFirst(kept.count).drop { $0 == " " }
    let longer = text.prefix(text.count - next.count + 1) + "…"
    #expect(TextWidth.of(String(longer), size: 12) > width + 0.009)
  }

  @Test func `letters have the widths of a sans-serif font`() {
    #expect(TextWidth.of("i", size: 10) < TextWidth.of("m", size: 10))
    #expect(TextWidth.of("00", size: 10) == 2 * TextWidth.of("0", size: 10))
    #expect(TextWidth.of("漢", size: 10) == 11)
    #expect(TextWidth.of("", size: 10) == 0)
    #expect(TextWidth.of("a", size: 10, isBold: true) > TextWidth.of("a", size: 10))
  }
}
