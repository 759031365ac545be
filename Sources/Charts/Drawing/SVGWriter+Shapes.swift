/// Shapes and texts of all charts.
extension SVGWriter {
  /// Writes a path.
  mutating func path(_ path: Path, _ attributes: Attributes) {
    guard !path.isEmpty else { return }
    add("path", ["d": path.data] + attributes)
  }

  /// Writes a rectangle.
  mutating func rect(_ rect: Rect, _ attributes: Attributes) {
    add("rect", Self.attributes(of: rect) + attributes)
  }

  /// Writes thin lines of the page's text colour.
  ///
  /// - Parameters:
  ///   - path: The lines.
  ///   - opacity: From 0 to 1.
  ///   - attributes: Further attributes.
  mutating func rule(_ path: Path, opacity: Double, _ attributes: Attributes = [:]) {
    self.path(
      path,
      [
        "fill": "none", "stroke": "currentColor", "stroke-opacity": Coordinate.opacity(opacity),
      ] + attributes)
  }

  /// Writes a group in the colour of a series.
  mutating func group(_ series: SeriesStyle, _ content: (inout SVGWriter) -> Void) {
    open("g", ["class": series.name, "color": series.colour])
    content(&self)
    close("g")
  }

  /// Writes a line of text that is made of isolated parts.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - x: The place of its anchor.
  ///   - y: The middle of its letters.
  ///   - style: The size.
  ///   - anchor: The end of the text that stands at `x`.
  ///   - whole: The text in full if `text` is cut; it stands under the pointer.
  ///   - attributes: Further attributes.
  mutating func text(
    _ text: String, x: Double, middle y: Double, _ style: TextStyle, anchor: TextAnchor = .start,
    whole: String? = nil, _ attributes: Attributes = [:]
  ) {
    open("text", textAttributes(x, y, style, anchor) + attributes)
    if let whole { add("title", text: whole) }
    add(text: text)
    close("text")
  }

  /// Writes texts of one style in a group, which is shorter than the style on each.
  ///
  /// - Parameters:
  ///   - style: The size of all texts in the group.
  ///   - anchor: The end of all texts that stands at their `x`.
  ///   - attributes: Further attributes of the group.
  ///   - content: Writes the texts, and nothing else.
  mutating func texts(
    _ style: TextStyle, anchor: TextAnchor, _ attributes: Attributes = [:],
    _ content: (inout SVGWriter) -> Void
  ) {
    open("g", Self.attributes(style, anchor) + attributes)
    groupedText = (style: style, anchor: anchor)
    content(&self)
    groupedText = nil
    close("g")
  }

  /// Writes a name, cut to a width; the whole name then stands under the pointer.
  ///
  /// - Parameters:
  ///   - name: A text of any origin.
  ///   - width: The width that it may have.
  ///   - x: The place of its anchor.
  ///   - y: The middle of its letters.
  ///   - style: The size.
  ///   - anchor: The end of the text that stands at `x`.
  mutating func name(
    _ name: String, width: Double, x: Double, middle y: Double, _ style: TextStyle = .label,
    anchor: TextAnchor = .start
  ) {
    let cut = style.cut(name, to: width)
    text(
      cut.isolated, x: x, middle: y, style, anchor: anchor,
      whole: cut == name ? nil : name.isolated)
  }

  /// Writes text with a bold end.
  mutating func text(_ text: String, bold: String, x: Double, middle y: Double) {
    open("text", textAttributes(x, y, .label, .start))
    if !text.isEmpty { add(text: text + " ") }
    if !bold.isEmpty { add("tspan", ["font-weight": "600"], text: bold) }
    close("text")
  }

  /// Writes a transparent rectangle with text under the pointer, in front of everything else.
  ///
  /// - Parameters:
  ///   - rect: The place that reacts.
  ///   - lines: The lines of the text, made of isolated parts.
  mutating func hit(_ rect: Rect, _ lines: [String]) {
    let text = lines.joined(separator: "\n")
    inFront { svg in
      svg.open("rect", Self.attributes(of: rect) + ["data-v": text])
      svg.add("title", text: text)
      svg.close("rect")
    }
  }

  /// Writes a rectangle with text under the pointer, in the colour of the group that it stands in.
  ///
  /// - Parameters:
  ///   - rect: Its place.
  ///   - opacity: From 0 to 1; `nil` for that of the group.
  ///   - text: The text, made of isolated parts.
  mutating func cell(_ rect: Rect, opacity: Double?, text: String) {
    let shade: Attributes = opacity.map { ["fill-opacity": Coordinate.opacity($0)] } ?? [:]
    open("rect", Self.attributes(of: rect) + shade + ["data-v": text])
    add("title", text: text)
    close("rect")
  }

  private static func attributes(of rect: Rect) -> Attributes {
    [
      "x": Coordinate.text(rect.x), "y": Coordinate.text(rect.y),
      "width": Coordinate.text(rect.width), "height": Coordinate.text(rect.height),
    ]
  }

  /// Returns the attributes of a text, without those that its group has.
  private func textAttributes(
    _ x: Double, _ y: Double, _ style: TextStyle, _ anchor: TextAnchor
  ) -> Attributes {
    let place: Attributes = ["x": Coordinate.text(x), "y": Coordinate.text(y + style.drop)]
    if let groupedText, groupedText.style == style, groupedText.anchor == anchor { return place }
    return place + Self.attributes(style, anchor)
  }

  private static func attributes(_ style: TextStyle, _ anchor: TextAnchor) -> Attributes {
    var attributes: Attributes = [:]
    if anchor != .start { attributes = attributes + ["text-anchor": anchor.rawValue] }
    if style.size != TextStyle.label.size {
      attributes = attributes + ["font-size": Coordinate.text(style.size)]
    }
    if style.isBold { attributes = attributes + ["font-weight": "600"] }
    return attributes
  }
}
