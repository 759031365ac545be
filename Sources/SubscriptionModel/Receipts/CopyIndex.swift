/// A hash table, by open addressing, that finds copies in a list that may be twins of another copy.
struct CopyIndex: Sendable {
  /// The current slot of a search.
  struct Search {
    fileprivate var slot: Int
  }

  /// Positions in the list plus 1, or 0 for a free slot; the count is a power of two, or 0.
  private var slots: [UInt32] = []
  private var count = 0

  /// Starts a search for twins of a copy.
  func search(_ copy: TransactionCopy) -> Search {
    Search(slot: slots.isEmpty ? 0 : Int(truncatingIfNeeded: copy.twinHash) & (slots.count - 1))
  }

  /// Returns the next position that may hold a twin; `nil` at the end.
  func next(_ search: inout Search) -> Int? {
    guard !slots.isEmpty, slots[search.slot] != 0 else { return nil }
    defer { search.slot = (search.slot + 1) & (slots.count - 1) }
    return Int(slots[search.slot]) - 1
  }

  /// Adds a position.
  mutating func insert(_ position: Int, _ list: borrowing ChunkedList<TransactionCopy>) {
    count += 1
    // At most four fifths full. The whole list is indexed again, so that the old slots are freed before
    // the new ones are allocated.
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
  /// A hash of fields that twins share.
  fileprivate var twinHash: UInt64 {
    var hash = mixed(originalID.value, transactionID.value)
    hash = mixed(hash, lineItemID.value ^ UInt64(purchase.seconds) << 32 ^ UInt64(product))
    return mixed(hash, UInt64(origin.rawValue))
  }

  /// Whether two copies are twins: equal in all fields that decide which customers and events they join.
  ///
  /// Missing ids are equal, too.
  func isTwin(of other: TransactionCopy) -> Bool {
    originalID == other.originalID && transactionID == other.transactionID
      && lineItemID == other.lineItemID && purchase == other.purchase && product == other.product
      && origin == other.origin && ownership == other.ownership && app == other.app
      && appTransactionID == other.appTransactionID && accountToken == other.accountToken
      && flags.contains(.hasAppTransaction) == other.flags.contains(.hasAppTransaction)
  }

  /// Whether an event with this copy and its twin stays the same without the twin.
  ///
  /// The twin comes earlier, and has no field or flag that this copy lacks. The last value of a field wins, so the
  /// twin's never does.
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

  /// Orders twins as copies of an event: METRICS.md 3.5, then their places.
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
