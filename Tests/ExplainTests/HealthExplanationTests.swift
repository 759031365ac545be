import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// A run of a folder, to explain its health.
private struct HealthRun {
  let result: RunResult
  let context: ReadContext
  let health: LongTable

  init(_ sandbox: ReportSandbox, change: (inout RunPlan) -> Void = { _ in }) throws {
    result = carryOut([sandbox.path], views: [[]]) { plan in
      plan.keepsContext = true
      change(&plan)
    }
    context = try #require(result.context)
    health = result.health([])
  }

  /// The paths of the files that have counts, each with its counts: read, used, rejected, ignored.
  var counts: [(path: String, counts: [String])] {
    health.rows.compactMap { cells in
      let texts = cells.map(\.text)
      return texts[5].isEmpty ? nil : (texts[0], Array(texts[5...8]))
    }
  }

  func explanation(
    _ cell: String, _ path: String, limit: Int? = nil, leavingOut: Bool = false
  ) throws -> Explanation {
    try Explanation(
      Question(cell, about: .health, where: ["path=\(path)"]), health, result, context,
      Listing(limit: limit, leavingOut: leavingOut))
  }

  /// The rows of a list: column, value, fact and place.
  func rows(_ cell: String, _ path: String) throws -> [[String]] {
    let found = try explanation(cell, path)
    #expect(found.failures == [])
    return found.table.rows.indices.map {
      found.table.texts(["column", "value", "fact", "rows"], row: $0)
    }
  }
}

