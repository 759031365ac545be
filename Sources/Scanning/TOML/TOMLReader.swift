/// Reads a ``TOMLDocument`` byte by byte; invalid text is an error with its place, never a trap.
struct TOMLReader {
  /// The deepest nesting of lists and tables; a limit, so that no file can exhaust the stack.
  static let deepest = 16

  let bytes: [UInt8]
  var place = 0
  /// The line of the place, from 1.
  private var line = 1
  private var found = TOMLDocument()
  private var names = TOMLNames()
  /// The table that the next keys belong to.
  private var table: [String] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
  }

  /// Reads the whole document.
  mutating func document() throws(TOMLError) -> TOMLDocument {
    if let offset = firstInvalidUTF8(bytes.span) {
      throw error("bytes that are not UTF-8; save the file as UTF-8", at: offset)
    }
    while true {
      skipBlanks()
      switch current {
      case nil: return found
      case UInt8(ascii: "["): try readHeader()
      case UInt8(ascii: "#"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): break
      default: try readPair(in: table)
      }
      try endLine()
    }
  }

  // MARK: Lines

  private mutating func readHeader() throws(TOMLError) {
    let start = place
    place += 1
    let isOfList = take("[")
    skipBlanks()
    let line = line
    var path = try path(until: "]", depth: 0)
    skipBlanks()
    guard take("]"), !isOfList || take("]") else {
      throw error("the header has no closing bracket")
    }
    if isOfList { path.append(names.nextOfList(path)) }
    if let fault = names.addTable(path) { throw error(fault, at: start) }
    found.headers.append(.init(path: path, line: line))
    table = path
  }

  /// Reads `key = value`.
  mutating func readPair(in table: [String]) throws(TOMLError) {
    let (start, line) = (place, line)
    let path = table + (try path(until: "=", depth: table.count))
    skipBlanks()
    guard take("=") else {
      throw error("expected = after the key \(quotedExcerpt(path.last ?? ""))")
    }
    skipBlanks()
    if let fault = names.addValue(path, in: table) { throw error(fault, at: start) }
    if current == UInt8(ascii: "{") { return try readInlineTable(path) }
    let value = try value(depth: 0)
    found.entries.append(.init(path: path, value: value, line: line))
  }

  private mutating func readInlineTable(_ path: [String]) throws(TOMLError) {
    place += 1
    skipBlanks()
    if take("}") { return }
    repeat {
      skipBlanks()
      try readPair(in: path)
      skipBlanks()
    } while take(",")
    guard take("}") else {
      throw error("expected , or } in the inline table; it must be on one line")
    }
  }

  /// Skips a comment and goes to the next line; throws for other text.
  private mutating func endLine() throws(TOMLError) {
    skipBlanks()
    try skipComment()
    guard current != nil, !takeNewline() else { return }
    throw error("expected the end of the line")
  }

  /// Skips blanks, comments and ends of lines inside a list.
  mutating func skipLines() throws(TOMLError) {
    repeat {
      skipBlanks()
      try skipComment()
    } while takeNewline()
  }

  private mutating func skipComment() throws(TOMLError) {
    guard current == UInt8(ascii: "#") else { return }
    while let byte = current, byte != UInt8(ascii: "\n") {
      if byte == UInt8(ascii: "\r"), isNewline { return }
      guard !Self.isControl(byte) else { throw error("a control character in a comment") }
      place += 1
    }
  }

  // MARK: Keys

  /// Reads names joined by dots.
  private mutating func path(
    until end: Unicode.Scalar, depth: Int
  ) throws(TOMLError) -> [String] {
    let start = place
    var path: [String] = []
    repeat {
      skipBlanks()
      path.append(try name(until: end))
      skipBlanks()
    } while take(".")
    guard depth + path.count <= Self.deepest else {
      throw error("tables are nested too deeply", at: start)
    }
    return path
  }

  private mutating func name(until end: Unicode.Scalar) throws(TOMLError) -> String {
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(isKey: true)
    default:
      let start = place
      while let byte = current, Self.isBare(byte) { place += 1 }
      guard place > start else {
        throw error(
          end == "]"
            ? "expected the name of a section, as in [groups]"
            : "expected a key, as in jobs = 4")
      }
      return text(start..<place)
    }
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  // MARK: Bytes

  var current: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Returns the byte `count` bytes after the current one, or nil.
  func byte(after count: Int) -> UInt8? {
    place + count < bytes.count ? bytes[place + count] : nil
  }

  /// Whether a line ends here.
  var isNewline: Bool {
    current == UInt8(ascii: "\n")
      || (current == UInt8(ascii: "\r") && byte(after: 1) == UInt8(ascii: "\n"))
  }

  mutating func skipBlanks() {
    while current == UInt8(ascii: " ") || current == UInt8(ascii: "\t") { place += 1 }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  mutating func takeNewline() -> Bool {
    guard isNewline else { return false }
    place += current == UInt8(ascii: "\r") ? 2 : 1
    line += 1
    return true
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns whether TOML forbids a byte in comments and strings: control characters other than the tab.
  static func isControl(_ byte: UInt8) -> Bool {
    byte == 0x7F || (byte < 0x20 && byte != UInt8(ascii: "\t"))
  }

  // MARK: Errors

  func error(_ message: String, at offset: Int? = nil) -> TOMLError {
    let end = min(offset ?? place, bytes.count)
    let start = bytes[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = bytes[..<start].count { $0 == UInt8(ascii: "\n") } + 1
    return TOMLError(line: line, column: end - start + 1, message: message)
  }
}
