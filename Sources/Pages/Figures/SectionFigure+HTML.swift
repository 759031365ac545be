import Charts
import Rendering

extension SectionFigure {
  /// Writes the figure with its caption.
  ///
  /// - Parameters:
  ///   - page: Receives the HTML.
  ///   - id: An id that no other figure of the page has.
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

  /// Returns the figure as a file of its own.
  ///
  /// - Parameter narrowing: What the numbers are limited to, such as `only country DE`; blank for none.
  /// - Returns: The file as UTF-8; nothing when there is nothing to draw, or the figure is a table.
  func file(narrowing: String) -> [UInt8] {
    guard case .chart(let chart) = picture else { return [] }
    let words = FigureText(
      id: "figure", title: VisibleText.of(caption), description: VisibleText.of(description),
      narrowing: VisibleText.of(narrowing))
    return Array(chart.file(words, legend: legend, style: PageAssets.fileStyleSheet).utf8)
  }
}

extension RetentionGrid {
  /// Writes the grid as a table.
  fileprivate func append(to page: inout HTMLWriter, _ name: String) {
    let count = rows.map(\.cells.count).max() ?? 0
    page.scrolling(name) { page in
      page.element(.table, [.class: "heat"]) { page in
        page.element(.thead) { page in
          page.element(.tr) { page in
            page.element(.th, [.scope: "col"], text: "began in")
            for k in 0..<count { page.element(.th, [.scope: "col"], text: "\(k + 1)") }
          }
        }
        page.element(.tbody) { page in
          for row in rows {
            page.element(.tr) { page in
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
    }
  }
}

extension HTMLWriter {
  /// Writes a mark and its meaning.
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
  ///
  /// - Parameters:
  ///   - texts: The sentences.
  ///   - files: The files beside the page, which become links.
  mutating func list(markdown texts: [String], linking files: Set<String>) {
    guard !texts.isEmpty else { return }
    element(.ul) { page in
      for text in texts {
        page.element(.li) { InlineMarkdown.append(text, linking: files, to: &$0) }
      }
    }
  }
}
