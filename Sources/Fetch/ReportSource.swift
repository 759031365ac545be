import AppStoreReports
import Files
import SubscriptionModel

/// The reports and finance files of a vendor: requests, and the meaning of each answer.
final class ReportSource: CallSource {
  private let session: FetchSession
  private let vendor: String
  private let tokens: Tokens
  private var index: FetchIndex { session.index }

  private enum Gate {
    /// Nothing was asked yet.
    case closed
    /// The first request is on its way, alone.
    case waiting
    case open
    /// No request follows.
    case stopped
  }

  private var gate = Gate.closed
  private var queue: [Call] = []
  private var lanes: [FinanceLane]
  private var stoppedServices: Set<FetchKind.Service> = []
  private var becameNone: Set<Day> = []
  private var namedColumns: Set<FetchKind> = []
  private let newest: Day
  private let today: Day

  private static let longestError = 64 << 10
  private static let gzipType = "application/a-gzip"

  init(_ session: FetchSession, _ vendor: String, _ tokens: Tokens) {
    (self.session, self.vendor, self.tokens) = (session, vendor, tokens)
    let now = session.instant
    newest = Schedule.newestDue(now, isForced: session.options.isForced)
    today = now.pacificClock.day
    lanes = []
    let planning = Planning(session.account, session.options, session.index, vendor, now: now)
    for key in planning.gone { noteGone(key) }
    queue = planning.calls(&lanes)
  }

  /// Notes that a day that was waited for is older than Apple keeps it, once.
  private func noteGone(_ key: FetchKey) {
    index[key]?.state = .gone
    index[key]?.isLate = false
    session.note(key, .missingDays, "gone: Apple keeps reports for 365 days")
  }

  // MARK: Calls

  func next() -> Call? {
    if session.isStopped { gate = .stopped }
    switch gate {
    case .stopped, .waiting: return nil
    case .closed:
      let first = queue.firstIndex { $0.key.kind == .sales && $0.key.slot == .day(newest) }
      guard let call = queue.isEmpty ? nextOfLanes() : queue.remove(at: first ?? 0) else {
        return nil
      }
      gate = .waiting
      return call
    case .open:
      while !queue.isEmpty {
        let call = queue.removeFirst()
        if isWanted(call) { return call }
      }
      if let call = nextOfLanes() { return call }
      return probe()
    }
  }

  private func isWanted(_ call: Call) -> Bool {
    guard !stoppedServices.contains(call.key.kind.service) else { return false }
    return call.reason == .reask || call.key.slot == .day(newest)
      || call.key.kind.service == .finance
      || !session.isUnused(call.key.kind, vendor)
  }

  private func nextOfLanes() -> Call? {
    guard !stoppedServices.contains(.finance) else { return nil }
    for place in lanes.indices {
      if let period = lanes[place].next() {
        return Call(key: FetchKey(lanes[place].kind, vendor, .period(period)), reason: .first)
      }
    }
    return nil
  }

  func request(_ call: inout Call) -> FetchRequest {
    if call.version.isEmpty { call.version = version(call.key.kind) }
    return session.request(
      Self.url(session.account.connect, call.key, version: call.isProbe ? "9_9" : call.version),
      &call, tokens,
      accepts: call.acceptsGzipAlone ? Self.gzipType : "\(Self.gzipType), application/json")
  }

  /// Returns the address of a report.
  static func url(_ host: String, _ key: FetchKey, version: String) -> String {
    let words = key.kind.reportType
    var filters = [("reportType", words.type), ("vendorNumber", key.vendor)]
    let path: String
    switch key.slot {
    case .day(let day):
      path = "salesReports"
      filters += [
        ("frequency", "DAILY"), ("reportDate", day.description), ("reportSubType", words.subType),
        ("version", version),
      ]
    case .period(let period):
      path = "financeReports"
      let date = String(period.description.dropFirst(2)).replacing("P", with: "")
      filters += [("regionCode", words.subType), ("reportDate", date)]
    }
    let query = filters.map { "filter%5B\($0)%5D=\($1)" }.joined(separator: "&")
    return "\(host)/v1/\(path)?\(query)"
  }

  private func version(_ kind: FetchKind) -> String {
    index[fact: "version.\(kind.rawValue)"] ?? kind.versions[0]
  }

  // MARK: Answers

