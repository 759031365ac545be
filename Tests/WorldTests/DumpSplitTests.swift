import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import Testing

@Suite("The numbers of dumps stay the same")
struct DumpSplitTests {
  @Test(arguments: histories(4))
  func `however their rows are spread over files, whatever these are called`(seed: UInt64) throws {
    let world = try SimulatedReports(seed: 900 + seed, subscribers: 120, kinds: [.receipts])
    let expected = try RunOutcome(try world.sandbox())
    #expect(expected.result.sources.count == 1)
    var random = SeededGenerator(seed: seed)
    var lines = world.reports.keys.sorted().flatMap { path in
      (world.reports[path] ?? []).split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }
    lines.shuffle(using: &random)
    let spread = try ReportSandbox()
    let count = Int.random(in: 2...9, using: &random)
    for index in 0..<count {
      let own = lines.indices.filter { $0 % count == index }.map { lines[$0] }
      // Names like those of reports: a dump is no report of a day, so none replaces another.
      try spread.write(
        "\(index % 2)/verify-receipt_20260131_\(index).ndjson",
        Array(own.joined(separator: [UInt8(ascii: "\n")])))
    }
    for jobs in [1, 3] {
      #expect(try RunOutcome(spread, jobs: jobs).difference(from: expected) == [])
    }
  }

  @Test
  func `when one large file holds all rows`() throws {
    let world = try SimulatedReports(seed: 905, subscribers: 300, kinds: [.receipts])
    let text = world.reports.keys.sorted().flatMap { world.reports[$0] ?? [] }
    // As large as its text, so that it is read ahead.
    let stored = gzip(text, level: 0)
    #expect(stored.count > 1 << 20)
    let sandbox = try ReportSandbox(["dump.json.gz": stored])
    let expected = try RunOutcome(sandbox, jobs: 1)
    #expect(expected.result.sources.count == 1)
    #expect(try RunOutcome(sandbox, jobs: 2).difference(from: expected) == [])
  }
}
