import Glibc
import Pipeline
import Scanning

/// Makes `^C` and a polite kill stop the run cleanly: staged output is removed, locks are released.
enum Interruption {
  /// Watches for the signals from now on; a second call does nothing.
  ///
  /// Only the main thread calls it, before any other thread runs: they all inherit that the signals wait for the
  /// watching thread. Where the system has no thread for it, a signal ends the program as usual, and the next run
  /// removes what is left of the output.
  static func watch() { _ = isWatching }

  /// Lets writing fail where a signal would end the program and leave its staged output behind: a pipe that nobody
  /// reads, and a file that would be larger than the system allows.
  static func letWritingFail() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  private static let isWatching: Bool = {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      unsafe sigaddset(&signals, number)
    }
    var before = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &before)
    let watched = signals
    let thread = SystemThread {
      var (signals, number) = (watched, Int32(0))
      while unsafe sigwait(&signals, &number) != 0 {}
      OutputCleanup.shared.run()
      exit(128 + number)
    }
    if thread == nil { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return thread != nil
  }()

  /// Whether a signal is ignored already, as `nohup` asks for.
  private static func isIgnored(_ number: Int32) -> Bool {
    // Safe: a handler is a pointer, compared as a number and never called.
    let handler = unsafe unsafeBitCast(signal(number, SIG_DFL), to: Int.self)
    let isIgnored = unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
    if isIgnored { signal(number, SIG_IGN) }
    return isIgnored
  }
}
