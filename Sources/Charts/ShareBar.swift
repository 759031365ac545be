/// One horizontal bar of parts that add up to a whole: how many did what.
///
/// Each part has a colour and a pattern; its share stands in it if it fits, and all names stand below with value and
/// share.
package struct ShareBar: Chart {
  /// The parts, from the left, at most eight.
  package var parts: [SharePart]

  /// How values become text.
  package var format: ValueFormat

  package var width: Double

  /// Creates a bar.
  ///
  /// - Parameters:
  ///   - parts: The parts; those with a value that is not above zero are left out.
  ///   - format: How values become text.
  ///   - width: The width of the drawing, from 240.
  package init(parts: [SharePart], format: ValueFormat = .count, width: Double = 720) {
    self.parts = parts
    self.format = format
    self.width = width
  }

  package var isEmpty: Bool { true }

  package func draw(into svg: inout SVGWriter) -> Double { 0 }
}

/// A part of a ``ShareBar``.
package struct SharePart: Hashable, Sendable {
  /// The name, such as `accepted`.
  package var name: String

  /// The size, above zero.
  package var value: Double

  /// Creates a part.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - value: The size.
  package init(name: String, value: Double) {
    self.name = name
    self.value = value
  }
}
