import SubscriptionModel

/// The facts of a chain, derived once and added to every view.
///
/// Neighbouring charges mostly have equal terms, and within a chain only terms decide the cohort. So charges are
/// grouped in stretches of equal terms, and a view looks up one cohort per stretch, not per charge.
struct ChainFacts {
  /// Charges of equal terms, each of which continues the one before.
  struct Stretch {
    /// The index of the terms.
    var terms: Int
    /// Whether the charges are paid.
    var isPaid: Bool
    /// The month of the first charge.
    var start: Month
    /// The month in which the last period lapsed; `nil` when it continues or is running.
    var lapse: Month?
    /// The number of its elements in `charges`.
    var months = 0
  }

  /// Charges of one stretch in one month.
  struct MonthlyCharges: Equatable {
    var month: Month
    var count: Int
  }

  /// A fact, and the number of periods of a stretch for which it holds.
  struct StatedFact: Equatable {
    var fact: Fact
    var month: Month
    /// The stretch's index.
    var stretch: Int
    var count: Int
  }

  /// A resolved lapse and the time until the return.
  struct Gap: Equatable {
    /// Whole days; for receipts, hundredths of days.
    var days: Int
    var month: Month
    /// The stretch's index.
    var stretch: Int
  }

  /// How far the chain got in retention.
  struct Survival: Equatable {
    /// The last k at which the chain was at risk; 0 if there is none.
    var k = 0
    var isLost = false
  }

  /// An instalment.
  struct Instalment {
    /// The index of its terms.
    var terms: Int
    var step: CommitmentStep
    /// The month of the charge.
    var start: Month
    var place: CommitmentStep.Place
  }

  /// A period that a later as-of may count differently, or a late outcome.
  struct Open {
    var period: OpenPeriod
    /// The first day after it; for a late outcome the day on which it became known.
    var end: Day
    /// The stretch's index.
    var stretch: Int
    /// Whether the other version of the chain has it too: see ``Shared``.
    var isShared = false
  }

  var key = ChainKey(start: .unknown, offer: nil)
  var stretches = ReusableArray<Stretch>()
  var charges = ReusableArray<MonthlyCharges>()
  var facts = ReusableArray<StatedFact>()
  var gaps = ReusableArray<Gap>()
  /// Stretches that continue a paid stretch of other terms, and so may be a switch.
  var changes = ReusableArray<Int>()
  var survival: Survival?
  /// For receipts, the numbers k of the pending paid periods; for reports, these are in `open`.
  var pending = ReusableArray<Int>()
  var isOfUnknownStart = false
  /// The instalments of its commitments; none in most chains.
  var instalments = ReusableArray<Instalment>()
  /// The day on which instalments are counted; for receipts the last possible day.
  var asOf = Day(number: 0)
  var open = ReusableArray<Open>()
  var shared = Shared()

  /// Begins a stretch.
  mutating func begin(_ stretch: Stretch) {
    stretches.append(stretch)
  }

  /// Adds a fact of the last stretch; equal facts of neighbouring periods become one entry.
  mutating func state(_ fact: Fact, _ month: Month) {
    let stretch = stretches.count - 1
    if let last = facts.last, last.fact == fact, last.month == month, last.stretch == stretch {
      facts[facts.count - 1].count += 1
    } else {
      facts.append(StatedFact(fact: fact, month: month, stretch: stretch, count: 1))
    }
  }

  /// Removes the chain and keeps the allocated memory.
  mutating func removeAll() {
    stretches.removeAll()
    charges.removeAll()
    facts.removeAll()
    gaps.removeAll()
    changes.removeAll()
    open.removeAll()
    pending.removeAll()
    instalments.removeAll()
    shared = Shared()
  }
}

/// A refund with what views need.
struct RefundFacts {
  /// The price given back.
  var price: Amount
  var proceeds: Amount
  var isFull: Bool
  var day: Day
  var month: Month
  /// The month of the charge; `nil` when it is outside the input.
  var saleMonth: Month?
  /// The terms of the charge, or the refund's own.
  var terms: Int
  /// The key of the charge's chain.
  var key: ChainKey
}

