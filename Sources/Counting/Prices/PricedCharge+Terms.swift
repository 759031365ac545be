import Storage
import SubscriptionModel

/// Conversion of terms of instalments to single charges: METRICS.md 10.6.
extension PricedCharge {
  /// Returns the charges of a chain from SUBSCRIBER reports.
  ///
  /// Example: a chain has three monthly charges of one product, then thirteen instalments of
  /// another. It becomes five charges: three months, one term of twelve instalments, and a term
  /// that has begun. Instalments of unknown position stay single charges, with
  /// ``hasNoPlaceInTerm``.
  ///
  /// - Parameters:
  ///   - chain: A chain with instalments.
  ///   - history: The builder with the chain.
  ///   - isPaid: Returns whether charges with the terms of an index are paid.
  /// - Returns: The charges in order.
  static func charges(
    of chain: Chain, _ history: borrowing ChainBuilder, isPaid: (Int) -> Bool
  ) -> [PricedCharge] {
    var charges: [PricedCharge] = []
    var terms = CommitmentTerm<Day>.terms(of: chain, history.periods)[...]
    // Whether the position of the current term's first instalment is known.
    var isOfKnownTerm = false
    var ordinal = 0
    for index in chain.periods {
      let period = history.periods[index]
      guard let position = period.instalment.position else {
        if period.wasDue || period.ending == .refunded, isPaid(Int(period.terms)) { ordinal += 1 }
        charges.append(PricedCharge(period, ordinal: ordinal))
        charges[charges.count - 1].fullRefundDay = history.fullRefundDay(of: index)
        continue
      }
      let term = terms.first.flatMap { $0.instalments[0] == index ? $0 : nil }
      if term != nil {
        terms.removeFirst()
        isOfKnownTerm = position.number != nil
      }
      guard isOfKnownTerm, position.number != nil else {
        charges.append(PricedCharge(withoutPlaceInTerm: Int(period.terms), on: period.start))
        continue
      }
      // The first instalment stands for the term; the later ones add nothing.
      if let term { charges.append(charge(of: term, history, &ordinal)) }
    }
    return charges
  }

  /// Returns a term as one charge.
  ///
  /// A defaulted term counts as ended by a refund, so that it is not measured. The refund day is that of the first
  /// instalment or, if that was not refunded, of the refund that ended the term.
  private static func charge(
    of term: CommitmentTerm<Day>, _ history: borrowing ChainBuilder, _ ordinal: inout Int
  ) -> PricedCharge {
    let first = history.periods[term.instalments[0]]
    let lastIndex = term.instalments[term.instalments.count - 1]
    let last = history.periods[lastIndex]
    let isDefaulted = last.end + ChainBuilder.instalmentRetryDays <= history.asOf
    var (end, ending, fate, monthsToCome) = (last.end, last.ending, last.fate, 0)
    switch term.ending {
    case .complete: break
    case .changed(let day): (end, ending, fate) = (day, .changedProduct, .continued)
    case .open where !isDefaulted:
      (fate, monthsToCome) = (.running, last.instalment.position?.remaining ?? 0)
    case .refunded, .lost, .open: ending = .refunded
    }
    // Retention does not count a term that a change of product cut short.
    if ending != .changedProduct || term.ending == .complete { ordinal += 1 }
    var charge = PricedCharge(
      terms: Int(first.terms), start: first.start, end: end, ending: ending, fate: fate,
      ordinal: ordinal, monthsToCome: monthsToCome)
    charge.fullRefundDay =
      history.fullRefundDay(of: term.instalments[0])
      ?? (term.ending == .refunded ? history.fullRefundDay(of: lastIndex) : nil)
    return charge
  }

  init(_ period: Period, ordinal: Int) {
    self.init(
      terms: Int(period.terms), start: period.start, end: period.end, ending: period.ending,
      fate: period.fate, ordinal: ordinal)
  }
}

extension ChainBuilder {
  /// Returns the day on which a charge was refunded in full; `nil` if it was not.
  fileprivate borrowing func fullRefundDay(of period: Int) -> Day? {
    refunds.last { $0.isFull && $0.charge?.period == period }?.day
  }
}
