/// A table of numbers with a shade behind each: the higher the value, the darker.
package struct HeatMap: Chart {
  /// The labels of the rows, from the top.
  package var rowLabels: [String]

  /// The labels of the columns, from the left.
  package var columnLabels: [String]

  /// The cells by row and column; nil is empty, and so are missing ones at the ends.
  package var cells: [[HeatCell?]]

  /// The values of the lightest and the darkest shade; nil is from the lowest to the highest cell.
  package var range: ClosedRange<Double>?

  /// The name of the rows, above their labels, such as `start month`; may be empty.
  package var rowTitle: String

  /// The name of the columns, above their labels, such as `periods paid`; may be empty.
  package var columnTitle: String

  /// The meaning of grey cells, such as `fewer than 30 at risk`, printed below the map; may be empty.
  package var mutedNote: String

  package var width: Double

  /// Creates a heat map.
  ///
  /// - Parameters:
  ///   - rowLabels: The labels of the rows.
  ///   - columnLabels: The labels of the columns.
  ///   - cells: The cells by row and column.
  ///   - range: The values of the lightest and the darkest shade.
  ///   - rowTitle: The name of the rows.
  ///   - columnTitle: The name of the columns.
  ///   - mutedNote: The meaning of grey cells.
  ///   - width: The width of the drawing, from 240. Numbers are left out of cells that are too small for them.
  package init(
    rowLabels: [String], columnLabels: [String], cells: [[HeatCell?]],
    range: ClosedRange<Double>? = nil, rowTitle: String = "", columnTitle: String = "",
    mutedNote: String = "", width: Double = 720
  ) {
    self.rowLabels = rowLabels
    self.columnLabels = columnLabels
    self.cells = cells
    self.range = range
    self.rowTitle = rowTitle
    self.columnTitle = columnTitle
    self.mutedNote = mutedNote
    self.width = width
  }

  package var isEmpty: Bool { cleanedCells.joined().allSatisfy { $0 == nil } }

  package func draw(into svg: inout SVGWriter) -> Double { HeatMapLayout(self).draw(into: &svg) }

  /// The cells without those whose value cannot be drawn.
  var cleanedCells: [[HeatCell?]] {
    cells.map { row in
      row.map { cell in
        guard var cell, let value = cell.value.plottable else { return nil }
        cell.value = value
        return cell
      }
    }
  }
}

/// A cell of a ``HeatMap``.
package struct HeatCell: Hashable, Sendable {
  /// The value, which decides the shade.
  package var value: Double

  /// The number in the cell, at most four letters, such as `87`.
  package var text: String

  /// Whether the value rests on too little data: grey, without a shade.
  package var isMuted: Bool

  /// The text under the pointer, after the labels of row and column, such as `87.5 % of 32 at risk`; empty is `text`.
  package var note: String

  package init(_ value: Double, text: String, isMuted: Bool = false, note: String = "") {
    self.value = value
    self.text = text
    self.isMuted = isMuted
    self.note = note
  }
}
