import Storage
package import SubscriptionModel

/// Derives facts from subscription events and snapshots: METRICS.md section 5, source `events`.
package struct EventFold {
  /// The counts so far.
  package var tally: Tally { counts.total }

  private var counts: FinerTally
  /// The last result of `isLastOfMonth`, stored because all rows of a file have the same day.
  private var lastSnapshot: (day: Day, isLastOfMonth: Bool)?

  /// The day of the newest snapshot, which counts for its month; `nil` for none.
  private let newestSnapshot: Day?

  /// Creates a fold with an empty tally of `events`, given the day of the newest snapshot of the run.
  package init(tally: Tally, newestSnapshot: Day? = nil) {
    counts = FinerTally(tally)
    self.newestSnapshot = newestSnapshot
  }

  package mutating func add(_ key: EventRowKey, quantity: Int, terms: EventTerms) {
    if case .unknown = terms.eventClass {
      counts.tally.unknownEvents[terms.name, default: 0] += quantity
      return
    }
    let month = counts.tally.monthSystem.month(of: key.day)
    // Only the month of the first charge is used, so one day for each month is enough.
    if key.isPaid { counts.tally.addPaidDay(on: counts.tally.monthSystem.firstDay(of: month)) }
    if key.isPaid, case .change = terms.eventClass, terms.isDowngrade,
      counts.tally.others != nil, counts.tally.filter.admits(terms.attributes)
    {
      counts.tally.others?.add(quantity, .renewedByOther, in: month)
    }
    let chainKey = key.chainKey
    counts.forEach { $0.add(key, month, quantity, terms, chainKey) }
    for view in counts.tally.retentionViews {
      counts.tally.views[view].addRetention(key, quantity, terms, chainKey)
    }
  }

  /// Returns how often other tools count something of a month otherwise, of the whole population.
  package func count(_ fact: OtherFact, month: Month) -> Int {
    counts.tally.others?.entries.reduce(0) {
      $0 + ($1.key.fact == fact && $1.key.month == month ? $1.count : 0)
    } ?? 0
  }

  /// Adds a snapshot, which may have no rows; only snapshots of a month's last day count.
  ///
  /// They count for the next month, as its subscriptions at the start.
  package mutating func addSnapshot(of day: Day) {
    if day == newestSnapshot || isLastOfMonth(day) { counts.tally.snapshotDays.insert(day) }
    guard isLastOfMonth(day) else { return }
    counts.tally.snapshotMonths.insert(counts.tally.monthSystem.month(of: day) + 1)
  }

  /// Adds the subscriptions of a column of a snapshot row, for tables of money; other days than the last of a month
  /// count only for the newest snapshot.
  package mutating func addSnapshotRow(
    _ count: Int, _ column: SnapshotColumn, of day: Day, _ terms: SnapshotTerms
  ) {
    guard count != 0, day == newestSnapshot || isLastOfMonth(day) else { return }
    counts.forEach { $0.addSnapshot(count, column, of: day, terms) }
  }

  /// Adds the active subscriptions of a snapshot row.
  ///
  /// Tables only need the last day of a month; rows of other days add nothing.
  package mutating func addSnapshotRow(active: Int, of day: Day, attributes: Attributes) {
    guard active != 0, isLastOfMonth(day) else { return }
    let month = counts.tally.monthSystem.month(of: day) + 1
    counts.forEach { view in
      guard view.isInSnapshot else { return }
      let cohort = view.index.cohort(attributes: attributes, chainPart: 0)
      if let cohort { view.facts.add(active, .snapshotActive, cohort: cohort, month: month) }
    }
  }

  // MARK: A fold of one view

  /// The cohorts of the only view; a fold of several views keeps theirs elsewhere.
  package var cohorts: [[DimensionValue]] { counts.tally.views[0].index.cohorts }

  /// Returns how often a fact has been added for a cohort and a month of the only view.
  package func count(_ fact: Fact, cohort: Int, month: Month) -> Int {
    counts.tally.views[0].facts.count(fact, cohort: cohort, month: month)
  }

  /// Returns the cohort of events in the only view, whatever they count as; `nil` if the filter leaves them out.
  package mutating func cohort(_ key: EventRowKey, _ terms: EventTerms) -> Int? {
    let chainPart = counts.tally.views[0].index.chainPart(key.chainKey)
    return counts.tally.views[0].index.cohort(
      terms: Int(key.terms), attributes: terms.attributes, chainPart: chainPart)
  }

  /// Returns the cohort of a snapshot row in the only view; `nil` if the filter leaves it out, or if snapshots lack a
  /// dimension of the view.
  package mutating func cohort(ofSnapshotRow attributes: Attributes) -> Int? {
    guard counts.tally.views[0].isInSnapshot else { return nil }
    return counts.tally.views[0].index.cohort(attributes: attributes, chainPart: 0)
  }

  /// Returns what a column of a snapshot row counts in the only view, for tables of money; `nil` like
  /// ``cohort(ofSnapshotRow:)``.
  package mutating func key(
    of column: SnapshotColumn, _ terms: SnapshotTerms, on day: Day
  ) -> SnapshotGrid.Key? {
    cohort(ofSnapshotRow: terms.attributes).map {
      SnapshotGrid.Key(column, terms, on: day, cohort: $0)
    }
  }

  /// Returns the outcomes of paid period k that have been added for a cohort of the only view.
  package func survival(cohort: Int, k: Int) -> SurvivalCounts {
    let survival = counts.tally.views[0].survival
    guard cohort < survival.count, k < survival[cohort].count else { return SurvivalCounts() }
    return survival[cohort][k]
  }

  private mutating func isLastOfMonth(_ day: Day) -> Bool {
    if let lastSnapshot, lastSnapshot.day == day { return lastSnapshot.isLastOfMonth }
    let isLast =
      day == counts.tally.monthSystem.lastDay(of: counts.tally.monthSystem.month(of: day))
    lastSnapshot = (day, isLast)
    return isLast
  }
}

