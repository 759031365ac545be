import Files
import Pages
import Pipeline
import PipelineTestSupport
import ReportFolder
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("A run of the ledger")
struct PastRunTests {
  private func row(
    _ month: String? = "2026-09", _ conditions: [(key: String, value: String)] = []
  ) -> PastRun.Row {
    PastRun.Row(.churn, .events, month: month, where: conditions)
  }

  private func pastRun(
    _ choice: PastRun.Choice, _ row: PastRun.Row, _ ledger: LedgerExample
  ) throws -> PastRun {
    let file = try #require(Ledger(ledger.path))
    return try PastRun(choice, row) { body throws(LedgerError) in try file.forEachEntry(body) }
  }

  private func refusal(
    _ choice: PastRun.Choice, _ row: PastRun.Row, _ ledger: LedgerExample
  ) throws -> String? {
    do {
      _ = try pastRun(choice, row, ledger)
      return nil
    } catch let error as LedgerQuestionError {
      return error.message
    }
  }

  /// Three runs, two of them on the same day; each has another number and other files.
  private func ledger() throws -> LedgerExample {
    let file = { (name: String, hash: String) in
      LedgerEntry.File(
        name, hash, report: "subscription-event 80012345", day: Day("2026-09-30"))
    }
    let other = LedgerEntry.File("s.txt", "9", report: "subscriber 80012345")
    let table = { (churned: Int) in
      churnTable(
        (source: "events", month: "2026-09", start: 20, churned: churned, state: "final"),
        (source: "subscribers", month: "2026-09", start: 19, churned: 1, state: "final"))
    }
    var ledger = try LedgerExample()
    try ledger.add("2026-09-30", inputs: [file("a.txt", "1"), other], table(2))
    try ledger.add("2026-10-02", inputs: [file("b.txt", "2"), file("a.txt", "1")], table(3))
    try ledger.add("2026-10-02", inputs: [file("a.txt", "4"), file("b.txt", "2")], table(5))
    return ledger
  }

  @Test
  func `is chosen by its day, of several the last, or by its number`() throws {
    let ledger = try ledger()
    let day = try #require(Day("2026-10-02"))
    let last = try pastRun(.day(day), row(), ledger)
    #expect(last.entry.sequence == 3 && last.others == [2])
    #expect(last.cells["churned"] == .count(5) && last.cells["active_start"] == .count(20))
    let second = try pastRun(.sequence(2), row(), ledger)
    #expect(second.entry.asOf == day && second.others.isEmpty)
    #expect(second.cells["churned"] == .count(3))
    let first = try pastRun(.sequence(1), row(), ledger)
    #expect(first.cells["churned"] == .count(2))
  }

  @Test
  func `has the inputs of its source as they were`() throws {
    let ledger = try ledger()
    let inputs = { (number: Int) in
      try pastRun(.sequence(number), row(), ledger).inputs.map { "\($0.path) \($0.sha256)" }
    }
    #expect(try inputs(1) == ["a.txt 1"])
    #expect(try inputs(2) == ["a.txt 1", "b.txt 2"])
    #expect(try inputs(3) == ["a.txt 4", "b.txt 2"])
  }

  @Test
  func `that is not there, or has no such row, is refused`() throws {
    let ledger = try ledger()
    let day = try #require(Day("2026-10-01"))
    #expect(
      try refusal(.day(day), row(), ledger)
        == "--against 2026-10-01: the ledger has no run with data to this day; the nearest is run 1, with data to 2026-09-30"
    )
    #expect(
      try refusal(.sequence(7), row(), ledger) == "--against 7: the ledger has the runs 1 to 3")
    #expect(
      try refusal(.sequence(1), row("2026-08"), ledger)
        == "run 1 of the ledger has no row of churn with source events and month 2026-08; its data end on 2026-09-30"
    )
    #expect(
      try refusal(.sequence(1), row("2026-09", [("country", "DE")]), ledger)
        == "the ledger has the whole population of churn; its rows have source, month")
    var months = try LedgerExample()
    let churn = { (month: String) in
      (source: "events", month: month, start: 20, churned: 1, state: "final")
    }
    try months.add("2026-09-30", churnTable(churn("2026-08"), churn("2026-09")))
    #expect(
      try refusal(.sequence(1), row(nil), months)
        == "run 1 of the ledger has 2 rows of churn with source events; choose one with --where month=… (2026-08, 2026-09)"
    )
    #expect(
      try refusal(.sequence(1), row(nil), try LedgerExample())
        == "the ledger is empty; report --ledger writes a line each run")
  }

  @Test
  func `is compared with the files of another run by path and hash`() throws {
    let sandbox = try ReportSandbox([
      "Subscription_Event_80012345_20260930_V1_3.txt": ReportText.event.bytes,
      "Subscription_Event_80012345_20261001_V1_3.txt": ReportText.event.with(
        ["Event Date": "2026-10-01"]
      ).bytes,
    ])
    let files = carryOut([sandbox.path], views: [[]]).files
    let inputs = files.map { file in
      LedgerEntry.File(
        file.file.relativePath, file.sha256, report: "subscription-event 80012345", day: file.day)
    }
    let table = churnTable(
      (source: "events", month: "2026-09", start: 20, churned: 2, state: "final"))
    var changed = inputs[1]
    changed.sha256 = "0"
    let gone = LedgerEntry.File("gone.txt", "7", report: "subscription-event 80012345")
    var ledger = try LedgerExample()
    try ledger.add("2026-09-30", inputs: [inputs[0]], table)
    try ledger.add("2026-10-01", inputs: [inputs[0], changed, gone], table)
    let first = try pastRun(.sequence(1), row(), ledger)
    let found = first.compare(files)
    #expect(found.areThere && found.new == [inputs[1].path])
    #expect(first.own(of: files).map(\.file.relativePath) == [inputs[0].path])
    let second = try pastRun(.sequence(2), row(), ledger).compare(files)
    #expect(!second.areThere)
    #expect(second.changed == [inputs[1].path] && second.missing == ["gone.txt"])
    #expect(
      second.sentences == [
        "1 file changed: \(inputs[1].path)", "1 file missing: gone.txt",
      ])
  }

  @Test
  func `has other options only if they can change a number`() {
    let found = PastRun.otherOptions(
      ["country": "DE", "source": "events", "app": "1"],
      ["country": "US", "app": "1", "fiscal": "true"])
    #expect(found == ["country", "fiscal"])
    let options = (["environment": "all"], ["environment": "sandbox"])
    #expect(PastRun.otherOptions(options.0, options.1).isEmpty)
    #expect(PastRun.otherOptions(options.0, options.1, for: .receipts) == ["environment"])
  }
}
