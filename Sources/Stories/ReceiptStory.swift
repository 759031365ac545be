import AppStoreReports
import Evidence
import Files
package import Pipeline
import Scanning
import Storage
import SubscriptionModel
import Tables
import Threads

extension Story {
  /// Lists the events of a subscription of receipts.
  ///
  /// - Parameters:
  ///   - text: Its original transaction id, the id of any of its transactions, or `FILE:LINE` of one of its rows.
  ///   - result: The result of a run with the view of the whole population that has kept its receipts.
  ///   - receipts: Those receipts.
  ///   - naming: How customers are named; `nil` to name each subscription by the row of its first purchase.
  /// - Throws: ``QuestionError`` when no receipt has the id, `KeptCharges.LineError` for a file that cannot be read
  ///   again.
  package init(
    ofReceipts text: String, _ result: RunResult, _ receipts: KeptReceipts,
    naming: CustomerTable.Naming? = nil
  ) throws {
    guard let view = result.plan.views.firstIndex(of: []) else {
      preconditionFailure("the run has the view of the whole population")
    }
    let jobs = result.plan.jobs
    let ids =
      Self.isCustomer(text)
      ? CustomerSearch.ids(of: text, receipts, jobs: jobs) : try Self.ids(text, receipts)
    let customers = ReceiptSearch.customers(of: ids, receipts, jobs: jobs)
    guard !customers.isEmpty else {
      // The message does not repeat an id: it is personal.
      throw QuestionError(
        "--subscription: no subscription of the receipts has this name, or a row in this line; write an original transaction id, FILE:LINE of a row, or a name as explain lists it"
      )
    }
    let cells = try TableCells(result, view: view, source: .receipts)
    var rows: [[ReportTable.Cell]] = []
    var lines: [String] = []
    for customer in customers {
      let fold = ReceiptStoryFold(customer, cells, receipts, result.names)
      let writer = try ReceiptStoryWriter(fold, ids, result.names, receipts, naming)
      rows += writer.rows
      lines += (lines.isEmpty || writer.lines.isEmpty ? [] : [""]) + writer.lines
    }
    table = ReportTable(
      name: "explain", dimensions: [], columns: StoryWriter.columns, rows: rows)
    self.lines = lines
  }

  /// Whether a text names a customer as lists with ids do, such as `original:1000`.
  private static func isCustomer(_ text: String) -> Bool {
    ["original:", "account:", "app-transaction:"].contains(where: text.hasPrefix)
  }

  /// Returns the ids that a text names, by an id or by a row.
  private static func ids(_ text: String, _ receipts: KeptReceipts) throws -> Set<ReceiptID> {
    // A place as lists print it may have the path in the row after a blank.
    let place = text.split(separator: " ").first.map(String.init) ?? text
    guard let colon = place.lastIndex(of: ":"), let line = Int(place[place.index(after: colon)...])
    else {
      let id = receipts.id(of: text)
      return id.isUsable ? [id] : []
    }
    let path = String(place[..<colon])
    let file = try AskedSubscription.index(of: path, asked: place, "dump", in: receipts.files) {
      $0.isReceiptDump
    }
    guard has(line, receipts.files[file].file.path) else {
      throw QuestionError("--subscription \(place): the file has fewer lines")
    }
    let ids = try receipts.ids(ofLine: line, inFile: file)
    guard !ids.isEmpty else {
      throw QuestionError("--subscription \(place): this line has no transaction")
    }
    return ids
  }
}

extension Story {
  /// Returns whether a file has a line: a record may go over several, so that its own line does not tell.
  private static func has(
    _ number: Int, _ path: String
  ) -> Bool {
    var last = 0
    do throws(ScanError) {
      var scanner = try LineScanner(path: path)
      try scanner.forEachLine { _, place in
        last = place.number
        return last < number ? .next : .stop
      }
    } catch {
      // The file is read once more for the ids, which reports the error.
      return true
    }
    return number > 0 && last >= number
  }
}

/// Looks for the customers with an id, on one thread.
private struct ReceiptSearch: ~Copyable {
  private static let partitionCount = 256

  private var history: ReceiptHistory
  private let ids: Set<ReceiptID>
  private var found: [Int] = []

  private init(_ ids: Set<ReceiptID>, _ customers: ReceiptCustomers) {
    self.ids = ids
    history = ReceiptHistory(customers)
  }

  /// Returns the numbers of the customers who have a period with one of some ids.
  static func customers(
    of ids: Set<ReceiptID>, _ receipts: KeptReceipts, jobs: Int
  ) -> [Int] {
    let customers = receipts.customers
    return Workers.run(
      count: partitionCount, jobs: jobs, makeState: { ReceiptSearch(ids, customers) },
      work: { $0.search(customers.partition($1, of: partitionCount)) }, finish: { $0.found }
    ).flatMap { $0 }.sorted()
  }

  private mutating func search(_ customers: Range<Int>) {
    for customer in customers {
      history.build(customer)
      if history.periods.contains(where: { $0.isOf(ids) }) { found.append(customer) }
    }
  }
}

/// Looks for a customer by name, on one thread.
private struct CustomerSearch: ~Copyable {
  private static let partitionCount = 256

  private var history: ReceiptHistory
  private var ids: Set<ReceiptID> = []

  private init(_ customers: ReceiptCustomers) { history = ReceiptHistory(customers) }

  /// Returns the original ids of all subscriptions of a customer, given by the name that lists with ids print.
  static func ids(of name: String, _ receipts: KeptReceipts, jobs: Int) -> Set<ReceiptID> {
    let customers = receipts.customers
    return Workers.run(
      count: partitionCount, jobs: jobs, makeState: { CustomerSearch(customers) },
      work: { $0.search(customers.partition($1, of: partitionCount), name, receipts) },
      finish: { $0.ids }
    ).reduce(into: []) { $0.formUnion($1) }
  }

  private mutating func search(_ customers: Range<Int>, _ name: String, _ receipts: KeptReceipts) {
    for customer in customers {
      history.build(customer)
      guard !history.chains.isEmpty, receipts.text(of: history.name(), .clear, [:]) == name
      else { continue }
      for period in history.periods { ids.insert(period.event.originalID) }
    }
  }
}

extension ReceiptPeriod {
  /// Whether the original transaction or the transaction has one of some ids.
  func isOf(_ ids: Set<ReceiptID>) -> Bool {
    ids.contains(event.originalID) || ids.contains(event.transactionID)
  }
}
