/// Writes the elements of one figure. The only place where texts are escaped and coordinates become digits.
package struct SVGWriter: Sendable {
  /// The id of the figure: ASCII letters, digits, `-` and `_`.
  let id: String

  private(set) var body = ""

  /// Creates an empty drawing.
  ///
  /// - Parameter id: The id of the figure; other bytes than letters, digits, `-` and `_` become `-`.
  init(id: String) { self.id = id }

  /// Returns the `svg` element with everything written so far.
  func element(_ text: FigureText, width: Double, height: Double) -> String { "" }

  /// Returns the content of an SVG file with everything written so far.
  func file(_ text: FigureText, width: Double, height: Double) -> String { "" }
}
