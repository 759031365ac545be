public import SubscriptionModel

/// What the chains say about a source's price increases.
///
/// Tallies of parts of the chains merge into the tally of all, in any order.
public struct ImpactTally: Sendable {
  /// What it was looked for.
  let scope: ImpactScope
  /// What became of the exposed.
  private(set) var exposures: [ExposureKey: Exposure] = [:]
  /// Changes of these counts, by the day from which they hold.
  var later = CountsByDay<ExposureKey, Exposure>()
  /// Renewals of the treated and of those that may be control.
  var renewals: RenewalGrid

  init(_ scope: ImpactScope) {
    self.scope = scope
    renewals = RenewalGrid(monthCount: scope.monthCount)
  }

  mutating func add(_ exposure: Exposure, _ key: ExposureKey, _ sign: MergeSign = .plus) {
    exposures[key, default: Exposure()].merge(exposure, sign)
    if exposures[key] == Exposure() { exposures[key] = nil }
  }

  /// Brings the counts to a later as-of.
  ///
  /// Tallies of receipts stay as they are: each chain is counted on its own as-of.
  ///
  /// - Parameter asOf: The as-of of the folds that were added, or a later day.
  public mutating func decide(by asOf: Day) {
    let later = later
    later.forEach(on: asOf) { add($1, $0) }
    self.later.removeAll(on: asOf)
    renewals.decide(by: asOf)
  }

  /// Adds everything another tally has counted.
  ///
  /// - Parameter other: The tally of other chains, of the same scope.
  public mutating func merge(_ other: ImpactTally) {
    guard merge(other, .plus) else { preconditionFailure("the same increases") }
  }

  /// Adds the tally of an earlier run, or takes back what an earlier run had counted.
  ///
  /// - Parameters:
  ///   - other: The tally.
  ///   - sign: Whether it is added.
  /// - Returns: Whether both are of the same increases; if not, nothing has changed.
  public mutating func merge(_ other: ImpactTally, _ sign: MergeSign) -> Bool {
    guard let increases = scope.places(ofIncreasesOf: other.scope),
      let dates = scope.places(ofDatesOf: other.scope)
    else { return false }
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
  /// Returns for each increase of another scope the index here; `nil` when there are others.
  fileprivate func places(ofIncreasesOf other: ImpactScope) -> [Int]? {
    guard other.increases.count == increases.count else { return nil }
    let places = other.increases.map { increase in
      increases.firstIndex { $0.isMet(like: increase) }
    }
    let found = places.compactMap { $0 }
    return Set(found).count == increases.count ? found : nil
  }

  /// Returns for each dates of another scope the index here; `nil` when there are others.
  fileprivate func places(ofDatesOf other: ImpactScope) -> [Int]? {
    let places = other.dates.compactMap { dates in self.dates.firstIndex(of: dates) }
    return places.count == other.dates.count ? places : nil
  }
}

extension PriceChange {
  /// Whether chains meet it as they meet another.
  fileprivate func isMet(like other: PriceChange) -> Bool {
    key == other.key && date == other.date && oldPrice == other.oldPrice
      && newPrice == other.newPrice && effectiveExisting == other.effectiveExisting
  }
}
