import SubreportTestSupport
import Testing

/// Commands whose only input does not exist.
@Suite("an input that does not exist")
struct MissingInputTests {
  @Test(arguments: [
    "check none", "churn none", "drivers none", "price-impact none", "reconcile none",
    "report none -o out", "timeline none --no-anonymize",
  ])
  func `is one error, without a count of files found`(line: String) throws {
    let sandbox = try Sandbox()
    let result = try sandbox.run(line)
    let error = "none: error: cannot open the file: no such file or directory [cannot-open]\n"
    let end = line.hasPrefix("report") ? "out: not written\n" : ""
    #expect(result.errors == error + end)
    #expect(result.status == 2)
  }
}
