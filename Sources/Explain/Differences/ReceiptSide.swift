import AppStoreReports
import Counting
import Files
import Pipeline
import Scanning
import Storage
import SubscriptionModel

/// A subscription of receipts that two sides have.
///
/// Both months of one run have the same customers and chains. Runs number customers on their own, so there the
/// subscription has the smallest of its original ids, with its app and group.
enum ReceiptSubscriptionKey: ComparedSubscription {
  case chain(customer: Int, chain: Int)
  case text(String)

  var isOfText: Bool { if case .text = self { true } else { false } }
}

/// A side of receipts.
struct ReceiptSide: ComparedSide {
  static let withoutRows = "no purchase of the subscription"

  let name: String
  let month: Month
  let names: Names
  let source: KeptReceipts
  let row: CountedRow
  let isOfOtherRun: Bool
  private let namesCustomers: Bool
  /// The paths of the run's files that lost no row to as-of.
  let paths: Set<ExactText>
  /// For each file, its place among the files of the later side.
  private let filePlaces: [UInt64]

  init(
    _ side: DifferenceSide, _ question: Question, _ asked: AskedRow, _ receipts: KeptReceipts,
    filesAsIn other: RunResult, isOfOtherRun: Bool, namesCustomers: Bool
  ) {
    (self.isOfOtherRun, self.namesCustomers) = (isOfOtherRun, namesCustomers)
    (name, month, names) = (side.name, side.month, side.result.names)
    source = receipts
    row = asked.countedRow(
      question, month: side.month, side.result.names, receipts.filter, receipts.registries)
    paths = Set<ExactText>(
      of: side.result.files.filter { $0.rows.ignored[.afterAsOf] == nil }.map(\.file.relativePath))
    filePlaces = side.filePlaces(in: other)
  }

  func customers(_ counted: Set<Counted>) -> ExplainedReceipts {
    let customers = source.customers(row, counted, named: namesCustomers)
    customers.side = self
    return customers
  }

  func subscription(of contribution: ReceiptContribution) -> ReceiptSubscriptionKey {
    guard let subscription = contribution.subscription else {
      preconditionFailure("the customers of a side name the subscriptions")
    }
    return subscription
  }

  func traces(
    of subscriptions: Set<ReceiptSubscriptionKey>, _ columns: [Set<Counted>], jobs: Int
  ) -> [ReceiptSubscriptionKey: DifferenceTrace<ReceiptContribution>] {
    ReceiptTraces.traces(of: subscriptions, in: self, columns, jobs: jobs)
  }

  /// The dumps with the rows that decide what happened to the subscription, if the other run did not count them.
  func causes(
    _ own: Set<ExactText>, _ other: Set<ExactText>, _ before: ReceiptSide
  ) -> [String] {
    let new = own.subtracting(other).subtracting(before.paths)
    return new.isEmpty ? [] : ["brought by \(new.namesOfFiles)"]
  }

  func places(_ contribution: ReceiptContribution) -> ComparedPlaces<ReceiptPlace> {
    ComparedPlaces(
      first: place(contribution.first),
      evidence: place(contribution.evidence.min() ?? contribution.first))
  }

  private func place(_ own: ReceiptPlace) -> ReceiptPlace {
    var place = own
    place.file = UInt32(filePlaces[Int(own.file)])
    return place
  }

  /// Returns the key of a chain.
  ///
  /// - Parameters:
  ///   - chain: The index of the chain.
  ///   - customer: The number of the customer.
  ///   - history: The customer's history.
  /// - Returns: The key, which the other side has too.
  func key(
    ofChain chain: Int, ofCustomer customer: Int, _ history: borrowing ReceiptHistory
  ) -> ReceiptSubscriptionKey {
    guard isOfOtherRun else { return .chain(customer: customer, chain: chain) }
    let own = history.chains[chain]
    let symbols = source.customers.settings.symbols
    let events = history.periods[own.periods].map(\.event)
    let ids = { (all: [ReceiptID]) in all.filter(\.isUsable).map { $0.text(symbols) } }
    var texts = ids(events.map(\.originalID))
    if texts.isEmpty { texts = ids(events.map(\.transactionID)) }
    let smallest = texts.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    // A purchase without ids is known by its product and its second.
    let id = smallest ?? "\(names.product(events[0].product)) \(events[0].purchase)"
    return .text([id, names.app(own.app), names.text(own.group)].joined(separator: "\n"))
  }
}

extension ReceiptContribution: ComparedContribution {
  typealias RowPlace = ReceiptPlace

  var moment: Instant { period.start }

  var momentOfPair: Instant {
    if case .refund = found.counted { return period.cancellation ?? period.start }
    return period.start
  }

  var order: [Int] { [Int(period.end.seconds)] }
}
