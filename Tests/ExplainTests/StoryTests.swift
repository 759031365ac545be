import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// A run of the reports in a folder, to tell stories from.
private struct StoryRun {
  let result: RunResult
  /// A story reads the files again.
  private let sandbox: ReportSandbox

  init(_ sandbox: ReportSandbox, change: (inout RunPlan) -> Void = { _ in }) throws {
    result = carryOut([sandbox.path], views: [[]]) { plan in
      plan.sources = [.subscribers]
      plan.keepsCharges = true
      change(&plan)
    }
    self.sandbox = sandbox
  }

  func story(_ text: String, naming: CustomerTable.Naming? = nil) throws -> Story {
    try withExtendedLifetime(sandbox) {
      try Story(of: text, result, naming: naming)
    }
  }

  /// The message when there is no story.
  func refusal(_ text: String) -> String? {
    do {
      _ = try story(text)
      return nil
    } catch {
      return (error as? QuestionError)?.message
    }
  }
}

private func name(_ day: String) -> String { "Subscriber_80012345_\(day)_V1_3.txt" }

/// Subscriber 1 is charged in January and February, lapses, and comes back in April; a yearly charge of another group
/// is given back.
private func reports() -> [String: [UInt8]] {
  let row = { (day: String) in ["Event Date": day, "Subscriber ID": "12345"] }
  let other = [
    "Subscription Group ID": "20450202", "Subscription Apple ID": "1460000002",
    "Subscription Name": "Weekly", "Standard Subscription Duration": "7 Days",
  ]
  let weekly = row("2026-03-20").merging(other) { $1 }
  let refund = row("2026-03-22").merging(other) { $1 }.merging(
    ["Refund": "Yes", "Purchase Date": "2026-03-20", "Customer Price": "-9.99"]) { $1 }
  let zero = row("2026-02-20").merging(["Units": "0"]) { $1 }
  return [
    name("20260105"): ReportText.subscriber.bytes,
    name("20260120"): ReportText.subscriber.with(row("2026-01-20")).bytes,
    name("20260220"): ReportText.subscriber.with(row("2026-02-20"), zero).bytes,
    name("20260322"): ReportText.subscriber.with(weekly, refund).bytes,
    name("20260402"): ReportText.subscriber.with(row("2026-04-02")).bytes,
    name("20260430"): ReportText.subscriber.bytes,
  ]
}

