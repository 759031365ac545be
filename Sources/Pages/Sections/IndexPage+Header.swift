import Rendering
import SubscriptionModel
import Tables

extension IndexPage {
  /// The title, in Markdown.
  var title: String { content.title }

  /// Writes the title, until which day the data go, and one line on their health.
  func appendHeader(to page: inout HTMLWriter) {
    page.element(.h1) { InlineMarkdown.append(title, to: &$0) }
    page.paragraph(
      markdown: "\(content.dataLine) \(content.healthLine)", linking: files)
    page.paragraph(markdown: content.missingChurn)
    guard content.app != nil else { return }
    page.element(.p) { page in
      page.element(.a, [.href: PageFile.index], text: "All apps")
      page.text(", with what changed the numbers, price increases and settlements.")
    }
  }

  /// Writes where all numbers are.
  func appendFooter(to page: inout HTMLWriter) {
    page.element(.p) { page in
      page.text(
        content.app == nil
          ? "Every number of this page is in a CSV file beside it; "
          : "The tables of this page are in the CSV files beside it whose names end in -by-app.csv; "
      )
      page.element(.a, [.href: PageFile.summary], text: PageFile.summary)
      page.text(
        content.app == nil
          ? " has the same answer as text, and " : " has the answer for all apps as text, and ")
      page.element(.a, [.href: "manifest.json"], text: "manifest.json")
      page.text(" the options and the inputs. Nothing on it is about a single customer.")
    }
  }

  /// What happened, in three sentences.
  var sentencesSection: PageSection? {
    let sentences = content.words?.sentences(escaped: MarkdownText.escaped) ?? []
    guard !sentences.isEmpty else { return nil }
    return PageSection("short", "In short") { page in
      for sentence in sentences { page.paragraph(markdown: sentence, class: "lead") }
    }
  }
}
