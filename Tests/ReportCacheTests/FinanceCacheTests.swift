import Pipeline
import PipelineTestSupport
import ReportCache
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("A cache of finance files")
struct FinanceCacheTests {
  @Test
  func `is made by the first run and used by the second`() throws {
    let sandbox = try CacheSandbox(financeFiles)
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

  @Test
  func `keeps nothing of a file that cannot be trusted`() throws {
    let sandbox = try CacheSandbox([
      "80012345_0126_EU.txt": ReportText.financial.with(euro).bytes
        + Array("Total_Rows\t2\n".utf8),
      "80012345_0126_QQ.txt": ReportText.financial.with([:]).bytes,
      "detail.tsv": ReportText.financeDetail.with().bytes,
    ])
    for _ in 0..<2 { #expect(try sandbox.differences() == []) }
    #expect(sandbox.entries == [])
  }

  @Test
  func `keeps what is read in another way apart`() throws {
    let sandbox = try CacheSandbox(financeFiles)
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
}
