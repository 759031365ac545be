public import SubscriptionModel

/// What a view counts once as-of reaches a day.
struct LaterFacts: Sendable {
  struct FactKey: Hashable, Sendable {
    var cohort: Int
    var fact: Fact
    var month: Month
  }

  struct SurvivalKey: Hashable, Sendable {
    var cohort: Int
    var k: Int
  }

  var facts = LaterCounts<FactKey, Int>()
  var survival = LaterCounts<SurvivalKey, SurvivalCounts>()

  /// Adds another part, or takes it back.
  ///
  /// - Parameters:
  ///   - other: The other part.
  ///   - cohorts: For each of its cohorts the index here.
  ///   - sign: Whether it is added.
  mutating func merge(_ other: LaterFacts, cohorts: [Int], _ sign: MergeSign) {
    facts.merge(other.facts, sign) {
      FactKey(cohort: cohorts[$0.cohort], fact: $0.fact, month: $0.month)
    }
    survival.merge(other.survival, sign) { SurvivalKey(cohort: cohorts[$0.cohort], k: $0.k) }
  }
}

extension Tally {
  /// Counts what waited for as-of to reach a day.
  ///
  /// - Parameter asOf: The day that as-of has reached.
  public mutating func advance(to asOf: Day) {
    for view in suppliedViews { views[view].advance(to: asOf) }
  }
}

extension ViewTally {
  fileprivate mutating func advance(to asOf: Day) {
    for (key, count) in later.facts.takeDue(on: asOf) {
      facts.add(count, key.fact, cohort: key.cohort, month: key.month)
    }
    for (key, counts) in later.survival.takeDue(on: asOf) {
      addSurvival(counts, cohort: key.cohort, k: key.k)
    }
  }

  /// Adds what a chain will say on later days.
  mutating func addLater(of chain: borrowing ToldChain, _ cohorts: Refillable<Int>) {
    for stated in chain.laterFacts where cohorts[stated.stretch] != Self.leftOut {
      later.facts.add(
        1, .init(cohort: cohorts[stated.stretch], fact: stated.fact, month: stated.month),
        on: stated.day)
    }
    guard cohorts[0] != Self.leftOut else { return }
    for step in chain.laterSurvival {
      later.survival.add(step.counts, .init(cohort: cohorts[0], k: step.k), on: step.day)
    }
  }

  mutating func codeLater<Coder: ValueCoder>(cohorts: Int, with coder: inout Coder) {
    let month = facts.firstMonth
    later.facts.code(with: &coder, blank: .init(cohort: 0, fact: .dueRenewed, month: month)) {
      key, count, coder in
      coder.integer(&key.cohort)
      coder.word(&key.fact)
      coder.month(&key.month)
      coder.integer(&count)
      if !(0..<cohorts).contains(key.cohort) { coder.fail() }
    }
    later.survival.code(with: &coder, blank: .init(cohort: 0, k: 0)) { key, counts, coder in
      coder.integer(&key.cohort)
      coder.integer(&key.k)
      counts.code(with: &coder)
      if !(0..<cohorts).contains(key.cohort) || key.k < 0 { coder.fail() }
    }
  }
}
