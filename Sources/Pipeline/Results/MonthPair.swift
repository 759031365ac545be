import Metrics
import SubscriptionModel

/// A month of a source and the month before it, with the numbers that can be compared.
struct MonthPair {
  private let report: SourceReport
  private let month: Month
  /// Whether subscriptions from before the data may be unseen when the month began.
  private let isAtLeftEdge: Bool

  init(_ report: SourceReport, _ month: Month, wholeView: Int?) {
    self.report = report
    self.month = month
    let edge = wholeView.flatMap { report.tally.views[$0].edge(cohort: 0) }
    isAtLeftEdge =
      report.source == .subscribers
      && edge.map { report.completeness.monthSystem.firstDay(of: month) < $0 } ?? false
  }

  private var days: Completeness { report.completeness }

  /// Whether the later month is over.
  var isOver: Bool { days.isOver(month) }

  /// Whether the data cover the earlier month from its first day; always true of receipts.
  private var hasEarlierMonth: Bool {
    report.source == .receipts || days.firstDay <= days.monthSystem.firstDay(of: month - 1)
  }

  /// Returns whether the earlier month's number is shown.
  func showsEarlier(_ table: TableKind) -> Bool {
    hasEarlierMonth || isOfSnapshot(table)
  }

  /// Returns whether the number comes from a snapshot, which is complete whatever days are missing.
  private func isOfSnapshot(_ table: TableKind) -> Bool {
    report.source == .events && table == .movement
  }

  /// Returns whether the change of a number between the months is meaningful.
  ///
  /// - Parameters:
  ///   - table: The table of the number.
  ///   - states: The states of its rows, if the table has them.
  /// - Returns: Whether both months are complete.
  func canCompare(_ table: TableKind, _ states: [ReportTable.Cell]) -> Bool {
    guard isOver else { return false }
    if isOfSnapshot(table) { return true }
    guard hasEarlierMonth, !isPartial, !states.contains(.text("partial")) else { return false }
    // Movement has no state column, and its stocks lack subscriptions that are not seen yet.
    return table != .movement || !isAtLeftEdge
  }

  private var isPartial: Bool { [month - 1, month].contains(where: days.isPartial) }

  /// The reason why a number cannot be compared, in Markdown.
  var reason: String {
    let source = "`\(report.source.rawValue)`"
    let names = [month - 1, month].map { $0.longName(days.monthSystem) }
    if !isOver {
      // Receipts end at an instant, so the last day itself may be incomplete.
      let isLastDay = days.asOf == days.monthSystem.lastDay(of: month)
      return
        "\(source) ends \(isLastDay ? "during" : "on") \(days.asOf), before \(names[1]) was over"
    }
    if !hasEarlierMonth { return "\(source) begins on \(days.firstDay), after \(names[0]) began" }
    if days.leftOut != nil {
      return "\(source) leaves out records made after as-of, \(days.asOf)"
    }
    if isPartial { return "\(source) lacks days of these months" }
    return "\(source) has `partial` numbers in these months"
  }
}
