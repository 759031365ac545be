import Storage
import SubscriptionModel

/// The slow, obvious version of METRICS.md section 3: every pair of copies is compared.
package struct ReferenceReceipts {
  /// One event with all of its copies, in order.
  struct Event {
    var copies: [TransactionCopy]

    /// The last value that a copy states.
    func last<Value>(_ field: (TransactionCopy) -> Value?) -> Value? {
      copies.compactMap(field).last
    }

    func symbol(_ field: KeyPath<TransactionCopy, Symbol>) -> Symbol {
      last { $0[keyPath: field] == .blank ? nil : $0[keyPath: field] } ?? .blank
    }

    func id(_ field: KeyPath<TransactionCopy, ReceiptID>) -> ReceiptID {
      last { $0[keyPath: field].isUsable ? $0[keyPath: field] : nil } ?? .none
    }

    var start: Instant { copies.map(\.purchase).min() ?? copies[0].purchase }
    var expires: Instant? { last(\.expires) }
    var isReversed: Bool {
      guard let stated = copies.last(where: { $0.cancellation != nil })?.madeAt else {
        return false
      }
      return copies.contains {
        $0.origin == .v2 && $0.flags.contains(.hasSignedDate) && $0.cancellation == nil
          && $0.madeAt > stated
      }
    }
    var hasV2: Bool { copies.contains { $0.origin == .v2 } }
    var cancellation: Instant? { isReversed ? nil : last(\.cancellation) }
    var isFamily: Bool {
      last { $0.ownership == .missing ? nil : $0.ownership } == .family
    }
    var type: TransactionCopy.ProductType {
      last { $0.type == .missing ? nil : $0.type } ?? .missing
    }
    func has(_ flag: TransactionCopy.Flags) -> Bool {
      copies.contains { $0.flags.contains(flag) }
    }
    var isPaid: Bool {
      if type == .free { return false }
      if let price = last(\.price) { return price > 0 }
      return !has(.trial) && !has(.freeOffer)
    }
    var kind: String {
      if has(.offer) || has(.freeOffer) { return "offer" }
      if has(.trial) || (has(.intro) && last(\.price) == 0) { return "trial" }
      return has(.intro) ? "intro" : "standard"
    }
  }

  struct Customer {
    var name: String
    var events: [Event]
    var infos: [RenewalCopy]
  }

  let world: ReceiptWorld
  let runAsOf: Instant
  private(set) var customers: [Customer] = []
  /// The chains of all customers.
  private(set) var resolved: [Chain] = []

  /// Rows of `timeline.csv`, sorted.
  package private(set) var timeline: [[String]] = []
  /// Rows of `chains.csv`, sorted.
  package private(set) var chains: [[String]] = []

  /// Works out all customers of a world.
  package init(_ world: ReceiptWorld) {
    self.world = world
    let made = world.responses.flatMap { $0.copies.map(\.madeAt) + $0.infos.map(\.madeAt) }
    runAsOf = world.asOf ?? made.max() ?? Instant(seconds: 0)
    let responses = world.responses.map(Self.withOwnerships)
    for members in classes(responses.count, { joins(responses[$0], responses[$1]) }) {
      let copies = members.flatMap { responses[$0].copies }
      guard !copies.isEmpty else { continue }
      let infos = Self.withoutSilence(members.flatMap { responses[$0].infos })
      let events = classes(copies.count) { Self.areOneEvent(copies[$0], copies[$1]) }.map { own in
        Event(copies: own.map { copies[$0] }.sorted { order($0, $1) })
      }
      customers.append(Customer(name: name(copies, infos), events: events, infos: infos))
    }
    for customer in customers { addRows(of: customer) }
    let precede = { (left: [String], right: [String]) in
      left.lexicographicallyPrecedes(right) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    timeline.sort(by: precede)
    chains.sort(by: precede)
  }

  mutating func add(resolved chain: Chain) { resolved.append(chain) }
  mutating func add(timeline row: [String]) { timeline.append(row) }
  mutating func add(chain row: [String]) { chains.append(row) }

  /// Groups numbers that belong together, directly or through others.
  private func classes(_ count: Int, _ belong: (Int, Int) -> Bool) -> [[Int]] {
    var label = Array(0..<count)
    for left in 0..<count {
      for right in 0..<left where label[left] != label[right] && belong(left, right) {
        let old = label[right]
        let new = label[left]
        for index in label.indices where label[index] == old { label[index] = new }
      }
    }
    return Dictionary(grouping: 0..<count) { label[$0] }.values.map { $0 }
  }

  // MARK: Rules 3, 5 and 13

  private static func withOwnerships(_ response: ReceiptWorld.Response) -> ReceiptWorld.Response {
    var response = response
    let original = response.copies
    for index in response.copies.indices {
      let copy = response.copies[index]
      guard copy.ownership == .missing else { continue }
      let stated = original.filter { $0.ownership != .missing }
      let same =
        stated.last { $0.transactionID.isUsable && $0.transactionID == copy.transactionID }
        ?? stated.last { other in
          guard other.purchase == copy.purchase else { return false }
          let haveLines = copy.lineItemID.isUsable && other.lineItemID.isUsable
          return haveLines
            ? copy.lineItemID == other.lineItemID : copy.product == other.product
        }
      if let same { response.copies[index].ownership = same.ownership }
    }
    return response
  }

  /// Leaves out what says nothing: a missing entry without an entry in grace just before it, METRICS.md 3.10.
  private static func withoutSilence(_ infos: [RenewalCopy]) -> [RenewalCopy] {
    infos.filter { info in
      guard info.isAbsent else { return true }
      let entries = infos.filter {
        !$0.isAbsent && $0.originalID == info.originalID && $0.newestPurchase != nil
          && $0.madeAt < info.madeAt
      }
      guard let before = newest(entries), before.newestPurchase == info.newestPurchase,
        let grace = before.graceEnd, let end = info.newestExpiry
      else { return false }
      return grace > end
    }
  }

  private func joins(_ left: ReceiptWorld.Response, _ right: ReceiptWorld.Response) -> Bool {
    let originals = { (response: ReceiptWorld.Response) in
      Set((response.copies.map(\.originalID) + response.infos.map(\.originalID)).filter(\.isUsable))
    }
    if !originals(left).isDisjoint(with: originals(right)) { return true }
    let isStrong =
      left.copies.contains { $0.appTransactionID.isUsable }
      || right.copies.contains { $0.appTransactionID.isUsable }
    for one in left.copies {
      for other in right.copies {
        if one.appTransactionID.isUsable, one.appTransactionID == other.appTransactionID {
          return true
        }
        let isSameSecond = one.purchase == other.purchase
        if isSameSecond, one.lineItemID.isUsable, one.lineItemID == other.lineItemID,
          one.ownership != .family, other.ownership != .family
        {
          return true
        }
        guard !isStrong else { continue }
        if one.accountToken != .blank, one.accountToken == other.accountToken { return true }
        if isSameSecond, one.transactionID.isUsable, one.transactionID == other.transactionID {
          return true
        }
      }
    }
    return false
  }

  private static func areOneEvent(_ one: TransactionCopy, _ other: TransactionCopy) -> Bool {
    let isSameSecond = one.purchase == other.purchase
    let hasNone = { (copy: TransactionCopy) in
      !copy.lineItemID.isUsable && !copy.transactionID.isUsable
    }
    if !one.lineItemID.isUsable || !other.lineItemID.isUsable, isSameSecond,
      one.product == other.product, one.originalID.isUsable, one.originalID == other.originalID
    {
      return true
    }
    if isSameSecond, one.lineItemID.isUsable, one.lineItemID == other.lineItemID,
      (one.ownership == .family) == (other.ownership == .family)
    {
      return true
    }
    if one.transactionID.isUsable, one.transactionID == other.transactionID {
      if isSameSecond || !one.lineItemID.isUsable || !other.lineItemID.isUsable { return true }
    }
    guard hasNone(one) || hasNone(other), isSameSecond, one.product == other.product else {
      return false
    }
    return !one.originalID.isUsable && !other.originalID.isUsable && one.response == other.response
  }

  private func order(_ left: TransactionCopy, _ right: TransactionCopy) -> Bool {
    if left.madeAt != right.madeAt { return left.madeAt < right.madeAt }
    if left.origin != right.origin { return left.origin < right.origin }
    let expires = (left.expires?.seconds ?? 0, right.expires?.seconds ?? 0)
    if expires.0 != expires.1 { return expires.0 < expires.1 }
    let ids = (text(left.transactionID), text(right.transactionID))
    if ids.0 != ids.1 { return isSmaller(ids.0, ids.1) }
    return (left.file, left.row, left.number) < (right.file, right.row, right.number)
  }

  func text(_ id: ReceiptID) -> String { id.text(world.symbols) }

  func isSmaller(_ left: String, _ right: String) -> Bool {
    (left.utf8.count, left) < (right.utf8.count, right)
  }

  private func name(_ copies: [TransactionCopy], _ infos: [RenewalCopy]) -> String {
    let smallest = { (ids: [ReceiptID]) in
      ids.filter(\.isUsable).map { text($0) }.min { isSmaller($0, $1) }
    }
    if let id = smallest(copies.map(\.appTransactionID)) { return "app-transaction:\(id)" }
    let tokens = copies.map { world.symbols[Int($0.accountToken)] }
    if let token = tokens.filter({ !$0.isEmpty }).min() { return "account:\(token)" }
    if let id = smallest(copies.map(\.originalID) + infos.map(\.originalID)) {
      return "original:\(id)"
    }
    if let id = smallest(copies.map(\.transactionID)) { return "transaction:\(id)" }
    let first =
      copies.map { [$0.file, $0.row, UInt32($0.number)] }
      .min { $0.lexicographicallyPrecedes($1) } ?? []
    return "row:" + first.map { "\($0)" }.joined(separator: ":")
  }
}
