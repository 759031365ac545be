import Storage

/// The transactions and renewal infos of many responses, collected until all are read.
///
/// Thirty captures of a customer contain each transaction thirty times, so redundant copies are
/// dropped. The others take 112 bytes for each transaction and 5 to 10 for its index, 48 for each
/// renewal info and 4 for each response. Neither dropped copies nor the distribution of responses
/// over stores change results.
package struct ReceiptStore: Sendable {
  var transactions = ChunkedList<TransactionCopy>()
  var renewals = ChunkedList<RenewalCopy>()
  /// The responses, in sets of one customer.
  ///
  /// If a copy is dropped, its response is joined with the response of the kept copy.
  var responses = DisjointSets()
  /// The statements of the responses about all customers.
  package private(set) var statements = ReceiptStatements()

  private var index = CopyIndex()
  private let compacts: Bool

  /// Creates an empty store.
  ///
  /// - Parameter compacts: Whether to drop redundant copies; otherwise every copy is kept.
  package init(compacts: Bool = true) { self.compacts = compacts }

  /// How many copies of transactions are kept.
  package var transactionCount: Int { transactions.count }

  /// How many renewal infos are kept.
  package var renewalCount: Int { renewals.count }

  /// Returns the store for a response, in a run with several stores.
  ///
  /// Responses of one customer mostly get the same store, which can then drop redundant copies. Any
  /// other choice gives the same results.
  ///
  /// - Parameters:
  ///   - transactions: The transactions of the response.
  ///   - renewals: The renewal infos of the response.
  ///   - count: How many stores there are.
  /// - Returns: The store's number, from 0 to `count` - 1.
  package static func shard(
    of transactions: [TransactionCopy], _ renewals: [RenewalCopy], count: Int
  ) -> Int {
    let ids = transactions.lazy.map(\.originalID.value)
    let smallest = ids.filter { $0 != 0 }.min() ?? renewals.first?.originalID.value ?? 0
    return Int((smallest &* 0x9E37_79B9_7F4A_7C15) >> 32) % count
  }

  /// Adds the transactions and renewal infos of one response.
  ///
  /// - Parameters:
  ///   - copies: The transactions; their response numbers are replaced.
  ///   - infos: The renewal infos; their response numbers are replaced.
  package mutating func add(_ copies: [TransactionCopy], _ infos: [RenewalCopy]) {
    guard !copies.isEmpty || !infos.isEmpty else { return }
    let response = responses.add()
    statements.add(copies, infos)
    for copy in Self.completed(copies) {
      var copy = copy
      copy.response = response
      keep(copy)
    }
    for info in infos {
      var info = info
      info.response = response
      renewals.append(info)
    }
  }

  /// Returns the transactions of a response, each completed from the others.
  static func completed(_ copies: [TransactionCopy]) -> [TransactionCopy] {
    let hasAppTransaction = copies.contains(where: \.appTransactionID.isUsable)
    let ownerships = statedOwnerships(copies)
    guard hasAppTransaction || !ownerships.isEmpty else { return copies }
    return copies.map { copy in
      var copy = copy
      if copy.origin == .inApp, copy.ownership == .missing {
        copy.ownership = ownerships[copy.transactionID] ?? .missing
      }
      if hasAppTransaction { copy.flags.insert(.hasAppTransaction) }
      return copy
    }
  }

  /// Adds the contents of another store.
  ///
  /// - Parameter other: A store of other responses.
  package mutating func merge(_ other: ReceiptStore) {
    let base = UInt32(responses.count)
    responses.append(other.responses)
    for position in other.transactions.indices {
      var copy = other.transactions[position]
      copy.response += base
      keep(copy)
    }
    for position in other.renewals.indices {
      var info = other.renewals[position]
      info.response += base
      renewals.append(info)
    }
    statements.merge(other.statements)
  }

  /// Returns the given original ids that have a transaction in the store.
  ///
  /// - Parameter ids: Original transaction ids.
  /// - Returns: The ids that have a transaction.
  package func originalIDs(among ids: Set<ReceiptID>) -> Set<ReceiptID> {
    guard !ids.isEmpty else { return [] }
    return Set(transactions.indices.lazy.map { transactions[$0].originalID }.filter(ids.contains))
  }

  /// Returns ownerships by transaction id, for `in_app` copies, which have none: METRICS.md 3.13.
  private static func statedOwnerships(
    _ copies: [TransactionCopy]
  ) -> [ReceiptID: TransactionCopy.Ownership] {
    guard copies.contains(where: { $0.origin == .inApp && $0.ownership == .missing }) else {
      return [:]
    }
    return copies.reduce(into: [:]) { stated, copy in
      guard copy.ownership != .missing, copy.transactionID.isUsable else { return }
      stated[copy.transactionID] = copy.ownership
    }
  }

  /// Adds a copy, unless a kept copy makes it redundant; replaces a kept copy that it makes
  /// redundant.
  private mutating func keep(_ copy: TransactionCopy) {
    // Without an original id, equal copies do not prove that two responses have the same customer.
    guard compacts, copy.originalID.isUsable else {
      transactions.append(copy)
      return
    }
    var search = index.search(copy)
    while let position = index.next(&search) {
      let kept = transactions[position]
      guard kept.isDuplicate(of: copy) else { continue }
      if copy.makesRedundant(kept) {
        transactions[position] = copy
        responses.unite(kept.response, copy.response)
        return
      }
      if kept.makesRedundant(copy) {
        responses.unite(kept.response, copy.response)
        return
      }
    }
    transactions.append(copy)
    index.insert(transactions.count - 1, transactions)
  }
}

extension TransactionCopy.Flags {
  /// A transaction of the same response has an appTransactionId, so weaker ids are not used to join
  /// it: METRICS.md 3.3.
  static let hasAppTransaction = TransactionCopy.Flags(rawValue: 1 << 15)
}
