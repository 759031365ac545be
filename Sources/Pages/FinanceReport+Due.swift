import Counting
import Settlement
import SubscriptionModel
package import Tables
import UserTables

extension FinanceReport {
  /// Returns `payments_due.csv`: the amount that Apple owes for each period, region and currency, its day, and the amount paid.
  ///
  /// `paid` is in the currency of the region, like `owed`: Apple pays the whole amount or carries it over. Example:
  /// 66.21 USD below the threshold are owed, with 0.00 paid and the state `carried over`.
  package func dueTable() -> ReportTable {
    let keys = ["period", "region", "currency", "expected_date"]
    let columns =
      keys.map { ReportTable.Column($0, .key) } + [.init("owed", .money), .init("paid", .money)]
      + [.init("state", .text)]
    let rows = reconciliation.bridges.map { bridge -> [ReportTable.Cell] in
      let owed = bridge.amount(of: .totalOwed)
      let (paid, state) = payment(bridge, owed)
      let money = { (amount: Int128?) in
        amount.map { ReportTable.Cell.money(milliunits: $0) } ?? .missing
      }
      return [
        .text(bridge.period.description), .text(bridge.region),
        .text(names.text(bridge.currency)),
        .text(bridge.period.expectedPaymentDay.description), money(owed), money(paid), .text(state),
      ]
    }
    return ReportTable(name: "payments_due", dimensions: [], columns: columns, rows: rows)
  }

  /// Returns what of an amount owed has been paid, and its state in a word.
  private func payment(_ bridge: Bridge, _ owed: Int128?) -> (paid: Int128?, state: String) {
    guard let owed, let entry = bridge.entries(of: .payment).first else { return (nil, "unknown") }
    if entry.isCarriedOver { return (0, owed == 0 ? "nothing owed" : "carried over") }
    guard entry.amount != nil else { return (0, "due") }
    return (owed, owed == 0 ? "nothing owed" : "paid")
  }
}
