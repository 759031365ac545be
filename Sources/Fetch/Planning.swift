import Files
import SubscriptionModel

/// Which reports of a vendor are to be asked for now.
struct Planning {
  private let account: FetchAccount
  private let options: FetchOptions
  private let index: FetchIndex
  private let vendor: String
  private let now: Instant

  /// The days below which a day that is not fetched is soon gone.
  private static let dyingAge = Schedule.lastAge - 3

  init(
    _ account: FetchAccount, _ options: FetchOptions, _ index: FetchIndex, _ vendor: String,
    now: Instant
  ) {
    (self.account, self.options, self.index) = (account, options, index)
    (self.vendor, self.now) = (vendor, now)
  }

  /// Returns the calls in their order: days that are soon gone, then the newest first.
  ///
  /// The lanes get the finance kinds that were never asked for, period after period. `ofKinds` are the kinds; `nil`
  /// for all of the account.
  func calls(_ lanes: inout [FinanceLane], ofKinds: [FetchKind]? = nil) -> [Call] {
    let kinds = ofKinds ?? account.reportKinds
    var calls = kinds.filter { $0.service == .sales }.flatMap(daily)
    for kind in kinds where kind.service == .finance {
      if index[fact: Self.backfilled(kind, vendor)] == nil {
        if let lane = lane(kind) { lanes.append(lane) }
      } else {
        calls += known(kind)
      }
    }
    let today = now.pacificClock.day
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
    let today = now.pacificClock.day
    let newest = Schedule.newestDue(now, isForced: options.isForced)
    let oldest = today - Schedule.lastAge
    let first = index.isUnused(kind, vendor) ? newest : options.since ?? oldest
    return (oldest.number...newest.number).compactMap { number in
      let day = Day(number: number)
      let key = FetchKey(kind, vendor, .day(day))
      if options.reasked?.contains(day) == true { return Call(key: key, reason: .reask) }
      guard day >= first else { return nil }
      return Schedule.reason(day, index[key], now, isForced: options.isForced).map {
        Call(key: key, reason: $0)
      }
    }
  }

  /// The days that were waited for, and are now older than Apple keeps them.
  var gone: [FetchKey] {
    let oldest = now.pacificClock.day - Schedule.lastAge
    return index.records.filter { key, record in
      key.kind.service == .sales && key.vendor == vendor && key.slot.lastDay < oldest
        && (record.state == .pending || record.state == .missing)
    }.map(\.key)
  }

  /// The periods of a finance kind that are due again, after the first run.
  private func known(_ kind: FetchKind) -> [Call] {
    let today = now.pacificClock.day
    let newest = FiscalPeriod(containing: today)
    var again: [FiscalPeriod] = []
    if let days = options.reasked {
      var period = FiscalPeriod(containing: min(days.upperBound, today))
      while period >= Schedule.firstPeriod, period.lastDay >= days.lowerBound {
        if period.lastDay < today { again.append(period) }
        period = period - 1
      }
    }
    let due = (0..<13).map { newest - $0 }.filter { !again.contains($0) }
    return again.map { Call(key: FetchKey(kind, vendor, .period($0)), reason: .reask) }
      + due.compactMap { period in
        let key = FetchKey(kind, vendor, .period(period))
        return Schedule.reason(period, index[key], now, isForced: options.isForced)
          .map { Call(key: key, reason: $0) }
      }
  }

  private func lane(_ kind: FetchKind) -> FinanceLane? {
    var period = FiscalPeriod(containing: now.pacificClock.day)
    let today = now.pacificClock.day
    while Schedule.firstDue(period) > today { period = period - 1 }
    let last = options.since.map { FiscalPeriod(containing: $0) } ?? Schedule.firstPeriod
    guard period >= last else { return nil }
    return FinanceLane(kind: kind, upcoming: period, last: last) { [index, vendor, now] period in
      let record = index[FetchKey(kind, vendor, .period(period))]
      guard let record, Schedule.reason(period, record, now) == nil else { return nil }
      return record.state == .present
    }
  }
}

/// A finance kind of the first run: the newest period first, one after another, until 13 in a row have no
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

