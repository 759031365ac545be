import Tables

/// Escapes words from the data for Markdown.
package enum MarkdownText {
  /// Returns text that Markdown shows as it is, on one line, inside a table cell or a sentence.
  ///
  /// Markup characters get a backslash: `|`, `` ` ``, `<`, `>`, `&`, `*`, `~`, `[`, `]`, the backslash
  /// itself, and `_` at the edge of a word (`pro_monthly` stays as it is). Control characters become
  /// numeric references: a line feed is `&#10;`. Marks that reverse the direction of text are shown, such as `\u{202E}`.
  package static func escaped(_ text: String) -> String {
    var buffer: [UInt8] = []
    let bytes = Array(
      VisibleText.of(text, where: { $0.value >= 0x80 && VisibleText.isControl($0) }).utf8)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "|"), UInt8(ascii: "`"), UInt8(ascii: "<"), UInt8(ascii: ">"),
        UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "["),
        UInt8(ascii: "]"), UInt8(ascii: "\\"):
        buffer.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case UInt8(ascii: "_") where !isInsideWord(index, of: bytes):
        buffer.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0x00..<0x20, 0x7F:
        buffer.append(contentsOf: "&#\(byte);".utf8)
      default: buffer.append(byte)
      }
    }
    return String(decoding: buffer, as: UTF8.self)
  }

  private static func isInsideWord(_ index: Int, of bytes: [UInt8]) -> Bool {
    guard index > 0, index + 1 < bytes.count else { return false }
    return bytes[index - 1].isLetterOrDigit && bytes[index + 1].isLetterOrDigit
  }
}

/// A pipe table: numbers to the right and grouped, rates as percentages, missing as an empty cell.
enum MarkdownTable {
  static func appendHeader(of table: ReportTable, to buffer: inout [UInt8]) {
    appendLine(table.columns.map { MarkdownText.escaped($0.name) }, to: &buffer)
    appendLine(table.columns.map { $0.isNumeric ? "---:" : "---" }, to: &buffer)
  }

  static func appendRows(of table: ReportTable, to buffer: inout [UInt8]) {
    for cells in CellText.rows(table, words: MarkdownText.escaped) {
      appendLine(cells, to: &buffer)
    }
  }

  private static func appendLine(_ cells: [String], to buffer: inout [UInt8]) {
    buffer.append(UInt8(ascii: "|"))
    for cell in cells {
      buffer.append(contentsOf: (cell.isEmpty ? " |" : " \(cell) |").utf8)
    }
    buffer.append(UInt8(ascii: "\n"))
  }
}

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
