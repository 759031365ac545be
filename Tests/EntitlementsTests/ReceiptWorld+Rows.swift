import Entitlements
import SubreportTestSupport
import SubscriptionModel
import Tables

extension ReceiptWorld {
  /// Returns one receipt table with names in the clear.
  func rows(
    _ kind: ReceiptRows.Kind, _ content: [ContentItem] = [], stores: Int = 1, compacts: Bool = true
  ) -> ReportTable {
    let customers = customers(stores: stores, compacts: compacts)
    var rows = ReceiptRows(
      kind, symbols: symbols, content: ContentCatalogue(items: content))
    var history = ReceiptHistory(customers)
    for customer in 0..<customers.count {
      history.build(customer)
      guard !history.chains.isEmpty else { continue }
      rows.add(history, customer: history.name().text(symbols) { "\($0):\($1):\($2)" })
    }
    return rows.table()
  }
}
