import SubreportTestSupport
import Testing

/// Breaks a nightly job as operators meet it: each fault is said once, with the number and what to do, and an accepted
/// one not at all.
@Suite("A night that goes wrong")
struct BrokenNightTests {
  /// The job of cron: what it prints is mailed.
  private static let job =
    "report in -o out -q --cache cache --changes /dev/stdout --openmetrics m.prom"

  private static let base = Result { try firstNight() }

  /// A world of six weeks, of which the last day is left in `later`, and whose job has run once.
  private func world() throws -> Sandbox { try Sandbox(copyOf: Self.base.get()) }

  private static func firstNight() throws -> Sandbox {
    let sandbox = try Sandbox()
    let world = "simulate -o in --subscribers 300 --from 2026-01-01 --to 2026-02-14 --clean"
    try #require(try sandbox.run(world).status == 0)
    removeTree(sandbox.work + "/in/truth")
    for path in Files.paths(below: sandbox.work + "/in") where path.contains("20260214") {
      try move("in/" + path, "later/" + path, in: sandbox)
    }
    let first = try sandbox.run(job)
    try #require(first.status == 0 && first.errors + first.output == "", "\(first.errors)")
    return sandbox
  }

  private static func move(_ from: String, _ to: String, in sandbox: Sandbox) throws {
    let bytes = try #require(Files.bytes(of: sandbox.work + "/" + from))
    try Files.write(bytes, to: sandbox.work + "/" + to)
    removeTree(sandbox.work + "/" + from)
  }

  /// Adds the files of the last day, except one.
  private func addNight(except kind: String = "none", in sandbox: Sandbox) throws {
    for path in Files.paths(below: sandbox.work + "/later") where !path.hasPrefix(kind + "/") {
      try Self.move("later/" + path, "in/" + path, in: sandbox)
    }
  }

