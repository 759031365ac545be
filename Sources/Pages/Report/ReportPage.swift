import Charts
import Rendering

/// Prints a page as HTML: `index.html`, the page of an app, or that of a settlement.
struct ReportPage {
  let layout: PageLayout
  /// The names of the files beside the page, which can be linked.
  let files: Set<String>
  /// The rows of a folded table that are shown: fewer where the page would be too large.
  private var rows = ReportData.foldedRows

  /// The most bytes of a page, and the rows of folded tables with which it is tried.
  private static let mostBytes = 3_000_000
  private static let rowLimits = [ReportData.foldedRows, 20, 5, 0]

  init(_ layout: PageLayout, files: Set<String>) {
    self.layout = layout
    self.files = files
  }

  /// The page as UTF-8.
  var bytes: [UInt8] {
    var page = self
    var bytes: [UInt8] = []
    for limit in Self.rowLimits {
      page.rows = limit
      bytes = page.bytesInDetail
      if bytes.count <= Self.mostBytes { break }
    }
    return bytes
  }

  private var bytesInDetail: [UInt8] {
    PageDocument.bytes(title: "\(layout.title): \(layout.subtitle)") { page in
      page.markup(ChartPatterns.element.utf8)
      page.element(.div, [.class: "page"]) { page in
        appendTop(to: &page)
        page.element(.main, [.id: "main"]) { page in
          if !layout.tiles.isEmpty { appendFirstScreen(to: &page) }
          page.element(.nav, [.class: "toc", .ariaLabel: "Sections"]) { page in
            for section in layout.sections {
              page.element(.a, [.href: "#\(section.id)"], text: section.title)
            }
          }
          for (place, section) in layout.sections.enumerated() {
            append(section, place, to: &page)
          }
          appendAllLinks(to: &page)
        }
        appendFooter(to: &page)
      }
    }
  }

  // MARK: First screen

  private func appendTop(to page: inout HTMLWriter) {
    page.element(.header, [.class: "top"]) { page in
      page.element(.div) { page in
        page.element(.h1) { page in
          page.text(layout.title)
          page.element(.span, text: layout.subtitle)
        }
        appendLinks(to: &page)
      }
      let status = layout.status
      page.element(.div, [.class: status.isComplete ? "status ok" : "status w"]) { page in
        page.element(.b) { page in
          page.markup((status.isComplete ? Self.check : Self.warning).utf8)
          page.text(status.headline)
        }
        page.text(status.detail + " ")
        if layout.sections.contains(where: { $0.id == "health" }) {
          page.element(.a, [.href: "#health"], text: "Data health")
        }
      }
    }
  }

  private static let check = """
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" focusable="false">\
    <circle cx="9" cy="9" r="8" class="f-in"/><path d="M5 9.4l2.7 2.7L13 6.6" class="tick"/></svg>
    """
  private static let warning = """
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" focusable="false">\
    <path d="M9 1.5L17 16H1z" class="f-wa"/><path d="M9 6.5v4.5M9 12.6v1.8" class="stop"/></svg>
    """

  private func appendLinks(to page: inout HTMLWriter) {
    guard !layout.links.isEmpty else { return }
    page.element(.nav, [.class: "apps", .ariaLabel: layout.linksName]) { page in
      for link in layout.links { append(link, to: &page) }
    }
  }

  private func append(_ link: PageLayout.Link, to page: inout HTMLWriter) {
    if let target = link.target {
      page.element(.a, [.href: target], text: link.text)
    } else {
      page.element(.b, [.ariaCurrent: "page"], text: link.text)
    }
  }

  private func appendAllLinks(to page: inout HTMLWriter) {
    guard !layout.allLinks.isEmpty else { return }
    page.element(.section, [.id: "apps", .ariaLabelledBy: "h-apps"]) { page in
      page.element(.h2, [.id: "h-apps"], text: "All \(layout.linksName.lowercased())")
      page.element(.p, [.class: "apps"]) { page in
        for link in layout.allLinks {
          append(link, to: &page)
          page.text(" ")
        }
      }
    }
  }

