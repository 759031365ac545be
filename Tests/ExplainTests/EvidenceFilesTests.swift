import Explain
import Pages
import Pipeline
import PipelineTestSupport
import ReportCache
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Runs a report with evidence.
private func evidence(
  _ sandbox: ReportSandbox, jobs: Int = 2, naming: CustomerTable.Naming? = nil,
  change: (inout RunPlan) -> Void = { _ in }, afterRun: () throws -> Void = {}
) throws -> (result: RunResult, files: EvidenceFiles) {
  let result = carryOut([sandbox.path], views: [[]], jobs: jobs) { plan in
    plan.keepsCharges = true
    plan.keepsContext = true
    plan.keepsReceipts = true
    change(&plan)
  }
  try afterRun()
  return (result, try EvidenceFiles(result, naming: naming))
}

extension EvidenceFiles {
  /// The rows of a table's file, by the names of its columns; `nil` without the file.
  fileprivate func rows(_ kind: TableKind) throws -> [[String: String]]? {
    guard let file = files.first(where: { $0.name == "evidence/\(kind.rawValue).csv.gz" }) else {
      return nil
    }
    let text = try #require(GzipMember.content(of: file.bytes))
    return csvRows(String(decoding: text, as: UTF8.self))
  }
}

/// Explains a row of a run.
private func explanation(
  _ question: Question, _ month: Month, _ result: RunResult
) throws -> Explanation {
  try Explanation(question, month: month, result)
}

/// Compares the files with what `explain` lists for each row of the tables, and with the cells.
private func expectLists(_ result: RunResult, _ evidence: EvidenceFiles) throws {
  #expect(evidence.failures.isEmpty, "\(evidence.failures)")
  let month = try #require(result.lastCompleteMonth())
  let monthName = result.plan.monthSystem.name(month)
  for kind in TableKind.allCases {
    guard var listed = try evidence.rows(kind)?[...] else { continue }
    let table = try result.tableMaker().table(kind, view: 0)
    for place in table.rows.indices {
      let row = table.row(place)
      let source = Question.sources.first { $0.name(in: kind) == row["source"]?.text }
      guard let source, ColumnMakeup.tables(from: source).contains(kind),
        row["month"].map({ $0.text == monthName }) ?? true
      else { continue }
      let keys = ["source", "month", "basis", "dating", "currency", "k"].filter { row[$0] != nil }
      let chosen = keys.dropFirst().filter { $0 != "month" }
      let question = try Question(
        kind.rawValue, where: chosen.map { "\($0)=\(row[$0]?.text ?? "")" }, from: [source])
      let explained = try explanation(question, month, result)
      let own = listed.prefix(explained.table.rows.count)
      listed = listed.dropFirst(own.count)
      let names = explained.table.columns.map(\.name).filter { $0 != "value" }
      for (found, number) in zip(own, explained.table.rows.indices) {
        #expect(names.map { found[$0] } == explained.table.texts(names, row: number))
        #expect(keys.map { found[$0] } == keys.map { row[$0]?.text })
      }
      for sum in explained.sums { expectSum(sum, Array(own), kind, source) }
    }
    #expect(listed.isEmpty, "\(kind)")
  }
}

/// Adds up the values of a column.
private func expectSum(
  _ sum: Explanation.Sum, _ rows: [[String: String]], _ kind: TableKind, _ source: Source
) {
  let measure = ColumnMakeup.of(sum.column, in: kind, from: source)?.sum?.measure
  guard let measure, measure.percent == nil else { return }
  let values = rows.filter { $0["column"] == sum.column }.map { Double($0["value"] ?? "") ?? 0 }
  // Amounts have at most three decimals.
  let scale = measure.isMoney ? 1_000.0 : 1
  let total = values.reduce(Int128(0)) { $0 + Int128(($1 * scale).rounded()) }
  #expect(total == sum.expected, "\(kind).\(sum.column) of \(source)")
}

@Suite("The evidence of a report")
struct EvidenceFilesTests {
  @Test(arguments: histories(12))
  func `lists for each cell of the headline month what adds up to it`(seed: UInt64) throws {
    let reports = try SimulatedReports(
      seed: seed, subscribers: 100, to: seed % 2 == 0 ? "2026-04-20" : "2026-03-31",
      faults: seed % 3 == 0)
    let sandbox = try reports.sandbox()
    let (result, files) = try evidence(sandbox, jobs: seed % 2 == 0 ? 1 : 3) { plan in
      if seed % 4 == 3 { plan.monthSystem = .fiscal }
    }
    #expect(files.files.count == 10)
    try expectLists(result, files)
  }

