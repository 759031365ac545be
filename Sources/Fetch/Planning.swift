import Files
import SubscriptionModel

/// Which reports of a vendor are to be asked for now.
struct Planning {
  private let session: FetchSession
  private let vendor: String

  /// The days below which a day that is not fetched is soon gone.
  private static let dyingAge = Schedule.lastAge - 3

  init(_ session: FetchSession, _ vendor: String) { (self.session, self.vendor) = (session, vendor) }

  /// Returns the calls, in their order: days that are soon gone, then the newest first.
  ///
  /// - Parameter lanes: Gets the finance kinds that were never asked for, period after period.
  func calls(_ lanes: inout [FinanceLane]) -> [Call] {
    let kinds = session.account.reportKinds
    var calls = kinds.filter { $0.service == .sales }.flatMap(daily)
    for kind in kinds where kind.service == .finance {
      if session.index[fact: Self.backfilled(kind, vendor)] == nil {
        if let lane = lane(kind) { lanes.append(lane) }
      } else {
        calls += known(kind)
      }
    }
    let today = session.instant.pacificClock.day
    return calls.sorted { left, right in
      let isDying = { (call: Call) in
        call.key.kind.service == .sales && today - call.key.slot.lastDay > Self.dyingAge
      }
      if isDying(left) != isDying(right) { return isDying(left) }
      return (right.key.slot.lastDay, left.key.kind) < (left.key.slot.lastDay, right.key.kind)
    }
  }

  /// The name of the fact that the first run of a finance kind is over.
  static func backfilled(_ kind: FetchKind, _ vendor: String) -> String {
    "backfilled.\(kind.rawValue).\(vendor)"
  }

  private func daily(_ kind: FetchKind) -> [Call] {
    let (now, options) = (session.instant, session.options)
    let today = now.pacificClock.day
    let newest = Schedule.newestDue(now, isForced: options.isForced)
    let oldest = max(today - Schedule.lastAge, options.since ?? .first)
    noteGone(kind, before: today - Schedule.lastAge)
    guard oldest <= newest else { return [] }
    return (oldest.number...newest.number).compactMap { number in
      let day = Day(number: number)
      let key = FetchKey(kind, vendor, .day(day))
      if options.reasked?.contains(day) == true { return Call(key: key, reason: .reask) }
      return Schedule.reason(day, session.index[key], now, isForced: options.isForced).map {
        Call(key: key, reason: $0)
      }
    }
  }

  /// Marks days as gone that were waited for, and are now older than Apple keeps them.
  private func noteGone(_ kind: FetchKind, before oldest: Day) {
    for (key, record) in session.index.records where key.kind == kind && key.vendor == vendor {
      guard record.state == .pending || record.state == .missing, key.slot.lastDay < oldest else {
        continue
      }
      var gone = record
      gone.state = .gone
      gone.isLate = false
      session.index[key] = gone
      session.outcome.reasons.insert(.missingDays)
      session.print("\(key.name): gone: Apple keeps reports for 365 days")
    }
  }

  /// The periods of a finance kind that are due again, after the first run.
  private func known(_ kind: FetchKind) -> [Call] {
    let now = session.instant
    let newest = FiscalPeriod(containing: now.pacificClock.day)
    return (0..<13).compactMap { back in
      let key = FetchKey(kind, vendor, .period(newest - back))
      return Schedule.reason(newest - back, session.index[key], now, isForced: session.options.isForced)
        .map { Call(key: key, reason: $0) }
    }
  }

  private func lane(_ kind: FetchKind) -> FinanceLane? {
    let now = session.instant
    var period = FiscalPeriod(containing: now.pacificClock.day)
    let today = now.pacificClock.day
    while Schedule.firstDue(period) > today { period = period - 1 }
    let last = session.options.since.map { FiscalPeriod(containing: $0) } ?? Schedule.firstPeriod
    guard period >= last else { return nil }
    return FinanceLane(kind: kind, upcoming: period, last: last) { [session, vendor] period in
      let record = session.index[FetchKey(kind, vendor, .period(period))]
      guard let record, Schedule.reason(period, record, now) == nil else { return nil }
      return record.state == .present
    }
  }
}

/// A finance kind that is asked for the first time: the newest period first, one after another, until 13 in a row have no
/// file.
struct FinanceLane {
  let kind: FetchKind
  var upcoming: FiscalPeriod
  let last: FiscalPeriod
  /// Returns whether a period that needs no request has a file; `nil` for one that needs one.
  let isKnown: (FiscalPeriod) -> Bool?
  private var isRunning = false
  private var emptyCount = 0
  private(set) var isFinished = false
  private var isFailed = false

  init(
    kind: FetchKind, upcoming: FiscalPeriod, last: FiscalPeriod,
    isKnown: @escaping (FiscalPeriod) -> Bool?
  ) {
    (self.kind, self.upcoming, self.last, self.isKnown) = (kind, upcoming, last, isKnown)
  }

  /// Returns the next period to ask for.
  mutating func next() -> FiscalPeriod? {
    guard !isRunning, !isFinished, !isFailed else { return nil }
    while upcoming >= last, emptyCount < Schedule.emptyPeriods {
      let period = upcoming
      upcoming = upcoming - 1
      if let hasFile = isKnown(period) {
        emptyCount = hasFile ? 0 : emptyCount + 1
        continue
      }
      isRunning = true
      return period
    }
    return nil
  }

  mutating func answered(_ slot: FetchSlot, hasFile: Bool, isFailed: Bool) {
    isRunning = false
    if isFailed { self.isFailed = true }
    emptyCount = hasFile ? 0 : emptyCount + 1
    isFinished = !self.isFailed && (emptyCount >= Schedule.emptyPeriods || upcoming < last)
  }
}
