import Rendering
import Scanning
package import SubscriptionModel
import Tables

/// The reason why a question to a ledger has no answer, as one sentence.
package struct LedgerQuestionError: Error, Equatable, Sendable {
  package var message: String

  init(_ message: String) { self.message = message }
}

/// A question to a ledger: a table or one of its columns, and the rows.
package struct LedgerQuestion: Equatable, Sendable {
  /// A value that rows have.
  struct Condition: Equatable, Sendable {
    var key: String
    /// The value, as CSV has it.
    var value: String

    /// The condition as it was written.
    var text: String { "--where \(key)=\(value)" }
  }

  package enum Subject: Equatable, Sendable {
    /// A cell in each run.
    case cell
    /// The table of the run whose data end on a day, or of the latest before.
    case table(Day)
  }

  let table: String
  /// The column; `nil` for all.
  let column: String?
  let conditions: [Condition]
  /// The month as it was written, or `last`; `nil` for all.
  let month: String?
  let subject: Subject

  /// Reads a question about a cell such as `churn.churn_rate`, or a table of a day, with conditions such as
  /// `currency=EUR`.
  package init(
    _ cell: String, where conditions: [String], month: String?, at day: Day?
  ) throws(LedgerQuestionError) {
    let parts = cell.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard let columns = LedgerTable.columns(of: parts[0]) else {
      let advice = Nearest.advice(parts[0], among: LedgerTable.names)
      throw LedgerQuestionError("history \(parts[0]): no such table; \(advice)")
    }
    table = parts[0]
    column = parts.count > 1 ? parts[1] : nil
    if column == nil, day == nil {
      let number = columns.map(\.column).first { $0.kind == .count || $0.kind == .rate }
      throw LedgerQuestionError(
        "history \(table): name a column, such as \(table).\(number?.name ?? ""), or a day with --at"
      )
    }
    var read: [Condition] = []
    for text in conditions {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 2 else {
        throw LedgerQuestionError(
          "--where \(text): write a column and its value, such as currency=EUR")
      }
      guard !["month", "period"].contains(parts[0]) else {
        throw LedgerQuestionError("--where \(text): use --month \(parts[1])")
      }
      guard !read.contains(where: { $0.key == parts[0] }) else {
        throw LedgerQuestionError(
          "--where \(text): \(parts[0]) is given twice; a row has one value")
      }
      read.append(Condition(key: parts[0], value: SeparatedValues.withoutGuard(parts[1])))
    }
    self.conditions = read
    self.month = month
    subject = day.map { .table($0) } ?? .cell
  }
}
