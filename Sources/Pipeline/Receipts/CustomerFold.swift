package import Counting
import Crypto
import Entitlements
import Storage
package import SubscriptionModel

/// The counts of customers of receipts; those of parts of the customers merge in any order.
package struct ReceiptCounts: Sendable {
  package var tally: Tally
  package var summary = ReceiptSummary()
  /// The attributes of all periods, to check filter values; empty unless that was asked for.
  package var attributes: Set<Attributes> = []
  /// The rows of a table with a row for each customer; `nil` without one.
  var rows: ReceiptRows?

  init(tally: Tally) { self.tally = tally }

  package mutating func merge(_ other: ReceiptCounts) {
    tally.merge(other.tally)
    if let otherRows = other.rows { rows?.merge(otherRows) }
    summary.merge(other.summary)
    attributes.formUnion(other.attributes)
  }
}

/// Folds the histories of customers on one thread.
struct CustomerFold: ~Copyable {
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

  consuming func result() -> ReceiptCounts {
    var counts = ReceiptCounts(tally: fold.tally)
    counts.rows = rows
    counts.summary = history.summary
    counts.attributes = attributes ?? []
    return counts
  }
}

/// Names customers in tables with a row for each customer: METRICS.md section 9.
struct CustomerPrinter: Sendable {
  private let naming: CustomerTable.Naming?
  private let paths: [String]
  private let lines: [DumpRow: Int]
  private let symbols: [String]

  init(
    _ naming: CustomerTable.Naming?, paths: [String], lines: [DumpRow: Int], symbols: [String]
  ) {
    self.naming = naming
    self.paths = paths
    self.lines = lines
    self.symbols = symbols
  }

  /// Returns the customer's name as the table prints it.
  func text(of name: CustomerName) -> String {
    let clear = name.text(symbols) { file, row, _ in
      "\(paths[Int(file)]):\(lines[DumpRow(file: file, row: row)] ?? 1):\(row)"
    }
    return naming?.text(of: clear) ?? clear
  }
}

extension CustomerTable.Naming {
  package func text(of id: String) -> String {
    guard case .anonymous(let key) = self else { return id }
    // Use a keyed hash: an unkeyed hash of an id is not anonymous, because all ids can be tried.
    let code = HMAC<SHA256>.authenticationCode(
      for: Array(id.utf8), using: SymmetricKey(data: Array(key.utf8)))
    return String(hexadecimal(code).prefix(16))
  }
}
