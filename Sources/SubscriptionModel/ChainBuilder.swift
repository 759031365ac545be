package import Storage

/// Builds the chains of one subscriber from charge records: METRICS.md section 2, rules 2 to 9.
///
/// The arrays are reused for the next subscriber, so that allocations are rare. `ReferenceChains`
/// in the tests is the slow, obvious version that must agree with it.
@usableFromInline
package struct ChainBuilder: ~Copyable {
  /// Days by which a charge may be late or early and still continue the previous period.
  @inlinable
  package static var toleranceDays: Int { 2 }
  /// Days for which Apple retries billing: a charge within them is a recovery.
  @inlinable
  package static var retryDays: Int { 60 }
  /// Days for which Apple retries billing of an instalment: METRICS.md 10.2.
  @inlinable
  package static var instalmentRetryDays: Int { 90 }

  /// The subscriber's chains.
  package private(set) var chains = ReusableArray<Chain>()
  /// The charges of all chains, chain after chain.
  package internal(set) var periods = ReusableArray<Period>()
  /// How many rows the subscriber has, refunds included.
  package private(set) var rowCount = 0
  /// The subscriber's refunds, unit by unit, in file order.
  package internal(set) var refunds: [Refund] = []

  struct Charge {
    var terms: UInt32
    var day: Day
    /// The first day after the period, measured from this charge; once its run is known, from the run's first.
    var end: Day
    /// The months of the period; 0 if the charge cannot belong to a ``BillingRun``.
    var months: Int16
    var order: UInt64
    var isFree: Bool
    var isIDReset: Bool
    var isRefunded = false
    var fullRefundDay: Day?
  }

  /// The fields of ``ChargeTerms`` needed for every charge, so small that several fit into one
  /// cache line.
  struct CompactTerms {
    var group: Symbol
    /// The number of its duration in ``PeriodEnds``.
    var duration: Int32
    /// The months of a period; 0 for a period in days or with a marketing opt-in.
    var months: Int16
    var isFree: Bool
    var isInstalment: Bool
    /// The last day on which a first charge with these terms may continue a chain from before the
    /// first file.
    var leftEdge: Day
  }

  let terms: [ChargeTerms]
  let compactTerms: [CompactTerms]
  private let ends: PeriodEnds
  /// The apps that moved from one account to another.
  private let transfers: AppTransfers
  /// The day up to which the source is complete.
  package let asOf: Day
  /// The report date of the source's first file.
  package let firstFileDay: Day
  /// Whether any terms are those of instalments; otherwise chains are not searched for them.
  @usableFromInline
  let hasInstalments: Bool
  var charges = ReusableArray<Charge>()
  var refundRecords: [ChargeRecord] = []

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - terms: The terms that records refer to by index.
  ///   - asOf: The day up to which the source is complete.
  ///   - firstFileDay: The report date of the source's first file.
  ///   - transfers: The apps that moved from one account to another.
  package init(
    terms: [ChargeTerms], asOf: Day, firstFileDay: Day, transfers: AppTransfers = .none
  ) {
    self.terms = terms
    self.transfers = transfers
    var durations = NumberedValues<PeriodEnds.Duration>()
    compactTerms = terms.map { terms in
      CompactTerms(
        group: terms.attributes.group,
        duration: Int32(durations.number(of: PeriodEnds.Duration(terms))),
        months: terms.optInTerm == nil ? terms.term.months : 0, isFree: !terms.isPaid,
        isInstalment: terms.isInstalment,
        leftEdge: Self.leftEdge(of: terms, firstFileDay: firstFileDay))
    }
    hasInstalments = compactTerms.contains(where: \.isInstalment)
    ends = PeriodEnds(durations.values, from: firstFileDay, to: asOf)
    self.asOf = asOf
    self.firstFileDay = firstFileDay
  }

  /// Builds the chains of one subscriber, which replace the previous ones.
  ///
  /// - Parameter records: All records of one subscriber, sorted by day and order.
  package mutating func build(_ records: ArraySlice<ChargeRecord>) {
    rowCount = records.count
    chains.removeAll()
    periods.removeAll()
    if !refunds.isEmpty { refunds.removeAll(keepingCapacity: true) }
    charges.removeAll()
    if !refundRecords.isEmpty { refundRecords.removeAll(keepingCapacity: true) }
    collectCharges(records)
    matchRefunds()
    for index in chains.indices {
      let first = charges[chains[index].periods.lowerBound]
      if !transfers.isEmpty { findTransfers(of: index) }
      chains[index].start = start(of: first, receivedOn: chains[index].receivedOn)
      if hasInstalment(chains[index]) {
        resolveInstalments(of: chains[index])
      } else {
        resolvePeriods(of: chains[index])
      }
      if let transfer = chains[index].givenAway { endLastPeriod(by: transfer) }
    }
  }

  /// Lists charges as chains, one for each group in order, and separates refunds.
  private mutating func collectCharges(_ records: ArraySlice<ChargeRecord>) {
    var only: Symbol?
    var isOfOneGroup = true
    for record in records {
      guard !record.isRefund else {
        refundRecords.append(record)
        continue
      }
      let compact = compactTerms[Int(record.terms)]
      if only == nil { only = compact.group }
      isOfOneGroup = isOfOneGroup && only == compact.group
      if isOfOneGroup { append(record, compact, notBefore: 0) }
    }
    if isOfOneGroup {
      if only != nil { chains.append(Chain(start: .before, periods: 0..<charges.count)) }
    } else {
      charges.removeAll()
      collectCharges(ofSeveralGroups: records)
    }
  }

  private mutating func collectCharges(ofSeveralGroups records: ArraySlice<ChargeRecord>) {
    let group = { [compactTerms] (index: Int) in compactTerms[Int(records[index].terms)].group }
    let inOrder = records.indices.filter { !records[$0].isRefund }
      .sorted { (group($0), $0) < (group($1), $1) }
    var first = 0
    for (position, index) in inOrder.enumerated() {
      append(records[index], compactTerms[Int(records[index].terms)], notBefore: first)
      let next = position + 1
      guard next == inOrder.count || group(inOrder[next]) != group(index) else { continue }
      chains.append(Chain(start: .before, periods: first..<charges.count))
      first = charges.count
    }
  }

  /// Adds a charge for each unit of a record, in the order of rule 3.
  @inline(__always)
  private mutating func append(
    _ record: ChargeRecord, _ compact: CompactTerms, notBefore first: Int
  ) {
    let day = Day(number: record.day)
    let charge = Charge(
      terms: record.terms, day: day, end: ends.end(from: day, Int(compact.duration)),
      months: compact.months, order: record.order, isFree: compact.isFree,
      isIDReset: record.isIDReset)
    for _ in 0..<record.units {
      charges.append(charge)
      let last = charges.count - 1
      if last > first, charges[last - 1].day == day { moveIntoPlace(last, notBefore: first) }
    }
  }

  /// Sorts a new charge into those of its day: free before paid, then the earlier end first, then
  /// file order.
  private mutating func moveIntoPlace(_ position: Int, notBefore lowest: Int) {
    var position = position
    while position > lowest {
      let before = charges[position - 1]
      let charge = charges[position]
      guard before.day == charge.day else { return }
      let isInOrder =
        before.isFree != charge.isFree
        ? before.isFree
        : before.end != charge.end ? before.end < charge.end : before.order <= charge.order
      if isInOrder { return }
      charges.swapAt(position - 1, position)
      position -= 1
    }
  }

  // MARK: Starts, endings and fates

  /// Returns whether a chain's first charge is the first of the subscription: METRICS.md 2.7, 2.8
  /// and 2.13.
  private func start(of first: Charge, receivedOn: Day?) -> Chain.Start {
    guard let receivedOn else {
      if first.isIDReset { return .idReset }
      return first.day > compactTerms[Int(first.terms)].leftEdge ? .known : .before
    }
    // Apple gives all subscribers of the app new ids on the day of the transfer, so such an id says
    // nothing of a chain that may be older.
    guard first.day > Self.leftEdge(of: terms[Int(first.terms)], firstFileDay: receivedOn) else {
      return .before
    }
    return first.isIDReset ? .idReset : .known
  }

  // MARK: Transfers

  /// Finds the transfers of a chain's app to the account of its first charge, and from that of its last.
  private mutating func findTransfers(of index: Int) {
    let first = charges[chains[index].periods.lowerBound]
    let last = charges[chains[index].periods.upperBound - 1]
    chains[index].receivedOn =
      transfers.transfer(of: terms[Int(first.terms)].attributes.app, to: first.order)?.day
    chains[index].givenAway = transfers.transfer(
      of: terms[Int(last.terms)].attributes.app, from: last.order)
  }

  /// Ends the last period of a chain by a transfer, unless it lapsed in the files of the old account.
  private mutating func endLastPeriod(by transfer: AppTransfer) {
    let last = periods.count - 1
    // A refund up to the old account's last day is in its files.
    let isRefunded = periods[last].ending == .refunded
    guard periods[last].isOpen,
      periods[last].end > transfer.lastDay - (isRefunded ? 0 : Self.toleranceDays)
    else { return }
    periods[last].end = max(transfer.day, periods[last].start)
    periods[last].ending = .transferred
    periods[last].fate = .running
  }

  // MARK: Periods

  /// Returns the last day on which a first charge may continue a chain from before the first file.
  private static func leftEdge(of first: ChargeTerms, firstFileDay: Day) -> Day {
    switch first.kind {
    case .trial: return .first
    case .intro:
      guard first.offerMode == .payAsYouGo, let offerTerm = first.offerTerm else { return .first }
      return firstFileDay.adding(offerTerm)
    case .standard, .offer:
      return firstFileDay.adding(first.regularTerm) + first.retryDays
    }
  }

  private mutating func resolvePeriods(of chain: Chain) {
    var run = BillingRun()
    for index in chain.periods {
      let next = index + 1 < chain.periods.upperBound ? charges[index + 1] : nil
      measure(index, before: next, &run)
      periods.append(resolve(charges[index], next: next, run))
    }
  }

  /// Sets the end of a charge's period by the run that it belongs to: METRICS.md 2.2, billing day.
  ///
  /// The periods of earlier charges are known.
  @inline(__always)
  mutating func measure(_ index: Int, before next: Charge?, _ run: inout BillingRun) {
    let charge = charges[index]
    // An instalment of no length has no number: it belongs to no run, and ends none.
    if let next, hasNoLength(charge, before: next),
      compactTerms[Int(charge.terms)].isInstalment
    {
      return
    }
    guard charge.months > 0 else {
      run.stop()
      return
    }
    let months = Int(charge.months)
    if run.months > 0, charge.day - periods[run.last].end <= Self.toleranceDays,
      run.goesOn(on: charge.day), mayShareRun(charges[run.last], charge)
    {
      charges[index].end = run.add(index, on: charge.day, months: months, ownEnd: charge.end)
    } else {
      run.begin(
        index, on: charge.day, isLate: ends.isLateInMonth(charge.day), months: months,
        end: charge.end)
    }
  }

  /// Returns whether two charges are of the same product and plan, and both or neither are instalments.
  @inline(__always)
  private func mayShareRun(_ charge: Charge, _ next: Charge) -> Bool {
    if charge.terms == next.terms { return true }
    return isSameProduct(charge, next)
      && compactTerms[Int(charge.terms)].isInstalment == compactTerms[Int(next.terms)].isInstalment
  }

  /// Returns whether the product was bought again on the same day: METRICS.md 2.4.
  @inline(__always)
  func hasNoLength(_ charge: Charge, before next: Charge) -> Bool {
    next.day == charge.day && next.day < charge.end - Self.toleranceDays
      && isSameProduct(charge, next)
  }

  @inline(__always)
  func resolve(
    _ charge: Charge, next: Charge?, _ run: BillingRun, instalment: Period.Instalment = .none
  ) -> Period {
    var period = Period(
      terms: charge.terms, start: charge.day, fullEnd: charge.end, end: charge.end,
      ending: .fullEnd, fate: .running, nextStart: next?.day, instalment: instalment)
    if let refundDay = dayEndedByRefund(charge, next: next) {
      period.end = refundDay
      period.ending = .refunded
    } else if let next, next.day < charge.end - Self.toleranceDays {
      period.end = next.day
      period.ending = cut(of: charge, by: next)
    }
    period.fate = fate(of: period)
    if period.fate == .recovered, period.ending == .fullEnd, run.months > 0, let next,
      run.isLaterBillingDay(next.day), isSameProduct(charge, next)
    {
      period.fate = .continued
    }
    return period
  }

  /// Returns the day on which a full refund ended the period; `nil` without one.
  ///
  /// A refund ends the period only if it is inside the period and not after the next charge. If
  /// both charges were on the day of the refund, it does not end the period either.
  private func dayEndedByRefund(_ charge: Charge, next: Charge?) -> Day? {
    guard let day = charge.fullRefundDay, day >= charge.day, day < charge.end else { return nil }
    guard let next else { return day }
    if day > next.day || (day == next.day && day == charge.day) { return nil }
    return day
  }

  /// Returns why a charge more than 2 days early ended a period.
  private func cut(of charge: Charge, by next: Charge) -> Period.Ending {
    guard isSameProduct(charge, next) else { return .changedProduct }
    return next.day == charge.day ? .boughtAgainSameDay : .oldBillingDay
  }

  /// Returns whether two charges have the same product and billing plan: METRICS.md 10.1.
  func isSameProduct(_ charge: Charge, _ next: Charge) -> Bool {
    let (own, other) = (terms[Int(charge.terms)], terms[Int(next.terms)])
    return own.attributes.product == other.attributes.product && own.plan == other.plan
  }

  private func fate(of period: Period) -> Period.Fate {
    guard let gap = period.gapDays else {
      return period.isUndecided
        ? Self.fate(ofOpenPeriodUntil: period.end, on: asOf, retryDays: period.retryDays)
        : .openFinal
    }
    if gap <= Self.toleranceDays { return .continued }
    return gap <= period.retryDays ? .recovered : .reactivated
  }

  /// Returns the first day on which a period without a later charge counts as a lapse: METRICS.md 2.6.
  ///
  /// - Parameter end: The first day after the period, such as 5 April.
  /// - Returns: The day, 8 April: a charge up to 7 April would continue the period.
  package static func lapseDay(ofPeriodUntil end: Day) -> Day { end + toleranceDays + 1 }

  /// Returns the fate of a period with no later charge.
  ///
  /// - Parameters:
  ///   - end: The first day after the period.
  ///   - asOf: The day up to which the source is complete.
  ///   - retryDays: Days for which Apple retries billing.
  /// - Returns: The fate, if the period was not ended by a refund: METRICS.md 2.5 and 2.6.
  package static func fate(
    ofOpenPeriodUntil end: Day, on asOf: Day, retryDays: Int = retryDays
  ) -> Period.Fate {
    if asOf < lapseDay(ofPeriodUntil: end) { return .running }
    return end + retryDays <= asOf ? .openFinal : .openProvisional
  }
}

/// The rows behind the charges and refunds of the current subscriber, to name them.
extension ChainBuilder {
  /// Returns the row of a charge.
  ///
  /// - Parameter index: The index of the charge's period in ``periods``.
  /// - Returns: The row's place in the run, as ``ChargeRecord/order`` has it.
  package func row(ofPeriod index: Int) -> UInt64 { charges[index].order }

  /// Returns the row of a refund.
  ///
  /// - Parameter index: The index of the refund in ``refunds``.
  /// - Returns: The row's place in the run, as ``ChargeRecord/order`` has it.
  package func row(ofRefund index: Int) -> UInt64 {
    var next = 0
    for record in refundRecords {
      next += Int(max(1, record.units))
      if index < next { return record.order }
    }
    preconditionFailure("a refund has a row")
  }
}
