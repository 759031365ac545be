import Dispatch
import Glibc
import Pipeline
import Synchronization
import Threads

/// A progress line on the terminal, drawn by a thread of its own.
///
/// Nothing is drawn in the first half second, or when standard error is not a terminal, as in cron.
final class ProgressBar: Sendable {
  private let progress: RunProgress
  private let isOver = DispatchSemaphore(value: 0)
  private let thread = Mutex<SystemThread?>(nil)
  /// Whether the line is on the terminal; `nil` once the run is over, so that a late tick draws nothing.
  private let isShown = Mutex<Bool?>(false)

  /// Creates a bar that appears after half a second; `nil` if unwanted, or without a terminal.
  ///
  /// - Parameters:
  ///   - progress: The counts to show.
  ///   - start: When the command began; the line shows the seconds since then.
  ///   - isWanted: Whether the user wants a bar.
  init?(_ progress: RunProgress, since start: ContinuousClock.Instant, isWanted: Bool) {
    guard isWanted, isatty(2) == 1 else { return nil }
    self.progress = progress
    // If no thread can be created, nothing is drawn.
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

  /// The terminal's current number of columns, read at every tick because it may change.
  private static var width: Int {
    var size = winsize()
    // Safe: the call fills only the structure passed to it.
    guard unsafe ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    // Safe: the call reads the array's bytes only.
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, bytes.count) }
  }
}
