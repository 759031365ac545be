import Counting
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

  /// Returns a maker of tables of all customers; the customers are folded in several parts.
  func tables(
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
  func tally() -> Tally { tally(customers(stores: 1, compacts: true), [[]], parts: 1).tally }

  private func tally(
    _ customers: ReceiptCustomers, _ views: [[Dimension]], parts: Int
  ) -> (tally: Tally, symbols: [String]) {
    let asOf = customers.asOf ?? Instant(seconds: 0)
    let months = Month(year: 2008, month: 1)...(asOf.month + 1)
    let empty = Tally(source: .receipts, views: views, filter: Filter(), months: months)
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

extension ReportTable {
  /// Returns a row's cells under some columns as texts, an empty one for what is missing.
  func texts(_ columns: [String], row: Int = 0) -> [String] {
    columns.map { name in
      guard let index = self.columns.firstIndex(where: { $0.name == name }), row < rows.count
      else { return "(none)" }
      return rows[row][index].text
    }
  }
}

extension ReportTable.Cell {
  /// The cell as a test writes it.
  var text: String {
    switch self {
    case .missing: ""
    case .text(let text): text
    case .count(let count): "\(count)"
    case .money(let milliunits): "\(milliunits)"
    case .hundredths(let hundredths): "\(hundredths)"
    case .ratio(let numerator, let denominator): "\(numerator)/\(denominator)"
    case .fraction(let fraction): "\(fraction)"
    }
  }
}
