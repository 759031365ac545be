import SubscriptionModel
import Tables

/// METRICS.md 10.3 and 10.4 for receipts, to compare with.
extension ReferenceReceiptMetrics {
  enum TermEnding {
    case complete, refunded, changed, defaulted
  }

  /// Returns the terms of a chain, each as the indices of its instalments.
  func terms(of chain: Range<Int>) -> [[Int]] {
    var terms: [[Int]] = []
    for index in chain {
      guard let instalment = charges[index].instalment else { continue }
      if instalment.beginsTerm {
        terms.append([index])
      } else {
        terms[terms.count - 1].append(index)
      }
    }
    return terms
  }

  /// The terms of all chains.
  var allTerms: [[Int]] {
    charges.indices.filter { charges[$0].siblings.lowerBound == $0 }
      .flatMap { terms(of: charges[$0].siblings) }
  }

  /// Returns when and how a term ended; `nil` while it runs.
  func end(of term: [Int]) -> (instant: Instant, how: TermEnding)? {
    guard let index = term.last else { return nil }
    let last = charges[index]
    let next = next(index)
    // At a refund that ends the current instalment.
    if last.isEndedByRefund { return (last.end, .refunded) }
    // Complete, at the end of its last instalment.
    if last.instalment?.isLast ?? false {
      return last.end <= last.asOf ? (last.end, .complete) : nil
    }
    // At the start of what took its place, at once or within 2 days of its end.
    if let next, next.start - last.end <= 2 * 86_400 { return (next.start, .changed) }
    // Defaulted, 90 days after the end of the last paid instalment.
    let instant = last.end + 7_776_000
    return instant <= last.asOf ? (instant, .defaulted) : nil
  }

  var retention: [[ReportTable.Cell]] {
    var rows: [[ReportTable.Cell]] = []
    for cohort in Set(starts.map(\.cohort)) {
      let chains = charges.indices.filter { index in
        let start = starts[charges[index].chain]
        return charges[index].siblings.lowerBound == index && start.isKnown
          && start.cohort == cohort
      }.map { paidPeriods(of: charges[$0].siblings) }
      let cells = ReferencePaidPeriod.rows(of: chains, isPartial: false)
      rows += cells.map { (["receipts"] + cohort).map { .text($0) } + $0 }
    }
    return sortedRows(rows, keys: 2 + dimensions.count)
  }

  /// Returns what k counts of a chain, in order.
  private func paidPeriods(of chain: Range<Int>) -> [ReferencePaidPeriod] {
    let terms = self.terms(of: chain)
    var periods: [ReferencePaidPeriod] = []
    for index in chain {
      let charge = charges[index]
      if let term = terms.first(where: { $0.first == index }) {
        let last = charges[term[term.count - 1]]
        // METRICS.md 10.4: one of unknown position censors the chain.
        guard let place = last.instalment, let number = place.number else { return periods }
        // A term cut by a change neither counts nor raises k.
        let how = end(of: term)?.how
        if how == .changed { continue }
        let toCome = Term(months: Int16(max(0, place.total - number)))
        let days = ReferenceCalendar.end(of: toCome, from: last.end.day) - last.end.day
        let scheduledEnd = last.end + days * 86_400
        periods.append(
          ReferencePaidPeriod(
            age: last.asOf - scheduledEnd, decidedAt: 7_776_000,
            isLost: how == .defaulted || last.isChurn, isDefaulted: how == .defaulted))
      } else if charge.isPaid, charge.instalment == nil, !charge.isNothing {
        periods.append(
          ReferencePaidPeriod(
            age: charge.asOf - charge.end, decidedAt: 5_184_000, isLost: charge.isChurn))
      }
    }
    return periods
  }
}
