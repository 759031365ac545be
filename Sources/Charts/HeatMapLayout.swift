/// The places of all parts of a ``HeatMap``.
struct HeatMapLayout {
  private let map: HeatMap
  private let columnCount: Int
  private let rowCount: Int
  private let left: Double
  private let top: Double
  private let cellWidth: Double

  /// The lowest and the highest value of the shades.
  private let range: ClosedRange<Double>

  /// The size of the numbers; nil if they do not fit the cells.
  private let textSize: Double?

  private static let cellHeight = 24.0
  private static let widestCell = 52.0
  private static let gap = 8.0
  private static let titleHeight = 20.0

  /// Measures the map.
  init(_ map: HeatMap) {
    self.map = map
    let cells = map.cleanedCells
    rowCount = max(cells.count, map.rowLabels.count)
    columnCount = max(1, cells.map(\.count).max() ?? 0, map.columnLabels.count)
    let widest = (map.rowLabels + [map.rowTitle]).map(TextStyle.small.width).max() ?? 0
    // Whole numbers, because a page has the places of hundreds of cells.
    left = (min(widest, map.width * 0.3) + Self.gap).rounded(.up)
    let share = (map.width - left) / Double(columnCount)
    cellWidth = min(Self.widestCell, share < 1 ? share : share.rounded(.down))
    top = (map.columnTitle.isEmpty ? 0 : Self.titleHeight) + Self.titleHeight
    let all = cells.joined().compactMap { $0 }
    let values = all.filter { !$0.isMuted }.map(\.value)
    let low = map.range?.lowerBound.plottable ?? values.min() ?? 0
    range = low...max(low, map.range?.upperBound.plottable ?? values.max() ?? low)
    let free = cellWidth - 3
    textSize = [12.0, 11, 10, 9].first { size in
      all.allSatisfy { TextWidth.of($0.text, size: size) <= free }
    }
  }

  /// Writes the map and returns its height.
  func draw(into svg: inout SVGWriter) -> Double {
    let columns = Columns(
      count: columnCount, left: left, right: left + Double(columnCount) * cellWidth)
    drawTitles(into: &svg)
    let labels =
      map.columnLabels + Array(repeating: "", count: columnCount - map.columnLabels.count)
    LabelAxis(labels, columns: columns, from: left, width: map.width)
      .draw(into: &svg, y: top - Self.titleHeight - 4)
    for (index, label) in map.rowLabels.enumerated() {
      svg.name(label, width: left - Self.gap, x: 0, middle: cell(index, 0).middle, .small)
    }
    for isMuted in [false, true] {
      draw(placedCells.filter { $0.value.isMuted == isMuted }, isMuted: isMuted, into: &svg)
    }
    return drawKey(into: &svg, y: top + Double(rowCount) * Self.cellHeight)
  }

  private func drawTitles(into svg: inout SVGWriter) {
    let middle = Self.titleHeight / 2
    if !map.columnTitle.isEmpty {
      svg.name(map.columnTitle, width: map.width - left, x: left, middle: middle, .small)
    }
    if !map.rowTitle.isEmpty {
      svg.name(
        map.rowTitle, width: left - Self.gap, x: 0, middle: top - Self.titleHeight / 2, .small)
    }
  }

  private func cell(_ row: Int, _ column: Int) -> Rect {
    Rect(
      x: left + Double(column) * cellWidth, y: top + Double(row) * Self.cellHeight,
      width: cellWidth - 1, height: Self.cellHeight - 1)
  }

  /// A cell and its place.
  private struct PlacedCell {
    let value: HeatCell
    let row: Int
    let column: Int
  }

  /// The cells that have a value, row by row.
  private var placedCells: [PlacedCell] {
    map.cleanedCells.enumerated().flatMap { row, cells in
      cells.enumerated().compactMap { column, value in
        value.map { PlacedCell(value: $0, row: row, column: column) }
      }
    }
  }

  /// Writes the cells of one colour, and their numbers in front of them.
  private func draw(_ cells: [PlacedCell], isMuted: Bool, into svg: inout SVGWriter) {
    guard !cells.isEmpty else { return }
    let series = SeriesStyle(0)
    let colour: Attributes =
      isMuted
      ? ["fill-opacity": Coordinate.opacity(Self.mutedOpacity)]
      : ["class": series.name, "color": series.colour]
    svg.open("g", colour + ["fill": "currentColor"])
    for placed in cells {
      svg.cell(
        cell(placed.row, placed.column), opacity: isMuted ? nil : opacity(of: placed.value),
        text: note(placed))
    }
    svg.close("g")
    guard let textSize else { return }
    let slant: Attributes = isMuted ? ["font-style": "italic"] : [:]
    svg.texts(.cell(textSize), anchor: .middle, slant + ["pointer-events": "none"]) { svg in
      for placed in cells where !placed.value.text.isEmpty {
        let rect = cell(placed.row, placed.column)
        let style = TextStyle.cell(textSize)
        let baseline = (rect.middle + style.drop).rounded()
        svg.text(
          placed.value.text.isolated, x: (rect.x + rect.width / 2).rounded(),
          middle: baseline - style.drop, style, anchor: .middle)
      }
    }
  }

  /// The text under the pointer.
  private func note(_ placed: PlacedCell) -> String {
    let labels = [map.rowLabels, map.columnLabels]
    let names = zip(labels, [placed.row, placed.column])
      .compactMap { $1 < $0.count ? $0[$1].isolated : nil }
    let value = placed.value
    return names.joined(separator: ", ") + ": "
      + (value.note.isEmpty ? value.text : value.note).isolated
  }

  /// The shade of grey cells.
  private static let mutedOpacity = 0.1

  /// The shade of a cell that is not grey: light enough for text on it, on light and on dark pages.
  private func opacity(of value: HeatCell) -> Double {
    let span = range.upperBound - range.lowerBound
    let share = span > 0 ? (value.value - range.lowerBound) / span : 0.5
    return 0.06 + 0.56 * min(1, max(0, share))
  }

  private func drawKey(into svg: inout SVGWriter, y: Double) -> Double {
    let isMuted = map.cleanedCells.joined().contains { $0?.isMuted == true }
    guard isMuted, !map.mutedNote.isEmpty else { return y }
    let legend = Legend(items: [(.muted, map.mutedNote)])
    legend.draw(into: &svg, x: left, y: y + 4, width: map.width - left)
    return y + 4 + legend.height(in: map.width - left)
  }
}
