/// An old-style property list that holds only strings: `{"key" = "value"; …}`.
///
/// iOS 6 receipts are such lists. One value can read any number of lists, and reuses its buffer.
package struct PropertyList: ~Copyable {
  /// The positions of an entry's key and value, without quotes.
  ///
  /// Escapes (`\"`) are not resolved.
  package struct Entry: Equatable, Sendable {
    /// Where the key is.
    package let key: Range<Int>
    /// Where the value is.
    package let value: Range<Int>
  }

  /// The most entries a list may have; receipts have about twenty.
  package static let mostEntries = 256

  /// The entries, in the order of the list.
  package private(set) var entries: [Entry] = []

  /// Creates an empty list; call ``read(_:)`` to fill it.
  package init() {}

  /// Reads a list, which replaces the previous one.
  ///
  /// - Parameter text: The list, with or without blanks around it.
  /// - Throws: ``EncodingFault/Code/notAPropertyList``, also for values other than strings and for
  ///   more than ``mostEntries``.
  package mutating func read(_ text: Span<UInt8>) throws(EncodingFault) {
    entries.removeAll(keepingCapacity: true)
    var offset = 0
    try Self.skip(UInt8(ascii: "{"), text, &offset)
    while !Self.isNext(UInt8(ascii: "}"), text, offset) {
      guard entries.count < Self.mostEntries else {
        throw EncodingFault(
          .notAPropertyList, at: offset,
          found: "an iOS 6 receipt of more than \(Self.mostEntries) entries")
      }
      let key = try Self.string(text, &offset)
      try Self.skip(UInt8(ascii: "="), text, &offset)
      let value = try Self.string(text, &offset)
      try Self.skip(UInt8(ascii: ";"), text, &offset)
      entries.append(Entry(key: key, value: value))
    }
    try Self.skip(UInt8(ascii: "}"), text, &offset)
    guard offset == text.count else { throw Self.fault(at: offset, text) }
  }

  /// Finds a value by its key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - text: The list that was read.
  /// - Returns: The range of the first matching entry's value, or nil if there is none.
  package func value(of key: String, in text: Span<UInt8>) -> Range<Int>? {
    entries.first { matches(text, $0.key, key.utf8) }?.value
  }
}

// MARK: - Scanning

extension PropertyList {
  /// Reads a string, with or without quotes, and the blanks after it.
  private static func string(
    _ text: Span<UInt8>, _ offset: inout Int
  ) throws(EncodingFault) -> Range<Int> {
    if isNext(UInt8(ascii: "\""), text, offset) { return try quoted(text, &offset) }
    let start = offset
    while offset < text.count, isBare(text[offset]) { offset += 1 }
    guard offset > start else { throw fault(at: start, text) }
    let range = start..<offset
    skipBlanks(text, &offset)
    return range
  }

  private static func quoted(
    _ text: Span<UInt8>, _ offset: inout Int
  ) throws(EncodingFault) -> Range<Int> {
    offset += 1
    let start = offset
    while offset < text.count, text[offset] != UInt8(ascii: "\"") {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard offset < text.count else { throw fault(at: text.count, text) }
    let range = start..<offset
    offset += 1
    skipBlanks(text, &offset)
    return range
  }

  /// Skips a required byte and the blanks around it.
  private static func skip(
    _ byte: UInt8, _ text: Span<UInt8>, _ offset: inout Int
  ) throws(EncodingFault) {
    skipBlanks(text, &offset)
    guard isNext(byte, text, offset) else { throw fault(at: offset, text) }
    offset += 1
    skipBlanks(text, &offset)
  }

  private static func skipBlanks(_ text: Span<UInt8>, _ offset: inout Int) {
    while offset < text.count, isLayout(text[offset]) { offset += 1 }
  }

  private static func isNext(_ byte: UInt8, _ text: Span<UInt8>, _ offset: Int) -> Bool {
    offset < text.count && text[offset] == byte
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default:
      "_-.:/$".utf8.contains(byte)
    }
  }

  private static func fault(at offset: Int, _ text: Span<UInt8>) -> EncodingFault {
    let isCut = offset == text.count
    return EncodingFault(
      .notAPropertyList, at: offset,
      found: isCut ? "an iOS 6 receipt that is cut off" : "a damaged iOS 6 receipt")
  }
}
