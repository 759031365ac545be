import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import SubscriptionModel
package import Tables

/// Makes the table that lists contributions.
package struct ExplanationTable: Sendable {
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
    try longTable(lists).table
  }

  /// Returns the table of some columns' contributions, whose texts are made row by row.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func longTable(_ lists: [(column: String, list: ContributionList)]) throws -> LongTable {
    let parts = lists.map { Part(column: $0.column, list: $0.list) }
    var last = KeptCharges.LastRows()
    for part in parts {
      for contribution in part.shown.inAnyOrder {
        for row in contribution.evidence { last.insert(row) }
        if naming == nil { last.insert(contribution.rows.first) }
      }
    }
    let lines = try charges.lineNumbers(upTo: last)
    let hasMoney = lists.contains(where: \.list.measure.isMoney)
    let count = parts.reduce(0) { $0 + $1.rowCount }
    return LongTable(
      name: "explain", columns: Self.columns(hasMoney: hasMoney), count: count
    ) { index in
      var place = index
      for part in parts {
        if place < part.rowCount { return cells(ofRow: place, of: part, lines) }
        place -= part.rowCount
      }
      preconditionFailure("the table has \(count) rows")
    }
  }

  /// The contributions of a column.
  private struct Part: Sendable {
    let column: String
    let list: ContributionList
    /// The contributions to print, in order.
    let shown: OrderedElements<Contribution>
    /// The last row, about the contributions that are not printed; `nil` if all are.
    let rest: [ReportTable.Cell]?

    /// The number of rows of the table.
    var rowCount: Int { shown.count + (rest == nil ? 0 : 1) }

    init(column: String, list: ContributionList) {
      (self.column, self.list) = (column, list)
      shown = list.printed
      let more = list.count - shown.count
      guard more > 0 else {
        rest = nil
        return
      }
      let (measure, isLeftOut) = (list.measure, shown.first?.leftOut != nil)
      let sum = list.sum - shown.reduce(0) { $0 + $1.value(measure) }
      rest = ExplanationTable.restRow(
        column, measure.percent == nil && !isLeftOut ? measure.cell(sum) : .missing, more)
    }
  }

  private func cells(
    ofRow place: Int, of part: Part, _ lines: KeptCharges.NumberedFiles
  ) -> [ReportTable.Cell] {
    guard place < part.shown.count else { return part.rest ?? [] }
    let (contribution, measure) = (part.shown[place], part.list.measure)
    var row = cells(part.column, measure.cell(contribution.value(measure)), contribution, lines)
    if part.list.chosen == place + 1 { mark(&row, place + 1, of: part.list.count) }
    return row
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
    _ lines: some LinesOfRows
  ) -> [ReportTable.Cell] {
    let attributes = charges.terms[Int(contribution.terms)].attributes
    let key = { (dimension: Dimension) in
      contribution.key.value(of: dimension).map { $0.text(names) } ?? ""
    }
    let evidence = contribution.evidence.map { charges.place(of: $0, lines) }
    let name = charges.name(
      of: contribution.subscriber, first: contribution.rows.first, lines, naming)
    let leftOut = contribution.leftOut
    let reason = reason(contribution)
    return [
      .text(column), leftOut == nil ? value : .missing, .text(name),
      .text(names.app(attributes.app)), .text(names.text(attributes.group)),
      .text(names.product(attributes.product)), .text(names.text(attributes.country)),
      .text(key(.offer)), .text(key(.startMonth)), day(contribution.period?.start),
      day(contribution.period?.end), .text(leftOut == nil ? reason.factName : "left out"),
      .text(leftOut.map { reason.sentence($0) } ?? reason.sentence),
      .text(evidence.joined(separator: "; ")),
    ]
  }

  /// Returns the words about a contribution.
  func reason(_ contribution: Contribution) -> Reason {
    Reason(
      contribution, terms: charges.terms, names: names, charges.completeness, month: month)
  }

  /// Returns why the cell counts a contribution, or why it leaves it out.
  func because(_ contribution: Contribution) -> String {
    let reason = reason(contribution)
    return contribution.leftOut.map { reason.sentence($0) } ?? reason.sentence
  }

  private func day(_ day: Day?) -> ReportTable.Cell {
    day.map { .text($0.description) } ?? .missing
  }
}
