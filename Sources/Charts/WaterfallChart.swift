/// From one total to another in signed steps, like a statement: one row each, from the top.
///
/// Totals are bars from zero; steps are bars from the running sum before to the one after, joined by thin lines.
/// Increases and decreases differ in colour, pattern and the sign of their text. Without totals it begins at 0.
package struct WaterfallChart: Chart {
  /// The rows, from the top.
  package var rows: [WaterfallRow]

  /// How values become text.
  package var format: ValueFormat

  /// Whether the axis must begin at 0.
  ///
  /// Otherwise it may begin higher, if the steps are small beside the totals; the
  /// chart then says where, and the bars of the totals are broken.
  package var startsAtZero: Bool

  /// The unit above the axis; may be empty.
  package var axisTitle: String

  package var width: Double

  /// Creates a waterfall.
  ///
  /// - Parameters:
  ///   - rows: The rows, from the top; those without a finite value are left out.
  ///   - format: How values become text.
  ///   - startsAtZero: Whether the axis must begin at 0.
  ///   - axisTitle: The unit above the axis.
  ///   - width: The width of the drawing, from 240.
  package init(
    rows: [WaterfallRow], format: ValueFormat, startsAtZero: Bool = true, axisTitle: String = "",
    width: Double = 720
  ) {
    self.rows = rows
    self.format = format
    self.startsAtZero = startsAtZero
    self.axisTitle = axisTitle
    self.width = width
  }

  package var isEmpty: Bool { bars.isEmpty }

  package func draw(into svg: inout SVGWriter) -> Double {
    let bars = bars
    let frame = RowFrame(
      bars.map { RowFrame.Row(name: $0.name, value: $0.text, isStrong: $0.isTotal) }, width: width,
      title: axisTitle, values: axisValues(bars), format: format, startsAtZero: startsAtZero)
    frame.draw(into: &svg)
    for (index, bar) in bars.enumerated() {
      let place = frame.rect(index)
      draw(bar, middle: place.middle, frame: frame, into: &svg)
      svg.hit(place, [bar.name.isolated + ": " + bar.text])
    }
    drawConnectors(bars, frame: frame, into: &svg)
    frame.axis.drawLine(at: 0, into: &svg, plot: frame.plot)
    return frame.height
  }

  /// The rows with their places, and without those that cannot be drawn.
  private var bars: [WaterfallBar] { WaterfallBar.bars(rows, format: format) }

  /// The least part of the axis that a total covers, so that it is seen as a bar with a break.
  private static let leastShare = 0.2

  /// The values that the axis covers: zero only if it must, or if the totals are not much larger than the steps.
  ///
  /// Without zero there is room beside the end of the shortest total: its bar would be a line otherwise.
  private func axisValues(_ bars: [WaterfallBar]) -> [Double] {
    let values = bars.flatMap { $0.isTotal ? [$0.to] : [$0.from, $0.to] }
    let totals = bars.filter(\.isTotal).map(\.to)
    guard let low = values.min(), let high = values.max(), low > 0 || high < 0,
      let shortest = low > 0 ? totals.min() : totals.max()
    else { return values }
    let longest = low > 0 ? high : low
    let start = (shortest - Self.leastShare * longest) / (1 - Self.leastShare)
    return values + [low > 0 ? max(0, start) : min(0, start)]
  }

  private func draw(
    _ bar: WaterfallBar, middle: Double, frame: RowFrame, into svg: inout SVGWriter
  ) {
    let scale = frame.scale
    let zero = min(max(0, frame.axis.ticks.low), frame.axis.ticks.high)
    let (start, end) = (scale.position(bar.isTotal ? zero : bar.from), scale.position(bar.to))
    let rect = Rect(x: min(start, end), y: middle - 8, width: abs(end - start), height: 16)
    if bar.isTotal {
      svg.group(.grey) { $0.rect(rect, ["fill": "currentColor"]) }
      if zero != 0 { drawBreak(rect, into: &svg, atRight: zero < 0) }
    } else {
      let style = SeriesStyle(bar.to < bar.from ? 1 : 0)
      let fill = svg.fill(style)
      svg.group(style) { $0.rect(rect, ["fill": fill]) }
    }
  }

  /// Writes two slanted lines in the page's colour: the bar does not begin at zero.
  private func drawBreak(_ bar: Rect, into svg: inout SVGWriter, atRight: Bool) {
    var path = Path()
    for offset in [8.0, 14.0] {
      let x = atRight ? bar.right - offset : bar.x + offset
      path.move(x - 3, bar.bottom + 1)
      path.line(x + 3, bar.y - 1)
    }
    svg.path(
      path, ["class": "gap", "fill": "none", "stroke": Palette.paper, "stroke-width": "2.5"])
  }

  /// Writes the lines from the end of each bar to the next one.
  private func drawConnectors(
    _ bars: [WaterfallBar], frame: RowFrame, into svg: inout SVGWriter
  ) {
    var path = Path()
    for index in bars.indices.dropLast() {
      let x = frame.scale.position(bars[index].to)
      path.move(x, frame.rect(index).middle + 8)
      path.vertical(frame.rect(index + 1).middle - 8)
    }
    svg.rule(path, opacity: 0.6)
  }
}

/// A row of a ``WaterfallChart``.
package struct WaterfallRow: Hashable, Sendable {
  /// Whether a row is a total or changes one.
  package enum Kind: Hashable, Sendable {
    /// A bar from zero; the running sum is its value from here on.
    case total

    /// A change of the running sum.
    case step
  }

  /// The name, left of the bar.
  package var name: String

  /// The total, or the signed change; nil is a total with the running sum.
  package var value: Double?

  /// Whether the row is a total or a step.
  package var kind: Kind

  /// The exact value as text, where it is not the format's.
  package var text: String?

  /// Creates a total: the first row, a subtotal or the last row.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - value: The total; nil is the running sum.
  ///   - text: The exact value as text, where it is not the format's.
  /// - Returns: The row.
  package static func total(_ name: String, _ value: Double? = nil, text: String? = nil)
    -> WaterfallRow
  { WaterfallRow(name: name, value: value, kind: .total, text: text) }

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - change: The signed change of the running sum.
  ///   - text: The exact change as text, where it is not the format's.
  /// - Returns: The row.
  package static func step(_ name: String, _ change: Double, text: String? = nil) -> WaterfallRow {
    WaterfallRow(name: name, value: change, kind: .step, text: text)
  }
}

/// A row of a waterfall with its place on the axis.
struct WaterfallBar: Hashable {
  let name: String

  /// The value as text, made of isolated parts.
  let text: String
  let isTotal: Bool

  /// The running sum before the row; 0 for totals.
  let from: Double

  /// The running sum after the row.
  let to: Double

  /// Adds up rows.
  ///
  /// - Parameters:
  ///   - rows: The rows, from the top; those without a finite value are left out.
  ///   - format: How values become text.
  /// - Returns: The bars.
  static func bars(_ rows: [WaterfallRow], format: ValueFormat) -> [WaterfallBar] {
    var sum = 0.0
    return rows.compactMap { row in
      let isTotal = row.kind == .total
      guard let value = (row.value ?? (isTotal ? sum : .nan)).plottable else { return nil }
      let from = isTotal ? 0 : sum
      sum = (from + value).plottable ?? 0
      let text = row.text?.isolated ?? format.text(value, isSigned: !isTotal)
      return WaterfallBar(name: row.name, text: text, isTotal: isTotal, from: from, to: sum)
    }
  }
}
