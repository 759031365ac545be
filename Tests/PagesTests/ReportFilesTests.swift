import Files
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("The files of a report")
struct ReportFilesTests {
  @Test
  func `are all in the manifest, with their hashes and those of the inputs`() throws {
    #expect(
      referenceSHA256(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let sandbox = try SimulatedReports(seed: 400, subscribers: 60, faults: true).sandbox()
    try sandbox.write("notes.txt", "nothing\n")
    try sandbox.write("subscriber/broken.txt", "Event Date\tSubscriber ID\tOther\n")
    let outcome = try RunOutcome([sandbox.path], options: [("by", "product"), ("app", "\"x\"")])
    let manifest = outcome.text("manifest.json")
    let names = outcome.files.keys.filter { $0 != "manifest.json" }
    #expect(
      OutputListing.paths(inManifest: outcome.files["manifest.json"] ?? [])?.count == names.count)
    #expect(manifest.hasPrefix("{\n  \"tool\": \"subreport\",\n  \"version\": \"1.2.3\",\n"))
    #expect(manifest.contains("\"by\": \"product\",\n    \"app\": \"\\\"x\\\"\"\n"))
    let outputs = entries(manifest, after: "\"outputs\"")
    #expect(outputs.keys.sorted() == names.sorted())
    for name in names {
      #expect(outputs[name] == referenceSHA256(outcome.files[name] ?? []), "\(name)")
    }
    let inputs = entries(manifest, after: "\"inputs\"").filter { outputs[$0.key] == nil }
    #expect(inputs.count == outcome.result.files.count)
    for file in outcome.result.files {
      let path = file.file.relativePath
      #expect(inputs[path] == referenceSHA256(try sandbox.bytes(path)), "\(path)")
      #expect(outcome.health(path)["sha256"] == inputs[path])
    }
  }

  private func entries(_ manifest: String, after member: String) -> [String: String] {
    let lines = manifest.split(separator: "\n").drop { !$0.contains(member) }
    return lines.reduce(into: [:]) { entries, line in
      let parts = line.split(separator: "\"")
      if parts.count == 9 || parts.count == 8 { entries[String(parts[3])] = String(parts[7]) }
    }
  }

  @Test
  func `say 0 of an earlier month without a row that was known, and nothing of one that was not`()
    throws
  {
    let last = try #require(Day("2026-03-02"))
    let cases = [
      ("2026-01-01", "| Net proceeds | 20.97 USD | ▲ 20.97, better | January 0.00 |"),
      ("2026-01-02", "| Net proceeds | 20.97 USD |  | January no data |"),
    ]
    for (firstDay, shown) in cases {
      let sandbox = try ReportSandbox()
      let first = try #require(Day(firstDay))
      for day in (first.number...last.number).map(Day.init(number:)) {
        let (text, report) = (day.description, ReportText.sales)
        let date = "\(text.dropFirst(5).replacing("-", with: "/"))/\(text.prefix(4))"
        let row = report.with(["Begin Date": date, "End Date": date])
        try sandbox.write(
          "S_D_80012345_\(text.replacing("-", with: "")).txt",
          text == "2026-02-05" ? row.bytes : report.bytes)
      }
      let page = try RunOutcome(sandbox).text("summary.md")
      #expect(page.contains(shown), "\(page)")
    }
  }

  @Test
  func `say how many records of receipts an earlier as-of leaves out`() throws {
    let answers = ["2025-03-01", "2025-04-01"].map { day in
      """
      {"status": 0, "environment": "Production", "receipt": {"bundle_id": "com.example.app", \
      "request_date": "\(day) 08:00:00 Etc/GMT"}, "latest_receipt_info": [{"transaction_id": "1000", \
      "original_transaction_id": "1000", "product_id": "com.example.month", "purchase_date": \
      "2025-02-20 08:00:00 Etc/GMT", "original_purchase_date": "2025-02-20 08:00:00 Etc/GMT", \
      "expires_date": "2025-03-20 08:00:00 Etc/GMT"}]}

      """
    }
    let sandbox = try ReportSandbox()
    try sandbox.write("dump.jsonl", answers.joined())
    let page = try RunOutcome(sandbox) { plan in
      plan.asOf = Day("2025-03-15")
      plan.receipts.asOf = Instant("2025-03-15T23:59:59Z")
    }.text("summary.md")
    let line =
      "**After the last day:** 1 record of receipts made after 15 Mar 2025 left out, with 0 subscriptions that no earlier "
      + "record has; what they say about the time before cannot be used, so every number from receipts is incomplete."
    #expect(page.contains(line), "\(page)")
    #expect(try !RunOutcome(sandbox).text("summary.md").contains("After the last day"))
  }

