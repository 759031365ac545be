import Storage

/// The renewal infos of one customer, by original id and time: METRICS.md 3.10.
struct RenewalInfos {
  /// All infos; sorted by ``sort(_:)``, which must be called before a look-up.
  var all: [RenewalCopy] = []
  /// The infos of snapshots, each of the period in its row only.
  var ofRows: [RenewalCopy] = []
  /// Of each period with infos of its own, these, the newest last.
  var ofPeriods: [[RenewalCopy]] = []
  /// The products of each chain, with the chain's first period; empty if there is only one chain.
  private var products: [(product: Symbol, chain: Int)] = []

  /// Sorts the infos by original id, the newest of each last, and drops absent ones that say nothing.
  mutating func sort(_ symbols: [String]) {
    all.sort { left, right in
      if left.originalID != right.originalID {
        return left.originalID.value < right.originalID.value
      }
      if left.madeAt != right.madeAt { return left.madeAt < right.madeAt }
      // In the same second, an order that does not depend on the order of the input.
      if left.answers != right.answers { return left.answers < right.answers }
      let offers = (left.winBackOffers ?? .blank, right.winBackOffers ?? .blank)
      guard offers.0 == offers.1 else {
        return symbols[Int(offers.0)].precedes(symbols[Int(offers.1)])
      }
      // Both say the same, so only the row that explanations name depends on it.
      return (left.file, left.row, left.number) < (right.file, right.row, right.number)
    }
    dropSilentAbsences()
  }

  /// Drops the infos that stand for a missing one, unless the newest earlier answer with an info has the same newest
  /// purchase, in its grace period: METRICS.md 3.10.
  private mutating func dropSilentAbsences() {
    guard all.contains(where: \.isAbsent) else { return }
    // The newest answer with an info of the id: so far, and before the second of the current info.
    var newest: RenewalCopy?
    var earlier: RenewalCopy?
    var last: RenewalCopy?
    all.removeAll { info in
      if last?.originalID != info.originalID { newest = nil }
      if last?.originalID != info.originalID || last?.madeAt != info.madeAt { earlier = newest }
      last = info
      if info.isAbsent { return earlier.map { !$0.isInGrace(info) } ?? true }
      if info.newestPurchase != nil { newest = info }
      return false
    }
  }

  /// Stores which products each chain has.
  mutating func indexProducts(_ chains: [ReceiptChain], _ periods: [ReceiptPeriod]) {
    products.removeAll(keepingCapacity: true)
    guard chains.count > 1, !all.isEmpty else { return }
    for chain in chains {
      for period in periods[chain.periods] {
        products.append((period.event.product, chain.periods.lowerBound))
      }
    }
    products.sort { $0 < $1 }
  }

  /// Returns the newest info of a period, or with its original id, that counts for its chain.
  ///
  /// - Parameters:
  ///   - period: The period.
  ///   - chain: Its chain.
  ///   - first: The earliest time of the info; `nil` for any.
  ///   - end: The time before which the info was made, unless it is of the period only; `nil` for any.
  ///   - accepts: Returns whether an info may be returned.
  /// - Returns: The info; `nil` without one.
  func newest(
    of period: ReceiptPeriod, in chain: ReceiptChain, from first: Instant? = nil,
    before end: Instant? = nil, where accepts: (RenewalCopy) -> Bool = { _ in true }
  ) -> RenewalCopy? {
    let shared = newestOfID(period, chain, first, end, accepts)
    guard let number = period.ownInfos else { return shared }
    let own = ofPeriods[Int(number)].last { info in
      first.map { info.madeAt >= $0 } ?? true && accepts(info)
    }
    guard let own, let shared else { return own ?? shared }
    return own.madeAt > shared.madeAt ? own : shared
  }

  private func newestOfID(
    _ period: ReceiptPeriod, _ chain: ReceiptChain, _ first: Instant?, _ end: Instant?,
    _ accepts: (RenewalCopy) -> Bool
  ) -> RenewalCopy? {
    let id = period.event.originalID
    guard id.isUsable, !all.isEmpty else { return nil }
    var position = firstPosition(of: id, end)
    while position > 0 {
      position -= 1
      let info = all[position]
      guard info.originalID == id, first.map({ info.madeAt >= $0 }) ?? true else { return nil }
      if counts(info, in: chain), accepts(info) { return info }
    }
    return nil
  }

  /// Returns whether an info counts for a chain: it does, unless only other chains have its
  /// product.
  func counts(_ info: RenewalCopy, in chain: ReceiptChain) -> Bool {
    guard info.product != .blank, !products.isEmpty else { return true }
    let own = firstProduct(info.product, chain.periods.lowerBound)
    if own < products.count, products[own] == (info.product, chain.periods.lowerBound) {
      return true
    }
    let any = firstProduct(info.product, 0)
    return any == products.count || products[any].product != info.product
  }

  /// Returns the infos of an id.
  func ofID(_ id: ReceiptID) -> ArraySlice<RenewalCopy> {
    let end = firstPosition(of: id, nil)
    let others = all[..<end].lastIndex { $0.originalID != id }
    return all[(others.map { $0 + 1 } ?? 0)..<end]
  }

  /// Returns the position after the infos of an id that were made before an instant; `nil` for all
  /// infos.
  private func firstPosition(of id: ReceiptID, _ end: Instant?) -> Int {
    all.partitionPoint { info in
      if info.originalID != id { return info.originalID.value < id.value }
      return end.map { info.madeAt < $0 } ?? true
    }
  }

  private func firstProduct(_ product: Symbol, _ chain: Int) -> Int {
    products.partitionPoint { $0 < (product, chain) }
  }
}

extension RenewalCopy {
  /// The numeric fields, combined into one number for sorting.
  fileprivate var answers: UInt64 {
    func bits(_ answer: Bool?) -> UInt64 { answer.map { $0 ? 2 : 1 } ?? 0 }
    let renewing = bits(renewsAfterTerm) << 12 | bits(autoRenews)
    let flags = renewing | bits(isInBillingRetry) << 8 | bits(acceptsPriceIncrease) << 4
    let small = UInt64(status) << 24 | UInt64(expirationIntent) << 16 | flags
    return small << 32 | UInt64(graceEnd?.seconds ?? 0)
  }

  /// Whether the info has the same newest purchase as a later, absent one, and a grace period after its expiry.
  fileprivate func isInGrace(_ absent: RenewalCopy) -> Bool {
    guard newestPurchase == absent.newestPurchase, let graceEnd, let end = absent.newestExpiry
    else { return false }
    return graceEnd > end
  }

  /// Whether Apple retries billing: the flag, or status 3 or 4.
  var isRetryingBilling: Bool { isInBillingRetry == true || status == 3 || status == 4 }

  /// Why the subscription lapsed; `unknown` if the info has no reason.
  var reason: LapseReason {
    switch expirationIntent {
    case 1: .voluntary
    case 2: .billing
    case 3: .price
    case 4: .removed
    case 5: .other
    default: isRetryingBilling ? .billing : .unknown
    }
  }
}
