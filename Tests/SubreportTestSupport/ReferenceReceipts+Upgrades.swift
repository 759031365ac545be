import SubscriptionModel

/// METRICS.md 3.8, upgrades, to compare with: every purchase is asked about every other one.
extension ReferenceReceipts {
  /// (d): cancelled within 300 seconds after another product was bought.
  func looksUpgraded(_ event: Event, _ chain: Chain) -> Bool {
    guard let cancellation = event.cancellation, !event.hasV2 else { return false }
    return chain.events.contains { other in
      other.symbol(\.product) != event.symbol(\.product) && other.start > event.start
        && cancellation - other.start >= 0 && cancellation - other.start <= 300
    }
  }

  /// (b) and (c): says of each charge which purchases replaced it.
  func setReplaced(_ chain: inout Chain) {
    let all = chain.charges
    for purchase in all.indices {
      if all[purchase].event.has(.upgradeNotification),
        let replaced = replaced(by: purchase, all, isByOverlap: false)
      {
        chain.charges[replaced].replacedAt.append(all[purchase].start)
      }
      let isRenewal = all.contains { self.isRenewal(all[purchase], of: $0) }
      if !isRenewal, let replaced = replaced(by: purchase, all, isByOverlap: true),
        !all[replaced].event.hasV2
      {
        chain.charges[replaced].replacedAt.append(all[purchase].start)
      }
    }
    for index in chain.charges.indices where !chain.charges[index].replacedAt.isEmpty {
      chain.charges[index].isUpgraded = true
    }
  }

  private func replaced(by index: Int, _ all: [Charge], isByOverlap: Bool) -> Int? {
    let purchase = all[index]
    let id = purchase.event.id(\.originalID)
    let last = all.indices.last { other in
      let charge = all[other]
      guard other != index, charge.start < purchase.start,
        charge.event.id(\.originalID) == id, let end = charge.end
      else { return false }
      let cancelled = charge.event.cancellation
      if isByOverlap {
        return id.isUsable
          && charge.event.symbol(\.product) != purchase.event.symbol(\.product)
          && !(cancelled.map { $0 < purchase.start } ?? false)
          && end - purchase.start > world.toleranceSeconds
      }
      return end > purchase.start && !(cancelled.map { $0 <= purchase.start } ?? false)
    }
    guard let last else { return nil }
    let renewal = all.indices.first { other in
      let wait = all[other].start - purchase.start
      return other != index && isRenewal(all[other], of: all[last]) && wait >= 0 && wait <= 86_400
    }
    return renewal ?? last
  }

  /// Whether a charge begins within 60 seconds of the expiry of an earlier one of its product and original id.
  private func isRenewal(_ charge: Charge, of earlier: Charge) -> Bool {
    guard let end = earlier.end, earlier.start < charge.start,
      earlier.event.symbol(\.product) == charge.event.symbol(\.product),
      earlier.event.id(\.originalID) == charge.event.id(\.originalID)
    else { return false }
    return charge.start - end >= -60 && charge.start - end <= 60
  }

  /// Where an upgraded charge is cut; `nil` when it is not.
  func upgradeCut(_ charge: Charge, _ chain: Chain) -> Instant? {
    if let first = charge.replacedAt.min() { return first }
    let others = chain.charges.filter {
      $0.event.symbol(\.product) != charge.event.symbol(\.product)
    }
    let cancellation = charge.event.cancellation
    let before = others.map(\.start).filter { start in
      cancellation.map { $0 - start >= 0 && $0 - start <= 86_400 } ?? false
    }
    if let newest = before.max() { return newest }
    let after = chain.charges.map(\.start).filter { start in
      start > charge.start && charge.event.expires.map { start < $0 } ?? true
    }
    if let earliest = after.min() { return earliest }
    let runs = others.contains { other in
      !other.isUpgraded && other.start <= charge.start
        && other.event.expires.map { $0 > charge.start } ?? true
        && other.event.cancellation.map { $0 > charge.start } ?? true
    }
    return runs ? charge.start : cancellation
  }
}
