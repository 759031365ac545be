import Scanning

/// Reads a text file, as one JSON value or as lines.
extension ReceiptReader {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - stream: The file.
  ///   - asLines: Whether the file is already found not to be one JSON value.
  ///   - body: Called with each row.
  /// - Returns: True if the file was read. False if it starts with an array or with an object of several
  ///   lines but is not one JSON value: it was then read to its end, and must be read again as lines.
  /// - Throws: ``ScanError``.
  mutating func readText(
    _ stream: consuming ByteStream, asLines: Bool = false,
    _ body: (borrowing ReceiptRow) -> Void
  ) throws(ScanError) -> Bool {
    // Some dumps have unescaped control characters.
    var scanner = JSONScanner(stream, allowsControlCharacters: true)
    scanner.isLineDelimited = asLines
    do throws(JSONReadError) {
      guard try scanner.nextValue() else { return true }
      if !asLines, scanner.nextByte == UInt8(ascii: "[") {
        if try readArray(&scanner, body) { return true }
        try scanner.skipToEnd()
        return false
      }
      if !asLines, scanner.nextByte == UInt8(ascii: "{") {
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
        preconditionFailure("an error in a text is that of a row")
      }
      throw failure
    }
  }

  private static func place(_ scanner: borrowing JSONScanner) -> RecordReader.Place {
    RecordReader.Place(line: scanner.line, byteOffset: scanner.byteOffset)
  }
}

// MARK: - One JSON value

extension ReceiptReader {
  /// Reads a file as one array, an element a row; returns false if the file is anything else.
  private mutating func readArray(
    _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) -> Bool {
    do throws(JSONReadError) {
      guard let array = try scanner.enterArray() else { return false }
      while try scanner.nextElement(of: array) { try readElement(&scanner, body) }
      return try !scanner.nextValue()
    } catch {
      if case .file = error { throw error }
      return false
    }
  }

  private mutating func readElement(
    _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) {
    records.beginRow(Self.place(scanner))
    do throws(JSONReadError) {
      try records.readValue(&scanner)
      records.endRow()
    } catch {
      // Any other error means that the text is not JSON, so the file is not one array.
      guard case .text(let fault) = error, fault.code == .duplicateKey else { throw error }
      records.rejectRow(fault)
    }
    handOut(body)
  }

  /// Reads the object at the start of a file.
  ///
  /// - Returns: Whether the file is this one object; nil if the object ends on its first line, so that it
  ///   is a row whether or not lines follow.
  private mutating func readFirstObject(
    _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) -> Bool? {
    let place = Self.place(scanner)
    records.beginRow(place)
    do throws(JSONReadError) {
      try records.readValue(&scanner)
      records.endRow()
      if scanner.line > place.line {
        if try scanner.nextValue() { return false }
        handOut(body)
        return true
      }
      scanner.isLineDelimited = true
      try scanner.finishLine()
      handOut(body)
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
  /// Reads the line at the scanner.
  ///
  /// - Returns: Whether the scanner is now at another line.
  private mutating func readLine(
    _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) -> Bool {
    records.beginRow(Self.place(scanner))
    // No JSON starts with the first letter of a JWS or a receipt in base64 (`eyJ`, `ewo` and `MI`).
    if scanner.nextByte == UInt8(ascii: "e") || scanner.nextByte == UInt8(ascii: "M") {
      return try readEncodedLine(&scanner, body)
    }
    do throws(JSONReadError) {
      try records.readValue(&scanner)
      try scanner.finishLine()
      records.endRow()
      handOut(body)
    } catch {
      guard case .text(let fault) = error else { throw error }
      try rejectLine(fault, &scanner, body)
    }
    return try scanner.nextValue()
  }

  private mutating func rejectLine(
    _ fault: JSONError, _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) {
    records.rejectRow(fault)
    handOut(isParsed: fault.code == .duplicateKey, body)
    try scanner.skipToLineEnd()
  }

  private mutating func readEncodedLine(
    _ scanner: inout JSONScanner, _ body: (borrowing ReceiptRow) -> Void
  ) throws(JSONReadError) -> Bool {
    line.removeAll(keepingCapacity: true)
    var fits = try scanner.readLine(into: &line, limit: RecordDecoder.longestReceipt)
    var isAtNext = try scanner.nextValue()
    let range = trimmed(line.span, 0..<line.count)
    if let text = EncodedText(line.span, range) {
      var wrapping = Wrapping(text, firstLine: line, count: range.count)
      while isAtNext, fits, wrapping.mayGoOn(at: scanner.nextByte) {
        let start = line.count
        fits = try scanner.readLine(into: &line, limit: RecordDecoder.longestReceipt - start)
        isAtNext = try scanner.nextValue()
        wrapping.add(line, trimmed(line.span, start..<line.count).count)
      }
      records.readEncoded(line, isTooLong: !fits)
    } else {
      records.note(
        .notJSON, found: .words("text that is none of these"),
        expected: "JSON, a JWS or a receipt in base64")
    }
    records.endRow()
    handOut(isParsed: records.row.isParsed, body)
    return isAtNext
  }
}
