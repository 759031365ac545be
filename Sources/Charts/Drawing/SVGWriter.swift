/// Writes the elements of one figure.
///
/// All texts are escaped here, and all coordinates become digits here.
package struct SVGWriter: Sendable {
  /// The id of the figure: ASCII letters, digits, `-` and `_`.
  let id: String

  private(set) var body = ""

  /// Elements in front of all others.
  private var front = ""

  /// The style and the anchor that the open group gives to its texts; nil outside of such a group.
  var groupedText: (style: TextStyle, anchor: TextAnchor)?

  /// The patterns that elements refer to, in the order of their first use.
  private var patterns: [Pattern] = []

  /// Creates an empty drawing.
  ///
  /// - Parameter id: The id of the figure; other bytes than letters, digits, `-` and `_` become `-`.
  init(id: String) {
    let bytes = id.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        byte
      default: UInt8(ascii: "-")
      }
    }
    self.id = String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the start tag of an element.
  mutating func open(_ name: String, _ attributes: Attributes = [:]) {
    body += Self.tag(name, attributes) + ">"
  }

  /// Writes the end tag of an element.
  mutating func close(_ name: String) { body += "</\(name)>" }

  /// Writes an element without content.
  mutating func add(_ name: String, _ attributes: Attributes) {
    body += Self.tag(name, attributes) + "/>"
  }

  /// Writes an element with text.
  mutating func add(_ name: String, _ attributes: Attributes = [:], text: String) {
    body +=
      Self.tag(name, attributes)
      + ">\(XMLText.escaped(text, keepsLines: name == "title"))</\(name)>"
  }

  /// Writes an element with text of several lines, such as the rules of a style.
  mutating func add(_ name: String, lines: String) {
    open(name)
    for line in lines.utf8.split(separator: UInt8(ascii: "\n")) {
      body += XMLText.escaped(String(Substring(line))) + "\n"
    }
    close(name)
  }

  /// Writes text between tags.
  mutating func add(text: String) { body += XMLText.escaped(text) }

  /// Writes elements that lie in front of all others: transparent places that react to the pointer.
  mutating func inFront(_ content: (inout SVGWriter) -> Void) {
    swap(&body, &front)
    content(&self)
    swap(&body, &front)
  }

  /// Returns the reference to a pattern, for the attribute `fill`.
  mutating func fill(_ pattern: Pattern) -> String {
    if !patterns.contains(pattern) { patterns.append(pattern) }
    return "url(#\(pattern.id(in: id)))"
  }

  /// Returns the `svg` element with everything written so far.
  func element(_ text: FigureText, width: Double, height: Double) -> String {
    document(
      text, Rect(x: 0, y: 0, width: width, height: height), attributes: [:], ground: "")
  }

  /// Returns the content of an SVG file with everything written so far.
  func file(_ text: FigureText, width: Double, height: Double) -> String {
    let margin = 12.0
    let (heading, headingHeight) = heading(text, width: width)
    let frame = Rect(
      x: -margin, y: -margin - headingHeight, width: width + 2 * margin,
      height: height + headingHeight + 2 * margin)
    let ground = Self.tag(
      "rect",
      [
        "x": Coordinate.text(frame.x), "y": Coordinate.text(frame.y), "width": "100%",
        "height": "100%", "fill": Palette.paper,
      ])
    return document(
      text, frame,
      attributes: [
        "width": Coordinate.text(frame.width), "height": Coordinate.text(frame.height),
        "color": Palette.ink, "font-family": "Helvetica, Arial, sans-serif",
      ], ground: ground + "/>" + heading) + "\n"
  }

  /// Returns the title and what the values are limited to, each in one line or two, above the drawing, and their height.
  private func heading(_ text: FigureText, width: Double) -> (markup: String, height: Double) {
    let lines =
      TextStyle.strong.lines(text.title, width: width).map { ($0, TextStyle.strong) }
      + (text.narrowing.isEmpty ? [] : TextStyle.small.lines(text.narrowing, width: width))
      .map { ($0, TextStyle.small) }
    let lineHeight = 18.0
    let height = Double(lines.count) * lineHeight + lineHeight / 2
    var heading = SVGWriter(id: id)
    for (place, line) in lines.enumerated() {
      let middle = (Double(place) + 0.5) * lineHeight - height
      heading.text(line.0, x: 0, middle: middle, line.1)
    }
    return (heading.body, height)
  }

  private func document(
    _ text: FigureText, _ frame: Rect, attributes: Attributes, ground: String
  ) -> String {
    let box = [frame.x, frame.y, frame.width, frame.height].map(Coordinate.text)
      .joined(separator: " ")
    var document = SVGWriter(id: id)
    document.open(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "id": id, "class": "chart", "role": "img",
        "aria-labelledby": "\(id)-title \(id)-desc", "viewBox": box,
        "font-size": Coordinate.text(TextStyle.label.size), "fill": "currentColor",
      ] + attributes)
    document.add("title", ["id": "\(id)-title"], text: text.wholeTitle.isolated)
    document.add("desc", ["id": "\(id)-desc"], text: text.wholeDescription.isolated)
    if !patterns.isEmpty {
      document.open("defs")
      for pattern in patterns { pattern.draw(into: &document) }
      document.close("defs")
    }
    return document.body + ground + body + frontGroup + "</svg>"
  }

  /// The elements in front as a group; blank without any.
  private var frontGroup: String {
    let attributes: Attributes = ["fill": "none", "pointer-events": "all"]
    return front.isEmpty ? "" : Self.tag("g", attributes) + ">" + front + "</g>"
  }

  private static func tag(_ name: String, _ attributes: Attributes) -> String {
    var tag = "<"
    tag += name
    for (name, value) in attributes.pairs {
      tag += " "
      tag += name
      tag += "=\""
      tag += XMLText.escaped(value, keepsLines: true)
      tag += "\""
    }
    return tag
  }
}

