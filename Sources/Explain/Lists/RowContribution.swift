import AppStoreReports
import Counting
import Files
import Pipeline
import SubscriptionModel
import Tables

/// A row of a report that adds to a cell by itself: events, active subscriptions, or units.
struct RowContribution: ListedContribution, BitwiseCopyable {
  /// The kind of thing that a column counts, such as a fact; `nil` for a row that no column of the table counts.
  let counted: Counted?
  /// The number that the row adds to the cell.
  let value: Int128
  /// The index of the report among the run's files, and its day.
  let file: Int
  let day: Day?
  let row: CountedFileRow
  /// Why the cell does not count the row; `nil` if it does.
  var leftOut: RowLeftOutRule?

  func value(_ measure: Measure) -> Int128 { value }

  var isLeftOut: Bool { leftOut != nil }
  var firstRow: UInt64 { UInt64(file) << 32 | UInt64(row.line) }
  var firstEvidence: UInt64 { firstRow }
  // No two rows have one place.
  var moment: Int { 0 }
  var momentOfPair: Int { 0 }
  var order: [Int] { [] }

  static func makeStore() -> ElementStore<RowContribution>? { .file() }

  static func precedes(_ left: RowContribution, _ right: RowContribution) -> Bool {
    left.firstRow < right.firstRow
  }
}

/// Why a cell does not count a row of a report that belongs to it.
enum RowLeftOutRule: Equatable, Sendable, BitwiseCopyable {
  /// It counts as something else, such as a renewal where lapses are counted.
  case other
  /// The event ends or begins a free period.
  case free
  /// The subscription was in retry or grace before, and has counted when it entered it.
  case repeated
  /// The event is a refund.
  case refund
  /// The event has a name that matches no rule.
  case unknownEvent
  /// The outcome is that of another paid period, in retention; `nil` if the event shows no outcome.
  case otherPeriod(Int?)
  /// The amount is in another currency.
  case otherCurrency
  /// No paid subscription is active in the row of a snapshot.
  case noneActive
  /// The units have no price.
  case withoutPrice
}

/// Makes the table that lists the rows of reports which add to cells by themselves.
///
/// It has the columns of all explanations; those that the report lacks are empty, such as the subscription.
struct RowTable: Sendable {
  private let names: Names
  private let result: RunResult
  private let terms: RowFold.Terms

  init(_ result: RunResult, _ registries: Registries) {
    (names, self.result, terms) = (result.names, result, RowFold.Terms(registries))
  }

  /// Returns the table of some columns' contributions, whose texts are made row by row.
  func table(
    _ lists: [(column: String, list: ContributionList<RowContribution>)]
  ) -> LongTable {
    let parts = lists.map { column, list in
      let shown = list.printed
      return ExplanationTable.Part(column, shown, of: list.count) {
        let sum = list.sum - shown.reduce(0) { $0 + $1.value }
        return shown.first?.isLeftOut == true ? .missing : list.measure.cell(sum)
      }
    }
    let columns = ExplanationTable.columns(hasMoney: lists.contains(where: \.list.measure.isMoney))
    return ExplanationTable.table(parts, columns) { number, place in
      cells(lists[number].column, lists[number].list.measure, parts[number].shown[place])
    }
  }

  /// Returns the row of a contribution.
  func cells(
    _ column: String, _ measure: Measure, _ contribution: RowContribution
  ) -> [ReportTable.Cell] {
    let report = result.files[contribution.file]
    let reason = RowReason(
      contribution: contribution, terms: terms, names: names,
      days: [.daily, nil].contains(report.frequency) ? nil : report.period)
    var own = names.cells(attributes(contribution.row), nil)
    own[own.count - 1] = startMonth(contribution.row)
    let cells: [ReportTable.Cell] = [
      .text(column), contribution.isLeftOut ? .missing : measure.cell(contribution.value),
      .missing,
    ]
    return ExplanationTable.row(
      cells + own, fact: reason.factName, because: reason.because,
      rows: "\(report.file.relativePath):\(contribution.row.line)")
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
