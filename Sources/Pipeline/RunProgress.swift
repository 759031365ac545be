import Storage

/// The progress of a run; a progress display reads it from another thread.
package final class RunProgress: Sendable {
  /// A stage of a run.
  package enum Stage: Sendable {
    case listing
    /// Recognizes files by their first lines.
    case recognizing
    /// Reads all files for the names that filters use.
    case readingNames
    case reading
    /// Counts the rows and folds the charges.
    case counting
    /// Makes tables and pages.
    case making
    /// Writes files and waits until they are on the disk.
    case writing
  }

  /// The progress at one moment.
  package struct Snapshot: Sendable {
    package var stage: Stage
    /// Stored bytes read so far.
    package var bytes: Int
    /// Stored bytes of all inputs.
    package var expectedBytes: Int
    /// Files finished so far.
    package var files: Int
    /// All files to read, or to write.
    package var expectedFiles: Int

    package init(stage: Stage, bytes: Int, expectedBytes: Int, files: Int, expectedFiles: Int) {
      self.stage = stage
      self.bytes = bytes
      self.expectedBytes = expectedBytes
      self.files = files
      self.expectedFiles = expectedFiles
    }
  }

  /// A step of a run at which a test may change a file.
  package enum Step: CaseIterable, Sendable {
    case listed
    /// A file was opened to recognize it.
    case recognized
    /// The roles of all files are known.
    case resolved
    /// A file was hashed, to look up its extract from an earlier run.
    case hashed
    /// A block of a file was read.
    case reading
    case read
    /// A file's extract was kept for later runs, if it can be.
    case kept
  }

  private let state = Locked(
    Snapshot(stage: .listing, bytes: 0, expectedBytes: 0, files: 0, expectedFiles: 0))
  private let onStep: (@Sendable (Step, String) -> Void)?

  /// Creates the progress of a run that has not started.
  package init() { onStep = nil }

  /// Creates the progress of a run whose files a test changes while they are read.
  ///
  /// `onStep` gets each step with the path of the file, or with an empty path if the step concerns all files.
  package init(onStep: @escaping @Sendable (Step, String) -> Void) { self.onStep = onStep }

  /// Reports that the run has come to a step.
  package func reach(_ step: Step, _ path: String = "") { onStep?(step, path) }

  /// The progress now.
  package var snapshot: Snapshot { state.withLock { $0 } }

  package func begin(_ stage: Stage) { state.withLock { $0.stage = stage } }

  /// Starts the stage that writes files.
  package func beginWriting(files: Int) {
    expect(files: files, bytes: 0)
    begin(.writing)
  }

  func expect(files: Int, bytes: Int) {
    state.withLock {
      $0.expectedFiles = files
      $0.expectedBytes = bytes
    }
  }

  package func addBytes(_ count: Int) { state.withLock { $0.bytes += count } }

  func addFile() { state.withLock { $0.files += 1 } }
}

extension RunProgress.Snapshot {
  private static let barLength = 20

  /// Returns a line for a terminal of `width` columns that shows the progress of the run, without a line feed.
  ///
  /// Each stage has its own words, so that no line says "100 %" while the run still counts. A line that reaches the
  /// last column would wrap and could not be removed, so parts are left out until it is shorter.
  package func line(elapsed: Double, width: Int) -> String {
    let lines =
      switch stage {
      case .listing: ["looking for files", "listing"]
      case .recognizing: ["looking at \(expectedFiles) files", "looking"]
      case .readingNames: ["reading names from \(expectedFiles) files", "reading names"]
      case .reading: readingLines(elapsed)
      case .counting:
        [
          "\(expectedFiles) files read, counting · \(Int(elapsed)) s",
          "counting · \(Int(elapsed)) s",
        ]
      case .making: ["making tables · \(Int(elapsed)) s", "making tables"]
      case .writing:
        ["writing \(expectedFiles) files · \(Int(elapsed)) s", "writing · \(Int(elapsed)) s"]
      }
    let fitting = lines.first { $0.count < width }
    return fitting ?? String((lines.last ?? "").prefix(max(0, width - 1)))
  }

  /// Returns the possible lines while files are read, the longest first.
  private func readingLines(_ elapsed: Double) -> [String] {
    let share = min(1, Double(bytes) / Double(max(1, expectedBytes)))
    let percent = "\(Int(share * 100)) %"
    let full = Int(share * Double(Self.barLength))
    let bar =
      String(repeating: "█", count: full)
      + String(repeating: "░", count: Self.barLength - full)
    let count = "\(files) of \(expectedFiles) files"
    let rate = "\(Int(Double(bytes) / 1e6 / max(elapsed, 0.001))) MB/s"
    // Show no remaining time before a hundredth is read, nor when all bytes are read.
    let left = share > 0.01 && share < 1 ? ["\(Int(elapsed / share - elapsed)) s left"] : []
    return [
      ["\(bar) \(percent)", count, rate] + left, ["\(bar) \(percent)", count] + left,
      [percent, count] + left, [percent] + left, [percent],
    ].map { $0.joined(separator: " · ") }
  }
}
