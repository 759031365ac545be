import Evidence
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
    var rows: [[ReportTable.Cell]] = []
    for (list, shown) in printed {
      rows += shown.map { cells(list, $0.contribution, $0.value, lines) }
      let rest = list.count - shown.count
      guard rest > 0 else { continue }
      let sum = list.sum.rounded(oldPrice) - shown.reduce(0) { $0 + $1.value }
      rows.append(
        ExplanationTable.restRow(list.column.name, Self.cell(list.part, sum), rest))
    }
    return ReportTable(
      name: "explain", dimensions: [],
      columns: ExplanationTable.columns(hasMoney: lists.contains(where: \.part.isMoney)),
      rows: rows)
  }

  private static func cell(_ part: ImpactPart, _ number: Int128) -> ReportTable.Cell {
    part.isMoney ? .money(milliunits: number) : .count(Int(number))
  }

  private func cells(
    _ list: ImpactContributionList, _ contribution: ImpactContribution, _ value: Int128,
    _ lines: [UInt64: Int]
  ) -> [ReportTable.Cell] {
    let charge = contribution.charge
    let attributes = charges.terms[Int(charge.terms)].attributes
    let key = { (dimension: Dimension) in
      contribution.key.value(of: dimension).map { $0.text(names) } ?? ""
    }
    let reason = ImpactReason(
      contribution: contribution, part: list.part, terms: charges.terms, names: names,
      asOf: charges.completeness.asOf)
    let evidence = contribution.evidence(of: list.part).map { charges.place(of: $0, lines) }
    let name = charges.name(
      of: contribution.subscriber, first: contribution.rows.first, lines, naming)
    return [
      .text(list.column.name), Self.cell(list.part, value), .text(name),
      .text(names.app(attributes.app)), .text(names.text(attributes.group)),
      .text(names.product(attributes.product)), .text(names.text(attributes.country)),
      .text(key(.offer)), .text(key(.startMonth)), .text(charge.start.description),
      .text(charge.end.description), .text(reason.factName), .text(reason.sentence),
      .text(evidence.joined(separator: "; ")),
    ]
  }
}
