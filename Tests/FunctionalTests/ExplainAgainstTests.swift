import Glibc
import SubreportTestSupport
import Testing

/// Explains numbers against earlier runs while reports come, change and go, which a case cannot do.
@Suite("explain --against")
struct ExplainAgainstTests {
  /// A sandbox with all reports in `later`, of which some have come to `in`, and three runs.
  private func world(_ seed: UInt64) throws -> Sandbox {
    let sandbox = try Sandbox()
    let world =
      "simulate -o all --subscribers 40 --seed \(seed) --from 2026-01-01 --to 2026-03-20 --clean"
    try #require(try sandbox.run(world).status == 0)
    try #require(
      unsafe rename(sandbox.work + "/all/subscriber", sandbox.work + "/later") == 0)
    try #require(unsafe mkdir(sandbox.work + "/in", 0o755) == 0)
    var random = SeededGenerator(seed: seed)
    // The first run has the days until 3 March.
    for count in [62, Int.random(in: 3...8, using: &random), Int.random(in: 3...8, using: &random)]
    {
      try move(count, in: sandbox)
      let report = try sandbox.run("report in -o out -q --ledger ledger.jsonl")
      try #require(report.status == 0, "\(report.errors)")
    }
    return sandbox
  }

  /// Lets the next reports come.
  private func move(_ count: Int, in sandbox: Sandbox) throws {
    let (later, folder) = (sandbox.work + "/later/", sandbox.work + "/in/")
    for name in names(inFolder: later).sorted().prefix(count) {
      try #require(unsafe rename(later + name, folder + name) == 0)
    }
  }

  /// The values of `history` of a cell in February, run by run.
  private func history(_ cell: String, in sandbox: Sandbox) throws -> [String] {
    let found = try sandbox.run(
      "history \(cell) --month 2026-02 --where source=subscribers --ledger ledger.jsonl -f csv")
    try #require(found.status == 0, "\(found.errors)")
    return found.lines.dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)[1]
    }
  }

  @Test(arguments: 0..<UInt64(TestTier.current.histories(of: 4)))
  func `adds up to the difference from each run of the ledger`(seed: UInt64) throws {
    let sandbox = try world(seed + 70)
    for cell in ["churn.churned", "movement.started", "renewals.renewed"] {
      let values = try history(cell, in: sandbox)
      try #require(values.count == 3)
      for number in 1...3 {
        let found = try sandbox.run(
          "explain \(cell) in --month 2026-02 --ledger ledger.jsonl --against \(number) -f csv")
        #expect(found.status == 0, "\(found.errors)")
        let expected = (Int(values[2]) ?? 0) - (Int(values[number - 1]) ?? 0)
        let listed = found.lines.dropFirst().reduce(0) { sum, line in
          sum + (Int(line.split(separator: ",", omittingEmptySubsequences: false)[1]) ?? 0)
        }
        #expect(listed == expected, "\(cell) \(number)")
        let numbers = "says: \(values[2]) (now), \(values[number - 1]) (run \(number) of 2026-03-"
        #expect(found.errors.contains("together \(expected), as "), "\(found.errors)")
        #expect(found.errors.contains(numbers), "\(found.errors)")
      }
    }
  }

  @Test
  func `explains nothing if a file of the run is gone or changed, and says which`() throws {
    let sandbox = try world(3)
    let call = "explain churn.churned in --month 2026-02 --ledger ledger.jsonl --against 1 -f csv"
    let files = names(inFolder: sandbox.work + "/in").sorted()
    let values = try history("churn.churned", in: sandbox)
    let (first, second) = (sandbox.work + "/in/" + files[0], sandbox.work + "/in/" + files[1])
    let kept = try #require(Files.bytes(of: first))
    // The same rows in other bytes.
    try Files.write(try #require(GzipMember.content(of: kept)), to: first)
    let changed = try sandbox.run(call)
    #expect(changed.status == 3 && changed.lines.isEmpty)
    #expect(changed.errors.contains("1 file changed: \(files[0])"), "\(changed.errors)")
    #expect(changed.errors.contains(" now, \(values[0]) in run 1 of 2026-03-"))
    #expect(changed.errors.hasSuffix(" [not-verified]\n"), "\(changed.errors)")
    try Files.write(kept, to: first)
    try #require(unsafe rename(second, sandbox.work + "/" + files[1]) == 0)
    let gone = try sandbox.run(call)
    #expect(gone.status == 3 && gone.lines.isEmpty)
    #expect(gone.errors.contains("1 file missing: \(files[1])"), "\(gone.errors)")
    try #require(unsafe rename(sandbox.work + "/" + files[1], second) == 0)
    #expect(try sandbox.run(call).status == 0)
  }

  @Test
  func `refuses to compare numbers of different populations`() throws {
    let sandbox = try world(3)
    let call = "explain churn.active_start in --month 2026-02 --ledger ledger.jsonl --against"
    let whole = try sandbox.run("\(call) 1 --country US")
    #expect(whole.status == 64 && whole.lines.isEmpty, "\(whole.errors)")
    #expect(!whole.errors.contains("churn.active_start: "), "\(whole.errors)")
    #expect(
      whole.errors.contains(
        "--against 1: the ledger keeps only the rows of everything that a run counted, and run 1 of 2026-03-"
      ), "\(whole.errors)")
    #expect(whole.errors.contains(" counted without --country; leave it out"))
    let filtered = try sandbox.run(
      "report in -o out -q --ledger ledger.jsonl --country US")
    try #require(filtered.status == 0, "\(filtered.errors)")
    let other = try sandbox.run("\(call) 4")
    #expect(other.status == 64 && other.lines.isEmpty, "\(other.errors)")
    #expect(other.errors.contains(" counted only --country US; give the same"), "\(other.errors)")
    let same = try sandbox.run("\(call) 4 --country US")
    #expect(same.status == 0, "\(same.errors)")
  }

  @Test
  func `needs a ledger for a run, and a row of the whole population`() throws {
    let sandbox = try world(3)
    let refusals = [
      "--against 2026-03-03": "--against 2026-03-03: runs are in the ledger; name it with --ledger",
      "--against 1 --ledger ledger.jsonl --where country=US":
        "--against 1: the ledger has the whole population; leave out --where country=…",
      "--against 9 --ledger ledger.jsonl": "--against 9: the ledger has the runs 1 to 3",
      "--against 2026-02": "--against 2026-02: this is the month itself",
      "--against previous --left-out": "--left-out is about one number and --against about two",
    ]
    for (options, message) in refusals {
      let found = try sandbox.run("explain churn.churned in --month 2026-02 \(options)")
      #expect(found.status == 64 && found.errors.contains(message), "\(options): \(found.errors)")
    }
  }

  /// Returns a dump of one customer, who paid on 10 January and perhaps again on 20 February.
  private func dump(requested: Int, paysAgain: Bool) -> [UInt8] {
    let charge = { (number: Int, start: Int, end: Int) in
      """
      {"product_id": "com.example.month", "transaction_id": "1000\(number)", \
      "original_transaction_id": "1000", "web_order_line_item_id": "91000\(number)", \
      "subscription_group_identifier": "20450001", "purchase_date_ms": "\(start)", \
      "original_purchase_date_ms": "1768003200000", "expires_date_ms": "\(end)"}
      """
    }
    let first = charge(0, 1_768_003_200_000, 1_770_681_600_000)
    let second = charge(1, 1_771_545_600_000, 1_773_964_800_000)
    let text = """
      {"status": 0, "environment": "Production", "receipt": {"receipt_type": "Production", \
      "bundle_id": "com.example.app", "request_date_ms": "\(requested)"}, \
      "latest_receipt_info": [\(paysAgain ? "\(first), \(second)" : first)]}

      """
    return Array(text.utf8)
  }

  @Test
  func `of receipts names the dump that is new`() throws {
    let sandbox = try Sandbox()
    try #require(unsafe mkdir(sandbox.work + "/in", 0o755) == 0)
    let (february, june) = (1_771_113_600_000, 1_780_272_000_000)
    try Files.write(
      dump(requested: february, paysAgain: false), to: sandbox.work + "/in/a.ndjson")
    let report = try sandbox.run("report in -o out -q --ledger ledger.jsonl")
    try #require(report.status == 0, "\(report.errors)")
    try Files.write(dump(requested: june, paysAgain: true), to: sandbox.work + "/in/b.ndjson")
    let call = "explain churn.churned in --source receipts --month 2026-02 --ledger ledger.jsonl"
    // The second run has both dumps, but no record after its as-of.
    let earlier = "report in -o out -q --as-of 2026-02-20 --ledger ledger.jsonl"
    try #require(try sandbox.run(earlier).status == 0)
    for (choice, name) in [
      ("1", "run 1 of 2026-02-15"), ("2026-02-15", "run 1 of 2026-02-15"),
      ("2", "run 2 of 2026-02-20"),
    ] {
      let found = try sandbox.run("\(call) --against \(choice) -f csv")
      #expect(found.status == 0, "\(found.errors)")
      #expect(found.lines.count == 2 && found.lines[1].hasPrefix("churned,-1,"), "\(found.lines)")
      #expect(found.lines[1].contains("; brought by b.ndjson"), "\(found.lines)")
      #expect(
        found.errors.contains(
          "0 came and 1 went, together -1, as churn.csv of both runs says: 0 (now), 1 (\(name))"
        ), "\(found.errors)")
    }
    try Files.write(dump(requested: june, paysAgain: false), to: sandbox.work + "/in/a.ndjson")
    let changed = try sandbox.run("\(call) --against 1")
    #expect(changed.status == 3 && changed.errors.contains("1 file changed: a.ndjson"))
  }
}
