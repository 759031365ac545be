import Charts
import Rendering
import Tables

/// A picture with the words that describe it and the numbers that it is drawn from.
struct Figure: Sendable {
  /// The id on the page, such as `churn-rate`.
  var id: String
  /// The heading, such as `Churn rate by month`.
  var title: String
  /// What the picture shows, in words for those who do not see it.
  var sentence: String
  var chart: any Chart
  /// The numbers of the picture, rows of a file beside the page.
  var values: ReportTable
  /// The files that hold all of these numbers.
  var files: [String] = []
  /// The command that prints the numbers; `nil` without one.
  var command: String?
  /// The command that lists what the main number is made of; `nil` without one.
  var explanation: String?
  /// Whether the picture has so many columns that a narrow screen must scroll it.
  var isWide = false
  /// Whether the last rows of the numbers matter most, as of months; otherwise the first ones.
  var isNewestLast = true

  /// The id as an attribute has it: without spaces and other marks, such as `retention-1-Month`.
  ///
  /// The element has it after `figure-`, and the picture after `chart-`: sections have ids of their own.
  private var anchor: String {
    let bytes = id.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
        byte
      default: UInt8(ascii: "-")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The words in the picture.
  private var text: FigureText {
    FigureText(
      id: "chart-" + anchor, title: VisibleText.of(title), description: VisibleText.of(sentence))
  }

  /// The picture for a page, as UTF-8; none when there is nothing to draw.
  private var picture: [UInt8] { Self.onPage(chart.svg(text), chart) }

  /// Returns a picture as a page needs it.
  ///
  /// It gets its width as an attribute, for browsers that must ignore the style sheet, and loses its namespace, which HTML
  /// does not need. Line feeds in attributes stand as they are, which HTML allows. The titles of its parts are left out,
  /// because the script shows the same text of `data-v`; those of a heat map would be a third of the page.
  ///
  /// - Parameters:
  ///   - picture: The `svg` element.
  ///   - chart: The chart in it.
  /// - Returns: The element as UTF-8.
  static func onPage(_ picture: String, _ chart: any Chart) -> [UInt8] {
    let (svg, title, end) = (Array("<svg".utf8), Array("<title>".utf8), Array("</title>".utf8))
    let rectangleEnd = Array("</rect>".utf8)
    var rest = Array(picture.utf8)[...]
    guard rest.starts(with: svg) else { return Array(rest) }
    var bytes = svg + Array(" width=\"\(Int(chart.width))\"".utf8)
    bytes.reserveCapacity(rest.count)
    rest = rest.dropFirst(svg.count)
    let namespace = Array(" xmlns=\"http://www.w3.org/2000/svg\"".utf8)
    if rest.starts(with: namespace) { rest = rest.dropFirst(namespace.count) }
    while let tag = rest.firstIndex(of: UInt8(ascii: "<")) {
      appendMarkup(rest[..<tag], to: &bytes)
      rest = rest[tag...]
      if rest.starts(with: title) {
        rest = rest.dropFirst(title.count)
        rest = rest.drop { $0 != UInt8(ascii: "<") }.dropFirst(end.count)
        // An element with only a title is empty now.
        if bytes.last == UInt8(ascii: ">"), rest.starts(with: rectangleEnd) {
          bytes.removeLast()
          bytes += "/>".utf8
          rest = rest.dropFirst(rectangleEnd.count)
        }
      } else {
        bytes.append(UInt8(ascii: "<"))
        rest = rest.dropFirst()
      }
    }
    return bytes + rest
  }

  /// Adds markup, with line feeds as they are instead of `&#10;`.
  private static func appendMarkup(_ part: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    let lineFeed = Array("&#10;".utf8)
    var rest = part
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      bytes += rest[..<mark]
      rest = rest[mark...]
      let isLineFeed = rest.starts(with: lineFeed)
      bytes.append(isLineFeed ? UInt8(ascii: "\n") : UInt8(ascii: "&"))
      rest = rest.dropFirst(isLineFeed ? lineFeed.count : 1)
    }
    bytes += rest
  }

  /// Returns the picture as a file of its own; blank when there is nothing to draw.
  ///
  /// - Parameter narrowing: What the numbers are limited to, such as `only country DE`; blank for none.
  /// - Returns: The file.
  func file(narrowing: String) -> String {
    var text = text
    text.narrowing = narrowing
    return chart.svgFile(text)
  }

  /// Writes the figure: its words, the picture, the folded numbers, the files and the command.
  ///
  /// - Parameters:
  ///   - page: Receives the HTML.
  ///   - limit: The most rows of numbers on the page; all are in the files.
  func append(to page: inout HTMLWriter, rows limit: Int) {
    page.element(.figure, [.id: "figure-\(anchor)", .class: isWide ? nil : "half"]) { page in
      page.element(.figcaption) { page in
        page.element(.h3, text: title)
        page.element(.p, text: sentence)
      }
      appendPicture(to: &page)
      appendValues(to: &page, limit)
      appendOrigin(to: &page)
    }
  }

  private func appendPicture(to page: inout HTMLWriter) {
    let picture = picture
    if picture.isEmpty {
      page.element(.p, [.class: "note"], text: "Too little data for a picture.")
    } else if isWide {
      page.element(
        .div, [.class: "scroll wide", .tabindex: "0", .role: "group", .ariaLabel: title]
      ) { $0.markup(picture) }
    } else {
      page.element(.div, [.class: "picture"]) { $0.markup(picture) }
    }
  }

  private func appendValues(to page: inout HTMLWriter, _ limit: Int) {
    guard !values.rows.isEmpty else { return }
    var shown = values
    shown.rows = Array(isNewestLast ? values.rows.suffix(limit) : values.rows.prefix(limit))
    let hidden = values.rows.count - shown.rows.count
    page.element(.details, [.class: "values"]) { page in
      page.element(.summary, text: "The numbers")
      HTMLTable(shown, caption: title).append(to: &page)
      if hidden > 0 {
        page.element(
          .p, [.class: "note"],
          text: "\(counted(hidden, "more row")): \(files.joined(separator: ", ")).")
      }
    }
  }

  private func appendOrigin(to page: inout HTMLWriter) {
    let commands = [("", command), ("Explain: ", explanation)].compactMap { label, command in
      command.map { (label: label, command: $0) }
    }
    guard !files.isEmpty || !commands.isEmpty else { return }
    page.element(.p, [.class: "origin"]) { page in
      for (index, file) in files.enumerated() {
        if index > 0 { page.text(", ") }
        page.element(.a, [.href: file], text: file)
      }
      for (index, one) in commands.enumerated() {
        if index > 0 || !files.isEmpty { page.text(" · ") }
        page.text(one.label)
        page.element(.code, [.use: "copy"], text: one.command)
      }
    }
  }
}
