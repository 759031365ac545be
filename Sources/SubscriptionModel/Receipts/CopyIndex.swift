import Storage

/// A hash table with open addressing that finds possible duplicates of a copy in a list of copies.
struct CopyIndex: Sendable {
  /// The current slot of a search.
  struct Search {
    fileprivate var slot: Int
  }

  /// Positions in the list plus 1, or 0 for a free slot; the count is a power of two, or 0.
  private var slots: [UInt32] = []
  private var count = 0

  /// Begins a search for duplicates of a copy.
  func search(_ copy: TransactionCopy) -> Search {
    Search(
      slot: slots.isEmpty ? 0 : Int(truncatingIfNeeded: copy.duplicateHash) & (slots.count - 1))
  }

  /// Returns the next position that may hold a duplicate; `nil` after the last.
  func next(_ search: inout Search) -> Int? {
    guard !slots.isEmpty, slots[search.slot] != 0 else { return nil }
    defer { search.slot = (search.slot + 1) & (slots.count - 1) }
    return Int(slots[search.slot]) - 1
  }

  /// Adds a position.
  mutating func insert(_ position: Int, _ list: borrowing ChunkedList<TransactionCopy>) {
    count += 1
    // At most four fifths of the slots are used. To grow, the whole list is indexed again: so the
    // old slots can be freed before the new ones are allocated.
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
    var slot = Int(truncatingIfNeeded: copy.duplicateHash) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(position + 1)
  }
}

extension TransactionCopy {
  /// A hash of fields in which duplicates agree.
  fileprivate var duplicateHash: UInt64 {
    var hash = mixed(originalID.value, transactionID.value)
    hash = mixed(hash, lineItemID.value ^ UInt64(purchase.seconds) << 32 ^ UInt64(product))
    return mixed(hash, UInt64(origin.rawValue))
  }

  /// Whether two copies are duplicates: equal in all fields that determine their customer and
  /// event.
  ///
  /// Missing ids are equal.
  func isDuplicate(of other: TransactionCopy) -> Bool {
    originalID == other.originalID && transactionID == other.transactionID
      && lineItemID == other.lineItemID && purchase == other.purchase && product == other.product
      && origin == other.origin && ownership == other.ownership && app == other.app
      && appTransactionID == other.appTransactionID && accountToken == other.accountToken
      && flags.intersection(.ofCustomer) == other.flags.intersection(.ofCustomer)
  }

  /// Returns whether an event does not change if this copy is kept and a duplicate is dropped.
  ///
  /// True if the duplicate is earlier in the order of METRICS.md 3.5, and has no field or flag that
  /// this copy lacks: the last value of a field is used, so no value of the duplicate is.
  func makesRedundant(_ other: TransactionCopy) -> Bool {
    other.isBefore(self) && other.flags.isSubset(of: flags)
      && (other.expires == nil || expires != nil)
      && (other.cancellation == nil || cancellation != nil)
      && (other.originalPurchase == nil || originalPurchase != nil)
      && (other.price == nil || price != nil)
      && (other.country == .blank || country != .blank)
      && (other.instalmentNumber == 0 || instalmentNumber != 0)
      && (other.instalmentTotal == 0 || instalmentTotal != 0)
      && (other.revocationPercentage == nil || revocationPercentage != nil)
      && (other.refundedPrice == nil || refundedPrice != nil)
      && (other.type == .missing || type != .missing)
      && (other.group == .blank || other.group == group)
  }

  /// Orders duplicates as the copies of an event: METRICS.md 3.5, then file, row and number.
  private func isBefore(_ other: TransactionCopy) -> Bool {
    if madeAt != other.madeAt { return madeAt < other.madeAt }
    if expires != other.expires { return (expires?.seconds ?? 0) < (other.expires?.seconds ?? 0) }
    return isPlacedBefore(other)
  }

  /// Whether the copy is from an earlier file, row or place in its row.
  func isPlacedBefore(_ other: TransactionCopy) -> Bool {
    (file, row, number) < (other.file, other.row, other.number)
  }
}

extension TransactionCopy.Flags {
  /// The flags that determine the customer and the as-of of a copy.
  fileprivate static let ofCustomer: TransactionCopy.Flags = [.hasAppTransaction, .ofSnapshot]
}

/// Returns a hash of two numbers.
package func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
  let (high, low) = (first ^ 0x243F_6A88_85A3_08D3).multipliedFullWidth(
    by: second ^ 0x9E37_79B9_7F4A_7C15)
  return high ^ low
}