extension EventTerms {
  /// Calls `add` with each fact of one event; an event can be several facts.
  @inline(__always)
  fileprivate func forEachFact(isPaid: Bool, _ add: (Fact) -> Void) {
    switch eventClass {
    case .conversion: add(.trialConverted)
    case .lapse where !isPaid: add(.trialNotConverted)
    default: break
    }
    guard isPaid else { return }
    switch eventClass {
    case .conversion: add(.converted)
    case .renewal: add(.dueRenewed)
    case .change:
      // A downgrade takes effect at the renewal.
      if isDowngrade { add(.dueRenewed) }
      add(.switchedIn)
    case .lapse:
      add(.lapseOpenFinal)
      add(.churned(reason))
      if !isFromRetryOrGrace { add(.dueLapsed) }
    case .retry, .grace:
      guard !isFromRetryOrGrace else { return }
      add(.duePending)
      add(.enteredRetry)
    case .start: add(.started)
    case .reactivation: add(.reactivated)
    case .recovery: add(.recovered)
    case .refund, .unknown: break
    }
  }

  /// Whether the events show in retention that a paid period was renewed.
  fileprivate var isKept: Bool { if case .recovery = eventClass { true } else { isPlainRenewal } }

  /// Whether the events show in retention that a paid period was not renewed.
  ///
  /// A pattern, because `==` of another module's enumeration is a call.
  fileprivate var isLapse: Bool { if case .lapse = eventClass { true } else { false } }

  /// Whether the events count in retention.
  fileprivate var isInRetention: Bool { isKept || isLapse }

  /// Returns the paid period whose outcome the events show in retention; `nil` if they show none.
  ///
  /// Consecutive Paid Periods includes the period just bought: a lapse with k is lost at k, a renewal with k + 1
  /// is kept at k.
  package func survivalPeriod(paidPeriods: Int) -> Int? {
    let k = isLapse ? paidPeriods : isKept ? paidPeriods - 1 : 0
    return k >= 1 ? k : nil
  }
}

