/// Groups the copies of one customer into events: METRICS.md 3.5.
///
/// Sorting by a key makes copies with the same key adjacent, so each rule needs one sort and one
/// pass. The arrays are reused for the next customer.
struct EventFinder {
  private struct Entry {
    var id: UInt64
    var detail: UInt64
    var copy: UInt32
  }

  private var sets = DisjointSets()
  private var entries: [Entry] = []
  private var roots: [UInt32] = []
  private var order: [Int] = []

  /// Finds the events of one customer's copies.
  ///
  /// - Parameters:
  ///   - copies: All of one customer's copies.
  ///   - symbols: The text of each symbol.
  ///   - events: The list for the events; its contents are replaced.
  mutating func find(
    in copies: [TransactionCopy], _ symbols: [String], events: inout [ReceiptEvent]
  ) {
    events.removeAll(keepingCapacity: true)
    sets.removeAll()
    sets.add(copies.count)
    joinByLineItem(copies)
    joinByTransaction(copies)
    joinWithoutLineItem(copies)
    roots.removeAll(keepingCapacity: true)
    for copy in 0..<UInt32(copies.count) { roots.append(sets.root(of: copy)) }
    order.removeAll(keepingCapacity: true)
    order.append(contentsOf: copies.indices)
    order.sort { [roots] left, right in
      roots[left] == roots[right]
        ? copies[left].precedes(copies[right], symbols) : roots[left] < roots[right]
    }
    order.forEachRun(where: { roots[$0] == roots[$1] }) { run in
      events.append(
        ReceiptEvent(run.lazy.map { copies[$0] }, first: copies[run[run.startIndex]]))
    }
  }

  /// Calls `body` with the copies of each event of the last search, in the order of the events.
  ///
  /// - Parameters:
  ///   - copies: The copies of the search.
  ///   - body: Receives the copies of an event, in the order of METRICS.md 3.5.
  func forEachEvent(of copies: [TransactionCopy], _ body: ([TransactionCopy]) -> Void) {
    order.forEachRun(where: { roots[$0] == roots[$1] }) { run in body(run.map { copies[$0] }) }
  }

  /// Joins copies with the same line item, second and ownership.
  private mutating func joinByLineItem(_ copies: [TransactionCopy]) {
    entries.removeAll(keepingCapacity: true)
    for (number, copy) in copies.enumerated() where copy.lineItemID.isUsable {
      let isFamily: UInt64 = copy.ownership == .family ? 1 : 0
      enter(number, copy.lineItemID.value, UInt64(copy.purchase.seconds) << 1 | isFamily)
    }
    sortEntries()
    for (left, right) in zip(entries, entries.dropFirst())
    where left.id == right.id && left.detail == right.detail {
      sets.unite(left.copy, right.copy)
    }
  }

  /// Joins copies with the same transaction id and second; a copy without a line item id, with the
  /// same transaction id alone.
  private mutating func joinByTransaction(_ copies: [TransactionCopy]) {
    entries.removeAll(keepingCapacity: true)
    for (number, copy) in copies.enumerated() where copy.transactionID.isUsable {
      enter(number, copy.transactionID.value, UInt64(copy.purchase.seconds))
    }
    sortEntries()
    entries.forEachRun(where: { $0.id == $1.id }) { run in
      let joinsAll = run.contains { !copies[Int($0.copy)].lineItemID.isUsable }
      for (left, right) in zip(run, run.dropFirst())
      where joinsAll || left.detail == right.detail {
        sets.unite(left.copy, right.copy)
      }
    }
  }

  /// Joins a copy without line item id to all copies with the same original id, product and second,
  /// because a restored copy has another transaction id.
  ///
  /// If the original id is not usable, only a copy without any id is joined, to copies of its response; those of a
  /// tester to one another.
  private mutating func joinWithoutLineItem(_ copies: [TransactionCopy]) {
    guard copies.contains(where: \.isJoinedByProduct) else { return }
    entries.removeAll(keepingCapacity: true)
    for (number, copy) in copies.enumerated() {
      let detail = UInt64(copy.purchase.seconds) << 32 | UInt64(copy.product)
      enter(number, mixedID(of: copy), detail)
    }
    sortEntries()
    entries.forEachRun(where: { ($0.id, $0.detail) == ($1.id, $1.detail) }) { run in
      guard run.contains(where: { copies[Int($0.copy)].isJoinedByProduct }) else { return }
      for entry in run { sets.unite(run[run.startIndex].copy, entry.copy) }
    }
  }

  /// Returns the original id or, if it is not usable, the response's number with bit 62, which no
  /// id has; for copies of a tester bit 61, too.
  private func mixedID(of copy: TransactionCopy) -> UInt64 {
    if copy.isOfTester { return 0b11 << 61 }
    return copy.originalID.isUsable ? copy.originalID.value : 1 << 62 | UInt64(copy.response)
  }

  private mutating func enter(_ copy: Int, _ id: UInt64, _ detail: UInt64) {
    entries.append(Entry(id: id, detail: detail, copy: UInt32(copy)))
  }

  private mutating func sortEntries() {
    entries.sort { ($0.id, $0.detail) < ($1.id, $1.detail) }
  }
}

extension Array {
  /// Calls a function with each range of adjacent elements that are equal to the first of them.
  fileprivate func forEachRun(
    where areAlike: (Element, Element) -> Bool, _ body: (ArraySlice<Element>) -> Void
  ) {
    var first = 0
    while first < count {
      let end = self[first...].firstIndex { !areAlike(self[first], $0) } ?? count
      body(self[first..<end])
      first = end
    }
  }
}

extension TransactionCopy {
  /// Whether product and second show which event the copy belongs to, among those of its original id or, without any
  /// id, of its response.
  fileprivate var isJoinedByProduct: Bool {
    !lineItemID.isUsable && (originalID.isUsable || !transactionID.isUsable)
  }

  /// Orders the copies of one event; later copies override earlier ones: METRICS.md 3.5, then
  /// their places.
  fileprivate func precedes(_ other: TransactionCopy, _ symbols: [String]) -> Bool {
    if madeAt != other.madeAt { return madeAt < other.madeAt }
    if origin != other.origin { return origin < other.origin }
    if delivery != other.delivery { return delivery < other.delivery }
    if expires != other.expires { return (expires?.seconds ?? 0) < (other.expires?.seconds ?? 0) }
    if transactionID != other.transactionID {
      return transactionID.precedes(other.transactionID, symbols)
    }
    return isPlacedBefore(other)
  }
}
