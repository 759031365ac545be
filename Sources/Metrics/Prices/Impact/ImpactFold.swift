public import SubscriptionModel

/// Finds in each chain the renewal at which it met a higher price, and the renewals to compare that with:
/// METRICS.md section 6, exposed and comparison.
public struct ImpactFold: Sendable {
  /// What the fold has counted so far.
  public private(set) var tally: ImpactTally

  private let scope: ImpactScope
  /// The last as-of to which the tally is brought; `nil` when it stays on the as-of of each chain.
  private let lastDay: Day?
  /// The dates of the changes in the order of ``ImpactScope/Dates/existing``, to look a period up in.
  private let datesInOrder: [(existing: Day, dates: Int)]
  /// What charges ask of their terms.
  private var known: [KnownTerms] = []
  /// Where terms are counted, terms after terms in the order in which they were met.
  private var places: [Place] = []
  /// The places of terms of receipts, which have several durations.
  private var placesOfDatedTerms: [DatedTerms: Range<Int>] = [:]

  private struct KnownTerms {
    var isConcerned: Bool
    /// Whether their product has an increase in their storefront and currency.
    var isIncreased: Bool
    /// Empty until they are met.
    var places = 0..<0
  }

  private struct DatedTerms: Hashable {
    var terms: UInt32
    var term: Term
  }

  /// Where renewals are counted for the changes of one date.
  private struct Place {
    var dates: Int
    var effective: Day
    var group: Int
  }

  /// Creates a fold that has counted nothing.
  ///
  /// - Parameters:
  ///   - changes: All changes of the source; those that are no increase are left out.
  ///   - completeness: Which days of the data are there.
  ///   - lastDay: The last as-of to which the tally is brought; `nil` when it stays on the as-of of each chain.
  public init(changes: [PriceChange], completeness: Completeness, lastDay: Day?) {
    self.lastDay = lastDay
    scope = ImpactScope(changes, asOf: completeness.asOf)
    datesInOrder = scope.dates.enumerated().map { ($1.existing, $0) }
      .sorted { ($0.existing, $0.dates) < ($1.existing, $1.dates) }
    tally = ImpactTally(scope)
  }

  /// Whether there is an increase; otherwise no chain needs to be added.
  public var isNeeded: Bool { !scope.increases.isEmpty }

  /// Returns whether charges of these terms matter for any increase; a chain without such a charge need
  /// not be added.
  ///
  /// - Parameter terms: The terms.
  /// - Returns: Whether they are standard paid ones of an increase's product or storefront.
  public func concerns(_ terms: ChargeTerms) -> Bool {
    terms.isStandardPaid && !terms.isContingent && scope.concerns(PriceKey(terms))
  }

  /// Adds a chain.
  ///
  /// - Parameters:
  ///   - chain: The chain.
  ///   - terms: The terms that its charges refer to by index.
  public mutating func add(_ chain: PricedChain, _ terms: [ChargeTerms]) {
    for index in known.count..<max(known.count, terms.count) {
      let isIncreased = !scope.increases(of: PriceKey(terms[index])).isEmpty
      known.append(KnownTerms(isConcerned: concerns(terms[index]), isIncreased: isIncreased))
    }
    let charges = chain.charges
    for index in charges.indices {
      let charge = charges[index]
      guard known[Int(charge.terms)].isConcerned, charge.wasDue else { continue }
      let ordinal = RenewalOrdinal(charge, chain)
      let isDecided = charge.isDecided(on: chain.asOf)
      let isCounted = isDecided || charge.decisionDay.map(isKept) == true
      let places = isCounted ? places(of: charge, terms) : 0..<0
      addRenewal(charge, ordinal, places, isDecided: isDecided)
      // Existing subscribers met a price with the period that began before that day, ended on it or later,
      // and was their last before it.
      let next = index + 1 < charges.endIndex ? charges[index + 1].start : charge.end
      let first = place(inDatesAfter: charge.start)
      for (existing, dates) in datesInOrder[first...] {
        guard existing <= min(charge.end, next) else { break }
        guard charges[charges.startIndex].start < scope.dates[dates].effective else { continue }
        addMeeting(index, ordinal, dates: dates, places, isDecided: isDecided, chain, terms)
      }
    }
  }

