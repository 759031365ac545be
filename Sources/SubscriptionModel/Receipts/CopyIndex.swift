/// Finds the copies of a list that may be twins of another copy, by open addressing.
struct CopyIndex: Sendable {
  /// The way through the slots of one hash.
  struct Search {
    fileprivate var slot: Int
  }

  /// Positions in the list, plus 1, or 0 where there is none; a power of two of them, or none at all.
  private var slots: [UInt32] = []
  private var count = 0

  /// Begins to look for twins of a copy.
  func search(_ copy: TransactionCopy) -> Search {
    Search(slot: slots.isEmpty ? 0 : Int(truncatingIfNeeded: copy.twinHash) & (slots.count - 1))
  }

  /// Returns the next position that may be a twin's.
  func next(_ search: inout Search) -> Int? {
    guard !slots.isEmpty, slots[search.slot] != 0 else { return nil }
    defer { search.slot = (search.slot + 1) & (slots.count - 1) }
    return Int(slots[search.slot]) - 1
  }

  /// Adds a position.
  mutating func insert(_ position: Int, _ list: borrowing ChunkedList<TransactionCopy>) {
    count += 1
    // Full to four fifths at most. What is already indexed is indexed again, so that the old slots
    // can go before the new ones come.
    guard count * 5 > slots.count * 4 else {
      put(position, list[position])
      return
    }
    let size = max(64, slots.count * 2)
    slots = []
    slots = Array(repeating: 0, count: size)
    for position in list.indices where list[position].originalID.isUsable {
      put(position, list[position])
    }
  }

  private mutating func put(_ position: Int, _ copy: TransactionCopy) {
    var slot = Int(truncatingIfNeeded: copy.twinHash) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(position + 1)
  }
}

extension TransactionCopy {
  /// A hash of what twins share.
  fileprivate var twinHash: UInt64 {
    var hash = mixed(originalID.value, transactionID.value)
    hash = mixed(hash, lineItemID.value ^ UInt64(purchase.seconds) << 32 ^ UInt64(product))
    return mixed(hash, UInt64(origin.rawValue))
  }

  /// Whether two copies join the same customers and events: all ids are the same, even missing ones, and
  /// all else that decides what a copy is joined to.
  func isTwin(of other: TransactionCopy) -> Bool {
    originalID == other.originalID && transactionID == other.transactionID
      && lineItemID == other.lineItemID && purchase == other.purchase && product == other.product
      && origin == other.origin && ownership == other.ownership && app == other.app
      && appTransactionID == other.appTransactionID && accountToken == other.accountToken
      && flags.contains(.hasAppTransaction) == other.flags.contains(.hasAppTransaction)
  }

  /// Whether an event that holds this copy and its twin is the same without the twin.
  ///
  /// The twin comes earlier, states no field that this copy does not, and has no flag that it has not. A
  /// field's last value wins, so the twin's never does.
  func makesSuperfluous(_ twin: TransactionCopy) -> Bool {
    twin.isBeforeTwin(self) && twin.flags.isSubset(of: flags)
      && (twin.expires == nil || expires != nil)
      && (twin.cancellation == nil || cancellation != nil)
      && (twin.originalPurchase == nil || originalPurchase != nil)
      && (twin.price == nil || price != nil)
      && (twin.country == .blank || country != .blank)
      && (twin.instalmentNumber == 0 || instalmentNumber != 0)
      && (twin.instalmentTotal == 0 || instalmentTotal != 0)
      && (twin.revocationPercentage == nil || revocationPercentage != nil)
      && (twin.type == .missing || type != .missing)
      && (twin.group == .blank || twin.group == group)
  }

  /// The order of copies of an event, for twins: METRICS.md 3.5, then their places.
  private func isBeforeTwin(_ twin: TransactionCopy) -> Bool {
    if madeAt != twin.madeAt { return madeAt < twin.madeAt }
    if expires != twin.expires { return (expires?.seconds ?? 0) < (twin.expires?.seconds ?? 0) }
    return isPlacedBefore(twin)
  }

  /// Whether the copy was read from an earlier place of the run.
  func isPlacedBefore(_ other: TransactionCopy) -> Bool {
    (file, row, number) < (other.file, other.row, other.number)
  }
}

/// Returns a hash of two numbers.
func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
  let (high, low) = (first ^ 0x243F_6A88_85A3_08D3).multipliedFullWidth(
    by: second ^ 0x9E37_79B9_7F4A_7C15)
  return high ^ low
}
