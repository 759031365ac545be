public import SubscriptionModel

/// A chain as the impact of a price increase needs it, the same for `subscribers` and `receipts`:
/// METRICS.md section 6.
public struct PricedChain: Sendable {
  /// How the chain began and with what kind of charge: `start_month` and `offer`.
  public var key: ChainKey
  /// Whether its first charge is the first ever.
  public var isStartKnown: Bool
  /// The day up to which it is known; receipts: its own.
  public var asOf: Day
  /// Its charges in order, at least one; a slice of all that are held.
  public var charges: ArraySlice<PricedCharge>
  /// What Apple said of the customer's consent to a higher price, in order of time; empty for
  /// `subscribers`.
  public var consents: [PriceConsent]

  /// Creates a chain without charges.
  ///
  /// - Parameters:
  ///   - key: How the chain began.
  ///   - isStartKnown: Whether its first charge is the first ever.
  ///   - asOf: The day up to which it is known.
  public init(key: ChainKey, isStartKnown: Bool, asOf: Day) {
    self.key = key
    self.isStartKnown = isStartKnown
    self.asOf = asOf
    charges = []
    consents = []
  }
}

/// One charge of a chain, the period that it bought, and what came after it, in 20 bytes: those of all
/// subscribers are held at once.
public struct PricedCharge: Sendable {
  /// The index of its terms: price, proceeds, kind and attributes.
  public var terms: UInt32
  /// Its day.
  public var start: Day
  /// The first day after the period as it really ran.
  public var end: Day
  private var refundDay = Day(number: ChargeRecord.noDay)
  /// What ended the period; of receipts a prorated refund too is `refunded`.
  public var ending: Period.Ending
  /// What came after it.
  public var fate: Period.Fate
  /// Retention's k: how many paid periods the chain had completed when this one ended, itself included;
  /// 255 for more.
  ///
  /// 0 before the first paid one; counted from the first row seen where the chain's start is not known.
  public var ordinal: UInt8
  /// Whether it lapsed because of the price; only receipts tell.
  public var isLapseForPrice = false

  /// Creates a charge of which nothing was given back.
  ///
  /// - Parameters:
  ///   - terms: The index of its terms.
  ///   - start: Its day.
  ///   - end: The first day after the period.
  ///   - ending: What ended the period.
  ///   - fate: What came after it.
  ///   - ordinal: Retention's k.
  public init(
    terms: Int, start: Day, end: Day, ending: Period.Ending, fate: Period.Fate, ordinal: Int
  ) {
    self.terms = UInt32(terms)
    self.start = start
    self.end = end
    self.ending = ending
    self.fate = fate
    self.ordinal = UInt8(clamping: ordinal)
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
