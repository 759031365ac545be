import Storage

/// Joins the responses of each customer by their ids: METRICS.md 3.3.
struct ReceiptJoins {
  fileprivate typealias Key = JoinRule.Key

  /// The responses and, after them, the names of the identities.
  private var sets: DisjointSets
  private let transactions: ChunkedList<TransactionCopy>
  private let renewals: ChunkedList<RenewalCopy>
  /// A hash table: for each key, the number of the first copy with it, plus 1; 0 for a free slot.
  private var slots: [UInt32]

  /// Joins responses.
  ///
  /// - Parameters:
  ///   - responses: The responses, some of which are already joined.
  ///   - transactions: All transactions, with the numbers of their responses.
  ///   - renewals: All renewal infos, with the numbers of their responses.
  ///   - identities: The customers named in the file of `--identities`.
  ///   - tokens: The account tokens that join no customers.
  init(
    _ responses: DisjointSets, _ transactions: ChunkedList<TransactionCopy>,
    _ renewals: ChunkedList<RenewalCopy>, _ identities: ReceiptIdentities, _ tokens: SharedTokens
  ) {
    sets = responses
    self.transactions = transactions
    self.renewals = renewals
    // At most three quarters of the slots are used.
    slots = Array(repeating: 0, count: (transactions.count + renewals.count) * 4 / 3 + 1)
    joinByOriginalID()
    join(by: JoinRule.purchase.key)
    join(by: JoinRule.appTransaction.key)
    join { copy in
      tokens.shared.contains(copy.accountToken) ? nil : JoinRule.account.key(copy)
    }
    join(by: JoinRule.transaction.key)
    join(by: JoinRule.tester.key)
    join(identities)
  }

  /// Returns the number that represents all responses of a customer.
  mutating func root(of response: UInt32) -> UInt32 { sets.root(of: response) }

  /// Joins the responses of transactions with equal keys.
  private mutating func join(by key: (borrowing TransactionCopy) -> Key?) {
    var isUsed = false
    for position in transactions.indices {
      guard let found = key(transactions[position]) else { continue }
      if !isUsed {
        isUsed = true
        for slot in slots.indices { slots[slot] = 0 }
      }
      var slot = self.slot(of: found)
      while true {
        let first = Int(slots[slot]) - 1
        if first < 0 {
          slots[slot] = UInt32(position + 1)
          break
        }
        if key(transactions[first]) == found {
          sets.unite(transactions[first].response, transactions[position].response)
          break
        }
        slot = slot + 1 == slots.count ? 0 : slot + 1
      }
    }
  }

  /// Joins by the original ids of transactions and renewal infos; the latter are numbered after the
  /// former.
  private mutating func joinByOriginalID() {
    for number in 0..<transactions.count + renewals.count {
      let (id, response) = original(number)
      guard id.isUsable else { continue }
      var slot = self.slot(of: Key(id: id.value))
      while true {
        let first = Int(slots[slot]) - 1
        if first < 0 {
          slots[slot] = UInt32(number + 1)
          break
        }
        let (otherID, otherResponse) = original(first)
        if otherID == id {
          sets.unite(otherResponse, response)
          break
        }
        slot = slot + 1 == slots.count ? 0 : slot + 1
      }
    }
  }

  private func original(_ number: Int) -> (ReceiptID, response: UInt32) {
    guard number >= transactions.count else {
      return (transactions[number].originalID, transactions[number].response)
    }
    let info = renewals[number - transactions.count]
    return (info.originalID, info.response)
  }

  private func slot(of key: Key) -> Int {
    let hash = mixed(key.id, UInt64(key.second))
    return Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(slots.count)).high)
  }

  /// Joins the responses of customers named in the file of `--identities`.
  private mutating func join(_ identities: ReceiptIdentities) {
    guard !identities.names.isEmpty else { return }
    let base = UInt32(sets.count)
    sets.add(identities.names.count)
    for (first, second) in identities.shared {
      sets.unite(base + UInt32(first), base + UInt32(second))
    }
    for position in transactions.indices {
      let copy = transactions[position]
      if let number = identities.numberOfOriginal[copy.originalID] {
        sets.unite(base + UInt32(number), copy.response)
      }
      if let number = identities.numberOfToken[copy.accountToken] {
        sets.unite(base + UInt32(number), copy.response)
      }
    }
    for position in renewals.indices {
      let info = renewals[position]
      guard let number = identities.numberOfOriginal[info.originalID] else { continue }
      sets.unite(base + UInt32(number), info.response)
    }
  }
}

