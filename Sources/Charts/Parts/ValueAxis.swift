/// A vertical axis: lines across the plot, with their values on the left.
struct ValueAxis {
  let ticks: Ticks
  let format: ValueFormat

  /// The unit, and where the axis begins if not at zero; stands above the axis.
  let title: String

  private let texts: [String]

  /// Creates an axis.
  ///
  /// - Parameters:
  ///   - values: The plottable values that it covers.
  ///   - format: How values become text.
  ///   - startsAtZero: Whether zero belongs to it.
  ///   - title: The unit, a text of any origin; may be empty.
  ///   - limit: The highest number of ticks.
  init(_ values: [Double], _ format: ValueFormat, startsAtZero: Bool, title: String, limit: Int = 6)
  {
    let domain = Domain(values, startsAtZero: startsAtZero)
    ticks = Ticks(low: domain.low, high: domain.high, format: format, limit: limit)
    texts = ticks.texts(format)
    self.format = format
    let note = Domain.note(ticks, format)
    if note.isEmpty || title.isEmpty {
      self.title = title.isolated + note
    } else {
      self.title = title.isolated + " (\(note))"
    }
  }

  /// The width of the tick texts, with the space between them and the plot.
  var labelWidth: Double { (texts.map(TextStyle.small.width).max() ?? 0) + 8 }

  /// The height of the title.
  var titleHeight: Double { title.isEmpty ? 0 : 20 }

  /// Returns the scale in a plot, upwards.
  func scale(in plot: Rect) -> LinearScale { LinearScale(ticks, from: plot.bottom, to: plot.y) }

  /// Writes the title.
  ///
  /// - Parameters:
  ///   - svg: The drawing.
  ///   - y: The upper end of the title.
  ///   - width: The width of the drawing.
  func drawTitle(into svg: inout SVGWriter, y: Double, width: Double) {
    guard !title.isEmpty else { return }
    let cut = TextStyle.small.cut(title, to: width)
    svg.text(cut, x: 0, middle: y + 8, .small, whole: cut == title ? nil : title)
  }

  /// Writes the lines and their values.
  func draw(into svg: inout SVGWriter, plot: Rect) {
    let scale = scale(in: plot)
    var lines = Path()
    var zero = Path()
    for value in ticks.values {
      let y = scale.position(value)
      if value == 0 { add(y, plot, to: &zero) } else { add(y, plot, to: &lines) }
    }
    svg.texts(.small, anchor: .end) { svg in
      for (value, text) in zip(ticks.values, texts) {
        svg.text(text, x: plot.x - 8, middle: scale.position(value), .small, anchor: .end)
      }
    }
    svg.rule(lines, opacity: 0.16)
    svg.rule(zero, opacity: 0.7)
  }

  private func add(_ y: Double, _ plot: Rect, to path: inout Path) {
    path.move(plot.x, y)
    path.horizontal(plot.right)
  }
}
