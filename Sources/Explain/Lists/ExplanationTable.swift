import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import SubscriptionModel
package import Tables

/// The columns of every list of contributions.
package enum ExplanationTable {
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

  /// Returns the row for the contributions beyond the limit.
  package static func restRow(
    _ column: String, _ sum: ReportTable.Cell, _ count: Int
  ) -> [ReportTable.Cell] {
    let because = ReportTable.Cell.text("\(counted(count, "more contribution")), not listed")
    return [.text(column), sum] + others.map { $0.name == "because" ? because : .missing }
  }
}

/// Makes the table that lists contributions of a source.
struct ContributionTable<Source: ExplainedSource>: Sendable {
  typealias Found = Source.Customers.Found

  private let names: Names
  private let source: Source
  private let naming: CustomerTable.Naming?
  private let month: Month
  private let jobs: Int

  /// Prepares tables.
  ///
  /// - Parameters:
  ///   - names: The names of products and countries.
  ///   - source: What the run has kept.
  ///   - naming: How subscriptions are named; `nil` for the place of their first row.
  ///   - month: The month of the row.
  ///   - jobs: The number of threads.
  init(
    _ names: Names, _ source: Source, _ naming: CustomerTable.Naming?, _ month: Month, jobs: Int
  ) {
    (self.names, self.source, self.naming) = (names, source, naming)
    (self.month, self.jobs) = (month, jobs)
  }

  /// The contributions to a column.
  private struct Part: Sendable {
    let column: String
    let list: ContributionsOfCell<Found>
    /// The contributions to print, in order.
    let shown: OrderedElements<Found>
    /// The last row, about the contributions that are not printed; `nil` if all are.
    let rest: [ReportTable.Cell]?

    /// The number of rows of the table.
    var rowCount: Int { shown.count + (rest == nil ? 0 : 1) }

    init(column: String, list: ContributionsOfCell<Found>) {
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

  /// Returns the table of some columns' contributions, whose texts are made row by row.
  ///
  /// - Parameters:
  ///   - lists: The contributions to each column.
  ///   - others: Makes the rows of those that another environment has; its run has the same files.
  /// - Returns: The table.
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func longTable(
    _ lists: [(column: String, list: ContributionsOfCell<Found>)], others: Self? = nil
  ) throws -> LongTable {
    let parts = lists.map { Part(column: $0.column, list: $0.list) }
    let shown = parts.lazy.flatMap(\.shown.inAnyOrder)
    let lines = try lines(of: shown.filter { others == nil || !$0.isOfOtherEnvironment })
    let otherLines = try others?.lines(of: shown.filter(\.isOfOtherEnvironment))
    var columns = ExplanationTable.columns(hasMoney: lists.contains(where: \.list.measure.isMoney))
    if Source.hasGapsInHundredths, lists.contains(where: { $0.list.measure.percent != nil }) {
      columns[1] = .init("value", .number)
    }
    let count = parts.reduce(0) { $0 + $1.rowCount }
    return LongTable(name: "explain", columns: columns, count: count) { index in
      var place = index
      for part in parts {
        if place < part.rowCount {
          guard place < part.shown.count else { return part.rest ?? [] }
          let one = part.shown[place]
          let chosen = part.list.chosen == place + 1 ? (place + 1, part.list.count) : nil
          let measure = part.list.measure
          if let others, let otherLines, one.isOfOtherEnvironment {
            return others.cells(part.column, measure, one, otherLines, chosen: chosen)
          }
          return cells(part.column, measure, one, lines, chosen: chosen)
        }
        place -= part.rowCount
      }
      preconditionFailure("the table has \(count) rows")
    }
  }

  /// Returns the table of some columns' contributions.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func table(
    _ lists: [(column: String, list: ContributionsOfCell<Found>)]
  ) throws -> ReportTable {
    try longTable(lists).table
  }

  /// Returns the lines of the rows that the table names.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func lines(of shown: some Sequence<Found>) throws -> Source.Lines {
    try source.lines(of: shown, naming, jobs: jobs)
  }

  /// Returns the row of a contribution.
  ///
  /// - Parameters:
  ///   - column: The column to which it adds.
  ///   - measure: The count or amount that it adds to.
  ///   - contribution: The contribution.
  ///   - lines: The lines of all rows that it names.
  ///   - chosen: The place of its value in the order of all, and their number, if the cell has that value.
  /// - Returns: The cells.
  func cells(
    _ column: String, _ measure: Measure, _ contribution: Found, _ lines: Source.Lines,
    chosen: (place: Int, count: Int)? = nil
  ) -> [ReportTable.Cell] {
    let attributes = source.attributes(of: contribution)
    let key = { (dimension: Dimension) in
      contribution.key.value(of: dimension).map { $0.text(names) } ?? ""
    }
    let text = { (text: String?) in text.map { ReportTable.Cell.text($0) } ?? .missing }
    let value = contribution.value(measure)
    let isInHundredths = Source.hasGapsInHundredths && measure.percent != nil
    let cell = isInHundredths ? .hundredths(Int(value)) : measure.cell(value)
    let leftOut = contribution.leftOut
    let reason = reason(contribution)
    let prefix = chosen.map { "chosen, number \($0.place) of \($0.count) in order; " } ?? ""
    return [
      .text(column), leftOut == nil ? cell : .missing,
      .text(source.name(of: contribution, lines, naming)),
      .text(names.app(attributes.app)), .text(names.text(attributes.group)),
      .text(names.product(attributes.product)), .text(names.text(attributes.country)),
      .text(key(.offer)), .text(key(.startMonth)), text(contribution.startText),
      text(contribution.endText), .text(leftOut == nil ? reason.factName : "left out"),
      .text(prefix + (leftOut.map { reason.sentence($0) } ?? reason.sentence)),
      .text(places(contribution, lines).joined(separator: "; ")),
    ]
  }

  /// Returns the rows that a contribution rests on, each once.
  func places(_ contribution: Found, _ lines: Source.Lines) -> [String] {
    var places: [String] = []
    for row in contribution.evidence {
      let text = source.text(of: row, lines)
      if !places.contains(text) { places.append(text) }
    }
    return places
  }

  /// Returns the words about a contribution.
  func reason(_ contribution: Found) -> Reason {
    source.reason(of: contribution, names, month)
  }

  /// Returns why the cell counts a contribution, or why it leaves it out.
  func because(_ contribution: Found) -> String {
    let reason = reason(contribution)
    return contribution.leftOut.map { reason.sentence($0) } ?? reason.sentence
  }
}
