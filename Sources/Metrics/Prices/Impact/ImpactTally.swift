/// What the chains say about a source's price increases.
///
/// Tallies of parts of the chains merge into the tally of all, in any order.
public struct ImpactTally: Sendable {
  /// What it was looked for.
  let scope: ImpactScope
  /// What became of the exposed.
  private(set) var exposures: [ExposureKey: Exposure] = [:]
  /// Renewals of the treated and of those that may be control.
  var renewals: RenewalGrid

  init(_ scope: ImpactScope) {
    self.scope = scope
    renewals = RenewalGrid(monthCount: scope.monthCount)
  }

  mutating func add(_ exposure: Exposure, _ key: ExposureKey) {
    exposures[key, default: Exposure()].merge(exposure)
  }

  /// Adds everything another tally has counted.
  ///
  /// - Parameter other: The tally of other chains, of the same scope.
  public mutating func merge(_ other: ImpactTally) {
    for (key, exposure) in other.exposures { add(exposure, key) }
    renewals.merge(other.renewals)
  }
}
