import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import Testing

@Suite("The numbers of a run stay the same")
struct SplitInvarianceTests {
  @Test(arguments: histories(3, from: 100))
  func `to the byte, with any number of threads`(seed: UInt64) throws {
    let sandbox = try SimulatedReports(seed: seed, faults: true).sandbox()
    let expected = try RunOutcome(sandbox, jobs: 1)
    #expect(expected.result.sources.count == 3)
    for jobs in [2, 4] {
      let found = try RunOutcome(sandbox, jobs: jobs)
      #expect(found.files.keys.sorted() == expected.files.keys.sorted())
      for (name, bytes) in expected.files {
        #expect(found.text(name) == String(decoding: bytes, as: UTF8.self), "\(name), \(jobs) jobs")
      }
    }
  }

  @Test(arguments: [0, 9])
  func `when one large file holds all rows, whole or damaged`(missingByteCount: Int) throws {
    let world = try SimulatedReports(seed: 105, subscribers: 8_000, kinds: [.subscriber])
    let days = world.reports.sorted { $0.key < $1.key }.map { lines($0.value) }
    let text = (days.first?.first ?? []) + days.flatMap { $0.dropFirst().joined() }
    // As large as its text, so that it is read ahead.
    let stored = gzip(text, level: 0).dropLast(missingByteCount)
    #expect(stored.count > 1 << 20)
    let sandbox = try ReportSandbox(["Subscriber_80012345_20260211_V1_3.txt.gz": Array(stored)])
    let expected = try RunOutcome(sandbox, jobs: 1)
    #expect(expected.result.files.count == 1)
    for jobs in [2, 4] {
      let found = try RunOutcome(sandbox, jobs: jobs)
      #expect(found.difference(from: expected) == [])
      #expect(found.text("health.csv") == expected.text("health.csv"))
    }
  }

  @Test(arguments: histories(2, from: 110))
  func `when the files are named one by one, in any order`(seed: UInt64) throws {
    let world = try SimulatedReports(seed: seed, faults: true)
    let sandbox = try world.sandbox()
    let expected = try RunOutcome(sandbox)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2 {
      let paths = world.reports.keys.sorted().shuffled(using: &random)
      let found = try RunOutcome(paths.map { sandbox.path + "/" + $0 })
      #expect(found.difference(from: expected) == [])
    }
  }

  @Test(arguments: histories(3, from: 120))
  func `when the files lie in other folders whose paths sort alike`(seed: UInt64) throws {
    let world = try SimulatedReports(seed: seed, faults: true)
    let expected = try RunOutcome(try world.sandbox())
    let moved = try ReportSandbox()
    var random = SeededGenerator(seed: seed)
    for (index, path) in world.reports.keys.sorted().enumerated() {
      let depth = Int.random(in: 0..<3, using: &random)
      let below = String(repeating: "deep/", count: depth)
      // The number keeps the order of the paths, whatever follows it.
      try moved.write(
        "\(100_000 + index)/\(below)\(lastComponent(path))", world.reports[path] ?? [])
    }
    #expect(try RunOutcome(moved).difference(from: expected) == [])
  }

  @Test(arguments: histories(3, from: 125))
  func `when reports are downloaded again`(seed: UInt64) throws {
    var world = try SimulatedReports(seed: seed)
    let expected = try RunOutcome(try world.sandbox())
    var random = SeededGenerator(seed: seed)
    world.downloadAgain(&random)
    let found = try RunOutcome(try world.sandbox())
    #expect(found.difference(from: expected) == [])
  }

  @Test(arguments: histories(2, from: 130))
  func `when several inputs hold parts of the files`(seed: UInt64) throws {
    let world = try SimulatedReports(seed: seed, faults: true)
    let expected = try RunOutcome(try world.sandbox())
    let parts = try (0..<3).map { _ in try ReportSandbox() }
    var random = SeededGenerator(seed: seed)
    for (path, bytes) in world.reports.sorted(by: { $0.key < $1.key }) {
      try parts[Int.random(in: 0..<3, using: &random)].write(path, bytes)
    }
    for inputs in [parts, parts.reversed()] {
      let found = try RunOutcome(inputs.map(\.path))
      #expect(found.difference(from: expected) == [])
      #expect(found.text("health.csv") == expected.text("health.csv"))
    }
  }

  @Test(arguments: histories(4, from: 140))
  func `when each day is cut into the files of several vendors`(seed: UInt64) throws {
    let world = try SimulatedReports(seed: seed)
    let expected = try RunOutcome(try world.sandbox())
    let cut = try ReportSandbox()
    var random = SeededGenerator(seed: seed)
    for (path, bytes) in world.reports.sorted(by: { $0.key < $1.key }) {
      var vendors = cutRows(bytes, into: 3, using: &random)
      // A vendor without rows has a file with a header only, or the day would be missing.
      while vendors.count < 3 { vendors.append(lines(bytes)[0]) }
      for (index, piece) in vendors.enumerated() {
        // A folder a day, so that the pieces come in the order of the rows.
        let name = lastComponent(path).replacing("80012345", with: "8001234\(5 + index)")
        try cut.write("\(path)/\(name)", piece)
      }
    }
    let found = try RunOutcome(cut)
    #expect(found.result.files.count > expected.result.files.count)
    #expect(found.difference(from: expected) == [])
    #expect(found.checks.hold)
  }

  @Test(arguments: histories(3, from: 150))
  func `when rows of a day lie in a neighbouring day's file`(seed: UInt64) throws {
    let world = try SimulatedReports(seed: seed, kinds: [.subscriber])
    let expected = try RunOutcome(try world.sandbox())
    let moved = try ReportSandbox()
    var random = SeededGenerator(seed: seed)
    var carried: [UInt8] = []
    let paths = world.reports.keys.sorted()
    for path in paths {
      let lines = lines(world.reports[path] ?? [])
      let rows = lines.dropFirst()
      let kept = path == paths.last ? rows.count : Int.random(in: 0...rows.count, using: &random)
      let file = lines[0] + carried + rows.prefix(kept).joined()
      carried = Array(rows.dropFirst(kept).joined())
      try moved.write(path, file)
    }
    #expect(try RunOutcome(moved).difference(from: expected) == [])
  }
}

/// Cuts a report into reports with the same header and the rows in the same order.
///
/// Each piece has at least one row, unless there are none, and no two are alike: identical files are
/// one file.
private func cutRows(
  _ bytes: [UInt8], into pieces: Int, using random: inout SeededGenerator
) -> [[UInt8]] {
  let lines = lines(bytes)
  let rows = Array(lines.dropFirst())
  guard rows.count > pieces else { return [bytes] }
  let cuts = (1..<rows.count).shuffled(using: &random).prefix(pieces - 1).sorted()
  let reports = zip([0] + cuts, cuts + [rows.count]).map { lines[0] + rows[$0..<$1].joined() }
  return Set(reports).count == reports.count ? reports : [bytes]
}

private func lines(_ bytes: [UInt8]) -> [[UInt8]] {
  bytes.split(separator: 10).map { Array($0) + [10] }
}

func lastComponent(_ path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}
