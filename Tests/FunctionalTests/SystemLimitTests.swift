import Glibc
import SubreportTestSupport
import Testing

/// Runs under limits of the system: a line and an exit code, never a signal or a wait without end.
@Suite("limits of the system", .enabled(if: FailingCalls.obstacle == nil))
struct SystemLimitTests {
  private static let world = "simulate -o in --subscribers 10 --from 2026-01-31 --to 2026-02-01"

  private func world() throws -> Sandbox {
    let sandbox = try Sandbox()
    try #require(try sandbox.run(Self.world).status == 0)
    return sandbox
  }

  private func run(_ words: String, fault: FailingCalls.Fault?, in sandbox: Sandbox) throws
    -> FailingCalls.Result
  {
    try FailingCalls.run(
      words.split(separator: " ").map(String.init), fault: fault, in: sandbox)
  }

  @Test
  func `no files to open end a run with a line and 2`() throws {
    let sandbox = try world()
    let command = "report in -o out"
    let count = try run(command, fault: nil, in: sandbox).counts["open"] ?? 0
    for number in [1, count / 3, count / 2, count - 1] {
      let fault = FailingCalls.Fault(function: "open", number: -number, error: EMFILE)
      let found = try run(command, fault: fault, in: sandbox)
      #expect(found.status == 2 || found.status == 64)
      #expect(found.stderr.contains("too many open files"), "\(found.stderr)")
    }
    #expect(Files.paths(below: sandbox.work).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test
  func `a full disk is an error of the folder that was named`() throws {
    let sandbox = try world()
    let command = "report in -o out -q"
    for function in ["mkdir", "write"] {
      let count = try run(command, fault: nil, in: sandbox).counts[function] ?? 0
      let fault = FailingCalls.Fault(function: function, number: count, error: ENOSPC)
      let found = try run(command, fault: fault, in: sandbox)
      #expect(found.status == 2)
      let operation = function == "mkdir" ? "create" : "write"
      let reason = "no space left on device [output-not-written]"
      #expect(found.stderr == "out: error: cannot \(operation): \(reason)\n")
      #expect(Files.paths(below: sandbox.work).allSatisfy { !$0.hasPrefix(".") })
    }
  }

  @Test
  func `a disk that does not confirm the new folder is told from one that did not take it`() throws
  {
    let sandbox = try world()
    let command = "report in -o out -q"
    let count = try run(command, fault: nil, in: sandbox).counts["fsync"] ?? 0
    let messages = [
      count:
        "the new folder is in place, but may not survive a power cut: the disk did not confirm "
        + "it (input/output error) [output-not-synced]",
      count - 1: "cannot sync: input/output error [output-not-written]",
    ]
    for (number, message) in messages {
      let fault = FailingCalls.Fault(function: "fsync", number: number, error: EIO)
      let found = try run(command, fault: fault, in: sandbox)
      #expect(found.status == 2)
      #expect(found.stderr == "out: error: \(message)\n")
    }
  }

  @Test(arguments: [
    "--help", "help churn", "churn --help", "--version", "metrics", "config",
  ])
  func `a help or a table that the disk has no room for is an error`(words: String) throws {
    let sandbox = try Sandbox()
    let found = try sandbox.runShell("exec \"$0\" \(words) >/dev/full")
    #expect(found.status == 2)
    #expect(
      found.errors == "standard output: error: cannot write all of it [cannot-write]\n")
  }

  @Test
  func `a file that is too large is an error that leaves nothing behind`() throws {
    let sandbox = try world()
    let found = try sandbox.runShell("ulimit -f 1; exec \"$0\" report in -o out -q")
    #expect(found.status == 2)
    #expect(found.errors == "out: error: cannot write: file too large [output-not-written]\n")
    #expect(Files.paths(below: sandbox.work).allSatisfy { $0.hasPrefix("in/") })
  }

