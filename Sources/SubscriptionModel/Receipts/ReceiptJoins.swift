/// Joins the responses of each customer: METRICS.md 3.3.
struct ReceiptJoins {
  /// A value that responses of one customer share.
  fileprivate struct Key: Equatable {
    var id: UInt64
    var second: UInt32 = 0
  }

  /// The responses, and after them the names of the identities.
  private var sets: DisjointSets
  private let transactions: ChunkedList<TransactionCopy>
  private let renewals: ChunkedList<RenewalCopy>
  /// For each key the number of the first record with it, plus 1; 0 for a free slot.
  private var slots: [UInt32]

  /// Joins responses.
  ///
  /// - Parameters:
  ///   - responses: The responses, with those that are already joined.
  ///   - transactions: All transactions; their responses are numbers of `responses`.
  ///   - renewals: All renewal infos, numbered alike.
  ///   - identities: Customers that the user names.
  init(
    _ responses: DisjointSets, _ transactions: ChunkedList<TransactionCopy>,
    _ renewals: ChunkedList<RenewalCopy>, _ identities: ReceiptIdentities
  ) {
    sets = responses
    self.transactions = transactions
    self.renewals = renewals
    // At most three quarters full.
    slots = Array(repeating: 0, count: (transactions.count + renewals.count) * 4 / 3 + 1)
    joinByOriginalID()
    join(by: Self.purchase)
    join(by: { Key($0.appTransactionID) })
    join(by: { $0.isJoinedByAnything ? Key(token: $0.accountToken) : nil })
    join(by: { $0.isJoinedByAnything ? Key($0.transactionID, $0.purchase) : nil })
    join(identities)
  }

  /// Returns the representative of a customer's responses and names.
  mutating func root(of response: UInt32) -> UInt32 { sets.root(of: response) }

  /// Returns the line item of a purchase; `nil` in Family Sharing, where it is another customer's.
  private static func purchase(_ copy: borrowing TransactionCopy) -> Key? {
    copy.ownership == .family ? nil : Key(copy.lineItemID, copy.purchase)
  }

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

  /// Joins by original ids, which renewal infos have too: they are numbered after the transactions.
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

  /// Joins the responses of customers that the user names.
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

extension ReceiptJoins.Key {
  /// The key of an id, `nil` when it is not usable.
  fileprivate init?(_ id: ReceiptID, _ second: Instant? = nil) {
    guard id.isUsable else { return nil }
    self.init(id: id.value, second: second?.seconds ?? 0)
  }

  /// The key of an account token, `nil` when it is blank.
  fileprivate init?(token: Symbol) {
    guard token != .blank else { return nil }
    self.init(id: UInt64(token))
  }
}

extension TransactionCopy {
  /// Whether no transaction of its response has an appTransactionId, so that weaker ids join it.
  fileprivate var isJoinedByAnything: Bool { !flags.contains(.hasAppTransaction) }
}
