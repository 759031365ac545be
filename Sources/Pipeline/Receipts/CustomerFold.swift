import Counting
import Entitlements
import Storage
import SubscriptionModel

/// Folds the histories of customers on one thread.
struct CustomerFold: ~Copyable {
  /// The result of one thread; parts merge.
  struct Part: Sendable {
    var tally: Tally
    var rows: ReceiptRows?
    var summary: ReceiptSummary
    var attributes: Set<Attributes>

    mutating func merge(_ other: Part) {
      tally.merge(other.tally)
      if let otherRows = other.rows { rows?.merge(otherRows) }
      summary.merge(other.summary)
      attributes.formUnion(other.attributes)
    }
  }

  private var history: ReceiptHistory
  private var fold: ReceiptFold
  private var rows: ReceiptRows?
  private let printer: CustomerPrinter
  /// The attributes of all periods; `nil` when they are not collected.
  private var attributes: Set<Attributes>?

  init(
    _ history: consuming ReceiptHistory, _ fold: consuming ReceiptFold, _ rows: ReceiptRows?,
    _ printer: CustomerPrinter, collectsValues: Bool
  ) {
    attributes = collectsValues ? [] : nil
    self.history = history
    self.fold = fold
    self.rows = rows
    self.printer = printer
  }

  /// Folds a range of customers.
  mutating func add(_ customers: Range<Int>) {
    for customer in customers {
      history.build(customer)
      fold.add(history)
      if attributes != nil { collectValues() }
      guard rows != nil, !history.chains.isEmpty else { continue }
      rows?.add(history, customer: printer.text(of: history.name()))
    }
  }

  private mutating func collectValues() {
    for chain in history.chains {
      for period in history.periods[chain.periods] {
        var values = Attributes()
        values.app = period.event.app == .blank ? chain.app : period.event.app
        values.group = period.event.group
        values.product = period.event.product
        values.country = period.event.country
        attributes?.insert(values)
      }
    }
  }

  consuming func result() -> Part {
    Part(
      tally: fold.tally, rows: rows, summary: history.summary, attributes: attributes ?? [])
  }
}
