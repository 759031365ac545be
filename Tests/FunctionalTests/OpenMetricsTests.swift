import SubreportTestSupport
import Testing

/// Reads the file of `report --openmetrics` with the parsers of Prometheus' client for Python.
@Suite("report --openmetrics")
struct OpenMetricsTests {
  private static let python = Repository.root + "/.build/openmetrics-env/bin/python"

  static let hasParser: Bool = {
    guard let sandbox = try? Sandbox() else { return false }
    let found = try? Program.run(
      ["-c", "import prometheus_client.openmetrics.parser"], program: python, in: sandbox)
    return found?.status == 0
  }()

  /// Returns the lines `NAME LABELS VALUE` of a file.
  private func samples(_ file: String, in sandbox: Sandbox) throws -> [String] {
    let script = Repository.root + "/Tests/OpenMetrics/parse.py"
    let found = try Program.run([script, file], program: Self.python, in: sandbox)
    try #require(found.status == 0, "\(found.errors)")
    return found.lines
  }

  private static func value(_ name: String, _ samples: [String]) -> Double? {
    samples.first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.flatMap { Double($0) }
  }

  @Test(.enabled(if: Self.hasParser, "prometheus-client is not installed: make openmetrics"))
  func `has each number of headlines.csv, and the days and rows of the folder`() throws {
    let sandbox = try Sandbox()
    let reports = Repository.root + "/sample-reports"
    let run = try sandbox.run("report \(reports) -o out -q --openmetrics m.prom")
    #expect(run.status == 0, "\(run.errors)")
    let samples = try samples("m.prom", in: sandbox)
    let headlines = try table("headlines", in: sandbox)
    var expected = 0
    for row in headlines where row["value"] != "" {
      let labels = ["currency", "month", "source", "state"].compactMap { name in
        row[name].flatMap { $0.isEmpty ? nil : "\(name)=\($0)" }
      }
      let name = "subreport_headline_\(row["figure"] ?? "") \(labels.joined(separator: ","))"
      #expect(Self.value(name, samples) == Double(row["value"] ?? ""), "\(name)")
      expected += 1
    }
    #expect(samples.filter { $0.hasPrefix("subreport_headline_") }.count == expected)
    let days = try table("days", in: sandbox)
    for kind in Set(days.compactMap { $0["kind"] }) {
      for state in ["missing", "pending"] {
        let count = days.count { $0["kind"] == kind && $0["state"] == state }
        #expect(Self.value("subreport_days_\(state) kind=\(kind)", samples) == Double(count))
      }
    }
    let read = try table("health", in: sandbox).compactMap { Int($0["rows_read"] ?? "") }
    #expect(Self.value("subreport_rows_read ", samples) == Double(read.reduce(0, +)))
    #expect(Self.value("subreport_run_exit_code ", samples) == 0)
    #expect(Self.value("subreport_run_report_written ", samples) == 1)
    // 30 September 2026 ends at this second.
    #expect(
      Self.value("subreport_data_as_of_timestamp_seconds source=subscribers", samples)
        == 1_790_812_800)
    #expect((Self.value("subreport_run_duration_seconds ", samples) ?? 0) > 0)
  }

  @Test
  func `replaces no file of another program`() throws {
    let sandbox = try Sandbox()
    let report = "report \(Repository.root)/sample-reports -o out -q --openmetrics m.prom"
    try Files.write(Array("# HELP node_load1 Load.\n".utf8), to: sandbox.work + "/m.prom")
    try Export.refuses(report, "m.prom", canForce: true, sandbox)
    #expect(Files.paths(below: sandbox.work) == ["m.prom"])
    #expect(try sandbox.run(report + " --force").status == 0)
    #expect(try sandbox.run(report).status == 0)
    try Files.write([], to: sandbox.work + "/m.prom")
    #expect(try sandbox.run(report).status == 0)
    // Standard output may be a log with other lines.
    let added = try sandbox.runShell(
      "echo words >log; \"$0\" \(report.replacing("m.prom", with: "-")) >>log")
    #expect(added.status == 0, "\(added.errors)")
  }

  @Test(.enabled(if: Self.hasParser, "prometheus-client is not installed: make openmetrics"))
  func `says how a run ended that made no report`() throws {
    let sandbox = try Sandbox()
    try Files.write(Array("no report".utf8), to: sandbox.work + "/in/a.txt")
    #expect(try sandbox.run("report in -o out -q --openmetrics m.prom").status == 2)
    let samples = try samples("m.prom", in: sandbox)
    #expect(Self.value("subreport_run_exit_code ", samples) == 2)
    #expect(Self.value("subreport_run_report_written ", samples) == 0)
    #expect(samples.allSatisfy { !$0.hasPrefix("subreport_headline_") })
  }

  @Test
  func `is a file of its own, outside the folder and the inputs`() throws {
    let sandbox = try Sandbox()
    try Files.write(Array("no report".utf8), to: sandbox.work + "/in/a.txt")
    for (file, words) in [
      ("out/m.prom", "is replaced as a whole"), ("in/m.prom", "an input of the next run"),
      ("in/a.txt", "this is the input in"), ("none/m.prom", "none"),
      ("l.jsonl", "this is the file of --ledger"),
    ] {
      try Files.makeFolders(sandbox.work + "/out")
      let run = try sandbox.run("report in -o out -q --ledger l.jsonl --openmetrics \(file)")
      #expect(run.errors.contains(words) && run.status != 0, "\(file): \(run.errors)")
      #expect(Files.bytes(of: sandbox.work + "/in/m.prom") == nil)
    }
  }

  private func table(_ name: String, in sandbox: Sandbox) throws -> [[String: String]] {
    let text = try #require(Files.text(of: "\(sandbox.work)/out/\(name).csv"))
    let lines = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { cells in
      Dictionary(zip(lines[0], cells)) { first, _ in first }
    }
  }
}