/// A rule by which responses belong to one customer: METRICS.md 3.3.
package enum JoinRule: UInt64, CaseIterable, Sendable {
  /// The original id of a transaction or a renewal info.
  case original = 1
  /// The line item and the second of its purchase; not in Family Sharing, where it belongs to another customer.
  case purchase
  case appTransaction
  /// The account token, if the response has no appTransactionId; not one that many customers share.
  case account
  /// The transaction id and the second of its purchase, if the response has no appTransactionId.
  case transaction
  /// The app, for records of Xcode and local testing without original id: they are of one tester.
  case tester

  /// An id that belongs to only one customer, together with the second of purchase if it needs one.
  package struct Key: Hashable, Sendable {
    package var id: UInt64
    package var second: UInt32 = 0
  }

  /// Returns the key of a transaction; `nil` if it has none by this rule.
  ///
  /// - Parameter copy: A transaction as ``ReceiptStore`` completes it.
  /// - Returns: The key.
  func key(_ copy: borrowing TransactionCopy) -> Key? {
    switch self {
    case .original: Key(copy.originalID)
    case .purchase: copy.ownership == .family ? nil : Key(copy.lineItemID, copy.purchase)
    case .appTransaction: Key(copy.appTransactionID)
    case .account: copy.isJoinedByWeakerIDs ? Key(token: copy.accountToken) : nil
    case .transaction: copy.isJoinedByWeakerIDs ? Key(copy.transactionID, copy.purchase) : nil
    case .tester: copy.isOfTester ? Key(id: UInt64(copy.app)) : nil
    }
  }

  /// Calls `body` with each key of a response; keys may repeat.
  package static func forEachKey(
    of transactions: [TransactionCopy], _ renewals: [RenewalCopy], _ body: (JoinRule, Key) -> Void
  ) {
    for copy in ReceiptStore.completed(transactions) {
      for rule in allCases {
        if let key = rule.key(copy) { body(rule, key) }
      }
    }
    for info in renewals {
      if let key = Key(info.originalID) { body(.original, key) }
    }
  }
}

extension JoinRule.Key {
  /// Creates the key of an id; `nil` if it is not usable.
  fileprivate init?(_ id: ReceiptID, _ second: Instant? = nil) {
    guard id.isUsable else { return nil }
    self.init(id: id.value, second: second?.seconds ?? 0)
  }

  /// Creates the key of an account token; `nil` if it is blank.
  fileprivate init?(token: Symbol) {
    guard token != .blank else { return nil }
    self.init(id: UInt64(token))
  }
}

extension TransactionCopy {
  /// Whether weaker ids are used to join the response, because it has no appTransactionId.
  fileprivate var isJoinedByWeakerIDs: Bool { !flags.contains(.hasAppTransaction) }

  /// Whether the copy is of the one tester of its app.
  var isOfTester: Bool { flags.contains(.local) && !originalID.isUsable }
}

/// Disjoint sets of elements, joined pair by pair (union-find), in four bytes for each element.
package struct DisjointSets: Sendable {
  private var parents: [UInt32] = []

  package init() {}

  package var count: Int { parents.count }

  /// Adds a set of one element.
  ///
  /// - Returns: The element's number.
  package mutating func add() -> UInt32 {
    let number = UInt32(parents.count)
    parents.append(number)
    return number
  }

  /// Adds sets of one element each.
  mutating func add(_ count: Int) {
    parents.reserveCapacity(parents.count + count)
    for _ in 0..<count { _ = add() }
  }

  /// Appends other sets; the numbers of their elements increase by the count so far.
  mutating func append(_ other: DisjointSets) {
    let base = UInt32(parents.count)
    for parent in other.parents { parents.append(parent + base) }
  }

  /// Removes all elements and keeps the memory for reuse.
  mutating func removeAll() { parents.removeAll(keepingCapacity: true) }

  /// Returns the representative of an element's set.
  package mutating func root(of element: UInt32) -> UInt32 {
    var element = Int(element)
    while true {
      let parent = Int(parents[element])
      if parent == element { return UInt32(element) }
      // Path halving: the next search takes half as many steps.
      let grandparent = parents[parent]
      parents[element] = grandparent
      element = Int(grandparent)
    }
  }

  /// Joins the sets of two elements.
  package mutating func unite(_ first: UInt32, _ second: UInt32) {
    let first = root(of: first)
    let second = root(of: second)
    if first < second { parents[Int(second)] = first } else { parents[Int(first)] = second }
  }
}
