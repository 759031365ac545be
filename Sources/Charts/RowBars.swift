/// Bars in the cells of a table, hidden from readers of the page aloud: the row has the number.
package enum RowBars {
  /// Returns a bar from the left; its share of the cell's width is from 0 to 1.
  package static func single(_ share: Double, _ fill: ChartFill) -> String {
    let share = min(1, max(0, share.plottable ?? 0))
    return element { svg in
      svg.box(Rect(x: 0, y: 1, width: 100 * share, height: 10), fill.rawValue)
    }
  }

  /// Returns a bar from the middle, to the right for a gain; 1 is the whole right half.
  package static func signed(_ share: Double) -> String {
    let share = min(1, max(-1, share.plottable ?? 0))
    return element { svg in
      svg.upright(50, from: 0, to: 12, "g0")
      guard share != 0 else { return }
      svg.box(
        Rect(x: 50 + min(0, 50 * share), y: 1, width: 50 * abs(share), height: 10),
        (share < 0 ? ChartFill.taken : .added).rawValue)
    }
  }

  private static func element(_ content: (inout SVGWriter) -> Void) -> String {
    var svg = SVGWriter(id: "")
    svg.openSilent("hb1", height: "12")
    content(&svg)
    svg.close("svg")
    return svg.body
  }
}
