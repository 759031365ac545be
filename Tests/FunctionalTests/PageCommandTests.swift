import Simulation
import SubreportTestSupport
import Testing

/// Runs the commands that pages print, with the inputs and options of their run.
@Suite("The commands of a page")
struct PageCommandTests {
  @Test(arguments: ["", "--as-of 2026-08-31 --country DE --country JP --country US"])
  func `explain the numbers above them`(options: String) throws {
    let sandbox = try Sandbox()
    let world =
      "simulate -o in --subscribers 300 --clean --commitments 0.9 --plan-columns"
    try #require(try Program.run(shellWords(world), in: sandbox).status == 0)
    let report = try Program.run(shellWords("report in -o out -q \(options)"), in: sandbox)
    try #require(report.status == 0, "\(String(decoding: report.stderr, as: UTF8.self))")
    let pages = names(inFolder: sandbox.work + "/out").filter {
      $0.hasSuffix(".html") || $0 == "summary.md"
    }
    let commands = Set(try pages.flatMap { try Self.commands("out/" + $0, in: sandbox) })
    let cells = Set(commands.map { shellWords($0)[2] })
    let expected = ["churn.churned", "movement.close_observed", "retention.survival"]
    #expect(cells.isSuperset(of: expected), "\(cells)")
    for command in commands.sorted() {
      let call = shellWords(command).dropFirst() + ["-q", "--limit", "1", "-f", "csv"]
      let found = try Program.run(Array(call), in: sandbox)
      let errors = String(decoding: found.stderr, as: UTF8.self)
      #expect(found.status == 0 && !found.stdout.isEmpty, "\(command): \(errors)")
    }
  }

  /// Returns the commands of a page that explain a number, as a user copies them.
  private static func commands(_ name: String, in sandbox: Sandbox) throws -> [String] {
    let bytes = try #require(Files.bytes(of: sandbox.work + "/" + name))
    let start = "subreport explain "
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: start).dropFirst()
    return parts.map { part in
      // The end of a command in HTML and in Markdown.
      let command = part.prefix { $0 != "<" && $0 != "`" }
      return start
        + command.replacing("&#39;", with: "'").replacing("&quot;", with: "\"")
        .replacing("&amp;", with: "&")
    }
  }
}
