import Storage
import SubscriptionModel

extension RowFinder {
  /// Finds the charges that come, go and hold the chain's place, each with its part of a column of recurring revenue.
  mutating func findRecurring(
    _ facts: borrowing ChainFacts, _ place: Place, _ terms: [ChargeTerms],
    _ body: (CountedPeriod) -> Void
  ) {
    findCohorts(facts, terms)
    // Lists, because the cohorts cannot change while they are read.
    var flows: [(flow: RecurringFlow, segment: Int, period: Int32, count: Int)] = []
    for own in facts.facts where own.month == month {
      guard let flow = RecurringFlow.ofFact[own.fact.rawValue] else { continue }
      flows.append((flow, own.segment, own.period, own.count))
    }
    for own in facts.open where own.period.lapses {
      own.period.forEachFact(own.end, on: asOf) { [month] fact, ofFact in
        guard ofFact == month, let flow = RecurringFlow.ofFact[fact.rawValue] else { return }
        flows.append((flow, own.segment, own.number, 1))
      }
    }
    for (flow, segment, period, count) in flows where isAsked(cohorts[segment]) {
      let value = value(facts.segments[segment], terms)
      let numbers: (Int32, Int32) = flow.isInflow ? (-1, 0) : (0, -1)
      find(flow, numbers, [value], Int(period), facts, place, terms, count: count, body)
    }
    for number in facts.changes where facts.segments[number].start == month {
      findReplacement(number, facts, place, terms, body)
    }
    for (column, end) in [(RecurringColumn.open, month), (.mrr, month + 1), (.active, month + 1)]
    where counted.contains(.recurring(column)) {
      guard let number = facts.holder(before: end, on: asOf), isAsked(cohorts[number]) else {
        continue
      }
      let value = value(facts.segments[number], terms)
      guard isOfCurrency(value.currency) else { continue }
      let period = lastPeriod(ofSegment: number, facts, before: end)
      var one = found(.recurring(column), period, facts, place, terms)
      (one.price, one.currency) = (value.milliunits, value.currency)
      body(one)
    }
  }

  /// Finds the chain in a column of status.
  mutating func findStatus(
    _ facts: borrowing ChainFacts, _ place: Place, _ terms: [ChargeTerms],
    _ body: (CountedPeriod) -> Void
  ) {
    findCohorts(facts, terms)
    let end = month + 1
    var all: [(column: StatusColumn, segment: Int, period: Int)] = []
    if let number = facts.holder(before: end, on: asOf) {
      let column: StatusColumn =
        switch terms[facts.segments[number].terms].kind {
        case .standard: .standard
        case .trial, .intro: .introductory
        case .offer: .offers
        }
      all.append((column, number, lastPeriod(ofSegment: number, facts, before: end)))
    } else if let number = facts.freeHolder(before: end, on: asOf), asOf != .last {
      let isTrial = terms[facts.segments[number].terms].kind == .trial
      let period = lastPeriod(ofSegment: number, facts, before: end)
      all.append((isTrial ? .freeTrials : .freeOffers, number, period))
    }
    // Those of receipts, at the end of each month.
    for own in facts.facts where own.month == month {
      if let column = StatusColumn(own.fact) { all.append((column, own.segment, Int(own.period))) }
    }
    for (column, segment, period) in all
    where counted.contains(.status(column)) && isAsked(cohorts[segment]) {
      body(found(.status(column), period, facts, place, terms))
    }
    guard counted.contains(.status(.suspended)), asOf != .last else { return }
    for own in facts.instalments where isOfRow(terms: own.terms, terms, facts.key) {
      let count = own.explainedCounts(in: month, on: facts.asOf).stocks.suspended
      guard count != 0 else { continue }
      var one = found(.status(.suspended), own.periods.own, facts, place, terms)
      one.count = count
      body(one)
    }
  }

