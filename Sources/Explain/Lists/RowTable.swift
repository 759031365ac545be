import AppStoreReports
import Counting
import Files
import Pipeline
import SubscriptionModel
import Tables

/// Makes the table that lists the rows of reports which add to cells by themselves.
///
/// It has the columns of all explanations; those that the report lacks are empty, such as the subscription.
struct RowTable: Sendable {
  private let names: Names
  private let result: RunResult
  private let terms: RowFold.Terms

  init(_ names: Names, _ result: RunResult, _ terms: RowFold.Terms) {
    (self.names, self.result, self.terms) = (names, result, terms)
  }

  /// Returns the table of some columns' contributions.
  func table(_ lists: [(column: AskedRow.Column, list: RowContributionList)]) -> ReportTable {
    longTable(lists).table
  }

  /// Returns the table of some columns' contributions, whose texts are made row by row.
  func longTable(_ lists: [(column: AskedRow.Column, list: RowContributionList)]) -> LongTable {
    typealias Part = (
      column: AskedRow.Column, shown: OrderedElements<RowContribution>, rest: [[ReportTable.Cell]]
    )
    let parts = lists.map { column, list -> Part in
      let shown = list.printed
      let more = list.count - shown.count
      guard more > 0 else { return (column: column, shown: shown, rest: []) }
      let sum = list.sum - shown.reduce(0) { $0 + $1.value }
      let isLeftOut = shown.first?.leftOut != nil
      let rest = ExplanationTable.restRow(
        column.name, isLeftOut ? .missing : column.measure.cell(sum), more)
      return (column: column, shown: shown, rest: [rest])
    }
    let hasMoney = lists.contains { $0.column.measure != .count }
    return LongTable(
      name: "explain", columns: ExplanationTable.columns(hasMoney: hasMoney),
      count: parts.reduce(0) { $0 + $1.shown.count + $1.rest.count }
    ) { index in
      var place = index
      for part in parts {
        if place < part.shown.count { return cells(part.column, part.shown[place]) }
        place -= part.shown.count
        if place < part.rest.count { return part.rest[place] }
        place -= part.rest.count
      }
      preconditionFailure("the table has a row with this index")
    }
  }

  /// Returns the row of a contribution.
  func cells(
    _ column: AskedRow.Column, _ contribution: RowContribution
  ) -> [ReportTable.Cell] {
    let attributes = attributes(contribution.row)
    let report = result.files[contribution.file]
    let reason = RowReason(
      contribution: contribution, terms: terms, names: names,
      days: [.daily, nil].contains(report.frequency) ? nil : report.period)
    let path = report.file.relativePath
    return [
      .text(column.name),
      contribution.leftOut == nil ? column.measure.cell(contribution.value) : .missing, .missing,
      .text(names.app(attributes.app)), .text(names.text(attributes.group)),
      .text(names.product(attributes.product)), .text(names.text(attributes.country)), .missing,
      startMonth(contribution.row), .missing, .missing, .text(reason.factName),
      .text(reason.because), .text("\(path):\(contribution.row.line)"),
    ]
  }

  private func attributes(_ row: CountedFileRow) -> Attributes {
    switch row.content {
    case .events(let key, _): terms.events[Int(key.terms)].attributes
    case .active(_, let number): terms.snapshots[Int(number)]
    case .units(let key, _): terms.sales[Int(key.terms)].attributes
    }
  }

  /// Returns the month in which the subscriptions began, which only rows of events have.
  private func startMonth(_ row: CountedFileRow) -> ReportTable.Cell {
    guard case .events(let key, _) = row.content else { return .missing }
    return key.chainKey.value(of: .startMonth).map { .text($0.text(names)) } ?? .missing
  }
}
