import Pages
import Pipeline
import PipelineTestSupport
import ReportFolder
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Worlds whose nights are told to a ledger.
private let worlds: [SimulatedReports] = (0..<2).compactMap { seed in
  try? SimulatedReports(seed: 960 + seed, subscribers: 40, to: "2026-02-12")
}

@Suite("A ledger of nights")
struct LedgerNightTests {
  private func whole(_ outcome: RunOutcome) throws -> [ReportTable] {
    // The ids of products say the same as the names.
    let ofPrices = outcome.result.priceTables.filter {
      $0.dimensions.isEmpty && ["price_changes", "price_impact"].contains($0.name)
    }.map { $0.keeping { $0 != "product_id" } }
    return try outcome.result.tables().values.compactMap { $0.first { $0.dimensions.isEmpty } }
      .sorted { $0.name < $1.name } + ofPrices
  }

  /// Lets reports come, go and be restated.
  private func night(_ files: inout NightlyFiles) throws {
    try files.add(Int.random(in: 0..<5, using: &files.random))
    guard let (name, bytes) = files.any() else { return }
    switch Int.random(in: 0..<4, using: &files.random) {
    case 0: try files.put(name, nil)
    case 1: try files.put("z/" + name, files.restated(bytes) { _, _ in })
    case 2: try files.put(name, files.restated(bytes) { _, _ in })
    default: break
    }
  }

  @Test(arguments: 0..<UInt64(TestTier.current.histories(of: 12)))
  func `knows the tables of each night, and gives the same folder again`(_ seed: UInt64) throws {
    try #require(worlds.count == 2)
    var files = try NightlyFiles(seed: seed, worlds: worlds, first: 60..<120)
    var ledger = try LedgerExample()
    var told: [String: [ReportTable]] = [:]
    for number in 1...6 {
      try night(&files)
      let read = try #require(Ledger(ledger.path))
      let before = LedgerBefore(
        try read.state(), .init(path: "ledger.jsonl", length: read.length, sha256: read.sha256))
      let outcome = try RunOutcome([files.sandbox.reports], ledger: before)
      let entry = try #require(outcome.report.ledgerEntry)
      #expect(entry.sequence == number)
      #expect(outcome.report.manifest.ledger == before.part)
      #expect(outcome.files["changes.csv"] != nil)
      #expect(
        outcome.text("index.html").contains(
          number == 1 ? "This is the first run in the ledger" : "since the last run"))
      try ledger.add(entry)
      let day = try #require(entry.asOf).description
      told[day] = try whole(outcome)
      // The ledger has a line more now; the part that the run read gives the same bytes.
      let part = try #require(Ledger(ledger.path, length: before.part.length))
      #expect(part.sha256 == before.part.sha256)
      let again = LedgerBefore(try part.state(), before.part)
      let repeated = try RunOutcome([files.sandbox.reports], jobs: 1, ledger: again)
      #expect(repeated.differingFiles(from: outcome) == [])
    }
    for (day, tables) in told {
      for table in tables {
        #expect(try ledger.history(table.name, at: day).table == table, "\(table.name) of \(day)")
      }
    }
  }

  @Test
  func `has no file of a run without one`() throws {
    let outcome = try RunOutcome(try worlds[0].sandbox())
    #expect(outcome.files["changes.csv"] == nil && outcome.report.ledgerEntry == nil)
    #expect(!outcome.text("manifest.json").contains("\"ledger\""))
    #expect(!outcome.text("summary.md").contains("Changed since the last run"))
  }

  @Test
  func `names no customer`() throws {
    let sandbox = try worlds[1].sandbox()
    let part = Ledger.Part(path: "ledger.jsonl", length: 0, sha256: "")
    let outcome = try RunOutcome([sandbox.path], ledger: LedgerBefore(LedgerState(), part))
    let text = try #require(outcome.report.ledgerEntry).text
    let ids = worlds[1].reports.filter { $0.key.contains("Subscriber_") }.flatMap { report in
      let rows = String(decoding: report.value, as: UTF8.self).split(separator: "\n").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)
      }
      let place = rows.first?.firstIndex { $0 == "Subscriber ID" }
      return rows.dropFirst().compactMap { row in place.map { row[$0] } }
    }
    #expect(ids.count > 40)
    #expect(Set(ids).allSatisfy { !text.contains("\"\($0)\"") })
    #expect(outcome.result.files.allSatisfy { text.contains($0.sha256) })
  }
}
