/// Everything one customer did in one subscription group, in order: METRICS.md section 2.
public struct Chain: Equatable, Sendable {
  /// Whether the files contain the chain's first charge.
  public enum Start: Equatable, Sendable {
    /// The first charge in the files is the chain's first ever.
    case known
    /// The chain may have begun before the first file: it is never counted as new.
    case before
    /// The customer came back under a new subscriber id after 180 days or more.
    case idReset
  }

  /// Whether the files contain the chain's first charge.
  public var start: Start
  /// The chain's charges in order, as indices into the history's periods.
  public var periods: Range<Int>

  /// Creates a chain.
  public init(start: Start, periods: Range<Int>) {
    self.start = start
    self.periods = periods
  }
}

/// One charge and the time it bought.
public struct Period: Equatable, Sendable {
  /// Why a period ended.
  public enum Ending: Equatable, Sendable {
    /// It ran for its full duration.
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

  /// Whether a period is an instalment, and its number in the term: METRICS.md 10.2.
  ///
  /// One byte, because there are many periods.
  public struct Instalment: Equatable, Sendable {
    private let code: UInt8
    private static let unknown: UInt8 = 15
    private static let firstOfTerm: UInt8 = 16

    /// The period is not an instalment.
    public static let none = Instalment(code: 0)

    private init(code: UInt8) { self.code = code }

    /// Creates an instalment.
    ///
    /// - Parameters:
    ///   - number: Its number in the term, from 1 to 12; `nil` when it is not known.
    ///   - beginsTerm: Whether it is the first charge of its term in the reports.
    public init(_ number: Int?, beginsTerm: Bool) {
      code = UInt8(number ?? Int(Self.unknown)) | (beginsTerm ? Self.firstOfTerm : 0)
    }

    /// The position in the term; `nil` when the period is not an instalment.
    public var position: InstalmentPosition? {
      let number = code & Self.unknown
      if number == 0 { return nil }
      return InstalmentPosition(number == Self.unknown ? nil : Int(number))
    }

    /// Whether it is the first charge of its term in the reports.
    public var beginsTerm: Bool { code & Self.firstOfTerm != 0 }
  }

  /// What came after a period.
  public enum Fate: Equatable, Sendable {
    /// The next charge came no later than 2 days after the end.
    case continued
    /// A lapse; the next charge came at most 60 days (instalments: 90) after the end.
    case recovered
    /// A lapse; the next charge came more than 60 days (instalments: 90) after the end.
    case reactivated
    /// A lapse with no later charge, 60 days old or more (instalments: 90), or ended by a full refund.
    case openFinal
    /// A lapse with no later charge, less than 60 days old (instalments: 90).
    case openProvisional
    /// No later charge, and the period ends after as-of or at most 2 days before it.
    case running
  }

  /// The index of the charge's terms.
  public var terms: UInt32
  /// The charge's day.
  public var start: Day
  /// The first day after the period's full duration.
  public var ownEnd: Day
  /// The first day after the period actually ended; lapses and renewals are dated by it.
  public var end: Day
  /// What ended it.
  public var ending: Ending
  /// What came after it.
  public var fate: Fate
  /// The day of the chain's next charge, `nil` for the last.
  public var nextStart: Day?
  /// Whether it is an instalment, and its number in the term.
  public var instalment = Instalment.none

  /// Days for which Apple retries billing after it.
  public var retryDays: Int {
    instalment == .none ? ChainBuilder.retryDays : ChainBuilder.instalmentRetryDays
  }

  /// Whether it is a lapse: a gap of more than 2 days, or nothing after it.
  public var isLapse: Bool { fate != .continued && fate != .running }

  /// Whether no later charge followed.
  public var isOpen: Bool { nextStart == nil }

  /// Whether its fate depends on as-of: no later charge, and no refund ended it.
  public var isUndecided: Bool { isOpen && ending != .refunded }

  /// Whether it ran to its end: neither cut short by a change nor ended by a full refund.
  public var ranToItsEnd: Bool { ending == .ownEnd || ending == .oldBillingDay }

  /// Whether its renewal was due: it ran to its end, and is not an instalment or is the last of its term.
  ///
  /// A customer cannot leave before the last instalment: METRICS.md 10.4.
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
