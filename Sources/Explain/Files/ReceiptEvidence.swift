import AppStoreReports
package import Counting
package import Pipeline
import SubscriptionModel
import Tables
import Threads

extension EvidenceFiles {
  /// Lists the contributions of a run that has kept its charges, its context and its receipts.
  ///
  /// - Parameters:
  ///   - result: The run; it has a view of the whole population.
  ///   - naming: How subscriptions are named; `nil` for the place of their first row.
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  package init(_ result: RunResult, naming: CustomerTable.Naming? = nil) throws {
    try self.init(
      result, naming: naming, result.receipts.map { ReceiptEvidence($0, result, naming) })
  }
}

/// Lists the periods and refunds of receipts that rows count.
///
/// The dumps are read again once for all tables, so contributions are found twice: for the rows that they name, and to
/// be written. Memory grows with the rows that are named.
struct ReceiptEvidence: SourceEvidence {
  private let receipts: KeptReceipts
  private let result: RunResult
  private let naming: CustomerTable.Naming?
  private var wanted: Set<ReceiptPlace> = []
  private var found: [ReceiptPlace: KeptReceipts.FoundPlace] = [:]

  init(_ receipts: KeptReceipts, _ result: RunResult, _ naming: CustomerTable.Naming?) {
    (self.receipts, self.result, self.naming) = (receipts, result, naming)
  }

  func rows(
    of kind: TableKind, in table: ReportTable, month: Month
  ) throws(QuestionError) -> [EvidenceRow] {
    try EvidenceRow.rows(
      of: kind, .receipts, in: table, month: month, result, receipts.filter, receipts.registries)
  }

  mutating func expect(_ rows: [EvidenceRow]) {
    for pass in EvidencePass.passes(for: rows) {
      for list in contributions(pass) {
        for one in list { wanted.formUnion(one.namedPlaces) }
      }
    }
  }

  mutating func readExpected() throws {
    found = try receipts.places(of: wanted, jobs: result.plan.jobs)
    wanted = []
  }

  func append(
    _ rows: [EvidenceRow], month: Month, to writer: inout EvidenceWriter,
    _ sums: inout EvidenceSums
  ) throws {
    let table = ContributionTable(
      result.names, receipts, naming, month, jobs: result.plan.jobs)
    for pass in EvidencePass.passes(for: rows) {
      for (row, own) in zip(pass.rows, contributions(pass)) {
        for column in row.asked.columns {
          var list = ReceiptContributionList(column.measure, limit: nil, .subscription)
          for one in own where column.counted.contains(one.found.counted) { list.add(one) }
          sums.add(column, of: row, count: list.count, list.result)
          for (place, one) in list.printed.enumerated() {
            let isChosen = list.chosen == place + 1
            let cells = table.cells(
              column.name, column.measure, one, found,
              chosen: isChosen ? (place + 1, list.count) : nil)
            writer.append(row.keys + cells)
          }
        }
      }
    }
  }

  private func contributions(_ pass: EvidencePass) -> [[ReceiptContribution]] {
    receipts.contributions(to: pass, named: naming != nil, jobs: result.plan.jobs)
  }
}

extension ExplainingFold where Source == ReceiptFacts {
  /// Creates a fold of the receipts of a run.
  package init(_ row: CountedRow, _ counted: Set<Counted>, _ receipts: KeptReceipts) {
    let registries = receipts.registries
    self.init(
      row, counted, customers: receipts.customers, contingent: receipts.contingent,
      monthSystem: receipts.completeness.monthSystem, symbol: { registries.symbol(of: $0) })
  }
}

extension ReceiptContribution {
  /// All rows that a list names for the contribution.
  var namedPlaces: [ReceiptPlace] {
    guard case .row(let file, let row, let number)? = customer else { return evidence + [first] }
    return evidence + [first, ReceiptPlace(file: file, row: row, number: number)]
  }
}
