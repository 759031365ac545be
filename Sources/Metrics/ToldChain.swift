import SubscriptionModel

/// A chain as views need it: its facts, stated once, to be added to every view.
struct ToldChain: ~Copyable {
  /// A fact that one period of the chain is the subject of.
  struct StatedFact {
    var fact: Fact
    var month: Month
    /// The period's index in its history.
    var period: Int
  }

  /// How far the chain was followed through its paid periods.
  struct Survival {
    /// The last k at which the chain was at risk; 0 when at none.
    var k = 0
    var isLost = false
    /// How many paid periods after it ended too late to be decided.
    var pendingPeriods = 0
  }

  let key: ChainKey
  let periods: ArraySlice<Period>
  let facts: [StatedFact]
  let survival: Survival?
  let isOfUnknownStart: Bool
}

extension ViewTally {
  private static let leftOut = -1

  /// Adds a chain.
  ///
  /// - Parameters:
  ///   - chain: The chain with its facts.
  ///   - terms: The terms that periods refer to by index.
  ///   - edgeOfTerms: The left edge that a charge of those terms makes.
  ///   - cohorts: Room to work in.
  mutating func add(
    _ chain: borrowing ToldChain, _ terms: [ChargeTerms], _ edgeOfTerms: [Day], cohorts: inout [Int]
  ) {
    let chainPart = index.chainPart(chain.key)
    cohorts.removeAll(keepingCapacity: true)
    for period in chain.periods {
      let number = Int(period.terms)
      let cohort = index.cohort(
        terms: number, attributes: terms[number].attributes, chainPart: chainPart)
      cohorts.append(cohort ?? Self.leftOut)
      guard let cohort else { continue }
      if chain.isOfUnknownStart { extendEdge(to: edgeOfTerms[number], cohort: cohort) }
      guard terms[number].isPaid else { continue }
      money.addCharge(
        price: terms[number].price, proceeds: terms[number].proceeds, count: 1, cohort: cohort,
        month: period.start.month)
    }
    addFacts(of: chain, cohorts)
    addStock(of: chain, terms, cohorts)
    addSwitches(of: chain, terms, cohorts)
    if let survival = chain.survival, cohorts[0] != Self.leftOut {
      add(survival, cohort: cohorts[0])
    }
  }

  private mutating func addFacts(of chain: borrowing ToldChain, _ cohorts: [Int]) {
    for stated in chain.facts {
      let cohort = cohorts[stated.period - chain.periods.startIndex]
      guard cohort != Self.leftOut else { continue }
      facts.add(1, stated.fact, cohort: cohort, month: stated.month)
      if stated.fact == .lapseRecovered || stated.fact == .lapseReactivated,
        let gap = chain.periods[stated.period].gapDays
      {
        addGap(gap, cohort: cohort, month: stated.month)
      }
    }
  }

  /// Adds when the chain began to be active in a cohort, and when it stopped.
  ///
  /// A paid period that goes on in the same cohort changes nothing, which is the common case.
  private mutating func addStock(
    of chain: borrowing ToldChain, _ terms: [ChargeTerms], _ cohorts: [Int]
  ) {
    var activeCohort = Self.leftOut
    for (offset, period) in chain.periods.enumerated() {
      let cohort = terms[Int(period.terms)].isPaid ? cohorts[offset] : Self.leftOut
      if cohort != activeCohort {
        stopBeingActive(activeCohort, on: period.start)
        if cohort != Self.leftOut {
          facts.add(1, .becameActive, cohort: cohort, month: period.start.month + 1)
        }
      }
      activeCohort = cohort
      guard period.isLapse else { continue }
      stopBeingActive(activeCohort, on: period.end)
      activeCohort = Self.leftOut
    }
  }

  private mutating func stopBeingActive(_ cohort: Int, on day: Day) {
    guard cohort != Self.leftOut else { return }
    facts.add(1, .stoppedBeingActive, cohort: cohort, month: day.month + 1)
  }

  /// Adds continuing charges that left one cohort for another, or changed their product, or became
  /// free.
  private mutating func addSwitches(
    of chain: borrowing ToldChain, _ terms: [ChargeTerms], _ cohorts: [Int]
  ) {
    for (offset, period) in chain.periods.enumerated() {
      guard period.fate == .continued, let day = period.nextStart else { continue }
      let next = chain.periods[chain.periods.startIndex + offset + 1]
      let isSameCohort = cohorts[offset] == cohorts[offset + 1]
      if isSameCohort, period.terms == next.terms { continue }
      let old = terms[Int(period.terms)]
      let new = terms[Int(next.terms)]
      let isSame = isSameCohort && old.attributes.product == new.attributes.product
      guard old.isPaid, !new.isPaid || !isSame else { continue }
      if cohorts[offset] != Self.leftOut {
        facts.add(1, .switchedOut, cohort: cohorts[offset], month: day.month)
      }
      if new.isPaid, cohorts[offset + 1] != Self.leftOut {
        facts.add(1, .switchedIn, cohort: cohorts[offset + 1], month: day.month)
      }
    }
  }

  private mutating func add(_ survival: ToldChain.Survival, cohort: Int) {
    if survival.k > 0 {
      let counts = SurvivalCounts(
        kept: survival.isLost ? 0 : 1, lost: survival.isLost ? 1 : 0, pending: 0)
      addSurvival(counts, cohort: cohort, k: survival.k)
    }
    for later in 0..<survival.pendingPeriods {
      addSurvival(
        SurvivalCounts(kept: 0, lost: 0, pending: 1), cohort: cohort, k: survival.k + 1 + later)
    }
  }
}
