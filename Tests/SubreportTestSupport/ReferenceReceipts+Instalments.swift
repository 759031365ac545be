import Storage
import SubscriptionModel

/// METRICS.md 10.1 and 10.2 for receipts, to compare with.
extension ReferenceReceipts {
  /// The place of an instalment in its term.
  struct Instalment {
    /// 1 for the first; `nil` when it is not known.
    var number: Int?
    var total = 12
    /// Whether it is the first of its term that the dump has.
    var beginsTerm = false

    var isLast: Bool { number.map { $0 >= total } ?? false }
  }

  /// Says how each charge of a chain is paid, and where instalments are in their terms.
  func setInstalments(_ chain: inout Chain) {
    for index in chain.charges.indices {
      chain.charges[index].plan = plan(of: chain.charges[index].event)
      guard chain.kind == "auto-renewable", chain.charges[index].plan == .commitment,
        chain.charges[index].event.isPaid
      else { continue }
      chain.charges[index].instalment = instalment(index, chain)
    }
  }

  // MARK: Rule 10.1

  private func plan(of event: Event) -> BillingPlan {
    guard event.type != .free, event.expires != nil else { return .upfront }
    if let stated = event.copies.last(where: { $0.flags.contains(.hasBillingPlan) }) {
      return stated.flags.contains(.commitment) ? .commitment : .upfront
    }
    let product = event.symbol(\.product)
    let isSold = world.responses.contains { response in
      response.copies.contains { $0.product == product && $0.flags.contains(.commitment) }
    }
    guard isSold else { return .upfront }
    guard event.isPaid else { return .unknown }
    guard event.kind == "standard", let expires = event.expires else { return .upfront }
    let days = (25 * 86_400)...(35 * 86_400)
    return days.contains(expires - event.start) ? .commitment : .upfront
  }

  // MARK: Rule 10.2

  private func instalment(_ index: Int, _ chain: Chain) -> Instalment {
    let charge = chain.charges[index]
    let stated = Int(
      charge.event.last { $0.instalmentNumber == 0 ? nil : $0.instalmentNumber } ?? 0)
    let total = Int(charge.event.last { $0.instalmentTotal == 0 ? nil : $0.instalmentTotal } ?? 12)
    var first = Instalment(number: stated > 0 ? stated : 1, total: total, beginsTerm: true)
    guard index > 0 else {
      // It opens a chain.
      if stated == 0, !isStartKnown(charge.event) { first.number = nil }
      return first
    }
    let before = chain.charges[index - 1]
    // The charge before it is no instalment of the same product.
    guard let place = before.instalment, let end = before.end,
      before.event.symbol(\.product) == charge.event.symbol(\.product)
    else { return first }
    // The instalment before it was the last, ended its term by a refund, or was followed by a long gap.
    if place.isLast || isEndedByRefund(index - 1, chain) || charge.start - end > 7_776_000 {
      return first
    }
    if stated > 0 {
      return Instalment(number: stated, total: total, beginsTerm: stated == 1)
    }
    // A price holds for a term.
    let isSameCurrency = currency(before.event) == currency(charge.event)
    if isSameCurrency, let old = before.event.last(\.price), let new = charge.event.last(\.price),
      old != new
    {
      return first
    }
    return Instalment(number: place.number.map { $0 + 1 }, total: total)
  }

  func currency(_ event: Event) -> Symbol {
    event.last { $0.price == nil ? nil : $0.currency } ?? .blank
  }

  /// Whether a refund, full or prorated, ended an instalment while it was the current one.
  func isEndedByRefund(_ index: Int, _ chain: Chain) -> Bool {
    let charge = chain.charges[index]
    guard charge.cut == "refund", let refund = charge.event.cancellation else { return false }
    return !chain.charges.indices.contains { $0 > index && chain.charges[$0].start <= refund }
  }
}
