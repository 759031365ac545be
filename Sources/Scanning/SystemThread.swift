#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A thread of the system.
///
/// Not a queue of Dispatch: where the system has no thread left, Dispatch waits for one for ever, and this says so.
/// Every caller can do the work on its own thread instead.
public final class SystemThread: Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: Locked<pthread_t?>

  /// Starts a thread.
  ///
  /// `nil`, with nothing done, when the system has no thread or no memory for one.
  ///
  /// - Parameter body: What it does.
  public init?(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    // Safe: the thread takes over the one reference to the body, or nobody does and it is given back.
    let argument = unsafe Unmanaged.passRetained(Body(body))
    let code = unsafe pthread_create(&thread, nil, startOfThread, argument.toOpaque())
    guard code == 0 else {
      unsafe argument.release()
      return nil
    }
    self.thread = Locked(thread)
  }

  deinit {
    if let thread = thread.withLock({ $0 }) { _ = pthread_detach(thread) }
  }

  /// Waits for the thread's end.
  public func join() {
    thread.withLock { thread in
      guard let running = thread else { return }
      pthread_join(running, nil)
      thread = nil
    }
  }

  /// Runs a body on several threads at once, this one among them, and waits for all.
  ///
  /// - Parameters:
  ///   - count: How many threads at most; where the system has fewer, fewer run the body.
  ///   - body: What each of them does, at least one: what there is to do is handed out inside.
  public static func run(_ count: Int, _ body: @Sendable () -> Void) {
    withoutActuallyEscaping(body) { body in
      var threads: [SystemThread] = []
      for _ in 1..<max(1, count) {
        guard let thread = SystemThread(body) else { break }
        threads.append(thread)
      }
      body()
      for thread in threads { thread.join() }
    }
  }

  fileprivate static func runBody(_ argument: UnsafeMutableRawPointer) {
    // Safe: the argument is what init has retained for this call alone.
    unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
  }
}

private func startOfThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument = unsafe argument { unsafe SystemThread.runBody(argument) }
  return nil
}
