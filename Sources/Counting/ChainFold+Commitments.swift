import Storage
import SubscriptionModel

extension ChainFold {
  /// Adds the instalments of a term to `derived`: METRICS.md section 5, commitments.
  mutating func derive(_ term: CommitmentTerm<Day>, _ periods: ReusableArray<Period>) {
    let isKnown = periods[term.instalments[0]].instalment.position?.number != nil
    for (place, index) in term.instalments.enumerated() {
      let period = periods[index]
      let next = term.instalments.indices.contains(place + 1) ? term.instalments[place + 1] : nil
      let pricedIndex = self.priced(in: term, upTo: place, periods)
      let priced = terms[Int(periods[pricedIndex].terms)]
      let position = period.instalment.position
      let step = CommitmentStep(
        currency: priced.proceeds.currency, customerCurrency: priced.price.currency,
        price: priced.price.milliunits, proceeds: priced.proceeds.milliunits,
        remaining: isKnown ? position?.remaining : nil, end: period.end,
        endMonth: months[period.end],
        retryEndMonth: months[period.end + ChainBuilder.instalmentRetryDays],
        next: next.map { after(period, periods[$0]) } ?? after(period, term.ending))
      derived.instalments.append(
        ChainFacts.Instalment(
          terms: Int(period.terms), step: step, start: months[period.start],
          place: .init(place, position),
          periods: .init(own: index, next: next, priced: pricedIndex)))
    }
  }

  /// Returns the period whose price the remaining instalments will have.
  ///
  /// This is the newest period; in a term that began with an offer, the newest standard period, if any.
  private func priced(
    in term: CommitmentTerm<Day>, upTo place: Int, _ periods: ReusableArray<Period>
  ) -> Int {
    let soFar = term.instalments[...place]
    if terms[Int(periods[soFar[0]].terms)].kind == .standard { return term.instalments[place] }
    return soFar.last { terms[Int(periods[$0].terms)].kind == .standard } ?? term.instalments[place]
  }

  private func after(_ period: Period, _ next: Period) -> CommitmentStep.Next {
    period.fate == .continued ? .paid(months[next.start]) : .recovered(months[next.start])
  }

  private func after(_ period: Period, _ ending: CommitmentTerm<Day>.Ending) -> CommitmentStep.Next
  {
    switch ending {
    case .complete: return .complete(isRenewed: period.fate == .continued)
    case .refunded: return .refunded
    case .changed(let day): return .changed(months[day])
    case .lost: return .lost
    case .open: return .open
    }
  }
}
