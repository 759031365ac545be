import AppStoreReports
import Counting
import Files
import Pipeline
import PriceImpact
import Rendering
import SubscriptionModel
import Tables

/// Makes the table that lists the renewals of receipts of a row of `price_impact.csv`.
struct ReceiptImpactTable {
  private let names: Names
  private let receipts: KeptReceipts
  private let naming: CustomerTable.Naming?
  private let oldPrice: Int64?
  private let jobs: Int

  init(
    _ names: Names, _ receipts: KeptReceipts, _ naming: CustomerTable.Naming?, _ oldPrice: Int64?,
    jobs: Int
  ) {
    (self.names, self.receipts, self.naming) = (names, receipts, naming)
    (self.oldPrice, self.jobs) = (oldPrice, jobs)
  }

  /// Returns the table of some columns' renewals.
  ///
  /// - Throws: ``KeptCharges/LineError`` for a file that cannot be read again.
  func table(_ lists: [ReceiptRenewalList]) throws -> ReportTable {
    let printed = lists.map { (list: $0, shown: $0.printed(oldPrice)) }
    var wanted: Set<ReceiptPlace> = []
    for (list, shown) in printed {
      for (renewal, _) in shown {
        wanted.formUnion(renewal.evidence(of: list.part))
        wanted.insert(renewal.rows.first)
        if case .row(let file, let row, let number)? = renewal.customer {
          wanted.insert(ReceiptPlace(file: file, row: row, number: number))
        }
      }
    }
    let found = try receipts.places(of: wanted, jobs: jobs)
    return ImpactExplanationTable.table(printed, oldPrice) { list, renewal, value in
      cells(list, renewal, value, found)
    }
  }

  private func cells(
    _ list: ReceiptRenewalList, _ renewal: ReceiptRenewal, _ value: Int128,
    _ found: [ReceiptPlace: KeptReceipts.FoundPlace]
  ) -> [ReportTable.Cell] {
    let attributes = renewal.own.attributes
    let key = { (dimension: Dimension) in
      renewal.key.value(of: dimension).map { $0.text(names) } ?? ""
    }
    let reason = ImpactReason(
      addition: renewal.addition, part: list.part, charge: renewal.charge, next: renewal.next,
      own: renewal.own, new: renewal.new, refundDay: renewal.refundDay, names: names,
      asOf: renewal.asOf, receipts: renewal.consent)
    var places: [String] = []
    for place in renewal.evidence(of: list.part) {
      let text = receipts.text(of: place, found)
      if !places.contains(text) { places.append(text) }
    }
    // The end of a running term is that of its last instalment, which is not in the receipts yet.
    let end =
      renewal.charge.isRunningTerm ? renewal.charge.end.description : renewal.end.description
    let own = ImpactExplanationTable.cells(list, value, reason)
    return [
      .text(list.column.name), own.value,
      .text(subscription(renewal, found)), .text(names.app(attributes.app)),
      .text(names.text(attributes.group)), .text(names.product(attributes.product)),
      .text(names.text(attributes.country)), .text(key(.offer)), .text(key(.startMonth)),
      .text(renewal.start.description), .text(end), own.fact,
      own.because, .text(places.joined(separator: "; ")),
    ]
  }

  private func subscription(
    _ renewal: ReceiptRenewal, _ found: [ReceiptPlace: KeptReceipts.FoundPlace]
  ) -> String {
    guard let naming, let customer = renewal.customer else {
      return receipts.text(of: renewal.rows.first, found)
    }
    return receipts.text(of: customer, naming, found)
  }
}
