import SubreportTestSupport
import Testing

/// File names that are not UTF-8, as old archives have them; the repository has none.
@Suite("file names that are not UTF-8")
struct FileNameTests {
  /// Runs a line of the shell in which `$0` is the program and `$e` the byte E9, é in Latin-1.
  private func run(_ line: String, in sandbox: Sandbox) throws -> Program.Result {
    try sandbox.runShell("e=$(printf '\\351'); " + line)
  }

  /// A sandbox with reports in the folder `in`.
  private func world() throws -> Sandbox {
    let sandbox = try Sandbox()
    let world = "simulate -o in --subscribers 5 --from 2026-01-31 --to 2026-01-31 --kind sales"
    try #require(try sandbox.run(world).status == 0)
    return sandbox
  }

  @Test func `are read in folders, as arguments and as folders, and shown with their bytes in hex`()
    throws
  {
    let sandbox = try world()
    let move = try run("rm -r in/truth; mkdir f$e; mv in/sales/*.gz f$e/S_$e.gz", in: sandbox)
    try #require(move.status == 0, "\(move.errors)")
    for input in ["f$e", ".", "f$e/S_$e.gz"] {
      let found = try run("\"$0\" inspect -f csv \(input)", in: sandbox)
      #expect(found.status == 0)
      #expect(found.errors == "")
      #expect(found.output.contains("f\\xE9/S_\\xE9.gz,sales,"), "\(found.output)")
    }
    let missing = try run("\"$0\" inspect -f csv no$e", in: sandbox)
    let reason = "cannot open the file: no such file or directory [cannot-open]"
    #expect(missing.errors == "no\\xE9: error: \(reason)\n")
  }

  @Test
  func `are written as they are named`() throws {
    let sandbox = try world()
    let found = try run("\"$0\" report in -o o$e && \"$0\" report in -o o$e", in: sandbox)
    #expect(found.status == 0)
    #expect(found.errors.contains("\no\\xE9: "))
    let there = try run("ls -a; test -f o$e/manifest.json", in: sandbox)
    #expect(there.status == 0)
    #expect(there.lines.count == 4)
  }
}
