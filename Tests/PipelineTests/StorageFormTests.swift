import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import Testing

/// A way to store the same report.
enum StorageForm: CaseIterable {
  case gzip, gzipMembers, gzipAndZeros, carriageReturns, byteOrderMark, withoutLastLineFeed
  case blankLines, mixed

  /// Returns the bytes as stored.
  func stored(_ text: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
    switch self {
    case .gzip: return SubreportTestSupport.gzip(text)
    case .gzipMembers:
      let cuts = (0..<4).map { _ in Int.random(in: 0...text.count, using: &random) }.sorted()
      return zip([0] + cuts, cuts + [text.count]).flatMap {
        SubreportTestSupport.gzip(Array(text[$0..<$1]))
      }
    case .gzipAndZeros: return SubreportTestSupport.gzip(text) + [0, 0, 0, 0, 0]
    case .carriageReturns: return text.flatMap { $0 == 10 ? [13, 10] : [$0] }
    case .byteOrderMark: return [0xEF, 0xBB, 0xBF] + text
    case .withoutLastLineFeed: return text.last == 10 ? text.dropLast() : text
    case .blankLines: return text.flatMap { $0 == 10 ? [10, 10, 32, 10] : [$0] }
    case .mixed:
      let form = Self.allCases.filter { $0 != .mixed }.randomElement(using: &random)
      let inner = form?.stored(text, using: &random) ?? text
      // A second envelope only around what is still text.
      return inner.first == 0x1F || Bool.random(using: &random)
        ? inner : SubreportTestSupport.gzip(inner)
    }
  }
}

@Suite("A report gives the same tables")
struct StorageFormTests {
  private static let worlds = Memo<UInt64, SimulatedReports>()
  private static let outcomes = Memo<UInt64, RunOutcome>()

  @Test(arguments: StorageForm.allCases, histories(2, from: 200))
  func `stored in any form`(form: StorageForm, seed: UInt64) throws {
    let world = try Self.worlds.value(seed) { try SimulatedReports(seed: seed, to: "2026-01-24") }
    let expected = try Self.outcomes.value(seed) { try RunOutcome(try world.sandbox()) }
    let sandbox = try ReportSandbox()
    var random = SeededGenerator(seed: seed)
    for (path, text) in world.reports.sorted(by: { $0.key < $1.key }) {
      try sandbox.write(path, form.stored(text, using: &random))
    }
    let found = try RunOutcome(sandbox)
    #expect(found.difference(from: expected) == [])
    #expect(found.text("days.csv") == expected.text("days.csv"))
    #expect(found.result.files.map(\.rows) == expected.result.files.map(\.rows))
    #expect(found.result.fileDiagnostics == [])
  }

  @Test(arguments: [
    ".txt", ".txt.gz", ".tsv", ".csv", ".gz", "", ".zip",
  ])
  func `under any suffix, because content tells what it is`(suffix: String) throws {
    let plain = try ReportSandbox()
    let packed = try ReportSandbox()
    for day in 1...4 {
      let report = ReportText.subscriber.with(["Event Date": "2026-01-0\(day)"])
      let name = String(subscriberName(day).dropLast(4))
      try plain.write(name + ".txt", report.bytes)
      try packed.write(name + suffix, day % 2 == 0 ? gzip(report.bytes) : report.bytes)
    }
    #expect(try RunOutcome(packed).difference(from: RunOutcome(plain)) == [])
  }
}
