package import Evidence
import AppStoreReports
import Counting
package import Pipeline
import PriceImpact
import Rendering
import SubscriptionModel
package import Tables

/// The renewals that the cells of a row of `price_impact.csv` count, and whether they add up to them.
package struct ImpactExplanation: ShownExplanation, Sendable {
  /// The sum of a column.
  package struct Sum: Equatable, Sendable {
    /// The column.
    package let column: String
    /// The number of contributions.
    package let count: Int
    /// Their sum, an amount in milliunits.
    package let sum: Int128
    /// The number in the table; `nil` for an input of formulas that the table does not have.
    package let expected: Int128?
    let isMoney: Bool

    package var holds: Bool { expected.map { $0 == sum } ?? true }

    func text(_ number: Int128) -> String {
      isMoney ? NumberStyle.money(milliunits: number) : String(number)
    }
  }

  package let table: ReportTable
  package let sums: [Sum]
  /// The formulas with their numbers.
  package let formulas: [String]
  /// The formulas that give another number than the table has.
  private let wrongFormulas: [String]
  /// A line for each column whose left-out renewals are listed.
  private let leftOut: [String]
  /// The file that `report` writes the explained table to, such as `price_impact.csv`.
  package let fileName: String

  /// Explains a row of a run's table of price increases.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - result: The result of a run that has looked for price changes and kept its charges.
  ///   - charges: Those charges.
  ///   - naming: How subscriptions are named; `nil` for the place of their first row.
  ///   - order: The order of the contributions to each cell.
  ///   - limit: How many contributions of each column are printed; `nil` for all.
  ///   - leavingOut: Whether to list what the columns leave out, rather than the contributions.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: ImpactQuestion, _ result: RunResult, _ charges: KeptCharges,
    naming: CustomerTable.Naming? = nil, order: ContributionOrder = .subscription,
    limit: Int? = nil, leavingOut: Bool = false
  ) throws {
    let asked = try AskedImpact(question, result)
    let found = ImpactContributionFold.found(
      asked.row, asked.empty(limit: limit, order), Self.changes(question, result), charges,
      jobs: result.plan.jobs, leavingOut: leavingOut)
    let table = try ImpactExplanationTable(result.names, charges, naming, asked.row.oldPrice)
      .table(found.shown)
    self.init(asked, found, table, result)
  }

  /// Explains a row of a run's table of price increases, of receipts.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - result: The result of a run that has looked for price changes and kept its receipts.
  ///   - receipts: Those receipts.
  ///   - naming: How customers are named; `nil` to name each subscription by the row of its first purchase.
  ///   - order: The order of the contributions to each cell.
  ///   - limit: How many contributions of each column are printed; `nil` for all.
  ///   - leavingOut: Whether to list what the columns leave out, rather than the contributions.
  /// - Throws: ``QuestionError`` when there is no such row, ``KeptCharges/LineError`` for a file that cannot be read
  ///   again.
  package init(
    _ question: ImpactQuestion, _ result: RunResult, _ receipts: KeptReceipts,
    naming: CustomerTable.Naming? = nil, order: ContributionOrder = .subscription,
    limit: Int? = nil, leavingOut: Bool = false
  ) throws {
    let asked = try AskedImpact(question, result)
    let found = ReceiptImpactFold.found(
      asked.row, asked.empty(limit: limit, order), Self.changes(question, result), receipts,
      namesCustomers: naming != nil, jobs: result.plan.jobs, leavingOut: leavingOut)
    let table = try ReceiptImpactTable(
      result.names, receipts, naming, asked.row.oldPrice, jobs: result.plan.jobs
    ).table(found.shown)
    self.init(asked, found, table, result)
  }

  private init<Element>(
    _ asked: AskedImpact, _ found: FoundRenewals<Element>, _ table: ReportTable,
    _ result: RunResult
  ) {
    let sums = found.lists.map { Self.sum($0, asked) }
    leftOut = zip(sums, found.leftOut ?? []).map { sum, list in
      LeftOutLine.text(list.count, of: sums.count > 1 ? sum.column : nil)
    }
    let oldProceeds = sums.first { $0.column == ImpactColumn.oldProceeds.name }?.sum ?? 0
    let computed = ImpactFormulas(
      asked, found.sums, oldProceeds: oldProceeds, result.priceTableMaker)
    (self.sums, self.table, fileName) = (sums, table, asked.fileName)
    formulas = asked.formulas.compactMap(computed.line)
    let computedColumns = asked.columns.filter { $0.part == nil }.map(\.name)
    wrongFormulas = computed.failures(of: computedColumns)
  }

  private static func changes(_ question: ImpactQuestion, _ result: RunResult) -> [PriceChange] {
    result.prices.first { $0.source == question.source }?.changes ?? []
  }

  private static func sum<Element>(_ list: RenewalList<Element>, _ asked: AskedImpact) -> Sum {
    let expected: Int128? =
      switch asked.cells[list.column.name] {
      case .count(let count): Int128(count)
      case .money(let milliunits): milliunits
      default: nil
      }
    return Sum(
      column: list.column.name, count: list.count, sum: list.sum.rounded(asked.row.oldPrice),
      expected: expected, isMoney: list.part.isMoney)
  }

  package var lines: [String] { sums.map(line) + formulas + leftOut }

  package var failures: [String] { sums.filter { !$0.holds }.map(line) + wrongFormulas }

  package var holds: Bool { failures.isEmpty }

  private func line(_ sum: Sum) -> String {
    let name = sums.count > 1 ? sum.column + ": " : ""
    let verb = sum.count == 1 ? "adds" : "add"
    let words = "\(name)\(counted(sum.count, "contribution")) \(verb) up to \(sum.text(sum.sum))"
    guard let expected = sum.expected else { return words }
    return sum.holds
      ? "\(words), as \(fileName) says" : "\(words), but \(fileName) says \(sum.text(expected))"
  }
}
