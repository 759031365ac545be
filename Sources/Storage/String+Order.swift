#if canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension String {
  /// Returns whether the text comes before another by its UTF-8 bytes, the order of everything that is printed.
  ///
  /// Example: `Z` comes before `a`, and `a` before `é`, whatever the language.
  ///
  /// - Parameter other: The other text.
  /// - Returns: Whether it does; no text comes before itself.
  package func precedes(_ other: String) -> Bool { compared(to: other) < 0 }

  /// Returns whether the text has the same bytes as another: see ``ExactText``.
  ///
  /// - Parameter other: The other text.
  /// - Returns: Whether all bytes are equal; `é` as one code point and as two are not.
  package func isSame(as other: String) -> Bool {
    utf8.count == other.utf8.count && compared(to: other) == 0
  }

  /// Compares the bytes of two texts.
  ///
  /// - Parameter other: The other text.
  /// - Returns: A negative number if the text comes first, 0 for equal texts, else a positive one.
  package func compared(to other: String) -> Int {
    // Safe: the buffers are read within the calls, and not beyond the shorter one.
    let order = unsafe utf8.withContiguousStorageIfAvailable { own in
      unsafe other.utf8.withContiguousStorageIfAvailable { other in
        guard let first = own.baseAddress, let second = other.baseAddress else {
          return own.count - other.count
        }
        let order = unsafe Int(memcmp(first, second, min(own.count, other.count)))
        return order == 0 ? own.count - other.count : order
      }
    }
    if let order, let order { return order }
    // A bridged text has no such buffer.
    return utf8.elementsEqual(other.utf8) ? 0 : utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
  }
}

extension [UInt8] {
  /// Returns whether the bytes come before others, as those of a text do: see ``Swift/String/precedes(_:)``.
  package func precedes(_ other: [UInt8]) -> Bool {
    // Safe: as many bytes are read as the shorter one has.
    let order = unsafe withUnsafeBytes { own in
      unsafe other.withUnsafeBytes { other in
        guard let first = own.baseAddress, let second = other.baseAddress else { return 0 }
        return unsafe Int(memcmp(first, second, Swift.min(own.count, other.count)))
      }
    }
    return order == 0 ? count < other.count : order < 0
  }
}

extension Sequence<String> {
  /// Returns the texts in the order of their bytes.
  package func inByteOrder() -> [String] { sorted { $0.precedes($1) } }
}
