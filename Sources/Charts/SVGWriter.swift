/// Writes the elements of one figure.
///
/// All texts are escaped here, and all coordinates become digits here.
package struct SVGWriter: Sendable {
  /// The id of the figure: ASCII letters, digits, `-` and `_`.
  let id: String

  private(set) var body = ""

  /// Creates an empty drawing; other bytes of its id than letters, digits, `-` and `_` become `-`.
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

  mutating func open(_ name: String, _ attributes: Attributes = [:]) {
    body += Self.tag(name, attributes) + ">"
  }

  mutating func close(_ name: String) { body += "</\(name)>" }

  mutating func add(_ name: String, _ attributes: Attributes) {
    body += Self.tag(name, attributes) + "/>"
  }

  mutating func add(_ name: String, _ attributes: Attributes = [:], text: String) {
    body +=
      Self.tag(name, attributes)
      + ">\(XMLText.escaped(text, keepsLines: name == "title"))</\(name)>"
  }

  mutating func add(text: String) { body += XMLText.escaped(text) }

  mutating func add(markup other: SVGWriter) { body += other.body }

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

/// Elements of figures: places along x in percent of the plot, along y in pixels.
extension SVGWriter {
  mutating func words(_ text: FigureText) {
    add("title", ["id": "t\(id)"], text: text.wholeTitle.isolated)
    add("desc", ["id": "d\(id)"], text: text.wholeDescription.isolated)
  }

  /// Writes the patterns: `hb` for ground, `ho` over shapes.
  mutating func patterns() {
    open("defs")
    for (name, side, width, colour) in [("hb", "7", "1.6", "hbl"), ("ho", "6", "3", "hol")] {
      open(
        "pattern",
        [
          "id": name, "width": side, "height": side, "patternUnits": "userSpaceOnUse",
          "patternTransform": "rotate(45)",
        ])
      add("rect", ["width": width, "height": side, "class": colour])
      close("pattern")
    }
    close("defs")
  }

  /// Writes a text, if not blank, at `x` (pixels or percent) and `dx` pixels; `whole` stands under the pointer.
  mutating func label(
    _ text: String, _ classes: String, x: String, dx: Double = 0, y: Double, whole: String? = nil
  ) {
    guard !text.utf8.isEmpty else { return }
    let shift: Attributes = dx == 0 ? [:] : ["dx": Coordinate.text(dx)]
    open("text", ["x": x] + shift + ["y": Coordinate.text(y), "class": classes])
    if let whole { add("title", text: whole.isolated) }
    add(text: text.isolated)
    close("text")
  }

  /// Writes the name of a row, left of the plot, in the lines of ``ChartText/rowNames(_:)``.
  mutating func rowName(_ lines: [String], of name: String, middle y: Double, isStrong: Bool) {
    let isWhole = lines.joined(separator: " ").utf8.elementsEqual(name.utf8)
    for (place, line) in lines.enumerated() {
      label(
        line, isStrong ? "rl e b" : "rl e", x: "-12",
        y: y + 5 + 14 * (Double(place) - Double(lines.count - 1) / 2),
        whole: isWhole ? nil : name)
    }
  }

  mutating func upright(_ x: Double, from top: Double, to bottom: Double, _ classes: String) {
    let x = Coordinate.percent(x)
    add(
      "line",
      [
        "x1": x, "x2": x, "y1": Coordinate.text(top), "y2": Coordinate.text(bottom),
        "class": classes,
      ])
  }

  mutating func level(_ y: Double, from left: Double, to right: Double, _ classes: String) {
    let y = Coordinate.text(y)
    add(
      "line",
      [
        "x1": Coordinate.percent(left), "x2": Coordinate.percent(right), "y1": y, "y2": y,
        "class": classes,
      ])
  }

  /// Writes a rectangle, `x` and `width` in percent, `y` and `height` in pixels; the title stands under the pointer.
  mutating func box(_ rect: Rect, _ classes: String, title: String = "") {
    let attributes: Attributes = [
      "x": Coordinate.percent(rect.x), "y": Coordinate.text(rect.y),
      "width": Coordinate.percent(rect.width), "height": Coordinate.text(rect.height),
      "class": classes,
    ]
    guard !title.utf8.isEmpty else { return add("rect", attributes) }
    open("rect", attributes)
    add("title", text: title.isolated)
    close("rect")
  }

  mutating func dot(_ x: Double, _ y: Double, radius: Double, _ classes: String) {
    add(
      "circle",
      [
        "cx": Coordinate.percent(x), "cy": Coordinate.text(y), "r": Coordinate.text(radius),
        "class": classes,
      ])
  }

  /// Writes a path; nothing if it is empty.
  mutating func path(_ path: Path, _ classes: String) {
    guard !path.isEmpty else { return }
    add("path", ["d": path.data, "class": classes])
  }

  /// Writes paths that are stretched to the width of the plot, which is 1,000 units wide.
  mutating func stretched(height: Double, _ content: (inout SVGWriter) -> Void) {
    let height = Coordinate.text(height)
    open(
      "svg",
      [
        "width": "100%", "height": height, "viewBox": "0 0 1000 \(height)",
        "preserveAspectRatio": "none",
      ])
    content(&self)
    close("svg")
  }

  /// Writes the start tag of a figure that says nothing to readers of the page aloud.
  mutating func openSilent(_ classes: String, height: String) {
    open(
      "svg",
      [
        "class": classes, "width": "100%", "height": height, "aria-hidden": "true",
        "focusable": "false",
      ])
  }

  /// Writes the months below a plot, each with its year below it where the year begins.
  ///
  /// Up to 13 are all labelled, more every third, counted back from the last, beyond three years
  /// fewer. Phones (`wl` is not shown there, `ph` only there) have every second of these.
  mutating func months(
    _ months: [(x: Double, label: String, year: String)], y: Double, _ classes: String
  ) {
    let step = months.count <= 13 ? 1 : months.count <= 37 ? 3 : months.count <= 73 ? 6 : 12
    var (lastWide, lastOnPhone): (String?, String?)
    for (index, month) in months.enumerated() {
      let back = months.count - 1 - index
      guard back.isMultiple(of: step) else { continue }
      let isOnPhone = back.isMultiple(of: 2 * step)
      let x = Coordinate.percent(month.x)
      label(month.label, isOnPhone ? classes : classes + " wl", x: x, y: y)
      let hasYear = lastWide != month.year
      let hasYearOnPhone = isOnPhone && lastOnPhone != month.year
      lastWide = month.year
      if isOnPhone { lastOnPhone = month.year }
      guard hasYear || hasYearOnPhone else { continue }
      let only = hasYear && hasYearOnPhone ? "" : hasYear ? " wl" : " ph"
      label(month.year, classes + only, x: x, y: y + 15)
    }
  }
}

extension SVGWriter {
  /// Writes the head of a file, above its plot: title, limits and legend; returns its height in pixels.
  mutating func heading(_ text: FigureText, _ legend: [LegendItem], width: Double) -> Double {
    let (left, right) = (FileLayout.margin, width - FileLayout.margin)
    var y = FileLayout.margin
    for line in TextStyle.title.lines(text.title, width: right - left) {
      y += 18
      label(line, "val", x: Coordinate.text(left), y: y)
    }
    if !text.narrowing.isEmpty {
      for line in TextStyle.note.lines(text.narrowing, width: right - left) {
        y += 17
        label(line, "note", x: Coordinate.text(left), y: y)
      }
    }
    var x = left
    y += 22
    for item in legend {
      let words = TextStyle.label.cut(item.text, to: right - left - 17)
      let room = (item.mark.isEmpty ? 0 : 17) + TextStyle.label.width(words)
      if x > left, x + room > right { (x, y) = (left, y + 20) }
      if !item.mark.isEmpty {
        mark(item.mark, x: x, y: y - 10)
        x += 17
      }
      label(words, "val2", x: Coordinate.text(x), y: y)
      // Some fonts are wider.
      x += TextStyle.label.width(words) * 1.08 + 20
    }
    return legend.isEmpty ? y : y + 16
  }

  /// Writes the mark of a legend, 11 pixels wide.
  private mutating func mark(_ name: String, x: Double, y: Double) {
    let isHatched = name == "ht"
    let look = isHatched ? "f-unk" : name == "bd" ? "band" : "f-" + name
    let place: Attributes = [
      "x": Coordinate.text(x), "y": Coordinate.text(y), "width": "11", "height": "11",
    ]
    add("rect", place + ["class": look])
    if isHatched { add("rect", place + ["class": "ho"]) }
  }
}

/// Texts that all charts cut and print alike.
enum ChartText {
  /// Returns the names of rows, each in one line or in two that fit a phone.
  static func rowNames(_ names: [String]) -> [[String]] {
    TextStyle.label.distinctLines(names, width: 122)
  }

  /// Returns the texts of ticks: all but 0 with the same decimals, such as `0%`, `2.5%`, `5.0%`,
  /// and `0`, `1,000`; with a true minus.
  ///
  /// Where one has more letters than `10,000`, which fit a phone, all have a unit: `−10k`, `0`, `250k`, `1.5M`.
  static func tickTexts(_ ticks: Ticks, _ format: ValueFormat) -> [String] {
    let isPercent = format.factor != 1
    let finest = ticks.step.finestDigit + (isPercent ? 2 : 0)
    func texts(_ shift: Int, _ unit: String) -> [String] {
      ticks.values.map { value in
        let size = value.magnitude * format.factor / DecimalText.power(shift)
        let text = DecimalText.text(size, decimals: min(6, max(0, shift - finest)))
        let isZero = value == 0 && shift > 0
        return (value < 0 ? "\u{2212}" : "") + (isZero ? "0" : text + unit)
      }
    }
    if isPercent { return texts(0, "%") }
    let units = [(0, ""), (3, "k"), (6, "M")]
    let fitting = units.lazy.map(texts).first { $0.allSatisfy { $0.count <= "10,000".count } }
    return fitting ?? texts(9, "bn")
  }
}

/// The attributes of an element, in the order of writing.
struct Attributes: ExpressibleByDictionaryLiteral {
  private(set) var pairs: [(name: String, value: String)]

  init(dictionaryLiteral elements: (String, String)...) {
    pairs = elements.map { (name: $0.0, value: $0.1) }
  }

  static func + (left: Attributes, right: Attributes) -> Attributes {
    var sum = left
    sum.pairs += right.pairs
    return sum
  }
}
