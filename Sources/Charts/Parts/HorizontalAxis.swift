/// A horizontal axis below rows: lines across the plot, with their values below it.
struct HorizontalAxis {
  let ticks: Ticks

  /// Where the axis begins, if not at zero.
  let note: String

  private let texts: [String]

  static let height = 24.0
  private static let gap = 10.0

  /// Creates an axis with as many ticks as there is room for their texts.
  ///
  /// - Parameters:
  ///   - values: The plottable values that it covers.
  ///   - format: How values become text.
  ///   - startsAtZero: Whether zero belongs to it.
  ///   - width: The width of the plot.
  init(_ values: [Double], _ format: ValueFormat, startsAtZero: Bool, width: Double) {
    let domain = Domain(values, startsAtZero: startsAtZero)
    var limit = 6
    var ticks = Ticks(low: domain.low, high: domain.high, format: format, limit: limit)
    while limit > 3, !Self.fits(ticks, format, width) {
      limit -= 1
      ticks = Ticks(low: domain.low, high: domain.high, format: format, limit: limit)
    }
    self.ticks = ticks
    texts = ticks.texts(format)
    note = Domain.note(ticks, format)
  }

  private static func fits(_ ticks: Ticks, _ format: ValueFormat, _ width: Double) -> Bool {
    let widest = ticks.texts(format).map(TextStyle.small.width).max() ?? 0
    return Double(ticks.last - ticks.first) * (widest + gap) <= width
  }

  /// Returns the scale in a plot, to the right.
  func scale(in plot: Rect) -> LinearScale { LinearScale(ticks, from: plot.x, to: plot.right) }

  /// Writes the lines and their values; leaves out texts that would overlap.
  ///
  /// - Parameters:
  ///   - svg: The drawing.
  ///   - plot: The plot.
  ///   - width: The width of the drawing, beyond which no text goes.
  func draw(into svg: inout SVGWriter, plot: Rect, width: Double) {
    let scale = scale(in: plot)
    var lines = Path()
    for x in ticks.values.map(scale.position) {
      lines.move(x, plot.y)
      lines.vertical(plot.bottom)
    }
    svg.texts(.small, anchor: .middle) { svg in
      var end = -Self.gap
      for (value, text) in zip(ticks.values, texts) {
        let half = TextStyle.small.width(text) / 2
        let middle = max(half, min(width - half, scale.position(value)))
        guard middle - half >= end + Self.gap else { continue }
        end = middle + half
        svg.text(text, x: middle, middle: plot.bottom + 14, .small, anchor: .middle)
      }
    }
    svg.rule(lines, opacity: 0.16)
  }

  /// Writes the line at a value, stronger than those of ticks.
  func drawLine(at value: Double, into svg: inout SVGWriter, plot: Rect) {
    guard ticks.low <= value, value <= ticks.high else { return }
    let x = scale(in: plot).position(value)
    var line = Path()
    line.move(x, plot.y)
    line.vertical(plot.bottom)
    svg.rule(line, opacity: 0.8)
  }
}
