package import Files
import Scanning
import SubscriptionModel

/// What a run of an account has done.
package struct FetchOutcome: Sendable {
  package var fetched = 0
  package var restated = 0
  package var requests = 0
  /// What Apple has not sent yet: days that it usually sends in the morning, then late ones and fiscal periods.
  package var pending: [FetchKey] = []
  /// How many of them are usual in the morning.
  private var usual = 0
  package var missing: [FetchKey] = []
  package var reasons: Set<ExitReason> = []

  package init() {}

  /// Adds what another account's run has done.
  package mutating func add(_ other: FetchOutcome) {
    fetched += other.fetched
    restated += other.restated
    requests += other.requests
    pending.insert(contentsOf: other.pending.prefix(other.usual), at: usual)
    pending += other.pending.dropFirst(other.usual)
    usual += other.usual
    missing += other.missing
    reasons.formUnion(other.reasons)
  }

  /// Counts the pending and missing reports, the newest first.
  mutating func count(_ reports: [FetchKey: FetchRecord]) {
    let keys = reports.keys.sorted { left, right in
      (right.slot.lastDay, left.kind, left.vendor) < (left.slot.lastDay, right.kind, right.vendor)
    }
    missing = keys.filter { reports[$0]?.state == .missing }
    let waiting = keys.filter { reports[$0]?.state == .pending }
    let isUsual = { (key: FetchKey) in
      key.kind.service == .sales && reports[key]?.isLate == false
    }
    pending = waiting.filter(isUsual) + waiting.filter { !isUsual($0) }
    usual = waiting.count(where: isUsual)
  }

  /// The last line of a run.
  package var line: String {
    let restatedText = restated > 0 ? " (\(restated) restated)" : ""
    var waiting = "\(pending.count) pending"
    if let first = pending.first {
      let time = usual > 0 ? ", usual by 08:00 Pacific" : ""
      let more = pending.count > 1 ? "; \(pending.count - 1) more" : ""
      waiting += " (\(first.name)\(time)\(more))"
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
  /// The days and periods whose requests have failed for good, by the words.
  private var failed: [(words: String, slots: Set<FetchSlot>)] = []
  /// Whether the account's team key was refused, so that no request follows.
  var isStopped = false

  var index: FetchIndex { archive.index }

  package init(
    _ account: FetchAccount, _ options: FetchOptions, _ archive: Archive,
    _ transport: any Transport, say: @escaping (String) -> Void
  ) {
    (self.account, self.options, self.archive) = (account, options, archive)
    (self.transport, self.say) = (transport, say)
  }

  var instant: Instant { Instant(seconds: UInt32(clamping: transport.now / 1_000)) }

  /// The time at Apple, in seconds since 1970.
  var appleSeconds: Int64 {
    transport.now / 1_000 + (index[fact: "clock"].flatMap { Int64($0) } ?? 0)
  }

  /// Makes all requests, and returns the counts.
  package func run() -> FetchOutcome {
    var errors: [FetchError] = []
    do throws(FetchError) { try fetch() } catch { errors.append(error) }
    do throws(FetchError) {
      try archive.flush()
      try archive.writeDays(newest: Schedule.newestDue(instant)) { isUnused($0, $1) }
    } catch {
      if !errors.contains(error) { errors.append(error) }
    }
    sayPayments()
    for error in errors {
      let end = error == .noSpace ? ": \(counted(archive.storedCount, "file")) kept" : ""
      print(error.text + end)
      outcome.reasons.insert(error.reason)
    }
    for (words, slots) in failed {
      let days = slots.count { if case .day = $0 { true } else { false } }
      let counts = [(days, "day"), (slots.count - days, "period")].filter { $0.0 > 0 }
      let text = counts.map(counted).joined(separator: ", ")
      print("\(words): \(text) not fetched, the next run goes on")
    }
    finish()
    return outcome
  }

  private func fetch() throws(FetchError) {
    let pump = Pump(self)
    var pace = Pace(account.requestsPerMinute)
    if let missing = account.missingSetting {
      print(missing)
      outcome.reasons.insert(.unusableInput)
    }
    if let key = account.key, !account.reportKinds.isEmpty {
      let tokens = Tokens(key)
      for vendor in account.vendors where !isStopped {
        let source = ReportSource(self, vendor, tokens)
        try pump.run(source, &pace)
        source.saySuspiciousDays()
      }
    }
    guard let key = account.appKey else { return }
    for bundle in account.bundles {
      var pace = Pace(account.isSandbox ? 4 : 40, per: 1_000)
      let tokens = Tokens(key, bundle: bundle)
      if account.has(.notifications) {
        try pump.run(NotificationSource(self, bundle, tokens), &pace)
      }
      if account.has(.history) { try fetchHistory(bundle, tokens, pump, &pace) }
    }
  }

  /// Counts the pending and missing reports, and shows Apple's words about those that it has in unknown ones.
  private func finish() {
    let reports = index.reports(of: account)
    outcome.count(reports)
    if reports.contains(where: { $0.value.isLate && !options.isAccepted($0.key) }) {
      outcome.reasons.insert(.missingDays)
    }
    for key in outcome.pending where key.kind.service == .sales && !saidWords.contains(key) {
      if let words = reports[key]?.unknownWords { sayUnknown(key, words) }
    }
    for (key, words, count) in notes {
      let more = count > 1 ? " and \(count - 1) more" : ""
      print("\(key.name)\(more): \(words)")
    }
  }

  /// Shows Apple's words, which are not known, about a report that it has not sent.
  func sayUnknown(_ key: FetchKey, _ words: String) {
    saidWords.insert(key)
    note(key, nil, "Apple says: \(ReportSource.quoted(words))")
  }

  private var saidWords: Set<FetchKey> = []

  // MARK: For sources

  /// Notes that a report is not to be had, and why, for the end of the run, unless the user accepts that.
  func note(_ key: FetchKey, _ reason: ExitReason?, _ words: String) {
    if options.isAccepted(key) { return }
    if let reason { outcome.reasons.insert(reason) }
    let place = notes.firstIndex {
      $0.words == words && $0.key.kind == key.kind && $0.key.vendor == key.vendor
    }
    if let place {
      notes[place].count += 1
    } else {
      notes.append((key, words, 1))
    }
  }

  /// The reports that are not to be had, in one line each that has the same words for a kind and a vendor.
  private var notes: [(key: FetchKey, words: String, count: Int)] = []

  func print(_ line: String) {
    say("fetch: \(account.prefix)\(line)")
  }

  /// Notes the days and periods of requests that have failed for good.
  func noteFailed(_ words: String, _ slots: Set<FetchSlot>) {
    outcome.reasons.insert(.unreachable)
    if let place = failed.firstIndex(where: { $0.words == words }) {
      failed[place].slots.formUnion(slots)
    } else {
      failed.append((words, slots))
    }
  }

  /// Returns the error of a body that could not be written.
  func diskError(_ number: Int32) -> FetchError {
    FetchError.isOfFullDisk(number)
      ? .noSpace : FetchError("archive: cannot write (error \(number))", .unusableInput)
  }

  func request(
    _ url: String, _ call: inout Call, _ tokens: Tokens, accepts type: String, body: String? = nil
  ) -> FetchRequest {
    let token = tokens.token(at: appleSeconds)
    call.token = tokens.number
    var request = FetchRequest(url: url, accepts: type, token: token, body: body, file: call.file)
    request.isHTTP1 = call.isHTTP1
    return request
  }

  func note(_ call: Call, _ answer: FetchAnswer, _ words: String) {
    index.note(
      FetchIndex.Answer(
        time: transport.now, key: call.key, reason: call.reason.rawValue, status: answer.status,
        words: words, correlation: answer.header("x-apple-jingle-correlation-key") ?? ""))
  }

  /// Uses Apple's clock for tokens if ours differs by more than a minute.
  func adjustClock(_ answer: FetchAnswer) {
    guard let date = answer.header("date").flatMap(HTTPDate.seconds),
      abs(date - appleSeconds) > 60
    else { return }
    let offset = date - transport.now / 1_000
    // A clock that was wrong and is right again needs no words.
    index[fact: "clock"] = abs(offset) > 60 ? String(offset) : nil
    if abs(offset) > 60 { print(Self.words(ofClock: offset)) }
  }

  /// Returns the line about a clock that differs from Apple's by some seconds.
  static func words(ofClock offset: Int64) -> String {
    let (minutes, way) = ((abs(offset) + 30) / 60, offset < 0 ? "ahead of" : "behind")
    return "this clock is \(minutes) min \(way) Apple's; Apple's is used for tokens"
  }

  /// Returns whether a vendor has no data of a kind: Apple refused 3 days, and never sent one.
  func isUnused(_ kind: FetchKind, _ vendor: String) -> Bool {
    if let isUnused = unused[kind]?[vendor] { return isUnused }
    recountUnused(kind, vendor)
    return unused[kind]?[vendor] == true
  }

  private var unused: [FetchKind: [String: Bool]] = [:]

  /// Notes that a vendor has data of a kind.
  func noteUsed(_ kind: FetchKind, _ vendor: String) { unused[kind, default: [:]][vendor] = false }

  /// Looks again whether a vendor has data of a kind, after an answer.
  func recountUnused(_ kind: FetchKind, _ vendor: String) {
    unused[kind, default: [:]][vendor] = index.isUnused(kind, vendor)
  }
}

/// Why a run of `fetch` ends, in one line.
package struct FetchError: Error, Equatable, Sendable {
  /// The line, without `fetch: ` before it.
  package let text: String
  /// The effect on the exit code.
  package let reason: ExitReason

  package init(_ text: String, _ reason: ExitReason) { (self.text, self.reason) = (text, reason) }

  static let noSpace = FetchError("archive: no space left", .unusableInput)

  /// Creates the error of a file that was not written.
  init(_ error: OutputError) {
    if case .locked = error {
      self.init("\(error.path): \(error.message)", .locked)
    } else if let number = error.number, Self.isOfFullDisk(number) {
      self = .noSpace
    } else {
      self.init("\(error.path): \(error.message)", .unusableInput)
    }
  }

  /// Returns whether an error number means that a disk or a quota is full.
  static func isOfFullDisk(_ number: Int32) -> Bool { number == 28 || number == 122 }
}

/// The payments files of an archive, which are in no API: people put them into `payments/`.
struct PaymentsFiles {
  /// The first bytes of all files, and their names.
  private let texts: [String]

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let neededBytes = 4 << 10

  init(_ archive: String) {
    let folder = archive + "/payments"
    let names = (try? OutputFileSystem.names(in: folder)) ?? []
    texts = names.map { name in
      var start: [UInt8] = []
      if var bytes = try? ByteStream(path: folder + "/" + name) {
        try? bytes.read(into: &start, atMost: Self.neededBytes)
      }
      return name + "\n" + String(decoding: start, as: UTF8.self)
    }
  }

  /// Returns whether there is a file of a period, whose first line or name has its month: `(January, 2026)`, `2026-01`.
  func has(_ period: FiscalPeriod) -> Bool {
    let month = period.nameMonth
    let marks = [
      "(\(Self.months[month.monthOfYear - 1]), \(month.year))", month.description,
      period.description,
    ]
    return texts.contains { text in marks.contains { text.contains($0) } }
  }
}

extension FetchSession {
  /// Names the settled periods of a year whose payments file is not in the archive, 33 days after their end.
  func sayPayments() {
    let today = instant.pacificClock.day
    let settled = index.records.filter { key, record in
      key.kind.service == .finance && record.state == .present
        && (33...Schedule.lastAge).contains(today - key.slot.lastDay)
    }
    let periods = Set(settled.keys.map(\.slot)).sorted()
    guard !periods.isEmpty else { return }
    let files = PaymentsFiles(archive.root)
    let wanted = periods.compactMap { slot in
      if case .period(let period) = slot, !files.has(period) { return period.description }
      return nil
    }
    guard !wanted.isEmpty else { return }
    print(
      "payments of \(wanted.joined(separator: ", ")) are in no API: download them by hand (Payments and Financial Reports) into \(archive.root)/payments"
    )
  }
}
