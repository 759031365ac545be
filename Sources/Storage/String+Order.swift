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
