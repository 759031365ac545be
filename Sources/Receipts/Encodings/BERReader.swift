/// Reads the elements of an ASN.1 encoding in order (BER, and so DER; X.690).
///
/// Used for receipts instead of SwiftASN1, for two reasons. A run may read millions of raw receipts
/// and needs only one branch of each: this reader skips the rest and allocates nothing. And
/// SwiftASN1 builds a node of about 100 bytes for every element before it returns the first, so an
/// encoding of empty elements takes fifty times its size. Every length is checked against the end
/// of the bytes, and nesting is counted without recursion.
struct BERReader {
  /// The identifier octets that receipts use, including the "constructed" bit (elements inside).
  enum Tag {
    static let integer: UInt8 = 0x02
    static let octetString: UInt8 = 0x04
    static let objectIdentifier: UInt8 = 0x06
    static let utf8String: UInt8 = 0x0C
    static let ia5String: UInt8 = 0x16
    static let constructedOctetString: UInt8 = 0x24
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    /// `[0]` with elements inside.
    static let context0: UInt8 = 0xA0
  }

  /// One element.
  struct Element {
    /// The identifier octet.
    let tag: UInt8
    /// The range of the whole element.
    let whole: Range<Int>
    /// The range of its content, without the end mark of an indefinite length.
    let content: Range<Int>
  }

  /// The offset of the next element.
  private(set) var offset: Int
  private let end: Int

  /// Creates a reader of the elements in a range, which must be inside the bytes passed later.
  init(_ range: Range<Int>) {
    offset = range.lowerBound
    end = range.upperBound
  }

  /// Whether all elements have been read.
  var isAtEnd: Bool { offset == end }

  /// Reads the next element.
  mutating func next(_ bytes: Span<UInt8>) throws(EncodingFault) -> Element {
    let start = offset
    let tag = try Self.tag(bytes, &offset, end)
    guard let length = try Self.length(bytes, &offset, end) else {
      let content = offset
      guard tag & 0x20 != 0 else { throw .damagedReceipt(at: start) }
      offset = try Self.endOfContents(bytes, from: content, end)
      return Element(tag: tag, whole: start..<offset, content: content..<offset - 2)
    }
    let content = offset..<offset + length
    offset = content.upperBound
    return Element(tag: tag, whole: start..<offset, content: content)
  }

  /// Reads the next element, throws if it has another tag, and returns its content.
  mutating func next(_ tag: UInt8, _ bytes: Span<UInt8>) throws(EncodingFault) -> Range<Int> {
    let start = offset
    let element = try next(bytes)
    guard element.tag == tag else { throw .damagedReceipt(at: start) }
    return element.content
  }

  /// Reads the next element, throws if it has another tag, and returns its whole range.
  mutating func whole(_ tag: UInt8, _ bytes: Span<UInt8>) throws(EncodingFault) -> Range<Int> {
    let start = offset
    _ = try next(tag, bytes)
    return start..<offset
  }

  /// Reads the next element if it has the tag, and returns its content or nil.
  mutating func nextIfPresent(
    _ tag: UInt8, _ bytes: Span<UInt8>
  ) throws(EncodingFault) -> Range<Int>? {
    guard offset < end, bytes[offset] == tag else { return nil }
    return try next(bytes).content
  }
}

// MARK: - Headers

extension BERReader {
  @inline(__always)
  private static func tag(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ end: Int
  ) throws(EncodingFault) -> UInt8 {
    guard offset < end else { throw .cutReceipt(at: offset) }
    let tag = bytes[offset]
    guard tag & 0x1F != 0x1F, tag != 0 else { throw .damagedReceipt(at: offset) }
    offset &+= 1
    return tag
  }

  /// Reads a length.
  ///
  /// - Returns: The length, which never leads past the end, or nil for an indefinite length.
  @inline(__always)
  private static func length(
    _ bytes: Span<UInt8>, _ offset: inout Int, _ end: Int
  ) throws(EncodingFault) -> Int? {
    guard offset < end else { throw .cutReceipt(at: offset) }
    let start = offset
    var length = Int(bytes[offset])
    offset &+= 1
    if length > 0x80 {
      let octets = length & 0x7F
      // Four octets allow 4 GiB; no receipt needs more.
      guard octets <= 4, octets <= end - offset else { throw .damagedReceipt(at: start) }
      length = 0
      for _ in 0..<octets {
        length = length << 8 | Int(bytes[offset])
        offset &+= 1
      }
    } else if length == 0x80 {
      return nil
    }
    guard length <= end - offset else { throw .cutReceipt(at: start) }
    return length
  }

  /// How deep elements of indefinite length may be nested; receipts nest them five deep.
  private static let deepest = 32

  /// Returns the offset after the two zero bytes that end content of indefinite length.
  private static func endOfContents(
    _ bytes: Span<UInt8>, from start: Int, _ end: Int
  ) throws(EncodingFault) -> Int {
    var offset = start
    var depth = 1
    while depth > 0 {
      if offset + 2 <= end, bytes[offset] == 0, bytes[offset + 1] == 0 {
        offset += 2
        depth -= 1
        continue
      }
      let elementStart = offset
      let tag = try tag(bytes, &offset, end)
      if let length = try length(bytes, &offset, end) {
        offset += length
      } else {
        depth += 1
        guard tag & 0x20 != 0, depth <= deepest else { throw .damagedReceipt(at: elementStart) }
      }
    }
    return offset
  }
}

// MARK: - Values

extension BERReader {
  /// Reads a whole number of up to eight bytes.
  static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(EncodingFault) -> Int {
    guard !range.isEmpty, range.count <= 8 else { throw .damagedReceipt(at: range.lowerBound) }
    var value = Int(Int8(bitPattern: bytes[range.lowerBound]))
    for offset in range.dropFirst() { value = value << 8 | Int(bytes[offset]) }
    return value
  }
}

/// Returns whether a range holds exactly the expected bytes.
func matches(
  _ bytes: Span<UInt8>, _ range: Range<Int>, _ expected: some Collection<UInt8>
) -> Bool {
  guard range.count == expected.count else { return false }
  for (offset, byte) in zip(range, expected) where bytes[offset] != byte { return false }
  return true
}

extension EncodingFault {
  /// Returns the fault for an element that breaks ASN.1, or that receipts do not have in this
  /// place.
  static func damagedReceipt(
    at byteOffset: Int, found: String = "a damaged app receipt"
  ) -> EncodingFault {
    EncodingFault(.notAnAppReceipt, at: byteOffset, found: found)
  }

  /// Returns the fault for an element that extends past the end of the bytes, or of the element
  /// around it.
  static func cutReceipt(at byteOffset: Int) -> EncodingFault {
    damagedReceipt(at: byteOffset, found: "an app receipt that is cut off or damaged")
  }
}
