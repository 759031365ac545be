import AppStoreReports
import Counting
import Files
import Pipeline
import PriceImpact
import Rendering
import SubscriptionModel
import Tables

/// Makes the table that lists the renewals of a row of `price_impact.csv`: the columns of all explanations.
struct RenewalTable<Source: RenewalSource> {
  let names: Names
  let source: Source
  /// How subscriptions are named; `nil` for the place of their first row.
  let naming: CustomerTable.Naming?
  /// The old price of the explained row.
  let oldPrice: Int64?
  let jobs: Int

  /// Returns the table of some columns' renewals: a row for each one that is printed, and one for the rest of each list.
  ///
  /// - Parameter lists: The lists.
  /// - Returns: The table.
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func table(_ lists: [RenewalList<Source>]) throws -> ReportTable {
    let printed = lists.map { (list: $0, shown: $0.printed(oldPrice)) }
    var wanted: Set<Renewal<Source>.Row> = []
    for (list, shown) in printed {
      for (renewal, _) in shown {
        wanted.formUnion(renewal.evidence(of: list.part))
        wanted.formUnion(
          naming == nil ? [renewal.rows.first] : source.rows(naming: renewal.customer))
      }
    }
    var lines = Source.noLines
    try source.read(Array(wanted), &lines, jobs: jobs)
    var rows: [[ReportTable.Cell]] = []
    for (list, shown) in printed {
      rows += shown.map { cells(list, $0.renewal, $0.value, lines) }
      let rest = list.count - shown.count
      guard rest > 0 else { continue }
      let sum = list.sum.rounded(oldPrice) - shown.reduce(0) { $0 + $1.value }
      let isLeftOut = shown.first.map { list.part.value(of: $0.renewal.addition) == nil }
      rows.append(
        ExplanationTable.restRow(
          list.column.name, isLeftOut == true ? .missing : Self.cell(list.part, sum), rest))
    }
    return ReportTable(
      name: "explain", dimensions: [],
      columns: ExplanationTable.columns(hasMoney: printed.contains { $0.list.part.isMoney }),
      rows: rows)
  }

  /// Returns the cell of a number of a list.
  private static func cell(_ part: ImpactPart, _ number: Int128) -> ReportTable.Cell {
    part.isMoney ? .money(milliunits: number) : .count(Int(number))
  }

  private func cells(
    _ list: RenewalList<Source>, _ renewal: Renewal<Source>, _ value: Int128,
    _ lines: Source.Lines
  ) -> [ReportTable.Cell] {
    let attributes = renewal.own.attributes
    let key = { (dimension: Dimension) in
      renewal.key.value(of: dimension).map { $0.text(names) } ?? ""
    }
    let reason = ImpactReason(renewal: renewal, part: list.part, names: names)
    let isCounted = list.part.value(of: renewal.addition) != nil
    let name = source.name(of: renewal.customer, first: renewal.rows.first, lines, naming)
    // The end of a running term is that of its last instalment, which has not been paid yet.
    let end =
      renewal.charge.isRunningTerm
      ? renewal.charge.end.description : source.text(of: renewal.end)
    var places: [String] = []
    for row in renewal.evidence(of: list.part) {
      let text = source.text(of: row, lines)
      if !places.contains(text) { places.append(text) }
    }
    return [
      .text(list.column.name), isCounted ? Self.cell(list.part, value) : .missing, .text(name),
      .text(names.app(attributes.app)), .text(names.text(attributes.group)),
      .text(names.product(attributes.product)), .text(names.text(attributes.country)),
      .text(key(.offer)), .text(key(.startMonth)), .text(source.text(of: renewal.start)),
      .text(end), .text(isCounted ? reason.factName : "left out"),
      .text(isCounted ? reason.sentence : reason.whyLeftOut),
      .text(places.joined(separator: "; ")),
    ]
  }
}
