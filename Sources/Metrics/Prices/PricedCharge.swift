public import SubscriptionModel

/// One charge of a chain, the period that it bought, and what came after it, in 20 bytes: those of all subscribers are
/// held at once.
///
/// A term of instalments is one charge, that of its first instalment: METRICS.md 10.6.
public struct PricedCharge: Sendable {
  /// The index of its terms: price, proceeds, kind and attributes.
  public let terms: UInt32
  /// Its day.
  public let start: Day
  /// The first day after what has been paid for.
  private let paidEnd: Day
  private var refundDay = Day(number: ChargeRecord.noDay)
  /// What ended the period; of receipts a prorated refund too is `refunded`, and so is the end of a defaulted term.
  public let ending: Period.Ending
  /// What came after it.
  public let fate: Period.Fate
  /// Retention's k: how many paid periods the chain had completed when this one ended, itself included; 255 for more.
  ///
  /// 0 before the first paid one; counted from the first row seen where the chain's start is not known.
  public let ordinal: UInt8
  private var flags: UInt8

  private static let priceLapseFlag: UInt8 = 128
  private static let withoutPlaceFlag: UInt8 = 64
  private static let monthsMask: UInt8 = 63

  /// Creates a charge of which nothing was given back.
  ///
  /// - Parameters:
  ///   - terms: The index of its terms.
  ///   - start: Its day.
  ///   - end: The first day after the period; of a running term after its last paid instalment.
  ///   - ending: What ended the period.
  ///   - fate: What came after it.
  ///   - ordinal: Retention's k.
  ///   - monthsToCome: Of a running term how many instalments are to come, at least 1; otherwise 0.
  public init(
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

  /// Creates an instalment without a place in a term: it takes no part, but may be the first row of a chain.
  init(withoutPlaceInTerm terms: Int, on day: Day) {
    self.init(
      terms: terms, start: day, end: day, ending: .boughtAgainSameDay, fate: .running, ordinal: 0)
    flags = Self.withoutPlaceFlag
  }

  /// The first day after the period as it really ran; of a running term the day on which it ends if all its instalments
  /// are paid.
  public var end: Day {
    isRunningTerm ? paidEnd.adding(Term(months: Int16(flags & Self.monthsMask))) : paidEnd
  }

  /// Whether it is a term that has neither ended nor defaulted.
  var isRunningTerm: Bool { flags & Self.monthsMask != 0 }

  /// Whether it is an instalment whose position is not known, or that was bought again on the same day.
  var hasNoPlaceInTerm: Bool { flags & Self.withoutPlaceFlag != 0 }

  /// Of a running term: the day on which it is defaulted if nothing more is paid.
  var dayOfDefault: Day { paidEnd + ChainBuilder.instalmentRetryDays }

  /// Whether it lapsed because of the price; only receipts tell.
  public var isLapseForPrice: Bool {
    get { flags & Self.priceLapseFlag != 0 }
    set { flags = newValue ? flags | Self.priceLapseFlag : flags & ~Self.priceLapseFlag }
  }

  /// The day on which all of its price was given back; `nil` when it was not.
  public var fullRefundDay: Day? {
    get { refundDay.number == ChargeRecord.noDay ? nil : refundDay }
    set { refundDay = newValue ?? Day(number: ChargeRecord.noDay) }
  }

  /// Whether its renewal was due.
  public var wasDue: Bool { ending == .ownEnd || ending == .oldBillingDay }

  /// Whether the next charge continues it.
  public var isContinued: Bool { fate == .continued }
}

extension PricedCharge {
  /// Whether it is known on a day if the next charge continued it.
  func isDecided(on asOf: Day) -> Bool {
    !isRunningTerm && paidEnd <= asOf - ImpactScope.undecidedDays
  }

  /// The first such day; a running term has none.
  var decisionDay: Day? { isRunningTerm ? nil : paidEnd + ImpactScope.undecidedDays }

  /// How long it was bought for; receipts do not say, so it is read off the period.
  ///
  /// - Parameter terms: Its terms.
  /// - Returns: The duration, of a term of instalments that of the product; of receipts the whole months that are
  ///   nearest, below 28 days the days.
  func term(_ terms: ChargeTerms) -> Term {
    guard terms.standardTerm == Term(days: 0) else {
      return terms.isInstalment ? terms.standardTerm : terms.term
    }
    let days = end - start
    // Days of an average month of the calendar, in thousandths.
    let months = (days * 1_000 + 15_218) / 30_437
    return days < 28 ? Term(days: Int16(days)) : Term(months: Int16(clamping: months))
  }

  /// How long its price is for: one month for an instalment.
  ///
  /// - Parameter terms: Its terms.
  /// - Returns: The duration.
  func termOfPrice(_ terms: ChargeTerms) -> Term {
    terms.isInstalment ? Term(months: 1) : term(terms)
  }
}

/// One thing that Apple said about a customer's consent to a price increase.
public struct PriceConsent: Sendable {
  /// When it was said.
  public var madeAt: Instant
  /// Whether the customer agreed, or was only told of the increase; otherwise he was asked.
  public var isGiven: Bool

  /// Creates a statement.
  ///
  /// - Parameters:
  ///   - madeAt: When it was said.
  ///   - isGiven: Whether the customer agreed or was only told.
  public init(madeAt: Instant, isGiven: Bool) {
    self.madeAt = madeAt
    self.isGiven = isGiven
  }
}
