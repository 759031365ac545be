import Metrics
import Pipeline
import SubreportTestSupport
import SubscriptionModel
import Testing

private let france = ["Country Of Sale": "FR", "Partner Share Currency": "EUR"]
private let refund = ["Sales or Return": "R", "Quantity": "-1", "Extended Partner Share": "-6.99"]

/// Finance files of one period, and sales to reconcile them with.
private let files: [String: [UInt8]] = [
  "80012345_0126_EU.txt": ReportText.financial.with(euro, france).bytes,
  "80012345_0126_ZZ.txt": ReportText.financial.with(euro, [:], refund).bytes,
  "80012345_0126_US.txt": ReportText.financial.with(["Quantity": "x"], [:]).bytes
    + Array("Total_Rows\t2\nTotal_Amount\t13.98\nTotal_Units\t2\n".utf8),
  "detail.tsv": ReportText.financeDetail.with([:], ["Country of Sale": "XX"]).bytes,
  "payments.csv": Array(payments(euroPayment).utf8),
  "S_D_80012345_20260105.txt": ReportText.sales.with([:], ["Units": "2"]).bytes,
]

@Suite("A cache of finance files")
struct FinanceCacheTests {
  @Test("is made by the first run and used by the second")
  func isUsed() throws {
    let sandbox = try CacheSandbox(files)
    #expect(try sandbox.differences() == [])
    let inodes = sandbox.inodes
    #expect(try sandbox.differences() == [])
    #expect(inodes.count == 6 && sandbox.inodes == inodes)
    #expect(
      Set(sandbox.readings.map(withoutDigits)) == [
        "financial", "finance-detail", "payments", "sales-daily-all",
      ])
    let status = try CacheContents.table(of: sandbox.cache, version: "1.2.3")
    #expect(
      status.rows.map { $0[0] } == [
        .text("finance-detail"), .text("financial"), .text("payments"), .text("sales-daily-all"),
      ])
  }

  @Test("keeps nothing of a file that cannot be trusted")
  func notTrusted() throws {
    let sandbox = try CacheSandbox([
      "80012345_0126_EU.txt": ReportText.financial.with(euro).bytes
        + Array("Total_Rows\t2\n".utf8),
      "80012345_0126_QQ.txt": ReportText.financial.with([:]).bytes,
      "detail.tsv": ReportText.financeDetail.with().bytes,
    ])
    for _ in 0..<2 { #expect(try sandbox.differences() == []) }
    #expect(sandbox.entries == [])
  }

  @Test("keeps what is read in another way apart")
  func otherOptions() throws {
    let sandbox = try CacheSandbox(files)
    let regions = FinanceRegions(FinanceRegions.apple.all.filter { $0.code != "EU" })
    let changes: [(inout RunPlan) -> Void] = [
      { _ in }, { $0.financeRegions = regions }, { $0.readsFinance = false },
      { $0.asOf = Day("2026-01-30") }, { $0.asOf = Day("2026-01-31") },
      { $0.filters.vendors = ["80012346"] }, { $0.sources = [.sales] },
    ]
    for _ in 0..<2 {
      for change in changes { #expect(try sandbox.differences(change: change) == []) }
    }
  }

  @Test("says what a run without says, whatever happens", arguments: histories(16))
  func anyHistory(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sandbox = try CacheSandbox()
    for _ in 0..<6 {
      for _ in 0..<3 {
        let name = try #require(files.keys.sorted().randomElement(using: &random))
        let bytes = try #require(files[name])
        let others = [name, name.replacing("0126", with: "0226"), "other-" + name]
        let path = try #require(others.randomElement(using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: sandbox.remove(path)
        case 1: try sandbox.write(path, gzip(bytes))
        case 2: try sandbox.write(path, Array(gzip(bytes).dropLast()))
        case 3: try sandbox.write(path, bytes + (bytes.split(separator: 10).last ?? []) + [10])
        default: try sandbox.write(path, bytes)
        }
      }
      if let entry = sandbox.entries.randomElement(using: &random), Bool.random(using: &random) {
        try sandbox.writeEntry(entry, Array(try sandbox.entry(entry).dropLast()))
      }
      let differences = try sandbox.differences(jobs: Int.random(in: 1..<4, using: &random))
      #expect(differences.filter { !$0.hasPrefix("cache: made the entry of ") } == [])
      #expect(try sandbox.differences() == [])
    }
  }
}
