/// The charges and periods of one subscriber in one subscription group: METRICS.md section 2.
@usableFromInline
package struct Chain: Equatable, Sendable {
  /// The position of a chain's first charge in the files within the subscription.
  @usableFromInline
  package enum Start: Equatable, Sendable {
    /// It is the first charge of the subscription.
    case known
    /// It may be a later one: the chain may have begun before the first file, so it is never counted
    /// as new.
    case before
    /// It is the first under a new subscriber id, which Apple gives to a customer who returns after
    /// 180 days or more.
    case idReset
  }

  /// Whether the chain began in the files, perhaps before them, or under another id.
  @usableFromInline
  package var start: Start
  /// The chain's charges in order, as indices into the history's periods.
  @usableFromInline
  package var periods: Range<Int>
  /// The day on which the app came to the account of the chain's first charge; `nil` if it was there before.
  ///
  /// Then the chain may be older, and earlier charges of it have another subscriber id: METRICS.md 2.13.
  @usableFromInline
  package var receivedOn: Day?
  /// The transfer by which the app left the account of the chain's last charge; `nil` if it is still there.
  @usableFromInline
  package var givenAway: AppTransfer?

  /// Creates a chain.
  @inlinable
  package init(start: Start, periods: Range<Int>) {
    self.start = start
    self.periods = periods
  }
}

/// One charge and the time it bought.
@usableFromInline
package struct Period: Equatable, Sendable, BitwiseCopyable {
  /// Why a period ended.
  @usableFromInline
  package enum Ending: Equatable, Sendable, BitwiseCopyable {
    /// It ran for its full duration.
    case fullEnd
    /// Another product began more than 2 days before the period's end; the renewal was not due.
    case changedProduct
    /// The same product was charged on a later day, but more than 2 days early: a renewal on the
    /// old billing date, due on that day.
    case oldBillingDay
    /// The same product was bought again on the same day: the period has no length, and no renewal
    /// was due.
    case boughtAgainSameDay
    /// A full refund during the period ended it; the renewal was not due.
    case refunded
    /// The app moved to another account, whose reports show the next charge under another id; the subscriber did not leave.
    case transferred
  }

  /// Whether a period is an instalment, and its position in the term: METRICS.md 10.2.
  ///
  /// Stored in one byte, because there are many periods.
  @usableFromInline
  package struct Instalment: Equatable, Sendable, BitwiseCopyable {
    @usableFromInline let code: UInt8
    @usableFromInline static let unknown: UInt8 = 15
    @usableFromInline static let firstOfTerm: UInt8 = 16

    /// The period is not an instalment.
    @usableFromInline
    package static let none = Instalment(code: 0)

    private init(code: UInt8) { self.code = code }

    /// Creates an instalment.
    ///
    /// - Parameters:
    ///   - number: The number in the term, from 1 to 12; `nil` if it is not known.
    ///   - beginsTerm: Whether it is the first charge of its term in the reports.
    @inlinable
    package init(_ number: Int?, beginsTerm: Bool) {
      code = UInt8(number ?? Int(Self.unknown)) | (beginsTerm ? Self.firstOfTerm : 0)
    }

    /// The position in the term; `nil` if the period is not an instalment.
    @inlinable
    package var position: InstalmentPosition? {
      let number = code & Self.unknown
      if number == 0 { return nil }
      return InstalmentPosition(number == Self.unknown ? nil : Int(number))
    }

    /// Whether it is the first charge of its term in the reports.
    @inlinable
    package var beginsTerm: Bool { code & Self.firstOfTerm != 0 }
  }

  /// What followed a period.
  @usableFromInline
  package enum Fate: Equatable, Sendable, BitwiseCopyable {
    /// The next charge was no later than 2 days after the end.
    case continued
    /// A lapse; the next charge was at most 60 days (instalments: 90) after the end.
    case recovered
    /// A lapse; the next charge was more than 60 days (instalments: 90) after the end.
    case reactivated
    /// A lapse with no later charge, 60 days old or more (instalments: 90), or ended by a full refund.
    case openFinal
    /// A lapse with no later charge, less than 60 days old (instalments: 90).
    case openProvisional
    /// No later charge; the period ends after as-of, or at most 2 days before, or the app moved to another account.
    case running
  }

  /// The index of the charge's terms.
  package var terms: UInt32
  /// The charge's day.
  package var start: Day
  /// The first day after the period's full duration, even if the period was cut short.
  package var fullEnd: Day
  /// The first day after the actual end of the period, which is the date of its lapse or renewal.
  @usableFromInline
  package var end: Day
  /// Why the period ended.
  @usableFromInline
  package var ending: Ending
  /// What followed the period.
  @usableFromInline
  package var fate: Fate
  /// The day of the chain's next charge; `nil` for the last.
  @usableFromInline
  package var nextStart: Day?
  /// Whether the period is an instalment, and its position in the term.
  @usableFromInline
  package var instalment = Instalment.none

  /// The number of days for which Apple retries billing after the period.
  @inlinable
  package var retryDays: Int {
    instalment == .none ? ChainBuilder.retryDays : ChainBuilder.instalmentRetryDays
  }

  /// Whether the period is a lapse: followed by a gap of more than 2 days, or by no charge.
  @inlinable
  package var isLapse: Bool { fate != .continued && fate != .running }

  /// Whether the chain has no later charge.
  @inlinable
  package var isOpen: Bool { nextStart == nil }

  /// Whether the fate depends on as-of: no later charge, and not ended by a refund or by a transfer of the app.
  @inlinable
  package var isUndecided: Bool { isOpen && ending != .refunded && ending != .transferred }

  /// Whether the period was neither cut short by a change nor ended by a full refund.
  @inlinable
  package var ranToItsEnd: Bool { ending == .fullEnd || ending == .oldBillingDay }

  /// Whether a renewal was due at the end.
  ///
  /// It was if the period ran to its end and, as an instalment, is the last of its term: a customer
  /// cannot leave earlier. METRICS.md 10.4.
  @inlinable
  package var wasDue: Bool { ranToItsEnd && (instalment.position?.isLast ?? true) }

  /// Whole days from the end to the chain's next charge; `nil` for the last.
  @inlinable
  package var gapDays: Int? { nextStart.map { $0 - end } }
}

/// One unit of a refund row, and the charge that was refunded.
@usableFromInline
package struct Refund: Equatable, Sendable {
  /// The charge that was refunded.
  @usableFromInline
  package struct Charge: Equatable, Sendable {
    /// The index of the charge in the history's periods.
    package var period: Int
    /// The index of the charge's chain in the history's chains.
    package var chain: Int
  }

  /// The day of the refund.
  package var day: Day
  /// The index of the refund row's terms; their price and proceeds are the refunded money.
  package var terms: UInt32
  /// Whether the whole price was refunded.
  package var isFull: Bool
  /// The charge that was refunded; `nil` if it is not in the input.
  package var charge: Charge?
}
