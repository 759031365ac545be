import Counting
import Pipeline
import SubscriptionModel
import Tables
import Threads

/// Folds the receipts of both sides, customer by customer, and pairs what each subscription adds.
///
/// For two months of one run, memory holds the contributions of one customer. For two runs it holds those of the cells.
enum ReceiptDifferenceFold {
  /// What one subscription adds, each with the place of its column.
  typealias Found = [ReceiptSubscriptionKey: [(column: Int, contribution: ReceiptContribution)]]

  /// Folds one side on one thread.
  struct Side: ~Copyable {
    let side: ReceiptSide
    private let columns: [Set<Counted>]
    private let isOfOtherRun: Bool
    private let namesCustomers: Bool
    private var fold: ExplainingFold<ReceiptFacts>
    var found: Found = [:]

    init(
      _ side: ReceiptSide, _ columns: [Set<Counted>], isOfOtherRun: Bool, namesCustomers: Bool
    ) {
      (self.side, self.columns) = (side, columns)
      (self.isOfOtherRun, self.namesCustomers) = (isOfOtherRun, namesCustomers)
      fold = side.fold(columns.reduce(into: []) { $0.formUnion($1) })
    }

    /// Adds the contributions of a customer, whose history has been built.
    mutating func add(_ customer: Int, _ history: borrowing ReceiptHistory) {
      var own: [CountedPeriod] = []
      fold.add(history) { own.append($0) }
      guard !own.isEmpty else { return }
      let places = history.placesOfPeriods()
      let name = namesCustomers ? history.name() : nil
      for one in own {
        var contribution = ReceiptContribution(one, history, places)
        (contribution.customer, contribution.number) = (name, customer)
        let key = side.key(
          ofChain: one.place.chain, ofCustomer: customer, history, isOfOtherRun: isOfOtherRun)
        contribution.subscription = key
        for (place, counted) in columns.enumerated() where counted.contains(one.counted) {
          found[key, default: []].append((place, contribution))
        }
      }
    }
  }

  /// Returns the differences of cells.
  ///
  /// - Parameters:
  ///   - after: The later side.
  ///   - before: The other side.
  ///   - columns: What each of the columns counts.
  ///   - empty: An empty list for each column.
  ///   - isOfOtherRun: Whether the other side is of another run.
  ///   - namesCustomers: Whether subscriptions are named by their customers.
  ///   - jobs: The number of threads.
  /// - Returns: A list for each column.
  static func lists(
    _ after: ReceiptSide, _ before: ReceiptSide, _ columns: [Set<Counted>],
    _ empty: [ReceiptDifferenceList], isOfOtherRun: Bool, namesCustomers: Bool, jobs: Int
  ) -> [ReceiptDifferenceList] {
    let makeSide = { @Sendable (side: ReceiptSide) in
      Side(side, columns, isOfOtherRun: isOfOtherRun, namesCustomers: namesCustomers)
    }
    guard isOfOtherRun else {
      return lists(ofOneRun: after.receipts, empty, jobs: jobs) {
        Pair(makeSide(after), makeSide(before), empty)
      }
    }
    let own = found(after, jobs: jobs) { makeSide(after) }
    let other = found(before, jobs: jobs) { makeSide(before) }
    var lists = empty
    pair(own, other, into: &lists, after, before)
    return lists
  }

  // MARK: Two runs

  /// One side of two runs on one thread.
  private struct Single: ~Copyable {
    var side: Side
    var history: ReceiptHistory

    init(_ side: consuming Side) {
      history = ReceiptHistory(side.side.receipts.customers)
      self.side = side
    }

    mutating func add(_ customer: Int) {
      history.build(customer)
      side.add(customer, history)
    }

    consuming func result() -> Found { side.found }
  }

  private static func found(
    _ side: ReceiptSide, jobs: Int, _ make: @Sendable () -> Side
  ) -> Found {
    let count = side.receipts.partCount
    let parts = Workers.run(
      count: count, jobs: jobs, makeState: { Single(make()) },
      work: { fold, part in
        for customer in side.receipts.customers.partition(part, of: count) { fold.add(customer) }
      }, finish: { $0.result() })
    return parts.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
  }

  private static func pair(
    _ own: Found, _ other: Found, into lists: inout [ReceiptDifferenceList], _ after: ReceiptSide,
    _ before: ReceiptSide
  ) {
    for key in Set(own.keys).union(other.keys) {
      for place in lists.indices {
        let new = (own[key] ?? []).filter { $0.column == place }.map(\.contribution)
        let old = (other[key] ?? []).filter { $0.column == place }.map(\.contribution)
        if new.isEmpty, old.isEmpty { continue }
        lists[place].add(new, old, (after.places, before.places))
      }
    }
  }

  // MARK: One run

  /// Both sides of one run on one thread.
  private struct Pair: ~Copyable {
    var after: Side
    var before: Side
    var history: ReceiptHistory
    var lists: [ReceiptDifferenceList]

    init(
      _ after: consuming Side, _ before: consuming Side, _ lists: [ReceiptDifferenceList]
    ) {
      history = ReceiptHistory(after.side.receipts.customers)
      self.after = after
      self.before = before
      self.lists = lists
    }

    mutating func add(_ customer: Int) {
      history.build(customer)
      after.add(customer, history)
      before.add(customer, history)
      ReceiptDifferenceFold.pair(
        after.found, before.found, into: &lists, after.side, before.side)
      after.found.removeAll(keepingCapacity: true)
      before.found.removeAll(keepingCapacity: true)
    }
  }

  private static func lists(
    ofOneRun receipts: KeptReceipts, _ empty: [ReceiptDifferenceList], jobs: Int,
    _ make: @Sendable () -> Pair
  ) -> [ReceiptDifferenceList] {
    let count = receipts.partCount
    let parts = Workers.run(
      count: count, jobs: jobs, makeState: make,
      work: { pair, part in
        for customer in receipts.customers.partition(part, of: count) { pair.add(customer) }
      }, finish: { $0.lists })
    var merged = empty
    for part in parts { for (place, list) in part.enumerated() { merged[place].merge(list) } }
    return merged
  }
}
