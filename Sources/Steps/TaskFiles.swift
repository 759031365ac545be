import AppStoreReports
import Files
import Pipeline
import Storage

/// The files of one task, each of which is put where the reader opens it.
struct TaskFiles: Sequence, IteratorProtocol {
  /// The state of the iteration, which is left when it ends.
  final class State {
    var frames: FrameSource
    var read: Set<Int> = []
    /// The files that have entries in their place.
    var recalled: Set<Int> = []
    var error: (any Error)?

    init(_ frames: FrameSource) { self.frames = frames }
  }

  let state: State
  private let plan: StepPlan
  private let bytes: TemporaryFile
  private let entries: FrameEntries
  private let indices: [ExactText: Int]

  init(
    _ plan: StepPlan, _ bytes: TemporaryFile, _ entries: FrameEntries, _ frames: FrameSource
  ) {
    self.plan = plan
    self.bytes = bytes
    self.entries = entries
    state = State(frames)
    indices = plan.indices
  }

  /// Returns the index of the next file; `nil` after the last, and after an error.
  mutating func next() -> Int? {
    guard state.error == nil else { return nil }
    do {
      guard let frame = try state.frames.next() else { return nil }
      switch frame.label.kind {
      case .file:
        let file = try FileFrame(frame)
        let index = try index(of: file.file, file.hash)
        entries.given = nil
        try bytes.replace(with: file.bytes)
        return index
      case .entries:
        let file = try EntriesFrame(frame)
        let index = try index(of: file.file, FileFrame.hash(of: file.sha256))
        entries.given = file
        state.recalled.insert(index)
        try bytes.replace(with: [])
        return index
      default:
        throw StepError(
          .misplaced,
          "found the frame \"\(frame.label.text)\"; extract expects frames \"file\" or \"entries\" after the plan"
        )
      }
    } catch {
      state.error = error
      return nil
    }
  }

  private func index(of file: InputFile, _ hash: UInt64) throws(StepError) -> Int {
    let name = file.relativePath
    guard let index = indices[name] else {
      throw StepError(.misplaced, "found the file \"\(name)\", which the plan does not have")
    }
    guard state.read.insert(index).inserted else {
      throw StepError(.misplaced, "found the file \"\(name)\" twice")
    }
    guard hash == plan.hashes[index] else {
      throw StepError(.misplaced, "the file \"\(name)\" has other bytes than before the plan")
    }
    return index
  }
}
