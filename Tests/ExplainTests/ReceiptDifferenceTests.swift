import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

extension ReceiptRun {
  /// Explains the difference of a cell or a row between two months.
  fileprivate func difference(
    _ cell: String, where conditions: [String] = [], _ month: String, against other: String,
    naming: CustomerTable.Naming? = nil, order: ContributionOrder = .subscription,
    limit: Int? = nil
  ) throws -> ExplainedDifference {
    let question = try Question(cell, where: conditions, from: [.receipts])
    // The dumps are read again.
    return try withExtendedLifetime(self) {
      try ExplainedDifference(
        question, DifferenceSide(month, try #require(Month(month)), result),
        DifferenceSide(other, try #require(Month(other)), result),
        Listing(naming: naming, order: order, limit: limit))
    }
  }

  /// Explains the difference of a cell or a row since another run.
  fileprivate func difference(
    _ cell: String, where conditions: [String] = [], _ month: String, since other: ReceiptRun
  ) throws -> ExplainedDifference {
    let question = try Question(cell, where: conditions, from: [.receipts])
    let month = try #require(Month(month))
    return try withExtendedLifetime((self, other)) {
      try ExplainedDifference(
        question, DifferenceSide("now", month, result),
        DifferenceSide("run 1", month, other.result), isOfOtherRun: true)
    }
  }
}

@Suite("An explained difference of receipts")
struct ReceiptDifferenceTests {
  private static let rows: [(cell: String, conditions: [String])] = [
    ("churn", []), ("renewals", []), ("lapses", []), ("movement", []), ("trials", []),
    ("refunds", ["dating=sale", "currency=USD"]), ("refunds", ["dating=refund", "currency=USD"]),
    ("proceeds", ["currency=USD"]),
  ]

  // MARK: Two months

  @Test
  func `lists who came and who went, and what they were in both months`() throws {
    let sandbox = try ReportSandbox(["dump.ndjson": ReceiptAnswer.dump(ReceiptAnswer.three)])
    let run = try ReceiptRun(sandbox)
    let found = try run.difference("churn.churned", "2026-03", against: "2026-02")
    #expect(
      found.lines == [
        "1 came and 2 went, together -1, as churn.csv says: 1 (2026-03), 2 (2026-02)"
      ])
    let names = ["value", "subscription", "fact", "because"]
    #expect(
      found.table.texts(names, row: 0) == [
        "-1", "dump.ndjson:1 latest_receipt_info[0]", "went: lapse open final",
        "2026-03: adds nothing to this number; 2026-02: no charge within 60 days of 2026-02-10; the data of the subscription end on 2026-06-01; the renewal info says that the customer turned it off",
      ])
    #expect(
      found.table.texts(names, row: 1) == [
        "1", "dump.ndjson:2 latest_receipt_info[0]", "came: lapse open final",
        "2026-03: no charge within 60 days of 2026-03-15; the data of the subscription end on 2026-06-01; the renewal info says that billing failed; 2026-02: renewal: charged again on 2026-02-15, when it ended",
      ])
    #expect(found.table.rows.count == 3)
    let limited = try run.difference("churn.churned", "2026-03", against: "2026-02", limit: 1)
    #expect(limited.sums == found.sums && limited.table.rows.count == 2)
    #expect(
      limited.table.texts(["value", "because"], row: 1) == [
        "0", "2 more contributions, not listed",
      ])
  }

  @Test(arguments: histories(6))
  func `adds up in every table of a simulated world`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: 60 + seed, subscribers: 60, to: "2026-06-30", kinds: [.receipts])
    let run = try ReceiptRun(world.sandbox(), jobs: seed % 2 == 0 ? 1 : 3)
    for (cell, conditions) in Self.rows {
      let months = ["2026-04", "2026-03"]
      let sides = months.compactMap { month in
        try? run.explanation(cell, where: conditions, month: month, naming: .clear)
      }
      // A small world may have no such row.
      guard sides.count == 2 else { continue }
      let found = try run.difference(
        cell, where: conditions, months[0], against: months[1], naming: .clear)
      #expect(found.holds, "\(found.lines)")
      for sum in found.sums {
        let expected = ReferenceDifference(sum.column, sides[0].table, sides[1].table)
        #expect(ReferenceDifference(sum) == expected, "\(cell).\(sum.column)")
        #expect(found.listedSum(sum.column) == expected.sum, "\(cell).\(sum.column)")
        #expect(found.count("came", sum.column) == sum.counts.came)
        #expect(found.count("went", sum.column) == sum.counts.went)
      }
      for row in found.table.rows.indices {
        let because = found.table.texts(["because"], row: row)[0]
        #expect(because.hasPrefix("2026-04: ") && because.contains("; 2026-03: "), "\(because)")
      }
    }
  }

  @Test
  func `is the same on any number of threads, in both orders`() throws {
    let world = try SimulatedReports(
      seed: 61, subscribers: 80, to: "2026-06-30", kinds: [.receipts])
    let sandbox = try world.sandbox()
    for order in [ContributionOrder.subscription, .evidence] {
      let lists = try [1, 4].map { jobs in
        try ReceiptRun(sandbox, jobs: jobs).difference(
          "movement", "2026-04", against: "2026-03", order: order)
      }
      #expect(lists[0].table == lists[1].table && lists[0].sums == lists[1].sums)
    }
  }

  @Test
  func `of a median is refused`() throws {
    let back = ReceiptAnswer(
      original: "1000",
      periods: [
        ("2026-01-10", "2026-02-10", ""), ("2026-02-20", "2026-03-20", ""),
        ("2026-04-01", "2026-05-01", ""),
      ])
    let sandbox = try ReportSandbox(["dump.ndjson": ReceiptAnswer.dump([back])])
    let run = try ReceiptRun(sandbox)
    #expect(throws: QuestionError.self) {
      try run.difference("lapses.gap_days_median", "2026-03", against: "2026-02")
    }
    let whole = try run.difference("lapses", "2026-03", against: "2026-02")
    #expect(whole.holds && whole.notes.contains { $0.contains("gap_days_median") })
  }

  // MARK: Two runs

  @Test
  func `of two runs says what each knew, and which dump is new`() throws {
    let first = [
      ReceiptAnswer(
        original: "1000", periods: [("2026-01-10", "2026-02-10", "")], requested: "2026-02-20"),
      ReceiptAnswer(
        original: "2000", periods: [("2026-01-15", "2026-02-15", "")], requested: "2026-02-20"),
    ]
    let second = ReceiptAnswer(
      original: "2000",
      periods: [("2026-01-15", "2026-02-15", ""), ("2026-02-18", "2026-03-18", "")],
      requested: "2026-03-20")
    let sandbox = try ReportSandbox(["a.ndjson": ReceiptAnswer.dump(first)])
    let then = try ReceiptRun(sandbox)
    try sandbox.write("b.ndjson", ReceiptAnswer.dump([second]))
    let now = try ReceiptRun(sandbox)
    let found = try now.difference("churn.churned_provisional", "2026-02", since: then)
    #expect(
      found.lines == [
        "0 came and 1 went, together -1, as churn.csv of both runs says: 1 (now), 2 (run 1); 1 in both is not listed"
      ])
    #expect(
      found.table.texts(["value", "subscription", "fact", "because"]) == [
        "-1", "a.ndjson:2 latest_receipt_info[0]", "went: lapse open provisional",
        "now: lapse recovered: the next charge came on 2026-02-18, within 60 days of 2026-02-15; run 1: no charge so far since 2026-02-15, less than 60 days before the data of the subscription end on 2026-02-20; no renewal info gives a reason; brought by b.ndjson",
      ])
    let charges = try now.difference(
      "refunds.charges", where: ["dating=refund", "currency="], "2026-02", since: now)
    #expect(charges.holds && charges.table.rows.isEmpty)
  }

  /// Dumps come; whatever a run says otherwise than the one before is explained.
  @Test(arguments: histories(4))
  func `of two runs adds up, and names only dumps that are new`(seed: UInt64) throws {
    let world = try SimulatedReports(
      seed: 65 + seed, subscribers: 60, to: "2026-06-30", kinds: [.receipts])
    let names = world.reports.keys.sorted()
    let known = Set(names.prefix(max(1, names.count / 2)))
    let sandbox = try ReportSandbox(world.reports.filter { known.contains($0.key) })
    let then = try ReceiptRun(sandbox)
    for (name, bytes) in world.reports where !known.contains(name) {
      try sandbox.write(name, bytes)
    }
    let now = try ReceiptRun(sandbox, jobs: 3)
    for (cell, conditions) in Self.rows + [("retention", ["k=1"])] {
      // A half of the dumps may have no such row.
      guard let found = try? now.difference(cell, where: conditions, "2026-03", since: then) else {
        continue
      }
      #expect(found.holds, "\(found.lines)")
      for sum in found.sums {
        #expect(Int128(found.listedSum(sum.column)) == sum.after - sum.before)
      }
      for row in found.table.rows.indices {
        let because = found.table.texts(["because"], row: row)[0]
        #expect(because.hasPrefix("now: ") && because.contains("; run 1: "), "\(because)")
        let cause = because.split(separator: "; ").last.map(String.init) ?? ""
        guard cause != "no row of the subscription is new" else { continue }
        #expect(cause.hasPrefix("brought by "), "\(because)")
        #expect(known.allSatisfy { !cause.contains($0) }, "\(because)")
      }
    }
  }
}
