extension RandomAccessCollection where Index == Int {
  /// Returns the first index after the elements for which a condition is true, by binary search.
  ///
  /// - Parameter isBefore: The condition, which must be true for a prefix of the collection and
  ///   false after it.
  /// - Returns: The index; ``endIndex`` if the condition is true for all elements.
  @inlinable
  package func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
