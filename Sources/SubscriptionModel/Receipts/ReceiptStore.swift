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
  /// The feed of each file of the run.
  private let feeds: [UInt64]

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - compacts: Whether to drop redundant copies; otherwise every copy is kept.
  ///   - feeds: The feed of each file of the run, as in ``Snapshots/Delivery``. Copies of snapshots are kept where it is
  ///     not known.
  package init(compacts: Bool = true, feeds: [UInt64] = []) {
    self.compacts = compacts
    self.feeds = feeds
  }

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
    var copies = copies
    copies.shareOwnerships()
    if copies.contains(where: \.appTransactionID.isUsable) {
      for index in copies.indices { copies[index].flags.insert(.hasAppTransaction) }
    }
    return copies
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
      guard kept.isDuplicate(of: copy), mayReplace(kept, copy) else { continue }
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

  /// Returns whether one of two duplicates may stand for both.
  ///
  /// Of snapshots only a row that was delivered again may: its flags count, and those of the older row do not.
  private func mayReplace(_ kept: TransactionCopy, _ copy: TransactionCopy) -> Bool {
    guard copy.flags.contains(.ofSnapshot) else { return true }
    let files = [Int(kept.file), Int(copy.file)]
    return copy.transactionID.isUsable && kept.madeAt != copy.madeAt
      && files.allSatisfy(feeds.indices.contains) && feeds[files[0]] == feeds[files[1]]
  }
}

extension [TransactionCopy] {
  /// Gives the copies of one response without ownership that of the same transaction: METRICS.md 3.13.
  package mutating func shareOwnerships() {
    guard contains(where: { $0.ownership == .missing }),
      contains(where: { $0.ownership != .missing })
    else { return }
    let stated = filter { $0.ownership != .missing }
    let owners = stated.reduce(into: [:]) { $0[$1.transactionID] = $1.ownership }
    for index in indices where self[index].ownership == .missing {
      let copy = self[index]
      if copy.transactionID.isUsable, let owner = owners[copy.transactionID] {
        self[index].ownership = owner
      } else if let same = stated.last(where: copy.isOfSamePurchase) {
        self[index].ownership = same.ownership
      }
    }
  }
}

extension TransactionCopy {
  /// Returns whether another copy is of the same purchase: by line item and second or, without one of these line items,
  /// by product and second.
  fileprivate func isOfSamePurchase(_ other: TransactionCopy) -> Bool {
    guard purchase == other.purchase else { return false }
    return lineItemID.isUsable && other.lineItemID.isUsable
      ? lineItemID == other.lineItemID : product == other.product
  }
}
