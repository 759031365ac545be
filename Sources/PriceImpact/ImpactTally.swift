package import Counting
package import Storage
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

  /// Advances the counts to a later as-of, or to that of the folds.
  ///
  /// A tally of receipts does not change, because each chain is counted at its own as-of.
  package mutating func decide(by asOf: Day) {
    let later = later
    later.forEach(on: asOf) { add($1, $0) }
    self.later.removeAll(on: asOf)
    renewals.decide(by: asOf)
  }

  /// Adds the counts of another tally of the same scope.
  package mutating func merge(_ other: ImpactTally) {
    guard merge(other, .plus) else { preconditionFailure("the same increases") }
  }

  /// Adds or subtracts another tally, such as that of an earlier run, whose increases may have another order.
  ///
  /// Returns whether both have the same increases; if not, nothing was added.
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

extension ImpactTally {
  /// Creates an empty tally without increases, to read a stored tally into, given the as-of of the run that stored it.
  package init(readOn asOf: Day) { self.init(ImpactScope([], asOf: asOf)) }

  /// Writes the tally, or reads one into an empty tally.
  package mutating func code(with coder: inout some ValueCoder) {
    coder.buffered { codeParts(with: &$0) }
  }

  private mutating func codeParts(with coder: inout ValueBuffer) {
    var increases = scope.increases
    coder.list(&increases, blank: .blank) { $0.codeIncrease(with: &$1) }
    var (exposures, later, renewals) = (exposures, later, renewals)
    // After reading, the scope must hold the increases that were read; after writing, it stays the same.
    self = ImpactTally(ImpactScope(increases, asOf: scope.asOf))
    func codeEntry(key: inout ExposureKey, exposure: inout Exposure, coder: inout ValueBuffer) {
      key.code(with: &coder)
      exposure.code(with: &coder)
      if !increases.indices.contains(key.increase) { coder.fail() }
    }
    let blank = ExposureKey(increase: 0, startMonth: .unknown, offer: .unknown, ordinal: .unknown)
    coder.dictionary(&exposures, blank: (blank, Exposure()), codeEntry)
    later.code(with: &coder, blank: blank, codeEntry)
    self.exposures = exposures
    self.later = later
    renewals.code(monthCount: scope.monthCount, dateCount: scope.dates.count, with: &coder)
    self.renewals = renewals
  }
}

extension PriceChange {
  fileprivate static let blank = PriceChange(
    .increase, .blank, date: Day(number: 0), oldPrice: nil, newPrice: nil)

  /// Writes or reads the key, dates and prices of an increase; the counts of chains depend on nothing else.
  fileprivate mutating func codeIncrease<Coder: ValueCoder>(with coder: inout Coder) {
    key.code(with: &coder)
    coder.day(&date)
    coder.optional(&oldPrice, blank: 0) { $1.integer(&$0) }
    coder.optional(&newPrice, blank: 0) { $1.integer(&$0) }
    coder.optional(&effectiveExisting, blank: date) { $1.day(&$0) }
  }
}

extension ExposureKey {
  fileprivate mutating func code(with coder: inout some ValueCoder) {
    coder.integer(&increase)
    startMonth.code(with: &coder)
    offer.code(with: &coder)
    coder.word(&ordinal)
  }
}

extension Exposure {
  fileprivate mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    for fact in ExposureFact.allCases { coder.count(&self[fact]) }
    coder.wideInteger(&money.actual)
    coder.wideInteger(&money.old)
    coder.wideInteger(&money.renewed)
    coder.wideInteger(&money.changed)
    coder.wideInteger(&money.shareTimesOldPrice)
    coder.dictionary(&currencies, blank: (.blank, 0)) { currency, count, coder in
      coder.symbol(&currency)
      coder.count(&count)
    }
    coder.dictionary(&reachedEnds, blank: (Day(number: 0), 0)) { day, count, coder in
      coder.day(&day)
      coder.count(&count)
    }
  }
}
