/// Symbols with their names, in as many lines as they need.
struct Legend {
  /// A symbol with its name, and perhaps a value after it.
  private struct Item {
    let symbol: Symbol
    let name: String
    let value: String
  }

  private let items: [Item]

  private static let lineHeight = 20.0
  private static let gap = 18.0
  private static let textStart = Symbol.width + 6

  /// Creates a legend of names, texts of any origin.
  init(items: [(symbol: Symbol, name: String)]) {
    self.items = items.map { Item(symbol: $0.symbol, name: $0.name, value: "") }
  }

  /// Creates a legend of names with values; the values are made of isolated parts.
  init(items: [(symbol: Symbol, name: String, value: String)]) {
    self.items = items.map { Item(symbol: $0.symbol, name: $0.name, value: $0.value) }
  }

  /// Returns the height of the legend in a width.
  func height(in width: Double) -> Double {
    guard let last = places(in: width).last else { return 0 }
    return last.y + Self.lineHeight
  }

  /// Writes the legend.
  ///
  /// - Parameters:
  ///   - svg: The drawing.
  ///   - x: Its left end.
  ///   - y: Its upper end.
  ///   - width: Its width.
  func draw(into svg: inout SVGWriter, x: Double, y: Double, width: Double) {
    for (item, place) in zip(items, places(in: width)) {
      let middle = y + place.y + Self.lineHeight / 2
      item.symbol.draw(into: &svg, x: x + place.x, middle: middle)
      let value = item.value.isEmpty ? "" : " " + item.value
      let free = max(24, width - Self.textStart - TextStyle.small.width(value))
      let cut = TextStyle.small.cut(item.name, to: free)
      svg.text(
        cut.isolated + value, x: x + place.x + Self.textStart, middle: middle, .small,
        whole: cut == item.name ? nil : item.name.isolated + value)
    }
  }

  private func places(in width: Double) -> [(x: Double, y: Double)] {
    var (x, y) = (0.0, 0.0)
    return items.map { item in
      let text = TextStyle.small.width(item.name + " " + item.value)
      let needed = Self.textStart + min(width - Self.textStart, text)
      if x > 0, x + needed > width { (x, y) = (0, y + Self.lineHeight) }
      defer { x += needed + Self.gap }
      return (x, y)
    }
  }
}