/// What the next run asks for, and what an archive has; no request is made.
package enum FetchPlan {
  /// Returns the requests that a run would make now, a line each, then their number.
  package static func lines(
    _ account: FetchAccount, _ options: FetchOptions
  ) throws(FetchError) -> [String] {
    let index = try index(account)
    var lines: [String] = []
    var ends: [String] = []
    for vendor in account.vendors {
      var lanes: [FinanceLane] = []
      let planning = Planning(account, options, index, vendor, now: now)
      lines += planning.calls(&lanes).map(line)
      lines += lanes.map {
        "\($0.kind.displayName) of \(vendor), from \($0.upcoming) back until 13 have no file"
      }
      if !lanes.isEmpty { ends = ["one more for each earlier period of finance"] }
    }
    var count = lines.count
    if account.kinds.contains(.notifications) {
      for bundle in account.bundles {
        lines += NotificationSource.calls(bundle, options, index, now).map(line)
      }
    }
    if lines.count > count { ends.append("one more for each 20 further notifications") }
    count = lines.count
    if account.kinds.contains(.history) {
      for bundle in account.bundles {
        let due = HistorySource.due(bundle, options, index, 1_000 * Int64(now.seconds)).count
        guard due > 0 else { continue }
        let customers = min(due, account.mostCustomers)
        lines.append("histories of \(counted(customers, "customer")) of \(bundle)")
        // The history, and the subscriptions with their renewals.
        count += 2 * customers
      }
    }
    return lines + [([counted(count, "request")] + ends).joined(separator: ", ")]
  }

  private static func line(_ call: Call) -> String {
    "\(call.key.name) of \(call.key.vendor) (\(call.reason.rawValue))"
  }

  /// What an archive has of a kind.
  package struct Status: Sendable {
    package var kind: FetchKind
    package var vendor: String
    package var first: FetchSlot?
    package var last: FetchSlot?
    package var counts: [FetchState: Int] = [:]
    package var restated = 0
    /// The number of reports that the next run asks for.
    package var next = 0
    /// When the next day is due.
    package var when = ""
  }

  /// Returns a row for each kind and vendor.
  package static func status(_ account: FetchAccount) throws(FetchError) -> [Status] {
    let index = try index(account)
    var rows: [Status] = []
    let newest = Schedule.newestDue(now)
    let reports = index.reports(of: account)
    for kind in account.kinds.sorted() {
      for vendor in kind.service == .server ? account.bundles : account.vendors {
        var row = Status(kind: kind, vendor: vendor)
        for (key, record) in reports where key.kind == kind && key.vendor == vendor {
          row.first = min(row.first ?? key.slot, key.slot)
          row.last = max(row.last ?? key.slot, key.slot)
          row.counts[record.state, default: 0] += 1
          row.restated += record.restated
        }
        if kind.service == .server {
          row.next =
            kind == .notifications
            ? NotificationSource.calls(vendor, FetchOptions(), index, now).count
            : HistorySource.due(vendor, FetchOptions(), index, 1_000 * Int64(now.seconds)).count
        } else {
          var one = account
          one.kinds = [kind]
          var lanes: [FinanceLane] = []
          let planning = Planning(one, FetchOptions(), index, vendor, now: now)
          row.next = planning.calls(&lanes, ofKinds: [kind]).count + lanes.count
        }
        row.when = kind.service == .sales ? "\(newest + 2) 05:00 Pacific" : ""
        rows.append(row)
      }
    }
    return rows
  }

  /// Returns what an account waits for that is not fetched now.
  package static func waiting(_ account: FetchAccount) -> FetchOutcome {
    var outcome = FetchOutcome()
    if let index = try? index(account) { outcome.count(index.reports(of: account)) }
    return outcome
  }

  private static var now: Instant {
    Instant(seconds: UInt32(clamping: FileStatus.now / 1_000_000_000))
  }

  /// Opens the index of an account's archive; an empty one where there is none.
  static func index(_ account: FetchAccount) throws(FetchError) -> FetchIndex {
    let path = "\(account.folder)/\(FetchedArchive.hiddenName)/index.sqlite"
    return try FetchIndex(FileStatus(of: path) == nil ? ":memory:" : path)
  }
}
