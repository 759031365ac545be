import Storage

/// Periods and positions of instalments in reports: METRICS.md 10.2.
extension ChainBuilder {
  /// Days by which an instalment may be charged early or late and still continue the previous ones.
  private static let runToleranceDays = 3

  /// The state after the charges so far, needed to find the position of the next instalment.
  private struct TermProgress {
    /// The last instalment that has a length: its index among charges, and its period.
    var last: (charge: Int, period: Period)?
    /// The first day of the uninterrupted instalments, and how many there are.
    var run: (start: Day, count: Int)?
    /// Whether there is an earlier charge, other than an instalment without length.
    var hasEarlier = false
    /// Whether the newest such charge is `last`.
    var isLastInstalment = false
  }

  /// Returns whether a chain has an instalment.
  ///
  /// - Parameter chain: One of the subscriber's chains.
  /// - Returns: Whether any of its charges is one.
  @inlinable
  package func hasInstalment(_ chain: Chain) -> Bool { hasInstalments && findInstalment(chain) }

  @usableFromInline
  func findInstalment(_ chain: Chain) -> Bool {
    chain.periods.contains { compactTerms[Int(charges[$0].terms)].isInstalment }
  }

  /// Adds the periods of a chain with instalments, in order, because each end depends on earlier
  /// charges.
  mutating func resolveInstalments(of chain: Chain) {
    var progress = TermProgress()
    for index in chain.periods {
      let next = index + 1 < chain.periods.upperBound ? charges[index + 1] : nil
      guard compactTerms[Int(charges[index].terms)].isInstalment else {
        periods.append(resolve(charges[index], next: next))
        progress.hasEarlier = true
        progress.isLastInstalment = false
        continue
      }
      // Bought again on the same day: the instalment has no length and no position in a term.
      if let next, next.day == charges[index].day, isSameProduct(charges[index], next) {
        periods.append(
          resolve(charges[index], next: next, instalment: .init(nil, beginsTerm: false)))
        continue
      }
      let isFirst = isFirstOfTerm(index, chain, progress)
      let number = number(of: index, isFirst: isFirst, progress)
      let beginsTerm = isFirst || number == 1 || !progress.isLastInstalment
      charges[index].end = end(of: index, beginsTerm: beginsTerm, &progress)
      let period = resolve(
        charges[index], next: next, instalment: .init(number, beginsTerm: beginsTerm))
      periods.append(period)
      progress.last = (index, period)
      progress.hasEarlier = true
      progress.isLastInstalment = true
    }
  }

  private func isFirstOfTerm(_ index: Int, _ chain: Chain, _ progress: TermProgress) -> Bool {
    let charge = charges[index]
    guard progress.hasEarlier else {
      return chain.start == .known || firstFileDay < BillingPlan.firstSale
    }
    guard progress.isLastInstalment, let (before, period) = progress.last,
      isSameProduct(charges[before], charge)
    else { return true }
    if period.instalment.position?.isLast == true || period.ending == .refunded { return true }
    if charge.day - period.end > Self.instalmentRetryDays { return true }
    // If a column states positions, a new price does not begin a term: it may only be the end of an
    // offer.
    guard terms[Int(charge.terms)].statedPosition == 0 else { return false }
    let (old, new) = (terms[Int(charges[before].terms)].price, terms[Int(charge.terms)].price)
    return old.currency == new.currency && old.milliunits != new.milliunits
  }

  /// Returns the number of an instalment in its term, from a column or by counting; `nil` if it is
  /// unknown.
  private func number(of index: Int, isFirst: Bool, _ progress: TermProgress) -> Int? {
    let stated = terms[Int(charges[index].terms)].statedPosition
    if stated > 0 { return Int(stated) }
    if isFirst { return 1 }
    return progress.last?.period.instalment.position?.number.map { $0 + 1 }
  }

  /// Returns the end of an instalment's period: whole months after the first of the uninterrupted
  /// instalments.
  ///
  /// Example: if the first is charged on 31 January, it ends on 28 February, and the second on 31
  /// March.
  private func end(of index: Int, beginsTerm: Bool, _ progress: inout TermProgress) -> Day {
    let day = charges[index].day
    if let run = progress.run, let last = progress.last, progress.isLastInstalment, !beginsTerm,
      day - last.period.end <= Self.toleranceDays,
      abs(day - run.start.adding(Term(months: Int16(run.count)))) <= Self.runToleranceDays
    {
      progress.run = (run.start, run.count + 1)
    } else {
      progress.run = (day, 1)
    }
    let run = progress.run ?? (day, 1)
    return run.start.adding(Term(months: Int16(run.count)))
  }
}
