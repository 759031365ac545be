import Pipeline
import Testing

/// What a terminal shows of a run that takes long.
@Suite("progress line")
struct ProgressLineTests {
  private func snapshot(
    _ stage: RunProgress.Stage, bytes: Int = 0, files: Int = 0
  ) -> RunProgress.Snapshot {
    RunProgress.Snapshot(
      stage: stage, bytes: bytes, expectedBytes: 400_000_000, files: files, expectedFiles: 1_096)
  }

  static let stages: [RunProgress.Stage] = [
    .listing, .recognizing, .readingNames, .reading, .counting, .making,
    .writing,
  ]

  @Test(arguments: stages)
  func `is shorter than the terminal is wide`(_ stage: RunProgress.Stage) {
    for width in 0...120 {
      for bytes in [0, 4_000_000, 200_000_000, 400_000_000] {
        let line = snapshot(stage, bytes: bytes, files: 548).line(elapsed: 12, width: width)
        #expect(line.count < max(1, width), "\(line)")
      }
    }
  }

  static let lines: [(RunProgress.Stage, Int, Int, String)] = [
    (
      .reading, 200_000_000, 120,
      "██████████░░░░░░░░░░ 50 % · 548 of 1096 files · 20 MB/s · 10 s left"
    ),
    (.reading, 200_000_000, 40, "50 % · 548 of 1096 files · 10 s left"),
    (.reading, 200_000_000, 20, "50 % · 10 s left"),
    (.counting, 400_000_000, 120, "1096 files read, counting · 10 s"),
    (.counting, 400_000_000, 20, "counting · 10 s"),
    (.making, 400_000_000, 120, "making tables · 10 s"),
    (.making, 400_000_000, 16, "making tables"),
    (.writing, 0, 120, "writing 1096 files · 10 s"),
    (.writing, 0, 20, "writing · 10 s"),
    (.recognizing, 0, 120, "looking at 1096 files"),
    (.readingNames, 400_000_000, 120, "reading names from 1096 files"),
  ]

  @Test(arguments: lines)
  func `has words for each stage, and says no more than fits`(
    _ stage: RunProgress.Stage, bytes: Int, width: Int, expected: String
  ) {
    #expect(
      snapshot(stage, bytes: bytes, files: 548).line(elapsed: 10, width: width) == expected)
  }
}
