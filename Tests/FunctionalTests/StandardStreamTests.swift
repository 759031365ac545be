import SubreportTestSupport
import Testing

@Suite("outputs to a standard stream")
struct StandardStreamTests {
  @Test(arguments: ["/dev/stdout", "/dev/stderr"])
  func `are appended to the log file that the shell appends to`(stream: String) throws {
    let sandbox = try Sandbox()
    let simulate = "simulate -o in --subscribers 5 --from 2026-01-31 --to 2026-01-31 --kind sales"
    try #require(try sandbox.run(simulate).status == 0)
    // The file that is cut off is an error, which the log must keep.
    let script = """
      printf '\\037\\213\\010' >in/cut.txt.gz; echo before >log
      "$0" report in -o out -q --cache cache >>log 2>&1
      "$0" proceeds in -q --all-months -o \(stream) >>log 2>&1
      """
    _ = try sandbox.runShell(script)
    let log = try #require(Files.text(of: sandbox.work + "/log")).split(separator: "\n")
    #expect(log.first == "before")
    #expect(log.contains { $0.hasPrefix("in/cut.txt.gz: error: ") })
    #expect(log.contains { $0.hasPrefix("source,month,") })
  }
}
