import Metrics
import SubscriptionModel

/// Folds the histories of customers on one thread.
struct CustomerFold: ~Copyable {
  /// What one thread has folded; the threads' parts merge.
  struct Part: Sendable {
    var tally: Tally
    var rows: ReceiptRows?
    var summary: ReceiptSummary

    mutating func merge(_ other: Part) {
      tally.merge(other.tally)
      if let otherRows = other.rows { rows?.merge(otherRows) }
      summary.merge(other.summary)
    }
  }

  private var history: ReceiptHistory
  private var fold: ReceiptFold
  private var rows: ReceiptRows?
  private let printer: CustomerPrinter

  init(
    _ history: consuming ReceiptHistory, _ fold: consuming ReceiptFold, _ rows: ReceiptRows?,
    _ printer: CustomerPrinter
  ) {
    self.history = history
    self.fold = fold
    self.rows = rows
    self.printer = printer
  }

  /// Folds some customers.
  mutating func add(_ customers: Range<Int>) {
    for customer in customers {
      history.build(customer)
      fold.add(history)
      guard rows != nil, !history.chains.isEmpty else { continue }
      rows?.add(history, customer: printer.text(of: history.name()))
    }
  }

  consuming func result() -> Part {
    Part(tally: fold.tally, rows: rows, summary: history.summary)
  }
}