  func answered(_ call: inout Call, _ answer: FetchAnswer) throws(FetchError) -> Step {
    if let failure = answer.failure {
      let words = Self.words(failure, session.account.connect)
      session.note(call, answer, words)
      if failure == .httpVersion { call.isHTTP1 = true }
      if case .cut = failure { sayTry(call, words) }
      return .retry(words)
    }
    let isError = answer.status != 200
    let body =
      isError && answer.byteCount <= Self.longestError
      ? OutputFileSystem.contents(of: call.file) ?? [] : []
    let text = AnswerText(body)
    let verdict = Verdict(status: answer.status, text)
    session.note(call, answer, text.words)
    if call.isProbe { return answeredProbe(call, verdict) }
    let step = try step(&call, answer, verdict, text.words)
    openGate(verdict, step)
    return step
  }

  /// Lets other requests start after the first, or none.
  private func openGate(_ verdict: Verdict, _ step: Step) {
    guard case .waiting = gate else { return }
    switch (verdict, step) {
    case (.body, .done), (.notYet, _), (.nothing, _), (.unknownWords, _), (.version, _), (.gone, _),
      (.noVendor, .done), (.forbidden, _):
      gate = .open
    case (_, .done), (_, .failed): gate = .stopped
    default: break
    }
  }

  private func step(
    _ call: inout Call, _ answer: FetchAnswer, _ verdict: Verdict, _ words: String
  ) throws(FetchError) -> Step {
    let key = call.key
    switch verdict {
    case .body: return try accept(&call, answer)
    case .notYet, .nothing, .unknownWords: noteAbsent(call, answer, verdict, words)
    case .gone: noteGone(call, answer, words)
    case .version(let named):
      if changeVersion(&call, to: named) { return .again(.version) }
      return refuse(call, answer, words)
    case .noVendor: noteNoVendor(call, answer, verdict, words)
    case .refused: return refuse(call, answer, words)
    case .unauthorized: return unauthorized(&call, answer, words)
    case .agreement:
      session.isStopped = true
      session.outcome.reasons.insert(.unusableInput)
      session.print(
        "an agreement is missing or expired (403): the account holder accepts it at appstoreconnect.apple.com/business; nothing comes until then; \(Self.quoted(words))"
      )
    case .forbidden: forbid(call, words)
    case .notAcceptable:
      if !call.acceptsGzipAlone {
        call.acceptsGzipAlone = true
        return .again(.accept)
      }
      return refuse(call, answer, words)
    case .tooMany:
      let wait = RetryAfter.milliseconds(answer, session.transport.now)
      return .retry("Apple limits requests (429)", after: wait, blocksAll: true)
    case .unexpectedError:
      guard case .waiting = gate, call.failures >= 2 else { return failed(call, answer, words) }
      if index[fact: "worked.\(vendor)"] == nil {
        session.outcome.reasons.insert(.unusableInput)
        session.print(
          "Apple fails (500) on the first request for vendor \(vendor), which never worked here: check the number; else wait: developer.apple.com/system-status"
        )
      } else {
        try gaveUp(call, "Apple fails (500)")
      }
      return .done
    case .failed: return failed(call, answer, words)
    case .redirect:
      let text = "Apple redirects (\(answer.status)), which is not followed"
      try gaveUp(call, text)
      return .failed(text)
    }
    if key.kind == .sales { noteWorked(verdict) }
    return .done
  }

  private func failed(_ call: Call, _ answer: FetchAnswer, _ words: String) -> Step {
    let text = "Apple fails (\(answer.status))" + (words.isEmpty ? "" : "; \(Self.quoted(words))")
    sayTry(call, text)
    return .retry(
      "Apple fails (\(answer.status))",
      after: RetryAfter.milliseconds(answer, session.transport.now))
  }

  private func sayTry(_ call: Call, _ words: String) {
    let next = call.failures + 2
    let end = next > Pump.mostTries ? "the last try" : "try \(next) of \(Pump.mostTries)"
    session.print("\(call.key.name): \(words), \(end)")
  }

  /// Notes that the vendor number is right: SALES has an answer.
  private func noteWorked(_ verdict: Verdict) {
    switch verdict {
    case .body, .notYet, .nothing, .unknownWords, .gone: index[fact: "worked.\(vendor)"] = "1"
    default: break
    }
  }

  // MARK: A report

