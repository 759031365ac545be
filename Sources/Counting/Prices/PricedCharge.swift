import Storage
public import SubscriptionModel

/// One charge of a chain with its period and fate, in 20 bytes, because the charges of all chains are in memory at
/// once.
///
/// A term of instalments is one charge, with the start and terms of its first instalment: METRICS.md 10.6.
@usableFromInline
package struct PricedCharge: Sendable {
  /// The index of the charge's terms: price, proceeds, kind and attributes.
  @usableFromInline
  package let terms: UInt32
  /// The day of the charge.
  @usableFromInline
  package let start: Day
  /// The first day after the time that is paid so far.
  @usableFromInline
  package let paidEnd: Day
  @usableFromInline var refundDay = Day(number: ChargeRecord.noDay)
  /// The event that ended the period.
  ///
  /// `refunded` stands for a full refund and a defaulted term, and in receipts for a prorated refund too.
  @usableFromInline
  package let ending: Period.Ending
  @usableFromInline
  package let fate: Period.Fate
  /// Retention's k: the number of paid periods that the chain has completed, this one included; 255 at most.
  ///
  /// 0 before the first paid period. If the chain's start is unknown, k counts from the first row of the data.
  @usableFromInline
  package let ordinal: UInt8
  @usableFromInline var flags: UInt8

  @usableFromInline static let priceLapseFlag: UInt8 = 128
  @usableFromInline static let withoutPlaceFlag: UInt8 = 64
  @usableFromInline static let monthsMask: UInt8 = 63

  /// Creates a charge without a refund.
  ///
  /// `end` is the first day after the period; for a running term, after its last paid instalment. `monthsToCome` is the
  /// number of instalments of a running term still to come, at least 1; otherwise 0.
  @inlinable
  package init(
    terms: Int, start: Day, end: Day, ending: Period.Ending, fate: Period.Fate, ordinal: Int,
    monthsToCome: Int = 0
  ) {
    self.terms = UInt32(terms)
    self.start = start
    paidEnd = end
    self.ending = ending
    self.fate = fate
    self.ordinal = UInt8(clamping: ordinal)
    flags = min(UInt8(clamping: monthsToCome), Self.monthsMask)
  }

  /// Creates an instalment without a place in a term: it is not measured, but may be the first row of a chain.
  init(withoutPlaceInTerm terms: Int, on day: Day) {
    self.init(
      terms: terms, start: day, end: day, ending: .boughtAgainSameDay, fate: .running, ordinal: 0)
    flags = Self.withoutPlaceFlag
  }

  /// The first day after the period; for a running term, after its last instalment if all are paid.
  @inlinable
  package var end: Day {
    isRunningTerm ? paidEnd.adding(Term(months: Int16(flags & Self.monthsMask))) : paidEnd
  }

  /// Whether the charge is a term that has neither ended nor defaulted.
  @inlinable
  package var isRunningTerm: Bool { flags & Self.monthsMask != 0 }

  /// Whether the charge is an instalment of unknown position, or an instalment that was bought again on the same day.
  @inlinable
  package var hasNoPlaceInTerm: Bool { flags & Self.withoutPlaceFlag != 0 }

  /// The day on which a running term defaults if no further instalment is paid.
  @inlinable
  package var dayOfDefault: Day { paidEnd + ChainBuilder.instalmentRetryDays }

  /// Whether the subscription lapsed because of the price; only receipts have the reason.
  @inlinable
  package var isLapseForPrice: Bool {
    get { flags & Self.priceLapseFlag != 0 }
    set { flags = newValue ? flags | Self.priceLapseFlag : flags & ~Self.priceLapseFlag }
  }

  /// The day on which the charge was refunded in full; `nil` if it was not.
  @inlinable
  package var fullRefundDay: Day? {
    get { refundDay.number == ChargeRecord.noDay ? nil : refundDay }
    set { refundDay = newValue ?? Day(number: ChargeRecord.noDay) }
  }

  /// Whether the period was due to renew.
  @inlinable
  package var wasDue: Bool { ending == .fullEnd || ending == .oldBillingDay }

  /// Whether the next charge continues the period.
  @inlinable
  package var isContinued: Bool { fate == .continued }

  /// Returns the duration that was bought; for a term of instalments, that of the product.
  ///
  /// Receipts do not have it: it is the nearest number of whole months of the period, or the days if fewer than 28.
  @inlinable
  package func term(_ terms: ChargeTerms) -> Term {
    guard terms.standardTerm == Term(days: 0) else {
      return terms.isInstalment ? terms.standardTerm : terms.term
    }
    let days = end - start
    // An average calendar month has 30.437 days.
    let months = (days * 1_000 + 15_218) / 30_437
    return days < 28 ? Term(days: Int16(days)) : Term(months: Int16(clamping: months))
  }

  /// Returns the duration for which the price pays: one month for an instalment.
  @inlinable
  package func termOfPrice(_ terms: ChargeTerms) -> Term {
    terms.isInstalment ? Term(months: 1) : term(terms)
  }
}

/// Conversion of terms of instalments to single charges: METRICS.md 10.6.
extension PricedCharge {
  /// Returns the charges of a chain from SUBSCRIBER reports.
  ///
  /// Example: a chain has three monthly charges of one product, then thirteen instalments of
  /// another. It becomes five charges: three months, one term of twelve instalments, and a term
  /// that has begun. Instalments of unknown position stay single charges, with
  /// ``hasNoPlaceInTerm``.
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
