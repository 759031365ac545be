import Rendering

/// A section of the page, with its entry in the list of contents.
struct PageSection: Sendable {
  /// The id on the page, such as `churn`.
  let id: String
  let title: String
  /// The HTML below the heading.
  let html: HTMLWriter

  /// Creates a section.
  ///
  /// - Parameters:
  ///   - id: The id on the page.
  ///   - title: The heading.
  ///   - content: Writes the HTML below the heading.
  init(_ id: String, _ title: String, _ content: (inout HTMLWriter) -> Void) {
    self.id = id
    self.title = title
    var html = HTMLWriter()
    content(&html)
    self.html = html
  }

  /// Writes the section with its heading.
  func append(to page: inout HTMLWriter) {
    page.element(.section, [.id: id, .ariaLabelledBy: "\(id)-title"]) { page in
      page.element(.h2, [.id: "\(id)-title"], text: title)
      page.markup(html.bytes)
    }
  }
}

extension HTMLWriter {
  /// Writes a sentence in Markdown as a paragraph; nothing if it is blank.
  ///
  /// - Parameters:
  ///   - text: The sentence.
  ///   - files: The files beside the page, which become links.
  ///   - kind: The class of the paragraph.
  mutating func paragraph(
    markdown text: String, linking files: Set<String> = [], class kind: String? = nil
  ) {
    guard !text.isEmpty else { return }
    element(.p, [.class: kind]) { InlineMarkdown.append(text, linking: files, to: &$0) }
  }

  /// Writes sentences in Markdown as a list; nothing without any.
  mutating func list(markdown texts: [String], linking files: Set<String> = []) {
    guard !texts.isEmpty else { return }
    element(.ul) { page in
      for text in texts {
        page.element(.li) { InlineMarkdown.append(text, linking: files, to: &$0) }
      }
    }
  }

  /// Writes a folded part.
  ///
  /// - Parameters:
  ///   - title: The name of its content; always visible.
  ///   - content: Writes the folded HTML.
  mutating func folded(_ title: String, _ content: (inout HTMLWriter) -> Void) {
    element(.details) { page in
      page.element(.summary, text: title)
      content(&page)
    }
  }
}