  private func accept(_ call: inout Call, _ answer: FetchAnswer) throws(FetchError) -> Step {
    let key = call.key
    let given = Self.fileName(answer)
    let check: ReportCheck
    do throws(ReportCheck.Fault) {
      check = try ReportCheck(call.file, key, name: given ?? "")
    } catch {
      sayTry(call, error.text)
      return .retry("Apple sends no whole report")
    }
    let told = answer.header("x-reports-download-version").flatMap(Self.version)
    let version = key.kind.service == .sales ? told ?? call.version : ""
    sayNew(check, key.kind, version)
    index[fact: "unproven.\(key.kind.rawValue)"] = nil
    if key.kind == .sales { noteWorked(.body) }
    let old = index[key]
    var record = FetchRecord(.present)
    record.asked = session.transport.now
    record.answeredAge = today - key.slot.lastDay
    record.version = version
    record.fingerprint = check.fingerprint
    record.restated = old?.restated ?? 0
    record.file = Archive.path(key, given: Archive.usable(given, key), version: version)
    finishLane(key, hasFile: true)
    if let old, !old.file.isEmpty {
      if old.fingerprint.text == check.fingerprint.text {
        var same = old
        (same.asked, same.answeredAge) = (record.asked, record.answeredAge)
        index[key] = same
        return .done
      }
      if old.fingerprint.lines == check.fingerprint.lines {
        session.print("\(key.name): the same rows in another order")
      } else {
        record.restated += 1
        session.outcome.restated += 1
        session.print("\(key.name): restated; the earlier answer is in .subreport/replaced")
      }
    }
    session.outcome.fetched += 1
    try session.archive.store(call.file, key, record, now: session.transport.now)
    // The archive has it now.
    call.file = ""
    session.noteUsed(key.kind, vendor)
    return .done
  }

  private func sayNew(
    _ check: ReportCheck, _ kind: FetchKind, _ version: String
  ) {
    guard kind.service == .sales, !check.newColumns.isEmpty || !kind.versions.contains(version),
      namedColumns.insert(kind).inserted
    else { return }
    let columns = check.newColumns.map(Self.quoted).joined(separator: ", ")
    let text =
      "\(kind.displayName) is version \(version) now (asked \(kind.versions[0])): fetched and kept"
      + (columns.isEmpty ? "" : "; columns unknown to subreport: \(columns)")
    // Not again every night.
    guard index[fact: "said.\(kind.rawValue)"] != text else { return }
    index[fact: "said.\(kind.rawValue)"] = text
    session.print(text)
  }

  /// Returns Apple's name of the file.
  private static func fileName(_ answer: FetchAnswer) -> String? {
    if let name = answer.header("x-reports-filename") { return name }
    guard let text = answer.header("content-disposition"),
      let range = text.firstRange(of: "filename=")
    else { return nil }
    return String(text[range.upperBound...].prefix { $0 != ";" }).replacing("\"", with: "")
  }

  /// Returns a version such as `1_4`; `nil` for another text.
  private static func version(_ text: String) -> String? {
    let parts = text.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
    let isVersion =
      parts.count == 2
      && parts.allSatisfy { part in
        (1...2).contains(part.count) && part.allSatisfy { 0x30...0x39 ~= $0 }
      }
    return isVersion ? text : nil
  }

  // MARK: No report

  /// Notes Apple's words that there is no report, or not yet.
  private func noteAbsent(
    _ call: Call, _ answer: FetchAnswer, _ verdict: Verdict, _ words: String
  ) {
    let key = call.key
    let age = today - key.slot.lastDay
    finishLane(key, hasFile: false)
    if verdict == .unknownWords { session.sayUnknown(key, words) }
    // A report that was once there stays.
    if var old = index[key], !old.file.isEmpty {
      (old.asked, old.answeredAge) = (session.transport.now, age)
      index[key] = old
      return
    }
    var record = record(.pending, call, answer, words)
    if case .period(let period) = key.slot {
      if today - period.lastDay > Schedule.weeklyDays { record.state = .none }
      index[key] = record
      return
    }
    switch verdict {
    case .nothing where age >= Schedule.lateAge && !isUnproven(key.kind):
      record.state = .none
      record.answeredAge = age
      if case .day(let day) = key.slot { becameNone.insert(day) }
    case .notYet where age >= Schedule.lateAge:
      record.state = .missing
      record.isLate = true
      session.note(key, nil, "late: Apple has not made it (\(Self.quoted(words)))")
    case .unknownWords: record.isLate = age >= Schedule.lateAge
    default: break
    }
    index[key] = record
  }

  private func record(
    _ state: FetchState, _ call: Call, _ answer: FetchAnswer, _ words: String
  ) -> FetchRecord {
    var record = FetchRecord(state)
    record.asked = session.transport.now
    record.words = words
    record.version = call.version
    record.correlation = answer.header("x-apple-jingle-correlation-key") ?? ""
    return record
  }

