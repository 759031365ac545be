package import Counting
import SubscriptionModel
package import Tables

extension Reconciliation {
  /// Returns `reconcile.csv`, a row for each line of each bridge, or `reconcile-by-product.csv`.
  ///
  /// `dimensions` is `product` for bridges by product; `cause` returns the text in the column `cause`.
  package static func table(
    _ bridges: [Bridge], dimensions: [String] = [], _ names: Names,
    cause: (Bridge.Entry, Bridge) -> String = { entry, _ in entry.cause }
  ) -> ReportTable {
    let keys = (["source", "period", "region", "currency"] + dimensions).map {
      ReportTable.Column($0, .key)
    }
    return ReportTable(
      name: "reconcile", dimensions: dimensions,
      columns: keys + Definition.reconcileColumns.map(\.column)
        + (dimensions.isEmpty ? [] : [.productID]),
      rows: bridges.flatMap { bridge in
        let id = bridge.product.map { [ReportTable.Cell.text(names.text($0))] } ?? []
        return bridge.entries.map {
          bridge.keyCells(names) + $0.cells(bridge, names, cause: cause($0, bridge)) + id
        }
      })
  }
}

extension Names {
  /// Returns the currency of a row's amount: the bridge's; for a payment, that of the bank account, blank if unknown.
  package func currency(of entry: Bridge.Entry, _ bridge: Bridge) -> String {
    entry.line == .payment ? entry.bankCurrency.map(text) ?? "" : text(bridge.currency)
  }
}

extension Bridge {
  fileprivate func keyCells(_ names: Names) -> [ReportTable.Cell] {
    let keys = ["finance", period.description, region, names.text(currency)]
    return (keys + (product.map { [names.product($0)] } ?? [])).map { .text($0) }
  }
}

extension Bridge.Entry {
  fileprivate func cells(_ bridge: Bridge, _ names: Names, cause: String) -> [ReportTable.Cell] {
    [
      .count(line.rawValue), .text(line.name), .amount(amount),
      .text(names.currency(of: self, bridge)), count.map { .count($0) } ?? .missing,
      .text(status.rawValue), .amount(low), .amount(high), .text(cause), .text(evidence),
    ]
  }
}

extension ReportTable.Cell {
  /// Returns an amount in milliunits, or `missing` when it is not known.
  package static func amount(_ milliunits: Int128?) -> ReportTable.Cell {
    milliunits.map { .money(milliunits: $0) } ?? .missing
  }
}

extension Definition {
  /// The columns of `reconcile.csv` after its keys.
  package static let reconcileColumns: [Column] = [
    Column(
      "step", .count,
      "The number of the line: 10 to 30 lead from the sales to the settlement, 30 to 60 from there to the bank."
    ),
    Column(
      "line", .text,
      "The name of the line, such as `cutoff_in` for what was sold in another period and settled in this one."
    ),
    Column(
      "amount", .money, "The amount, with the sign with which it is added; empty when unknown."),
    Column(
      "amount_currency", .key,
      "The currency of the amount; for a payment, that of the bank account."),
    Column(
      "count", .count, "The number of units, for the lines 10 to 30, with the sign of their money."),
    Column("status", .text, "`exact`, `estimate` or `unknown`."),
    Column("low", .money, "The least possible amount; only for estimates and unexplained lines."),
    Column("high", .money, "The largest possible amount."),
    Column("cause", .text, "The cause of the amount, or the reason why it is unknown."),
    Column("evidence", .text, "The data that the amount is based on."),
  ]
}
