import Storage
import SubscriptionModel

/// Finds what depends on the cohorts of a view: active chains, and switches from one cohort to another.
extension ViewTally {
  /// Calls `body` with each fact by which a chain becomes active in a cohort or stops being active there.
  ///
  /// - Parameters:
  ///   - chain: The chain with its facts.
  ///   - cohorts: The cohort of each segment.
  ///   - body: Receives a fact, the cohort and the month.
  @inline(__always)
  static func forEachStockChange(
    of chain: borrowing ChainFacts, _ cohorts: ReusableArray<Int>,
    _ body: (Fact, _ cohort: Int, Month) -> Void
  ) {
    var activeCohort = leftOut
    for (number, segment) in chain.segments.enumerated() {
      let cohort = segment.isPaid ? cohorts[number] : leftOut
      if cohort != activeCohort {
        if activeCohort != leftOut { body(.stoppedBeingActive, activeCohort, segment.start + 1) }
        if cohort != leftOut { body(.becameActive, cohort, segment.start + 1) }
      }
      activeCohort = cohort
      guard let lapse = segment.lapse else { continue }
      if activeCohort != leftOut { body(.stoppedBeingActive, activeCohort, lapse + 1) }
      activeCohort = leftOut
    }
  }

  /// Calls `body` with each switch of a chain.
  ///
  /// A switch is a continuing charge with another cohort, product or plan, or a free one after a paid one. Because
  /// cohorts depend on the view, switches cannot be added up from a finer view.
  ///
  /// - Parameters:
  ///   - chain: The chain with its facts.
  ///   - terms: The terms that segments refer to by index.
  ///   - index: The view's cohorts.
  ///   - body: Receives a fact, the cohort, the month, and the index of the segment that begins with the switch.
  @inline(__always)
  static func forEachSwitch(
    of chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ index: inout CohortIndex,
    _ body: (Fact, _ cohort: Int, Month, _ segment: Int) -> Void
  ) {
    let chainPart = index.chainPart(chain.key)
    for number in chain.changes[chain.shared.changes...] {
      let old = chain.segments[number - 1].terms
      let new = chain.segments[number]
      let oldAttributes = terms[old].attributes
      let newAttributes = terms[new.terms].attributes
      let oldCohort = index.cohort(terms: old, attributes: oldAttributes, chainPart: chainPart)
      let newCohort = index.cohort(
        terms: new.terms, attributes: newAttributes, chainPart: chainPart)
      // Another plan is another product: METRICS.md 10.1.
      let isSame =
        oldAttributes.product == newAttributes.product
        && terms[old].plan == terms[new.terms].plan && oldCohort == newCohort
      guard !new.isPaid || !isSame else { continue }
      if let oldCohort { body(.switchedOut, oldCohort, new.start, number) }
      if new.isPaid, let newCohort { body(.switchedIn, newCohort, new.start, number) }
    }
  }
}
