import SubscriptionModel

/// METRICS.md 10.3, to compare with: the instalments of one term that the reports have, and how it ended.
struct ReferenceTerm {
  /// How a term ended.
  enum Ending {
    case complete, refunded, changed, defaulted
  }

  /// A charge of the chain.
  typealias Charge = (period: ReferencePeriod, terms: ChargeTerms)

  /// Indices of the chain's charges, in order.
  let instalments: [Int]
  /// Whether its position is known.
  ///
  /// A column that comes later does not make it so: what runs must be what ran before, with what started and
  /// without what ended.
  let isKnown: Bool
  /// When and how it ended; `nil` while it runs.
  let end: (day: Day, how: Ending)?
  /// METRICS.md 10.4: the end of the last paid instalment plus the months to come.
  let scheduledEnd: Day

  var first: Int { instalments[0] }
  var last: Int { instalments[instalments.count - 1] }

  /// Returns the terms of a chain, in order.
  ///
  /// - Parameters:
  ///   - chain: The chain's charges in order.
  ///   - asOf: The day up to which the data are complete.
  /// - Returns: The terms.
  static func terms(of chain: [Charge], asOf: Day) -> [ReferenceTerm] {
    var groups: [[Int]] = []
    for (index, charge) in chain.enumerated() {
      guard let place = charge.period.instalment else { continue }
      if place.beginsTerm {
        groups.append([index])
      } else {
        groups[groups.count - 1].append(index)
      }
    }
    return groups.map { group in
      let last = chain[group[group.count - 1]]
      let next = chain.indices.contains(group[group.count - 1] + 1)
      let after = next ? chain[group[group.count - 1] + 1] : nil
      let number = last.period.instalment?.number
      let toCome = Term(months: Int16(12 - (number ?? 12)))
      return ReferenceTerm(
        instalments: group, isKnown: chain[group[0]].period.instalment?.number != nil,
        end: end(last, after, asOf: asOf),
        scheduledEnd: ReferenceCalendar.end(of: toCome, from: last.period.end))
    }
  }

  private static func end(
    _ last: Charge, _ next: Charge?, asOf: Day
  ) -> (day: Day, how: Ending)? {
    // At a refund that ends the current instalment.
    if last.period.ending == .refunded { return (last.period.end, .refunded) }
    // Complete, at the end of its last instalment.
    if last.period.instalment?.number == 12 {
      return last.period.end <= asOf ? (last.period.end, .complete) : nil
    }
    // At the start of what took its place, at once or within 2 days of its end: another product or plan,
    // the first instalment of another term, or a free charge.
    if let next, last.period.fate == .continued { return (next.period.start, .changed) }
    // Defaulted, 90 days after the end of the last paid instalment.
    let day = last.period.end + 90
    return day <= asOf ? (day, .defaulted) : nil
  }
}
