import Charts
import Pipeline
import Rendering

/// A section of a page: PAGE.md, "Sections".
///
/// `index.html`, the pages of apps and `summary.md` print the same list.
struct Section: Sendable {
  /// The id on the page, such as `churn`.
  let id: String
  let title: String
  /// What the section says, in at most two sentences.
  var lead: Phrase
  var figure: SectionFigure?
  var side: [SideTable] = []
  var fold: Fold?
  /// Parts of the section that are folded one by one, such as the settlement of each region.
  var parts: [Fold] = []
}

extension Section {
  /// Returns a section without numbers, which says what would bring them.
  static func absent(_ id: String, _ title: String, _ needed: String) -> Section {
    Section(
      id: id, title: title, lead: "The data have nothing for this section: it needs \(needed).")
  }
}

/// The one picture of a section, with its caption.
struct SectionFigure: Sendable {
  enum Picture: Sendable {
    case chart(any Chart)
    case grid(RetentionGrid)
  }

  var caption: String
  var legend: [LegendItem] = []
  /// What the picture shows, in words for those who do not see it.
  let description: String
  let picture: Picture

  var isEmpty: Bool {
    switch picture {
    case .chart(let chart): chart.isEmpty
    case .grid(let grid): grid.rows.isEmpty
    }
  }
}

extension SectionFigure {
  /// Returns a figure of steps from one amount to another, with `more` at the end of its description.
  static func waterfall(
    _ caption: String, _ rows: [Waterfall.Row], in gain: String, out loss: String,
    note: String = "", more: String = ""
  ) -> SectionFigure {
    let legend = [("in", gain), ("out", loss), ("", note)].filter { !$0.1.isEmpty }
    return SectionFigure(
      caption: caption, legend: legend.map { LegendItem(mark: $0, text: $1) },
      description: rows.map { "\($0.label) \($0.text)" }.joined(separator: ", ") + "." + more,
      picture: .chart(Waterfall(rows)))
  }
}

/// Of 100 who began, how many stay after each payment: a table with grounds by share.
struct RetentionGrid: Sendable {
  struct Row: Sendable {
    let name: String
    /// How many began, such as `153 people`.
    let people: String
    let cells: [Cell]
  }

  struct Cell: Sendable {
    /// The share kept, from 0 to 1; `nil` where too few are at risk.
    let share: Double?
    /// Whether fewer than 30 are at risk.
    let isFew: Bool

    /// The text: of 100, how many stay.
    var text: String { share.map { "\(Int(($0 * 100).rounded(.toNearestOrEven)))" } ?? "" }

    /// The class of the cell: its ground by share.
    var style: String? {
      guard let share else { return nil }
      if isFew { return "few" }
      let step = [0.45, 0.6, 0.7, 0.8, 0.9].firstIndex { share < $0 } ?? 5
      return "q\(step + 1)"
    }
  }

  var rows: [Row]
}

/// A small table beside a figure, of at most 8 rows.
struct SideTable: Sendable {
  enum Cell: Sendable {
    case text(String)
    /// A name with a second line.
    case name(String, String)
    case number(String)
    /// A bar from the left with its share of the longest, from 0 to 1.
    case bar(Double, ChartFill)
    /// A bar from the middle, from -1 to 1; `nil` for none.
    case signedBar(Double?)
    case line([Double?], TimePlot.State)
    case change(String, Tone)

    /// The cell without a picture; `nil` for a picture.
    var words: String? {
      switch self {
      case .text(let text), .number(let text), .change(let text, _): text
      case .name(let name, let more): more.isEmpty ? name : "\(name), \(more)"
      case .bar, .signedBar, .line: nil
      }
    }
  }

  let title: String
  /// The headings, that of the names first.
  let headings: [String]
  var rows: [[Cell]]
  /// A sentence below the table.
  var note: Phrase = ""

  static let mostRows = 8

  /// The table in Markdown, without its pictures; blank without rows.
  var markdown: String {
    guard !rows.isEmpty else { return note.isEmpty ? "" : note.markdown + "\n\n" }
    let places = rows[0].indices.filter { place in rows.contains { $0[place].words != nil } }
    let line = { (cells: [String]) in "| " + cells.joined(separator: " | ") + " |\n" }
    var text = "**\(MarkdownText.escaped(title))**\n\n"
    text += line(places.map { MarkdownText.escaped(headings[$0]) })
    text += line(places.map { $0 == 0 ? "---" : "---:" })
    for row in rows { text += line(places.map { MarkdownText.escaped(row[$0].words ?? "") }) }
    return text + "\n" + (note.isEmpty ? "" : note.markdown + "\n\n")
  }
}

