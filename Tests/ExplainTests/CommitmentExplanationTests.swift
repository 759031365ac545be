import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Explained commitments")
struct CommitmentExplanationTests {
  /// Four terms that begin in May 2026: 1 is paid, 2 pays late, 3 changes the product, 4 is given its money back.
  private func sandbox() throws -> ReportSandbox {
    let row = { (day: String, id: String, number: String) in
      [
        "Event Date": "2026-\(day)", "Subscriber ID": id, "Billing Period": number,
        "Subscription Name": "Pro Yearly", "Subscription Apple ID": "1460000003",
        "Standard Subscription Duration": "1 Year",
      ]
    }
    let monthly = ["Event Date": "2026-06-12", "Subscriber ID": "3"]
    let refund = row("05-20", "4", "1").merging([
      "Refund": "Yes", "Purchase Date": "2026-05-15", "Customer Price": "-9.99",
    ]) { $1 }
    return try folder([
      "0401": [], "0505": [row("05-05", "1", "1")], "0510": [row("05-10", "2", "1")],
      "0512": [row("05-12", "3", "1")], "0515": [row("05-15", "4", "1")], "0520": [refund],
      "0605": [row("06-05", "1", "2")], "0612": [monthly], "0620": [row("06-20", "2", "2")],
      "0705": [row("07-05", "1", "3")], "0731": [],
    ])
  }

  private func folder(_ rows: [String: [[String: String]]]) throws -> ReportSandbox {
    var files: [String: [UInt8]] = [:]
    for (day, own) in rows {
      var text = ReportText(
        columns: ReportText.subscriber.columns + ["Billing Period"],
        usual: [
          "App Name": "Larkspur", "App Apple ID": "1450000101", "Subscription Name": "Monthly",
          "Subscription Apple ID": "1460000001", "Subscription Group ID": "20450101",
          "Standard Subscription Duration": "1 Month", "Customer Price": "9.99",
          "Customer Currency": "USD", "Developer Proceeds": "6.99", "Proceeds Currency": "USD",
          "Device": "iPhone", "Country": "US", "Units": "1",
        ])
      text.rows = own
      files[Self.name(day)] = text.bytes
    }
    return try ReportSandbox(files)
  }

  private static func name(_ day: String) -> String { "Subscriber_80012345_2026\(day)_V1_3.txt" }

  private func column(_ name: String, _ explanation: Explanation) -> [String] {
    explanation.table.rows.indices.map { explanation.table.texts([name], row: $0)[0] }
  }

