import Pipeline
import Testing

@Suite("Large files")
struct LargeFilesTests {
  static let large = LargeFiles.leastByteCount
  static let choices: [([Int], Int, Set<Int>)] = [
    ([large], 1, []), ([large], 2, [0]), ([large - 1], 2, []), ([], 2, []),
    ([1, large, 1, 1], 2, [1]), ([large, large], 2, []),
    ([large, large + 1, large], 4, [1]), ([large, large + 1, large], 8, [0, 1, 2]),
  ]

  @Test(arguments: choices)
  func `are read ahead, the largest first, while there are threads for it`(
    byteCounts: [Int], jobs: Int, expected: Set<Int>
  ) {
    #expect(LargeFiles.readAhead(byteCounts, jobs: jobs) == expected)
  }
}
