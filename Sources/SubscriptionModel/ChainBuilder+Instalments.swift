/// Periods and positions of instalments in reports: METRICS.md 10.2.
extension ChainBuilder {
  /// Days by which an instalment may be charged early or late and still belong to its run.
  private static let runToleranceDays = 3

  /// The state after the charges so far, needed to place the next instalment.
  private struct Course {
    /// The last instalment that has a length: its index among charges, and its period.
    var last: (charge: Int, period: Period)?
    /// The first day of the run of instalments, and the number of the last one in it.
    var run: (start: Day, count: Int)?
    /// Whether a charge came before, other than an instalment without length.
    var hasEarlier = false
    /// Whether the most recent of these charges is `last`.
    var isLastInstalment = false
  }

  /// Returns whether a chain has an instalment.
  ///
  /// - Parameter chain: One of the subscriber's chains.
  /// - Returns: Whether any of its charges is one.
  @inlinable
  public func hasInstalment(_ chain: Chain) -> Bool { hasInstalments && findInstalment(chain) }

  @usableFromInline
  func findInstalment(_ chain: Chain) -> Bool {
    chain.periods.contains { rules[Int(charges[$0].terms)].isInstalment }
  }

  /// Resolves the periods of a chain with instalments in order, because each end depends on earlier charges.
  mutating func resolveInstalments(of chain: Chain) {
    var course = Course()
    for index in chain.periods {
      let next = index + 1 < chain.periods.upperBound ? charges[index + 1] : nil
      guard rules[Int(charges[index].terms)].isInstalment else {
        periods.append(resolve(charges[index], next: next))
        course.hasEarlier = true
        course.isLastInstalment = false
        continue
      }
      // Bought again on the same day: it has no length, no number in its run and no place in a term.
      if let next, next.day == charges[index].day, isSameProduct(charges[index], next) {
        periods.append(
          resolve(charges[index], next: next, instalment: .init(nil, beginsTerm: false)))
        continue
      }
      let isFirst = isFirstOfTerm(index, chain, course)
      let number = number(of: index, isFirst: isFirst, course)
      let beginsTerm = isFirst || number == 1 || !course.isLastInstalment
      charges[index].end = end(of: index, beginsTerm: beginsTerm, &course)
      let period = resolve(
        charges[index], next: next, instalment: .init(number, beginsTerm: beginsTerm))
      periods.append(period)
      course.last = (index, period)
      course.hasEarlier = true
      course.isLastInstalment = true
    }
  }

  private func isFirstOfTerm(_ index: Int, _ chain: Chain, _ course: Course) -> Bool {
    let charge = charges[index]
    guard course.hasEarlier else {
      return chain.start == .known || firstFileDay < BillingPlan.firstSale
    }
    guard course.isLastInstalment, let (before, period) = course.last,
      isSameProduct(charges[before], charge)
    else { return true }
    if period.instalment.position?.isLast == true || period.ending == .refunded { return true }
    if charge.day - period.end > Self.instalmentRetryDays { return true }
    // With a position from a column, a new price does not begin a term: a term may begin with an offer.
    guard terms[Int(charge.terms)].statedPosition == 0 else { return false }
    let (old, new) = (terms[Int(charges[before].terms)].price, terms[Int(charge.terms)].price)
    return old.currency == new.currency && old.milliunits != new.milliunits
  }

  /// Returns the number of an instalment in its term: from a column, else counted; `nil` when unknown.
  private func number(of index: Int, isFirst: Bool, _ course: Course) -> Int? {
    let stated = terms[Int(charges[index].terms)].statedPosition
    if stated > 0 { return Int(stated) }
    if isFirst { return 1 }
    return course.last?.period.instalment.position?.number.map { $0 + 1 }
  }

  /// Returns the end of an instalment's period: whole months after the first day of its run.
  ///
  /// In a run from 31 January, the instalments of 31 January and 28 February end on 28 February and 31 March.
  private func end(of index: Int, beginsTerm: Bool, _ course: inout Course) -> Day {
    let day = charges[index].day
    if let run = course.run, let last = course.last, course.isLastInstalment, !beginsTerm,
      day - last.period.end <= Self.toleranceDays,
      abs(day - run.start.adding(Term(months: Int16(run.count)))) <= Self.runToleranceDays
    {
      course.run = (run.start, run.count + 1)
    } else {
      course.run = (day, 1)
    }
    let run = course.run ?? (day, 1)
    return run.start.adding(Term(months: Int16(run.count)))
  }
}