  private func appendFirstScreen(to page: inout HTMLWriter) {
    page.element(.h2, [.class: "vh"], text: "Key figures")
    page.element(.ul, [.class: "tiles"]) { page in
      for tile in layout.tiles {
        page.element(.li, [.class: "tile"]) { append(tile, to: &$0) }
      }
    }
    // The page of a settlement has its number alone.
    guard !layout.bullets.isEmpty else { return }
    page.element(.div, [.class: "changed"]) { page in
      page.element(.h2, text: "What changed")
      page.element(.ul) { page in
        for bullet in layout.bullets {
          let mark = bullet.mark.rawValue
          page.element(.li, [.class: mark.isEmpty ? nil : mark]) { bullet.text.append(to: &$0) }
        }
      }
    }
    page.element(.p, [.class: "key"]) { page in
      let marks = [
        ("in", "came, became paying, better"), ("out", "left, refunded, worse"),
        ("lv", "how much there is"), ("ht", "can still change"), ("wa", "data missing"),
      ]
      for (mark, text) in marks { page.legend(.init(mark: mark, text: text)) }
      page.element(.span, text: "grey text: may be chance, or not comparable")
      if !layout.noYear.isEmpty { page.element(.span, text: layout.noYear) }
    }
  }

  private func append(_ tile: Tile, to page: inout HTMLWriter) {
    page.element(.h3, text: tile.label)
    page.element(.p, [.class: "n"]) { page in
      if !tile.before.isEmpty {
        page.element(.small, text: tile.before)
        page.text(" ")
      }
      page.text(tile.number)
      if let of = tile.of {
        page.text(" ")
        page.element(.small, text: "of")
        page.text(" \(of)")
      }
      if !tile.after.isEmpty {
        page.text(" ")
        page.element(.small, text: tile.after)
      }
    }
    page.markup(
      Spark(tile.line, lastState: ReportData.state(tile.standing)).svg(height: 26).utf8)
    page.element(.div, [.class: "c"]) { page in
      if !tile.tag.isEmpty {
        page.element(.p, [.class: "d flat"]) { $0.element(.span, [.class: "tag"], text: tile.tag) }
      } else if let verdict = tile.verdict {
        page.element(.p, [.class: "d \(verdict.tone.rawValue)"]) { page in
          guard verdict.tone != .flat else { return page.text(verdict.text) }
          page.element(.b, text: verdict.text)
          page.text(", \(verdict.tone.word)")
        }
      }
      for line in tile.lines {
        page.element(.p, [.class: "y"]) { line.append(to: &$0) }
      }
    }
  }

  // MARK: Sections

  private func append(_ section: Section, _ place: Int, to page: inout HTMLWriter) {
    page.element(.section, [.id: section.id, .ariaLabelledBy: "h-\(section.id)"]) { page in
      page.element(.h2, [.id: "h-\(section.id)"], text: section.title)
      if !section.lead.isEmpty {
        page.element(.p, [.class: "lead"]) { section.lead.append(to: &$0) }
      }
      let figure = section.figure.flatMap { $0.isEmpty ? nil : $0 }
      if let figure, section.side.isEmpty {
        figure.append(to: &page, id: "\(place)")
      } else if figure != nil || !section.side.isEmpty {
        page.element(.div, [.class: figure == nil ? "one" : "two"]) { page in
          if let figure { figure.append(to: &page, id: "\(place)") }
          page.element(.div, [.class: "side"]) { page in
            for table in section.side { append(table, to: &page) }
          }
        }
      }
      if let fold = section.fold { append(fold, section, section.title, to: &page) }
      for fold in section.parts {
        append(fold, section, "\(section.title), \(fold.summary)", to: &page)
      }
    }
  }

