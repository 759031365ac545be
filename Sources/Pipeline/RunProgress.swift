import Synchronization

/// How far a run has come; a progress display reads it from another thread.
public final class RunProgress: Sendable {
  private let bytes = Atomic(0)
  private let files = Atomic(0)
  private let expectedBytes = Atomic(0)
  private let expectedFiles = Atomic(0)

  /// A moment of a run.
  public struct Snapshot: Sendable {
    /// Stored bytes read so far.
    public let bytes: Int
    /// Stored bytes of all inputs.
    public let expectedBytes: Int
    /// Files finished so far.
    public let files: Int
    /// All files.
    public let expectedFiles: Int
  }

  /// Creates the progress of a run that has not begun.
  public init() {}

  /// The run as it stands.
  public var snapshot: Snapshot {
    Snapshot(
      bytes: bytes.load(ordering: .relaxed),
      expectedBytes: expectedBytes.load(ordering: .relaxed),
      files: files.load(ordering: .relaxed),
      expectedFiles: expectedFiles.load(ordering: .relaxed))
  }

  func expect(files: Int, bytes: Int) {
    expectedFiles.store(files, ordering: .relaxed)
    expectedBytes.store(bytes, ordering: .relaxed)
  }

  func addBytes(_ count: Int) { bytes.add(count, ordering: .relaxed) }

  func addFile() { files.add(1, ordering: .relaxed) }
}
