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
    forEachReplacement(of: chain, terms, &index) { oldCohort, newCohort, number in
      let old = terms[chain.segments[number - 1].terms]
      let new = chain.segments[number]
      let isSame =
        oldCohort == newCohort && RecurringFlow(from: old, to: terms[new.terms]) != .product
      guard !new.isPaid || !isSame else { return }
      if let oldCohort { body(.switchedOut, oldCohort, new.start, number) }
      if new.isPaid, let newCohort { body(.switchedIn, newCohort, new.start, number) }
    }
  }

  /// Calls `body` with each charge of other terms that takes the place of a paid one.
  ///
  /// - Parameters:
  ///   - chain: The chain with its facts.
  ///   - terms: The terms that segments refer to by index.
  ///   - index: The view's cohorts.
  ///   - body: Receives the cohort of the paid one, that of the other (both `nil` if filters exclude it), and the index of
  ///     the segment that begins with the other.
  @inline(__always)
  private static func forEachReplacement(
    of chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ index: inout CohortIndex,
    _ body: (Int?, Int?, _ segment: Int) -> Void
  ) {
    let chainPart = index.chainPart(chain.key)
    for number in chain.changes[chain.shared.changes...] {
      let (old, new) = (chain.segments[number - 1].terms, chain.segments[number].terms)
      body(
        index.cohort(terms: old, attributes: terms[old].attributes, chainPart: chainPart),
        index.cohort(terms: new, attributes: terms[new].attributes, chainPart: chainPart), number)
    }
  }

  /// Adds the values of charges that take the place of others: METRICS.md 11.2.
  mutating func addReplacements(of chain: borrowing ChainFacts, _ terms: [ChargeTerms]) {
    Self.forEachReplacement(of: chain, terms, &index) { oldCohort, newCohort, number in
      let (old, new) = (chain.segments[number - 1], chain.segments[number])
      if new.isPaid {
        recurring?.replace(
          old.terms, by: new.terms, terms, in: oldCohort, newCohort, month: new.start)
      } else if let oldCohort {
        recurring?.add(
          1, .switchedOut, terms: old.terms, terms, cohort: oldCohort, month: new.start)
      }
    }
  }

  /// Adds the months in which free periods begin to cover a chain of charges and cease to: METRICS.md 11.4.
  mutating func addFreeStock(
    of chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ cohorts: ReusableArray<Int>
  ) {
    for (number, segment) in chain.segments.enumerated()
    where !segment.isPaid && cohorts[number] != Self.leftOut {
      let isTrial = terms[segment.terms].kind == .trial
      facts.add(
        1, isTrial ? .freeTrialBegan : .freeOfferBegan, cohort: cohorts[number],
        month: segment.start)
      let next = number + 1 < chain.segments.count ? chain.segments[number + 1].start : nil
      if let end = segment.lapse ?? next {
        facts.add(
          1, isTrial ? .freeTrialEnded : .freeOfferEnded, cohort: cohorts[number], month: end)
      }
    }
  }
}
