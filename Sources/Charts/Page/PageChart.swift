/// A figure of the page: a plain value that is written as SVG.
///
/// The same values give the same bytes. Values that are not finite are treated as missing.
///
/// The figure is as wide as its place and has a fixed height; its text is never scaled. So places
/// along x are percentages, those along y pixels, and paths stand in an `svg` of their own that
/// is stretched. Margins and colours come from the classes of the style sheet; there is no `style`
/// attribute and no colour.
package protocol PageChart: Sendable {
  /// Whether there is nothing to draw. The figure is then the empty text.
  var isEmpty: Bool { get }

  /// The room beside the plot for the texts of axes and rows.
  var margins: PageMargins { get }

  /// The height in pixels.
  var height: Double { get }

  /// Draws the chart; only called if it is not empty.
  func draw(into svg: inout SVGWriter)
}

/// The room beside a plot; the style sheet has the same widths for wide pages, and less on phones.
package enum PageMargins: String, Sendable {
  /// Ticks at the left, the last value at the right.
  case plot

  /// Names of rows at the left, values at the right.
  case rows = "plot rows"

  /// Names of rows at the left.
  case strip = "plot strip"

  /// The pixels at the left and at the right.
  var sides: (left: Double, right: Double) {
    switch self {
    case .plot: (50, 58)
    case .rows: (200, 68)
    case .strip: (160, 10)
    }
  }
}

extension PageChart {
  /// Returns the figure as an element of the page, which has ``PageCharts/patterns`` once.
  ///
  /// - Parameter text: Its words; the id `4` gives the ids `t4` and `d4`.
  /// - Returns: The element, or the empty text if the chart is empty.
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
}

/// What all charts of a page share.
package enum PageCharts {
  /// The element with the patterns that hatched shapes refer to; a page has it once, before its
  /// figures.
  package static let patterns: String = {
    var svg = SVGWriter(id: "")
    svg.open(
      "svg",
      [
        "width": "0", "height": "0", "class": "vh", "aria-hidden": "true", "focusable": "false",
      ])
    svg.pageDefinitions()
    svg.close("svg")
    return svg.body
  }()
}

/// The meaning of a shape's colour.
package enum PageFill: String, Sendable, CaseIterable {
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
