import AppStoreReports
import Counting
import Files
package import Pipeline
import Rendering
import Scanning
import Storage
package import Tables

extension Explanation {
  /// Explains counts of a file in `health.csv`: the rows of the file behind them.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - health: The table; its first rows are those of the files of the run, in their order.
  ///   - result: The result of a run that has kept its context.
  ///   - context: That context.
  ///   - listing: How many rows of each column are listed, and whether those that the column does not count.
  /// - Throws: ``QuestionError`` when there is no such row, or the cell is empty; ``KeptCharges/LineError`` for a file
  ///   that cannot be read again.
  package init(
    _ question: Question, _ health: LongTable, _ result: RunResult, _ context: ReadContext,
    _ listing: Listing = Listing()
  ) throws {
    let place = try question.place(in: health)
    guard place < result.files.count else { throw Question.withoutCounts(health.row(place)) }
    let counts = try FileCounts(place, result, context)
    var parts: [ExplanationTable.Part<ArraySlice<RowOutcomes.Row>>] = []
    var sums: [Sum] = []
    for name in question.counts {
      let (own, others) = (counts.rows(name), counts.rows(name, counted: false))
      let listed = listing.leavingOut ? others : own
      let shown = listed.prefix(listing.limit ?? listed.count)
      parts.append(
        ExplanationTable.Part(name, shown, of: listed.count) {
          listing.leavingOut ? .missing : .count(listed.count - shown.count)
        })
      let besides = Formula("besides, \(counted(others.count, "row")) of the file")
      sums.append(
        Sum(
          column: name, count: own.count, sum: Int128(own.count),
          expected: Int128(health.row(place)[name] ?? 0), measure: .count, unit: "row",
          details: counts.kinds(name, own) + (listing.leavingOut ? [besides] : [])))
    }
    let columns = ExplanationTable.columns(hasMoney: false)
    let table = ExplanationTable.table(parts, columns) { [parts] in
      counts.cells(
        question.counts[$0], listing.leavingOut ? .missing : .count(1), parts[$0].shown[$1])
    }
    self.init(ListedRows(table.table), sums, fileName: "health.csv")
  }
}

/// The rows of a file, with what became of each.
private struct FileCounts {
  private let report: FileReport
  private let outcomes: RowOutcomes
  private let sentences: RowSentences

  init(_ place: Int, _ result: RunResult, _ context: ReadContext) throws {
    report = result.files[place]
    outcomes = try context.outcomes(ofFileAt: place, result)
    sentences = RowSentences(report, outcomes, result)
  }

  /// Returns the rows that a column counts, or the others.
  func rows(_ column: String, counted: Bool = true) -> [RowOutcomes.Row] {
    outcomes.rows.filter { row in
      switch (column, row.outcome) {
      case ("rows_read", _), ("rows_used", .used), ("rows_ignored", .ignored),
        ("rows_rejected", .rejected):
        counted
      default: !counted
      }
    }
  }

  func cells(
    _ column: String, _ value: ReportTable.Cell, _ row: RowOutcomes.Row
  ) -> [ReportTable.Cell] {
    ExplanationTable.row(
      [.text(column), value], fact: sentences.fact(row), because: sentences.sentence(row),
      rows: sentences.place(row))
  }

  /// Compares the rows of each reason or code with those that the run counted.
  ///
  /// - Returns: Such as `other product types: 3; zero-quantity: 1`; nothing for other columns.
  func kinds(_ column: String, _ rows: [RowOutcomes.Row]) -> [Formula] {
    guard column == "rows_ignored" || column == "rows_rejected" else { return [] }
    let found: [String: Int] = rows.reduce(into: [:]) { kinds, row in
      switch row.outcome {
      case .used: break
      case .ignored(let reason): kinds[reason.rawValue, default: 0] += 1
      case .rejected(let number):
        kinds[outcomes.rejects[Int(number)].code.rawValue, default: 0] += 1
      }
    }
    let ignored = report.rows.ignored.map { ($0.key.rawValue, $0.value) }
    let expected =
      column == "rows_ignored" ? Dictionary(uniqueKeysWithValues: ignored) : codes
    if let expected, expected.filter({ $0.value != 0 }) != found {
      return [
        Formula(
          "\(Self.words(found)), but the run counted \(Self.words(expected))", holds: false)
      ]
    }
    return found.isEmpty ? [] : [Formula(Self.words(found))]
  }

  /// The number of rejects of each code; `nil` if the run has not listed all.
  private var codes: [String: Int]? {
    guard report.rejects.count == report.rows.rejected else { return nil }
    return report.rejects.reduce(into: [:]) { $0[$1.code.rawValue, default: 0] += 1 }
  }

  private static func words(_ kinds: [String: Int]) -> String {
    let inOrder = kinds.sorted { $0.key.precedes($1.key) }
    return inOrder.map { "\($0.key): \(NumberStyle.grouped($0.value))" }.joined(separator: "; ")
  }
}