/// What the series of a chart have in common.
extension SVGWriter {
  /// The attributes of text with an edge in the page's colour, which covers lines behind it.
  static var halo: Attributes {
    [
      "class": "gap", "stroke": Palette.paper, "stroke-width": "3", "stroke-linejoin": "round",
      "paint-order": "stroke",
    ]
  }

  /// Returns the value of `fill` for the bars of a series: its colour, or its pattern.
  mutating func fill(_ style: SeriesStyle) -> String {
    style.texture == .plain ? "currentColor" : fill(.series(style))
  }

  /// Writes hatching over columns that may still change.
  ///
  /// - Parameters:
  ///   - indexes: The columns.
  ///   - columns: All columns.
  ///   - plot: The plot.
  mutating func hatch(_ indexes: some Sequence<Int>, columns: Columns, plot: Rect) {
    var path = Path()
    var runs: [Range<Int>] = []
    for index in indexes.sorted() {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    for run in runs {
      let start = columns.start(run.lowerBound)
      let width = columns.width * Double(run.count)
      path.rect(Rect(x: start, y: plot.y, width: width, height: plot.height))
    }
    guard !path.isEmpty else { return }
    self.path(path, ["class": "provisional", "fill": fill(.hatch)])
  }

  /// Writes a horizontal interval in the current colour.
  ///
  /// - Parameters:
  ///   - start: Its left end.
  ///   - end: Its right end.
  ///   - y: Its middle.
  ///   - caps: Half of the length of the lines at its ends.
  mutating func interval(from start: Double, to end: Double, middle y: Double, caps: Double) {
    var path = Path()
    path.move(start, y)
    path.horizontal(end)
    for x in [start, end] {
      path.move(x, y - caps)
      path.vertical(y + caps)
    }
    rule(path, opacity: 1, ["class": "interval", "stroke-width": "1.5"])
  }
}
