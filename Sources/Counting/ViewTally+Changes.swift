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
  ///
  /// Cohorts of rows alone depend only on the terms: ``add(_:_:)`` adds all chains to such a view at once.
  mutating func addReplacements(of chain: borrowing ChainFacts, _ terms: [ChargeTerms]) {
    Self.forEachReplacement(of: chain, terms, &index) { oldCohort, newCohort, number in
      let (old, new) = (chain.segments[number - 1], chain.segments[number])
      recurring?.replace(
        old.terms, by: new.isPaid ? new.terms : nil, terms, in: oldCohort, newCohort,
        month: new.start)
    }
  }

  /// Adds replacements of all chains to a view without dimensions of chains.
  mutating func add(_ replacements: KeyCounts<Replacement>, _ terms: [ChargeTerms]) {
    guard recurring != nil else { return }
    for (key, count) in replacements.entries where count != 0 {
      let cohort = { (number: Int, index: inout CohortIndex) in
        index.cohort(terms: number, attributes: terms[number].attributes, chainPart: 0)
      }
      let (old, new) = (Int(key.old), key.new < 0 ? nil : Int(key.new))
      recurring?.replace(
        old, by: new, terms, in: cohort(old, &index), new.flatMap { cohort($0, &index) },
        month: key.month, count: count)
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

/// A charge that takes the place of a paid one of other terms.
struct Replacement: QuickHashable {
  /// The indices of the terms; the new ones are -1 for a free charge.
  var old: Int32
  var new: Int32
  var month: Month

  var quickHash: UInt32 {
    let terms = UInt64(UInt32(bitPattern: old)) << 32 | UInt64(UInt32(bitPattern: new))
    return (terms ^ UInt64(UInt32(bitPattern: month.number)) &* 0xD6E8_FEB8_6659_FD93).quickHash
  }
}

extension ChainFacts {
  /// Adds the replacements of the chain that are not in both its versions.
  func addReplacements(to counts: inout KeyCounts<Replacement>) {
    for number in changes[shared.changes...] {
      let new = segments[number]
      counts.add(
        1,
        of: Replacement(
          old: Int32(segments[number - 1].terms), new: new.isPaid ? Int32(new.terms) : -1,
          month: new.start))
    }
  }
}
