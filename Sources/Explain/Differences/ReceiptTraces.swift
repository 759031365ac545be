import Counting
import Pipeline
import Storage
import SubscriptionModel
import Tables

/// Finds on one thread what a side has of some subscriptions, to say why it does not count them.
struct ReceiptTraces: ~Copyable {
  private let side: ReceiptSide
  private let wanted: Set<ReceiptSubscriptionKey>
  private var leftOut: LeftOutFold<ExplainedReceipts>
  private var traces: [ReceiptSubscriptionKey: DifferenceTrace<ReceiptContribution>] = [:]

  private init(
    _ side: ReceiptSide, _ columns: [Set<Counted>], _ wanted: Set<ReceiptSubscriptionKey>
  ) {
    (self.side, self.wanted) = (side, wanted)
    leftOut = LeftOutFold(
      side.row, columns,
      columns.map { _ in ReceiptContributionList(.count, limit: nil, .subscription) },
      side.source, named: false)
  }

  /// Returns what a side has of subscriptions.
  ///
  /// - Parameters:
  ///   - subscriptions: The subscriptions.
  ///   - side: The side.
  ///   - columns: What each of the columns counts.
  ///   - jobs: The number of threads.
  /// - Returns: What was found; nothing for a subscription without a purchase.
  static func traces(
    of subscriptions: Set<ReceiptSubscriptionKey>, in side: ReceiptSide,
    _ columns: [Set<Counted>], jobs: Int
  ) -> [ReceiptSubscriptionKey: DifferenceTrace<ReceiptContribution>] {
    guard !subscriptions.isEmpty else { return [:] }
    let customers = customers(of: subscriptions) ?? Array(0..<side.source.customers.count)
    // Parts of equal size: one customer is too little for a thread's turn.
    let count = min(customers.count, side.source.partCount)
    let parts = Workers.run(
      count: count, jobs: jobs,
      makeState: { ReceiptTraces(side, columns, subscriptions) },
      work: { fold, part in
        let range = (customers.count * part / count)..<(customers.count * (part + 1) / count)
        for customer in customers[range] { fold.add(customer) }
      }, finish: { $0.result() })
    return parts.reduce(into: [:]) { $0.merge($1) { $1 } }
  }

  /// Returns the customers whose numbers the subscriptions have; `nil` if they have ids in place of numbers.
  private static func customers(of subscriptions: Set<ReceiptSubscriptionKey>) -> [Int]? {
    var customers: Set<Int> = []
    for subscription in subscriptions {
      guard case .chain(let customer, _) = subscription else { return nil }
      customers.insert(customer)
    }
    return customers.sorted()
  }

  private consuming func result() -> [ReceiptSubscriptionKey: DifferenceTrace<ReceiptContribution>]
  { traces }

  private mutating func add(_ customer: Int) {
    leftOut.customers.load(customer: customer)
    leftOut.addCustomers()
    let lists = leftOut.takeLists()
    var keys: [Int: ReceiptSubscriptionKey] = [:]
    for (chain, own) in leftOut.customers.history.chains.enumerated() where own.isInRates {
      let key = side.key(
        ofChain: chain, ofCustomer: customer, leftOut.customers.history)
      if wanted.contains(key) { keys[chain] = key }
    }
    guard !keys.isEmpty else { return }
    let places = leftOut.customers.history.placesOfPeriods()
    for (chain, key) in keys {
      var trace = DifferenceTrace<ReceiptContribution>()
      for period in leftOut.customers.history.chains[chain].periods {
        let own = places[period]
        let rows = own.charge + (own.cancellation.map { [$0] } ?? [])
        trace.files.formUnion(rows.map { Int($0.file) })
      }
      for (column, list) in lists.enumerated() {
        trace.leftOut[column] = list.printed.last { $0.found.chain == chain }
      }
      traces[key] = trace
    }
  }
}
