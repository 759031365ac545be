import Counting
import SubscriptionModel
package import Tables

extension PriceTableMaker {
  /// Returns `price_changes.csv`: METRICS.md section 6.
  ///
  /// - Returns: The changes of all sources; only a header if there are none.
  package func changesTable() -> ReportTable {
    let rows = reports.flatMap { report in
      report.changes.filter(\.isAdmitted).map { row($0, report.source) }
    }
    return PriceTable.changes.table(rows)
  }

  private func row(_ change: PriceChange, _ source: Source) -> KeyedRow {
    KeyedRow(
      keys: [
        .text(source.rawValue), .text(names.product(change.key.product)),
        .text(names.text(change.key.country)), .text(names.text(change.key.currency)),
        .text(change.key.planName),
        .text(change.date.description), .milliunits(change.oldPrice), .milliunits(change.newPrice),
      ],
      cells: [
        .text(change.kind.rawValue), .text(change.origin.rawValue), .count(change.newCharges),
        .count(change.continuingCharges), .text(change.note), .productID(change.key.product, names),
      ])
  }
}
