import Dispatch
import Glibc
import Pipeline
import Scanning
import Synchronization

/// A line on the terminal that says how far a run has come, drawn from a thread of its own.
///
/// Nothing is drawn in the first half second, in cron, or when standard error is no terminal.
final class ProgressBar: Sendable {
  private let progress: RunProgress
  private let isOver = DispatchSemaphore(value: 0)
  private let thread = Mutex<SystemThread?>(nil)
  /// Whether the line is on the terminal; `nil` once the run is over, when a last tick may still be under way.
  private let isShown = Mutex<Bool?>(false)

  /// Begins to draw when what is shown takes long.
  ///
  /// - Parameters:
  ///   - progress: What to show.
  ///   - start: When the command began: lines say the seconds since then.
  ///   - isWanted: Whether the user wants a bar.
  init?(_ progress: RunProgress, since start: ContinuousClock.Instant, isWanted: Bool) {
    guard isWanted, isatty(2) == 1 else { return nil }
    self.progress = progress
    // Without a thread to spare nothing is drawn.
    let thread = SystemThread { [self] in
      var pause = 500
      while isOver.wait(timeout: .now() + .milliseconds(pause)) == .timedOut {
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        draw(progress.snapshot.line(elapsed: elapsed, width: Self.width))
        pause = 200
      }
    }
    self.thread.withLock { $0 = thread }
  }

  /// Removes the line.
  func finish() {
    isOver.signal()
    thread.withLock { $0 }?.join()
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

  /// The columns of the terminal; it may have been made wider or narrower since the last tick.
  private static var width: Int {
    var size = winsize()
    // Safe: the call fills the structure that it is given.
    guard unsafe ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    // Safe: the call reads the array's bytes only.
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, bytes.count) }
  }
}
