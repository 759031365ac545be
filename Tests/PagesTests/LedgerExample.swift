import PipelineTestSupport
import ReportFolder
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// A ledger in a file, to which runs add lines.
struct LedgerExample {
  private let sandbox: ReportSandbox
  private(set) var state = LedgerState()
  /// The text of the file.
  private(set) var text = ""
  var path: String { sandbox.path + "/ledger.jsonl" }

  init() throws {
    sandbox = try ReportSandbox()
    try write("")
  }

  /// Adds the line of a run.
  @discardableResult
  mutating func add(
    _ asOf: String, definitions: Int = 3, version: String = "1.2.3",
    options: [String: String] = [:], inputs: [LedgerEntry.File] = [], _ tables: ReportTable...
  ) throws -> LedgerEntry {
    var entry = LedgerEntry(
      asOf: Day(asOf), sequence: 0, definitions: definitions, version: version)
    entry.options = options
    return try add(state.completed(entry, inputs: inputs, tables: tables))
  }

  /// Adds a line.
  @discardableResult
  mutating func add(_ entry: LedgerEntry) throws -> LedgerEntry {
    state.apply(entry)
    try write(text + entry.text)
    return entry
  }

  /// Replaces the text of the file.
  mutating func write(_ text: String) throws {
    self.text = text
    try sandbox.write("ledger.jsonl", text)
  }

  /// The lines as they are read.
  func entries() throws -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    try #require(Ledger(path)).forEachEntry { entry in
      entries.append(entry)
      return true
    }
    return entries
  }

  /// Answers a question.
  func history(
    _ cell: String, where conditions: [String] = [], month: String? = nil, at day: String? = nil
  ) throws -> LedgerHistory {
    let question = try LedgerQuestion(
      cell, where: conditions, month: month, at: day.flatMap { Day($0) })
    let ledger = try #require(Ledger(path))
    return try LedgerHistory(question) { body throws(LedgerError) in
      try ledger.forEachEntry(body)
    }
  }

  /// The message that refuses a question; `nil` for one with an answer.
  func refusal(
    _ cell: String, where conditions: [String] = [], month: String? = nil, at day: String? = nil
  ) throws -> String? {
    do {
      _ = try history(cell, where: conditions, month: month, at: day)
      return nil
    } catch let error as LedgerQuestionError {
      return error.message
    }
  }
}

/// Runs a ledger twice, the second time with one report more, and returns what the second run changed.
func ledgerChanges(
  _ before: ReportTable, _ after: ReportTable, from firstDay: String = "2026-09-30",
  to secondDay: String = "2026-10-02"
) throws -> ReportTable {
  var ledger = try LedgerExample()
  try ledger.add(firstDay, before)
  let state = ledger.state
  let report = LedgerEntry.File("a.txt", "1", report: "subscriber 80012345", day: Day("2026-09-30"))
  let entry = try ledger.add(secondDay, inputs: [report], after)
  return LedgerChanges.table(entry, since: state, order: ["churn"])
}

/// A table of churn with these columns only: the source, the month, the numbers of the rate, and the state.
func churnTable(
  _ rows: (source: String, month: String, start: Int, churned: Int, state: String)...
) -> ReportTable {
  ReportTable(
    name: "churn", dimensions: [],
    columns: [
      .init("source", .key), .init("month", .key), .init("active_start", .count),
      .init("churned", .count), .init("churn_rate", .rate), .init("low", .rate),
      .init("state", .text),
    ],
    rows: rows.map { row in
      [
        .text(row.source), .text(row.month), .count(row.start), .count(row.churned),
        .rate(row.churned, of: row.start), .fraction(Double(row.churned) / 3), .text(row.state),
      ]
    })
}

/// The bytes of a table as CSV lines of cells for machines, without a header.
func lines(_ table: ReportTable) -> [String] {
  table.rows.map { row in row.map(\.exampleText).joined(separator: ",") }
}

extension ReportTable.Cell {
  fileprivate var exampleText: String {
    switch self {
    case .missing: ""
    case .text(let text): text
    case .count(let count): String(count)
    case .ratio(let numerator, let denominator): "\(numerator)/\(denominator)"
    case .fraction(let fraction): "\(fraction)"
    case .money(let milliunits): "\(milliunits)m"
    case .hundredths(let hundredths): "\(hundredths)h"
    }
  }
}
