import Glibc
import Pipeline
import SubreportTestSupport
import Synchronization

/// What may happen to a file while a run reads it.
enum FileChange: CaseIterable, Sendable {
  /// It gets another time.
  case touch
  /// A copy of it takes its place, with its time, as `cp -p` and `rsync` make one.
  case replaceBySameBytes
  /// The same bytes are written over it.
  case rewrite
  /// Another version of the report takes its place.
  case replaceByOtherBytes
  /// Another version of the report is written over it.
  case overwrite
  case append
  case truncate
  case delete

  /// Whether the file says the same afterwards.
  var keepsBytes: Bool { [.touch, .replaceBySameBytes, .rewrite].contains(self) }

  /// Carries it out.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - bytes: What it holds.
  ///   - otherBytes: What another version of it holds.
  func apply(to path: String, _ bytes: [UInt8], otherBytes: [UInt8]) {
    let modified = FileTimes(of: path).modified
    let lastLine = bytes.split(separator: UInt8(ascii: "\n")).last.map(Array.init) ?? []
    switch self {
    case .touch: break
    case .replaceBySameBytes: replace(path, by: bytes)
    case .rewrite: write(bytes, to: path, "w")
    case .replaceByOtherBytes: replace(path, by: otherBytes)
    case .overwrite: write(otherBytes, to: path, "w")
    case .append: write(lastLine + [UInt8(ascii: "\n")], to: path, "a")
    case .truncate: _ = unsafe Glibc.truncate(path, bytes.count / 2)
    case .delete: _ = unsafe unlink(path)
    }
    // Never the time of the clock, which may not have gone on since the file was written.
    let hour = 3_600_000_000_000
    FileTimes.setModified(path, to: self == .replaceBySameBytes ? modified : modified - hour)
  }

  private func replace(_ path: String, by bytes: [UInt8]) {
    write(bytes, to: path + ".new", "w")
    _ = unsafe rename(path + ".new", path)
  }

  private func write(_ bytes: [UInt8], to path: String, _ mode: String) {
    let file = unsafe fopen(path, mode)
    precondition(unsafe file != nil, "\(path) can be written")
    _ = unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
  }
}

/// Does something once, when a run comes to a step of one of its files.
func progress(
  at step: RunProgress.Step, of path: String, _ body: @escaping @Sendable () -> Void
) -> RunProgress {
  let isDone = Atomic(false)
  return RunProgress { reached, file in
    guard reached == step, file.isEmpty || file == path,
      !isDone.exchange(true, ordering: .relaxed)
    else { return }
    body()
  }
}
