import Scanning

/// Reads a text file, as JSON documents or as lines.
extension ReceiptReader {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - stream: The file.
  ///   - hasName: Whether the first line is the name of a column.
  ///   - asLines: Whether an earlier call has found that the file is not JSON documents.
  ///   - body: Called with each row.
  /// - Returns: Whether the file was read. False if it starts with an array, or with an object of
  ///   several lines, but is neither one JSON value nor documents of several lines: the caller must
  ///   then discard the rows so far, and read the file again, as lines.
  /// - Throws: ``ScanError``.
  mutating func readText(
    _ stream: consuming ByteStream, hasName: Bool = false, asLines: Bool = false,
    _ body: (borrowing ReceiptRow) -> Void
  ) throws(ScanError) -> Bool {
    // Some dumps have unescaped control characters.
    var scanner = JSONScanner(stream, allowsControlCharacters: true)
    scanner.isLineDelimited = asLines
    do throws(JSONReadError) {
      guard try scanner.nextValue() else { return true }
      if hasName {
        try scanner.skipToLineEnd()
        scanner.isLineDelimited = true
        guard try scanner.nextValue() else { return true }
      } else if !asLines, scanner.nextByte == UInt8(ascii: "[") {
        if try readArray(&scanner, body) { return true }
        try scanner.skipToEnd()
        return false
      }
      if !asLines, !hasName, scanner.nextByte == UInt8(ascii: "{") {
        if let isRead = try readFirstObject(&scanner, body) {
          if !isRead { try scanner.skipToEnd() }
          return isRead
        }
        if try !scanner.nextValue() { return true }
      }
      scanner.isLineDelimited = true
      while try readLine(&scanner, body) {}
      return true
    } catch {
      guard case .file(let failure) = error else {
        preconditionFailure("a JSON error outside a row")
      }
      throw failure
    }
  }

  private static func place(_ scanner: borrowing JSONScanner) -> RowParser.Place {
    RowParser.Place(line: scanner.line, byteOffset: scanner.byteOffset)
  }
}

// MARK: - Documents

extension ReceiptReader {
  /// Reads a file that starts with an array, whose elements are rows.
  ///
  /// - Returns: Whether the file is this array, or documents of several lines.
  private mutating func readArray(
    _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) -> Bool {
    do throws(JSONReadError) {
      let line = scanner.line
      guard let array = try scanner.enterArray() else { return false }
      while try scanner.nextElement(of: array) { try readElement(&scanner, body) }
      guard scanner.line > line else { return try !scanner.nextValue() }
      return try readDocuments(&scanner, body)
    } catch {
      if case .file = error { throw error }
      return false
    }
  }

  /// Reads the documents after the first, which has several lines: each object is a row, and each element of an array.
  ///
  /// A damaged document is a reject; the next one begins where an object was not expected, or at the next line that
  /// begins with a bracket.
  ///
  /// - Returns: Whether the rest of the file is documents: it is empty, or begins with a bracket.
  private mutating func readDocuments(
    _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) -> Bool {
    guard try scanner.nextValue() else { return true }
    guard scanner.isAtBracket else { return false }
    repeat {
      do throws(JSONReadError) {
        if let array = try scanner.enterArray() {
          while try scanner.nextElement(of: array) { try readElement(&scanner, body) }
        } else {
          try readElement(&scanner, body)
        }
      } catch {
        guard case .text(let fault) = error else { throw error }
        if parser.row.number == counts.rowCount { parser.beginRow(Self.place(scanner)) }
        parser.rejectRow(fault)
        finishRow(isParsed: false, body)
        try scanner.skipToBracket()
      }
    } while try scanner.nextValue()
    return true
  }

  private mutating func readElement(
    _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) {
    parser.beginRow(Self.place(scanner))
    do throws(JSONReadError) {
      try parser.readValue(&scanner)
      parser.endRow()
    } catch {
      // After any other error the file is not one array of JSON.
      guard case .text(let fault) = error, fault.code == .duplicateKey else { throw error }
      parser.rejectRow(fault)
    }
    finishRow(body)
  }

  /// Reads the object at the start of a file.
  ///
  /// - Returns: Whether the file is this one object, or documents of several lines. Nil if the
  ///   object ends on its first line: it is then a row, and other rows may follow on the next lines.
  private mutating func readFirstObject(
    _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) -> Bool? {
    let place = Self.place(scanner)
    parser.beginRow(place)
    do throws(JSONReadError) {
      try parser.readValue(&scanner)
      parser.endRow()
      if scanner.line > place.line {
        finishRow(body)
        return try readDocuments(&scanner, body)
      }
      scanner.isLineDelimited = true
      try scanner.finishLine()
      finishRow(body)
    } catch {
      guard case .text(let fault) = error else { throw error }
      if fault.line > place.line { return false }
      scanner.isLineDelimited = true
      try rejectLine(fault, &scanner, body)
    }
    return nil
  }
}

// MARK: - Lines

extension ReceiptReader {
  /// Reads the next line.
  ///
  /// - Returns: Whether another line follows.
  private mutating func readLine(
    _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) -> Bool {
    parser.beginRow(Self.place(scanner))
    // A JWS or a receipt in base64 begins with `eyJ`, `ewo` or `MI`; no JSON begins with these
    // letters.
    if scanner.nextByte == UInt8(ascii: "e") || scanner.nextByte == UInt8(ascii: "M") {
      return try readEncodedLine(&scanner, body)
    }
    do throws(JSONReadError) {
      try parser.readValue(&scanner)
      try scanner.finishLine()
      parser.endRow()
      finishRow(body)
    } catch {
      guard case .text(let fault) = error else { throw error }
      try rejectLine(fault, &scanner, body)
    }
    return try scanner.nextValue()
  }

  /// Rejects a line with a fault, and goes to its end.
  private mutating func rejectLine(
    _ fault: JSONError, _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) {
    parser.rejectRow(fault)
    // A line with a repeated key is JSON, but it is not clear which value counts.
    finishRow(isParsed: fault.code == .duplicateKey, body)
    try scanner.skipToLineEnd()
  }

  /// Reads a line that is not JSON, and the next lines if they belong to the same wrapped receipt.
  ///
  /// - Returns: Whether another line follows.
  private mutating func readEncodedLine(
    _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) -> Bool {
    line.removeAll(keepingCapacity: true)
    var fits = try scanner.readLine(into: &line, limit: PayloadDecoder.longestReceipt)
    var isAtNext = try scanner.nextValue()
    let range = trimmed(line.span, 0..<line.count)
    if let text = EncodedText(line.span, range) {
      var wrapped = WrappedReceipt(text, firstLine: line, count: range.count)
      while isAtNext, fits, wrapped.mayContinue(with: scanner.nextByte) {
        let start = line.count
        fits = try scanner.readLine(into: &line, limit: PayloadDecoder.longestReceipt - start)
        isAtNext = try scanner.nextValue()
        wrapped.add(line, trimmed(line.span, start..<line.count).count)
      }
      parser.readEncoded(line, isTooLong: !fits)
    } else {
      parser.note(
        .notJSON, found: .words("other text"),
        expected: "JSON, a JWS or a receipt in base64")
    }
    parser.endRow()
    finishRow(isParsed: parser.row.isParsed, body)
    return isAtNext
  }
}
