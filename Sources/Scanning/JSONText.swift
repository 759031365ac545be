/// Holds the scalars that were read from a JSON text, one after the other in one buffer.
///
/// A reader keeps one and calls ``removeAll()`` where a record begins, so that a record's values
/// stay readable until its end and nothing is allocated for them.
public struct JSONText: Sendable {
  /// The buffer; only the first ``count`` bytes mean anything.
  public private(set) var bytes: [UInt8] = []
  /// The number of bytes held.
  public private(set) var count = 0

  /// Creates an empty text.
  public init() {}

  /// Forgets what is held, and keeps the memory.
  public mutating func removeAll() { count = 0 }

  /// Forgets what was added after a certain count.
  mutating func removeAll(after count: Int) { self.count = count }

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

/// What comes next in a JSON text.
public enum JSONKind: Sendable {
  case object, array, string, number
  /// The word `true`.
  case `true`
  /// The word `false`.
  case `false`
  case null
}

/// A scalar that was read: what it is, and where its text is.
public struct JSONScalar: Equatable, Sendable {
  /// What was found; an object or an array was not read, and has no text.
  public let kind: JSONKind
  /// Where in ``JSONText/bytes`` the text is: a string decoded, without its quotes; a number as it
  /// is written; empty for anything else and for what is too long.
  public let range: Range<Int>
  /// Whether the text is longer than the caller's limit, so that it was checked but not kept.
  public let isTooLong: Bool

  /// Creates a scalar that was found somewhere else than in a JSON text.
  ///
  /// - Parameters:
  ///   - kind: What was found.
  ///   - range: Where its text is.
  ///   - isTooLong: Whether the text was not kept.
  public init(kind: JSONKind, range: Range<Int>, isTooLong: Bool = false) {
    self.kind = kind
    self.range = range
    self.isTooLong = isTooLong
  }
}