extension ViewTally {
  fileprivate mutating func add(
    _ key: EventRowKey, _ month: Month, _ quantity: Int, _ terms: EventTerms, _ chainKey: ChainKey
  ) {
    let chainPart = index.chainPart(chainKey)
    // The numbers of event terms are other than those of charge terms; this index has only the
    // former.
    let cohort = index.cohort(
      terms: Int(key.terms), attributes: terms.attributes, chainPart: chainPart)
    if let cohort {
      terms.forEachFact(isPaid: key.isPaid) {
        facts.add(quantity, $0, cohort: cohort, month: month)
      }
      addSurvival(key, quantity, terms, cohort: cohort)
    }
    if key.isPaid, case .change = terms.eventClass {
      addSwitchOut(month, quantity, terms, chainPart)
    }
  }

  /// Adds events to a view of retention alone.
  fileprivate mutating func addRetention(
    _ key: EventRowKey, _ quantity: Int, _ terms: EventTerms, _ chainKey: ChainKey
  ) {
    guard terms.isInRetention else { return }
    let cohort = index.cohort(
      terms: Int(key.terms), attributes: terms.attributes, chainPart: index.chainPart(chainKey))
    if let cohort { addSurvival(key, quantity, terms, cohort: cohort) }
  }

  /// Adds events to retention.
  private mutating func addSurvival(
    _ key: EventRowKey, _ quantity: Int, _ terms: EventTerms, cohort: Int
  ) {
    guard let k = terms.survivalPeriod(paidPeriods: Int(key.paidPeriods)) else { return }
    let isLost = terms.isLapse
    addSurvival(
      SurvivalCounts(kept: isLost ? 0 : quantity, lost: isLost ? quantity : 0, pending: 0),
      cohort: cohort, k: k)
  }

  private mutating func addSwitchOut(
    _ month: Month, _ quantity: Int, _ terms: EventTerms, _ chainPart: Int32
  ) {
    var attributes = terms.attributes
    if terms.previousProduct != .blank {
      attributes.product = terms.previousProduct
      attributes.productName = terms.previousProductName
    }
    guard let cohort = index.cohort(attributes: attributes, chainPart: chainPart) else { return }
    facts.add(quantity, .switchedOut, cohort: cohort, month: month)
  }

  /// Whether snapshots have all dimensions of the view; they lack chain dimensions, such as the start.
  package var isInSnapshot: Bool { !index.dimensions.contains(where: \.isOfChain) }
}

/// A key for counting SUBSCRIPTION_EVENT rows that differ only in their quantity.
package struct EventRowKey: QuickHashable, BitwiseCopyable {
  /// The index of the events' terms.
  package var terms: UInt32
  /// The Event Date.
  package var day: Day
  /// The Original Start Date; `nil` when blank.
  package var originalStart: Day?
  /// Consecutive Paid Periods.
  package var paidPeriods: Int32

  /// The reader of events rejects a larger number of paid periods.
  package static let mostPaidPeriods = Int32(100_000)

  package init(terms: UInt32, day: Day, originalStart: Day?, paidPeriods: Int32) {
    self.terms = terms
    self.day = day
    self.originalStart = originalStart
    self.paidPeriods = paidPeriods
  }

  /// Whether the events are of a paid subscription.
  package var isPaid: Bool { paidPeriods >= 1 }

  /// The start of the subscriptions, which decides their start month.
  package var chainKey: ChainKey {
    ChainKey(start: originalStart.map { .day($0) } ?? .unknown, offer: nil)
  }

  /// Hashes all fields in one 64-bit word: days fit in 16 bits, and so do nearly all period counts.
  package var quickHash: UInt32 {
    let start = UInt64(UInt16(truncatingIfNeeded: originalStart?.number ?? 0))
    let periods = UInt64(UInt16(truncatingIfNeeded: paidPeriods))
    let day = UInt64(UInt32(bitPattern: day.number)) << 48
    return ((UInt64(terms) << 32 | start << 16 | periods) ^ day).quickHash
  }
}
