package import SubscriptionModel

extension ReceiptHistory {
  /// Returns a chain as a `PricedChain`; instants become days of UTC.
  ///
  /// - Parameters:
  ///   - chain: One of the customer's chains.
  ///   - terms: For each of the chain's periods, the index of its terms.
  /// - Returns: The chain.
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

  /// Returns a chain as a `PricedChain`, with the periods of each of its charges, for explanations.
  ///
  /// - Parameters:
  ///   - chain: One of the customer's chains.
  ///   - terms: For each of the chain's periods, the index of its terms.
  /// - Returns: The chain, and for each charge the index of its period: of a term the first and the last one.
  package func explainedChain(
    _ chain: ReceiptChain, terms: [Int]
  ) -> (chain: PricedChain, periods: [ClosedRange<Int>]) {
    var ofCharges: [ClosedRange<Int>] = []
    let all = pricedCharges(of: chain, terms: terms) { ofCharges.append($0) }
    let kept = all.indices.filter { $0 == 0 || !all[$0].hasNoPlaceInTerm }
    return (pricedChain(chain, all), kept.map { ofCharges[$0] })
  }

  /// Returns the charges of a chain, with a whole term of instalments as one charge: METRICS.md 10.6.
  ///
  /// - Parameters:
  ///   - chain: One of the customer's chains.
  ///   - terms: For each of the chain's periods, the index of its terms.
  ///   - note: Receives the first and the last period of each charge.
  /// - Returns: The charges.
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
