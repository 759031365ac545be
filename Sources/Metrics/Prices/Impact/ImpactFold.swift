public import SubscriptionModel

/// Finds in each chain the renewal at which it met a higher price, and the renewals to compare that with:
/// METRICS.md section 6, exposed and comparison.
public struct ImpactFold: Sendable {
  /// What the fold has counted so far.
  public private(set) var tally: ImpactTally

  private let scope: ImpactScope
  /// The places of terms in the tally, found when first met; terms of receipts have several durations.
  private var places: [DatedTerms: [Place]] = [:]

  private struct DatedTerms: Hashable {
    var terms: Int
    var term: Term
  }

  /// Where renewals are counted for the changes of one date.
  private struct Place {
    var dates: Int
    var group: Int
  }

  /// Creates a fold that has counted nothing.
  ///
  /// - Parameters:
  ///   - changes: All changes of the source; those that are no increase are left out.
  ///   - completeness: Which days of the data are there.
  public init(changes: [PriceChange], completeness: Completeness) {
    scope = ImpactScope(changes, asOf: completeness.asOf)
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
    terms.isStandardPaid && scope.concerns(PriceKey(terms))
  }

  /// Adds a chain.
  ///
  /// - Parameters:
  ///   - chain: The chain.
  ///   - terms: The terms that its charges refer to by index.
  public mutating func add(_ chain: PricedChain, _ terms: [ChargeTerms]) {
    for charge in chain.charges where concerns(terms[charge.terms]) {
      addRenewal(charge, chain, terms)
    }
    for (index, dates) in scope.dates.enumerated() where chain.charges[0].start < dates.effective {
      // The one period that began before existing subscribers met the price and had no charge after it
      // before they did.
      guard let last = chain.charges.lastIndex(where: { $0.start < dates.existing }),
        chain.charges[last].end >= dates.existing, chain.charges[last].wasDue,
        concerns(terms[chain.charges[last].terms])
      else { continue }
      addMeeting(last, dates: index, chain, terms)
    }
  }

  private mutating func places(of charge: PricedCharge, _ terms: [ChargeTerms]) -> [Place] {
    let own = terms[charge.terms]
    let term = charge.term(own)
    let key = DatedTerms(terms: charge.terms, term: term)
    if let known = places[key] { return known }
    let unit = RenewalGrid.Unit(key: PriceKey(own), term: term)
    let found = scope.dates(of: unit.key).map { dates in
      Place(dates: dates, group: tally.renewals.group(of: unit, dates: dates))
    }
    places[key] = found
    return found
  }

  /// Counts a period that ended, by its distance from each change.
  private mutating func addRenewal(
    _ charge: PricedCharge, _ chain: PricedChain, _ terms: [ChargeTerms]
  ) {
    guard charge.wasDue, charge.isDecided(chain) else { return }
    let ordinal = RenewalOrdinal(charge, chain)
    for place in places(of: charge, terms) {
      let effective = scope.dates[place.dates].effective
      let month = ImpactScope.month(of: charge.end, from: effective)
      guard month >= ImpactScope.firstMonth else { continue }
      tally.renewals.add(month: month, isRenewed: charge.isContinued, group: place.group)
      guard month < 0 else { continue }
      tally.renewals.addBefore(ordinal, isRenewed: charge.isContinued, group: place.group)
    }
  }

  /// Counts the period with which a chain met the new price, or would have.
  private mutating func addMeeting(
    _ index: Int, dates: Int, _ chain: PricedChain, _ terms: [ChargeTerms]
  ) {
    let charge = chain.charges[index]
    let isPreserved =
      index + 1 < chain.charges.count && terms[chain.charges[index + 1].terms].isPreserved
    if !isPreserved, charge.isDecided(chain),
      let place = places(of: charge, terms).first(where: { $0.dates == dates })
    {
      tally.renewals.addAfter(
        RenewalOrdinal(charge, chain), isRenewed: charge.isContinued, group: place.group)
    }
    let own = terms[charge.terms]
    for increase in scope.increases(of: PriceKey(own)) {
      let change = scope.increases[increase]
      guard scope.datesOfIncrease[increase] == dates, change.oldPrice == own.price.milliunits
      else { continue }
      let meeting = PriceMeeting(chain: chain, index: index, terms: terms, change: change)
      tally.add(
        meeting.exposure(isPreserved: isPreserved),
        ExposureKey(
          increase: increase, startMonth: chain.key.value(of: .startMonth) ?? .unknown,
          offer: chain.key.value(of: .offer) ?? .unknown, ordinal: RenewalOrdinal(charge, chain)))
    }
  }
}

extension PricedCharge {
  /// Whether it is known if the next charge continued it.
  func isDecided(_ chain: PricedChain) -> Bool {
    end <= chain.asOf - ImpactScope.undecidedDays
  }

  /// How long it was bought for; receipts do not say, so it is read off the period.
  ///
  /// - Parameter terms: Its terms.
  /// - Returns: The duration; of receipts the whole months that are nearest, below 28 days the days.
  func term(_ terms: ChargeTerms) -> Term {
    guard terms.standardTerm == Term(days: 0) else { return terms.term }
    let days = end - start
    // Days of an average month of the calendar, in thousandths.
    let months = (days * 1_000 + 15_218) / 30_437
    return days < 28 ? Term(days: Int16(days)) : Term(months: Int16(clamping: months))
  }
}
