/// Reads line by line, for files in which some lines are not JSON.
extension JSONScanner {
  /// The next byte, after white space; no value need begin with it.
  package var nextByte: UInt8 {
    precondition(state == .beforeValue, "no value to read: call nextValue first")
    return input.block[input.position]
  }

  /// Reads the rest of the line as text, in place of a value.
  ///
  /// - Parameters:
  ///   - bytes: The array to which the line is added, without its ending: LF, CRLF or CR.
  ///   - limit: The most bytes that are added.
  /// - Returns: Whether the whole line was added; if not, the rest was skipped.
  /// - Throws: ``JSONReadError/file(_:)``.
  package mutating func readLine(
    into bytes: inout [UInt8], limit: Int
  ) throws(JSONReadError) -> Bool {
    precondition(
      state == .beforeValue && depth == 0, "a line can be read only where a value can begin")
    state = .afterValue
    var room = limit
    repeat {
      let lineFeed = firstOffset(
        of: 0x0A, in: input.block.span, from: input.position, to: input.end)
      let lineEnd =
        firstOffset(
          of: 0x0D, in: input.block.span, from: input.position, to: lineFeed ?? input.end)
        ?? lineFeed
      let end = lineEnd ?? input.end
      room -= end - input.position
      if room >= 0 { bytes.append(input.block.span, input.position..<end) }
      input.position = end
      if lineEnd != nil {
        let isReturn = input.block[input.position] == 0x0D
        input.position += 1
        if isReturn, try peek() == 0x0A { input.position += 1 }
        input.line += 1
        break
      }
    } while try fill(1) > 0
    return room >= 0
  }

  /// Skips the rest of a value and of its line, which must be blank; a CR may end the line, too.
  ///
  /// - Throws: ``JSONReadError``, also if another value follows on the line.
  package mutating func finishLine() throws(JSONReadError) {
    try skip(toDepth: 0)
    var hasReturn = false
    while true {
      switch try peek() {
      case 0x0D:
        hasReturn = true
        input.position += 1
      case 0x20, 0x09: input.position += 1
      case 0x0A:
        input.position += 1
        input.line += 1
        return
      case 0 where input.position == input.end: return
      default:
        if hasReturn {
          input.line += 1
          return
        }
        throw unexpected("the end of the line")
      }
    }
  }

  /// Whether the next byte begins an object or an array, after white space.
  package var isAtBracket: Bool {
    input.block[input.position] == UInt8(ascii: "{")
      || input.block[input.position] == UInt8(ascii: "[")
  }

  /// Skips to an object at the next byte, or to the next line that begins with a bracket, so that a reader of documents
  /// can continue after an error.
  ///
  /// - Throws: ``JSONReadError/file(_:)``.
  package mutating func skipToBracket() throws(JSONReadError) {
    (depth, state) = (0, .afterValue)
    if try peek() == UInt8(ascii: "{") { return }
    repeat {
      try skipToLineEnd()
      _ = try peek()
    } while !isAtBracket && input.position < input.end
    state = .afterValue
  }

  /// Skips the rest of the file, so that a gzip file is verified.
  ///
  /// - Throws: ``JSONReadError/file(_:)``.
  package mutating func skipToEnd() throws(JSONReadError) {
    depth = 0
    state = .afterValue
    repeat { input.position = input.end } while try fill(1) > 0
  }
}
