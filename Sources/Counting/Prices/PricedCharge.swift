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
  /// The fate of the period.
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
  /// - Parameters:
  ///   - terms: The index of the charge's terms.
  ///   - start: The day of the charge.
  ///   - end: The first day after the period; for a running term, after its last paid instalment.
  ///   - ending: The event that ended the period.
  ///   - fate: The fate of the period.
  ///   - ordinal: Retention's k.
  ///   - monthsToCome: For a running term, the number of instalments still to come, at least 1; otherwise 0.
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
}

extension PricedCharge {
  /// Returns the duration that was bought; for receipts, which do not have it, derived from the length of the period.
  ///
  /// - Parameter terms: The charge's terms.
  /// - Returns: The duration; for a term of instalments, that of the product. For receipts, the nearest number of
  ///   whole months, or the days if fewer than 28.
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
  ///
  /// - Parameter terms: The charge's terms.
  /// - Returns: The duration.
  @inlinable
  package func termOfPrice(_ terms: ChargeTerms) -> Term {
    terms.isInstalment ? Term(months: 1) : term(terms)
  }
}
