extension JSONScanner {
  /// Enters an object or an array.
  mutating func open(closer: UInt8) throws(JSONReadError) {
    if depth == closers.count {
      throw error(
        .tooDeep, at: input.position, found: "another object or array",
        expected: "at most \(depth) inside one another")
    }
    closers[depth] = closer
    depth &+= 1
    input.position &+= 1
    state = .afterOpening
  }

  /// Goes to the next item of the innermost object or array, or to its end.
  ///
  /// - Returns: Whether there is an item; its key or value begins at the next byte.
  @inline(__always)
  mutating func startItem() throws(JSONReadError) -> Bool {
    try skipWhitespace()
    let closer = closers[depth &- 1]
    if input.block[input.position] == closer {
      input.position &+= 1
      depth &-= 1
      state = .afterValue
      return false
    }
    if state == .afterValue {
      guard input.block[input.position] == UInt8(ascii: ",") else {
        throw unexpected(closer == UInt8(ascii: "}") ? "\",\" or \"}\"" : "\",\" or \"]\"")
      }
      input.position &+= 1
      try skipWhitespace()
    }
    return true
  }

  /// Skips the unread value, and the rest of all objects and arrays below a depth.
  mutating func skip(toDepth target: Int) throws(JSONReadError) {
    while depth > target || state == .beforeValue {
      if state == .beforeValue {
        try skipOneStep()
      } else if try startItem() {
        if closers[depth &- 1] == UInt8(ascii: "}") {
          try passKeyQuote()
          try skipString()
          try passColon()
        }
        state = .beforeValue
      }
    }
  }

  /// Skips a scalar, or enters an object or an array.
  private mutating func skipOneStep() throws(JSONReadError) {
    switch try peekKind() {
    case .object: return try open(closer: UInt8(ascii: "}"))
    case .array: return try open(closer: UInt8(ascii: "]"))
    case .string:
      input.position &+= 1
      try skipString()
    case .number: try scanNumber { _, _ in }
    case .true: try passWord("true")
    case .false: try passWord("false")
    case .null: try passWord("null")
    }
    state = .afterValue
  }

  @inline(__always)
  mutating func passKeyQuote() throws(JSONReadError) {
    guard input.block[input.position] == UInt8(ascii: "\"") else {
      throw unexpected(state == .afterOpening ? "a key or \"}\"" : "a key")
    }
    input.position &+= 1
  }

  /// Reads the colon after a key, with the white space around it.
  @inline(__always)
  mutating func passColon() throws(JSONReadError) {
    try skipWhitespace()
    guard input.block[input.position] == UInt8(ascii: ":") else { throw unexpected("\":\"") }
    input.position &+= 1
    try skipWhitespace()
  }
}
