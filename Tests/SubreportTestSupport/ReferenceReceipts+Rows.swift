import Storage
import SubscriptionModel

/// The rows of `timeline.csv` and `chains.csv`.
extension ReferenceReceipts {
  mutating func addRows(_ chain: Chain, _ name: String) {
    let app = text(chain.events.map { $0.symbol(\.app) }.last { $0 != .blank } ?? .blank)
    let keys = [name, app, chain.group, chain.isFamily ? "family" : "purchased"]
    let lapses = ["recovered", "reactivated", "final", "provisional"]
    var latest: Instant?
    for charge in chain.charges {
      let event = charge.event
      let isEmpty = charge.end == charge.start
      add(
        timeline: keys + [
          text(event.symbol(\.product)), "\(charge.start)", charge.end?.description ?? "",
          event.expires?.description ?? "",
          chain.kind == "auto-renewable" ? event.kind : chain.kind,
          event.isPaid ? "yes" : "no", charge.cut, charge.refund,
          charge.refund.isEmpty ? "" : event.cancellation?.description ?? "",
          latest.map { "\(charge.start - $0)" } ?? "", charge.number.map { "\($0)" } ?? "",
          isEmpty && !lapses.contains(charge.fate) ? "none" : charge.fate, charge.reason,
          event.last(\.price).map { "\($0)" } ?? "",
          event.last(\.price) == nil
            ? "" : text(event.last { $0.price == nil ? nil : $0.currency } ?? .blank),
          charge.plan.name, charge.instalment?.number.map { "\($0)" } ?? "",
          charge.instalment.map { "\($0.total)" } ?? "",
        ])
      if let end = charge.end { latest = max(latest ?? end, end) }
    }
    let (state, reason) = state(chain)
    let ends = chain.charges.map(\.end)
    let counts = [
      chain.charges.compactMap(\.number).max() ?? 0, covered(chain), chain.charges.count,
      chain.charges.count { $0.event.isPaid }, chain.charges.count { lapses.contains($0.fate) },
      chain.charges.count { $0.refund == "full" || $0.refund == "partial" },
    ]
    let first = chain.charges[0]
    add(
      chain: keys + [
        chain.kind, state, reason, "\(chain.asOf)", "\(first.start)",
        ends.contains(nil) ? "" : ends.compactMap { $0 }.max()?.description ?? "",
        isStartKnown(first.event) ? "\(first.start.month)" : "before \(first.start.month)",
      ] + counts.map { "\($0)" })
  }

  func isStartKnown(_ first: Event) -> Bool {
    if first.has(.nonProduction) || ["trial", "intro"].contains(first.kind) { return true }
    guard let original = first.last(\.originalPurchase) else {
      return first.id(\.transactionID).isUsable
        && first.id(\.transactionID) == first.id(\.originalID)
    }
    return first.start - original <= 86_400
  }

  private func covered(_ chain: Chain) -> Int {
    let spans = chain.charges.compactMap { charge in charge.end.map { (charge.start, $0) } }
    let borders = Set(spans.flatMap { [$0.0, $0.1] }).sorted()
    return zip(borders, borders.dropFirst()).reduce(0) { sum, pair in
      let isCovered = spans.contains { $0.0 <= pair.0 && pair.1 <= $0.1 }
      return isCovered ? sum + (pair.1 - pair.0) : sum
    }
  }
}