@Suite("Explained counts of health")
struct HealthExplanationTests {
  @Test(arguments: histories(4, from: 340))
  func `name every row of every report, in worlds with every fault`(seed: UInt64) throws {
    let world = try SimulatedReports(seed: seed, subscribers: 80, faults: true)
    let sandbox = try world.sandbox()
    let run = try HealthRun(sandbox)
    let outcome = try RunOutcome(sandbox)
    #expect(run.counts.count == world.reports.count)
    let rejects = Dictionary(grouping: outcome.rows("rejects.csv")) { $0["file"] ?? "" }
    for (path, counts) in run.counts {
      let all = try run.rows("health.rows_read", path)
      let lines = (world.reports[path] ?? []).count { $0 == 10 }
      // The first line is the header.
      let places = lines < 2 ? [] : (2...lines).map { "\(path):\($0)" }
      #expect(all.map { $0[3] } == places)
      let used = try run.rows("health.rows_used", path)
      let others = try run.explanation("health.rows_used", path, leavingOut: true)
      let placesOfOthers = others.table.rows.indices.map {
        others.table.texts(["rows"], row: $0)[0]
      }
      #expect(Set(used.map { $0[3] } + placesOfOthers) == Set(places))
      #expect(used.count + placesOfOthers.count == places.count)
      #expect(
        others.lines.last
          == "besides, \(placesOfOthers.count) \(placesOfOthers.count == 1 ? "row" : "rows") of the file"
      )
      let parts = try run.rows("health", path)
      #expect(Set(parts.map { $0[3] }) == Set(places) && parts.count == places.count)
      #expect(
        ["rows_used", "rows_rejected", "rows_ignored"].map { name in
          "\(parts.count { $0[0] == name })"
        } == Array(counts.dropFirst()))
      let rejected = parts.filter { $0[0] == "rows_rejected" }
      #expect(
        rejected.map { [$0[2], $0[3]] }
          == (rejects[path] ?? []).map { [$0["code"] ?? "", "\(path):\($0["line"] ?? "")"] })
      let note = outcome.health(path)["note"] ?? ""
      let ignored = Dictionary(grouping: parts.filter { $0[0] == "rows_ignored" }) { $0[2] }
      #expect(ignored.allSatisfy { note.contains("\($0): \($1.count)") }, "\(note)")
    }
  }

  @Test
  func `say why a row is ignored or rejected`() throws {
    let report = ReportText.subscriber.with(
      [:], ["Units": "0"], ["Units": "1.5"], ["Event Date": "2026-02-30"], [:])
    let sandbox = try ReportSandbox([subscriberName(5): report.bytes])
    let run = try HealthRun(sandbox)
    let found = try run.explanation("health", subscriberName(5))
    #expect(
      found.lines == [
        "rows_used: 2 rows add up to 2, as health.csv says",
        "rows_rejected: 2 rows add up to 2, as health.csv says",
        "rows_rejected: not-a-date: 1; not-a-whole-number: 1",
        "rows_ignored: 1 row adds up to 1, as health.csv says",
        "rows_ignored: zero-quantity: 1",
      ])
    let rejects = run.result.rejectTable
    let expected = [0, 1].map { rejects.texts(["expected"], row: $0)[0] }
    let names = ["column", "fact", "because", "rows"]
    #expect(
      found.table.rows.indices.map { found.table.texts(names, row: $0) } == [
        [
          "rows_used", "used", "the row can be read, and its file is used",
          "\(subscriberName(5)):2",
        ],
        [
          "rows_used", "used", "the row can be read, and its file is used",
          "\(subscriberName(5)):6",
        ],
        [
          "rows_rejected", "not-a-whole-number",
          "column \"Units\": found \"1.5\", expected \(expected[0]) [not-a-whole-number]",
          "\(subscriberName(5)):4",
        ],
        [
          "rows_rejected", "not-a-date",
          "column \"Event Date\": found \"2026-02-30\", expected \(expected[1]) [not-a-date]",
          "\(subscriberName(5)):5",
        ],
        ["rows_ignored", "zero-quantity", "0 units, and no refund", "\(subscriberName(5)):3"],
      ])
    let limited = try run.explanation("health.rows_read", subscriberName(5), limit: 2)
    #expect(limited.lines == ["5 rows add up to 5, as health.csv says"])
    #expect(
      limited.table.texts(["value", "because", "rows"], row: 2) == [
        "3", "3 more contributions, not listed", "",
      ])
  }

  @Test
  func `add up for files that do not count, and for damaged ones`() throws {
    let good = ReportText.subscriber.with([:], [:])
    // With the rows of the other day its bytes would be those of that day's report.
    let ofDay6 = ["Event Date": "2026-01-06"]
    var long = ReportText.subscriber
    long.rows = (0..<8_000).map { ["Subscriber ID": "\(700_000_000_000_000_000 + $0 * 7919)"] }
    var damaged = gzip(long.bytes)
    damaged[damaged.count - 6] ^= 0x40
    let sandbox = try ReportSandbox([
      subscriberName(5): good.bytes, "again/" + subscriberName(5): good.bytes,
      subscriberName(6): ReportText.subscriber.with(ofDay6).bytes,
      "z/" + subscriberName(6): ReportText.subscriber.with(ofDay6, ofDay6).bytes,
      subscriberName(7) + ".gz": damaged,
      subscriberName(8): "Event Date\tUnits\n2026-01-08\t1\n".utf8.map { $0 },
      subscriberName(20): ReportText.subscriber.with(["Event Date": "2026-01-20"]).bytes,
      "codes.txt": ReportText.offerRedemption.with([:], [:]).bytes,
      "readme.txt": Array("Call the bank.\n".utf8),
    ])
    let run = try HealthRun(sandbox) { $0.asOf = Day("2026-01-10") }
    for (path, counts) in run.counts {
      let facts = try run.rows("health.rows_read", path).map { $0[2] }
      #expect("\(facts.count)" == counts[0], "\(path)")
      let parts = try run.rows("health", path)
      #expect(
        ["rows_used", "rows_rejected", "rows_ignored"].map { name in
          "\(parts.count { $0[0] == name })"
        } == Array(counts.dropFirst()), "\(path)")
    }
    let because = { (path: String) in
      try run.explanation("health.rows_ignored", path).table.texts(["fact", "because"])
    }
    #expect(
      try because(subscriberName(6)) == [
        "restated", "z/\(subscriberName(6)) replaces the file: it is the same report",
      ])
    // Rows that were read before the damage was found, if any.
    let damagedRows = try run.rows("health", subscriberName(7) + ".gz")
    #expect(damagedRows.allSatisfy { $0[0] == "rows_ignored" && $0[2] == "damaged file" })
    #expect(try because("codes.txt") == ["other report", "no table uses reports of this kind"])
    #expect(
      try because(subscriberName(20)) == ["after as-of", "of a time after as-of, 2026-01-10"])
  }

  @Test
  func `tell the rows of finance files that another form has`() throws {
    let sandbox = try ReportSandbox([
      "80012345_0126_EU.txt": ReportText.financial.with(euro).bytes,
      "80012345_0126_ZZ.txt": ReportText.financial.with([:], euro, [:], ["Quantity": "x"]).bytes,
      "detail.tsv": ReportText.financeDetail.with([:], [:]).bytes,
      "payments.csv": Array(payments(euroPayment).utf8),
    ])
    let run = try HealthRun(sandbox)
    let code = run.result.rejectTable.texts(["code"])[0]
    #expect(
      try run.rows("health.rows_read", "80012345_0126_ZZ.txt").map { [$0[2], $0[3]] } == [
        ["used", "80012345_0126_ZZ.txt:2"],
        ["other form of the same report", "80012345_0126_ZZ.txt:3"],
        ["used", "80012345_0126_ZZ.txt:4"], [code, "80012345_0126_ZZ.txt:5"],
      ])
    for path in ["80012345_0126_EU.txt", "detail.tsv", "payments.csv"] {
      #expect(try run.rows("health.rows_read", path).allSatisfy { $0[2] == "used" })
    }
  }

  @Test
  func `tell the notifications that were sent before`() throws {
    let notification = """
      {"notificationType":"DID_RENEW","notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb20",\
      "data":{"environment":"Production","signedTransactionInfo":{"transactionId":"70001",\
      "originalTransactionId":"70000","purchaseDate":1767254400000,"signedDate":1767254400000}},\
      "version":"2.0","signedDate":1767254400000}\n
      """
    let sandbox = try ReportSandbox([
      "first.ndjson": Array(notification.utf8),
      "second.ndjson": Array(("{\"status\":21003}\n" + notification + "{\"a\":\n").utf8),
    ])
    let run = try HealthRun(sandbox)
    #expect(try run.rows("health.rows_used", "first.ndjson").map { $0[3] } == ["first.ndjson:1"])
    let second = try run.rows("health", "second.ndjson")
    let counts = try #require(run.counts.first { $0.path == "second.ndjson" }?.counts)
    #expect("\(second.count)" == counts[0])
    #expect(second.contains { $0[2] == "duplicate notificationUUID" && $0[3] == "second.ndjson:2" })
    #expect(second.contains { $0[2] == "status not 0 or 21006" && $0[3] == "second.ndjson:1" })
  }

  @Test
  func `add up for simulated receipts`() throws {
    let world = try SimulatedReports(seed: 941, subscribers: 60, kinds: [.receipts])
    let sandbox = try world.sandbox()
    defer { withExtendedLifetime(sandbox) {} }
    let run = try HealthRun(sandbox)
    #expect(!run.counts.isEmpty)
    for (path, counts) in run.counts {
      let parts = try run.rows("health", path)
      #expect("\(parts.count)" == counts[0], "\(path)")
    }
  }

  @Test
  func `are refused with what can be asked`() throws {
    func message(_ cell: String, _ conditions: [String]) throws -> String? {
      let sandbox = try ReportSandbox([
        subscriberName(5): ReportText.subscriber.with([:]).bytes,
        subscriberName(6): ReportText.subscriber.with([:]).bytes,
      ])
      let run = try HealthRun(sandbox)
      do {
        _ = try Explanation(
          Question(cell, about: .health, where: conditions), run.health, run.result, run.context)
        return nil
      } catch let error as QuestionError {
        return error.message
      }
    }
    #expect(try message("health.rows_used", ["period=2026-01-05"]) == nil)
    #expect(
      try message("health", ["kind=subscriber"])
        == "health has 2 rows for kind subscriber; choose one with --where path=…, as health.csv has it"
    )
    #expect(try message("health.rows", [])?.contains("no such count") == true)
    #expect(try message("health", ["country=US"])?.contains("no rows by country") == true)
    #expect(
      try message("health", ["path=\(subscriberName(7))"])?.contains("did you mean") == true)
  }

  @Test
  func `are not those of a row about the run, whose message says what it is about`() throws {
    let sandbox = try ReportSandbox([subscriberName(5): ReportText.subscriber.with([:]).bytes])
    let run = try HealthRun(sandbox)
    for count in 1...2 {
      let others = (1...count).map { RunResult.healthRow("receipts", note: "note \($0)") }
      let error = #expect(throws: QuestionError.self) {
        _ = try Explanation(
          Question("health", about: .health, where: ["kind=receipts"]), run.result.health(others),
          run.result, run.context)
      }
      #expect(
        error?.message
          == "explain health: this row is about the run: \"note 1\"; it has no rows of a file to list; choose a file with --where path=…, as health.csv has it"
      )
    }
  }

  @Test
  func `fail if the file has changed`() throws {
    let sandbox = try ReportSandbox([subscriberName(5): ReportText.subscriber.with([:]).bytes])
    let run = try HealthRun(sandbox)
    try sandbox.write(subscriberName(5), ReportText.subscriber.with([:], [:]).bytes)
    #expect(throws: KeptCharges.LineError.self) {
      try run.explanation("health.rows_used", subscriberName(5))
    }
  }
}
