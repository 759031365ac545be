import Rendering

/// Words of a page with a few marks, printed as HTML, Markdown or plain text.
///
/// Its texts are not escaped: each printed form escapes them. Example:
///
///     let lead: Phrase = .bold("Churn rose to 13.1%") + ": 38 of 289 left. " + .link("Data health", "#health")
struct Phrase: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// A part with one mark.
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

  /// Writes the words as HTML.
  func append(to page: inout HTMLWriter) {
    for part in parts {
      switch part {
      case .plain(let text): page.text(text)
      case .bold(let text): page.element(.b, text: text)
      case .link(let text, let target): page.element(.a, [.href: target], text: text)
      }
    }
  }

  /// The words in Markdown.
  ///
  /// Links to places of the page are left out: Markdown has no such places.
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
