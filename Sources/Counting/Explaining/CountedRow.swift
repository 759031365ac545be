package import Storage
package import SubscriptionModel

/// The row of a table whose counts are explained, in terms of a fold.
package struct CountedRow: Sendable {
  package var dimensions: [Dimension]
  /// Selects the rows that count.
  package var filter: Filter
  /// Returns whether the row is that of a cohort, given its values; called once for each cohort.
  package var isOfCohort: @Sendable ([DimensionValue]) -> Bool
  package var month: Month
  /// The last month, if the row stands for several from ``month`` on.
  package var lastMonth: Month?
  /// The currency of the row; `nil` for a table without currencies.
  package var currency: Symbol?
  /// The number of the paid period, in retention; `nil` in tables with months.
  package var k: Int?
  /// The number of the last paid period, if the row stands for several from ``k`` on.
  package var lastK: Int?
  /// Whether the row's money is the developer's proceeds, not the customer's price.
  package var isOfProceeds = false
  /// Returns what a charge is worth a month by another tool's text; `nil` for our monthly value.
  package var worth: (@Sendable (ChargeValue, UsualTerms) -> MonthlyValue)?
  /// The usual terms of the products of receipts, by which monthly values are found.
  package var usualTerms = UsualTerms()
  /// The place of the row in ``LifetimeWindow/months`` and its start months, in lifetime value; `nil` in other tables.
  package var lifetime: (place: Int, starts: Set<Month>)?
  /// Whether refunds count in the month of the refunded charge, not in their own.
  package var isDatedBySale = false
  /// Whether refunds count once in their own month and once in that of the charge.
  package var isOfBothDatings = false
  /// The day on which the numbers of the month were known, for rates of receipts; `nil` for as-of.
  package var knownOn: Day?

  /// Returns what a charge is worth a month, on the basis of the row.
  package func monthly(_ value: ChargeValue) -> MonthlyValue {
    worth?(value, usualTerms) ?? value.monthly(isOfProceeds ? \.proceeds : \.price, usualTerms)
  }

  /// The months that it stands for.
  var months: ClosedRange<Month> { month...max(month, lastMonth ?? month) }

  package init(
    month: Month, dimensions: [Dimension], filter: Filter,
    isOfCohort: @escaping @Sendable ([DimensionValue]) -> Bool
  ) {
    self.month = month
    self.dimensions = dimensions
    self.filter = filter
    self.isOfCohort = isOfCohort
  }
}

/// A period or a refund that a row counts.
package struct CountedPeriod: Equatable, Sendable {
  package var counted: Counted
  /// The month in which the row counts it; `nil` in retention.
  package var month: Month?
  /// Whether it is a refund that counts in the month of the refunded charge.
  package var isDatedBySale = false
  package var count = 1
  /// The start of its chain, and the kind of the chain's first charge.
  package var key = ChainKey(start: .unknown, offer: nil)
  /// The index of the chain in the history; `nil` for a refund whose sale is outside the input.
  package var chain: Int?
  /// The index of the period in the history; for a refund that of the refunded charge.
  package var period: Int?
  /// The index of the refund in the history of charges.
  package var refund: Int?
  /// The index of the period that its charge follows; `nil` for the first of the chain.
  package var before: Int?
  /// The index of the period that replaced it, for a departure; of the next instalment of its term, for an instalment.
  package var replacement: Int?
  /// The index of the period whose price the instalments to come have, for the remaining ones.
  package var priced: Int?
  /// The gap of a lapse before the next charge, in days; for receipts in hundredths of days.
  package var gap: Int?
  /// The customer price in milliunits: the price of a charge, or the refunded part of a refund; else 0.
  package var price: Int64 = 0
  /// The developer's proceeds, likewise.
  package var proceeds: Int64 = 0
  /// The currency of the row that counts a charge, a refund or an instalment; `nil` for anything else.
  package var currency: Symbol?
  /// The description of the charge.
  package var attributes = Attributes()
  /// The number of the paid period, in retention.
  package var k: Int?
  /// What followed an instalment, in commitments.
  package var outcome: InstalmentOutcome?
  /// Why the chain is not at risk at k, in retention; `nil` also for one that is shared by family.
  package var notAtRisk: NotAtRisk?
  /// Why lifetime value does not count it.
  package var notInLifetime: NotInLifetime?
  /// The day on which the table knew something else than today; `nil` where it knew the same.
  package var knownOn: Day?

  /// The chain and the period of anything but a refund whose sale is outside the input; receipts have no such refunds.
  package var place: (chain: Int, period: Int) {
    guard let chain, let period else { preconditionFailure("a refund without its sale") }
    return (chain, period)
  }

  package init(counted: Counted, chain: Int? = nil, period: Int? = nil) {
    (self.counted, self.chain, self.period) = (counted, chain, period)
  }
}

/// What a column of a table counts.
package enum Counted: Hashable, Sendable, BitwiseCopyable {
  /// A fact of the row's month.
  case fact(Fact)
  /// Chains that are active on the last day before the month.
  case activeBefore
  /// Chains that are active on the last day of the month.
  case activeAtEnd
  /// Paid charges of the month.
  case charge
  /// Chains whose paid period k is decided, in retention; those of them that were kept, and those lost.
  case atRisk, kept, lost
  /// All other chains of the row, in retention.
  case notAtRisk
  /// Instalments or terms, in commitments.
  case commitment(CommitmentColumn)
  /// Charges by their monthly values, in recurring revenue.
  case recurring(RecurringColumn)
  /// Subscriptions at the end of the month, by their state.
  case status(StatusColumn)
  /// What other tools count otherwise, in definitions.
  case other(OtherFact)
  /// Charges of another product or plan than the one before them, in definitions.
  case changedProduct
  /// Chains, charges and refunds since the start, in lifetime value.
  case lifetime(LifetimeGrid.Kind)
  /// Those of the row that lifetime value does not count.
  case notInLifetime(LifetimeGrid.Kind)
  /// All instalments of the row, in commitments.
  case instalment
  /// Refunds of the month, full or partial.
  case refund(isFull: Bool)

  /// Whether it is a column of recurring revenue.
  package var isRecurring: Bool { if case .recurring = self { true } else { false } }

  /// The column of commitments; `nil` for anything else.
  package var commitment: CommitmentColumn? {
    if case .commitment(let column) = self { column } else { nil }
  }
}

/// Why retention does not count a chain at k: METRICS.md section 5.
package enum NotAtRisk: Equatable, Sendable, BitwiseCopyable {
  /// It is not known whether its first charge is the first of the subscription.
  case startUnknown
  /// Its first charge is the first under a new subscriber id.
  case idReset
  /// It was lost at an earlier paid period.
  case lost(k: Int)
  /// Its outcome at a paid period up to k is not decided; the day is the first after the period.
  case undecided(k: Int, end: Day)
  /// Its outcome up to k is not known, because its app moved to another account on the first day after the period.
  case transferred(k: Int, end: Day)
  /// It has only so many paid periods that count, and others that a change of product or plan cut short.
  case fewer(paidPeriods: Int, cutShort: Int)
  /// It has an instalment of an unknown place, after which paid periods are not counted.
  case placeUnknown
}

/// Why lifetime value does not count a chain, a charge or a refund of its row: METRICS.md 11.3.
package enum NotInLifetime: Equatable, Sendable, BitwiseCopyable {
  /// The charge is free.
  case free
  /// The amount is in another currency than the row.
  case otherCurrency
  /// It is dated after the row's window.
  case late
  /// The chain has no paid charge in the row's window.
  case notPaid
}
