import Storage
package import SubscriptionModel

/// A chain with its charges, prices and outcomes, the same for `subscribers` and `receipts`.
///
/// METRICS.md section 6.
package struct PricedChain: Sendable {
  /// The chain's start and the kind of its first charge: `start_month` and `offer`.
  package var key: ChainKey
  /// Whether the first charge is the first one of the subscription, so that none is older than the data.
  package var isStartKnown: Bool
  /// As-of: for `subscribers` the source's, for `receipts` the chain's own.
  package var asOf: Day
  /// The charges in order, at least one; a slice of the array of all chains' charges.
  package var charges: ArraySlice<PricedCharge> = []
  /// Apple's records of the customer's consent to a price increase, oldest first; empty for `subscribers`.
  ///
  /// `isGiven` is `true` if the customer agreed or was only notified, `false` if asked without an answer so far.
  package var consents: [(madeAt: Instant, isGiven: Bool)] = []
}

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

  /// Creates an empty store with room for some charges.
  package init(_ completeness: Completeness, capacity: Int) {
    asOf = completeness.asOf
    firstDay = completeness.firstDay
    charges.reserveCapacity(capacity)
  }

  /// The number of stored charges.
  package var count: Int { charges.count }

  /// Appends a subscriber's chains.
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

extension ReceiptHistory {
  /// Returns a chain as a `PricedChain`, given the index of each period's terms; instants become days of UTC.
  package func pricedChain(_ chain: ReceiptChain, terms: [Int]) -> PricedChain {
    pricedChain(chain, pricedCharges(of: chain, terms: terms))
  }

  private func pricedChain(_ chain: ReceiptChain, _ all: [PricedCharge]) -> PricedChain {
    var priced = PricedChain(
      key: ChainKey(chain, periods), isStartKnown: chain.isStartKnown, asOf: chain.asOf.day)
    priced.consents = priceConsents(of: chain)
    // Drop instalments without a place in a term, except the chain's first row, which dates the start of the chain.
    priced.charges = all.enumerated().filter { $0 == 0 || !$1.hasNoPlaceInTerm }.map(\.element)[...]
    return priced
  }

  /// Returns a chain as a `PricedChain`, with the first and the last period of each of its charges, for explanations.
  package func explainedChain(
    _ chain: ReceiptChain, terms: [Int]
  ) -> (chain: PricedChain, periods: [ClosedRange<Int>]) {
    var ofCharges: [ClosedRange<Int>] = []
    let all = pricedCharges(of: chain, terms: terms) { ofCharges.append($0) }
    let kept = all.indices.filter { $0 == 0 || !all[$0].hasNoPlaceInTerm }
    return (pricedChain(chain, all), kept.map { ofCharges[$0] })
  }

  /// Returns the charges of a chain, with a whole term of instalments as one charge; `note` receives the periods of
  /// each: METRICS.md 10.6.
  func pricedCharges(
    of chain: ReceiptChain, terms: [Int], note: (ClosedRange<Int>) -> Void = { _ in }
  ) -> [PricedCharge] {
    var charges: [PricedCharge] = []
    var commitments = commitmentTerms(of: chain)[...]
    var isOfKnownTerm = false
    var ordinal = 0
    for (index, number) in zip(chain.periods, terms) {
      let period = periods[index]
      guard period.isInstalment else {
        if period.event.isPaid, !period.isPassedOver || period.isRefunded { ordinal += 1 }
        charges.append(PricedCharge(period, terms: number, ordinal: ordinal))
        note(index...index)
        continue
      }
      let term = commitments.first.flatMap { $0.instalments[0] == index ? $0 : nil }
      if term != nil {
        commitments.removeFirst()
        isOfKnownTerm = period.position?.number != nil
      }
      let hasPlace = period.position?.number != nil && !period.isPassedOver && period.end != nil
      guard isOfKnownTerm, hasPlace else {
        charges.append(PricedCharge(withoutPlaceInTerm: number, on: period.start.day))
        note(index...index)
        continue
      }
      guard let term else { continue }
      charges.append(charge(of: term, chain, terms: number, &ordinal))
      note(term.instalments[0]...term.instalments[term.instalments.count - 1])
    }
    return charges
  }

  /// Returns a term as one charge; a defaulted term counts as ended by a refund, so that it is not measured.
  private func charge(
    of term: CommitmentTerm<Instant>, _ chain: ReceiptChain, terms: Int, _ ordinal: inout Int
  ) -> PricedCharge {
    let first = periods[term.instalments[0]]
    let last = periods[term.instalments[term.instalments.count - 1]]
    let lastEnd = last.end ?? last.start
    let isDefaulted = chain.asOf - lastEnd >= ReceiptSettings.instalmentRetrySeconds
    var (end, ending, fate) = (lastEnd.day, last.priceEnding, last.priceFate)
    var monthsToCome = 0
    switch term.ending {
    case .complete: break
    case .changed(let start): (end, ending, fate) = (start.day, .changedProduct, .continued)
    case .open where !isDefaulted:
      (ending, fate, monthsToCome) = (.fullEnd, .running, last.position?.remaining ?? 0)
    case .refunded, .lost, .open: ending = .refunded
    }
    if ending != .changedProduct || term.ending == .complete { ordinal += 1 }
    var charge = PricedCharge(
      terms: terms, start: first.start.day, end: end, ending: ending, fate: fate, ordinal: ordinal,
      monthsToCome: monthsToCome)
    charge.isLapseForPrice = term.ending == .complete && last.reason == .price
    charge.fullRefundDay =
      first.fullRefundDay ?? (term.ending == .refunded ? last.fullRefundDay : nil)
    return charge
  }
}

extension PricedCharge {
  fileprivate init(_ period: ReceiptPeriod, terms: Int, ordinal: Int) {
    self.init(
      terms: terms, start: period.start.day, end: (period.end ?? period.start).day,
      ending: period.priceEnding, fate: period.priceFate, ordinal: ordinal)
    isLapseForPrice = period.reason == .price
    fullRefundDay = period.fullRefundDay
  }
}

extension ReceiptPeriod {
  /// The day on which the charge was refunded in full; `nil` if it was not.
  fileprivate var fullRefundDay: Day? { refund == .full ? event.cancellation?.day : nil }

  /// The event that ended the period, as SUBSCRIBER chains name it: METRICS.md 3.8.
  fileprivate var priceEnding: Period.Ending {
    if isUpgraded { return .changedProduct }
    if isRefunded { return .refunded }
    return isPassedOver ? .boughtAgainSameDay : .fullEnd
  }

  /// The period's fate, as SUBSCRIBER chains name it; a period without a known end is running.
  fileprivate var priceFate: Period.Fate {
    switch fate {
    case .renewed, .upgraded: .continued
    case .recovered: .recovered
    case .reactivated: .reactivated
    case .openFinal: .openFinal
    case .openProvisional: .openProvisional
    case .current, .none: .running
    }
  }
}
