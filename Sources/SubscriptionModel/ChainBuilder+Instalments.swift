import Storage

/// Positions of instalments in reports: METRICS.md 10.2.
extension ChainBuilder {
  /// The state after the charges so far, needed to find the position of the next instalment.
  private struct TermProgress {
    /// The last instalment that has a length: its index among charges, and its period.
    var last: (charge: Int, period: Period)?
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

  /// Adds the periods of a chain with instalments, in order, because each position depends on earlier
  /// charges.
  mutating func resolveInstalments(of chain: Chain) {
    var progress = TermProgress()
    var run = BillingRun()
    for index in chain.periods {
      let next = index + 1 < chain.periods.upperBound ? charges[index + 1] : nil
      measure(index, before: next, &run)
      guard compactTerms[Int(charges[index].terms)].isInstalment else {
        periods.append(resolve(charges[index], next: next, run))
        progress.hasEarlier = true
        progress.isLastInstalment = false
        continue
      }
      // Bought again on the same day: the instalment has no length and no position in a term.
      if let next, hasNoLength(charges[index], before: next) {
        periods.append(
          resolve(charges[index], next: next, run, instalment: .init(nil, beginsTerm: false)))
        continue
      }
      let isFirst = isFirstOfTerm(index, chain, progress)
      let number = number(of: index, isFirst: isFirst, progress)
      let beginsTerm = isFirst || number == 1 || !progress.isLastInstalment
      let period = resolve(
        charges[index], next: next, run, instalment: .init(number, beginsTerm: beginsTerm))
      periods.append(period)
      progress.last = (index, period)
      progress.hasEarlier = true
      progress.isLastInstalment = true
    }
  }

  private func isFirstOfTerm(_ index: Int, _ chain: Chain, _ progress: TermProgress) -> Bool {
    let charge = charges[index]
    guard progress.hasEarlier else {
      return chain.start == .known || (chain.receivedOn ?? firstFileDay) < BillingPlan.firstSale
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
}
