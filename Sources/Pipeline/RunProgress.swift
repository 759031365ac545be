import Synchronization

/// How far a run has come; a progress display reads it from another thread.
public final class RunProgress: Sendable {
  /// What a run is doing.
  public enum Stage: Int, Sendable {
    /// It looks for files.
    case listing
    /// It looks at the beginning of each file.
    case looking
    /// It reads all files to learn the names that filters use.
    case learning
    /// It reads files.
    case reading
    /// It counts what it has read.
    case counting
    /// It makes tables and pages of what it has counted.
    case making
    /// It writes files and waits until the disk has them.
    case writing
  }

  private let stage = Atomic(Stage.listing.rawValue)
  private let bytes = Atomic(0)
  private let files = Atomic(0)
  private let expectedBytes = Atomic(0)
  private let expectedFiles = Atomic(0)

  /// A moment of a run.
  public struct Snapshot: Sendable {
    /// What the run is doing.
    public var stage: Stage
    /// Stored bytes read so far.
    public var bytes: Int
    /// Stored bytes of all inputs.
    public var expectedBytes: Int
    /// Files finished so far.
    public var files: Int
    /// All files to read, or to write.
    public var expectedFiles: Int

    /// Creates a moment.
    ///
    /// - Parameters:
    ///   - stage: What the run is doing.
    ///   - bytes: Stored bytes read so far.
    ///   - expectedBytes: Stored bytes of all inputs.
    ///   - files: Files finished so far.
    ///   - expectedFiles: All files.
    public init(stage: Stage, bytes: Int, expectedBytes: Int, files: Int, expectedFiles: Int) {
      self.stage = stage
      self.bytes = bytes
      self.expectedBytes = expectedBytes
      self.files = files
      self.expectedFiles = expectedFiles
    }
  }

  /// A step of a run between two looks at a file, at which the file may change.
  package enum Step: CaseIterable, Sendable {
    /// The files are listed.
    case listed
    /// A file was opened to see what it is.
    case scouted
    /// The roles of all files are known.
    case resolved
    /// A file was hashed, to look for what an earlier run has left of it.
    case hashed
    /// A block of a file was read.
    case reading
    /// A file was read to its end.
    case read
    /// What a file says is kept for later runs, if it is to be.
    case kept
  }

  private let onStep: (@Sendable (Step, String) -> Void)?

  /// Creates the progress of a run that has not begun.
  public init() { onStep = nil }

  /// Creates the progress of a run whose files a test changes while they are read.
  ///
  /// - Parameter onStep: Is called at each step, with the path of the file; that is empty where a step is about all
  ///   files.
  package init(onStep: @escaping @Sendable (Step, String) -> Void) { self.onStep = onStep }

  /// Says that a run has come to a step.
  package func reach(_ step: Step, _ path: String = "") { onStep?(step, path) }

  /// The run as it stands.
  public var snapshot: Snapshot {
    Snapshot(
      stage: Stage(rawValue: stage.load(ordering: .relaxed)) ?? .listing,
      bytes: bytes.load(ordering: .relaxed),
      expectedBytes: expectedBytes.load(ordering: .relaxed),
      files: files.load(ordering: .relaxed),
      expectedFiles: expectedFiles.load(ordering: .relaxed))
  }

  /// Says what the run is doing from now on.
  ///
  /// - Parameter stage: What it is doing.
  public func begin(_ stage: Stage) { self.stage.store(stage.rawValue, ordering: .relaxed) }

  /// Says that the run writes from now on.
  ///
  /// - Parameter files: How many files.
  public func beginWriting(files: Int) {
    expect(files: files, bytes: 0)
    begin(.writing)
  }

  func expect(files: Int, bytes: Int) {
    expectedFiles.store(files, ordering: .relaxed)
    expectedBytes.store(bytes, ordering: .relaxed)
  }

  package func addBytes(_ count: Int) { bytes.add(count, ordering: .relaxed) }

  func addFile() { files.add(1, ordering: .relaxed) }
}