extension ViewTally {
  static let leftOut = -1

  /// Adds a chain, except its switches.
  ///
  /// - Parameters:
  ///   - chain: The chain with its facts.
  ///   - terms: The terms that stretches refer to by index.
  ///   - edgeOfTerms: The left edge for a charge of each terms; empty for receipts.
  ///   - cohorts: A buffer to reuse.
  ///   - addsCharges: Whether paid charges are added too; if not, they come from ``ChargeCounts``.
  mutating func add(
    _ chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ edgeOfTerms: [Day],
    cohorts: inout ReusableArray<Int>, addsCharges: Bool
  ) {
    let chainPart = index.chainPart(chain.key)
    cohorts.removeAll()
    for stretch in chain.stretches {
      let cohort = index.cohort(
        terms: stretch.terms, attributes: terms[stretch.terms].attributes, chainPart: chainPart)
      cohorts.append(cohort ?? Self.leftOut)
      if let cohort, chain.isOfUnknownStart, cohorts.count > chain.shared.stretches {
        addEdge(edgeOfTerms[stretch.terms], cohort: cohort)
      }
    }
    for instalment in chain.instalments {
      add(instalment, terms, chainPart, asOf: chain.asOf)
    }
    if addsCharges { addCharges(of: chain, terms, cohorts) }
    for stated in chain.facts[chain.shared.facts...] where cohorts[stated.stretch] != Self.leftOut {
      facts.add(
        stated.count, stated.fact, cohort: cohorts[stated.stretch], month: stated.month)
    }
    for gap in chain.gaps[chain.shared.gaps...] where cohorts[gap.stretch] != Self.leftOut {
      addGap(gap.days, cohort: cohorts[gap.stretch], month: gap.month)
    }
    if !chain.shared.isStock { addStock(of: chain, cohorts) }
    let followed = cohortOfSurvival(of: chain, terms, chainPart, ofFirst: cohorts[0])
    if followed != Self.leftOut { addSurvival(of: chain, followed) }
    for own in chain.open where !own.isShared {
      let cohort = own.period.isOfSurvival ? followed : cohorts[own.stretch]
      if cohort != Self.leftOut { open.add(own.period, until: own.end, cohort: cohort) }
    }
  }

  /// Adds a chain to a view of retention alone.
  ///
  /// - Parameters:
  ///   - chain: The chain with its facts.
  ///   - terms: The terms that stretches refer to by index.
  mutating func addRetention(of chain: borrowing ChainFacts, _ terms: [ChargeTerms]) {
    guard chain.survival != nil || chain.pending.count > 0 else { return }
    let chainPart = index.chainPart(chain.key)
    let first = chain.stretches[0].terms
    let ofFirst = index.cohort(
      terms: first, attributes: terms[first].attributes, chainPart: chainPart)
    let followed = cohortOfSurvival(
      of: chain, terms, chainPart, ofFirst: ofFirst ?? Self.leftOut)
    guard followed != Self.leftOut else { return }
    addSurvival(of: chain, followed)
    for own in chain.open where !own.isShared && own.period.isOfSurvival {
      open.add(own.period, until: own.end, cohort: followed)
    }
  }

  /// Adds what is decided of a chain's retention, and for receipts what is pending.
  private mutating func addSurvival(of chain: borrowing ChainFacts, _ cohort: Int) {
    if let survival = chain.survival, survival.k > 0, chain.shared.survival != survival {
      let counts = survival.isLost ? SurvivalCounts(lost: 1) : SurvivalCounts(kept: 1)
      addSurvival(counts, cohort: cohort, k: survival.k)
    }
    for k in chain.pending { addSurvival(SurvivalCounts(pending: 1), cohort: cohort, k: k) }
  }

