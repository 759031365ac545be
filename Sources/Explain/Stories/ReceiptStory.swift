import AppStoreReports
import Counting
import Files
package import Pipeline
import Scanning
import Storage
import SubscriptionModel
import Tables

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
    let (customers, ids) = ReceiptSearch.find(
      Self.isCustomer(text) ? .customer(text) : .ids(try Self.ids(text, receipts)), receipts,
      jobs: result.plan.jobs)
    guard !customers.isEmpty else {
      // The message does not repeat an id: it is personal.
      throw QuestionError(
        "--subscription: no subscription of the receipts has this name, or a row in this line; write an original transaction id, FILE:LINE of a row, or a name as explain lists it"
      )
    }
    let cells = try TableCells(result, view: Self.wholeView(of: result), source: .receipts)
    let increases = ImpactCells(result, .receipts, receipts.completeness)
    let days = receipts.completeness
    let months = days.firstMonth...max(days.firstMonth, days.lastMonth)
    let all = ExplainedReceipts(
      receipts.storyRow(months), cells.counted, receipts, named: naming != nil)
    var told: [ToldChain] = []
    for customer in customers {
      all.load(customer: customer)
      guard all.next() else { continue }
      let events = StoryFold(all, cells, increases, receipts, result.names).events
      for (number, chain) in all.history.chains.enumerated()
      where chain.periods.contains(where: { all.history.periods[$0].isOf(ids) }) {
        let first = CountedPeriod(
          counted: .charge, chain: number, period: chain.periods.lowerBound)
        told.append(
          ToldChain(
            chain: chain, first: all.contribution(first, leftOutBy: nil),
            events: events[number] ?? []))
      }
    }
    let rows = told.flatMap { receipts.namedRows($0.first, naming) + $0.events.flatMap(\.rows) }
    let lines = try receipts.places(of: Set(rows), jobs: 1)
    self.init(
      StoryWriter(
        source: receipts, names: result.names, lines: lines,
        chapters: told.map { one in
          let name = receipts.name(of: one.first, lines, naming)
          return StoryChapter(
            name: name, heading: one.heading(name, result.names), events: one.events)
        }))
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

/// A subscription of receipts with its events.
private struct ToldChain {
  let chain: ReceiptChain
  /// Its first purchase.
  let first: ReceiptContribution
  let events: [StoryEvent<ReceiptPlace>]

  func heading(_ name: String, _ names: Names) -> String {
    let group = chain.group == .blank ? "no group" : "group \(names.text(chain.group))"
    let family = chain.ownership == .family ? ", shared by family" : ""
    return
      "Subscription \(name): \(names.app(chain.app)), \(group)\(family); its data end on \(chain.asOf.day); state: \(chain.state.rawValue)"
  }
}

/// Looks for customers by an id or by their name, on one thread.
private struct ReceiptSearch: ~Copyable {
  enum Asked {
    case ids(Set<ReceiptID>)
    /// The name that lists with ids print, such as `original:1000`.
    case customer(String)
  }

  private static let partitionCount = 256

  private var history: ReceiptHistory
  private let asked: Asked
  private let receipts: KeptReceipts
  private var found: [Int] = []
  private var ids: Set<ReceiptID> = []

  private init(_ asked: Asked, _ receipts: KeptReceipts) {
    (self.asked, self.receipts) = (asked, receipts)
    history = ReceiptHistory(receipts.customers)
  }

  /// Returns the numbers of the customers in order, and the ids of their subscriptions: the given ones, or for a name all.
  static func find(
    _ asked: Asked, _ receipts: KeptReceipts, jobs: Int
  ) -> (customers: [Int], ids: Set<ReceiptID>) {
    let parts = Workers.run(
      count: partitionCount, jobs: jobs, makeState: { ReceiptSearch(asked, receipts) },
      work: { $0.search(receipts.customers.partition($1, of: partitionCount)) },
      finish: { ($0.found, $0.ids) })
    let customers = parts.flatMap(\.0).sorted()
    if case .ids(let ids) = asked { return (customers, ids) }
    return (customers, parts.reduce(into: []) { $0.formUnion($1.1) })
  }

  private mutating func search(_ customers: Range<Int>) {
    for customer in customers {
      history.build(customer)
      switch asked {
      case .ids(let ids):
        if history.periods.contains(where: { $0.isOf(ids) }) { found.append(customer) }
      case .customer(let name):
        guard !history.chains.isEmpty, receipts.text(of: history.name(), .clear, [:]) == name
        else { continue }
        found.append(customer)
        for period in history.periods { ids.insert(period.event.originalID) }
      }
    }
  }
}

extension ReceiptPeriod {
  /// Whether the original transaction or the transaction has one of some ids.
  func isOf(_ ids: Set<ReceiptID>) -> Bool {
    ids.contains(event.originalID) || ids.contains(event.transactionID)
  }
}
