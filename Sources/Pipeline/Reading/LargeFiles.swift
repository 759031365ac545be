/// Chooses the files read on two threads: one reads and inflates, the other takes the rows.
///
/// Small files end soon, so for a moment one thread more than the number of jobs may run. Passing
/// text back and forth between two threads cost up to a third of the time on two cores.
package enum LargeFiles {
  /// The minimum size: some 40 ms of work, compared to which starting a thread costs nothing.
  package static let leastByteCount = 1 << 20

  /// Returns the files that get a second thread.
  ///
  /// These are the largest files, one for each thread in excess of the number of large files. The threads of small
  /// files run beside them.
  ///
  /// - Parameters:
  ///   - byteCounts: The stored size of each file.
  ///   - jobs: The number of threads that may read.
  /// - Returns: The indices of the files.
  package static func readAhead(_ byteCounts: [Int], jobs: Int) -> Set<Int> {
    let large = byteCounts.indices.filter { byteCounts[$0] >= leastByteCount }
    let largestFirst = large.sorted { byteCounts[$0] > byteCounts[$1] }
    return Set(largestFirst.prefix(max(0, jobs - large.count)))
  }
}