  /// Notes that there is no report, unless one was once there.
  private func note(_ record: FetchRecord, of call: Call) {
    if index[call.key]?.file.isEmpty != false { index[call.key] = record }
  }

  private func noteGone(_ call: Call, _ answer: FetchAnswer, _ words: String) {
    let old = index[call.key]
    finishLane(call.key, hasFile: false)
    if let old, !old.file.isEmpty { return }
    index[call.key] = record(.gone, call, answer, words)
    guard let old, old.state == .pending || old.state == .missing else { return }
    session.note(call.key, .missingDays, "gone: Apple no longer has it; \(Self.quoted(words))")
  }

  /// Whether a version that Apple named has not brought a report yet.
  ///
  /// In January 2024 the version of Apple's 400 brought "no sales" for two days, then Apple took it back.
  private func isUnproven(_ kind: FetchKind) -> Bool {
    index[fact: "unproven.\(kind.rawValue)"] != nil
  }

  /// Changes the version of a kind; returns whether to ask with it.
  private func changeVersion(_ call: inout Call, to named: String?) -> Bool {
    let kind = call.key.kind
    let next = kind.versions.firstIndex(of: call.version).map { kind.versions[($0 + 1)...] }
    guard kind.service == .sales, call.versionChanges < 2,
      let version = named ?? next?.first, version != call.version
    else { return false }
    call.versionChanges += 1
    call.version = version
    if index[fact: "version.\(kind.rawValue)"] != version {
      index[fact: "version.\(kind.rawValue)"] = version
      index[fact: "unproven.\(kind.rawValue)"] = "1"
    }
    return true
  }

  private func noteNoVendor(
    _ call: Call, _ answer: FetchAnswer, _ verdict: Verdict, _ words: String
  ) {
    let kind = call.key.kind
    guard kind != .sales, index[fact: "worked.\(vendor)"] != nil else {
      gate = .stopped
      session.outcome.reasons.insert(.unusableInput)
      note(record(.refused, call, answer, words), of: call)
      return session.print(
        "vendor \(vendor) is not known to Apple (400): it is the number at the top of Payments and Financial Reports, not the team or provider id; \(Self.quoted(words))"
      )
    }
    guard kind.service == .sales else { return noteAbsent(call, answer, verdict, words) }
    var record = record(.none, call, answer, words)
    record.isOfUnusedKind = true
    record.answeredAge = today - call.key.slot.lastDay
    note(record, of: call)
    session.recountUnused(kind, vendor)
  }

  private func refuse(_ call: Call, _ answer: FetchAnswer, _ words: String) -> Step {
    finishLane(call.key, hasFile: false)
    note(record(.refused, call, answer, words), of: call)
    session.note(call.key, .unusableInput, "refused (\(answer.status)): \(Self.quoted(words))")
    return .failed("refused (\(answer.status))")
  }

  // MARK: Keys

  private func unauthorized(_ call: inout Call, _ answer: FetchAnswer, _ words: String) -> Step {
    if session.isStopped { return .done }
    if call.token < tokens.number, !call.hasNewToken {
      call.hasNewToken = true
      return .again(.token)
    }
    guard call.hasNewToken else {
      call.hasNewToken = true
      session.adjustClock(answer)
      tokens.renew()
      return .again(.token)
    }
    session.isStopped = true
    session.outcome.reasons.insert(.unusableInput)
    session.print(
      "key \(tokens.keyID) is not accepted (401): issuer id or key id is wrong, or the key is revoked; \(Self.quoted(words))"
    )
    return .done
  }

  private func forbid(_ call: Call, _ words: String) {
    let service = call.key.kind.service
    guard stoppedServices.insert(service).inserted else { return }
    session.outcome.reasons.insert(.unusableInput)
    let needs =
      service == .finance
      ? "Finance or Admin" : "Sales and Reports, Finance or Admin, and to be a team key"
    session.print(
      "key \(tokens.keyID) may not read \(service.rawValue) reports (403): it needs \(needs); roles of keys cannot be changed: make a team key at appstoreconnect.apple.com/access/integrations/api; \(Self.quoted(words))"
    )
  }