/// The evidence of a section, folded.
struct Fold: Sendable {
  struct Table: Sendable {
    /// What the rows are; blank for the table of the figure.
    let caption: String
    /// The headings; those of numbers are to the right.
    let headings: [(text: String, isNumber: Bool)]
    let rows: [[String]]

    /// The table without columns that are blank in all rows.
    var withoutEmptyColumns: Table {
      keeping(headings.indices.filter { place in rows.contains { !$0[place].isEmpty } })
    }

    /// Returns the table without those of some columns that are 0 or blank in all rows.
    func withoutZeros(in names: [String]) -> Table {
      keeping(
        headings.indices.filter { place in
          !names.contains(headings[place].text)
            || rows.contains { !["", "0", "0.00"].contains($0[place]) }
        })
    }

    private func keeping(_ places: [Int]) -> Table {
      Table(
        caption: caption, headings: places.map { headings[$0] },
        rows: rows.map { row in places.map { row[$0] } })
    }
  }

  let summary: String
  var figures: [SectionFigure] = []
  var tables: [Table] = []
  /// Sentences in Markdown, such as those about damaged files.
  var notes: [String] = []
  /// These sentences in the words of a text, where they differ.
  var textNotes: [String] = []
  /// Sentences below the tables.
  var endNotes: [String] = []
  /// The files with all the numbers.
  var files: [String] = []
  /// The command that lists every row behind the main number; `nil` without one.
  var command: String?
  /// What of the main number the command lists, such as `USD`, where it cannot list all of it; else blank.
  var part = ""

  /// The words before the command, such as `Every row behind it (USD alone):`.
  var beforeCommand: String { "Every row behind it\(part.isEmpty ? "" : " (\(part) alone)"):" }
}

extension Fold.Table {
  /// Creates a table with a column of names and columns of numbers.
  init(_ caption: String = "", by name: String, numbers: [String], rows: [[String]]) {
    self.init(
      caption: caption, headings: [(name, false)] + numbers.map { ($0, true) }, rows: rows)
  }
}

/// Words of a page with a few marks, printed as HTML, Markdown or plain text.
///
/// Its texts are not escaped: each printed form escapes them. Example:
///
///     let lead: Phrase = .bold("Churn rose to 13.1%") + ": 38 of 289 left. " + .link("Data health", "#health")
struct Phrase: Sendable, Hashable, ExpressibleByStringInterpolation {
  enum Part: Sendable, Hashable {
    case plain(String)
    case bold(String)
    case link(String, to: String)
  }

  private(set) var parts: [Part]

  init(_ text: String) { parts = text.isEmpty ? [] : [.plain(text)] }
  init(stringLiteral text: String) { self.init(text) }
  private init(_ part: Part) { parts = [part] }

  static func bold(_ text: String) -> Phrase { Phrase(.bold(text)) }
  static func link(_ text: String, _ target: String) -> Phrase { Phrase(.link(text, to: target)) }

  static func + (left: Phrase, right: Phrase) -> Phrase {
    var sum = left
    sum.parts += right.parts
    return sum
  }

  static func += (left: inout Phrase, right: Phrase) { left = left + right }

  var isEmpty: Bool { parts.isEmpty }

  func append(to page: inout HTMLWriter) {
    for part in parts {
      switch part {
      case .plain(let text): page.text(text)
      case .bold(let text): page.element(.b, text: text)
      case .link(let text, let target): page.element(.a, [.href: target], text: text)
      }
    }
  }

  /// The words in Markdown, without links to places of the page, which Markdown has not.
  var markdown: String {
    parts.map { part in
      switch part {
      case .plain(let text): MarkdownText.escaped(text)
      case .bold(let text): "**\(MarkdownText.escaped(text))**"
      case .link(let text, let target) where target.utf8.first != UInt8(ascii: "#"):
        "[\(MarkdownText.escaped(text))](\(target))"
      case .link: ""
      }
    }.joined()
  }

  /// The words without marks, on one line.
  var plain: String {
    VisibleText.of(
      parts.map { part in
        switch part {
        case .plain(let text), .bold(let text): text
        case .link: ""
        }
      }.joined())
  }
}

/// The parts of a printed page: a report, the report of an app, or the settlement of a period.
struct PageLayout: Sendable {
  /// A page beside this one.
  struct Link: Sendable {
    let text: String
    /// Its file; `nil` for this page itself.
    let target: String?
  }

