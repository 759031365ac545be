import Storage

/// Joins the responses of each customer by their ids: METRICS.md 3.3.
struct ReceiptJoins {
  /// An id that belongs to only one customer, together with the second of purchase if it needs one.
  fileprivate struct Key: Equatable {
    var id: UInt64
    var second: UInt32 = 0
  }

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
  init(
    _ responses: DisjointSets, _ transactions: ChunkedList<TransactionCopy>,
    _ renewals: ChunkedList<RenewalCopy>, _ identities: ReceiptIdentities
  ) {
    sets = responses
    self.transactions = transactions
    self.renewals = renewals
    // At most three quarters of the slots are used.
    slots = Array(repeating: 0, count: (transactions.count + renewals.count) * 4 / 3 + 1)
    joinByOriginalID()
    join(by: Self.purchase)
    join(by: { Key($0.appTransactionID) })
    join(by: { $0.isJoinedByWeakerIDs ? Key(token: $0.accountToken) : nil })
    join(by: { $0.isJoinedByWeakerIDs ? Key($0.transactionID, $0.purchase) : nil })
    join(identities)
  }

  /// Returns the number that represents all responses of a customer.
  mutating func root(of response: UInt32) -> UInt32 { sets.root(of: response) }

  /// Returns the line item of a purchase; `nil` in Family Sharing, because it belongs to another
  /// customer.
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

extension ReceiptJoins.Key {
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
}
