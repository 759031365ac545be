import Glibc
import SubreportTestSupport

/// Runs the program with a library that makes calls of the C library fail: `FailingCalls/failing_calls.c`.
enum FailingCalls {
  /// A call that fails.
  struct Fault: Sendable {
    let function: String
    /// Which call of the function, from 1; a negative one and all after it.
    let number: Int
    let error: Int32

    fileprivate var text: String { "\(function) \(number) \(error)" }
  }

  /// What a run left behind.
  struct Result: Sendable {
    let program: Program.Result
    /// Whether there was a call to fail.
    let hasFailed: Bool
    /// How often each function was called; empty when the run did not end by itself.
    let counts: [String: Int]

    var status: Int32 { program.status }
    var stdout: String { program.output }
    var stderr: String { program.errors }
  }

  /// Why there is no library to preload; `nil` when there is one.
  static let obstacle: String? = {
    do {
      _ = try library.get()
      return nil
    } catch {
      return "\(error)"
    }
  }()

  /// The library, built beside the tests.
  private static let library = Swift.Result { () throws -> String in
    // A sanitizer must be the first to see calls of the C library.
    for symbol in ["__asan_init", "__tsan_init"] where unsafe dlsym(nil, symbol) != nil {
      throw FailedSetup(description: "a sanitizer is in the program")
    }
    let sandbox = try Sandbox()
    let source = Repository.root + "/Tests/FunctionalTests/FailingCalls/failing_calls.c"
    let target = try Program.path + ".failing-calls.so"
    // Another run of the tests may be using the last one.
    let temporary = target + "-\(getpid())"
    let words = ["-shared", "-fPIC", "-O1", "-o", temporary, source, "-ldl"]
    let build = try Program.run(words, program: "cc", in: sandbox)
    guard build.status == 0, unsafe rename(temporary, target) == 0 else {
      throw FailedSetup(description: "cc does not build it: \(build.errors)")
    }
    return target
  }

  /// Runs the program and makes a call fail.
  ///
  /// - Parameters:
  ///   - arguments: The words after the program's name.
  ///   - fault: The call; `nil` only counts calls.
  ///   - environment: Variables besides those that every run gets.
  ///   - input: The file to read as standard input.
  ///   - sandbox: Where the program runs.
  /// - Returns: What the run left behind.
  /// - Throws: ``FailedSetup`` if there is no library, and ``Program/Failure`` if the program does not start or end.
  static func run(
    _ arguments: [String], fault: Fault?, environment: [String: String] = [:],
    input: String = "/dev/null", in sandbox: Sandbox
  ) throws -> Result {
    let log = sandbox.root + "/calls"
    removeTree(log)
    // env sets them for the program only: its own calls do not count.
    var words = ["LD_PRELOAD=\(try library.get())", "FAILING_CALL_LOG=\(log)"]
    if let fault { words.append("FAILING_CALL=\(fault.text)") }
    let program = try Program.run(
      words + [try Program.path] + arguments, environment: environment, input: input,
      program: "env", in: sandbox)
    var counts: [String: Int] = [:]
    let lines = (Files.text(of: log) ?? "").split(separator: "\n").map { $0.split(separator: " ") }
    for line in lines where line.count == 2 { counts[String(line[0])] = Int(line[1]) }
    return Result(
      program: program, hasFailed: lines.contains { $0 == ["failed"] }, counts: counts)
  }
}

/// What a test needs could not be made.
struct FailedSetup: Error, CustomStringConvertible {
  let description: String
}
