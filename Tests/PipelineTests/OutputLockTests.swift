import Files
import Glibc
import Testing

/// No process has an id this high.
private let deadPID: Int32 = 2_147_483_000

@Suite struct OutputLockTests {
  @Test
  func `refuses a folder that a live run is writing to, and names the process`() throws {
    let sandbox = try OutputSandbox()
    var first = try OutputFolder(path: sandbox.output, force: false, cleanup: OutputCleanup())
    #expect(openingError(sandbox.output) == .locked(path: sandbox.output, pid: getpid()))
    #expect(
      openingError(sandbox.output, force: true) == .locked(path: sandbox.output, pid: getpid()))
    try first.add(name: "churn.csv", bytes: [])
    try first.commit()
    #expect(openingError(sandbox.output, force: true) == nil)
    #expect(sandbox.names() == ["out"])
  }

  @Test
  func `refuses a folder that another live process is writing to`() async throws {
    let sandbox = try OutputSandbox()
    let folder = try OutputFolder(path: sandbox.output, force: false, cleanup: OutputCleanup())
    let (path, pid) = (sandbox.output, getpid())
    await #expect(processExitsWith: .exitCode(5)) { [path = path as String, pid = pid as Int32] in
      exit(openingError(path) == .locked(path: path, pid: pid) ? 5 : 1)
    }
    try folder.commit()
    #expect(sandbox.names(in: "out") == [])
  }

  @Test
  func `takes over the lock of a dead process and says so`() throws {
    let sandbox = try OutputSandbox()
    try sandbox.write(".out.lock", "\(deadPID)\n")
    let folder = try OutputFolder(path: sandbox.output, force: false, cleanup: OutputCleanup())
    #expect(
      folder.notes == [
        "\(sandbox.output): took over the lock that process \(deadPID) left behind"
      ])
    #expect(sandbox.read(".out.lock") == "\(getpid())\n")
    try folder.commit()
    #expect(sandbox.names() == ["out"])
  }

  @Test(arguments: ["", "nonsense", "1 2\n"])
  func `takes over a lock file that names no process`(text: String) throws {
    let sandbox = try OutputSandbox()
    try sandbox.write(".out.lock", text)
    let folder = try OutputFolder(path: sandbox.output, force: false, cleanup: OutputCleanup())
    #expect(
      folder.notes == ["\(sandbox.output): took over the lock that an earlier run left behind"])
  }

  @Test
  func `removes what a crashed run left and touches nothing else`() throws {
    let sandbox = try OutputSandbox()
    try commitOutput([("churn.csv", "a")], to: sandbox.output)
    for name in [".out.staging-\(deadPID)", ".out.old-7", ".out.staging-mine", ".out2.staging-7"] {
      sandbox.makeFolder(name)
      try sandbox.write(name + "/half.csv", "half")
    }
    do { _ = try OutputFolder(path: sandbox.output, force: false, cleanup: OutputCleanup()) }
    #expect(sandbox.names() == [".out.staging-mine", ".out2.staging-7", "out"])
    #expect(sandbox.names(in: "out") == ["churn.csv", "manifest.json"])
  }

  @Test
  func `puts the old folder back when a run crashed between its two renames`() throws {
    let sandbox = try OutputSandbox()
    sandbox.makeFolder(".out.old-\(deadPID)")
    try sandbox.write(".out.old-\(deadPID)/churn.csv", "old")
    try sandbox.write(".out.old-\(deadPID)/manifest.json", manifest(listing: ["churn.csv"]))
    do { _ = try OutputFolder(path: sandbox.output, force: false, cleanup: OutputCleanup()) }
    #expect(sandbox.names() == ["out"])
    #expect(sandbox.read("out/churn.csv") == "old")
  }

  @Test
  func `recovers from a run that was killed`() async throws {
    let sandbox = try OutputSandbox()
    try commitOutput([("churn.csv", "old")], to: sandbox.output)
    let path = sandbox.output
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      var folder = try OutputFolder(path: path, force: false, cleanup: OutputCleanup())
      try folder.add(name: "churn.csv", bytes: Array("half".utf8))
      kill(getpid(), SIGKILL)
      try folder.commit()
    }
    #expect(sandbox.names().count == 3)
    #expect(sandbox.read("out/churn.csv") == "old")
    var folder = try OutputFolder(path: path, force: false, cleanup: OutputCleanup())
    #expect(folder.notes.count == 1)
    #expect(sandbox.names().count == 3)
    try folder.add(name: "churn.csv", bytes: Array("new".utf8))
    try folder.commit()
    #expect(sandbox.names() == ["out"])
    #expect(sandbox.read("out/churn.csv") == "new")
  }

  @Test
  func `removes the staging folder and the lock when the run is stopped`() throws {
    let sandbox = try OutputSandbox()
    let cleanup = OutputCleanup()
    try commitOutput([("churn.csv", "old")], to: sandbox.output)
    var folder = try OutputFolder(path: sandbox.output, force: false, cleanup: cleanup)
    try folder.add(name: "churn.csv", bytes: Array("new".utf8))
    cleanup.run()
    #expect(sandbox.names() == ["out"])
    do throws(OutputError) {
      try folder.add(name: "lapses.csv", bytes: [])
      Issue.record("a stopped run wrote a file")
    } catch {
      #expect(error == .interrupted(path: sandbox.output))
    }
    let error = committingError(folder)
    #expect(error == .interrupted(path: sandbox.output))
    #expect(throws: OutputError.interrupted(path: sandbox.root + "/a.csv")) {
      try writeFileAtomically(path: sandbox.root + "/a.csv", bytes: [], cleanup: cleanup)
    }
    #expect(sandbox.names() == ["out"])
    #expect(sandbox.read("out/churn.csv") == "old")
  }
}
