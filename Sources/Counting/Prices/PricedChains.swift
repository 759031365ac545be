import Storage
package import SubscriptionModel

/// All chains of a run in flat arrays, stored until the price increases are found: METRICS.md section 6.
///
/// Finding increases needs the charges of all subscribers, and measuring them needs the chains. To build all chains a
/// second time would take a fifth of a run.
package struct PricedChains: Sendable {
  private struct StoredChain {
    var key: ChainKey
    var isStartKnown: Bool
    /// The index after the chain's last charge.
    var end: Int32
  }

  private let asOf: Day
  private let firstDay: Day
  private var stored: [StoredChain] = []
  private var charges: [PricedCharge] = []

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - completeness: The days that the data cover.
  ///   - capacity: The number of charges to reserve memory for.
  package init(_ completeness: Completeness, capacity: Int) {
    asOf = completeness.asOf
    firstDay = completeness.firstDay
    charges.reserveCapacity(capacity)
  }

  /// The number of stored charges.
  package var count: Int { charges.count }

  /// Appends a subscriber's chains.
  ///
  /// - Parameters:
  ///   - history: The builder with the chains.
  ///   - terms: The terms that periods refer to by index.
  package mutating func append(_ history: borrowing ChainBuilder, _ terms: [ChargeTerms]) {
    for number in history.chains.indices {
      let chain = history.chains[number]
      let base = charges.count
      if history.hasInstalment(chain) {
        appendTerms(of: chain, history, terms)
      } else {
        appendPeriods(of: chain, history, terms)
        for refund in history.refunds where refund.isFull && refund.charge?.chain == number {
          guard let charge = refund.charge else { continue }
          charges[base + charge.period - chain.periods.lowerBound].fullRefundDay = refund.day
        }
      }
      stored.append(
        StoredChain(
          key: ChainKey(chain, history.periods, terms, firstDay: firstDay),
          isStartKnown: chain.start == .known, end: Int32(charges.count)))
    }
  }

  private mutating func appendPeriods(
    of chain: Chain, _ history: borrowing ChainBuilder, _ terms: [ChargeTerms]
  ) {
    var ordinal = 0
    for index in chain.periods {
      let period = history.periods[index]
      let isCompleted = period.wasDue || period.ending == .refunded
      if isCompleted, terms[Int(period.terms)].isPaid { ordinal += 1 }
      charges.append(PricedCharge(period, ordinal: ordinal))
    }
  }

  /// Appends a chain with instalments.
  ///
  /// Instalments without a place in a term are left out, except the chain's first row, which dates the start of the
  /// chain.
  private mutating func appendTerms(
    of chain: Chain, _ history: borrowing ChainBuilder, _ terms: [ChargeTerms]
  ) {
    let all = PricedCharge.charges(of: chain, history) { terms[$0].isPaid }
    for (index, charge) in all.enumerated() where index == 0 || !charge.hasNoPlaceInTerm {
      charges.append(charge)
    }
  }

  /// Calls a closure with each chain.
  ///
  /// - Parameter body: The closure.
  package func forEach(_ body: (PricedChain) -> Void) {
    guard let first = stored.first else { return }
    var chain = PricedChain(key: first.key, isStartKnown: first.isStartKnown, asOf: asOf)
    var start = 0
    for storedChain in stored {
      let end = Int(storedChain.end)
      chain.key = storedChain.key
      chain.isStartKnown = storedChain.isStartKnown
      chain.charges = charges[start..<end]
      body(chain)
      start = end
    }
  }
}
