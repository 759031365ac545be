/// Turns a sentence in Markdown into HTML, so that pages in both languages share their sentences.
///
/// It reads what this program writes in sentences and nothing else: `**bold**`, `*emphasis*`, code between backticks,
/// a backslash before a mark, and references to control characters such as `&#10;`. Everything else is text and is
/// escaped, so a sentence that is read wrongly shows a star too many, and never becomes markup.
package struct InlineMarkdown {
  private let bytes: [UInt8]
  /// The files that can be linked: a code such as `churn.csv` becomes a link to its file.
  private let files: Set<String>
  private var position = 0
  private var words: [UInt8] = []
  private var isBold = false
  private var isEmphasized = false

  private init(_ text: String, files: Set<String>) {
    bytes = Array(text.utf8)
    self.files = files
  }

  /// Writes a sentence.
  ///
  /// - Parameters:
  ///   - text: The sentence in Markdown, with words of the data escaped by ``MarkdownText``.
  ///   - files: The names of files beside the page, which are linked where they stand as code.
  ///   - page: Receives the HTML.
  package static func append(
    _ text: String, linking files: Set<String> = [], to page: inout HTMLWriter
  ) {
    var reader = InlineMarkdown(text, files: files)
    reader.read(into: &page)
  }

  private mutating func read(into page: inout HTMLWriter) {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\\") where position + 1 < bytes.count:
        words.append(bytes[position + 1])
        position += 2
      case UInt8(ascii: "`"): code(into: &page)
      case UInt8(ascii: "*"): star(into: &page)
      case UInt8(ascii: "&"): reference()
      default:
        words.append(byte)
        position += 1
      }
    }
    flush(into: &page)
    if isEmphasized { page.close(.em) }
    if isBold { page.close(.strong) }
  }

  /// Writes the words that are waiting.
  private mutating func flush(into page: inout HTMLWriter) {
    page.text(String(decoding: words, as: UTF8.self))
    words.removeAll(keepingCapacity: true)
  }

  /// Reads code up to the next backtick; a backtick without another one is a word.
  private mutating func code(into page: inout HTMLWriter) {
    let start = position + 1
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "`")) else {
      words.append(bytes[position])
      position += 1
      return
    }
    flush(into: &page)
    let code = String(decoding: bytes[start..<end], as: UTF8.self)
    if files.contains(code) {
      page.element(.a, [.href: code]) { $0.element(.code, text: code) }
    } else {
      page.element(.code, text: code)
    }
    position = end + 1
  }

  /// Reads `**` or `*`, which begins or ends what is bold or emphasized; one without its end is a word.
  private mutating func star(into page: inout HTMLWriter) {
    let isDouble = bytes[position...].starts(with: "**".utf8)
    let length = isDouble ? 2 : 1
    let isOpen = isDouble ? isBold : isEmphasized
    let rest = bytes[(position + length)...]
    guard isOpen || (isDouble ? Self.hasDouble(rest) : rest.contains(UInt8(ascii: "*"))) else {
      words.append(contentsOf: bytes[position..<(position + length)])
      position += length
      return
    }
    flush(into: &page)
    let element: HTMLElement = isDouble ? .strong : .em
    if isOpen { page.close(element) } else { page.open(element) }
    if isDouble { isBold.toggle() } else { isEmphasized.toggle() }
    position += length
  }

  private static func hasDouble(_ rest: ArraySlice<UInt8>) -> Bool {
    zip(rest, rest.dropFirst()).contains { $0 == UInt8(ascii: "*") && $1 == UInt8(ascii: "*") }
  }

  /// Reads a reference to a character, such as `&#10;`; any other `&` is a word.
  private mutating func reference() {
    let rest = bytes[position...]
    guard rest.starts(with: "&#".utf8), let end = rest.firstIndex(of: UInt8(ascii: ";")),
      let number = UInt8(String(decoding: bytes[(position + 2)..<end], as: UTF8.self)),
      number < 0x80
    else {
      words.append(bytes[position])
      position += 1
      return
    }
    words.append(number)
    position = end + 1
  }
}
