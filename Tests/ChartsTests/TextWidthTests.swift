import Charts
import SubreportTestSupport
import Testing

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
