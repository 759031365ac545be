/// A figure made from values.
///
/// The same values give the same bytes. Values that are not finite (`nan`, `infinity`) are treated as missing.
///
/// Markup: `<svg class="chart" role="img" …>`. Text and axes have the colour `currentColor`. Series have the classes
/// `c1` to `c8` and the attribute `color`; their shapes have the colour `currentColor` too, so that a stylesheet changes
/// a series with `.c1 { color: … }`. Surfaces in the page's colour, such as hollow markers, have the class `paper`; lines
/// in it, such as gaps between bars, the class `gap`. ``ChartStyle/css`` has rules for all, in light and dark.
///
/// Values under the pointer: an element with the attribute `data-v` covers each bar, row or cell, or all points above a
/// label of the x axis. The attribute is plain text of one or more lines, separated by line feeds; the child `title` has
/// the same text.
package protocol Chart: Sendable {
  /// Whether there is no value to draw. The figure is then the empty text: print a sentence in its place.
  var isEmpty: Bool { get }

  /// The width of the drawing in its own units, of which a letter is some 12 high; the figure scales with its element.
  var width: Double { get }

  /// Draws the chart; only called if it is not empty.
  ///
  /// - Parameter svg: The drawing to add to.
  /// - Returns: The height of the drawing.
  func draw(into svg: inout SVGWriter) -> Double
}

extension Chart {
  /// Returns the figure as an `svg` element for an HTML page.
  ///
  /// - Parameter text: Its id and words.
  /// - Returns: The element, or the empty text if the chart is empty.
  package func svg(_ text: FigureText) -> String {
    guard !isEmpty else { return "" }
    var svg = SVGWriter(id: text.id)
    let height = draw(into: &svg)
    return svg.element(text, width: width, height: height)
  }

  /// Returns the figure as a file of its own: with a white ground and black text, for a wiki or a slide.
  ///
  /// - Parameter text: Its id and words.
  /// - Returns: The content of the file, with a line feed at its end, or the empty text if the chart is empty.
  package func svgFile(_ text: FigureText) -> String {
    guard !isEmpty else { return "" }
    var svg = SVGWriter(id: text.id)
    let height = draw(into: &svg)
    return svg.file(text, width: width, height: height)
  }
}
