import AppStoreReports
import Counting
import Files
package import Pipeline
import Rendering
package import SubscriptionModel
import Tables

/// Makes the table that lists contributions of receipts.
struct ReceiptExplanationTable {
  private let names: Names
  private let receipts: KeptReceipts
  private let naming: CustomerTable.Naming?
  private let month: Month
  private let jobs: Int

  init(
    _ names: Names, _ receipts: KeptReceipts, _ naming: CustomerTable.Naming?, _ month: Month,
    jobs: Int
  ) {
    (self.names, self.receipts, self.naming) = (names, receipts, naming)
    (self.month, self.jobs) = (month, jobs)
  }

  /// Returns the table of some columns' contributions.
  ///
  /// - Parameters:
  ///   - lists: The contributions to each column.
  ///   - others: Makes the rows of those that another environment has; its run has the same files.
  /// - Returns: The table.
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func table(
    _ lists: [(column: String, list: ReceiptContributionList)],
    others: ReceiptExplanationTable? = nil
  ) throws -> ReportTable {
    let printed = lists.map { (column: $0.column, list: $0.list, shown: $0.list.printed) }
    let all = printed.flatMap(\.shown)
    let found = try receipts.places(
      of: Self.wantedPlaces(all.filter { !$0.isOfOtherEnvironment }), jobs: jobs)
    let foundByOthers =
      try others?.receipts.places(
        of: Self.wantedPlaces(all.filter(\.isOfOtherEnvironment)), jobs: jobs) ?? [:]
    var rows: [[ReportTable.Cell]] = []
    for part in printed {
      let measure = part.list.measure
      rows += part.shown.enumerated().map { place, contribution in
        let isChosen = part.list.chosen == place + 1
        let isOther = contribution.isOfOtherEnvironment
        return (isOther ? others ?? self : self).cells(
          part.column, measure, contribution, isOther ? foundByOthers : found,
          chosen: isChosen ? (place + 1, part.list.count) : nil)
      }
      let rest = part.list.count - part.shown.count
      guard rest > 0 else { continue }
      let sum = part.list.sum - part.shown.reduce(0) { $0 + $1.value(measure) }
      rows.append(
        ExplanationTable.restRow(
          part.column, isSum(part.shown, measure) ? measure.cell(sum) : .missing, rest))
    }
    return ReportTable(
      name: "explain", dimensions: [], columns: columns(lists.map(\.list.measure)), rows: rows)
  }

  /// Returns the rows whose lines are needed to print contributions.
  static func wantedPlaces(_ contributions: [ReceiptContribution]) -> Set<ReceiptPlace> {
    var wanted: Set<ReceiptPlace> = []
    for contribution in contributions {
      wanted.formUnion(contribution.namedPlaces)
    }
    return wanted
  }

  /// Whether the contributions add up to a number; those that a cell leaves out do not.
  private func isSum(_ shown: some Collection<ReceiptContribution>, _ measure: Measure) -> Bool {
    measure.percent == nil && shown.first?.leftOut == nil
  }

  func columns(_ measures: [Measure]) -> [ReportTable.Column] {
    var columns = ExplanationTable.columns(hasMoney: measures.contains(where: \.isMoney))
    if measures.contains(where: { $0.percent != nil }) { columns[1] = .init("value", .number) }
    return columns
  }

  /// Returns the row of a contribution.
  ///
  /// - Parameters:
  ///   - column: The column to which it adds.
  ///   - measure: The count or amount that it adds to.
  ///   - contribution: The contribution.
  ///   - found: The places of all rows that it names.
  ///   - chosen: The place of its value in the order of all, and their number, if the cell has that value.
  /// - Returns: The cells.
  func cells(
    _ column: String, _ measure: Measure, _ contribution: ReceiptContribution,
    _ found: [ReceiptPlace: KeptReceipts.FoundPlace], chosen: (place: Int, count: Int)? = nil
  ) -> [ReportTable.Cell] {
    let prefix = chosen.map { "chosen, number \($0.place) of \($0.count) in order; " } ?? ""
    let attributes = contribution.found.attributes
    let key = { (dimension: Dimension) in
      contribution.found.key.value(of: dimension).map { $0.text(names) } ?? ""
    }
    let value = contribution.value(measure)
    let isLeftOut = contribution.leftOut != nil
    let cell = measure.percent == nil ? measure.cell(value) : .hundredths(Int(value))
    let places = places(contribution, found)
    return [
      .text(column), isLeftOut ? .missing : cell, .text(subscription(contribution, found)),
      .text(names.app(attributes.app)), .text(names.text(attributes.group)),
      .text(names.product(attributes.product)), .text(names.text(attributes.country)),
      .text(key(.offer)), .text(key(.startMonth)),
      .text(contribution.period.start.description), .text(contribution.period.end.description),
      .text(isLeftOut ? "left out" : reason(contribution).factName),
      .text(prefix + because(contribution)), .text(places.joined(separator: "; ")),
    ]
  }

  /// Returns the rows that a contribution rests on, each once.
  func places(
    _ contribution: ReceiptContribution, _ found: [ReceiptPlace: KeptReceipts.FoundPlace]
  ) -> [String] {
    var places: [String] = []
    for place in contribution.evidence {
      let text = receipts.text(of: place, found)
      if !places.contains(text) { places.append(text) }
    }
    return places
  }

  /// Returns the words about a contribution.
  func reason(_ contribution: ReceiptContribution) -> Reason {
    Reason(contribution, names: names, receipts, month: month)
  }

  /// Returns why the cell counts a contribution, or why it leaves it out.
  func because(_ contribution: ReceiptContribution) -> String {
    let reason = reason(contribution)
    return contribution.leftOut.map { reason.sentence($0) } ?? reason.sentence
  }

  private func subscription(
    _ contribution: ReceiptContribution, _ found: [ReceiptPlace: KeptReceipts.FoundPlace]
  ) -> String {
    guard let naming, let customer = contribution.customer else {
      return receipts.text(of: contribution.first, found)
    }
    return receipts.text(of: customer, naming, found)
  }

}

extension KeptReceipts {
  /// Returns a place as `FILE:LINE`, with the path inside the row after a blank.
  package func text(of place: ReceiptPlace, _ found: [ReceiptPlace: FoundPlace]) -> String {
    let file = files[Int(place.file)].file.relativePath
    let own = found[place]
    let path = own.map { $0.path.isEmpty ? "" : " \($0.path)" } ?? ""
    return "\(file):\(own?.line ?? 0)\(path)"
  }
}
