import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Simulated Subscriber reports, read by the test line by line.
private struct Reports {
  private(set) var files: [String: [UInt8]]

  init(seed: UInt64) throws {
    files = try SimulatedReports(
      seed: seed, subscribers: 80, to: "2026-06-10", kinds: [.subscriber]
    ).reports
  }

  private func lines(_ file: String) -> [String] {
    String(decoding: files[file] ?? [], as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The cells of a place such as `Subscriber_….txt:12`, by their columns.
  func row(_ place: String) throws -> [String: String] {
    let (file, number) = try Self.parts(place)
    let lines = lines(file)
    let cells = { (line: String) in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    try #require(number > 1 && number <= lines.count, "\(place)")
    return Dictionary(uniqueKeysWithValues: zip(cells(lines[0]), cells(lines[number - 1])))
  }

  mutating func remove(_ place: String) throws {
    let (file, number) = try Self.parts(place)
    var lines = lines(file)
    lines.remove(at: number - 1)
    files[file] = Array(lines.joined(separator: "\n").utf8)
  }

  private static func parts(_ place: String) throws -> (file: String, number: Int) {
    let parts = place.split(separator: ":").map(String.init)
    return (try #require(parts.first), try #require(parts.last.flatMap { Int($0) }))
  }

  /// Explains a row of a table that has one; `nil` without.
  func explanation(
    _ cell: String, where conditions: [String] = [], month: String
  ) throws -> Explanation? {
    let sandbox = try ReportSandbox(files)
    return try withExtendedLifetime(sandbox) {
      do {
        return try ExplainTests.explanation(cell, where: conditions, sandbox, month: month)
      } catch is QuestionError {
        return nil
      }
    }
  }
}

@Suite("Evidence in simulated reports")
struct EvidenceRowTests {
  @Test(arguments: histories(8))
  func `is in the named lines`(seed: UInt64) throws {
    let reports = try Reports(seed: seed)
    for cell in ["churn", "renewals", "movement", "trials", "lapses"] {
      // A small world may have no trial and no lapse in a month.
      guard let found = try reports.explanation(cell, month: "2026-03") else {
        #expect(["trials", "lapses"].contains(cell))
        continue
      }
      #expect(found.holds, "\(found.lines)")
      for place in found.table.rows.indices {
        try expectEvidence(found.table.row(place).mapValues(\.text), reports)
      }
    }
  }

  /// Compares a contribution with its rows: all are of its subscriber, and one begins its period.
  private func expectEvidence(_ contribution: [String: String], _ reports: Reports) throws {
    let rows = try (contribution["rows"] ?? "").split(separator: ";").map { place in
      try reports.row(String(place.drop { $0 == " " }))
    }
    let first = try reports.row(contribution["subscription"] ?? "")
    #expect(!rows.isEmpty && rows.allSatisfy { $0["Subscriber ID"] == first["Subscriber ID"] })
    let isCharge = { (row: [String: String]) in
      row["Refund"] != "Yes" && row["Event Date"] == contribution["period_start"]
        && row["Country"] == contribution["country"]
        && row["Subscription Group ID"] == contribution["group"]
    }
    #expect(rows.contains(where: isCharge), "\(contribution)")
  }

  @Test(arguments: histories(8))
  func `is what a number is made of: without it the number is smaller`(seed: UInt64) throws {
    var reports = try Reports(seed: seed)
    let before = try #require(try charges(reports))
    var random = SeededGenerator(seed: seed)
    let place = try #require(before.table.rows.indices.randomElement(using: &random))
    let rows = before.table.texts(["rows"], row: place)[0]
    // A row of several units is several charges.
    let count = before.table.rows.indices.count { before.table.texts(["rows"], row: $0)[0] == rows }
    try reports.remove(rows)
    let after = try charges(reports)
    let expected = before.sums[0].sum - Int128(count)
    #expect(after?.sums[0].sum ?? 0 == expected)
  }

  private func charges(_ reports: Reports) throws -> Explanation? {
    try reports.explanation(
      "refunds.charges", where: ["dating=refund", "currency=USD"], month: "2026-03")
  }
}
