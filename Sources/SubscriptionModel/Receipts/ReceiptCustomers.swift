package import Storage

/// The customers of a run's receipts, with their transactions and renewal infos: METRICS.md 3.3.
///
/// Several threads may read it; each builds the histories of a range of customers.
package struct ReceiptCustomers: Sendable {
  /// How many customers there are.
  package let count: Int
  /// The run's as-of: the user's, otherwise the newest response's; `nil` without responses.
  package let asOf: Instant?
  /// The settings for receipts.
  package let settings: ReceiptSettings
  /// The account tokens that many customers share; they neither join nor name customers: METRICS.md 3.3.
  package let sharedTokens: Set<Symbol>
  /// How many other account tokens have two subscriptions of a group at once.
  package let doubledTokens: Int

  private let transactions: ChunkedList<TransactionCopy>
  private let renewals: ChunkedList<RenewalCopy>
  /// Positions of transactions, grouped by customer.
  private let transactionOrder: Grouping
  private let renewalOrder: Grouping
  private let identityOfCustomer: [UInt32: Symbol]
  /// The statements of all responses about all customers.
  package let statements: ReceiptStatements

  /// Joins responses into customers.
  ///
  /// - Parameters:
  ///   - stores: All transactions and renewal infos. Keep no other copy, or they are in memory
  ///     twice.
  ///   - statements: The statements of all responses of the run, if the stores have only a part of them.
  ///   - identities: The customers named in the file of `--identities`.
  ///   - settings: The settings for receipts.
  package init(
    _ stores: consuming [ReceiptStore], statements: ReceiptStatements? = nil,
    identities: ReceiptIdentities = ReceiptIdentities(), settings: ReceiptSettings
  ) {
    self.settings = settings
    let statements =
      statements ?? stores.reduce(into: ReceiptStatements()) { $0.merge($1.statements) }
    self.statements = statements
    asOf = settings.asOf ?? statements.newest

    var responses = DisjointSets()
    (transactions, renewals) = Self.takeAll(&stores, &responses, statements.snapshots.settled())
    let tokens = SharedTokens(transactions, statements, settings)
    (sharedTokens, doubledTokens) = (tokens.shared, tokens.doubledCount)
    var joins = ReceiptJoins(responses, transactions, renewals, identities, tokens)
    var customers = CustomerNumbers(count: responses.count)
    for response in 0..<UInt32(responses.count) {
      customers.numberNext(root: joins.root(of: response))
    }
    count = customers.count
    var names: [UInt32: [Symbol]] = [:]
    for (number, name) in identities.names.enumerated() {
      let root = joins.root(of: UInt32(responses.count + number))
      guard let customer = customers.customer(ofRoot: root) else { continue }
      names[customer, default: []].append(name)
    }
    identityOfCustomer = names.compactMapValues { CustomerName.smallestText($0, settings.symbols) }
    transactionOrder = Grouping(transactions.indices, customers) { [transactions] in
      transactions[$0].response
    }
    renewalOrder = Grouping(renewals.indices, customers) { [renewals] in renewals[$0].response }
  }

  /// Moves the contents of all stores into two lists, and renumbers the responses consecutively.
  private static func takeAll(
    _ stores: inout [ReceiptStore], _ responses: inout DisjointSets,
    _ snapshots: [UInt32: (asOf: Instant, place: UInt16)]
  ) -> (ChunkedList<TransactionCopy>, ChunkedList<RenewalCopy>) {
    var transactions: [ChunkedList<TransactionCopy>] = []
    var renewals: [ChunkedList<RenewalCopy>] = []
    while var store = stores.popLast() {
      let base = UInt32(responses.count)
      responses.append(store.responses)
      // The lists are moved out of the store, so that changing them does not copy them.
      var (copies, infos) = (store.transactions, store.renewals)
      (store.transactions, store.renewals) = (ChunkedList(), ChunkedList())
      for position in copies.indices { copies[position].response += base }
      for position in infos.indices { infos[position].response += base }
      if !snapshots.isEmpty { Self.date(&copies, &infos, snapshots) }
      transactions.append(copies)
      renewals.append(infos)
    }
    return (ChunkedList(joining: transactions), ChunkedList(joining: renewals))
  }

  /// Gives the rows of snapshots the as-of of their feeds, and their places among its deliveries: METRICS.md 3.7.
  private static func date(
    _ copies: inout ChunkedList<TransactionCopy>, _ infos: inout ChunkedList<RenewalCopy>,
    _ snapshots: [UInt32: (asOf: Instant, place: UInt16)]
  ) {
    for position in copies.indices where copies[position].flags.contains(.ofSnapshot) {
      guard let snapshot = snapshots[copies[position].file] else { continue }
      copies[position].madeAt = snapshot.asOf
      copies[position].delivery = snapshot.place
    }
    for position in infos.indices where infos[position].isOfPeriod {
      guard let snapshot = snapshots[infos[position].file] else { continue }
      infos[position].madeAt = snapshot.asOf
    }
  }

  /// Returns the customers of one of several parts of about the same size.
  ///
  /// - Parameters:
  ///   - part: The part's number, from 0 to `count` - 1.
  ///   - count: How many parts there are.
  /// - Returns: The customers' numbers.
  package func partition(_ part: Int, of count: Int) -> Range<Int> {
    (self.count * part / count)..<(self.count * (part + 1) / count)
  }

  // MARK: One customer

  /// Loads a customer's transactions, in any order.
  func loadTransactions(of customer: Int, into copies: inout [TransactionCopy]) {
    copies.removeAll(keepingCapacity: true)
    for position in transactionOrder[customer] { copies.append(transactions[Int(position)]) }
    guard !sharedTokens.isEmpty else { return }
    for index in copies.indices where sharedTokens.contains(copies[index].accountToken) {
      copies[index].accountToken = .blank
    }
  }

  /// Loads a customer's renewal infos, in any order.
  func loadRenewals(of customer: Int, into infos: inout [RenewalCopy]) {
    infos.removeAll(keepingCapacity: true)
    for position in renewalOrder[customer] { infos.append(renewals[Int(position)]) }
  }

  /// Returns the name of a customer in the file of `--identities`; `nil` without one.
  func identity(of customer: Int) -> Symbol? { identityOfCustomer[UInt32(customer)] }

  /// Returns the group of a product; blank if its copies state none or several.
  func group(app: Symbol, product: Symbol) -> Symbol {
    statements.groups[ReceiptStatements.AppProduct(app: app, product: product)] ?? .blank
  }
}

