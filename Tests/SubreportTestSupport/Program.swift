import Dispatch
import Glibc
import Synchronization

/// The built `subreport`, as a user would start it.
package enum Program {
  /// What a run left behind.
  package struct Result: Sendable {
    /// The exit code, or 128 and the signal's number if a signal ended the program.
    package var status: Int32
    package var stdout: [UInt8]
    package var stderr: [UInt8]

    package var output: String { String(decoding: stdout, as: UTF8.self) }
    /// The lines of the standard output that are not empty.
    package var lines: [String] { output.split(separator: "\n").map(String.init) }
    package var errors: String { String(decoding: stderr, as: UTF8.self) }
  }

  /// A run that did not come to an end.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The longest that a run may take; sanitizers make it ten times slower than a release.
  private static let secondLimit = 120

  /// The path of the program, which is built into the folder of the running tests.
  ///
  /// `SUBREPORT_PROGRAM` names another one: CI runs the functional cases with the released program too.
  package static var path: String {
    get throws(Failure) {
      if let other = unsafe getenv("SUBREPORT_PROGRAM") { return unsafe String(cString: other) }
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      // Safe: readlink writes at most as many bytes as it is told the buffer has.
      let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
      let tests = String(
        decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let path = tests.prefix(through: tests.lastIndex(of: "/") ?? tests.startIndex) + "subreport"
      guard unsafe access(String(path), X_OK) == 0 else {
        throw Failure(description: "\(path) is not built: swift build --build-tests")
      }
      return String(path)
    }
  }

  /// Runs the program in a sandbox and waits for its end.
  ///
  /// - Parameters:
  ///   - arguments: The words after the program's name.
  ///   - environment: Variables besides those that every run gets.
  ///   - input: The file to read as standard input.
  ///   - program: Another program to run instead, by its name on the PATH.
  ///   - sandbox: Where the program runs.
  /// - Returns: What the run left behind.
  /// - Throws: ``Failure`` if the program is not built, does not start or does not end.
  package static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null",
    program: String? = nil, in sandbox: Sandbox
  ) throws -> Result {
    let (stdout, stderr) = (sandbox.root + "/stdout", sandbox.root + "/stderr")
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    let create = O_WRONLY | O_CREAT | O_TRUNC
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, stdout, create, 0o666)
    unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, stderr, create, 0o666)

    // env changes the directory and then becomes the program.
    let words = ["/usr/bin/env", "-C", sandbox.work, try program ?? path] + arguments
    let variables = defaults(in: sandbox).merging(environment) { _, given in given }
    var process: pid_t = 0
    let code = unsafe withStrings(words) { arguments in
      unsafe withStrings(variables.map { "\($0)=\($1)" }.sorted()) { variables in
        // Safe: both lists end with nil and outlive the call, which copies them.
        unsafe posix_spawn(&process, "/usr/bin/env", &actions, nil, arguments, variables)
      }
    }
    guard code == 0 else {
      throw unsafe Failure(description: "cannot start env: \(String(cString: strerror(code)))")
    }
    let status = try wait(for: process)
    return Result(
      status: status, stdout: Files.bytes(of: stdout) ?? [], stderr: Files.bytes(of: stderr) ?? [])
  }

  /// The whole environment of a run: nothing of the machine's but what sanitizers and the loader need.
  ///
  /// The time zone is one that nobody lives in, so that a result that depends on it shows.
  private static func defaults(in sandbox: Sandbox) -> [String: String] {
    var variables = ["HOME": sandbox.home, "LC_ALL": "C", "TZ": "ODD-13:37"]
    for name in ["ASAN_OPTIONS", "LD_LIBRARY_PATH", "PATH", "TSAN_OPTIONS"] {
      if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
    }
    return variables
  }

  private static func wait(for process: pid_t) throws(Failure) -> Int32 {
    let limit = TimeLimit(process, seconds: secondLimit)
    var status: Int32 = 0
    // The process keeps its number until waitpid, so that no other one can be killed.
    var end = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT) != 0 {
      guard errno == EINTR else { throw Failure(description: "lost the program") }
    }
    let isOver = limit.lift()
    guard unsafe waitpid(process, &status, 0) == process else {
      throw Failure(description: "lost the program")
    }
    if isOver { throw Failure(description: "still running after \(secondLimit) seconds") }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Lends C strings, followed by nil.
  private static func withStrings<R>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    // Safe: the array is not empty, so it has a base address, and it is not changed meanwhile.
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("an empty list") }
      return unsafe body(base)
    }
  }
}

/// Kills a process that runs for too long.
private final class TimeLimit: Sendable {
  private enum State {
    case waiting
    case lifted
    case over
  }

  private let state = Mutex(State.waiting)

  init(_ process: pid_t, seconds: Int) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
      self?.state.withLock { state in
        guard state == .waiting else { return }
        state = .over
        kill(process, SIGKILL)
      }
    }
  }

  /// Lifts the limit.
  ///
  /// - Returns: Whether the process was killed before.
  func lift() -> Bool {
    state.withLock { state in
      if state == .waiting { state = .lifted }
      return state == .over
    }
  }
}
