import Dispatch
import Files
import Pipeline
import Storage
import Synchronization

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
    guard isWanted, Console.logsText, StandardStream.error.isTerminal else { return nil }
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
    guard let size = StandardStream.error.terminalSize, size.columns > 0 else { return 80 }
    return size.columns
  }

  private static func write(_ text: String) {
    try? StandardStream.error.write(Array(text.utf8))
  }
}