@Suite("The story of a subscription")
struct StoryTests {
  @Test
  func `names each charge, end, gap and refund with its rows`() throws {
    let run = try StoryRun(try ReportSandbox(reports()))
    let table = try run.story("12345").table
    let events = table.rows.indices.map { table.texts(["date", "event", "fact"], row: $0) }
    #expect(
      events == [
        ["2026-01-20", "charge", "charge"], ["2026-02-20", "end", "renewal"],
        ["2026-02-20", "charge", "charge"], ["2026-03-20", "end", "lapse recovered"],
        ["2026-03-20", "gap", ""], ["2026-04-02", "charge", "charge"],
        ["2026-05-02", "end", "running"],
        ["2026-03-20", "charge", "charge"], ["2026-03-22", "refund", "refund"],
        ["2026-03-22", "end", "lapse open final"],
        ["2026-02-20", "ignored", ""],
      ])
    #expect(
      table.texts(["price", "currency", "period_end", "because", "rows"], row: 2) == [
        "9990", "USD", "2026-03-20", "", "\(name("20260220")):2",
      ])
    // Charges, then the charge that is given back after two days.
    let ends = [0, 2, 5, 7].map { table.texts(["period_end", "bought_until"], row: $0) }
    #expect(
      ends == [
        ["2026-02-20", ""], ["2026-03-20", ""], ["2026-05-02", ""], ["2026-03-22", "2026-03-27"],
      ])
    #expect(
      table.texts(["because"], row: 4) == [
        "13 days without a subscription, from 2026-03-20 to 2026-04-02"
      ])
    let back = table.texts(["because", "counts_in"], row: 5)
    #expect(back[0] == "paid again on 2026-04-02, within 60 days of the lapse on 2026-03-20")
    #expect(back[1].contains("movement.recovered 2026-04"))
    #expect(table.texts(["counts_in"], row: 3)[0].contains("lapses.recovered 2026-03"))
    #expect(
      table.texts(["because", "rows"], row: 10) == [
        "the row has 0 units and is no refund", "\(name("20260220")):3",
      ])
  }

  @Test
  func `can be read out`() throws {
    let run = try StoryRun(try ReportSandbox(reports()))
    let lines = try run.story("\(name("20260322")):3").lines
    #expect(
      lines.prefix(4) == [
        "Subscription \(name("20260322")):2: Larkspur, group 20450202; the data cover 2026-01-05 to 2026-04-30",
        "",
        "2026-03-20  Paid 9.99 USD for Weekly in US, bought until 2026-03-27, counted until 2026-03-22.",
        "            The subscription begins here.",
      ])
    #expect(lines.contains("2026-03-22  Refund of 9.99 USD."))
    #expect(lines.contains { $0.hasPrefix("            Counts in churn 2026-03: churned") })
    #expect(lines.contains("            Row: \(name("20260322")):3"))
  }

  @Test
  func `of a row is that of its subscription alone`() throws {
    let run = try StoryRun(try ReportSandbox(reports()))
    let groups = { (text: String) in
      let table = try run.story(text).table
      return Set(table.rows.indices.map { table.texts(["group"], row: $0)[0] })
    }
    #expect(try groups("\(name("20260120")):2") == ["20450101", ""])
    #expect(try groups("\(name("20260322")):2") == ["20450202", ""])
    #expect(try groups("12345") == ["20450101", "20450202", ""])
  }

  @Test
  func `shows no id unless asked`() throws {
    let run = try StoryRun(try ReportSandbox(reports()))
    let plain = try run.story("12345")
    let all = plain.lines.joined() + plain.table.rows.joined().map(\.text).joined(separator: " ")
    #expect(!all.replacing("80012345", with: "").contains("12345"))
    #expect(try run.story("12345", naming: .clear).table.texts(["subscription"]) == ["12345"])
    let coded = try run.story("12345", naming: .anonymous(key: "secret"))
    #expect(coded.table.texts(["subscription"])[0].count == 16)
  }

  @Test
  func `of nobody is refused`() throws {
    let run = try StoryRun(try ReportSandbox(reports()))
    let nobody = try #require(run.refusal("99"))
    #expect(nobody.contains("no Subscriber row of the input") && !nobody.contains("99"))
    #expect(run.refusal("\(name("20260322")):1")?.contains("no row of a subscriber") == true)
    #expect(run.refusal("\(name("20260322")):9")?.contains("no row of a subscriber") == true)
    #expect(run.refusal("other/\(name("20260322")):2")?.contains("no Subscriber report") == true)
    #expect(run.refusal("1.2E+4")?.contains("digits only") == true)
  }

  @Test
  func `says why rows do not count`() throws {
    var files = reports()
    files["copy/" + name("20260120")] = files[name("20260120")]
    let row = { (day: String) in ["Event Date": day, "Subscriber ID": "12345"] }
    files[name("20260403")] =
      ReportText.subscriber.with(row("2026-04-03").merging(["Units": "x"]) { $1 }).bytes
    let run = try StoryRun(try ReportSandbox(files)) { $0.asOf = day("2026-04-10") }
    let table = try run.story("12345").table
    let reasons = table.rows.indices.filter { table.texts(["event"], row: $0) == ["ignored"] }.map {
      table.texts(["because"], row: $0)[0]
    }
    #expect(reasons.count == 3)
    #expect(reasons.contains { $0.hasPrefix("the file has the same bytes as ") })
    #expect(reasons.contains { $0.hasPrefix("the row is rejected: ") })
    #expect(reasons.contains("the row has 0 units and is no refund"))
  }

  /// The slow reference: the tables, which are counted in another way.
  @Test(arguments: histories(4))
  func `of all subscribers count together what the tables say`(seed: UInt64) throws {
    let reports = try SimulatedReports(
      seed: seed, subscribers: 60, to: "2026-06-10", kinds: [.subscriber])
    let run = try StoryRun(try reports.sandbox())
    var ids: Set<String> = []
    for text in reports.reports.values {
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
      let cells = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
      let place = try #require(cells.first?.firstIndex(of: "Subscriber ID"))
      ids.formUnion(cells.dropFirst().map { String($0[place]) })
    }
    var counts: [String: Int] = [:]
    for id in ids {
      let table = try run.story(id).table
      for row in table.rows.indices {
        let cells = table.texts(["counts_in"], row: row)[0]
        for cell in cells.split(separator: ";") {
          counts[String(cell.drop { $0 == " " }), default: 0] += 1
        }
      }
    }
    // A story does not name the ages of lifetime value.
    for kind in ColumnMakeup.tables where kind != .lifetime {
      let table = try run.result.tableMaker().table(kind, view: 0)
      for row in table.rows.indices {
        let cells = table.row(row).mapValues(\.text)
        for column in ColumnMakeup.names(in: kind) {
          guard case .counts = ColumnMakeup.of(column, in: kind), let expected = cells[column],
            !expected.isEmpty
          else { continue }
          let keys = ["dating", "currency", "k"].compactMap { key in
            cells[key].map { " \(key)=\($0)" }
          }
          let month = cells["month"].map { " \($0)" } ?? ""
          let cell = "\(kind.rawValue).\(column)\(month)\(keys.joined())"
          #expect(counts[cell] ?? 0 == Int(expected), "\(cell)")
        }
      }
    }
  }
}
