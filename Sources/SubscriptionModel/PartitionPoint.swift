extension RandomAccessCollection where Index == Int {
  /// Returns the first index whose element does not belong to the beginning, by binary search.
  ///
  /// - Parameter isBefore: Whether an element belongs to the beginning; all those elements come first.
  /// - Returns: The index; ``endIndex`` if all elements do.
  @inlinable
  public func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
