/// A buffer for scalars read from a JSON text.
///
/// Use one buffer for many values, and call ``removeAll()`` when the values so far are no longer
/// needed: then no memory is allocated for each value.
package struct JSONText: Sendable {
  /// The buffer; only its first ``count`` bytes are valid.
  package private(set) var bytes: [UInt8] = []
  /// The number of bytes held.
  package internal(set) var count = 0

  /// Creates an empty text.
  package init() {}

  /// Removes all text, and keeps the memory.
  package mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
    if range.count > bytes.count &- count { grow(by: range.count) }
    copyBytes(source, range, into: &bytes, at: count)
    count &+= range.count
  }

  @inline(never)
  private mutating func grow(by added: Int) {
    bytes.append(contentsOf: repeatElement(0, count: max(added, bytes.count, 64)))
  }
}

/// The kind of the next value in a JSON text.
package enum JSONKind: Sendable {
  case object, array, string, number
  /// The word `true`.
  case `true`
  /// The word `false`.
  case `false`
  case null
}

/// A scalar: its kind, and the range of its text.
package struct JSONScalar: Equatable, Sendable {
  /// The kind of value; an object or an array was not read, and has no text.
  package let kind: JSONKind
  /// The range in ``JSONText/bytes`` of the text.
  ///
  /// A string is decoded, without its quotes; a number is as written. The range is empty for anything else
  /// and for text that is too long.
  package let range: Range<Int>
  /// Whether the text is longer than the caller's limit; it was then checked but not kept.
  package let isTooLong: Bool

  /// Creates a scalar for text that is not from JSON.
  package init(kind: JSONKind, range: Range<Int>, isTooLong: Bool = false) {
    self.kind = kind
    self.range = range
    self.isTooLong = isTooLong
  }
}