  @Test
  func `test each month that either the lapses or the churn has`() throws {
    let world = try SimulatedReports(seed: 420, subscribers: 200, to: "2026-03-09")
    let result = try RunOutcome(try world.sandbox()).result
    func lapseChecks(_ tables: [TableKind: [ReportTable]]) -> [Check] {
      Checks(result, tables: tables).all.filter { $0.name == "lapses - recovered = churned" }
    }
    var tables = try result.tables()
    let whole = lapseChecks(tables)
    let withChurn = whole.filter { $0.expected != .count(0) }.map { $0.scope }
    #expect(whole.filter { !$0.holds } == [])
    #expect(!withChurn.isEmpty)
    tables[.lapses]?[0].rows = []
    let failed = lapseChecks(tables).filter { !$0.holds }.map { $0.scope }
    #expect(failed == withChurn)
  }

  @Test(arguments: [
    UInt64(410), 411,
  ])
  func `are the same bytes when the same files are read again elsewhere`(seed: UInt64) throws {
    let world = try SimulatedReports(seed: seed, subscribers: 100, faults: true)
    let first = try world.sandbox()
    let expected = try RunOutcome(first)
    #expect(try RunOutcome(first).files == expected.files)
    #expect(try RunOutcome(try world.sandbox()).files == expected.files)
    for name in expected.files.keys { #expect(!expected.text(name).contains(first.path)) }
  }

  @Test(arguments: histories(6, from: 420))
  func `hold every identity, whatever the world`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: seed, subscribers: 200, to: "2026-03-09", faults: seed % 2 == 0)
    let outcome = try RunOutcome(
      try world.sandbox(), views: usualViews + [[.device, .client]])
    #expect(outcome.checks.all.filter { !$0.holds } == [])
    let checks = outcome.rows("checks.csv")
    #expect(checks.allSatisfy { $0["state"] == "ok" && $0["expected"] == $0["found"] })
    #expect(
      Set(checks.map { $0["check"] ?? "" }).isSuperset(of: [
        "open + gains - losses = mrr", "active = close_observed", "rows accounted for",
        "rows used = rows counted", "movement closes",
        "lapses - recovered = churned", "churned = lapsed + provisional + refund-ended",
        "whole = sum of a view's rows", "drivers add up",
      ]))
    #expect(checks.count { $0["check"] == "rows accounted for" } == world.reports.count)
  }

  @Test
  func `say in health.csv which source a view leaves out`() throws {
    let outcome = try RunOutcome(try SimulatedReports(seed: 430, subscribers: 40).sandbox())
    let left = outcome.rows("health.csv").filter { $0["path"] == "" }
    #expect(
      Set(left.map { [$0["kind"], $0["note"], $0["rows_read"], $0["rows_ignored"]] }) == [
        ["events", "offer", "", ""], ["sales", "offer", "", ""], ["sales", "start_month", "", ""],
      ])
    #expect(left.count == 3)
    let sources = { (name: String) in Set(outcome.rows(name).map { $0["source"] ?? "" }) }
    #expect(sources("proceeds-by-offer.csv") == ["subscribers"])
    #expect(sources("churn-by-start_month.csv") == ["events", "subscribers"])
    #expect(sources("churn-by-offer.csv") == ["subscribers"])
    #expect(sources("proceeds-by-country-product.csv") == ["sales", "subscribers"])
  }

  @Test
  func `hold no subscriber's id, also where its row is rejected`() throws {
    let id = "987650000000001"
    let good = ReportText.subscriber.with(["Subscriber ID": id])
    let lines = good.text.split(separator: "\n")
    let row = String(lines[1])
    let bad = [
      row.replacing("\t\(id)", with: "\t\(id)\t\(id)"), String(row.prefix(row.count - 8)),
      row.replacing("9.99", with: id), row.replacing("1 Month", with: id),
      row.replacing("\(id)\t", with: "\(id)\u{FFFD}\t"), row.replacing("2026-01-05", with: id),
      row.dropLast() + id, row.replacing("\t\(id)", with: "\t "), "\(id)", row + row,
    ]
    var bytes = Array((lines[0] + "\n" + bad.map { $0 + "\n" }.joined()).utf8)
    bytes += Array(row.replacing("9.99", with: "x").utf8).map { $0 == 57 ? 0xFF : $0 } + [10]
    let sandbox = try ReportSandbox([subscriberName(5): bytes])
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.result.rejectedRows >= 9)
    #expect(outcome.rows("rejects.csv").count == outcome.result.rejectedRows)
    let hidden = outcome.rows("rejects.csv").filter { $0["found"]?.hasPrefix("(hidden, ") == true }
    #expect(!hidden.isEmpty)
    for name in outcome.files.keys { #expect(!outcome.text(name).contains(id), "\(name)") }
    for line in outcome.result.rowDiagnostics.map(\.text) { #expect(!line.contains(id), "\(line)") }
  }

  @Test
  func `say where a rejected row is`() throws {
    let report = ReportText.subscriber.with([:], ["Customer Price": "9,99"], ["Units": "-1"])
    let sandbox = try ReportSandbox(["a/" + subscriberName(5): report.bytes])
    let outcome = try RunOutcome(sandbox)
    let rows = outcome.rows("rejects.csv")
    #expect(rows.map { $0["file"] } == ["a/" + subscriberName(5), "a/" + subscriberName(5)])
    #expect(rows.map { $0["line"] } == ["3", "4"])
    #expect(rows.map { $0["field"] } == ["13", "26"])
    #expect(rows.map { $0["column"] } == ["Customer Price", "Units"])
    #expect(rows.map { $0["code"] } == ["not-a-decimal", "negative-units"])
    #expect(rows.map { $0["found"] } == ["9,99", "'-1"])
    let offset = Int(rows[0]["byte"] ?? "") ?? 0
    #expect(String(decoding: report.bytes[offset..<offset + 4], as: UTF8.self) == "9,99")
    #expect(
      outcome.result.rowDiagnostics.map(\.text)[0].hasPrefix(
        "\(sandbox.path)/a/\(subscriberName(5)):3:13: error: column \"Customer Price\": "))
  }

  @Test(arguments: ["=1+2", "+1", "-1", "@SUM(1)"])
  func `cannot be run by a spreadsheet`(name: String) throws {
    let path = name + subscriberName(5)
    let sandbox = try ReportSandbox([
      path: ReportText.subscriber.with(["Subscription Name": name]).bytes
    ])
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.rows("proceeds-by-product.csv").map { $0["product"] } == ["'" + name])
    #expect(outcome.rows("health.csv").first?["path"] == "'" + path)
    #expect(outcome.rows("days.csv").map { $0["file"] } == ["'" + path])
    // Numbers are not touched: a loss of money begins with a minus.
    let loss = ReportText.subscriber.with([
      "Refund": "Yes", "Purchase Date": "2026-01-02", "Customer Price": "-9.99",
    ])
    let refunded = try RunOutcome(try ReportSandbox([subscriberName(5): loss.bytes]))
    #expect(refunded.rows("proceeds.csv").map { $0["net_proceeds"] } == ["-6.99"])
  }

  @Test
  func `quote what separates cells, and neither page nor table lets markup through`() throws {
    let name = "a,\"b\"|<b>`c`"
    let sandbox = try ReportSandbox([
      subscriberName(5): ReportText.subscriber.with(["Subscription Name": name]).bytes
    ])
    let outcome = try RunOutcome(sandbox)
    #expect(outcome.rows("proceeds-by-product.csv").map { $0["product"] } == [name])
    #expect(!outcome.text("summary.md").contains("<b>"))
  }
}

