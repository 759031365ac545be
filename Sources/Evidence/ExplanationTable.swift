import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import SubscriptionModel
package import Tables

/// Makes the table that lists contributions.
package struct ExplanationTable {
  private let names: Names
  private let charges: KeptCharges
  private let naming: CustomerTable.Naming?
  private let month: Month

  init(
    _ names: Names, _ charges: KeptCharges, _ naming: CustomerTable.Naming?, _ month: Month
  ) {
    (self.names, self.charges, self.naming, self.month) = (names, charges, naming, month)
  }

  /// The columns; amounts are in the currency of the explained row.
  package static func columns(hasMoney: Bool) -> [ReportTable.Column] {
    [.init("column", .key), .init("value", hasMoney ? .money : .count)] + others
  }

  private static let others: [ReportTable.Column] = [
    .init("subscription", .text), .init("app", .text), .init("group", .text),
    .init("product", .text), .init("country", .text),
    .init("offer", .text), .init("start_month", .text), .init("period_start", .text),
    .init("period_end", .text), .init("fact", .text), .init("because", .text),
    .init("rows", .text),
  ]

  /// Returns the table of some columns' contributions.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func table(_ lists: [(column: String, list: ContributionList)]) throws -> ReportTable {
    let printed = lists.map { (column: $0.column, list: $0.list, shown: $0.list.printed) }
    var wanted: Set<UInt64> = []
    for part in printed {
      for contribution in part.shown {
        wanted.formUnion(contribution.evidence)
        if naming == nil { wanted.insert(contribution.rows.first) }
      }
    }
    let lines = try charges.lines(of: wanted)
    var rows: [[ReportTable.Cell]] = []
    for part in printed {
      let measure = part.list.measure
      rows += part.shown.enumerated().map { place, contribution in
        var row = cells(part.column, measure.cell(contribution.value(measure)), contribution, lines)
        if part.list.chosen == place + 1 { mark(&row, place + 1, of: part.list.count) }
        return row
      }
      let rest = part.list.count - part.shown.count
      guard rest > 0 else { continue }
      let sum = part.list.sum - part.shown.reduce(0) { $0 + $1.value(measure) }
      let isSum = measure.percent == nil && part.shown.first?.leftOut == nil
      let value = isSum ? measure.cell(sum) : .missing
      rows.append(Self.restRow(part.column, value, rest))
    }
    let hasMoney = lists.contains(where: \.list.measure.isMoney)
    return ReportTable(
      name: "explain", dimensions: [], columns: Self.columns(hasMoney: hasMoney), rows: rows)
  }

  /// Marks the value that is in the cell.
  func mark(_ row: inout [ReportTable.Cell], _ place: Int, of count: Int) {
    guard let column = Self.others.firstIndex(where: { $0.name == "because" }),
      case .text(let because) = row[column + 2]
    else { return }
    row[column + 2] = .text("chosen, number \(place) of \(count) in order; \(because)")
  }

  /// Returns the row for the contributions beyond the limit.
  package static func restRow(
    _ column: String, _ sum: ReportTable.Cell, _ count: Int
  ) -> [ReportTable.Cell] {
    let because = ReportTable.Cell.text("\(counted(count, "more contribution")), not listed")
    return [.text(column), sum] + others.map { $0.name == "because" ? because : .missing }
  }

  /// Returns the row of a contribution.
  func cells(
    _ column: String, _ value: ReportTable.Cell, _ contribution: Contribution,
    _ lines: [UInt64: Int]
  ) -> [ReportTable.Cell] {
    let attributes = charges.terms[Int(contribution.terms)].attributes
    let key = { (dimension: Dimension) in
      contribution.key.value(of: dimension).map { $0.text(names) } ?? ""
    }
    let evidence = contribution.evidence.map { charges.place(of: $0, lines) }
    let name = charges.name(
      of: contribution.subscriber, first: contribution.rows.first, lines, naming)
    let leftOut = contribution.leftOut
    return [
      .text(column), leftOut == nil ? value : .missing, .text(name),
      .text(names.app(attributes.app)), .text(names.text(attributes.group)),
      .text(names.product(attributes.product)), .text(names.text(attributes.country)),
      .text(key(.offer)), .text(key(.startMonth)), day(contribution.period?.start),
      day(contribution.period?.end), .text(leftOut == nil ? contribution.factName : "left out"),
      .text(because(contribution)),
      .text(evidence.joined(separator: "; ")),
    ]
  }

  /// Returns why the cell counts a contribution, or why it leaves it out.
  func because(_ contribution: Contribution) -> String {
    let reason = Reason(
      contribution: contribution, terms: charges.terms, names: names,
      completeness: charges.completeness, month: month)
    return contribution.leftOut.map { reason.sentence($0) } ?? reason.sentence
  }

  private func day(_ day: Day?) -> ReportTable.Cell {
    day.map { .text($0.description) } ?? .missing
  }
}
