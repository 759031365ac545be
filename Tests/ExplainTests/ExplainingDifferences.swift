import Explain
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Carries out a run from which the numbers of a question can be explained.
func explainableRun(
  of question: Question, _ sandbox: ReportSandbox, jobs: Int = 2,
  change: (inout RunPlan) -> Void = { _ in }
) -> RunResult {
  carryOut([sandbox.path], views: [question.dimensions], jobs: jobs) { plan in
    plan.sources = [question.source]
    plan.keepsCharges = question.source == .subscribers
    plan.keepsContext = question.source != .subscribers
    change(&plan)
  }
}

/// Explains the difference of a cell or a row between two months of the reports in a folder.
func difference(
  _ cell: String, where conditions: [String] = [], _ sandbox: ReportSandbox,
  _ month: String, against other: String, source: Source = .subscribers, jobs: Int = 2,
  naming: CustomerTable.Naming? = nil, order: ContributionOrder = .subscription,
  limit: Int? = nil
) throws -> ExplainedDifference {
  let question = try Question(cell, where: conditions, from: [source])
  let result = explainableRun(of: question, sandbox, jobs: jobs)
  return try ExplainedDifference(
    question, DifferenceSide(month, try #require(Month(month)), result),
    DifferenceSide(other, try #require(Month(other)), result),
    Listing(naming: naming, order: order, limit: limit))
}

/// The differences of one column, found in the slow and obvious way in the lists of both sides.
struct ReferenceDifference: Equatable {
  private(set) var came = 0
  private(set) var went = 0
  private(set) var changed = 0
  private(set) var inBoth = 0
  private(set) var sum = 0

  /// Compares two lists in which subscriptions have their ids.
  init(_ column: String, _ after: ReportTable, _ before: ReportTable) {
    var (own, other) = (Self.values(column, after), Self.values(column, before))
    for subscription in Set(own.keys).union(other.keys) {
      var (new, old) = (own[subscription] ?? [], other[subscription] ?? [])
      sum += new.reduce(0, +) - old.reduce(0, +)
      for value in new {
        guard let same = old.firstIndex(of: value) else { continue }
        old.remove(at: same)
        new.remove(at: new.firstIndex(of: value) ?? 0)
        inBoth += 1
      }
      let pairs = min(new.count, old.count)
      changed += pairs
      came += new.count - pairs
      went += old.count - pairs
      (own[subscription], other[subscription]) = (nil, nil)
    }
  }

  /// The values that each subscription adds: that of a subscriber in a group.
  private static func values(_ column: String, _ table: ReportTable) -> [[String]: [Int]] {
    var values: [[String]: [Int]] = [:]
    for row in table.rows.indices where table.texts(["column"], row: row) == [column] {
      let key = table.texts(["subscription", "group"], row: row)
      values[key, default: []].append(Int(table.texts(["value"], row: row)[0]) ?? 0)
    }
    return values
  }

  init(_ sum: ExplainedDifference.Sum) {
    (came, went, changed) = (sum.counts.came, sum.counts.went, sum.counts.changed)
    (inBoth, self.sum) = (sum.counts.inBoth, Int(sum.sum))
  }
}

extension ExplainedDifference {
  /// The rows of a column whose fact begins with a word such as `came`.
  func count(_ kind: String, _ column: String) -> Int {
    table.rows.indices.count { row in
      let texts = table.texts(["column", "fact"], row: row)
      return texts[0] == column && texts[1].hasPrefix("\(kind): ")
    }
  }

  /// The sum of the listed values of a column.
  func listedSum(_ column: String) -> Int {
    table.rows.indices.reduce(0) { sum, row in
      let texts = table.texts(["column", "value"], row: row)
      return texts[0] == column ? sum + (Int(texts[1]) ?? 0) : sum
    }
  }
}
