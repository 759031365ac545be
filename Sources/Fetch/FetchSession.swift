package import Files
import SubscriptionModel

/// What a run of an account has done.
package struct FetchOutcome: Sendable {
  package var fetched = 0
  package var restated = 0
  package var requests = 0
  package var pending: [FetchKey] = []
  package var missing: [FetchKey] = []
  package var reasons: Set<ExitReason> = []

  package init() {}

  /// Adds what another account's run has done.
  package mutating func add(_ other: FetchOutcome) {
    fetched += other.fetched
    restated += other.restated
    requests += other.requests
    pending += other.pending
    missing += other.missing
    reasons.formUnion(other.reasons)
  }

  /// The last line of a run.
  package var line: String {
    let restatedText = restated > 0 ? " (\(restated) restated)" : ""
    var waiting = "\(pending.count) pending"
    if let first = pending.first {
      let more = pending.count > 1 ? " and \(pending.count - 1) more" : ""
      waiting += " (\(first.name)\(more), usual by 08:00 Pacific)"
    }
    return
      "fetched \(counted(fetched, "file"))\(restatedText), \(waiting), \(missing.count) missing, \(counted(requests, "request"))"
  }
}

/// Returns a number with a noun in the right form: `1 file`, `2 files`.
func counted(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}

/// A run for one account: its reports, then its notifications and histories.
package final class FetchSession {
  package let account: FetchAccount
  package let options: FetchOptions
  let transport: any Transport
  package let archive: Archive
  package var outcome = FetchOutcome()
  private let say: (String) -> Void
  /// The failed requests for good, by their words.
  private var failed: [(words: String, count: Int)] = []
  /// Whether the account's team key was refused, so that no request follows.
  var isStopped = false

  var index: FetchIndex { archive.index }

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - options: What to do.
  ///   - archive: Its archive, open.
  ///   - transport: Sends requests.
  ///   - say: Prints a line.
  package init(
    _ account: FetchAccount, _ options: FetchOptions, _ archive: Archive,
    _ transport: any Transport, say: @escaping (String) -> Void
  ) {
    (self.account, self.options, self.archive) = (account, options, archive)
    (self.transport, self.say) = (transport, say)
  }

  /// The time.
  var instant: Instant { Instant(seconds: UInt32(clamping: transport.now / 1_000)) }

  /// The time at Apple, in seconds since 1970.
  var appleSeconds: Int64 {
    transport.now / 1_000 + (index[fact: "clock"].flatMap { Int64($0) } ?? 0)
  }

  /// Makes all requests, and returns the counts.
  package func run() -> FetchOutcome {
    do throws(FetchError) {
      try fetch()
    } catch {
      fail(error)
    }
    do throws(FetchError) {
      try archive.flush()
      try archive.writeDays(newest: Schedule.newestDue(instant)) { isUnused($0, $1) }
    } catch {
      fail(error)
    }
    for (words, count) in failed {
      print("\(words): \(counted(count, "report")) not fetched, the next run goes on")
    }
    finish()
    return outcome
  }

  private func fetch() throws(FetchError) {
    let pump = Pump(self)
    var pace = Pace(account.requestsPerMinute)
    if let key = account.key, !account.reportKinds.isEmpty {
      let tokens = SharedTokens(key)
      for vendor in account.vendors where !isStopped {
        try pump.run(ReportSource(self, vendor, tokens), &pace)
      }
    }
    sayPayments()
    guard let key = account.appKey else { return }
    for bundle in account.bundles {
      var pace = Pace(account.isSandbox ? 4 : 40, per: 1_000)
      let tokens = SharedTokens(key, bundle: bundle)
      if account.has(.notifications) {
        try pump.run(NotificationSource(self, bundle, tokens), &pace)
      }
      if account.has(.history) { try fetchHistory(bundle, tokens, pump, &pace) }
    }
  }

  private func fail(_ error: FetchError) {
    print(error.text)
    outcome.reasons.insert(error.reason)
  }

  /// Counts the pending and missing reports.
  private func finish() {
    let own = index.records.filter { key, _ in
      key.kind.service == .sales && account.reportKinds.contains(key.kind)
        && account.vendors.contains(key.vendor) && !isUnused(key.kind, key.vendor)
    }
    let order = { (left: FetchKey, right: FetchKey) in
      (right.slot, left.kind, left.vendor) < (left.slot, right.kind, right.vendor)
    }
    outcome.pending = own.filter { $0.value.state == .pending }.keys.sorted(by: order)
    outcome.missing = own.filter { $0.value.state == .missing }.keys.sorted(by: order)
    if own.contains(where: { $0.value.isLate }) { outcome.reasons.insert(.missingDays) }
  }

  // MARK: For sources

  /// Prints a line.
  func print(_ line: String) {
    say("fetch: \(account.name.isEmpty ? "" : account.name + ": ")\(line)")
  }

  /// Counts a request that has failed for good.
  func noteFailed(_ words: String, _ count: Int = 1) {
    outcome.reasons.insert(.unreachable)
    if let place = failed.firstIndex(where: { $0.words == words }) {
      failed[place].count += count
    } else {
      failed.append((words, count))
    }
  }

  /// Returns the error of a body that could not be written.
  func diskError(_ number: Int32) -> FetchError {
    FetchError(
      FetchError.isOfFullDisk(number)
        ? "archive: no space left: \(counted(archive.storedCount, "file")) kept"
        : "archive: cannot write (error \(number))", .unusableInput)
  }

  /// Adds an answer to the index.
  func note(_ call: Call, _ answer: FetchAnswer, _ words: String) {
    index.note(
      FetchIndex.Answer(
        time: transport.now, key: call.key, reason: call.reason.rawValue, status: answer.status,
        words: words, correlation: answer.header("x-apple-jingle-correlation-key") ?? ""))
  }

  /// Uses Apple's clock for tokens if ours differs by more than a minute.
  ///
  /// - Returns: Whether the clock was changed.
  func adjustClock(_ answer: FetchAnswer) -> Bool {
    guard let date = answer.header("date").flatMap(HTTPDate.seconds) else { return false }
    let offset = date - transport.now / 1_000
    guard abs(date - appleSeconds) > 60 else { return false }
    index[fact: "clock"] = String(offset)
    let (minutes, way) = ((abs(offset) + 30) / 60, offset < 0 ? "ahead of" : "behind")
    print("this clock is \(minutes) min \(way) Apple's; Apple's is used for tokens")
    return true
  }

  /// Returns whether a vendor has no data of a kind: Apple refused 3 days, and never sent one.
  func isUnused(_ kind: FetchKind, _ vendor: String) -> Bool {
    let key = UnusedKey(kind: kind, vendor: vendor)
    let count = unusedCounts[key] ?? countUnused(kind, vendor)
    unusedCounts[key] = count
    return count >= 3
  }

  private struct UnusedKey: Hashable {
    var kind: FetchKind
    var vendor: String
  }

  private var unusedCounts: [UnusedKey: Int] = [:]

  /// Notes that a vendor has data of a kind.
  func noteUsed(_ kind: FetchKind, _ vendor: String) {
    unusedCounts[UnusedKey(kind: kind, vendor: vendor)] = 0
  }

  /// Counts again whether a vendor has data of a kind, after an answer.
  func recountUnused(_ kind: FetchKind, _ vendor: String) {
    unusedCounts[UnusedKey(kind: kind, vendor: vendor)] = countUnused(kind, vendor)
  }

  private func countUnused(_ kind: FetchKind, _ vendor: String) -> Int {
    var count = 0
    for (key, record) in index.records where key.kind == kind && key.vendor == vendor {
      if record.state == .present { return 0 }
      if record.isOfUnusedKind { count += 1 }
    }
    return count
  }
}

/// The tokens of a key for all requests of a run.
final class SharedTokens {
  var tokens: Tokens
  let keyID: String

  init(_ key: SigningKey, bundle: String? = nil) {
    tokens = Tokens(key, bundle: bundle)
    keyID = key.id
  }
}