  func gaveUp(_ call: Call, _ words: String) throws(FetchError) {
    finishLane(call.key, hasFile: false, isFailed: true)
    if call.isProbe { return }
    var slots: Set = [call.key.slot]
    if case .waiting = gate {
      gate = .stopped
      slots.formUnion(queue.map(\.key.slot))
    }
    session.noteFailed(words, slots)
    if var old = index[call.key], old.state == .present || old.state == .none {
      old.asked = session.transport.now
      index[call.key] = old
      return
    }
    var record = index[call.key] ?? FetchRecord(.missing)
    record.state = call.key.kind.service == .finance ? .pending : .missing
    record.asked = session.transport.now
    record.words = words
    index[call.key] = record
  }

  private func finishLane(_ key: FetchKey, hasFile: Bool, isFailed: Bool = false) {
    guard let place = lanes.firstIndex(where: { $0.kind == key.kind }) else { return }
    lanes[place].answered(key.slot, hasFile: hasFile, isFailed: isFailed)
    // With --since the older periods are left for another run.
    if lanes[place].isFinished, session.options.since == nil {
      index[fact: Planning.backfilled(key.kind, vendor)] = "1"
    }
  }

  // MARK: Suspicions

  /// Asks which version of a kind is the latest, where it is suddenly empty: a retired version may answer "no sales".
  private func probe() -> Call? {
    guard !stoppedServices.contains(.sales) else { return nil }
    for kind in session.account.reportKinds where kind.service == .sales {
      let fact = "probed.\(kind.rawValue).\(vendor)"
      guard index[fact: fact] == nil,
        settled.allSatisfy({ index[FetchKey(kind, vendor, .day($0))]?.state == FetchState.none }),
        !session.isUnused(kind, vendor), !hasEarlierNone(kind, before: settled[2])
      else { continue }
      index[fact: fact] = newest.description
      session.print(
        "\(kind.displayName): none for 3 days, which never was: Apple is asked for its version")
      var call = Call(key: FetchKey(kind, vendor, .day(newest)), reason: .probe)
      call.isProbe = true
      return call
    }
    return nil
  }

  /// The 3 newest days that can be none.
  private var settled: [Day] { (0..<3).map { today - Schedule.lateAge - $0 } }

  /// Whether Apple said none before, or never sent a report, of a kind.
  private func hasEarlierNone(_ kind: FetchKind, before day: Day) -> Bool {
    var isEverPresent = false
    for (key, record) in index.records where key.kind == kind && key.vendor == vendor {
      guard key.slot.lastDay < day else { continue }
      if record.state == .none { return true }
      if record.state == .present { isEverPresent = true }
    }
    return !isEverPresent
  }

  private func answeredProbe(_ call: Call, _ verdict: Verdict) -> Step {
    let kind = call.key.kind
    guard case .version(let named?) = verdict, named != version(kind) else { return .done }
    index[fact: "version.\(kind.rawValue)"] = named
    index[fact: "unproven.\(kind.rawValue)"] = "1"
    for day in settled {
      let key = FetchKey(kind, vendor, .day(day))
      guard index[key]?.state == FetchState.none else { continue }
      index[key]?.state = .pending
      queue.append(Call(key: key, reason: .version))
    }
    return .done
  }

  /// Names the days that are none for every kind while the days beside them have rows.
  func saySuspiciousDays() {
    let kinds = session.account.reportKinds.filter {
      $0.service == .sales && !session.isUnused($0, vendor)
    }
    func all(_ day: Day, _ state: FetchState) -> Bool {
      kinds.allSatisfy { index[FetchKey($0, vendor, .day(day))]?.state == state }
    }
    for day in becameNone.sorted() where kinds.count > 1 && all(day, .none) {
      guard all(day - 1, .present) || all(day + 1, .present) else { continue }
      session.print("\(day): Apple says none for every kind, but the days beside it have rows")
    }
  }

  // MARK: Words

  static func words(_ failure: FetchAnswer.Failure, _ host: String) -> String {
    let name = host.firstRange(of: "://").map { String(host[$0.upperBound...]) } ?? host
    switch failure {
    case .network(let text): return "\(name): \(text)"
    case .cut(let received, let count): return "body ends after \(received) of \(count) bytes"
    case .httpVersion: return "\(name): an error of HTTP/2"
    case .disk(let number): return "archive: cannot write (error \(number))"
    case .certificate(let text):
      return "\(name): certificate not trusted (\(text)): set ca_file or SSL_CERT_FILE"
    case .proxy:
      let address = "https_proxy=http://USER:PASSWORD@HOST:PORT"
      return "\(name): the proxy wants a user and a password (407): \(address)"
    }
  }

  /// Returns Apple's text in quotes, on one line.
  static func quoted(_ words: String) -> String {
    let line = words.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    return "\"\(line.prefix(300))\""
  }
}