  @Test
  func `name the instalments that were due, and what became of them`() throws {
    let due = try explanation("commitments.due", sandbox(), month: "2026-06")
    #expect(due.lines == ["2 contributions add up to 2, as commitments.csv says"])
    #expect(column("fact", due) == ["instalment paid", "instalment recovered"])
    #expect(
      column("because", due) == [
        "the next instalment was due on 2026-06-05, at the end of instalment 1 of 12: paid on 2026-06-05",
        "the next instalment was due on 2026-06-10, at the end of instalment 1 of 12: paid on 2026-06-20, within 90 days",
      ])
    #expect(
      column("rows", due) == [
        "\(Self.name("0505")):2; \(Self.name("0605")):2",
        "\(Self.name("0510")):2; \(Self.name("0620")):2",
      ])
    let rate = try explanation("commitments.paid_rate", sandbox(), month: "2026-06")
    #expect(rate.sums.map(\.column) == ["paid", "due"] && rate.sums.map(\.sum) == [1, 2])
    let pending = try explanation("commitments.pending", sandbox(), month: "2026-07")
    #expect(
      column("because", pending) == [
        "the next instalment was due on 2026-07-20, at the end of instalment 2 of 12: no charge so far; the data end on 2026-07-31"
      ])
  }

  @Test
  func `name the terms that run, and those that have ended`() throws {
    let running = try explanation("commitments.running", sandbox(), month: "2026-06")
    #expect(column("fact", running) == ["term running", "term running"])
    #expect(
      column("because", running).first
        == "the term runs on 2026-06-30: instalment 2 of 12, paid from 2026-06-05 to 2026-07-05")
    let suspended = try explanation("commitments.suspended", sandbox(), month: "2026-07")
    #expect(
      column("because", suspended) == [
        "instalment 2 of 12 ended on 2026-07-20, and the next was not paid by 2026-07-31; Apple retries for 90 days"
      ])
    let changed = try explanation("commitments.terms_ended", sandbox(), month: "2026-06")
    #expect(
      changed.table.texts(["fact", "because", "rows"]) == [
        "term changed", "another product was bought on 2026-06-12, after instalment 1 of 12",
        "\(Self.name("0512")):2; \(Self.name("0612")):2",
      ])
    let refunded = try explanation("commitments.terms_ended", sandbox(), month: "2026-05")
    #expect(
      refunded.table.texts(["fact", "because", "rows"]) == [
        "term refunded", "a full refund ended instalment 1 of 12 and the term on 2026-05-20",
        "\(Self.name("0515")):2; \(Self.name("0520")):2",
      ])
  }

  @Test
  func `add up what customers still owe`() throws {
    let all = try explanation("commitments", where: ["currency=USD"], sandbox(), month: "2026-06")
    #expect(all.holds)
    let sums = Dictionary(uniqueKeysWithValues: all.sums.map { ($0.column, $0.sum) })
    #expect(sums["terms_started"] == 0 && sums["terms_ended"] == 1 && sums["running"] == 2)
    #expect(sums["remaining"] == 20 && sums["remaining_price"] == 199_800)
    #expect(sums["remaining_proceeds"] == 139_800)
    let price = try explanation("commitments.remaining_price", sandbox(), month: "2026-06")
    #expect(price.lines == ["2 contributions add up to 199.80, as commitments.csv says"])
    #expect(
      price.table.texts(["value", "because"]) == [
        "99900",
        "10 instalments of the term to come after instalment 2 of 12, charged on 2026-06-05",
      ])
  }

  private func leftOut(_ column: String, _ month: String) throws -> [String] {
    let found = try explanation(
      "commitments.\(column)", sandbox(), month: month, leavingOut: true)
    #expect(found.holds, "\(found.failures)")
    return self.column("because", found)
  }

  /// Of June: 1 paid and 2 paid late; 3 changed the product, so nothing was due.
  @Test
  func `leave out instalments with the rule`() throws {
    let changed = "another product was bought on 2026-06-12, after instalment 1 of 12"
    #expect(try leftOut("due", "2026-06") == ["term changed: \(changed)"])
    #expect(
      try leftOut("paid", "2026-06") == [
        "instalment recovered: the next instalment was due on 2026-06-10, at the end of instalment 1 of 12: paid on 2026-06-20, within 90 days",
        "term changed: \(changed)",
      ])
    #expect(
      try leftOut("due", "2026-05") == [
        "term refunded: a full refund ended instalment 1 of 12 and the term on 2026-05-20"
      ])
    #expect(
      try leftOut("terms_started", "2026-06") == [
        "instalment 2 of 12, which is not the first of its term",
        "instalment 2 of 12, which is not the first of its term",
      ])
    #expect(
      try leftOut("suspended", "2026-07") == [
        "term running: the term runs on 2026-07-31: instalment 3 of 12, paid from 2026-07-05 to 2026-08-05"
      ])
    #expect(try leftOut("running", "2026-06") == ["term changed: \(changed)"])
    #expect(try leftOut("terms_renewed", "2026-06") == ["term changed: \(changed)"])
  }

  /// Each instalment that ends in a month counts in a column, or is left out.
  @Test(arguments: histories(3))
  func `leave out all other instalments of the month`(seed: UInt64) throws {
    let reports = try SimulatedReports(
      seed: 60 + seed, subscribers: 300, to: "2026-08-31", kinds: [.subscriber],
      plans: PlanOptions(commitments: Share("0.8", of: "--commitments"), hasPlanColumns: true))
    let sandbox = try reports.sandbox()
    var all = 0
    for (month, currency) in [("2026-07", "GBP"), ("2026-08", "GBP"), ("2026-08", "CAD")] {
      var totals: Set<Int> = []
      for column in ["due", "paid", "recovered", "defaulted", "pending"] {
        guard
          let found = try? explanation(
            "commitments.\(column)", where: ["currency=\(currency)"], sandbox, month: month,
            leavingOut: true)
        else { continue }
        #expect(found.holds, "\(found.failures)")
        totals.insert(found.sums[0].count + (found.leftOut?.first ?? 0))
        #expect(self.column("because", found).allSatisfy { !$0.isEmpty && !$0.hasSuffix(": ") })
      }
      #expect(totals.count <= 1, "\(month) \(currency): \(totals)")
      all += totals.first ?? 0
    }
    #expect(all > 0)
  }

  @Test
  func `are cells in the story of a subscription`() throws {
    let sandbox = try sandbox()
    let result = carryOut([sandbox.path], views: [[]]) { plan in
      plan.sources = [.subscribers]
      plan.keepsCharges = true
    }
    let story = try Story(of: "2", result)
    let cells = story.table.rows.indices.map {
      story.table.texts(["event", "date", "counts_in"], row: $0)
    }
    let end = try #require(cells.first { $0[0] == "end" && $0[1] == "2026-06-10" })
    #expect(end[2].contains("commitments.recovered 2026-06 currency=USD"))
    let charge = try #require(cells.first { $0[0] == "charge" && $0[1] == "2026-06-20" })
    #expect(charge[2].contains("commitments.remaining_price 2026-06 currency=USD"))
  }
}
