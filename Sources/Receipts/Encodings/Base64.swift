/// Decodes base64 (RFC 4648) from bytes to bytes.
///
/// Every receipt and every JWS is decoded here, so it decodes four characters at a time and
/// allocates memory only when the buffer must grow. A text of n characters has at most 3/4 n
/// decoded bytes.
package enum Base64 {
  /// The characters for 62 and 63, and which other characters are allowed.
  package enum Alphabet: Sendable {
    /// `+` and `/`, or `-` and `_`, padded or not: the base64 of receipts, as dumps wrap or change it.
    ///
    /// Blanks at both ends are skipped, and runs of blanks with a line break or a tab. Any other
    /// space is read as `+`, because URL decoding of a text that was not encoded turns `+` into a
    /// space.
    case standard
    /// `-` and `_`, padded or not, without blanks: the base64 of a JWS.
    case urlSafe
  }

  /// Decodes a text into a buffer, and replaces its contents.
  ///
  /// Unused bits must be 0: `QR==` is an error, because it would give the same byte as `QQ==`.
  ///
  /// - Parameters:
  ///   - text: The bytes that hold the text.
  ///   - range: Where the text is.
  ///   - alphabet: Which characters are allowed.
  ///   - bytes: The buffer; its content is undefined after an error.
  /// - Throws: ``EncodingFault/Code/notBase64`` with the offset in `text`.
  package static func decode(
    _ text: Span<UInt8>, _ range: Range<Int>, _ alphabet: Alphabet, into bytes: inout [UInt8]
  ) throws(EncodingFault) {
    var cursor = Cursor(offset: range.lowerBound, end: range.upperBound)
    if alphabet == .standard { cursor.trim(text) }
    resize(&bytes, to: (cursor.end - cursor.offset) / 4 * 3 + 3)
    let table = alphabet == .standard ? standardTable : urlSafeTable
    var target = bytes.mutableSpan
    var written = 0
    repeat {
      decodeGroups(text, &cursor, table.span, &target, &written)
    } while try decodeOddGroup(text, &cursor, alphabet, table.span, &target, &written)
    resize(&bytes, to: written)
  }

  /// Decodes groups of four characters until one holds anything outside the alphabet.
  @inline(__always)
  private static func decodeGroups(
    _ text: Span<UInt8>, _ cursor: inout Cursor, _ table: Span<UInt32>,
    _ target: inout MutableSpan<UInt8>, _ written: inout Int
  ) {
    var offset = cursor.offset
    var place = written
    while offset &+ 4 <= cursor.end {
      let group =
        table[Int(text[offset])] | table[256 | Int(text[offset &+ 1])]
        | table[512 | Int(text[offset &+ 2])] | table[768 | Int(text[offset &+ 3])]
      guard group <= 0xFF_FFFF else { break }
      target[place] = UInt8(truncatingIfNeeded: group &>> 16)
      target[place &+ 1] = UInt8(truncatingIfNeeded: group &>> 8)
      target[place &+ 2] = UInt8(truncatingIfNeeded: group)
      place &+= 3
      offset &+= 4
    }
    cursor.offset = offset
    written = place
  }

  /// Decodes one group of four characters that contains blanks or a space for `+`, or is the last.
  ///
  /// - Returns: Whether another group may follow.
  private static func decodeOddGroup(
    _ text: Span<UInt8>, _ cursor: inout Cursor, _ alphabet: Alphabet, _ table: Span<UInt32>,
    _ target: inout MutableSpan<UInt8>, _ written: inout Int
  ) throws(EncodingFault) -> Bool {
    var group: UInt32 = 0
    var characters = 0
    var padding = 0
    while cursor.offset < cursor.end, characters + padding < 4 {
      let byte = text[cursor.offset]
      if byte == UInt8(ascii: "="), characters >= 2 {
        padding += 1
        cursor.offset += 1
        continue
      }
      if alphabet == .standard, cursor.skipLayout(text) { continue }
      let isPlus = alphabet == .standard && byte == UInt8(ascii: " ")
      let value = isPlus ? 62 : table[768 | Int(byte)]
      guard value < 64, padding == 0 else {
        throw EncodingFault(
          .notBase64, at: cursor.offset, found: "a character outside base64")
      }
      group = group << 6 | value
      characters += 1
      cursor.offset += 1
    }
    if characters == 0 { return false }

    let isWhole = characters + padding == 4 || padding == 0
    guard isWhole, characters > 1 else {
      throw EncodingFault(.notBase64, at: cursor.offset, found: "base64 that is cut off")
    }
    group <<= UInt32(6 * (4 - characters))
    let count = characters - 1
    guard group & (0xFF_FFFF >> UInt32(8 * count)) == 0 else {
      throw EncodingFault(
        .notBase64, at: cursor.offset - 1, found: "a last character that base64 cannot end with")
    }
    for index in 0..<count {
      target[written] = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index))
      written += 1
    }
    if characters == 4 { return true }
    guard cursor.offset == cursor.end else {
      throw EncodingFault(.notBase64, at: cursor.offset, found: "more text after the base64")
    }
    return false
  }

  private static func resize(_ bytes: inout [UInt8], to count: Int) {
    if bytes.count > count {
      bytes.removeLast(bytes.count - count)
    } else {
      bytes.append(contentsOf: repeatElement(0, count: count - bytes.count))
    }
  }
}

// MARK: - Layout

extension Base64 {
  /// The position in the text.
  private struct Cursor {
    var offset: Int
    var end: Int
    /// The end of the last run of spaces read as `+`, so that no run is scanned twice.
    var plusEnd = 0

    /// Drops the blanks at both ends.
    mutating func trim(_ text: Span<UInt8>) {
      while offset < end, isLayout(text[offset]) { offset += 1 }
      while offset < end, isLayout(text[end - 1]) { end -= 1 }
    }

    /// Skips a run of blanks that contains a line break or a tab.
    ///
    /// - Returns: Whether any were skipped.
    mutating func skipLayout(_ text: Span<UInt8>) -> Bool {
      guard isLayout(text[offset]), offset >= plusEnd else { return false }
      var next = offset
      var isOnlySpaces = true
      while next < end, isLayout(text[next]) {
        if text[next] != UInt8(ascii: " ") { isOnlySpaces = false }
        next += 1
      }
      if isOnlySpaces {
        plusEnd = next
        return false
      }
      offset = next
      return true
    }
  }
}

/// Returns whether a byte is a space, a tab, a line feed or a carriage return.
func isLayout(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}

// MARK: - Tables

extension Base64 {
  private static let standardTable = table(of62: ["+", "-"], of63: ["/", "_"])
  private static let urlSafeTable = table(of62: ["-"], of63: ["_"])

  /// Builds four tables, one for each character of a group, with values shifted to their bits of
  /// the group.
  ///
  /// The value of a byte outside the alphabet has a bit above the 24 bits of a group.
  private static func table(of62: [Unicode.Scalar], of63: [Unicode.Scalar]) -> [UInt32] {
    let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".unicodeScalars
    var table = [UInt32](repeating: 1 << 24, count: 4 * 256)
    for (value, spellings) in (characters.map { [$0] } + [of62, of63]).enumerated() {
      for spelling in spellings {
        for place in 0..<4 {
          table[place * 256 + Int(spelling.value)] = UInt32(value) << UInt32(6 * (3 - place))
        }
      }
    }
    return table
  }
}
