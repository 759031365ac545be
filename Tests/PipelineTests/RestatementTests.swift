import Files
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import Testing

/// Versions of one day's report; B has one row more than A and C two.
private let first = ReportText.subscriber.with([:])
private let second = ReportText.subscriber.with([:], ["Subscriber ID": "2"])
private let third = ReportText.subscriber.with(
  [:], ["Subscriber ID": "2"], ["Subscriber ID": "3"])

private let joinedNames: [(name: String, hasHeaders: Bool)] = [
  ("all.txt", false), ("all.txt", true), ("z/\(subscriberName(5))", true),
  ("A/\(subscriberName(5))", true), ("z/\(subscriberName(5))", false),
  ("A/\(subscriberName(5))", false),
]

/// Names of versions of a report, in the order of their downloads, and whether a mark says it.
private let downloads: [(names: [String], isMarked: Bool)] = {
  let name = String(subscriberName(5).dropLast(4))
  func three(_ marks: String...) -> [String] { marks.map { name + $0 } }
  return [
    (three(".txt", " (1).txt", " (2).txt"), true), (three(".txt", " (2).txt", " (10).txt"), true),
    (three(".txt.gz", ".txt (1).gz", ".txt (3).gz"), true),
    (three(".txt", "-2.txt", "-3.txt"), true), (three(".txt", " 2.txt", "(3).txt"), true),
    (three(" copy.txt", " copy 2.txt", ".txt"), false),
    (three(" - Copy.txt", ".txt", "(1).txt"), true),
    // Without the name without it, `-2` is part of the name.
    (three("-2.txt", "-b.txt", "-c.txt"), false),
    (["a/\(name)-2.txt", "b/\(name).txt", "c/x_\(name).txt"], false),
  ]
}()

@Suite("Of several files that are the same report")
struct RestatementTests {
  /// Writes files and returns what became of each: its counts and its note.
  private func accounts(
    _ files: [(name: String, bytes: [UInt8])]
  ) throws -> (outcome: RunOutcome, accounts: [[String]]) {
    let sandbox = try ReportSandbox()
    for file in files { try sandbox.write(file.name, file.bytes) }
    let outcome = try RunOutcome(sandbox)
    return (outcome, files.map { outcome.account($0.name) })
  }