  private func append(_ table: SideTable, to page: inout HTMLWriter) {
    page.element(.h3, text: table.title)
    if !table.rows.isEmpty {
      page.table(
        headings: { page in
          for (place, heading) in table.headings.enumerated() {
            if heading.isEmpty {
              page.element(.td, text: "")
            } else {
              page.element(.th, [.scope: "col", .class: place == 0 ? nil : "r"], text: heading)
            }
          }
        }, rows: table.rows
      ) { row, page in
        for (place, cell) in row.enumerated() { append(cell, place, to: &page) }
      }
    }
    if !table.note.isEmpty { page.element(.p) { table.note.append(to: &$0) } }
  }

  private func append(_ cell: SideTable.Cell, _ place: Int, to page: inout HTMLWriter) {
    switch cell {
    case .text(let text) where place == 0:
      page.element(.th, [.scope: "row"]) { $0.name(text) }
    case .text(let text): page.element(.td, text: text)
    case .name(let name, let more):
      page.element(.th, [.scope: "row"]) { page in
        page.text(name)
        if !more.isEmpty { page.element(.small, text: more) }
      }
    case .number(let text): page.element(.td, [.class: "r"], text: text)
    case .change(let text, let tone):
      page.element(.td, [.class: "r"]) { $0.element(.span, [.class: tone.rawValue], text: text) }
    case .bar(let share, let fill):
      page.element(.td, [.class: "bar"]) { $0.markup(RowBars.single(share, fill).utf8) }
    case .signedBar(let share):
      page.element(.td, [.class: "bar"]) { page in
        share.map { page.markup(RowBars.signed($0).utf8) }
      }
    case .line(let values, let state):
      page.element(.td, [.class: "bar"]) {
        $0.markup(Spark(values, lastState: state).svg(height: 20).utf8)
      }
    }
  }

  /// Writes a fold of a section; its tables have a name that no other table of the page has.
  private func append(
    _ fold: Fold, _ section: Section, _ name: String, to page: inout HTMLWriter
  ) {
    page.element(.details) { page in
      page.element(.summary, text: fold.summary)
      for (place, figure) in fold.figures.enumerated() {
        figure.append(to: &page, id: "\(section.id)-\(place)")
      }
      page.list(markdown: fold.notes, linking: files)
      if rows > 0, !fold.tables.isEmpty {
        page.element(.div, [.class: "in2"]) { page in
          for (place, table) in fold.tables.enumerated() {
            append(table, "\(name), table \(place + 1)", to: &page)
          }
        }
      }
      page.list(markdown: fold.endNotes, linking: files)
      let linked = fold.files.filter(files.contains)
      if !linked.isEmpty {
        page.element(.p, [.class: "files"]) { page in
          page.text("Files: ")
          for file in linked {
            page.element(.a, [.href: file], text: file)
            page.text(" ")
          }
        }
      }
      if let command = fold.command {
        page.element(.p, [.class: "files"]) { page in
          page.text(section.id == "health" ? "All of it: " : fold.beforeCommand + " ")
          page.element(.code, [.use: "copy"], text: command)
        }
      }
    }
  }

  private func append(_ table: Fold.Table, _ name: String, to page: inout HTMLWriter) {
    page.scrolling(name) { page in
      page.table(
        [.use: table.rows.count > 1 ? "sort" : nil], caption: table.caption,
        headings: { page in
          for heading in table.headings {
            page.element(
              .th, [.scope: "col", .class: heading.isNumber ? "r" : nil], text: heading.text)
          }
        }, rows: table.rows.prefix(rows)
      ) { row, page in
        for (place, cell) in row.enumerated() {
          if place == 0, !cell.isEmpty {
            page.element(.th, [.scope: "row"], text: cell)
          } else {
            page.element(.td, [.class: table.headings[place].isNumber ? "r" : nil], text: cell)
          }
        }
      }
    }
  }

  private func appendFooter(to page: inout HTMLWriter) {
    page.element(.footer) { page in
      for sentence in layout.footer { page.element(.span, text: sentence) }
      for file in layout.footerFiles where files.contains(file) {
        page.element(.a, [.href: file], text: file)
      }
    }
  }
}
