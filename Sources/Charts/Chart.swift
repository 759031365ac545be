/// A figure: a plain value that is written as SVG, for a page or as a file of its own.
///
/// The same values give the same bytes. Values that are not finite are treated as missing.
///
/// The figure is as wide as its place and has a fixed height; its text is never scaled. So places
/// along x are percentages, those along y pixels, and paths stand in an `svg` of their own that
/// is stretched. Margins and colours come from the classes of the style sheet; there is no `style`
/// attribute and no colour.
package protocol Chart: Sendable {
  /// Whether there is nothing to draw. The figure is then the empty text.
  var isEmpty: Bool { get }

  /// The room beside the plot for the texts of axes and rows.
  var margins: ChartMargins { get }

  var height: Double { get }

  /// Draws the chart; only called if it is not empty.
  func draw(into svg: inout SVGWriter)
}

/// The room beside a plot; the style sheet has the widths of pages.
package enum ChartMargins: String, Sendable {
  /// Ticks at the left, the last value at the right.
  case plot

  /// Names of rows at the left, values at the right.
  case rows = "plot rows"

  /// Names of rows at the left.
  case strip = "plot strip"

  /// The pixels at the left and at the right of a file, whose edge cuts longer text.
  var sides: (left: Double, right: Double) {
    switch self {
    case .plot: (50, 58)
    case .rows: (200, 104)
    case .strip: (160, 10)
    }
  }
}

/// A colour or mark of a figure, explained beside its title.
package struct LegendItem: Hashable, Sendable {
  /// The name of the mark, such as `in`; blank for words alone.
  package let mark: String
  package let text: String

  package init(mark: String, text: String) { (self.mark, self.text) = (mark, text) }
}

extension Chart {
  /// Returns the figure as an element of a page with ``ChartPatterns/element``; the empty text if the chart is empty.
  package func svg(_ text: FigureText) -> String {
    guard !isEmpty else { return "" }
    var svg = SVGWriter(id: text.id)
    svg.open(
      "svg",
      [
        "class": margins.rawValue, "role": "img",
        "aria-labelledby": "t\(svg.id) d\(svg.id)", "width": "100%",
        "height": Coordinate.text(height),
      ])
    svg.words(text)
    draw(into: &svg)
    svg.close("svg")
    return svg.body
  }

  /// Returns the figure as a file, 720 pixels wide, with title, limits and legend above the plot; `style` is on one
  /// line.
  package func file(_ text: FigureText, legend: [LegendItem], style: String) -> String {
    guard !isEmpty else { return "" }
    var heading = SVGWriter(id: text.id)
    let top = heading.heading(text, legend, width: FileLayout.width)
    var svg = SVGWriter(id: text.id)
    let (width, margin) = (FileLayout.width, FileLayout.margin)
    let height = Coordinate.text(top + self.height + margin)
    svg.open(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": "file", "role": "img",
        "aria-labelledby": "t\(svg.id) d\(svg.id)", "width": Coordinate.text(width),
        "height": height, "viewBox": "0 0 \(Coordinate.text(width)) \(height)",
      ])
    svg.words(text)
    svg.add("style", text: style)
    svg.patterns()
    svg.add("rect", ["class": "ground", "width": "100%", "height": "100%"])
    svg.add(markup: heading)
    let (left, right) = margins.sides
    svg.open(
      "svg",
      [
        "x": Coordinate.text(margin + left), "y": Coordinate.text(top),
        "width": Coordinate.text(width - 2 * margin - left - right),
        "height": Coordinate.text(self.height), "overflow": "visible",
      ])
    draw(into: &svg)
    svg.close("svg")
    svg.close("svg")
    return svg.body + "\n"
  }
}

/// The size of figures that are files, in pixels.
enum FileLayout {
  static let width = 720.0
  static let margin = 16.0
}

/// The patterns that hatched shapes of all figures of a page refer to.
package enum ChartPatterns {
  /// The element with the patterns; a page has it once, before its figures.
  package static let element: String = {
    var svg = SVGWriter(id: "")
    svg.open(
      "svg",
      [
        "width": "0", "height": "0", "class": "vh", "aria-hidden": "true", "focusable": "false",
      ])
    svg.patterns()
    svg.close("svg")
    return svg.body
  }()
}

/// The meaning of a shape's colour.
package enum ChartFill: String, Sendable, CaseIterable {
  /// Adds.
  case added = "f-in"

  /// Takes away.
  case taken = "f-out"

  /// The second and the third part of a loss.
  case taken2 = "f-o2"
  case taken3 = "f-o3"

  /// How much there is.
  case level = "f-lv"

  /// Undecided or unexplained.
  case unknown = "f-unk"

  /// Data missing.
  case missing = "f-wa"
}

/// The words of a figure for people who do not see it: a name, and what the figure shows.
package struct FigureText: Hashable, Sendable {
  /// The id, unique on the page, such as `churn`: ids inside the figure begin with it.
  let id: String
  /// The title, such as `Churn rate by month`; only a file of its own draws it.
  let title: String
  /// What the values are limited to, such as `only country DE`, which a file draws below the title; blank for none.
  let narrowing: String
  /// What the figure shows, such as `Churn rose from 6.0 % to 10.0 %, the highest of twelve months`.
  let description: String

  package init(id: String, title: String, description: String, narrowing: String = "") {
    (self.id, self.title) = (id, title)
    (self.narrowing, self.description) = (narrowing, description)
  }

  var wholeTitle: String { narrowing.isEmpty ? title : "\(title) (\(narrowing))" }

  var wholeDescription: String {
    narrowing.isEmpty ? description : "\(description) These are the numbers of \(narrowing)."
  }
}