  /// Returns whether the tally needs counts that hold from a day on.
  private func isKept(_ day: Day) -> Bool { lastDay.map { day <= $0 } ?? false }

  /// Returns the place of the first dates that are later than a day.
  private func place(inDatesAfter day: Day) -> Int {
    var (low, high) = (0, datesInOrder.count)
    while low < high {
      let middle = (low + high) / 2
      if datesInOrder[middle].existing <= day { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns where a charge's terms are counted, of whose renewal it is known if it came.
  private mutating func places(of charge: PricedCharge, _ terms: [ChargeTerms]) -> Range<Int> {
    let index = Int(charge.terms)
    if !known[index].places.isEmpty { return known[index].places }
    let own = terms[index]
    let hasOneTerm = own.standardTerm != Term(days: 0)
    let dated = DatedTerms(terms: charge.terms, term: charge.term(own))
    if !hasOneTerm, let known = placesOfDatedTerms[dated] { return known }
    let unit = RenewalGrid.Unit(key: PriceKey(own), term: dated.term)
    let first = places.count
    for dates in scope.dates(of: unit.key) {
      places.append(
        Place(
          dates: dates, effective: scope.dates[dates].effective,
          group: tally.renewals.group(of: unit, dates: dates)))
    }
    if hasOneTerm {
      known[index].places = first..<places.count
    } else {
      placesOfDatedTerms[dated] = first..<places.count
    }
    return first..<places.count
  }

  /// Counts a period that ended, by its distance from each change.
  private mutating func addRenewal(
    _ charge: PricedCharge, _ ordinal: RenewalOrdinal, _ range: Range<Int>, isDecided: Bool
  ) {
    let isRenewed = charge.isContinued
    let day = isDecided ? nil : charge.decisionDay
    for index in range {
      let place = places[index]
      let month = ImpactScope.month(of: charge.end, from: place.effective)
      guard month >= ImpactScope.firstMonth else { continue }
      tally.renewals.add(.month(month), isRenewed: isRenewed, group: place.group, from: day)
      guard month < 0 else { continue }
      tally.renewals.add(.before(ordinal), isRenewed: isRenewed, group: place.group, from: day)
    }
  }

  /// Counts the period with which a chain met the new price, or would have.
  private mutating func addMeeting(
    _ index: Int, _ ordinal: RenewalOrdinal, dates: Int, _ places: Range<Int>, isDecided: Bool,
    _ chain: PricedChain, _ terms: [ChargeTerms]
  ) {
    let charge = chain.charges[index]
    let isPreserved =
      index + 1 < chain.charges.endIndex && terms[Int(chain.charges[index + 1].terms)].isPreserved
    if !isPreserved, let place = self.places[places].first(where: { $0.dates == dates }) {
      tally.renewals.add(
        .after(ordinal), isRenewed: charge.isContinued, group: place.group,
        from: isDecided ? nil : charge.decisionDay)
    }
    guard known[Int(charge.terms)].isIncreased else { return }
    let own = terms[Int(charge.terms)]
    for increase in scope.increases(of: PriceKey(own)) {
      let change = scope.increases[increase]
      guard scope.datesOfIncrease[increase] == dates, change.oldPrice == own.price.milliunits
      else { continue }
      let meeting = PriceMeeting(chain: chain, index: index, terms: terms, change: change)
      let key = ExposureKey(
        increase: increase, startMonth: chain.key.value(of: .startMonth) ?? .unknown,
        offer: chain.key.value(of: .offer) ?? .unknown, ordinal: ordinal)
      var exposure = meeting.exposure(isPreserved: isPreserved, on: chain.asOf)
      tally.add(exposure, key)
      for day in meeting.laterDays where day > chain.asOf && isKept(day) {
        let after = meeting.exposure(isPreserved: isPreserved, on: day)
        guard after != exposure else { continue }
        tally.later.add(exposure, key, on: day, .minus)
        tally.later.add(after, key, on: day, .plus)
        exposure = after
      }
    }
  }
}
