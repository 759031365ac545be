import Charts
import Pipeline
import Rendering
import SubscriptionModel
import Tables

extension IndexPage {
  /// The months in the line of a tile.
  private static let tileMonths = 13

  /// The headline numbers: each with its interval, its changes, its state, and a line of the last months.
  var tilesSection: PageSection? {
    guard let words = content.words, words.hasValues else { return nil }
    return PageSection("headlines", "Headline numbers") { page in
      page.element(.ul, [.class: "tiles"]) { page in
        for (place, tile) in words.tiles.enumerated() {
          page.element(.li, [.class: "tile"]) { append(tile, place, to: &$0) }
        }
      }
      page.paragraph(markdown: content.proceedsOfSales, linking: files)
      // The file has no rows of one app.
      let notes =
        content.app == nil ? words.comparisons + words.noteOnProceeds : words.comparedMonths
      page.paragraph(markdown: notes, linking: files, class: "note")
    }
  }

  private func append(_ tile: HeadlineTile, _ place: Int, to page: inout HTMLWriter) {
    page.element(.h3, text: tile.label)
    page.element(.p, [.class: "number"], text: tile.number)
    page.markup(line(tile, place))
    if !tile.certainty.isEmpty { page.element(.p, text: tile.certainty) }
    for change in tile.changes { page.element(.p, text: change) }
    let stateClass = tile.state == HeadlineWords.complete ? "note" : "state"
    if !tile.state.isEmpty { page.element(.p, [.class: stateClass], text: tile.state) }
    page.element(.p, [.class: "note"], text: "from \(tile.value.source.rawValue)")
  }

  /// Returns the line of a tile as SVG in UTF-8; none with fewer than two months.
  private func line(_ tile: HeadlineTile, _ place: Int) -> [UInt8] {
    let all = content.headlines?.history(of: tile.value, months: Self.tileMonths) ?? []
    // A number that is not known has no point: it would be 0, or that of the month before.
    let shown = tile.isKnown ? all : all.dropLast()
    let history = Array(shown.drop { $0.value == .missing })
    let currency = tile.value.currency
    let points = history.map { point -> LinePoint? in
      point.value.drawn.map { number in
        LinePoint(
          number, low: point.interval?.low, high: point.interval?.high,
          isProvisional: point.state == "provisional", isPartial: point.state == "partial",
          text: HeadlineWords.text(point.value, currency: currency))
      }
    }
    let known = zip(history, points).filter { $0.1 != nil }.map(\.0)
    guard known.count > 1, let first = known.first, let last = known.last else { return [] }
    let text = { (point: HeadlinePoint) in
      "\(HeadlineWords.text(point.value, currency: currency)) in \(months.name(point.month))"
    }
    let chart = Sparkline(
      points: points, format: tile.value.format, labels: history.map { months.name($0.month) })
    let count = last.month - first.month + 1
    // Earlier months are older.
    let end = last.state == "provisional" ? " (can still change)" : ""
    let words = FigureText(
      id: "tile-\(place)", title: "\(tile.label), the last \(count) months",
      description: "From \(text(first)) to \(text(last))\(end).")
    return Figure.onPage(chart.svg(words), chart)
  }
}
