import Glibc
import SubreportTestSupport
import Testing

/// Inputs that the system stops giving out halfway: what is missing must not look like the end.
@Suite("inputs that cannot be read to their end", .enabled(if: FailingCalls.obstacle == nil))
struct FailingInputTests {
  private static let header = "Provider\tProvider Country\n"

  /// Runs a command once for each call of a function that fails, or in the fast tiers for some of them.
  private func runs(
    _ command: String, failing function: String, with error: Int32 = EIO,
    input: String = "/dev/null",
    in sandbox: Sandbox
  ) throws -> [FailingCalls.Result] {
    let words = command.split(separator: " ").map(String.init)
    let sound = try FailingCalls.run(words, fault: nil, input: input, in: sandbox)
    return try places(1..<1 + max(1, sound.counts[function] ?? 0)).map { number in
      let fault = FailingCalls.Fault(function: function, number: number, error: error)
      return try FailingCalls.run(words, fault: fault, input: input, in: sandbox)
    }
  }

  @Test
  func `folders are errors that name the folder, in which nothing is read`() throws {
    let sandbox = try Sandbox()
    for name in ["a/x.txt", "a/y.txt", "b/z.txt"] {
      try Files.write(Array(Self.header.utf8), to: sandbox.work + "/in/" + name)
    }
    let runs = try runs("inspect in", failing: "readdir", in: sandbox)
    // A call for each name, `.` and `..` among them, and one that finds the end: of three folders.
    #expect(runs.count == 5 + 5 + 4)
    #expect(runs.allSatisfy { $0.hasFailed && $0.status == 2 })
    let error = "error: cannot read the folder to its end: input/output error [cannot-read]\n"
    #expect(Set(runs.map(\.stderr)) == ["in: \(error)", "in/a: \(error)", "in/b: \(error)"])
    for run in runs where run.stderr == "in/a: \(error)" {
      #expect(run.stdout.contains("in/b/z.txt") && !run.stdout.contains("in/a/"))
    }
  }

  @Test
  func `a folder without permission names the user, and the last line of a report the folder`()
    throws
  {
    let sandbox = try Sandbox()
    let day = Repository.root + "/Tests/FunctionalTests/Cases/tables/churn/reports/"
    for (name, folder) in zip(names(inFolder: day).sorted().prefix(2), ["a/", "b/"]) {
      try Files.write(
        #require(Files.bytes(of: day + name)), to: sandbox.work + "/in/" + folder + name)
    }
    // The folders of the output, of the input, and those in it.
    let runs = try (1...8).map { number in
      let fault = FailingCalls.Fault(function: "opendir", number: number, error: EACCES)
      let words = ["report", "in", "-o", "out", "--force"]
      return try FailingCalls.run(words, fault: fault, in: sandbox)
    }
    let name = unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_name) }
    let user = name ?? "\(geteuid())"
    let error =
      "in/b: error: cannot open the folder: permission denied as user \(user) [cannot-open]"
    let ofFolder = runs.filter { $0.stderr.hasPrefix(error) }
    #expect(!ofFolder.isEmpty, "\(runs.map(\.stderr))")
    for run in ofFolder {
      #expect(run.status == 2)
      #expect(run.stderr.contains("; 1 folder could not be read; "), "\(run.stderr)")
    }
  }

  @Test
  func `the folder that holds the output is an error, and the cache is one`() throws {
    let sandbox = try Sandbox()
    try Files.makeFolders(sandbox.work + "/in")
    let cases = [
      (command: "report in -o out", folder: "."), ("churn in --cache cache", "cache"),
    ]
    for (command, folder) in cases {
      _ = try sandbox.run(command)
      let runs = try runs(command, failing: "readdir", in: sandbox)
      #expect(runs.allSatisfy { $0.status == 2 })
      let error = "\(folder): error: cannot read: input/output error [output-not-written]\n"
      #expect(runs.contains { $0.stderr == error }, "\(runs.map(\.stderr))")
    }
  }

  @Test
  func `standard input is an error`() throws {
    let sandbox = try Sandbox()
    let input = sandbox.root + "/input"
    try Files.write([UInt8](repeating: UInt8(ascii: "x"), count: 100_000), to: input)
    let runs = try runs("inspect -", failing: "read", input: input, in: sandbox)
    let shown = Set(runs.map(\.stderr))
    for offset in [0, 65536, 100_000] {
      let error = "cannot read on at byte \(offset): input/output error"
      #expect(shown.contains("-: error: \(error) [cannot-read]\n"))
    }
    #expect(runs.allSatisfy { $0.status == 2 })
    // A call that a signal has interrupted is made again.
    let again = try self.runs("inspect -", failing: "read", with: EINTR, input: input, in: sandbox)
    #expect(again.allSatisfy { $0.hasFailed && $0.stderr == again.first?.stderr })
  }

  @Test
  func `a device that cannot be opened is an error`() throws {
    let sandbox = try Sandbox()
    let runs = try runs("inspect /dev/null", failing: "open", with: EMFILE, in: sandbox)
    let error = "/dev/null: error: cannot open it: too many open files [cannot-open]\n"
    #expect(runs.contains { $0.stderr == error && $0.status == 2 })
  }
}
