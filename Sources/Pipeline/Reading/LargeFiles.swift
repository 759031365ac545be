/// Chooses the files that are read on two threads: one reads and inflates, the other takes the rows.
package enum LargeFiles {
  /// The least size: some 40 ms of work, beside which another thread costs nothing.
  package static let leastByteCount = 1 << 20

  /// Returns the files for which there is a thread more: the largest, when more threads may run than there
  /// are large files.
  ///
  /// While small files remain, their thread runs beside the two of a large one.
  ///
  /// - Parameters:
  ///   - byteCounts: How many bytes each file stores.
  ///   - jobs: How many threads may read.
  /// - Returns: The indices of the files.
  package static func readAhead(_ byteCounts: [Int], jobs: Int) -> Set<Int> {
    let large = byteCounts.indices.filter { byteCounts[$0] >= leastByteCount }
    let largestFirst = large.sorted { byteCounts[$0] > byteCounts[$1] }
    return Set(largestFirst.prefix(max(0, jobs - large.count)))
  }
}
