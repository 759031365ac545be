package import Counting
package import SubscriptionModel

/// The counts of a source's chains before and after its price increases.
///
/// Tallies of parts of the chains merge in any order.
package struct ImpactTally: Sendable {
  /// The increases that are measured.
  let scope: ImpactScope
  /// The outcomes of the exposed chains.
  var exposures: [ExposureKey: Exposure] = [:]
  /// The changes of ``exposures`` after as-of, by the day from which they apply.
  var later = CountsFromDay<ExposureKey, Exposure>()
  /// Renewals of the treated and of possible controls.
  var renewals: RenewalGrid

  init(_ scope: ImpactScope) {
    self.scope = scope
    renewals = RenewalGrid(monthCount: scope.monthCount)
  }

  mutating func add(_ exposure: Exposure, _ key: ExposureKey, _ sign: MergeSign = .plus) {
    exposures.add(exposure, to: key, sign)
  }

  /// Advances the counts to a later as-of.
  ///
  /// A tally of receipts does not change, because each chain is counted at its own as-of.
  ///
  /// - Parameter asOf: The as-of of the folds that were added, or a later day.
  package mutating func decide(by asOf: Day) {
    let later = later
    later.forEach(on: asOf) { add($1, $0) }
    self.later.removeAll(on: asOf)
    renewals.decide(by: asOf)
  }

  /// Adds the counts of another tally.
  ///
  /// - Parameter other: The tally of other chains, for the same scope.
  package mutating func merge(_ other: ImpactTally) {
    guard merge(other, .plus) else { preconditionFailure("the same increases") }
  }

  /// Adds or subtracts another tally, such as that of an earlier run, whose increases may have another order.
  ///
  /// - Parameters:
  ///   - other: The tally.
  ///   - sign: Whether to add or subtract.
  /// - Returns: Whether both have the same increases; if not, nothing was added.
  package mutating func merge(_ other: ImpactTally, _ sign: MergeSign) -> Bool {
    guard let increases = scope.indices(ofIncreasesOf: other.scope) else { return false }
    // The same increases have the same dates.
    let dates = other.scope.dates.compactMap { scope.dates.firstIndex(of: $0) }
    let own = { (key: ExposureKey) in
      var own = key
      own.increase = increases[key.increase]
      return own
    }
    for (key, exposure) in other.exposures { add(exposure, own(key), sign) }
    later.merge(other.later, sign, own: own)
    renewals.merge(other.renewals, dates: dates, sign)
    return true
  }
}

extension ImpactScope {
  /// Returns the index here of each increase of another scope; `nil` if the increases differ.
  fileprivate func indices(ofIncreasesOf other: ImpactScope) -> [Int]? {
    let found = other.increases.compactMap { increase in
      increases.firstIndex { $0.hasSameDatesAndPrices(as: increase) }
    }
    let isSame = other.increases.count == increases.count && Set(found).count == increases.count
    return isSame ? found : nil
  }
}

extension PriceChange {
  /// Returns whether another change has the same key, dates and prices; chains then have the same counts for both.
  fileprivate func hasSameDatesAndPrices(as other: PriceChange) -> Bool {
    key == other.key && date == other.date && oldPrice == other.oldPrice
      && newPrice == other.newPrice && effectiveExisting == other.effectiveExisting
  }
}