  @Test
  func `the last version in path order counts`() throws {
    let name = subscriberName(5)
    let (outcome, accounts) = try accounts([
      ("a/" + name, first.bytes), ("b/" + name, second.bytes), ("c/" + name, third.bytes),
    ])
    #expect(
      accounts == [
        ["1", "0", "0", "1", "replaced by c/\(name); restated: 1"],
        ["2", "0", "0", "2", "replaced by c/\(name); restated: 2"], ["3", "3", "0", "0", ""],
      ])
    #expect(outcome.result.restatements.map(\.old) == ["a/" + name, "b/" + name])
    #expect(outcome.result.restatements.map(\.new) == ["c/" + name, "c/" + name])
    #expect(outcome.result.restatements.map(\.oldRows) == [1, 2])
    #expect(outcome.result.restatements.map(\.newRows) == [3, 3])
    #expect(outcome.rows("proceeds.csv").map { $0["charges"] } == ["3"])
    #expect(outcome.rows("days.csv").map { $0["file"] } == ["c/" + name])
    let page = outcome.text("summary.md")
    #expect(page.contains("replaces `a/\(name)`: 1 row became 3 (+2)"))
  }

  @Test(arguments: downloads)
  func `the last download counts`(names: [String], isMarked: Bool) throws {
    let versions = [first, second, third].map(\.bytes)
    let (outcome, accounts) = try accounts(
      names.enumerated().map { ($1, versions[min($0, 2)]) })
    #expect(accounts.map { $0[1] } == names.indices.map { $0 == names.count - 1 ? "3" : "0" })
    let reason: DownloadOrder.Reason = isMarked ? .secondDownload : .pathOrder
    #expect(Set(outcome.result.restatements.map(\.reason)) == [reason])
    #expect(outcome.text("summary.md").contains("became 3 (+"))
    #expect(outcome.text("summary.md").contains("), \(reason.rawValue)."))
  }

  @Test
  func `a damaged second download does not`() throws {
    let name = String(subscriberName(5).dropLast(4))
    let bad = ReportText.subscriber.with([:], ["Event Date": "never"]).bytes
    let (_, accounts) = try accounts([
      (name + ".txt", first.bytes), (name + " (1).txt", third.bytes), (name + " (10).txt", bad),
    ])
    #expect(accounts.map { $0[1] } == ["0", "3", "0"])
  }

  @Test
  func `a smaller last version counts too`() throws {
    let name = subscriberName(5)
    let (outcome, accounts) = try accounts([
      ("a/" + name, third.bytes), ("b/" + name, first.bytes),
    ])
    #expect(accounts.map { $0[1] } == ["0", "1"])
    #expect(outcome.text("summary.md").contains("3 rows became 1 (-2)"))
  }

  @Test(arguments: [0, 1])
  func `a version with a rejected row, or cut off, never replaces a good one`(damage: Int) throws {
    let name = subscriberName(5)
    let rejected = ReportText.subscriber.with([:], ["Event Date": "01/05/2026"], ["Units": "x"])
    let damaged = [rejected.bytes, Array(third.bytes.dropLast())][damage]
    let (outcome, accounts) = try accounts([
      ("a/" + name, first.bytes), ("b/" + name, second.bytes), ("c/" + name, damaged),
      ("d/" + name, damaged + Array("x\n".utf8)),
    ])
    #expect(accounts.map { $0[1] } == ["0", "2", "0", "0"])
    #expect(outcome.result.restatements.map(\.new) == ["b/" + name])
    #expect(
      outcome.result.files.suffix(2).map(\.problem?.code) == ["damaged-copy", "damaged-copy"])
    #expect(outcome.rows("days.csv").map { $0["file"] } == ["b/" + name])
  }

  @Test(arguments: joinedNames)
  func `one that was joined of many days is none, whatever its name`(name: String, hasHeaders: Bool)
    throws
  {
    let days = (1...9).map { day in
      var report = ReportText.subscriber
      report.rows = [[String: String]](repeating: ["Event Date": "2026-01-0\(day)"], count: 4)
      return report.text
    }
    let rows = days.enumerated().map { index, text in
      index == 0 || hasHeaders ? text : String(text.drop { $0 != "\n" }.dropFirst())
    }
    let own = subscriberName(5)
    let (outcome, accounts) = try accounts([(own, second.bytes), (name, Array(rows.joined().utf8))])
    #expect(accounts.map { $0[1] } == ["2", "0"])
    let problem = outcome.result.files.first { $0.file.relativePath == name }?.problem
    #expect(problem?.code == (hasHeaders ? "repeated-header" : "several-days"))
    #expect(
      problem?.message.contains("\(hasHeaders ? "9 reports" : "reports of 9 days") were joined")
        == true)
    #expect(outcome.result.restatements == [])
    #expect(outcome.rows("days.csv").map { $0["file"] } == [own])
  }

  @Test
  func `a file without a day in its name is of the day of half of its rows`() throws {
    let others = (1...8).map { ["Event Date": "2026-01-0\($0)"] }
    let usual = [[String: String]](repeating: ["Event Date": "2026-01-09"], count: 8)
    var text = ReportText.subscriber
    text.rows = others + usual
    let (outcome, accounts) = try accounts([("renamed.txt", text.bytes)])
    #expect(accounts.map { $0[1] } == ["16"])
    #expect(outcome.rows("days.csv").map { $0["day"] } == ["2026-01-09"])
  }

  @Test
  func `the last counts when none is good`() throws {
    let name = subscriberName(5)
    let (outcome, accounts) = try accounts([
      ("a/" + name, ReportText.subscriber.with([:], ["Units": "x"]).bytes),
      ("b/" + name, ReportText.subscriber.with([:], [:], ["Units": "x"]).bytes),
    ])
    #expect(accounts.map { $0[1...2] } == [["0", "0"], ["2", "1"]])
    #expect(outcome.result.files.allSatisfy { $0.problem == nil })
  }

  @Test
  func `the first of two identical files is read`() throws {
    let name = subscriberName(5)
    let (outcome, accounts) = try accounts([
      ("a/" + name, second.bytes), ("b/\(name).gz", gzip(second.bytes)),
    ])
    #expect(
      accounts == [
        ["2", "2", "0", "0", ""],
        ["2", "0", "0", "2", "duplicate file: 2; same bytes as a/\(name)"],
      ])
    #expect(outcome.result.restatements == [])
    #expect(outcome.result.advice(outcome.checks).map { $0.hasPrefix("duplicate: b/") } == [true])
  }

  @Test
  func `those without rows are restated or identical like others`() throws {
    let name = subscriberName(5)
    let (outcome, accounts) = try accounts([
      ("a/" + name, ReportText.subscriber.bytes), ("b/" + name, ReportText.subscriber.bytes),
    ])
    #expect(accounts.map { $0[4] } == ["", "same bytes as a/\(name)"])
    let advice = outcome.result.advice(outcome.checks)
    #expect(advice.contains { $0.hasPrefix("duplicate: b/") })
    #expect(outcome.rows("days.csv").map { $0["file"] } == ["a/" + name])

    let restated = try self.accounts([
      ("a/" + name, ReportText.subscriber.bytes), ("b/" + name, first.bytes),
    ])
    #expect(restated.accounts.map { $0[4] } == ["replaced by b/\(name)", ""])
    let lines = restated.outcome.result.advice(restated.outcome.checks)
    #expect(lines.contains { $0.contains("counts, not a/\(name) (path order): 0 rows became 1") })
  }

  @Test
  func `a version that was replaced and came back counts once`() throws {
    let name = subscriberName(5)
    let (outcome, accounts) = try accounts([
      ("a/" + name, first.bytes), ("b/" + name, second.bytes), ("c/" + name, first.bytes),
    ])
    #expect(accounts.map { $0[1] } == ["1", "0", "0"])
    #expect(accounts[1][4].contains("restated: 2"))
    #expect(accounts[2][4] == "duplicate file: 1; same bytes as a/\(name)")
    #expect(outcome.result.restatements.map(\.newRows) == [1])
    #expect(outcome.rows("proceeds.csv").map { $0["charges"] } == ["1"])
  }

  @Test(
    arguments: [
      { gzip($0).dropLast(1) + [] }, { gzip($0).dropLast(9) + [] }, { gzip($0) + [65] },
      { $0.dropFirst(20) + [] },
    ] as [@Sendable ([UInt8]) -> [UInt8]])
  func `a damaged newer version never replaces a good one`(damage: @Sendable ([UInt8]) -> [UInt8])
    throws
  {
    let name = subscriberName(5)
    let (outcome, accounts) = try accounts([
      ("a/" + name, first.bytes), ("b/" + name, damage(third.bytes)),
    ])
    #expect(accounts[0] == ["1", "1", "0", "0", ""])
    #expect(accounts[1][1] == "0")
    #expect(outcome.result.files[1].problem != nil)
    #expect(outcome.result.restatements == [])
    #expect(outcome.rows("days.csv").map { $0["file"] } == ["a/" + name])
  }

  @Test
  func `a version damaged behind its first block is none either`() throws {
    var long = ReportText.subscriber
    for id in 0..<6_000 { long = long.with(["Subscriber ID": "\(id * 7_919_777 % 1_000_003)"]) }
    var damaged = gzip(long.bytes)
    damaged[damaged.count - 6] ^= 0x10
    let name = subscriberName(5)
    let (outcome, accounts) = try accounts([("a/" + name, first.bytes), ("b/" + name, damaged)])
    #expect(accounts.map { $0[1] } == ["1", "0"])
    #expect(outcome.result.files.map(\.problem?.code) == [nil, "gzip-wrong-checksum"])
    #expect(outcome.result.fileDiagnostics.map(\.reason) == [.corruptInput])
  }

  @Test
  func `two vendors' files of one day both count`() throws {
    let (outcome, accounts) = try accounts([
      (subscriberName(5), first.bytes), (subscriberName(5, vendor: "80099999"), second.bytes),
    ])
    #expect(accounts.map { $0[1] } == ["1", "2"])
    #expect(outcome.result.restatements == [])
    #expect(outcome.rows("days.csv").map { $0["vendor"] } == ["80012345", "80099999"])
    #expect(outcome.result.days.count(.present) == 1)
  }

  @Test
  func `a name without a vendor is the day's one vendor, and nobody's among several`() throws {
    let alone = try accounts([
      (subscriberName(5), first.bytes), ("subscriber-2026-01-05.txt", second.bytes),
    ])
    #expect(alone.accounts[0][4] == "replaced by subscriber-2026-01-05.txt; restated: 1")
    #expect(alone.accounts[1][1] == "2")
    let among = try accounts([
      (subscriberName(5), first.bytes), (subscriberName(5, vendor: "80099999"), second.bytes),
      ("subscriber-2026-01-05.txt", third.bytes),
    ])
    #expect(among.accounts.map { $0[1] } == ["1", "2", "3"])
    let identical = try accounts([
      (subscriberName(5), first.bytes), (subscriberName(5, vendor: "80099999"), second.bytes),
      ("subscriber-2026-01-05.txt", second.bytes),
    ])
    #expect(identical.accounts.map { $0[1] } == ["1", "2", "0"])
  }

  @Test
  func `other versions of the layout and other suffixes are no other report`() throws {
    let (_, accounts) = try accounts([
      ("Subscriber_80012345_20260105_V1_2.txt", first.bytes),
      ("Subscriber_80012345_20260105_V1_3.txt", second.bytes),
    ])
    #expect(accounts.map { $0[1] } == ["0", "2"])
  }

  @Test
  func `the same bytes under two days are the report of the day of most rows`() throws {
    let (outcome, accounts) = try accounts([
      (subscriberName(4), first.bytes), (subscriberName(5), first.bytes),
      (subscriberName(6), third.bytes),
    ])
    #expect(accounts.map { $0[1] } == ["0", "1", "3"])
    #expect(accounts[0][4] == "duplicate file: 1; same bytes as \(subscriberName(5))")
    #expect(outcome.result.restatements == [])
    #expect(
      outcome.result.oddFileNotes == [
        "same-bytes: \(subscriberName(4)) holds the same bytes as \(subscriberName(5)), the report of 2026-01-05, and is left out; one of them was written over: download subscriber 2026-01-04 and 2026-01-05 again"
      ])
    #expect(outcome.rows("days.csv").map { $0["day"] } == ["2026-01-05", "2026-01-06"])
  }

  @Test
  func `the same bytes under two days as near are the report of the earlier`() throws {
    let (_, accounts) = try accounts([
      (subscriberName(4), first.bytes), (subscriberName(6), first.bytes),
    ])
    #expect(accounts.map { $0[1] } == ["1", "0"])
  }

  @Test
  func `the same bytes of two vendors or kinds, and files without rows, are reports of their own`()
    throws
  {
    let (outcome, accounts) = try accounts([
      (subscriberName(5), first.bytes), (subscriberName(6, vendor: "80099999"), first.bytes),
      (subscriberName(7), ReportText.subscriber.bytes),
      (subscriberName(8), ReportText.subscriber.bytes),
    ])
    #expect(accounts.map { $0[1] } == ["1", "1", "0", "0"])
    #expect(outcome.result.oddFileNotes == [])
  }

  @Test
  func `a copy of another day leaves the day to its own report`() throws {
    let own = ReportText.subscriber.with(["Event Date": "2026-01-06"], ["Event Date": "2026-01-06"])
    let (outcome, accounts) = try accounts([
      (subscriberName(5), first.bytes), ("a/" + subscriberName(6), own.bytes),
      ("b/" + subscriberName(6), first.bytes),
    ])
    #expect(accounts.map { $0[1] } == ["1", "2", "0"])
    #expect(outcome.rows("days.csv").map { $0["state"] } == ["present", "present"])
  }

  @Test
  func `SALES of the day before under a later name replaces that day's report`() throws {
    let old = ReportText.sales.with([:])
    let new = ReportText.sales.with([:], ["Units": "1"])
    let last = ReportText.sales.with(["Begin Date": "01/07/2026", "End Date": "01/07/2026"])
    let (outcome, accounts) = try accounts([
      ("S_D_80012345_20260105.txt", old.bytes), ("S_D_80012345_20260106.txt", new.bytes),
      ("S_D_80012345_20260107.txt", last.bytes),
    ])
    #expect(accounts.map { $0[1] } == ["0", "2", "1"])
    #expect(accounts[0][4] == "replaced by S_D_80012345_20260106.txt; restated: 1")
    #expect(accounts[1][4] == "name says 2026-01-06")
    #expect(
      outcome.result.oddFileNotes == [
        "note: the name of 1 SALES report says other days than the rows, which decide (S_D_80012345_20260106.txt is of 2026-01-05)"
      ])
    #expect(
      outcome.rows("days.csv").map { [$0["day"], $0["state"]] } == [
        ["2026-01-05", "present"], ["2026-01-06", "missing"], ["2026-01-07", "present"],
      ])
    #expect(outcome.rows("proceeds.csv", source: "sales").map { $0["charges"] } == ["7"])
  }

  @Test
  func `SALES of several days is no report, and replaces none`() throws {
    let both = ReportText.sales.with([:], ["Begin Date": "01/06/2026", "End Date": "01/06/2026"])
    let (outcome, accounts) = try accounts([
      ("a.txt", ReportText.sales.with([:]).bytes), ("b.txt", both.bytes),
    ])
    #expect(accounts.map { $0[1] } == ["1", "0"])
    #expect(outcome.result.files.map { $0.problem?.code } == [nil, "several-reports"])
    #expect(
      outcome.result.files[1].problem?.message.contains("of 2026-01-05 and of 2026-01-06") == true)
    #expect(outcome.result.fileDiagnostics.map(\.reason) == [.unusableInput])
    let (_, alone) = try self.accounts([("S_D_80012345_20260105.txt", both.bytes)])
    #expect(alone[0][1] == "0" && alone[0][4].contains("[several-reports]"))
  }

  @Test
  func `snapshots of two vendors of one day are added, a restated one is not`() throws {
    let last = "Subscription_80012345_20260131_V1_3.txt"
    let event = ReportText.event.with(
      ["Event Date": "2026-02-01"], ["Event Date": "2026-02-28"])
    let (outcome, _) = try accounts([
      ("Subscription_Event_80012345_20260201_V1_3.txt", event.bytes),
      ("a/" + last, ReportText.snapshot.with([:]).bytes),
      ("b/" + last, ReportText.snapshot.with([:], [:]).bytes),
      (
        "Subscription_80099999_20260131_V1_3.txt",
        ReportText.snapshot.with(["Active Standard Price Subscriptions": "7"]).bytes
      ),
    ])
    let churn = outcome.rows("movement.csv", source: "events").first { $0["month"] == "2026-02" }
    #expect(churn?["open"] == "27")
  }

  @Test
  func `of two inputs with equal paths, the difference in rows is that of the two files`() throws {
    let old = try ReportSandbox([subscriberName(5): first.bytes])
    let new = try ReportSandbox([subscriberName(5): third.bytes])
    let outcome = try RunOutcome([old.path, new.path])
    #expect(outcome.result.files.map(\.rows.used) == [0, 3])
    #expect(outcome.result.restatements.map(\.oldRows) == [1])
    #expect(outcome.result.restatements.map(\.newRows) == [3])
    #expect(outcome.rows("proceeds.csv").map { $0["charges"] } == ["3"])
  }
}
