import Counting
package import Storage
package import SubscriptionModel

extension ImpactTally {
  /// Creates an empty tally without increases, to read a stored tally into.
  ///
  /// - Parameter asOf: The as-of of the run that stored it.
  package init(readOn asOf: Day) { self.init(ImpactScope([], asOf: asOf)) }

  /// Writes the tally, or reads one into an empty tally.
  ///
  /// - Parameter coder: Writes or reads.
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
