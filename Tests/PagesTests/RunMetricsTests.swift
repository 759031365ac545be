import Pages
import Rendering
import SubreportTestSupport
import Testing

@Suite("Metrics for monitoring")
struct RunMetricsTests {
  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  /// Returns the names of metrics in a text.
  private func names(in text: String) -> Set<String> {
    Set(
      text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        .filter { $0.hasPrefix("subreport_") })
  }

  @Test(arguments: ["docs/grafana.json", "docs/monitoring.md"])
  func `documents name only metrics that are written`(path: String) throws {
    let found = names(in: try #require(Files.text(of: Self.root + "/" + path)))
    #expect(found.count > 10)
    #expect(found.subtracting(RunMetrics.names) == [])
  }

  @Test
  func `docs list each metric`() throws {
    let text = try #require(Files.text(of: Self.root + "/docs/monitoring.md"))
    for name in RunMetrics.Name.allCases {
      #expect(text.contains("| `\(name.rawValue)` | \(name.help) |"), "\(name)")
    }
  }

  @Test
  func `of a run that read nothing are how it ended`() {
    let end = RunMetrics.End(exitCode: 5, time: 1_790_000_000.25, duration: 0.5, isWritten: false)
    #expect(
      GaugeFamily.text(of: RunMetrics(nil, headlines: nil, end: end).families) == """
        # HELP subreport_run_exit_code Exit code of report.
        # TYPE subreport_run_exit_code gauge
        subreport_run_exit_code 5
        # HELP subreport_run_report_written 1 if the run replaced the folder of report, else 0.
        # TYPE subreport_run_report_written gauge
        subreport_run_report_written 0
        # HELP subreport_run_timestamp_seconds End of the run.
        # TYPE subreport_run_timestamp_seconds gauge
        # UNIT subreport_run_timestamp_seconds seconds
        subreport_run_timestamp_seconds 1790000000.25
        # HELP subreport_run_duration_seconds Seconds from the start of the run to its end.
        # TYPE subreport_run_duration_seconds gauge
        # UNIT subreport_run_duration_seconds seconds
        subreport_run_duration_seconds 0.50
        # EOF

        """)
  }

  @Test
  func `labels hold any text`() {
    let family = GaugeFamily(
      "x", help: "h", [.init(["a": "q\"b\\c\nd\u{202E}", "blank": ""], "1")])
    #expect(
      GaugeFamily.text(of: [family])
        == #"""
        # HELP x h
        # TYPE x gauge
        x{a="q\"b\\c\\nd\\u{202E}"} 1
        # EOF

        """#)
  }
}
