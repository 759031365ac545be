import AppStoreReports
import Counting
import Files
import Pipeline
import PriceImpact
import Rendering
import SubscriptionModel
import Tables

/// Makes the table that lists the renewals of a row of `price_impact.csv`: the columns of all explanations.
struct ImpactExplanationTable {
  private let names: Names
  private let charges: KeptCharges
  private let naming: CustomerTable.Naming?
  private let oldPrice: Int64?

  init(
    _ names: Names, _ charges: KeptCharges, _ naming: CustomerTable.Naming?, _ oldPrice: Int64?
  ) {
    (self.names, self.charges, self.naming, self.oldPrice) = (names, charges, naming, oldPrice)
  }

  /// Returns the table of some columns' contributions.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func table(_ lists: [ImpactContributionList]) throws -> ReportTable {
    let printed = lists.map { (list: $0, shown: $0.printed(oldPrice)) }
    var wanted: Set<UInt64> = []
    for (list, shown) in printed {
      for (contribution, _) in shown {
        wanted.formUnion(contribution.evidence(of: list.part))
        if naming == nil { wanted.insert(contribution.rows.first) }
      }
    }
    let lines = try charges.lines(of: wanted)
    return Self.table(printed, oldPrice) { list, contribution, value in
      cells(list, contribution, value, lines)
    }
  }

  /// Returns a table with a row for each printed renewal, and one for the rest of each list.
  ///
  /// - Parameters:
  ///   - printed: The lists, and the renewals that each prints.
  ///   - oldPrice: The old price of the explained row.
  ///   - cells: Returns the cells of a renewal.
  /// - Returns: The table.
  static func table<Element>(
    _ printed: [(list: RenewalList<Element>, shown: [(contribution: Element, value: Int128)])],
    _ oldPrice: Int64?,
    cells: (RenewalList<Element>, Element, Int128) -> [ReportTable.Cell]
  ) -> ReportTable {
    var rows: [[ReportTable.Cell]] = []
    for (list, shown) in printed {
      rows += shown.map { cells(list, $0.contribution, $0.value) }
      let rest = list.count - shown.count
      guard rest > 0 else { continue }
      let sum = list.sum.rounded(oldPrice) - shown.reduce(0) { $0 + $1.value }
      let isLeftOut = shown.first.map { list.part.value(of: $0.contribution.addition) == nil }
      rows.append(
        ExplanationTable.restRow(
          list.column.name, isLeftOut == true ? .missing : cell(list.part, sum), rest))
    }
    return ReportTable(
      name: "explain", dimensions: [],
      columns: ExplanationTable.columns(hasMoney: printed.contains { $0.list.part.isMoney }),
      rows: rows)
  }

  /// Returns the cell of a number of a list.
  static func cell(_ part: ImpactPart, _ number: Int128) -> ReportTable.Cell {
    part.isMoney ? .money(milliunits: number) : .count(Int(number))
  }

  /// Returns the cells of what a renewal adds to a column, its fact and its reason.
  static func cells<Element>(
    _ list: RenewalList<Element>, _ value: Int128, _ reason: ImpactReason
  ) -> (value: ReportTable.Cell, fact: ReportTable.Cell, because: ReportTable.Cell) {
    guard list.part.value(of: reason.addition) != nil else {
      return (.missing, .text("left out"), .text(reason.whyLeftOut))
    }
    return (cell(list.part, value), .text(reason.factName), .text(reason.sentence))
  }

  private func cells(
    _ list: ImpactContributionList, _ contribution: ImpactContribution, _ value: Int128,
    _ lines: [UInt64: Int]
  ) -> [ReportTable.Cell] {
    let charge = contribution.charge
    let terms = charges.terms[Int(charge.terms)]
    let attributes = terms.attributes
    let key = { (dimension: Dimension) in
      contribution.key.value(of: dimension).map { $0.text(names) } ?? ""
    }
    let reason = ImpactReason(
      addition: contribution.addition, part: list.part, charge: charge, next: contribution.next,
      own: terms, new: contribution.next.map { charges.terms[Int($0.terms)] },
      refundDay: contribution.refundDay, names: names, asOf: charges.completeness.asOf)
    let evidence = contribution.evidence(of: list.part).map { charges.place(of: $0, lines) }
    let name = charges.name(
      of: contribution.subscriber, first: contribution.rows.first, lines, naming)
    let own = Self.cells(list, value, reason)
    return [
      .text(list.column.name), own.value, .text(name),
      .text(names.app(attributes.app)), .text(names.text(attributes.group)),
      .text(names.product(attributes.product)), .text(names.text(attributes.country)),
      .text(key(.offer)), .text(key(.startMonth)), .text(charge.start.description),
      .text(charge.end.description), own.fact, own.because,
      .text(evidence.joined(separator: "; ")),
    ]
  }
}
