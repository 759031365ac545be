import Glibc
import SubreportTestSupport
import Testing

/// Makes the first, the second, … the last call of each function fail, one a run.
///
/// Whatever fails: a run ends by itself with its code, its output is as sound as without the fault unless the code
/// says otherwise, the folder it writes is the old one or a whole new one, nothing is left beside it, and the next
/// run is as if nothing had happened.
@Suite("failing system calls", .enabled(if: FailingCalls.obstacle == nil))
struct FailingCallTests {
  /// A function, and what it fails with.
  struct Failure: Sendable, CustomTestStringConvertible {
    let function: String
    let error: Int32
    let name: String

    var testDescription: String { "\(function) with \(name)" }

    init(_ function: String, _ error: Int32, _ name: String) {
      (self.function, self.error, self.name) = (function, error, name)
    }
  }

  static let failures = [
    Failure("chmod", EPERM, "EPERM"), Failure("close", EIO, "EIO"),
    Failure("closedir", EIO, "EIO"), Failure("flock", ENOLCK, "ENOLCK"),
    Failure("fstat", EIO, "EIO"), Failure("fsync", EIO, "EIO"), Failure("ftruncate", EIO, "EIO"),
    Failure("lseek", EIO, "EIO"), Failure("lstat", EIO, "EIO"), Failure("malloc", ENOMEM, "ENOMEM"),
    Failure("mkdir", ENOSPC, "ENOSPC"), Failure("mkstemp", EMFILE, "EMFILE"),
    Failure("mmap", ENOMEM, "ENOMEM"), Failure("open", EIO, "EIO"),
    Failure("open", EMFILE, "EMFILE"), Failure("open", EACCES, "EACCES"),
    Failure("opendir", EMFILE, "EMFILE"), Failure("pread", EIO, "EIO"),
    Failure("pthread_create", EAGAIN, "EAGAIN"), Failure("pwrite", ENOSPC, "ENOSPC"),
    Failure("read", EIO, "EIO"), Failure("read", EINTR, "EINTR"), Failure("readdir", EIO, "EIO"),
    Failure("realpath", EACCES, "EACCES"), Failure("rename", EIO, "EIO"),
    Failure("renameat2", EIO, "EIO"), Failure("renameat2", EINVAL, "EINVAL"),
    Failure("rmdir", EIO, "EIO"), Failure("stat", EACCES, "EACCES"), Failure("stat", EIO, "EIO"),
    Failure("unlink", EIO, "EIO"), Failure("write", ENOSPC, "ENOSPC"),
    Failure("write", EINTR, "EINTR"), Failure("write", EPIPE, "EPIPE"),
  ]

  /// Made once for all tests, when the first needs it.
  private static let world = Result { try FailingWorld() }

  /// What fails, and in which kind of run: everything in each, or in the tier `quick` each third in one of them.
  static let cases: [(Failure, FailingWorld.Scenario)] = {
    let scenarios = FailingWorld.Scenario.allCases
    guard TestTier.current == .quick else {
      return failures.flatMap { failure in scenarios.map { (failure, $0) } }
    }
    return stride(from: 0, to: failures.count, by: 3).map { index in
      (failures[index], scenarios[index % scenarios.count])
    }
  }()

  @Test(arguments: cases)
  func `lose nothing and mislead nobody`(_ failure: Failure, in scenario: FailingWorld.Scenario)
    throws
  {
    let world = try Self.world.get()
    let count = try #require(world.sound(scenario)).counts[failure.function] ?? 0
    for number in Self.numbers(upTo: count, scenario) {
      let fault = FailingCalls.Fault(
        function: failure.function, number: number, error: failure.error)
      let problems = try world.problems(scenario, fault) ?? []
      for problem in problems { Issue.record("call \(number) of \(count): \(problem)") }
    }
  }

  @Test(arguments: FailingWorld.Scenario.allCases)
  func `leave one thread where the system has no other`(_ scenario: FailingWorld.Scenario) throws {
    let fault = FailingCalls.Fault(function: "pthread_create", number: -1, error: EAGAIN)
    let problems = try Self.world.get().problems(scenario, fault)
    #expect(problems == [])
  }

  /// Which calls fail: all in a soak, else one, at another place in each kind of run.
  private static func numbers(upTo count: Int, _ scenario: FailingWorld.Scenario) -> [Int] {
    guard count > 0 else { return [] }
    if TestTier.current == .soak { return Array(1...count) }
    let scenarios = FailingWorld.Scenario.allCases
    let place = (scenarios.firstIndex(of: scenario) ?? 0) + 1
    return [max(1, count * place / scenarios.count)]
  }
}