  /// Returns the path of the Subscriber report of a day.
  private func subscriber(_ day: String, in sandbox: Sandbox) throws -> String {
    try #require(
      Files.paths(below: sandbox.work + "/in").first {
        $0.hasPrefix("subscriber/") && $0.contains(day)
      }.map { "in/" + $0 })
  }

  /// Runs the job; returns what cron mails, and checks that the file for monitoring has the exit code.
  private func night(
    _ options: String = "", job: String = Self.job, status: Int32, in sandbox: Sandbox
  ) throws -> [String] {
    let run = try sandbox.run("\(job) \(options)")
    let said = (run.errors + run.output).split(separator: "\n").map(String.init)
    #expect(run.status == status, "\(said)")
    let metrics = Files.text(of: sandbox.work + "/m.prom") ?? ""
    #expect(metrics.contains("\nsubreport_run_exit_code \(status)\n"), "\(metrics)")
    return said
  }

  @Test
  func `a missing day is said once, and not at all once it is accepted`() throws {
    let sandbox = try world()
    let lost = try subscriber("20260205", in: sandbox)
    try Self.move(lost, "lost.gz", in: sandbox)
    let said = try night(status: 0, in: sandbox)
    #expect(
      said.contains("since the last run: gone: \(lost.dropFirst(3)), subscriber of 2026-02-05"))
    #expect(
      said.contains(
        "since the last run: missing: subscriber 2026-02-05: download it again; Apple keeps daily reports for 365 days"
      ), "\(said)")
    #expect(try night(status: 0, in: sandbox) == [])
    // A stricter job says it every night, until it is accepted.
    let strict = "report in -o out -q --strict --openmetrics m.prom"
    #expect(
      try night(job: strict, status: 3, in: sandbox)
        == ["out: error: 1 day is missing; subreport check says which [missing-days]"])
    #expect(try sandbox.run("report in -o before -q").status == 0)
    try accept("missing = [\"subscriber 2026-02-05\"]", in: sandbox)
    #expect(try sandbox.run("report in -o after -q").status == 0)
    // The data stay what they are.
    for name in Files.paths(below: sandbox.work + "/before") {
      let bytes = ["before", "after"].map { Files.bytes(of: "\(sandbox.work)/\($0)/\(name)") }
      #expect(bytes[0] == bytes[1], "\(name)")
    }
    #expect(try night(job: strict, status: 0, in: sandbox) == [])
    #expect(try night(status: 0, in: sandbox) == [])
    let check = try sandbox.run("check in")
    #expect(check.status == 0 && !check.output.contains("missing"), "\(check.output)")
    #expect(check.errors == "accepted: missing: subscriber 2026-02-05 (subreport.toml:2)\n")
    let metrics = Files.text(of: sandbox.work + "/m.prom") ?? ""
    #expect(metrics.contains("subreport_days_missing{kind=\"subscriber\"} 1\n"))
    #expect(metrics.contains("subreport_days_missing_accepted{kind=\"subscriber\"} 1\n"))

    // Something new: another day, which alone is said.
    let other = try subscriber("20260206", in: sandbox)
    try Self.move(other, "other.gz", in: sandbox)
    #expect(
      try night(job: strict, status: 3, in: sandbox)
        == ["out: error: 1 day is missing; subreport check says which [missing-days]"])
    #expect(
      try night(status: 0, in: sandbox).filter { $0.contains("missing") } == [
        "since the last run: missing: subscriber 2026-02-06: download it again; Apple keeps daily reports for 365 days"
      ])
    // The accepted day comes after all.
    try Self.move("lost.gz", lost, in: sandbox)
    try Self.move("other.gz", other, in: sandbox)
    let found = try sandbox.run("check in")
    #expect(found.status == 0)
    #expect(
      found.errors
        == "accepted, but not missing: subscriber 2026-02-05; remove it from [accept] (subreport.toml:2)\n"
    )
  }

  private func accept(_ line: String, in sandbox: Sandbox) throws {
    try Files.write(Array("[accept]\n\(line)\n".utf8), to: sandbox.work + "/subreport.toml")
  }

  @Test
  func `a kind of report that stops is said with what it should reach, until it is accepted`()
    throws
  {
    let sandbox = try world()
    try addNight(except: "sales", in: sandbox)
    let line =
      "sales reports stop on 2026-02-13; --through asks for 2026-02-15; download the later ones [missing-days]"
    #expect(try night("--through 2026-02-15", status: 3, in: sandbox).contains(line))
    try accept("missing = [\"sales 2026-02-14..2026-12-31\"]", in: sandbox)
    #expect(try night("--through 2026-02-15", status: 0, in: sandbox) == [])
  }

  @Test
  func `a truncated file is said with its name and what to do`() throws {
    let sandbox = try world()
    let path = try subscriber("20260210", in: sandbox)
    let whole = try #require(Files.bytes(of: sandbox.work + "/" + path))
    try Files.write(Array(whole.dropLast(20)), to: sandbox.work + "/" + path)
    let said = try night(status: 4, in: sandbox)
    let lines = said.filter { $0.hasPrefix(path + ": error: gzip data ends at byte ") }
    #expect(lines.count == 1, "\(said)")
    #expect(lines.first?.hasSuffix("; download it again [gzip-truncated]") == true)
    let metrics = Files.text(of: sandbox.work + "/m.prom") ?? ""
    #expect(metrics.contains("\nsubreport_files_unusable 1\n"))
  }

  @Test
  func `changed history is said once, with the numbers before and after`() throws {
    let sandbox = try world()
    // The second download of a day has two rows less.
    let path = try subscriber("20260110", in: sandbox)
    let script = "gzip -dc \(path) | sed '3,4d' | gzip -n > new.gz && mv new.gz \(path)"
    #expect(try sandbox.runShell(script).status == 0)
    let said = try night(status: 0, in: sandbox)
    #expect(
      said.contains("since the last run: restated: \(path.dropFirst(3)), subscriber of 2026-01-10"),
      "\(said)")
    #expect(said.contains { $0.contains("2026-01: ") && $0.contains(", was ") }, "\(said)")
    #expect(try night(status: 0, in: sandbox) == [])
  }

  @Test
  func `a number beyond its limit is said with its value`() throws {
    let sandbox = try world()
    let said = try night("--fail-if charges>10", status: 1, in: sandbox)
    #expect(!said.isEmpty)
    for line in said {
      #expect(line.contains(" in 2026-01") && line.contains("; the limit is 10; see subreport "))
    }
  }

  @Test
  func `a full disk is said, and the old folder stays`() throws {
    let sandbox = try world()
    // A file system of its own, which is gone with the shell.
    let script =
      "mkdir full && mount -t tmpfs -o size=300k none full && \"$0\" report in/sales -o full/out -q && \"$0\" report in -o full/out -q --openmetrics m.prom; code=$?; ls full; exit $code"
    let mount = try Program.run(
      ["-m", "sh", "-c", "mkdir -p probe && mount -t tmpfs none probe"], program: "unshare",
      in: sandbox)
    guard mount.status == 0 else { return }
    let run = try Program.run(
      ["-m", "sh", "-c", script, Program.path], program: "unshare", in: sandbox)
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.errors.contains("no space left on device"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(run.lines == ["out"])
    let metrics = Files.text(of: sandbox.work + "/m.prom") ?? ""
    #expect(metrics.contains("\nsubreport_run_exit_code 2\n"))
    #expect(metrics.contains("\nsubreport_run_report_written 0\n"))
  }
}
