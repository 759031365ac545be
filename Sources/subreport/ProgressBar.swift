import Dispatch
import Glibc
import Pipeline
import Synchronization

/// A line on the terminal that says how far a run has come, drawn from a thread of its own.
///
/// Nothing is drawn in the first half second, in cron, or when standard error is no terminal.
final class ProgressBar: Sendable {
  private let progress: RunProgress
  // Safe: dispatch sources may be used from any thread; the type does not say so.
  nonisolated(unsafe) private let timer: any DispatchSourceTimer
  /// Whether the line is on the terminal; `nil` once the run is over, when a last tick may still be under way.
  private let isShown = Mutex<Bool?>(false)

  /// Begins to draw when the run takes long.
  init?(_ progress: RunProgress, isWanted: Bool) {
    guard isWanted, isatty(2) == 1 else { return nil }
    self.progress = progress
    unsafe timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "progress"))
    unsafe timer.schedule(deadline: .now() + 0.5, repeating: 0.2)
    let start = DispatchTime.now().uptimeNanoseconds
    unsafe timer.setEventHandler { [self] in
      let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
      draw(Self.line(progress.snapshot, elapsed: elapsed))
    }
    unsafe timer.resume()
  }

  /// Removes the line.
  func finish() {
    unsafe timer.cancel()
    isShown.withLock {
      if $0 == true { Self.write("\r\u{1B}[K") }
      $0 = nil
    }
  }

  private func draw(_ line: String) {
    isShown.withLock {
      guard $0 != nil else { return }
      $0 = true
      Self.write("\r\u{1B}[K" + line)
    }
  }

  private static func line(_ snapshot: RunProgress.Snapshot, elapsed: Double) -> String {
    let share = Double(snapshot.bytes) / Double(max(1, snapshot.expectedBytes))
    let percent = Int(min(1, share) * 100)
    let bars = percent / 5
    let bar = String(repeating: "█", count: bars) + String(repeating: "░", count: 20 - bars)
    let rate = Double(snapshot.bytes) / 1e6 / max(elapsed, 0.001)
    let left = share > 0.01 ? Int(elapsed / share - elapsed) : 0
    return
      "\(bar) \(percent) % · \(snapshot.files) of \(snapshot.expectedFiles) files · \(Int(rate)) MB/s · \(left) s left"
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    // Safe: the call reads the array's bytes only.
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, bytes.count) }
  }
}
