import Charts
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
  typealias Legend = LegendItem

  enum Picture: Sendable {
    case chart(any Chart)
    case grid(RetentionGrid)
  }

  var caption: String
  var legend: [Legend] = []
  /// What the picture shows, in words for those who do not see it.
  let description: String
  let picture: Picture

  /// Whether there is nothing to draw.
  var isEmpty: Bool {
    switch picture {
    case .chart(let chart): chart.isEmpty
    case .grid(let grid): grid.rows.isEmpty
    }
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

  /// The most rows.
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
