import AppStoreReports
import Counting
import Files
import Pipeline
import Rendering
import SubscriptionModel
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
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func table(_ lists: [(column: String, list: ReceiptContributionList)]) throws -> ReportTable {
    let printed = lists.map { (column: $0.column, list: $0.list, shown: $0.list.printed) }
    var wanted: Set<ReceiptPlace> = []
    for part in printed {
      for contribution in part.shown {
        wanted.formUnion(contribution.namedPlaces)
      }
    }
    let found = try receipts.places(of: wanted, jobs: jobs)
    var rows: [[ReportTable.Cell]] = []
    for part in printed {
      let measure = part.list.measure
      rows += part.shown.enumerated().map { place, contribution in
        let isChosen = part.list.chosen == place + 1
        return cells(
          part.column, measure, contribution, found,
          chosen: isChosen ? (place + 1, part.list.count) : nil)
      }
      let rest = part.list.count - part.shown.count
      guard rest > 0 else { continue }
      let sum = part.list.sum - part.shown.reduce(0) { $0 + $1.value(measure) }
      rows.append(
        ExplanationTable.restRow(
          part.column, measure.percent == nil ? measure.cell(sum) : .missing, rest))
    }
    return ReportTable(
      name: "explain", dimensions: [], columns: columns(lists.map(\.list.measure)), rows: rows)
  }

  private func columns(_ measures: [Measure]) -> [ReportTable.Column] {
    var columns = ExplanationTable.columns(hasMoney: measures.contains(where: \.isMoney))
    if measures.contains(where: { $0.percent != nil }) { columns[1] = .init("value", .number) }
    return columns
  }

  /// Returns the row of a contribution.
  ///
  /// - Parameters:
  ///   - column: The column to which it adds.
  ///   - measure: What it adds.
  ///   - contribution: The contribution.
  ///   - found: The places of all rows that it names.
  ///   - chosen: The place of its value in the order of all, and their number, if the cell has that value.
  /// - Returns: The cells.
  func cells(
    _ column: String, _ measure: Measure, _ contribution: ReceiptContribution,
    _ found: [ReceiptPlace: KeptReceipts.FoundPlace], chosen: (place: Int, count: Int)?
  ) -> [ReportTable.Cell] {
    let prefix = chosen.map { "chosen, number \($0.place) of \($0.count) in order; " } ?? ""
    let attributes = contribution.found.attributes
    let key = { (dimension: Dimension) in
      contribution.found.key.value(of: dimension).map { $0.text(names) } ?? ""
    }
    let reason = ReceiptReason(
      contribution: contribution, names: names, months: receipts.completeness.monthSystem,
      month: month, toleranceSeconds: receipts.customers.settings.toleranceSeconds)
    let value = contribution.value(measure)
    var places: [String] = []
    for place in contribution.evidence {
      let text = receipts.text(of: place, found)
      if !places.contains(text) { places.append(text) }
    }
    return [
      .text(column), measure.percent == nil ? measure.cell(value) : .hundredths(Int(value)),
      .text(subscription(contribution, found)), .text(names.app(attributes.app)),
      .text(names.text(attributes.group)), .text(names.product(attributes.product)),
      .text(names.text(attributes.country)), .text(key(.offer)), .text(key(.startMonth)),
      .text(contribution.period.start.description), .text(contribution.period.end.description),
      .text(reason.factName), .text(prefix + reason.sentence),
      .text(places.joined(separator: "; ")),
    ]
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
  func text(of place: ReceiptPlace, _ found: [ReceiptPlace: FoundPlace]) -> String {
    let file = files[Int(place.file)].file.relativePath
    let own = found[place]
    let path = own.map { $0.path.isEmpty ? "" : " \($0.path)" } ?? ""
    return "\(file):\(own?.line ?? 0)\(path)"
  }
}
