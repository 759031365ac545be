import Files
import SubscriptionModel

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
      lines += planning.calls(&lanes).map { "\($0.key.name) of \(vendor) (\($0.reason.rawValue))" }
      lines += lanes.map {
        "\($0.kind.displayName) of \(vendor), from \($0.upcoming) back until 13 have no file"
      }
      if !lanes.isEmpty { ends = ["one more for each earlier period of finance"] }
    }
    var count = lines.count
    if account.kinds.contains(.notifications) {
      for bundle in account.bundles {
        lines += NotificationSource.calls(bundle, options, index, now).map {
          "\($0.key.name) of \(bundle) (\($0.reason.rawValue))"
        }
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
