import Files
import Storage
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Makes `^C`, SIGTERM and other signals stop the run cleanly: staged output is removed, locks are released.
enum Interruption {
  /// The signals that end a program unless it watches for them.
  private static let numbers = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
  ]

  /// Begins to watch for the signals; a second call does nothing.
  ///
  /// Call it on the main thread before any other thread runs: later threads inherit that the signals are blocked,
  /// so only the watching thread receives them. If no thread can be created, a signal ends the program as usual,
  /// and the next run removes the rest of the output.
  static func watch() { _ = isWatching }

  /// Ignores SIGPIPE and SIGXFSZ, so that writing fails instead of ending the program and leaving staged output.
  ///
  /// The signals mean a pipe without a reader, and a file larger than the system allows.
  static func letWritingFail() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  /// Whether a pager has the terminal: then `^C` is for the pager.
  static let isPaging = Atomic(false)

  private static let isWatching: Bool = {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in numbers where !isIgnored(number) {
      unsafe sigaddset(&signals, number)
    }
    var before = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
    let watched = signals
    let thread = SystemThread {
      var (signals, number) = (watched, Int32(0))
      repeat {
        while unsafe sigwait(&signals, &number) != 0 {}
      } while number == SIGINT && isPaging.load(ordering: .relaxed)
      OutputCleanup.shared.run()
      exit(128 + number)
    }
    if thread == nil { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return thread != nil
  }()

  /// Returns whether a signal is already ignored, as `nohup` sets it.
  private static func isIgnored(_ number: Int32) -> Bool {
    // Safe: a handler is a pointer, compared as a number and never called.
    let handler = unsafe unsafeBitCast(signal(number, SIG_DFL), to: Int.self)
    let isIgnored = unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
    if isIgnored { signal(number, SIG_IGN) }
    return isIgnored
  }
}
