import Simulation
import SubreportTestSupport
import Testing

/// Compares the errors of `explain` with those of the table's own command.
@Suite("the errors of explain")
struct ExplainErrorTests {
  private func run(
    _ words: String, in sandbox: Sandbox
  ) throws -> (status: Int32, errors: [String]) {
    let result = try sandbox.run(words)
    let lines = result.errors.split(separator: "\n").map(String.init)
    return (result.status, lines.filter { $0.contains(": error: ") })
  }

  @Test
  func `are those of the table: a truncated file, and rows of another source`() throws {
    let sandbox = try Sandbox()
    let world = "simulate -o in --subscribers 20 --from 2026-01-01 --to 2026-03-02 --clean"
    try #require(try run(world, in: sandbox).status == 0)
    removeTree(sandbox.work + "/in/truth")
    let paths = Files.paths(below: sandbox.work + "/in").sorted()
    let event = try #require(paths.first { $0.hasPrefix("subscription-event/") })
    let eventPath = sandbox.work + "/in/" + event
    let stored = try #require(Files.bytes(of: eventPath))
    let content = try #require(GzipMember.content(of: stored))
    try Files.write(gzip(content + Array("no row\n".utf8), level: 6), to: eventPath)
    let table = try run("churn in", in: sandbox)
    #expect(table.status == 1 && table.errors.count == 1, "\(table)")
    let explained = try run("explain churn.churned in", in: sandbox)
    #expect(explained.status == 1 && explained.errors == table.errors, "\(explained)")
    let report = try #require(paths.first { $0.hasPrefix("subscriber/") })
    let path = sandbox.work + "/in/" + report
    try Files.write(Array(try #require(Files.bytes(of: path)).dropLast(20)), to: path)
    let damaged = try run("churn in", in: sandbox)
    #expect(damaged.status == 4 && damaged.errors.count == 2, "\(damaged)")
    let listed = try run("explain churn.churned in", in: sandbox)
    #expect(listed.status == 4 && listed.errors == damaged.errors, "\(listed)")
  }

  @Test
  func `say once that no input can be opened`() throws {
    let sandbox = try Sandbox()
    let table = try Program.run(["churn", "none"], in: sandbox)
    for words in [["churn.churned"], ["price_impact"], ["--subscription", "1"]] {
      let explained = try Program.run(["explain"] + words + ["none"], in: sandbox)
      #expect(explained.status == 2)
      #expect(explained.stderr == table.stderr)
    }
  }
}
