package import Storage
import SubscriptionModel

extension Tally {
  /// Writes or reads the counts of chains.
  ///
  /// - Parameter coder: Writes the counts, or reads them into an empty tally of the same views, filters and
  ///   months.
  package mutating func code(with coder: inout some ValueCoder) {
    coder.buffered { codeParts(with: &$0) }
  }

  private mutating func codeParts(with coder: inout ValueBuffer) {
    for view in suppliedViews { views[view].code(with: &coder) }
    var doubtful = doubtfulLapses.map { (month: $0.key, count: $0.value) }
    doubtful.sort { $0.month < $1.month }
    coder.list(&doubtful, blank: (Month(number: 0), 0)) { lapses, coder in
      coder.month(&lapses.month)
      coder.count(&lapses.count)
    }
    if coder.isReading {
      doubtfulLapses = [:]
      for (month, count) in doubtful { addDoubtfulLapses(count, in: month) }
    }
    laterDoubtfulLapses.code(with: &coder, blank: Month(number: 0)) { month, count, coder in
      coder.month(&month)
      coder.count(&count)
    }
    firstPaidDays.code(with: &coder)
    prices?.code(with: &coder)
    others?.code(with: &coder)
    coder.count(&instalmentsWithoutPosition)
    coder.count(&rowCount)
    guard source == .receipts else { return }
    lengths.code(with: &coder)
    usualTerms.code(with: &coder)
    var first = firstChargeDay
    coder.optional(&first, blank: Day(number: 0)) { $1.day(&$0) }
    includeFirstCharge(on: first)
  }
}

extension ViewTally {
  fileprivate mutating func code<Coder: ValueCoder>(with coder: inout Coder) {
    var cohorts = index.cohorts
    coder.list(&cohorts, blank: []) { values, coder in
      coder.list(&values, blank: .unknown) { $0.code(with: &$1) }
    }
    guard coder.isValid, cohorts.allSatisfy({ $0.count == index.dimensions.count }) else {
      return coder.fail()
    }
    for (number, values) in cohorts.enumerated() where index.cohort(of: values) != number {
      return coder.fail()
    }
    facts.code(cohorts: cohorts.count, with: &coder)
    money.code(cohorts: cohorts.count, with: &coder)
    codeSurvival(cohorts: cohorts.count, with: &coder)
    codeGaps(cohorts: cohorts.count, with: &coder)
    codeEdges(cohorts: cohorts.count, with: &coder)
    open.code(cohorts: cohorts.count, with: &coder)
    commitments.code(cohorts: cohorts.count, with: &coder)
    recurring?.code(cohorts: cohorts.count, with: &coder)
    lifetime?.code(cohorts: cohorts.count, with: &coder)
  }
}

extension DimensionValue {
  /// Writes or reads the value: a number for its case, then its associated value.
  package mutating func code(with coder: inout some ValueCoder) {
    var (form, symbol): (UInt8, Symbol) = (0, .blank)
    var (kind, number): (ChargeKind, Int32) = (.standard, 0)
    switch self {
    case .unknown: form = 0
    case .text(let text): (form, symbol) = (1, text)
    case .product(let id): (form, symbol) = (2, id)
    case .app(let id): (form, symbol) = (3, id)
    case .offer(let own): (form, kind) = (4, own)
    case .month(let month): (form, number) = (5, month.number)
    case .quarter(let month): (form, number) = (6, month.number)
    case .week(let day): (form, number) = (7, day.number)
    case .before(let month): (form, number) = (8, month.number)
    case .idReset: form = 9
    }
    coder.integer(&form)
    switch form {
    case 1...3: coder.symbol(&symbol)
    case 4: coder.word(&kind)
    case 5, 6, 8: coder.integer(&number, in: Month.possibleNumbers)
    case 7: coder.integer(&number, in: Day.possibleNumbers)
    default: break
    }
    switch form {
    case 0: self = .unknown
    case 1: self = .text(symbol)
    case 2: self = .product(symbol)
    case 3: self = .app(symbol)
    case 4: self = .offer(kind)
    case 5: self = .month(Month(number: number))
    case 6: self = .quarter(Month(number: number))
    case 7: self = .week(Day(number: number))
    case 8: self = .before(Month(number: number))
    case 9: self = .idReset
    default: coder.fail()
    }
  }
}