  /// The heading, and the line below it.
  let title: String
  let subtitle: String
  /// The pages that are named at the top.
  var links: [Link] = []
  /// What these pages are, such as `Apps`.
  var linksName = ""
  /// All of them in a list at the end of the page, where the top has too little room.
  var allLinks: [Link] = []
  /// Whether the numbers can be trusted, and what to do.
  let status: Answer.Status
  var tiles: [Tile] = []
  var bullets: [Bullet] = []
  /// A sentence in place of comparisons with a year ago.
  var noYear = ""
  var sections: [Section]
  /// Sentences at the end, and the files that are linked there.
  var footer: [String] = []
  var footerFiles: [String] = []
}

extension Answer {
  /// The most apps that are named at the top, and how many of more.
  private static let (mostApps, shownApps) = (8, 7)

  /// The page that prints the answer.
  var layout: PageLayout {
    let own = content.appID
    let ofApps = apps.map { app in
      PageLayout.Link(text: app.name, target: app.id == own ? nil : app.file)
    }
    let isOfMany = apps.count > Self.mostApps
    var layout = PageLayout(
      title: title, subtitle: subtitle, status: status, tiles: tiles, bullets: bullets,
      noYear: noYear, sections: sections)
    if !apps.isEmpty {
      layout.linksName = "Apps"
      layout.links = [.init(text: "All apps", target: own == nil ? nil : PageFile.index)]
      if !isOfMany {
        layout.links += ofApps
      } else {
        // The page's own app is always among them.
        let isBelow = apps.dropFirst(Self.shownApps).contains { $0.id == own }
        layout.links += ofApps.prefix(isBelow ? Self.shownApps - 1 : Self.shownApps)
        if isBelow { layout.links += ofApps.filter { $0.target == nil } }
        layout.links.append(.init(text: "all \(apps.count)", target: "#apps"))
        layout.allLinks = ofApps
      }
    }
    layout.footer =
      [footer].filter { !$0.isEmpty } + [
        content.app == nil
          ? "Every number is in a CSV file beside this page."
          : "The tables of this page are in the files whose names end in -by-app.csv."
      ]
    layout.footerFiles = [PageFile.summary, "manifest.json"]
    return layout
  }
}

extension SectionFigure {
  func append(to page: inout HTMLWriter, id: String) {
    page.element(.figure) { page in
      page.element(.figcaption, [.class: "cap"]) { page in
        page.element(.b, text: caption)
        for item in legend { page.legend(item) }
      }
      switch picture {
      case .chart(let chart):
        let words = FigureText(id: id, title: caption, description: description)
        page.markup(chart.svg(words).utf8)
      case .grid(let grid): grid.append(to: &page, caption)
      }
    }
  }

  /// Returns the figure as a file in UTF-8; nothing when there is nothing to draw, or the figure is a table.
  func file(narrowing: String) -> [UInt8] {
    guard case .chart(let chart) = picture else { return [] }
    let words = FigureText(
      id: "figure", title: VisibleText.of(caption), description: VisibleText.of(description),
      narrowing: VisibleText.of(narrowing))
    return Array(chart.file(words, legend: legend, style: PageAssets.fileStyleSheet).utf8)
  }
}

extension RetentionGrid {
  fileprivate func append(to page: inout HTMLWriter, _ name: String) {
    let count = rows.map(\.cells.count).max() ?? 0
    page.scrolling(name) { page in
      page.table(
        [.class: "heat"],
        headings: { page in
          page.element(.th, [.scope: "col"], text: "began in")
          for k in 0..<count { page.element(.th, [.scope: "col"], text: "\(k + 1)") }
        }, rows: rows
      ) { row, page in
        page.element(.th, [.scope: "row"]) { page in
          page.element(.b, text: row.name)
          page.element(.small, text: row.people)
        }
        for place in 0..<count {
          let cell = row.cells.indices.contains(place) ? row.cells[place] : nil
          page.element(.td, [.class: cell?.style], text: cell?.text ?? "")
        }
      }
    }
  }
}

extension HTMLWriter {
  mutating func legend(_ item: LegendItem) {
    element(.span) { page in
      if !item.mark.isEmpty { page.element(.i, [.class: item.mark], text: "") }
      page.text(item.text)
    }
  }

  /// Writes what may be wider than the page into a box that scrolls by itself.
  mutating func scrolling(_ name: String, _ content: (inout HTMLWriter) -> Void) {
    element(.div, [.class: "scroll", .tabindex: "0", .role: "region", .ariaLabel: name], content)
  }

  /// Writes sentences in Markdown as a list; nothing without any.
  mutating func list(markdown texts: [String], linking files: Set<String>) {
    guard !texts.isEmpty else { return }
    element(.ul) { page in
      for text in texts {
        page.element(.li) { InlineMarkdown.append(text, linking: files, to: &$0) }
      }
    }
  }
}