/// Numbers customers in the order of their first responses.
private struct CustomerNumbers {
  private static let none = UInt32.max
  private var customerOfRoot: [UInt32]
  private var customerOfResponse: [UInt32] = []
  private(set) var count = 0

  init(count: Int) {
    customerOfRoot = Array(repeating: Self.none, count: count)
    customerOfResponse.reserveCapacity(count)
  }

  /// Numbers the customer of the next response.
  mutating func numberNext(root: UInt32) {
    if customerOfRoot[Int(root)] == Self.none {
      customerOfRoot[Int(root)] = UInt32(count)
      count += 1
    }
    customerOfResponse.append(customerOfRoot[Int(root)])
  }

  func customer(ofRoot root: UInt32) -> UInt32? {
    guard Int(root) < customerOfRoot.count, customerOfRoot[Int(root)] != Self.none else {
      return nil
    }
    return customerOfRoot[Int(root)]
  }

  func customer(of response: UInt32) -> Int { Int(customerOfResponse[Int(response)]) }
}

/// Positions grouped by customer, with a counting sort.
private struct Grouping: Sendable {
  private var ends: [UInt32]
  private var positions: [UInt32]

  init(_ all: Range<Int>, _ customers: CustomerNumbers, response: (Int) -> UInt32) {
    ends = Array(repeating: 0, count: customers.count + 1)
    positions = Array(repeating: 0, count: all.count)
    for position in all { ends[customers.customer(of: response(position)) + 1] += 1 }
    for customer in 0..<customers.count { ends[customer + 1] += ends[customer] }
    // Until all positions are placed, `ends[customer]` is the index for the customer's next
    // position.
    for position in all {
      let customer = customers.customer(of: response(position))
      positions[Int(ends[customer])] = UInt32(position)
      ends[customer] += 1
    }
  }

  /// The positions of a customer.
  subscript(customer: Int) -> ArraySlice<UInt32> {
    positions[(customer == 0 ? 0 : Int(ends[customer - 1]))..<Int(ends[customer])]
  }
}
