/// One person's current state in one subscription group.
///
/// A million of these must fit in memory, so the fields are as small as their ranges allow. Days are
/// numbers of ``Timeline``.
struct Membership {
  /// The action planned for the day ``due``.
  enum Plan: UInt8 {
    case join, renew, cancel, cancelForPrice, failToPay, upgrade, change, promote
    case recover, recoverInGrace, graceRunsOut, giveUp, comeBack, stayAway
  }

  struct Flags: OptionSet {
    let rawValue: UInt16

    /// The person is a member of both groups.
    static let isShared = Flags(rawValue: 1)
    /// There has been a charge, free or paid.
    static let hasCharge = Flags(rawValue: 2)
    /// There has been a paid charge.
    static let hasPaid = Flags(rawValue: 4)
    /// The last charge was paid.
    static let isPaid = Flags(rawValue: 8)
    /// The last period was ended by a refund.
    static let endedByRefund = Flags(rawValue: 16)
    /// The subscriber pays the price from before a rise.
    static let keepsEarlierPrice = Flags(rawValue: 32)
    /// The last charge will be refunded in full.
    static let willBeRefunded = Flags(rawValue: 64)
    /// The last charge began a subscription.
    static let isNew = Flags(rawValue: 256)
    /// The next charge is the first under a new subscriber ID.
    static let hasNewID = Flags(rawValue: 512)
    /// The store is retrying to collect the payment.
    static let isInRetry = Flags(rawValue: 1_024)
    /// The service continues while the store retries.
    static let isInGrace = Flags(rawValue: 2_048)
    static let isRunning = Flags(rawValue: 4_096)
    /// The period is the first of its run, and was charged on the last day of a month.
    static let beginsAtMonthsEnd = Flags(rawValue: 8_192)
    /// So it was, and the next charge may come three days after the end, on the last day of that month.
    static let continuesLate = Flags(rawValue: 16_384)
  }

  var person: Int32
  var originalStart: Int32 = 0
  var start: Int32 = 0
  /// The end of the period, as reports show it.
  var end: Int32 = 0
  /// The day on which the store charges the next period; nearly always ``end``.
  var renewal: Int32 = 0
  var due: Int32 = 0
  /// Days of paid service without a break of more than 60 days.
  var paidDays: Int32 = 0
  var consecutive: UInt16 = 0
  /// The number of charges so far.
  var serial: UInt16 = 0
  var flags: Flags = []
  /// How often the subscriber ID was reset.
  var generation: UInt8 = 0
  /// The day of the month on which the store charges; 0 for a period in days.
  var billingDay: UInt8 = 0
  /// The day of the month of the run's first charge in the reports; 0 for a period in days.
  var runDay: UInt8 = 0
  var state: UInt8
  var terms: ChargeTerms
  /// The number of charges that the offer still covers.
  var chargesLeft: UInt8 = 0
  var plan: Plan = .join
  /// The index of the product or offer for the planned action.
  var target: UInt8 = 0
  /// The number of days after the period's end on which the store collects; 0 means never.
  var recovery: UInt8 = 0
}
