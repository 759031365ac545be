package import Storage
package import SubscriptionModel

/// The row of a table whose counts are explained, in terms of a fold.
package struct CountedRow: Sendable {
  /// The dimensions of the row's view.
  package var dimensions: [Dimension]
  /// Selects the rows that count.
  package var filter: Filter
  /// Returns whether the row is that of a cohort, given its values; called once for each cohort.
  package var isOfCohort: @Sendable ([DimensionValue]) -> Bool
  package var month: Month
  /// The currency of the row; `nil` for a table without currencies.
  package var currency: Symbol?
  /// The number of the paid period, in retention; `nil` in tables with months.
  package var k: Int?
  /// The number of the last paid period, if the row stands for several from ``k`` on.
  package var lastK: Int?
  /// Whether refunds count in the month of the refunded charge, not in their own.
  package var isDatedBySale = false
  /// The day on which the numbers of the month were known, for rates of receipts; `nil` for as-of.
  package var knownOn: Day?

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
  /// The number that it adds.
  package var count: Int
  /// The start of its chain, and the kind of the chain's first charge.
  package var key: ChainKey
  /// The index of the chain in the history; `nil` for a refund whose sale is outside the input.
  package var chain: Int?
  /// The index of the period in the history; for a refund that of the refunded charge.
  package var period: Int?
  /// The index of the refund in the history.
  package var refund: Int?
  /// The customer price in milliunits: the price of a charge, or the refunded part of a refund; else 0.
  package var price: Int64 = 0
  /// The developer's proceeds, likewise.
  package var proceeds: Int64 = 0
  /// The currency of the row that counts a charge, a refund or an instalment; `nil` for anything else.
  package var currency: Symbol?
  /// The number of the paid period, in retention.
  package var k: Int?
  /// What followed an instalment, in commitments.
  package var outcome: InstalmentOutcome?
  /// Why the chain is not at risk at k, in retention.
  package var notAtRisk: NotAtRisk?

  /// Creates a counted period or refund.
  package init(
    counted: Counted, count: Int, key: ChainKey, chain: Int? = nil, period: Int? = nil,
    refund: Int? = nil, price: Int64 = 0, proceeds: Int64 = 0, currency: Symbol? = nil,
    k: Int? = nil
  ) {
    (self.counted, self.count, self.key) = (counted, count, key)
    (self.chain, self.period, self.refund) = (chain, period, refund)
    (self.price, self.proceeds, self.currency, self.k) = (price, proceeds, currency, k)
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
  /// All instalments of the row, in commitments.
  case instalment
  /// Refunds of the month, full or partial.
  case refund(isFull: Bool)

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
  /// Its outcome at a paid period up to k is not known, because its app moved to another account; the day is the first
  /// after the period.
  case transferred(k: Int, end: Day)
  /// It has only so many paid periods that count, and others that a change of product or plan cut short.
  case fewer(paidPeriods: Int, cutShort: Int)
  /// It has an instalment of an unknown place, after which paid periods are not counted.
  case placeUnknown
}

extension ExplainingFold {
  /// Returns the key of a chain if a charge of the chain is of the row's cohort, whatever the row counts of it.
  ///
  /// - Parameters:
  ///   - number: The index of the terms of the charge.
  ///   - chain: The index of the chain.
  ///   - history: A builder that has built the subscriber's chains.
  /// - Returns: The key; `nil` for a charge of another cohort.
  package mutating func keyOfRow(
    terms number: UInt32, ofChain chain: Int, _ history: borrowing ChainBuilder
  ) -> ChainKey? {
    let key = ChainKey(
      history.chains[chain], history.periods, terms, firstDay: history.firstFileDay)
    let cohort = index.cohort(
      terms: Int(number), attributes: terms[Int(number)].attributes,
      chainPart: index.chainPart(key))
    return cohort.map { isAsked($0) } == true ? key : nil
  }

  /// Returns whether retention counts the current chain in the row's cohort.
  mutating func isOfRowInRetention() -> Bool {
    let chainPart = index.chainPart(fold.derived.key)
    let first = fold.derived.segments[0].terms
    let ofFirst = index.cohort(
      terms: first, attributes: terms[first].attributes, chainPart: chainPart)
    return isAsked(
      ViewTally.cohortOfSurvival(
        of: fold.derived, terms, &index, chainPart, ofFirst: ofFirst ?? ViewTally.leftOut))
  }
}

// MARK: Retention

extension ExplainingFold {
  /// The paid periods of a chain, in retention.
  private struct PaidPeriods {
    /// By k, the index of the period and the first day after it; of a term, its last instalment and its scheduled end.
    var periods: [Int: (index: Int, end: Day)] = [:]
    var counts: [Int: SurvivalCounts] = [:]
    /// The index of the first instalment of a term whose position is unknown.
    var unknownTerm: Int?

    /// The last k that is decided, up to which the chain was at risk; 0 if there is none.
    var decided: Int { counts.filter { $1.kept + $1.lost != 0 }.keys.max() ?? 0 }
  }

  /// Passes the chain's paid period k, or each from `k` to `lastK`, that the row of retention counts.
  mutating func passRetention(
    _ number: Int, _ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void
  ) {
    let chain = history.chains[number]
    guard let first = row.k, chain.start == .known || counted.contains(.notAtRisk),
      isOfRowInRetention()
    else { return }
    let found = chain.start == .known ? paidPeriods(of: chain, history) : PaidPeriods()
    let last = row.lastK.map { min($0, found.counts.keys.max() ?? 0) } ?? first
    guard first <= last else { return }
    for k in first...last { pass(k, found, chain: number, history, body) }
  }

  private func pass(
    _ k: Int, _ found: PaidPeriods, chain: Int, _ history: borrowing ChainBuilder,
    _ body: (CountedPeriod) -> Void
  ) {
    let key = fold.derived.key
    // A chain was at risk at every k up to its last one.
    let atRisk = found.counts.reduce(0) { $1.key < k ? $0 : $0 + $1.value.kept + $1.value.lost }
    let lost = found.counts[k]?.lost ?? 0
    guard atRisk != 0 || lost != 0, let period = found.periods[k]?.index else {
      guard counted.contains(.notAtRisk) else { return }
      let (rule, period) = self.rule(history.chains[chain], history.periods, found, k)
      var one = CountedPeriod(
        counted: .notAtRisk, count: 1, key: key, chain: chain, period: period, k: k)
      one.notAtRisk = rule
      return body(one)
    }
    for (what, count) in [(Counted.atRisk, atRisk), (.lost, lost), (.kept, atRisk - lost)]
    where count != 0 && counted.contains(what) {
      body(
        CountedPeriod(counted: what, count: count, key: key, chain: chain, period: period, k: k))
    }
  }

  private mutating func paidPeriods(
    of chain: Chain, _ history: borrowing ChainBuilder
  ) -> PaidPeriods {
    var found = PaidPeriods()
    let outcome = fold.explainedSurvival(
      of: chain, history.periods, onStep: { found.periods[$0] = ($1, $2) },
      onUnknownTerm: { found.unknownTerm = $0 })
    if outcome.k > 0 {
      found.counts[outcome.k] =
        outcome.isLost ? SurvivalCounts(lost: 1) : SurvivalCounts(kept: 1)
    }
    for open in fold.derived.open where open.period.isOfSurvival {
      open.period.forEachSurvival(open.end, on: fold.completeness.asOf) {
        found.counts[$1, default: SurvivalCounts()].merge($0, .plus)
      }
    }
    return found
  }

  /// Returns why a chain is not at risk at k, and the index of the period that decides it.
  private func rule(
    _ chain: Chain, _ periods: ReusableArray<Period>, _ found: PaidPeriods, _ k: Int
  ) -> (NotAtRisk, period: Int) {
    let first = chain.periods.lowerBound
    switch chain.start {
    case .before: return (.startUnknown, first)
    case .idReset: return (.idReset, first)
    case .known: break
    }
    let (decided, count) = (found.decided, found.periods.count)
    if found.counts[decided]?.lost ?? 0 != 0, let lost = found.periods[decided] {
      return (.lost(k: decided), lost.index)
    }
    if count >= k, let next = found.periods[decided + 1] {
      return (
        chain.givenAway == nil
          ? .undecided(k: decided + 1, end: next.end)
          : .transferred(k: decided + 1, end: next.end), next.index
      )
    }
    if let unknown = found.unknownTerm { return (.placeUnknown, unknown) }
    return (
      .fewer(paidPeriods: count, cutShort: cutShort(chain, periods)),
      found.periods[count]?.index ?? first
    )
  }

  /// Returns the number of paid periods and terms that a change of product or plan cut short.
  private func cutShort(_ chain: Chain, _ periods: ReusableArray<Period>) -> Int {
    let terms = fold.commitments.count { if case .changed = $0.ending { true } else { false } }
    return terms
      + chain.periods.count { place in
        let period = periods[place]
        return period.ending == .changedProduct && period.instalment == .none
          && fold.kindOfTerms[Int(period.terms)].isPaid
      }
  }
}

// MARK: Commitments

extension ExplainingFold {
  /// Passes the chain's instalments that the row of commitments counts.
  mutating func passInstalments(
    _ number: Int, _ history: borrowing ChainBuilder, _ body: (CountedPeriod) -> Void
  ) {
    let periods = fold.explainedInstalments(of: history.chains[number], history.periods)
    guard !periods.isEmpty else { return }
    let chainPart = index.chainPart(fold.derived.key)
    for (place, period) in periods.enumerated() {
      let own = fold.derived.instalments[place]
      guard row.currency.map({ $0 == own.step.currency }) ?? true else { continue }
      let cohort = index.cohort(
        terms: own.terms, attributes: terms[own.terms].attributes, chainPart: chainPart)
      guard let cohort, isAsked(cohort) else { continue }
      pass(own, period, chain: number, body)
    }
  }

  /// Passes what the row counts of one instalment; the stock of a month is the sum of all changes up to it.
  private func pass(
    _ own: ChainFacts.Instalment, _ period: Int, chain: Int, _ body: (CountedPeriod) -> Void
  ) {
    let asOf = fold.completeness.asOf
    let (flows, stocks) = own.explainedCounts(in: row.month, on: asOf)
    if counted.contains(.instalment) {
      var one = CountedPeriod(
        counted: .instalment, count: 1, key: fold.derived.key, chain: chain, period: period)
      one.outcome = own.step.explainedOutcome(on: asOf)
      body(one)
    }
    for column in CommitmentColumn.allCases where counted.contains(.commitment(column)) {
      let count = (column.isStock ? stocks : flows).count(column)
      guard count != 0 else { continue }
      var one = CountedPeriod(
        counted: .commitment(column), count: count, key: fold.derived.key, chain: chain,
        period: period)
      if column == .remaining {
        one.price = Int64(clamping: stocks.remainingPrice)
        one.proceeds = Int64(clamping: stocks.remainingProceeds)
      }
      one.currency = own.step.currency
      one.outcome = own.step.explainedOutcome(on: asOf)
      body(one)
    }
  }
}
