import SubscriptionModel

/// METRICS.md 10.6, to compare with: a period as section 6 sees it.
///
/// A term is one period.
struct ReferencePricedPeriod {
  /// The terms of the charge, or of the term's first instalment.
  let terms: ChargeTerms
  /// The period; a term ends at its scheduled end, unless a change or a refund ended it earlier.
  let period: ReferencePeriod
  /// The index in the chain of the charge, or of the term's first instalment.
  let index: Int
  /// The index of the instalment that a refund ended, and the term with it; otherwise the same.
  var lastIndex: Int
  /// Whether the position is not known: such instalments take no part, but for a key's first day.
  var isOfUnknownPosition = false
  /// Whether it is a term that defaulted: left out like one that a refund ended.
  var isDefaulted = false
  /// Whether it is a term that runs: it is not reached.
  var isRunning = false
  /// Whether it is a term.
  var isTerm = false
  /// Whether it is a term that was paid to its end.
  var isComplete = false

  /// Returns the periods of a chain, in order.
  static func periods(of chain: [ReferenceTerm.Charge], asOf: Day) -> [ReferencePricedPeriod] {
    let all = ReferenceTerm.terms(of: chain, asOf: asOf)
    var periods: [ReferencePricedPeriod] = []
    for (index, charge) in chain.enumerated() {
      guard charge.terms.plan == .commitment, charge.terms.price.milliunits > 0 else {
        periods.append(
          ReferencePricedPeriod(
            terms: charge.terms, period: charge.period, index: index, lastIndex: index))
        continue
      }
      // Later instalments, and those of no length, are no periods of their own.
      if let term = all.first(where: { $0.first == index }) {
        periods.append(whole(term, chain))
      }
    }
    return periods
  }

  private static func whole(
    _ term: ReferenceTerm, _ chain: [ReferenceTerm.Charge]
  ) -> ReferencePricedPeriod {
    let first = chain[term.first]
    let last = chain[term.last].period
    var ending = last.ending
    var end = term.scheduledEnd
    switch term.end?.how {
    case .changed:
      ending = .changedProduct
      end = term.end?.day ?? end
    case .refunded: end = term.end?.day ?? end
    case .complete: end = last.end
    case .defaulted, nil: ending = .fullEnd
    }
    // Something else was bought since, so that the next instalment will not come: METRICS.md 10.5.
    let isLost = term.end == nil && last.instalment?.number != 12 && last.nextStart != nil
    // What continues a 12th instalment may be known before that one ends.
    let isRunning = term.end == nil && !isLost && last.instalment?.number != 12
    let period = ReferencePeriod(
      terms: first.period.terms, start: first.period.start, fullEnd: end, end: end, ending: ending,
      fate: isRunning ? .running : last.fate, nextStart: last.nextStart,
      instalment: first.period.instalment)
    return ReferencePricedPeriod(
      terms: first.terms, period: period, index: term.first,
      lastIndex: term.end?.how == .refunded ? term.last : term.first,
      isOfUnknownPosition: !term.isKnown, isDefaulted: isLost || term.end?.how == .defaulted,
      isRunning: term.end == nil && !isLost, isTerm: true,
      isComplete: term.end?.how == .complete)
  }
}
