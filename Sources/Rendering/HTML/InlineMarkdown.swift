/// Turns sentences in Markdown into HTML or plain text, so that pages of all kinds share their sentences.
///
/// It reads the marks that this program writes in sentences and nothing else: `**bold**`, `*emphasis*`, code between
/// backticks, a backslash before a mark, and references to control characters such as `&#10;`. Everything else is text
/// and is escaped, so a sentence that is read wrongly shows a star too many, and never becomes markup.
package struct InlineMarkdown {
  private enum Part {
    case words(String)
    case code(String)
    case start(HTMLElement)
    case end(HTMLElement)
  }

  private let bytes: [UInt8]
  private var position = 0
  private var words: [UInt8] = []
  private var open: [HTMLElement] = []
  private var parts: [Part] = []

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// Writes a sentence with words escaped by ``MarkdownText``; names of `files` that stand as code become links.
  package static func append(
    _ text: String, linking files: Set<String> = [], to page: inout HTMLWriter
  ) {
    for part in parts(of: text) {
      switch part {
      case .words(let words): page.text(words)
      case .code(let code) where files.contains(code):
        page.element(.a, [.href: code]) { $0.element(.code, text: code) }
      case .code(let code): page.element(.code, text: code)
      case .start(let element): page.open(element)
      case .end(let element): page.close(element)
      }
    }
  }

  /// Returns a sentence without its marks.
  package static func plain(_ text: String) -> String {
    parts(of: text).map { part in
      switch part {
      case .words(let words), .code(let words): words
      case .start, .end: ""
      }
    }.joined()
  }

  private static func parts(of text: String) -> [Part] {
    var reader = InlineMarkdown(text)
    reader.read()
    return reader.parts
  }

  private mutating func read() {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\\") where position + 1 < bytes.count:
        words.append(bytes[position + 1])
        position += 2
      case UInt8(ascii: "`"): readCode()
      case UInt8(ascii: "*"): readStar()
      case UInt8(ascii: "&"): readReference()
      default: readWord(1)
      }
    }
    endWords()
    while let element = open.popLast() { parts.append(.end(element)) }
  }

  /// Reads bytes that are words and no marks.
  private mutating func readWord(_ count: Int) {
    words.append(contentsOf: bytes[position..<(position + count)])
    position += count
  }

  private mutating func endWords() {
    guard !words.isEmpty else { return }
    parts.append(.words(String(decoding: words, as: UTF8.self)))
    words.removeAll(keepingCapacity: true)
  }

  /// Reads code up to the next backtick; a backtick without another one is a word.
  private mutating func readCode() {
    let start = position + 1
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "`")) else { return readWord(1) }
    endWords()
    parts.append(.code(String(decoding: bytes[start..<end], as: UTF8.self)))
    position = end + 1
  }

  /// Reads `**` or `*`, which starts or ends bold or emphasized words; one without its end is a word.
  private mutating func readStar() {
    let isDouble = bytes[position...].starts(with: "**".utf8)
    let (element, length): (HTMLElement, Int) = isDouble ? (.strong, 2) : (.em, 1)
    let isEnd = open.last == element
    guard isEnd || !open.contains(element) && hasEnd(isDouble, from: position + length) else {
      return readWord(length)
    }
    endWords()
    if isEnd { open.removeLast() } else { open.append(element) }
    parts.append(isEnd ? .end(element) : .start(element))
    position += length
  }

  private func hasEnd(_ isDouble: Bool, from start: Int) -> Bool {
    let star = UInt8(ascii: "*")
    let rest = bytes[start...]
    guard isDouble else { return rest.contains(star) }
    return zip(rest, rest.dropFirst()).contains { $0 == star && $1 == star }
  }

  /// Reads a reference to a character, such as `&#10;`; any other `&` is a word.
  private mutating func readReference() {
    let rest = bytes[position...]
    guard rest.starts(with: "&#".utf8), let end = rest.firstIndex(of: UInt8(ascii: ";")),
      let number = UInt8(String(decoding: bytes[(position + 2)..<end], as: UTF8.self)),
      number < 0x80
    else { return readWord(1) }
    words.append(number)
    position = end + 1
  }
}
