import AppStoreReports
import Counting
import Files
import Pipeline
import SubscriptionModel
import Tables

/// Makes the table that lists the rows of reports which add to cells by themselves.
///
/// It has the columns of all explanations; those that the report lacks are empty, such as the subscription.
struct RowTable {
  private let names: Names
  private let result: RunResult
  private let terms: RowFold.Terms

  init(_ names: Names, _ result: RunResult, _ terms: RowFold.Terms) {
    (self.names, self.result, self.terms) = (names, result, terms)
  }

  /// Returns the table of some columns' contributions.
  func table(_ lists: [(column: AskedRow.Column, list: RowContributionList)]) -> ReportTable {
    var rows: [[ReportTable.Cell]] = []
    for (column, list) in lists {
      let shown = list.printed
      rows += shown.map { cells(column, $0) }
      let rest = list.count - shown.count
      guard rest > 0 else { continue }
      let sum = list.sum - shown.reduce(0) { $0 + $1.value }
      rows.append(ExplanationTable.restRow(column.name, column.measure.cell(sum), rest))
    }
    let hasMoney = lists.contains { $0.column.measure != .count }
    return ReportTable(
      name: "explain", dimensions: [], columns: ExplanationTable.columns(hasMoney: hasMoney),
      rows: rows)
  }

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
      .text(column.name), column.measure.cell(contribution.value), .missing,
      .text(names.app(attributes.app)), .text(names.text(attributes.group)),
      .text(names.product(attributes.product)), .text(names.text(attributes.country)), .missing,
      startMonth(contribution.row), .missing, .missing, .text(reason.factName),
      .text(reason.sentence), .text("\(path):\(contribution.row.line)"),
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