  private mutating func findReplacement(
    _ number: Int, _ facts: borrowing ChainFacts, _ place: Place, _ terms: [ChargeTerms],
    _ body: (CountedPeriod) -> Void
  ) {
    let (old, new) = (facts.segments[number - 1], facts.segments[number])
    let values = [value(old, terms), value(new, terms)]
    let going = lastPeriod(ofSegment: number - 1, facts)
    let (oldCohort, newCohort) = (cohorts[number - 1], cohorts[number])
    guard new.isPaid else {
      if isAsked(oldCohort) {
        find(.switchedOut, (0, -1), values, going, facts, place, terms, body)
      }
      return
    }
    if oldCohort != newCohort, isAsked(oldCohort) {
      find(.movedOut, (0, 1), values, going, facts, place, terms, body)
    }
    guard isAsked(newCohort) else { return }
    let cause = RecurringFlow(from: terms[old.terms], to: terms[new.terms])
    if cause == .product, counted.contains(.changedProduct) {
      var one = found(.changedProduct, Int(new.period), facts, place, terms)
      one.before = going
      body(one)
    }
    find(
      oldCohort == newCohort ? cause : cause.fromAnotherCohort, (0, 1), values, Int(new.period),
      before: going, facts, place, terms, body)
  }

  /// Passes the parts of a flow to the wanted columns.
  private func find(
    _ flow: RecurringFlow, _ numbers: (Int32, Int32), _ values: [Amount], _ period: Int,
    before: Int? = nil, _ facts: borrowing ChainFacts, _ place: Place, _ terms: [ChargeTerms],
    count: Int = 1, _ body: (CountedPeriod) -> Void
  ) {
    var sums: [RecurringColumn: Int64] = [:]
    flow.forEachPosting(numbers.0, numbers.1, values) { currency, column, value, sign in
      guard let column, counted.contains(.recurring(column)), isOfCurrency(currency) else { return }
      sums[column, default: 0] += Int64(sign * count) * values[Int(value)].milliunits
    }
    for column in RecurringColumn.allCases {
      guard let sum = sums[column] else { continue }
      var one = found(.recurring(column), period, facts, place, terms)
      (one.price, one.count, one.currency) = (sum, count, row.currency)
      one.before = before ?? facts.periods[period - facts.firstPeriod].before
      body(one)
    }
  }

  /// Returns the monthly value of the charges of a segment, on the basis of the row.
  private func value(_ segment: ChainFacts.Segment, _ terms: [ChargeTerms]) -> Amount {
    let value = terms[segment.terms].value
    return row.worth.map { $0(value, row.usualTerms) }
      ?? value.monthly(row.isOfProceeds ? \.proceeds : \.price, row.usualTerms)
  }
}

extension ChainFacts {
  /// Returns the index of the segment whose charge holds the chain's place before a month; `nil` if none does.
  fileprivate func holder(before month: Month, on asOf: Day) -> Int? {
    guard let number = segments.lastIndex(where: { $0.start < month }) else { return nil }
    let segment = segments[number]
    guard segment.isPaid, segment.lapse.map({ month <= $0 }) ?? true else { return nil }
    // The end of the last period, if no charge followed it.
    var hasEnded = facts.contains { $0.fact == .stoppedBeingActive && $0.month <= month }
    for own in open {
      own.period.forEachFact(own.end, on: asOf) { fact, end in
        if fact == .stoppedBeingActive, end <= month { hasEnded = true }
      }
    }
    return hasEnded ? nil : number
  }

  /// Returns the index of the segment of charges whose free period covers the end of a month; `nil` if none does.
  fileprivate func freeHolder(before month: Month, on asOf: Day) -> Int? {
    guard let number = segments.lastIndex(where: { $0.start < month }),
      !segments[number].isPaid, segments[number].lapse.map({ month <= $0 }) ?? true
    else { return nil }
    let ends: [Fact] = [.freeTrialEnded, .freeOfferEnded]
    var hasEnded = facts.contains {
      ends.contains($0.fact) && $0.segment == number && $0.month < month
    }
    for own in open where own.segment == number {
      own.period.forEachFact(own.end, on: asOf) { fact, end in
        if ends.contains(fact), end < month { hasEnded = true }
      }
    }
    return hasEnded ? nil : number
  }
}

extension StatusColumn {
  /// The column of a state at the end of a month; `nil` for any other fact.
  fileprivate init?(_ fact: Fact) {
    switch fact {
    case .freeTrialBegan: self = .freeTrials
    case .freeOfferBegan: self = .freeOffers
    case .inGrace: self = .grace
    case .inBillingRetry: self = .billingRetry
    case .isSuspended: self = .suspended
    case .isUnresolved: self = .unresolved
    default: return nil
    }
  }
}