  /// Several currencies, and lines that are no rows.
  @Test
  func `tells currencies and paid periods apart, and counts lines as they are`() throws {
    let row = { (day: String, id: String, currency: String) in
      [
        "Event Date": day, "Subscriber ID": id, "Customer Currency": currency,
        "Proceeds Currency": currency,
      ]
    }
    let refund = row("2026-01-12", "3", "EUR").merging(
      ["Refund": "Yes", "Purchase Date": "2026-01-05", "Customer Price": "-9.99"]) { $1 }
    let first = ReportText.subscriber.with(
      row("2026-01-05", "1", "USD"), row("2026-01-05", "2", "EUR"), row("2026-01-05", "3", "EUR"),
      refund)
    let lines = first.text.split(separator: "\n").map(String.init)
    let rest = lines.dropFirst(2).joined(separator: "\n")
    let withBlanks = "\(lines[0])\n\n\(lines[1])\n \n\n\(rest)\n"
    let sandbox = try ReportSandbox([
      "Subscriber_80012345_20250901_V1_3.txt": ReportText.subscriber.bytes,
      "Subscriber_80012345_20260112_V1_3.txt": Array(withBlanks.utf8),
      "Subscriber_80012345_20260205_V1_3.txt": ReportText.subscriber.with(
        row("2026-02-05", "1", "USD"), row("2026-02-05", "2", "EUR")
      ).bytes,
      "Subscriber_80012345_20260305_V1_3.txt": ReportText.subscriber.with(
        row("2026-03-05", "1", "USD")
      ).bytes,
      "Subscriber_80012345_20260531_V1_3.txt": ReportText.subscriber.bytes,
    ])
    for month in ["2026-01-31", "2026-02-28", "2026-05-31"] {
      let (result, files) = try evidence(sandbox) { $0.asOf = Day(month) }
      try expectLists(result, files)
    }
    let (_, files) = try evidence(sandbox)
    let retention = try #require(try files.rows(.retention))
    #expect(Set(retention.compactMap { $0["k"] }).count > 1)
    #expect(
      retention.contains { $0["rows"]?.contains("Subscriber_80012345_20260112_V1_3.txt:3") == true }
    )
  }

  @Test
  func `has the same bytes on any number of threads, and with a cache`() throws {
    let reports = try SimulatedReports(seed: 9, subscribers: 120, to: "2026-04-20")
    let (sandbox, folder) = (try reports.sandbox(), try ReportSandbox())
    let bytes = { (files: EvidenceFiles) in files.files.map(\.bytes) }
    let one = try evidence(sandbox, jobs: 1).files
    #expect(bytes(try evidence(sandbox, jobs: 4).files) == bytes(one))
    for _ in 0..<2 {
      let cache = try ExtractCache(path: folder.path + "/cache", version: "1.2.3")
      let cached = try evidence(sandbox) { $0.earlierRuns = cache }
      #expect(bytes(cached.files) == bytes(one))
    }
  }

  @Test
  func `names subscriptions by their first row, or by codes with a key`() throws {
    let row = { (day: String) in ["Event Date": day, "Subscriber ID": "100000000000077"] }
    let sandbox = try ReportSandbox([
      "Subscriber_80012345_20260105_V1_3.txt":
        ReportText.subscriber.with(row("2026-01-05")).bytes,
      "Subscriber_80012345_20260205_V1_3.txt":
        ReportText.subscriber.with(row("2026-02-05")).bytes,
      "Subscriber_80012345_20260228_V1_3.txt": ReportText.subscriber.bytes,
    ])
    let names = { (naming: CustomerTable.Naming?) in
      let files = try evidence(sandbox, naming: naming).files
      let rows = try TableKind.allCases.flatMap { try files.rows($0) ?? [] }
      #expect(!rows.isEmpty && rows.allSatisfy { !$0.values.contains("100000000000077") })
      return Set(rows.compactMap { $0["subscription"] })
    }
    #expect(try names(nil) == ["Subscriber_80012345_20260105_V1_3.txt:2"])
    let codes = try names(.anonymous(key: "secret"))
    #expect(codes.count == 1)
    #expect(codes.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test
  func `fails if a file has changed since it was read`() throws {
    let name = "Subscriber_80012345_20260105_V1_3.txt"
    let sandbox = try ReportSandbox([
      name: ReportText.subscriber.with(["Event Date": "2026-01-05"]).bytes,
      "Subscriber_80012345_20260131_V1_3.txt": ReportText.subscriber.bytes,
    ])
    #expect(throws: KeptCharges.LineError.self) {
      try evidence(
        sandbox, afterRun: { try sandbox.write(name, ReportText.subscriber.text) })
    }
  }

  @Test(arguments: histories(4))
  func `lists receipts, on any number of threads and with a cache`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: 70 + seed, subscribers: 60, to: "2026-06-30", kinds: [.receipts])
    let (sandbox, folder) = (try world.sandbox(), try ReportSandbox())
    let (result, files) = try evidence(sandbox, jobs: 3)
    #expect(result.receipts != nil && result.charges == nil)
    try expectLists(result, files)
    let sources = try TableKind.allCases.flatMap { try files.rows($0) ?? [] }
      .compactMap { $0["source"] }
    #expect(Set(sources) == ["receipts"])
    let paid = Set(try files.rows(.retention)?.compactMap { $0["k"] } ?? [])
    #expect(paid.count > 1)
    for _ in 0..<2 {
      let cache = try ExtractCache(path: folder.path + "/cache", version: "1.2.3")
      let other = try evidence(sandbox, jobs: 1) { $0.earlierRuns = cache }.files
      #expect(other.files.map(\.bytes) == files.files.map(\.bytes))
    }
  }

  @Test
  func `names customers of receipts by their first row, or by codes with a key`() throws {
    let answers = ReceiptAnswer.three.map { answer in
      var answer = answer
      answer.requested = "2026-03-01"
      return answer
    }
    let sandbox = try ReportSandbox(["dump.ndjson": ReceiptAnswer.dump(answers)])
    let names = { (naming: CustomerTable.Naming?) in
      let rows = try #require(try evidence(sandbox, naming: naming).files.rows(.churn))
      return Set(rows.compactMap { $0["subscription"] })
    }
    let places = try names(nil)
    #expect(places.contains("dump.ndjson:1 latest_receipt_info[0]"), "\(places)")
    let codes = try names(.anonymous(key: "secret"))
    #expect(codes.count == places.count && codes.allSatisfy { $0.count == 16 }, "\(codes)")
  }

  @Test
  func `is empty without input, and costs nothing without it`() throws {
    let sandbox = try ReportSandbox()
    let (result, files) = try evidence(sandbox)
    #expect(files.files.isEmpty && result.charges == nil)
    let plain = carryOut([sandbox.path], views: [[]])
    #expect(plain.charges == nil && plain.context == nil && plain.receipts == nil)
  }
}
