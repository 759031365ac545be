/// Divides a stream into lines of limited length.
struct MessageLines {
  /// A line without its line feed.
  enum Line: Equatable {
    case whole([UInt8])
    /// A longer line, which is not kept.
    case tooLong
  }

  private let limit: Int
  private var buffer: [UInt8] = []
  /// The bytes of ``buffer`` that are known to have no line feed.
  private var searched = 0
  private var isTooLong = false
  private var isAtEnd = false

  /// Creates a reader of lines of at most so many bytes.
  init(limit: Int) { self.limit = limit }

  /// Returns the next line; at the end of the stream also one without a line feed.
  ///
  /// - Parameter read: Returns the next bytes of the stream; none at its end.
  /// - Returns: The line; `nil` at the end.
  /// - Throws: The error of `read`.
  mutating func next<Failure>(
    _ read: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> Line? {
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[..<end]
        let isLong = isTooLong || line.count > limit
        defer { buffer.removeSubrange(...end) }
        (searched, isTooLong) = (0, false)
        return isLong ? .tooLong : .whole(Array(line))
      }
      searched = buffer.count
      if buffer.count > limit {
        isTooLong = true
        buffer.removeAll(keepingCapacity: true)
        searched = 0
      }
      let bytes = isAtEnd ? [] : try read()
      guard bytes.isEmpty else {
        buffer += bytes
        continue
      }
      isAtEnd = true
      guard isTooLong || !buffer.isEmpty else { return nil }
      defer { (buffer, searched, isTooLong) = ([], 0, false) }
      return isTooLong ? .tooLong : .whole(buffer)
    }
  }
}
