import AppStoreReports
import Scanning
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Robustness")
struct DamagedReportTests {
  @Test(arguments: seeds(100))
  func `damaged bytes never stop a reader, and every row is accounted for`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let columns = [
      ReportColumns.subscriber13, ReportColumns.event13, ReportColumns.snapshot13,
      ReportColumns.sales, ReportColumns.financial, ReportColumns.financeDetail,
    ][Int(seed % 6)]
    var lines = TestReport(columns: columns).lines
    for _ in 0..<40 { lines.append(noise(columns, using: &random)) }
    if seed % 3 == 0 { damage(&lines[0], using: &random) }
    let report = TestReport(lines: lines)
    guard let header = report.header else {
      #expect(report.error != nil)
      return
    }
    let count =
      switch header.kind {
      case .subscriber: report.subscribers().count
      case .subscriptionEvent: report.events().count
      case .subscription: report.snapshots().count
      case .sales: report.sales().count
      case .financial, .financeDetail: report.financeOutcomes().count
      default: report.rows.count
      }
    #expect(count == report.rows.count)
  }

  @Test
  func `what a reader has met before does not change how it reads a row`() throws {
    for refund in ["", "Yes"] {
      let row = goodSubscriber.with(["Refund": refund, "Purchase Date": "2026-10-01"])
      expectForgetful(row, ReportColumns.subscriber13) { "\($0.subscribers($1).dropFirst())" }
    }
    for columns in [ReportColumns.event13, ReportColumns.event13.reversed()] {
      expectForgetful(goodEvent, columns) { "\($0.events($1).dropFirst())" }
    }
    // Long enough to be split from its ends.
    let snapshot = goodSnapshot.with(["App Name": "A name of some twenty bytes"])
    for columns in [ReportColumns.snapshot13, ReportColumns.snapshot13.reversed()] {
      expectForgetful(snapshot, columns) { "\($0.snapshots($1).dropFirst())" }
    }
  }

  /// Expects that each change of a row reads the same after the row and after one of another country.
  private func expectForgetful(
    _ row: TestRow, _ columns: [String], _ read: (TestReport, Registries) -> String
  ) {
    let registries = Registries()
    let known = TestReport(columns: columns, rows: [row.values(columns)]).lines
    // As long as the other, so that both rows have the same place.
    let stranger = TestReport(
      columns: columns, rows: [row.with(["Country": "CA"]).values(columns)]
    ).lines
    for changed in changes(of: known[1]) {
      let afterKnown = read(TestReport(lines: known + [changed]), registries)
      let afterStranger = read(TestReport(lines: stranger + [changed]), registries)
      #expect(afterKnown == afterStranger, "\(String(decoding: changed, as: UTF8.self))")
    }
  }

  /// Returns a row, and the row with each of its bytes changed, left out, and preceded by another.
  private func changes(of row: [UInt8]) -> [[UInt8]] {
    var changes = [row, row + Array("\t".utf8), row + Array("\t \t".utf8), row + Array("\tx".utf8)]
    for offset in places(row.indices) {
      for byte in [0x09, 0x30, 0xC3] as [UInt8] {
        var changed = row
        changed[offset] = byte
        changes.append(changed)
        changed = row
        changed.insert(byte, at: offset)
        changes.append(changed)
      }
      var changed = row
      changed.remove(at: offset)
      changes.append(changed)
    }
    return changes
  }

  @Test(arguments: seeds(50))
  func `damaged payments never stop the reader`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let columns = [
      "Region (Currency)", "Balance", "Earned", "Input Tax", "Adjustments", "Withholding Tax",
      "Total Owed", "Proceeds",
    ]
    let cells = [
      "", "Euro-Zone (EUR)", "Japan (JPY)", "Europe", "9.99", "\"1,000.00\"", "-0", "9,9",
      "9223372036854775.807", "99999999999999999999", "\"5.00\" USD", "é", "\"",
    ]
    var lines = TestReport(columns.joined(separator: ",")).lines
    for _ in 0..<40 {
      let row = columns.map { _ in cells[Int.random(in: 0..<cells.count, using: &random)] }
      lines.append(Array(row.joined(separator: ",").utf8))
      if Bool.random(using: &random) { damage(&lines[lines.count - 1], using: &random) }
    }
    let report = TestReport(lines: lines)
    #expect(report.paymentsOutcomes().count == report.rows.count)
  }

  private func noise(_ columns: [String], using random: inout SeededGenerator) -> [UInt8] {
    let cells = [
      "", " ", "1", "-1", "9.99", "2026-10-05", "10/05/2026", "1 Month", "IAY", "Renew", "Yes",
      "Free Trial", "-9223372036854775808", "9223372036854775807", "99999999999999999999", "é",
    ]
    let row = columns.map { _ in cells[Int.random(in: 0..<cells.count, using: &random)] }
    var bytes = Array(row.joined(separator: "\t").utf8)
    if Bool.random(using: &random) { damage(&bytes, using: &random) }
    return bytes
  }

  private func damage(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
    for _ in 0..<3 where !bytes.isEmpty {
      let offset = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[offset] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: offset)
      default:
        bytes.insert([0x09, 0x00, 0xFF, 0x22].randomElement(using: &random) ?? 0, at: offset)
      }
    }
  }

  @Test(arguments: seeds(100))
  func `noise is told to be something`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let start: [String] = ["", "{\"errors\":[{\"detail\":\"", "{", "\"a,", "\t\t", "Metric: "]
    var line = Array(start[Int(seed) % start.count].utf8)
    for _ in 0..<200 { line.append(UInt8.random(in: 0...255, using: &random)) }
    let report = TestReport(lines: [line.filter { $0 != 0x0A }])
    #expect(report.header != nil || report.error != nil)
  }

  @Test
  func `readers that work at once share numbers`() async throws {
    let registries = Registries()
    let columns = ReportColumns.subscriber13
    let reports = (0..<4).map { worker in
      TestReport(
        columns: columns,
        rows: (0..<200).map { index in
          goodSubscriber.with([
            "Subscription Apple ID": "\((index + worker * 50) % 200)", "Subscriber ID": "u\(index)",
          ]).values(columns)
        })
    }
    let records = await withTaskGroup(of: [ChargeRecord].self) { group in
      for report in reports { group.addTask { report.subscribers(registries).compactMap(\.used) } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    let (terms, texts) = (registries.chargeTerms, registries.symbols.texts)
    #expect(records.count == 800)
    #expect(terms.count == 200)
    #expect(Set(terms).count == 200)
    #expect(Set(texts).count == texts.count)
    #expect(texts.first == "")
    #expect(Set(records.map(\.subscriber)).count == 200)
  }
}