@Suite("The output of a report")
struct ReportOutputTests {
  /// Writes a report as `report -o` does.
  private func writeReport(_ sandbox: ReportSandbox, to folder: String) throws -> RunOutcome {
    var output = try OutputFolder(path: folder, force: false, cleanup: OutputCleanup())
    let outcome = try RunOutcome(sandbox) { $0.excludedFolder = folder }
    try output.add(outcome.files.map { (name: $0.key, bytes: $0.value) })
    try output.commit()
    return outcome
  }

  @Test(arguments: ["out", "deep/er/out", "link"])
  func `is not read when it lies inside an input`(place: String) throws {
    let sandbox = try ReportSandbox([subscriberName(5): ReportText.subscriber.with([:]).bytes])
    sandbox.makeFolder("deep/er")
    if place == "link" {
      sandbox.makeFolder("real")
      try sandbox.makeLink("link", to: sandbox.path + "/real")
    }
    let folder = sandbox.path + "/" + place
    let first = try writeReport(sandbox, to: folder)
    #expect(names(inFolder: folder).sorted() == first.files.keys.sorted())
    let second = try writeReport(sandbox, to: folder)
    #expect(second.files == first.files)
    #expect(second.result.files.map(\.file.relativePath) == [subscriberName(5)])
    let unaware = carryOut([sandbox.path])
    #expect(unaware.files.count > 1)
  }
}