  /// Returns the cohort in which retention counts a chain: that of its first charge.
  ///
  /// Its plan, and whether its price is contingent, are those of the first paid charge: METRICS.md 10.1 and 10.7.
  private mutating func cohortOfSurvival(
    of chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ chainPart: Int32, ofFirst: Int
  ) -> Int {
    guard index.asksFirstPaidCharge, !chain.stretches[0].isPaid,
      let paid = chain.stretches.first(where: \.isPaid)
    else { return ofFirst }
    var attributes = terms[chain.stretches[0].terms].attributes
    attributes.plan = terms[paid.terms].attributes.plan
    attributes.contingent = terms[paid.terms].attributes.contingent
    return index.cohort(attributes: attributes, chainPart: chainPart) ?? Self.leftOut
  }

  private mutating func add(
    _ instalment: ChainFacts.Instalment, _ terms: [ChargeTerms], _ chainPart: Int32, asOf: Day
  ) {
    let cohort = index.cohort(
      terms: instalment.terms, attributes: terms[instalment.terms].attributes, chainPart: chainPart)
    guard let cohort else { return }
    commitments.add(
      instalment.step, from: instalment.start, instalment.place, cohort: cohort, asOf: asOf)
  }

  private mutating func addCharges(
    of chain: borrowing ChainFacts, _ terms: [ChargeTerms], _ cohorts: ReusableArray<Int>
  ) {
    var first = 0
    for (number, stretch) in chain.stretches.enumerated() {
      let end = first + stretch.months
      defer { first = end }
      guard stretch.isPaid, cohorts[number] != Self.leftOut else { continue }
      let price = terms[stretch.terms].price
      let proceeds = terms[stretch.terms].proceeds
      for position in max(first, chain.shared.charges)..<max(end, chain.shared.charges) {
        money.addCharge(
          price: price, proceeds: proceeds, count: chain.charges[position].count,
          cohort: cohorts[number], month: chain.charges[position].month)
      }
    }
  }

  /// Adds when the chain began to be active in a cohort, and when it stopped.
  private mutating func addStock(of chain: borrowing ChainFacts, _ cohorts: ReusableArray<Int>) {
    var activeCohort = Self.leftOut
    for (number, stretch) in chain.stretches.enumerated() {
      let cohort = stretch.isPaid ? cohorts[number] : Self.leftOut
      if cohort != activeCohort {
        stopBeingActive(activeCohort, in: stretch.start)
        if cohort != Self.leftOut {
          facts.add(1, .becameActive, cohort: cohort, month: stretch.start + 1)
        }
      }
      activeCohort = cohort
      guard let lapse = stretch.lapse else { continue }
      stopBeingActive(activeCohort, in: lapse)
      activeCohort = Self.leftOut
    }
  }

  private mutating func stopBeingActive(_ cohort: Int, in month: Month) {
    guard cohort != Self.leftOut else { return }
    facts.add(1, .stoppedBeingActive, cohort: cohort, month: month + 1)
  }

  /// Adds a chain's switches.
  ///
  /// These are continuing charges that left one cohort for another, changed their product or plan, or became free.
  /// Which charges are switches depends on the view, so they cannot be summed up from a finer view.
  mutating func addSwitches(of chain: borrowing ChainFacts, _ terms: [ChargeTerms]) {
    let chainPart = index.chainPart(chain.key)
    for number in chain.changes[chain.shared.changes...] {
      let old = chain.stretches[number - 1].terms
      let new = chain.stretches[number]
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
      if let oldCohort { facts.add(1, .switchedOut, cohort: oldCohort, month: new.start) }
      if new.isPaid, let newCohort {
        facts.add(1, .switchedIn, cohort: newCohort, month: new.start)
      }
    }
  }

  /// Adds a refund under the cohort of the refunded charge.
  mutating func add(_ refund: RefundFacts, _ terms: [ChargeTerms]) {
    let cohort = index.cohort(
      terms: refund.terms, attributes: terms[refund.terms].attributes,
      chainPart: index.chainPart(refund.key))
    guard let cohort else { return }
    money.addRefund(
      price: refund.price, proceeds: refund.proceeds, isFull: refund.isFull, count: 1,
      cohort: cohort, month: refund.month, saleMonth: refund.saleMonth)
    if refund.isFull, let saleMonth = refund.saleMonth, saleMonth < refund.month {
      open.add(OpenPeriod(.lateRefund, saleMonth), until: refund.day, cohort: cohort)
    }
  }
}
