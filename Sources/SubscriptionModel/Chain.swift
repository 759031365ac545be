/// Everything one customer did in one subscription group, in order: METRICS.md section 2.
public struct Chain: Equatable, Sendable {
  /// What is known of the chain's beginning.
  public enum Start: Equatable, Sendable {
    /// The first charge is the first ever.
    case known
    /// The chain may have begun before the first file: it is never counted as new.
    case before
    /// A customer who came back after 180 days or more under a new id.
    case idReset
  }

  /// What is known of the chain's beginning.
  public var start: Start
  /// The chain's charges in order, as indices into the history's periods.
  public var periods: Range<Int>

  /// Creates a chain.
  ///
  /// - Parameters:
  ///   - start: What is known of the beginning.
  ///   - periods: Indices into the history's periods.
  public init(start: Start, periods: Range<Int>) {
    self.start = start
    self.periods = periods
  }
}

/// One charge and the time it bought.
public struct Period: Equatable, Sendable {
  /// What ended a period.
  public enum Ending: Equatable, Sendable {
    /// It ran as long as it was bought for.
    case ownEnd
    /// Another product began more than 2 days before its end: it was not due.
    case changedProduct
    /// The same product was charged again, on a later day but more than 2 days early: a renewal on the
    /// old billing date, due on that day.
    case oldBillingDay
    /// The same product was bought again on the same day: it has no length and was not due.
    case boughtAgainSameDay
    /// A full refund inside it: it was not due.
    case refunded
  }

  /// Whether a period is that of an instalment, and which: METRICS.md 10.2.
  ///
  /// One byte, because there are many periods.
  public struct Instalment: Equatable, Sendable {
    private let code: UInt8
    private static let unknown: UInt8 = 15
    private static let firstOfTerm: UInt8 = 16

    /// The period is not that of an instalment.
    public static let none = Instalment(code: 0)

    private init(code: UInt8) { self.code = code }

    /// Creates an instalment.
    ///
    /// - Parameters:
    ///   - number: Its number in the term, from 1 to 12; `nil` when it is not known.
    ///   - beginsTerm: Whether it is the first charge of its term that the reports have.
    public init(_ number: Int?, beginsTerm: Bool) {
      code = UInt8(number ?? Int(Self.unknown)) | (beginsTerm ? Self.firstOfTerm : 0)
    }

    /// Its place in its term; `nil` for a period that is no instalment's.
    public var position: InstalmentPosition? {
      let number = code & Self.unknown
      if number == 0 { return nil }
      return InstalmentPosition(number == Self.unknown ? nil : Int(number))
    }

    /// Whether it is the first charge of its term that the reports have.
    public var beginsTerm: Bool { code & Self.firstOfTerm != 0 }
  }

  /// What came after a period.
  public enum Fate: Equatable, Sendable {
    /// The next charge came no later than 2 days after the end.
    case continued
    /// A lapse; the next charge came at most 60 days after the end.
    case recovered
    /// A lapse; the next charge came later than 60 days after the end.
    case reactivated
    /// A lapse without a return that can no longer become a recovery.
    case openFinal
    /// A lapse without a return so far, less than 60 days old.
    case openProvisional
    /// Nothing followed, and it ended at most 2 days before as-of, or later.
    case running
  }

  /// The index of the charge's terms.
  public var terms: UInt32
  /// The charge's day.
  public var start: Day
  /// The first day after the period as it was bought.
  public var ownEnd: Day
  /// The first day after the period as it really ran; the day a lapse or a renewal is dated by.
  public var end: Day
  /// What ended it.
  public var ending: Ending
  /// What came after it.
  public var fate: Fate
  /// The day of the chain's next charge, `nil` for the last.
  public var nextStart: Day?
  /// Whether it is an instalment's, and which.
  public var instalment = Instalment.none

  /// Days for which Apple retries billing after it.
  public var retryDays: Int {
    instalment == .none ? ChainBuilder.retryDays : ChainBuilder.instalmentRetryDays
  }

  /// Whether it is a lapse: a gap of more than 2 days, or nothing after it.
  public var isLapse: Bool { fate != .continued && fate != .running }

  /// Whether no later charge followed.
  public var isOpen: Bool { nextStart == nil }

  /// Whether as-of decides what is said of it: nothing followed it, and no refund ended it.
  public var isUndecided: Bool { isOpen && ending != .refunded }

  /// Whether it ran to its end: neither cut short by a change nor ended by a full refund.
  public var ranToItsEnd: Bool { ending == .ownEnd || ending == .oldBillingDay }

  /// Whether its renewal was due: it ran to its end, and is no instalment or the last of its term.
  ///
  /// Nobody can leave before the last instalment: METRICS.md 10.4.
  public var wasDue: Bool { ranToItsEnd && (instalment.position?.isLast ?? true) }

  /// Whole days from its end to the next charge; `nil` for the last.
  public var gapDays: Int? { nextStart.map { $0 - end } }
}

/// One unit of a refund row, and the charge it points at.
public struct Refund: Equatable, Sendable {
  /// The charge a refund takes back.
  public struct Charge: Equatable, Sendable {
    /// The index of the charge in the history's periods.
    public var period: Int
    /// The index of the charge's chain in the history's chains.
    public var chain: Int
  }

  /// The refund's own day.
  public var day: Day
  /// The index of the refund row's terms: its price and proceeds are the money given back.
  public var terms: UInt32
  /// Whether the whole price was given back.
  public var isFull: Bool
  /// The charge it points at; `nil` when the sale is outside the input.
  public var charge: Charge?
}