  @Test
  func `too little address space is a line and 2, and a little more means one thread`() throws {
    let sandbox = try world()
    func run(_ kibibytes: Int) throws -> Program.Result {
      try sandbox.runShell("ulimit -v \(kibibytes); exec \"$0\" report in -o out -j 8 -q")
    }
    let refused = try run(60_000)
    #expect(refused.status == 2)
    #expect(
      refused.errors == """
        not enough memory: the limit of address space (ulimit -v) is 60000 KiB, expected 122880 KiB \
        or more [not-enough-memory]

        """)
    #expect(Files.paths(below: sandbox.work).allSatisfy { $0.hasPrefix("in/") })
    // Whether the C library reserves memory for another thread depends on where the system puts the program.
    for _ in 0..<TestTier.current.cases(of: 60) { #expect(try run(128_000).status == 0) }
  }

  #if !DEBUG
    // A debug build has the shared libraries of Swift, which print a stack trace.
    @Test
    func `memory that runs out is one line and 2, in runs and in steps`() throws {
      let sandbox = try Sandbox()
      let words =
        "simulate -o in --subscribers 6000 --from 2026-01-01 --to 2026-06-30 --kind subscriber"
      try #require(try sandbox.run(words).status == 0)
      removeTree(sandbox.work + "/in/truth")
      try #require(try sandbox.runShell("\"$0\" step files in >frames").status == 0)
      var ended = 0
      // Steps look for no least address space. With still less the system's loader gives up, with 127.
      for kibibytes in stride(
        from: 47_000, to: 60_000, by: TestTier.current == .soak ? 100 : 250)
      {
        for command in ["step files in", "step scout <frames"] {
          let script = "ulimit -v \(kibibytes); exec \"$0\" \(command) >/dev/null"
          let result = try sandbox.runShell(script)
          #expect(
            [0, 2, 127].contains(result.status),
            "\(kibibytes) \(command): \(result.status)\n\(result.errors)")
          guard result.status == 2 else { continue }
          ended += 1
          #expect(result.errors.hasSuffix("[not-enough-memory]\n"), "\(result.errors)")
          #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }
      }
      #expect(ended > 0)
    }
  #endif

  @Test(arguments: ["QUIT", "USR1", "USR2", "ALRM", "VTALRM", "PROF", "XCPU", "HUP", "TERM", "INT"])
  func `a signal leaves nothing behind`(_ name: String) throws {
    let sandbox = try world()
    let script = """
      mkfifo slow; env --default-signal "$0" report in slow -o out -q & p=$!
      for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -d .out.staging-$p ] && break; sleep 0.1; done
      kill -\(name) $p; wait $p; echo $?; ls -A | grep out
      """
    let result = try sandbox.runShell(script)
    #expect((Int(result.lines.first ?? "") ?? 0) > 128, "\(result.output)")
    #expect(result.lines.count == 1, "\(result.output)")
  }

  @Test
  func `the least address space is enough for the sample`() throws {
    let sandbox = try Sandbox()
    let sample = Repository.root + "/sample-reports"
    let found = try sandbox.runShell("ulimit -v 122880; exec \"$0\" report '\(sample)' -o out -q")
    #expect(found.status == 0, "\(found.errors)")
  }

  @Test
  func `a pipe that nobody reads ends no report`() throws {
    let sandbox = try world()
    // The report begins when the reader of its standard error has closed it.
    let script = """
      mkfifo gone
      exec 3>&1
      { read line <gone; "$0" report in -o out; echo $? >&3; } 2>&1 | { exec <&-; echo >gone; }
      """
    let found = try sandbox.runShell(script)
    #expect(found.output == "0\n")
    #expect(Files.isFolder(sandbox.work + "/out"))
    #expect(Files.paths(below: sandbox.work).allSatisfy { !$0.hasPrefix(".") })
    // A reader of data who has seen enough is no news, and no success either.
    let fault = FailingCalls.Fault(function: "write", number: 1, error: EPIPE)
    let table = try run("metrics churn", fault: fault, in: sandbox)
    #expect(table.status == 2 && table.stderr.isEmpty)
  }
}
