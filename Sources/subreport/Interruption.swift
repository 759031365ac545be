import Dispatch
import Glibc
import Pipeline

/// Makes `^C` and a polite kill stop the run cleanly: staged output is removed, locks are released.
enum Interruption {
  /// Watches for the signals from now on.
  static func watch() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        OutputCleanup.shared.run()
        exit(128 + number)
      }
      source.resume()
      // Safe: only the main thread adds sources, once, before any other thread runs.
      unsafe sources.append(source)
    }
  }

  nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []
}
