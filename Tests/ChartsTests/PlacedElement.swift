import Charts

/// An element of a file with its place in pixels: percentages and inner `svg` elements are resolved.
struct PlacedElement {
  let element: SVGElement
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  var classes: [String] { element["class"]?.split(separator: " ").map { String($0) } ?? [] }

  /// The middle between left and right.
  var x: Double { (left + right) / 2 }

  var y: Double { (top + bottom) / 2 }

  /// The place of an `svg` element on its file, and the pixels of one of its units along x.
  private struct Frame {
    var x = 0.0
    var y = 0.0
    var width: Double
    var scale = 1.0

    /// Returns a length or a place along x: `12.5%` or a number of units.
    func x(_ text: String?) -> Double {
      guard let text else { return 0 }
      if text.last == "%" { return (Double(text.dropLast()) ?? .nan) / 100 * width }
      return (Double(text) ?? .nan) * scale
    }
  }

  /// Returns the shapes and texts of a file, in the order of writing.
  static func all(of file: SVGElement) -> [PlacedElement] {
    all(in: file, Frame(width: file.number("width") ?? .nan))
  }

  private static func all(in parent: SVGElement, _ frame: Frame) -> [PlacedElement] {
    parent.children.flatMap { element -> [PlacedElement] in
      let number = { (name: String) in element.number(name) ?? 0 }
      let place: PlacedElement
      switch element.name {
      case "svg":
        var inner = frame
        inner.x += frame.x(element["x"])
        inner.y += number("y")
        inner.width = frame.x(element["width"])
        let box = element["viewBox"]?.split(separator: " ").compactMap { Double($0) }
        inner.scale = box.map { inner.width / $0[2] } ?? 1
        return all(in: element, inner)
      case "rect":
        let x = frame.x + frame.x(element["x"])
        place = PlacedElement(
          element: element, left: x, top: frame.y + number("y"),
          right: x + frame.x(element["width"]), bottom: frame.y + number("y") + number("height"))
      case "line":
        place = PlacedElement(
          element: element, left: frame.x + frame.x(element["x1"]), top: frame.y + number("y1"),
          right: frame.x + frame.x(element["x2"]), bottom: frame.y + number("y2"))
      case "circle":
        let x = frame.x + frame.x(element["cx"])
        place = PlacedElement(
          element: element, left: x, top: frame.y + number("cy"), right: x,
          bottom: frame.y + number("cy"))
      case "path":
        guard let data = element["d"] else { return [] }
        let points = PathData(data).parts.flatMap { $0 }
        let (x, y) = (points.map { $0.x * frame.scale }, points.map(\.y))
        place = PlacedElement(
          element: element, left: frame.x + (x.min() ?? 0), top: frame.y + (y.min() ?? 0),
          right: frame.x + (x.max() ?? 0), bottom: frame.y + (y.max() ?? 0))
      case "text":
        let x = frame.x + frame.x(element["x"]) + number("dx")
        place = PlacedElement.text(element, x, frame.y + number("y"))
      default: return []
      }
      return [place]
    }
  }

  /// Returns the place of a text, as wide as the widths of the charts' own table; the sizes are those of charts.css.
  private static func text(_ element: SVGElement, _ x: Double, _ y: Double) -> PlacedElement {
    let classes = element["class"]?.split(separator: " ") ?? []
    let sizes: [Substring: Double] = ["ax": 12.5, "note": 12, "rl": 14, "val": 15]
    let size = classes.compactMap { sizes[$0] }.first ?? 13
    let isBold = classes.contains("b") || classes.contains("val")
    let width = TextWidth.of(element.text, size: size, isBold: isBold)
    if classes.contains("vt") {
      return PlacedElement(
        element: element, left: x - size / 2, top: y - width / 2, right: x + size / 2,
        bottom: y + width / 2)
    }
    let left = classes.contains("e") ? x - width : classes.contains("m") ? x - width / 2 : x
    // Most letters stand on the line; figures and capitals are 0.72 of the size high.
    return PlacedElement(
      element: element, left: left, top: y - 0.72 * size, right: left + width, bottom: y)
  }

  /// Whether two texts cover each other; a tenth is an error of rounding.
  func overlaps(_ other: PlacedElement) -> Bool {
    left < other.right - 0.1 && other.left < right - 0.1 && top < other.bottom - 0.1
      && other.top < bottom - 0.1
  }
}

/// A chart read back from its file.
struct ReadFigure {
  let elements: [PlacedElement]

  init(_ chart: any Chart, legend: [LegendItem] = []) throws {
    let words = FigureText(id: "x", title: "", description: "")
    let file = chart.file(words, legend: legend, style: "")
    elements = PlacedElement.all(of: try SVGParser.parse(String(file.dropLast())))
  }

  /// Returns the elements with all of these classes.
  func all(_ classes: String...) -> [PlacedElement] {
    elements.filter { element in classes.allSatisfy(element.classes.contains) }
  }

  var texts: [PlacedElement] {
    elements.filter { $0.element.name == "text" && !$0.classes.contains("ph") }
  }

  /// The values of the ticks of an axis and their places in pixels, ascending.
  func ticks(isUpright: Bool) -> [(value: Double, place: Double)] {
    all("ax").compactMap { text in
      guard text.classes.contains(isUpright ? "e" : "m"),
        let value = Self.value(text.element.text)
      else { return nil }
      return (value, isUpright ? text.bottom - 4 : text.x)
    }.sorted { $0.0 < $1.0 }
  }

  /// Returns the number that a tick shows: 0.1 for `10%`, 2,500 for `2.5k`.
  private static func value(_ text: String) -> Double? {
    var digits = text.filter { $0 != "," }
    if digits.first == "\u{2212}" { digits = "-" + digits.dropFirst() }
    for (unit, size) in [("%", "e-2"), ("k", "e3"), ("M", "e6"), ("bn", "e9")]
    where digits.hasSuffix(unit) {
      return Double(digits.dropLast(unit.count) + size)
    }
    return Double(digits)
  }

  /// Returns the value at a place between or beside the ticks of an axis.
  func value(at place: Double, isUpright: Bool) -> Double {
    let ticks = ticks(isUpright: isUpright)
    guard let first = ticks.first, let last = ticks.last, first.place != last.place else {
      return .nan
    }
    let share = (place - first.place) / (last.place - first.place)
    return first.value + share * (last.value - first.value)
  }

  /// Whether a place is that of a value, but for half a pixel.
  func matches(_ place: Double, _ value: Double, isUpright: Bool) -> Bool {
    let ticks = ticks(isUpright: isUpright)
    guard let first = ticks.first, let last = ticks.last else { return false }
    let unit = abs((last.value - first.value) / (last.place - first.place))
    return abs(self.value(at: place, isUpright: isUpright) - value) <= unit * 0.5
  }
}
