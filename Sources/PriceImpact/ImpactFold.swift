package import Counting
import Storage
package import SubscriptionModel

/// Counts the renewals at which chains met a higher price, and the renewals to compare them with.
///
/// METRICS.md section 6, "Who met it" and "Comparison". Controls have the same product in other storefronts, or other
/// products in the same storefront. E and E_x are the days from which new and existing subscribers were charged the
/// higher price (``ImpactScope/Dates``).
package struct ImpactFold: Sendable {
  /// The counts so far.
  package private(set) var tally: ImpactTally

  /// What charges have added since ``hear(_:_:)`` began; `nil` outside of explanations.
  private var heard: [HeardRenewal]?

  private let scope: ImpactScope
  /// The latest as-of to which the tally will be advanced; `nil` if it stays at each chain's as-of.
  private let lastDay: Day?
  /// E_x and the index of each of ``ImpactScope/dates``, ascending, for a binary search.
  private let datesInOrder: [(existing: Day, dates: Int)]
  /// The traits of terms, by the index of the terms.
  private var traits: [TermsTraits] = []
  /// The groups in which charges are counted; the groups of the same terms are consecutive.
  private var groups: [CountedGroup] = []
  /// The ranges of groups for terms of receipts, which do not have a fixed duration.
  private var groupsOfDatedTerms: [DatedTerms: Range<Int>] = [:]

  /// The properties of terms that are needed for every charge.
  private struct TermsTraits {
    /// Whether charges with these terms are exposed to an increase or may be controls.
    var isRelevant: Bool
    /// Whether the key of their price has an increase.
    var hasIncrease: Bool
    /// The range of their groups; empty until the first charge with these terms.
    var groups = 0..<0
  }

  /// Terms with the duration of one charge.
  private struct DatedTerms: Hashable {
    var terms: UInt32
    var term: Term
  }

  /// The group in which renewals are counted around one pair of dates.
  private struct CountedGroup {
    /// The index in ``ImpactScope/dates``.
    var dates: Int
    var effective: Day
    /// The index of the group in ``ImpactTally/renewals``.
    var group: Int
  }

  /// Creates a fold without counts, for the increases among all changes of the source.
  ///
  /// `lastDay` is the latest as-of to which the tally will be advanced; `nil` if it stays at each chain's as-of.
  package init(changes: [PriceChange], completeness: Completeness, lastDay: Day?) {
    self.lastDay = lastDay
    scope = ImpactScope(changes, asOf: completeness.asOf)
    datesInOrder = scope.dates.enumerated().map { ($1.existing, $0) }
      .sorted { ($0.existing, $0.dates) < ($1.existing, $1.dates) }
    tally = ImpactTally(scope)
  }

  /// Whether there is an increase; if not, no chain needs to be added.
  package var isNeeded: Bool { !scope.increases.isEmpty }

  /// Returns whether charges with these terms are exposed to an increase or may be controls; a chain without such a
  /// charge need not be added.
  ///
  /// They are standard paid terms, not contingent, and some increase is of their product (in any storefront) or in
  /// their storefront (of any product).
  package func concerns(_ terms: ChargeTerms) -> Bool {
    terms.isStandardPaid && !terms.isContingent && scope.concerns(PriceKey(terms))
  }

  package mutating func add(_ chain: PricedChain, _ terms: [ChargeTerms]) {
    for index in traits.count..<max(traits.count, terms.count) {
      let hasIncrease = !scope.increases(of: PriceKey(terms[index])).isEmpty
      traits.append(TermsTraits(isRelevant: concerns(terms[index]), hasIncrease: hasIncrease))
    }
    let charges = chain.charges
    for index in charges.indices {
      let charge = charges[index]
      // A period that was not due is only heard.
      guard traits[Int(charge.terms)].isRelevant, charge.wasDue || heard != nil else { continue }
      let ordinal = RenewalOrdinal(charge, chain)
      let isDecided = charge.isDecided(on: chain.asOf)
      let isCounted = charge.wasDue && (isDecided || charge.decisionDay.map(isKept) == true)
      let groups = isCounted ? groups(of: charge, terms) : 0..<0
      addRenewal(index, charge, ordinal, groups, isDecided: isDecided)
      // An existing subscriber meets the price at the end of the last period that began before E_x, if that
      // period ends on E_x or later.
      let next = index + 1 < charges.endIndex ? charges[index + 1].start : charge.end
      let first = datesInOrder.partitionPoint { $0.existing <= charge.start }
      for (existing, dates) in datesInOrder[first...] {
        guard existing <= min(charge.end, next) else { break }
        guard charges[charges.startIndex].start < scope.dates[dates].effective else { continue }
        if charge.wasDue {
          addExposure(index, ordinal, dates: dates, groups, isDecided: isDecided, chain, terms)
        } else {
          hearNotDue(index, ordinal, dates: dates, chain, terms)
        }
      }
    }
  }

  /// Adds a chain, and returns the renewals that count at as-of; the fold has no later day.
  package mutating func hear(_ chain: PricedChain, _ terms: [ChargeTerms]) -> [HeardRenewal] {
    precondition(lastDay == nil, "what counts on a later day is not heard")
    heard = []
    add(chain, terms)
    defer { heard = nil }
    return heard ?? []
  }

  /// Returns whether the tally may later be advanced to a day, so that it must keep a change of that day.
  private func isKept(_ day: Day) -> Bool { lastDay.map { day <= $0 } ?? false }

  /// Returns the range in ``groups`` in which a charge is counted; adds the groups at the first charge with its terms.
  private mutating func groups(of charge: PricedCharge, _ terms: [ChargeTerms]) -> Range<Int> {
    let index = Int(charge.terms)
    if !traits[index].groups.isEmpty { return traits[index].groups }
    let own = terms[index]
    let hasOneTerm = own.standardTerm != Term(days: 0)
    let dated = DatedTerms(terms: charge.terms, term: charge.term(own))
    if !hasOneTerm, let found = groupsOfDatedTerms[dated] { return found }
    let unit = RenewalGrid.KeyDuration(key: PriceKey(own), term: dated.term)
    let first = groups.count
    for dates in scope.dates(of: unit.key) {
      groups.append(
        CountedGroup(
          dates: dates, effective: scope.dates[dates].effective,
          group: tally.renewals.group(of: unit, dates: dates)))
    }
    if hasOneTerm {
      traits[index].groups = first..<groups.count
    } else {
      groupsOfDatedTerms[dated] = first..<groups.count
    }
    return first..<groups.count
  }

  /// Counts a period that ended, by the 30-day months between its end and each change.
  private mutating func addRenewal(
    _ place: Int, _ charge: PricedCharge, _ ordinal: RenewalOrdinal, _ range: Range<Int>,
    isDecided: Bool
  ) {
    let isRenewed = charge.isContinued
    let day = isDecided ? nil : charge.decisionDay
    for index in range {
      let group = groups[index]
      let month = ImpactScope.month(of: charge.end, from: group.effective)
      guard month >= ImpactScope.firstMonth else { continue }
      tally.renewals.add(.month(month), isRenewed: isRenewed, group: group.group, from: day)
      guard month < 0 else { continue }
      tally.renewals.add(.before(ordinal), isRenewed: isRenewed, group: group.group, from: day)
      hear(place, ordinal, inGroup: group.group, isBefore: true)
    }
  }

  /// Notes a period that counts in a group, for an explanation.
  private mutating func hear(
    _ charge: Int, _ ordinal: RenewalOrdinal, inGroup group: Int, isBefore: Bool
  ) {
    guard heard != nil else { return }
    let key = tally.renewals.groupKeys.values[group]
    heard?.append(
      HeardRenewal(charge: charge, ordinal: ordinal, addition: .renewal(key, isBefore: isBefore)))
  }

  /// Counts the period at whose end a chain met the new price or, as a control, would have met it.
  private mutating func addExposure(
    _ index: Int, _ ordinal: RenewalOrdinal, dates: Int, _ groups: Range<Int>, isDecided: Bool,
    _ chain: PricedChain, _ terms: [ChargeTerms]
  ) {
    let charge = chain.charges[index]
    let isPreserved =
      index + 1 < chain.charges.endIndex && terms[Int(chain.charges[index + 1].terms)].isPreserved
    if !isPreserved, let group = self.groups[groups].first(where: { $0.dates == dates }) {
      tally.renewals.add(
        .after(ordinal), isRenewed: charge.isContinued, group: group.group,
        from: isDecided ? nil : charge.decisionDay)
      hear(index, ordinal, inGroup: group.group, isBefore: false)
    }
    guard traits[Int(charge.terms)].hasIncrease else { return }
    let own = terms[Int(charge.terms)]
    for increase in scope.increases(of: PriceKey(own)) where isOf(own, increase, dates: dates) {
      let change = scope.increases[increase]
      let renewal = ExposedRenewal(chain: chain, index: index, terms: terms, change: change)
      let key = ExposureKey(increase: increase, chain, ordinal)
      let exposure = renewal.exposure(isPreserved: isPreserved, on: chain.asOf)
      tally.exposures[key, default: Exposure()].add(exposure)
      heard?.append(
        HeardRenewal(charge: index, ordinal: ordinal, addition: .exposure(key, exposure)))
      if let lastDay { addLater(renewal, key, exposure, isPreserved: isPreserved, until: lastDay) }
    }
  }

  /// Returns whether an increase has the dates, and an old price that the terms have.
  private func isOf(_ terms: ChargeTerms, _ increase: Int, dates: Int) -> Bool {
    scope.datesOfIncrease[increase] == dates
      && scope.increases[increase].oldPrice == terms.price.milliunits
  }

  /// Notes a chain that would have met increases at the end of a period, if the period had been due to renew.
  private mutating func hearNotDue(
    _ index: Int, _ ordinal: RenewalOrdinal, dates: Int, _ chain: PricedChain,
    _ terms: [ChargeTerms]
  ) {
    let number = Int(chain.charges[index].terms)
    guard traits[number].hasIncrease else { return }
    let own = terms[number]
    for increase in scope.increases(of: PriceKey(own)) where isOf(own, increase, dates: dates) {
      heard?.append(
        HeardRenewal(
          charge: index, ordinal: ordinal,
          addition: .exposure(ExposureKey(increase: increase, chain, ordinal), nil)))
    }
  }

  /// Keeps how the exposure of a chain changes on the days after its as-of.
  private mutating func addLater(
    _ renewal: ExposedRenewal, _ key: ExposureKey, _ first: ChainExposure, isPreserved: Bool,
    until lastDay: Day
  ) {
    var exposure = first
    for day in renewal.laterDays where day > renewal.chain.asOf && day <= lastDay {
      let after = renewal.exposure(isPreserved: isPreserved, on: day)
      guard after != exposure else { continue }
      tally.later.add(Exposure(exposure), key, on: day, .minus)
      tally.later.add(Exposure(after), key, on: day, .plus)
      exposure = after
    }
  }
}

extension PricedCharge {
  /// Returns whether the data of a day suffice to decide if the next charge continued the period.
  func isDecided(on asOf: Day) -> Bool {
    !isRunningTerm && paidEnd <= asOf - ImpactScope.undecidedDays
  }

  /// The first day on which ``isDecided(on:)`` is true; `nil` for a running term.
  var decisionDay: Day? { isRunningTerm ? nil : paidEnd + ImpactScope.undecidedDays }
}
