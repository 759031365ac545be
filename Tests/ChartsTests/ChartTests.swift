import Charts
import Testing

@Suite struct ChartTests {
  @Test
  func `is empty without values`() {
    let chart = LineChart(labels: [], series: [], format: .count)
    #expect(chart.isEmpty)
    #expect(chart.svg(FigureText(id: "a", title: "b", description: "c")).isEmpty)
  }
}
