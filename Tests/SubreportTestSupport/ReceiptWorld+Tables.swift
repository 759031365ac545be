package import Counting
package import SubscriptionModel
package import Tables

extension ReceiptWorld {
  /// Returns a maker of tables of all customers; the customers are folded in several parts.
  package func tables(
    _ views: [[Dimension]] = [[]], stores: Int = 1, compacts: Bool = true, parts: Int = 1
  ) -> TableMaker {
    let customers = customers(stores: stores, compacts: compacts)
    let (tally, symbols) = tally(customers, views, parts: parts)
    let completeness = Completeness(
      receiptsFrom: tally.firstChargeDay, asOf: customers.asOf ?? Instant(seconds: 0))
    return TableMaker(
      sources: [SourceReport(tally: tally, completeness: completeness)], views: views,
      names: Names(symbols: symbols, products: [:], apps: [:]))
  }

  /// Returns the tally of all customers, for the whole population.
  package func tally() -> Tally {
    tally(customers(stores: 1, compacts: true), [[]], parts: 1).tally
  }

  private func tally(
    _ customers: ReceiptCustomers, _ views: [[Dimension]], parts: Int
  ) -> (tally: Tally, symbols: [String]) {
    let asOf = customers.asOf ?? Instant(seconds: 0)
    let months = Month(year: 2008, month: 1)...(asOf.month + 1)
    let empty = Tally(
      source: .receipts, views: views, filter: Filter(), months: months, hasMoney: true,
      hasOthers: true)
    var world = self
    var tally = empty
    for part in 0..<parts {
      var fold = ReceiptFold(customers: customers, tally: empty) { world.symbol($0) }
      var history = ReceiptHistory(customers)
      for customer in customers.partition(part, of: parts) {
        history.build(customer)
        fold.add(history)
      }
      tally.merge(fold.tally)
    }
    return (tally, world.symbols)
  }
}
