import Glibc
import SubreportTestSupport
import Testing

/// Runs the nightly job with a ledger while its inputs change, which a case cannot do.
@Suite("report --ledger")
struct LedgerCommandTests {
  /// A sandbox with reports in the folder `in`, and two runs: the second after a report was restated.
  private func world() throws -> Sandbox {
    let sandbox = try Sandbox()
    let world = "simulate -o in --subscribers 30 --from 2026-01-01 --to 2026-02-05 --clean"
    try #require(try sandbox.run(world).status == 0)
    removeTree(sandbox.work + "/in/truth")
    let first = try sandbox.run("report in -o out -q --ledger ledger.jsonl")
    try #require(first.status == 0, "\(first.errors)")
    // The day with most rows loses the last of them: numbers of January change.
    let folder = sandbox.work + "/in/subscriber/"
    let january = names(inFolder: folder).filter { $0.contains("_202601") }
    let reports = try january.map { name in
      let stored = try #require(Files.bytes(of: folder + name))
      return (name: name, bytes: try #require(GzipMember.content(of: stored)))
    }
    let lines = { (bytes: [UInt8]) in bytes.split(separator: UInt8(ascii: "\n")) }
    let report = try #require(reports.max { lines($0.bytes).count < lines($1.bytes).count })
    let kept = lines(report.bytes).dropLast().flatMap { $0 + [UInt8(ascii: "\n")] }
    try Files.write(kept, to: folder + report.name)
    let second = try sandbox.run("report in -o out -q --ledger ledger.jsonl")
    try #require(second.status == 0, "\(second.errors)")
    return sandbox
  }

  private func text(_ path: String, in sandbox: Sandbox) throws -> String {
    try #require(Files.text(of: sandbox.work + "/" + path))
  }

  @Test
  func `adds a line each run, and changes.csv names the restated report`() throws {
    let sandbox = try world()
    let ledger = try text("ledger.jsonl", in: sandbox)
    let lines = ledger.split(separator: "\n")
    #expect(lines.count == 2 && lines[1].utf8.count * 4 < lines[0].utf8.count)
    let changes = try text("out/changes.csv", in: sandbox).split(separator: "\n")
    #expect(
      changes.first
        == "table,source,month,dating,currency,k,row,column,before,after,change,because")
    #expect(changes.count > 1)
    let ofSubscribers = changes.filter { $0.contains(",subscribers,") }
    #expect(!ofSubscribers.isEmpty)
    #expect(
      ofSubscribers.allSatisfy { $0.contains("restated: subscriber/Subscriber_80012345_202601") })
    let manifest = try text("out/manifest.json", in: sandbox)
    #expect(manifest.contains("\"ledger\": {\"path\": \"ledger.jsonl\""))
  }

  @Test
  func `is verified with the part that the run read`() throws {
    let sandbox = try world()
    let verified = try sandbox.run("verify out in")
    #expect(verified.status == 0, "\(verified.lines) \(verified.errors)")
    let path = sandbox.work + "/ledger.jsonl"
    let ledger = try text("ledger.jsonl", in: sandbox)
    let edited = ledger.replacing("\"sequence\":1", with: "\"sequence\":7")
    try Files.write(Array(edited.utf8), to: path)
    let changed = try sandbox.run("verify out in")
    #expect(changed.status == 1)
    #expect(changed.lines.first?.hasPrefix("ledger.jsonl: found sha256 ") == true)
    #expect(
      changed.lines.last?.hasSuffix("; not computed again, because the ledger differs") == true)
    try #require(unsafe rename(path, sandbox.work + "/kept.jsonl") == 0)
    let missing = try sandbox.run("verify out in")
    #expect(missing.lines.first?.hasPrefix("ledger.jsonl: not found, expected the ledger ") == true)
    #expect(
      missing.lines.last?.hasSuffix("; not computed again, because the ledger was not found")
        == true)
    try Files.write(Array(ledger.utf8), to: sandbox.work + "/kept.jsonl")
    #expect(try sandbox.run("verify out in --ledger kept.jsonl").status == 0)
  }

  @Test
  func `is found beside the folder, from another working folder`() throws {
    let sandbox = try world()
    try Files.makeFolders(sandbox.work + "/moved")
    for name in ["out", "ledger.jsonl"] {
      try #require(
        unsafe rename(sandbox.work + "/" + name, sandbox.work + "/moved/" + name) == 0)
    }
    let verified = try sandbox.run("verify moved/out in")
    #expect(verified.status == 0, "\(verified.lines) \(verified.errors)")
  }

  @Test
  func `is not needed to verify a first run, which read no line`() throws {
    let sandbox = try Sandbox()
    let world = "simulate -o in --subscribers 20 --from 2026-01-01 --to 2026-02-05 --clean"
    try #require(try sandbox.run(world).status == 0)
    removeTree(sandbox.work + "/in/truth")
    try #require(try sandbox.run("report in -o out -q --ledger ledger.jsonl").status == 0)
    #expect(try sandbox.run("verify out in").status == 0)
    removeTree(sandbox.work + "/ledger.jsonl")
    let verified = try sandbox.run("verify out in")
    #expect(verified.status == 0, "\(verified.lines)")
    #expect(verified.lines.last?.hasSuffix("; computed again from the inputs") == true)
  }

  @Test
  func `tells the history of a number`() throws {
    let sandbox = try world()
    let history = try sandbox.run(
      "history proceeds.charges --month 2026-01 --where source=subscribers --where currency=USD --ledger ledger.jsonl"
    )
    #expect(history.status == 0, "\(history.errors)")
    #expect(history.lines.first == "as_of,value,change,state,definitions,inputs,because")
    #expect(history.lines.count == 3)
    let table = try sandbox.run("history churn --at 2026-12-31 --ledger ledger.jsonl")
    let csv = try text("out/churn.csv", in: sandbox)
    #expect(table.lines == csv.split(separator: "\n").map(String.init))
    let triangle = try sandbox.run(
      "history churn.churned --where source=subscribers --ledger ledger.jsonl -f md")
    #expect(triangle.lines.first?.hasPrefix("| month | 0 |") == true, "\(triangle.lines)")
  }

  @Test
  func `removes the line that a stopped run left, and says so`() throws {
    let sandbox = try world()
    let ledger = try text("ledger.jsonl", in: sandbox)
    try Files.write(Array((ledger + "{\"as_of\":").utf8), to: sandbox.work + "/ledger.jsonl")
    let found = try sandbox.run("report in -o out --ledger ledger.jsonl")
    #expect(
      found.errors.contains(
        "ledger.jsonl: removed the last line, which a stopped run left unfinished (9 bytes)\n"))
    let after = try text("ledger.jsonl", in: sandbox)
    #expect(after.hasPrefix(ledger) && after.split(separator: "\n").count == 3)
  }

  @Test
  func `leaves a file as it is that is no ledger, also without a line feed at its end`() throws {
    let sandbox = try world()
    for text in ["my notes", "a,b\n1,2", "{\"a\":1}\n{\"as_of\":"] {
      try Files.write(Array(text.utf8), to: sandbox.work + "/notes.txt")
      let found = try sandbox.run("report in -o other -q --ledger notes.txt")
      #expect(found.status == 64)
      #expect(found.errors.hasPrefix("notes.txt"))
      #expect(found.errors.hasSuffix("name another file, or restore a copy [bad-ledger]\n"))
      #expect(try self.text("notes.txt", in: sandbox) == text)
      #expect(!Files.isFolder(sandbox.work + "/other"))
    }
    let words = "report in -o other --cache cache --changes ledger.jsonl --ledger ledger.jsonl"
    let found = try sandbox.run(words)
    #expect(found.status == 64)
    #expect(found.errors.contains("this is the file of --changes; name another file"))
  }

  @Test
  func `has one writer, also from two folders`() throws {
    let sandbox = try world()
    let before = try text("ledger.jsonl", in: sandbox)
    let descriptor = unsafe open(sandbox.work + "/ledger.jsonl", O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    let found = try sandbox.run("report in -o other --ledger ledger.jsonl")
    #expect(found.status == 5)
    let message = "another run is adding to this file [output-locked]"
    #expect(found.errors == "ledger.jsonl: error: \(message)\n")
    #expect(!Files.isFolder(sandbox.work + "/other"))
    #expect(try text("ledger.jsonl", in: sandbox) == before)
    // Who only reads it need not wait.
    #expect(try sandbox.run("history churn --at 2026-12-31 --ledger ledger.jsonl").status == 0)
  }

  @Test
  func `adds nothing when the folder stays as it was`() throws {
    let sandbox = try Sandbox()
    let found = try sandbox.run("report nowhere -o out -q --ledger ledger.jsonl")
    #expect(found.status == 2)
    #expect(Files.paths(below: sandbox.work).isEmpty)
  }
}
