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
enum ReceiptSubscriptionKey: Hashable, Sendable {
  case chain(customer: Int, chain: Int)
  case text(String)
}

/// The row of one side in terms of a fold, with the receipts to fold.
struct ReceiptSide: Sendable {
  let name: String
  let month: Month
  let names: Names
  let receipts: KeptReceipts
  let row: CountedRow
  /// The paths of the run's files that lost no row to as-of.
  let paths: Set<ExactText>
  /// For each file, its place among the files of the later side.
  private let filePlaces: [UInt64]

  init(
    _ side: DifferenceSide, _ question: Question, _ asked: AskedRow, _ receipts: KeptReceipts,
    filesAsIn other: RunResult
  ) {
    (name, month, names) = (side.name, side.month, side.result.names)
    self.receipts = receipts
    row = asked.countedRow(
      question, month: side.month, side.result.names, receipts.filter, receipts.registries)
    paths = Set<ExactText>(
      of: side.result.files.filter { $0.rows.ignored[.afterAsOf] == nil }.map(\.file.relativePath))
    filePlaces = side.filePlaces(in: other)
  }

  /// Returns a fold that finds what the row counts.
  func fold(_ counted: Set<Counted>) -> ExplainingFold<ReceiptFacts> {
    ExplainingFold(row, counted, receipts)
  }

  /// Returns the places that the rows of a contribution have in the run of the later side.
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
  ///   - isOfOtherRun: Whether the other side is of another run.
  /// - Returns: The key, which the other side has too.
  func key(
    ofChain chain: Int, ofCustomer customer: Int, _ history: borrowing ReceiptHistory,
    isOfOtherRun: Bool
  ) -> ReceiptSubscriptionKey {
    guard isOfOtherRun else { return .chain(customer: customer, chain: chain) }
    let own = history.chains[chain]
    let symbols = receipts.customers.settings.symbols
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
