extension String {
  /// Returns whether the text comes before another by its UTF-8 bytes, the order of everything that is printed.
  ///
  /// Example: `Z` comes before `a`, and `a` before `é`, whatever the language.
  ///
  /// - Parameter other: The other text.
  /// - Returns: Whether it does; no text comes before itself.
  package func precedes(_ other: String) -> Bool {
    // Safe: the buffers are read within the calls. They are there for every text but a bridged one, and much faster
    // than a view of the text.
    let isEarlier = unsafe utf8.withContiguousStorageIfAvailable { own in
      unsafe other.utf8.withContiguousStorageIfAvailable {
        unsafe own.lexicographicallyPrecedes($0)
      }
    }
    return isEarlier.flatMap { $0 } ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension String {
  /// Returns whether the text has the same bytes as another: see ``ExactText``.
  ///
  /// - Parameter other: The other text.
  /// - Returns: Whether all bytes are equal; `é` as one code point and as two are not.
  package func isSame(as other: String) -> Bool {
    // Safe: as above. Comparing with `==` first would take time for texts in other forms.
    let isSame = unsafe utf8.withContiguousStorageIfAvailable { own in
      unsafe other.utf8.withContiguousStorageIfAvailable {
        unsafe own.count == $0.count && own.elementsEqual($0)
      }
    }
    return isSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
  }
}

extension Sequence<String> {
  /// Returns the texts in the order of their bytes.
  package func inByteOrder() -> [String] { sorted { $0.precedes($1) } }
}
