import Files
import Scanning
import Storage
import SubscriptionModel

/// What notifications and histories share: requests to the App Store Server API for one app.
class ServerSource {
  let session: FetchSession
  let bundle: String
  let tokens: Tokens
  /// Whether Apple refuses the app or its key, so that no request follows.
  private(set) var isStopped = false
  var index: FetchIndex { session.index }

  private static let longestError = 64 << 10
  /// A page has at most 20 signed texts of some kilobytes; it is read into memory.
  private static let longestPage = 4 << 20

  init(_ session: FetchSession, _ bundle: String, _ tokens: Tokens) {
    (self.session, self.bundle, self.tokens) = (session, bundle, tokens)
  }

  static let noPage = Step.retry("Apple sends no whole page")

  /// Returns a request to a path such as `/inApps/v1/notifications/history`.
  func request(_ path: String, _ call: inout Call, body: String? = nil) -> FetchRequest {
    session.request(
      session.account.server + path, &call, tokens, accepts: "application/json", body: body)
  }

  /// What an answer of the Server API means.
  enum Meaning {
    case page([UInt8], AnswerText)
    /// An error, by Apple's number of it.
    case error(Int, String)
    case step(Step)
  }

  /// Reads what all answers have in common.
  func meaning(_ call: inout Call, _ answer: FetchAnswer) -> Meaning {
    if let failure = answer.failure {
      let words = ReportSource.words(failure, session.account.server)
      session.note(call, answer, words)
      if failure == .httpVersion { call.isHTTP1 = true }
      return .step(.retry(words))
    }
    let isPage = answer.status == 200
    let body =
      answer.byteCount <= (isPage ? Self.longestPage : Self.longestError)
      ? OutputFileSystem.contents(of: call.file) ?? [] : []
    let text = AnswerText(body)
    session.note(call, answer, isPage ? "" : text.words)
    let code = text["errorCode"].flatMap { Int($0) } ?? 0
    let wait = RetryAfter.milliseconds(answer, session.transport.now)
    switch (answer.status, code) {
    case (200, _):
      return text.isWhole ? .page(body, text) : .step(Self.noPage)
    case (401, _): return .step(unauthorized(&call, answer, text.words))
    case (_, 4_040_003):
      stop(
        "app \(bundle) is not known to Apple (4040003): bundle_ids names another app; \(ReportSource.quoted(text.words))"
      )
      return .step(.done)
    case (_, 4_040_002), (_, 4_040_004), (_, 4_040_006), (_, 5_000_001):
      return .step(.retry("Apple fails (\(code))"))
    case (429, _):
      return .step(.retry("Apple limits requests (429)", after: wait, blocksAll: true))
    case (500..., _): return .step(.retry("Apple fails (\(answer.status))", after: wait))
    case (300..<400, _): return .error(answer.status, "Apple redirects, which is not followed")
    default: return .error(code == 0 ? answer.status : code, text.words)
    }
  }

  private func unauthorized(_ call: inout Call, _ answer: FetchAnswer, _ words: String) -> Step {
    if isStopped { return .done }
    if call.hasNewToken {
      let end = words.isEmpty ? "" : "; \(ReportSource.quoted(words))"
      stop(
        "key \(tokens.keyID) is not accepted for \(bundle) (401): key id, issuer id or bundle id is wrong, or the app was never released\(end)"
      )
      return .done
    }
    call.hasNewToken = true
    if call.token == tokens.number {
      session.adjustClock(answer)
      tokens.renew()
    }
    return .again(.token)
  }

  func stop(_ line: String) {
    guard !isStopped else { return }
    isStopped = true
    session.outcome.reasons.insert(.unusableInput)
    session.print(line)
  }

  /// Reports an error of ours.
  func refuse(_ call: Call, _ code: Int, _ words: String) -> Step {
    let text = "refused (\(code))"
    session.note(call.key, .unusableInput, "\(text): \(ReportSource.quoted(words))")
    return .failed(text)
  }

  /// Adds a page to a file: its JSON on one line, compressed by itself.
  func add(_ page: [UInt8], to file: String) throws(FetchError) {
    var writer = GzipWriter()
    let isBreak: (UInt8) -> Bool = { $0 == 0x0A || $0 == 0x0D }
    var line = page.map { isBreak($0) ? 0x20 : $0 }
    while line.last == 0x20 { line.removeLast() }
    writer.append(line + [0x0A])
    do throws(OutputError) {
      try OutputFileSystem.append(writer.finish(), to: file)
    } catch {
      throw FetchError(error)
    }
  }

  /// Notes the customers in signed texts, for their history.
  func noteCustomers(_ text: AnswerText) {
    for leaf in text.leaves {
      if leaf.path.hasSuffix("signedPayload"), let payload = Self.payload(leaf.text) {
        guard let signed = payload["data.signedTransactionInfo"].flatMap(Self.payload) else {
          continue
        }
        noteCustomer(signed, notified: payload["signedDate"].flatMap { Int64($0) } ?? 0)
      } else if leaf.path.hasPrefix("signedTransactions"), let signed = Self.payload(leaf.text) {
        noteCustomer(signed, notified: 0)
      }
    }
  }

  private func noteCustomer(_ transaction: AnswerText, notified: Int64) {
    guard let id = transaction["originalTransactionId"] else { return }
    let key = FetchIndex.CustomerKey(bundle: bundle, id: id)
    var customer = index[customer: key] ?? FetchIndex.Customer()
    customer.expires = max(customer.expires, transaction["expiresDate"].flatMap { Int64($0) } ?? 0)
    customer.notified = max(customer.notified, notified)
    index[customer: key] = customer
  }

  /// Returns the payload of a JWS, whose signature is not checked here: it only says whom to ask for.
  private static func payload(_ jws: String) -> AnswerText? {
    let parts = jws.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var bytes: [UInt8] = []
    var (value, bits) = (0, 0)
    for letter in parts[1] {
      let digit: Int
      switch letter {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = Int(letter) - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = Int(letter) - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = Int(letter) + 4
      case UInt8(ascii: "-"): digit = 62
      case UInt8(ascii: "_"): digit = 63
      default: return nil
      }
      (value, bits) = ((value << 6 | digit) & 0xFFFF, bits + 6)
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: value >> bits))
      }
    }
    return AnswerText(bytes)
  }
}

/// The notifications of an app: a window for each UTC day, its pages one after another.
final class NotificationSource: ServerSource, CallSource {
  private var queue: [Call] = []
  /// The file of each window that is being read.
  private var files: [FetchKey: String] = [:]
  private var restarts: [FetchKey: Int] = [:]
  /// Apple's marks of the pages that were read of each window.
  private var pages: [FetchKey: Set<ExactText>] = [:]

  private static let mostRestarts = 3

  override init(_ session: FetchSession, _ bundle: String, _ tokens: Tokens) {
    super.init(session, bundle, tokens)
    queue = Self.calls(bundle, session.options, session.index, session.instant)
  }

  /// Returns the windows that are to be asked for: those that are soon gone, then the newest first.
  static func calls(
    _ bundle: String, _ options: FetchOptions, _ index: FetchIndex, _ now: Instant
  ) -> [Call] {
    let days = Schedule.windows(now)
    let first = max(days.lowerBound, options.since ?? .first)
    guard first <= days.upperBound else { return [] }
    let all = (first.number...days.upperBound.number).map(Day.init(number:))
    let isDying = { (day: Day) in day - days.lowerBound < 3 }
    return (all.filter(isDying) + all.filter { !isDying($0) }.reversed()).compactMap { day in
      let key = FetchKey(.notifications, bundle, .day(day))
      if options.reasked?.contains(day) == true { return Call(key: key, reason: .reask) }
      switch index[key]?.state {
      case nil: return Call(key: key, reason: .first)
      case .missing?, .refused?, .pending?: return Call(key: key, reason: .missing)
      case .present?, FetchState.none?, .gone?: return nil
      }
    }
  }

  func next() -> Call? { isStopped || queue.isEmpty ? nil : queue.removeFirst() }

  func request(_ call: inout Call) -> FetchRequest {
    let start = Int64(call.key.slot.lastDay.number) * 86_400_000
    let page = call.page.isEmpty ? "" : "?paginationToken=\(Self.escaped(call.page))"
    return request(
      "/inApps/v1/notifications/history\(page)", &call,
      body: #"{"startDate":\#(start),"endDate":\#(start + 86_400_000)}"#)
  }

  func answered(_ call: inout Call, _ answer: FetchAnswer) throws(FetchError) -> Step {
    switch meaning(&call, answer) {
    case .step(let step): return step
    case .page(_, let text) where text["hasMore"] == nil: return Self.noPage
    case .page(let body, let text):
      let file = files[call.key] ?? session.archive.temporaryPath()
      files[call.key] = file
      try add(body, to: file)
      if session.account.has(.history) { noteCustomers(text) }
      if text["hasMore"] == "true" {
        let page = text["paginationToken"] ?? ""
        guard !page.isEmpty, pages[call.key, default: []].insert(ExactText(page)).inserted else {
          return restart(&call, "its pages have no end")
        }
        call.page = page
        call.hasNewToken = false
        (call.failures, call.begun) = (0, session.transport.now)
        return .again(.nextPage)
      }
      try finish(call, file)
      return .done
    case .error(let code, let words): return end(&call, code, words)
    }
  }

  private func finish(_ call: Call, _ file: String) throws(FetchError) {
    var record = FetchRecord(.present)
    record.asked = session.transport.now
    record.answeredAge = session.instant.day - call.key.slot.lastDay
    record.fingerprint.size = FileStatus(of: file)?.size ?? 0
    record.file = Archive.path(call.key, given: nil, version: "")
    files[call.key] = nil
    session.outcome.fetched += 1
    try session.archive.store(file, call.key, record, now: session.transport.now)
  }

  private func end(_ call: inout Call, _ code: Int, _ words: String) -> Step {
    dropPages(call.key)
    switch code {
    case 4_000_012:
      index[call.key] = record(.gone, words)
    case 4_000_014, 4_000_017: return restart(&call, "its pages expire while they are read")
    case 300..<400:
      noteMissing(call, words)
      return .failed(words)
    default:
      index[call.key] = record(.refused, words)
      return refuse(call, code, words)
    }
    return .done
  }

  /// Begins a window again, without the pages so far.
  private func restart(_ call: inout Call, _ words: String) -> Step {
    dropPages(call.key)
    call.page = ""
    restarts[call.key, default: 0] += 1
    if restarts[call.key, default: 0] <= Self.mostRestarts { return .again(.retry) }
    noteMissing(call, "notifications of \(bundle): \(words)")
    return .done
  }

  func gaveUp(_ call: Call, _ words: String) throws(FetchError) {
    dropPages(call.key)
    noteMissing(call, words)
  }

  private func noteMissing(_ call: Call, _ words: String) {
    session.noteFailed(words, [call.key.slot])
    if index[call.key]?.state != .present { index[call.key] = record(.missing, words) }
  }

  private func record(_ state: FetchState, _ words: String) -> FetchRecord {
    var record = FetchRecord(state)
    (record.asked, record.words) = (session.transport.now, words)
    return record
  }

  private func dropPages(_ key: FetchKey) {
    if let file = files.removeValue(forKey: key) { session.archive.drop(file) }
    pages[key] = nil
  }

  /// Returns a text as a part of a query.
  static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x2D, 0x2E, 0x5F, 0x7E:
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

/// The histories of customers of an app.
final class HistorySource: ServerSource, CallSource {
  private var queue: [Call] = []
  private var ids: [Int: String] = [:]
  private var revisions: [Int: String] = [:]
  private var areSubscriptions: Set<Int> = []
  private var finished: [(id: String, customer: FetchIndex.Customer)] = []
  private let file: String
  private var hasPages = false

  private static let unknownPause: Int64 = 30 * 86_400_000
  private static let patience: Int64 = 3 * 86_400_000

  override init(_ session: FetchSession, _ bundle: String, _ tokens: Tokens) {
    file = session.archive.temporaryPath()
    super.init(session, bundle, tokens)
    let due = Self.due(bundle, session.options, index, session.transport.now)
    let most = session.account.mostCustomers
    if due.count > most {
      session.print("\(bundle): \(counted(due.count - most, "customer")) wait for the next run")
    }
    // Each has a number, which is the page of its call until Apple names one.
    for (number, customer) in due.prefix(most).enumerated() {
      ids[number] = customer.key.id
      revisions[number] = customer.value.revision
      var call = Call(
        key: FetchKey(.history, bundle, .day(session.instant.day)),
        reason: customer.value.asked == 0 ? .first : .pending)
      call.versionChanges = number
      queue.append(call)
    }
  }

  /// Returns the customers whose history is to be asked for, the oldest question first.
  static func due(
    _ bundle: String, _ options: FetchOptions, _ index: FetchIndex, _ now: Int64
  ) -> [(key: FetchIndex.CustomerKey, value: FetchIndex.Customer)] {
    for id in options.customers {
      let key = FetchIndex.CustomerKey(bundle: bundle, id: id)
      if index[customer: key] == nil { index[customer: key] = FetchIndex.Customer() }
    }
    return index.customers.filter { $0.key.bundle == bundle && isDue($0.value, now) }
      .sorted { ($0.value.asked, $0.key.id) < ($1.value.asked, $1.key.id) }
  }

  private static func isDue(_ customer: FetchIndex.Customer, _ now: Int64) -> Bool {
    if customer.isUnknown { return now - customer.asked > unknownPause }
    if customer.asked == 0 { return true }
    return customer.expires + patience <= now && customer.notified <= customer.expires
      && customer.asked < customer.expires + patience
  }

  func next() -> Call? { isStopped || queue.isEmpty ? nil : queue.removeFirst() }

  func request(_ call: inout Call) -> FetchRequest {
    let number = call.versionChanges
    let id = NotificationSource.escaped(ids[number] ?? "")
    guard !areSubscriptions.contains(number) else {
      return request("/inApps/v1/subscriptions/\(id)", &call)
    }
    let revision = revisions[number] ?? ""
    let query = revision.isEmpty ? "" : "?revision=\(NotificationSource.escaped(revision))"
    return request("/inApps/v2/history/\(id)\(query)", &call)
  }

  func answered(_ call: inout Call, _ answer: FetchAnswer) throws(FetchError) -> Step {
    let number = call.versionChanges
    switch meaning(&call, answer) {
    case .step(let step): return step
    case .page(_, let text) where text["hasMore"] == nil && !areSubscriptions.contains(number):
      return Self.noPage
    case .page(let body, let text):
      try add(body, to: file)
      hasPages = true
      noteCustomers(text)
      if areSubscriptions.contains(number) {
        finish(number, isUnknown: false)
        return .done
      }
      let earlier = revisions[number]
      if let revision = text["revision"] { revisions[number] = revision }
      // The same mark again would bring the same page without end.
      if text["hasMore"] != "true" || revisions[number] == earlier {
        areSubscriptions.insert(number)
      }
      (call.failures, call.begun) = (0, session.transport.now)
      return .again(.nextPage)
    case .error(4_000_005, _) where revisions[number]?.isEmpty == false:
      revisions[number] = ""
      return .again(.retry)
    case .error(4_040_001, _), .error(4_040_005, _), .error(4_040_010, _):
      finish(number, isUnknown: true)
    case .error(let code, let words):
      // Ids of customers are nowhere but in the archive.
      guard code == 4_000_006 else {
        return refuse(call, code, words)
      }
      session.outcome.reasons.insert(.unusableInput)
      session.print(
        "\(bundle): a customer's id is none (\((ids[number] ?? "").utf8.count) letters; --customers); \(ReportSource.quoted(words))"
      )
      finish(number, isUnknown: true)
    }
    return .done
  }

  private func finish(_ number: Int, isUnknown: Bool) {
    guard let id = ids[number] else { return }
    var customer = index[customer: .init(bundle: bundle, id: id)] ?? FetchIndex.Customer()
    customer.asked = session.transport.now
    customer.revision = revisions[number] ?? ""
    customer.isUnknown = isUnknown
    finished.append((id, customer))
  }

  func gaveUp(_ call: Call, _ words: String) throws(FetchError) {
    session.noteFailed(words, [call.key.slot])
  }

  /// Stores the pages, then the revisions: a revision stands for pages that are here.
  func store() throws(FetchError) {
    if hasPages {
      let folder = "history/\(bundle)/\(session.instant.day.month.year)"
      var (time, path) = (session.transport.now, "")
      // Two runs within a minute have a file each.
      repeat {
        let stamp = Archive.stamp(time).dropLast(3)
        path = "\(folder)/history_\(bundle)_\(stamp)Z.jsonl.gz"
        time += 60_000
      } while FileStatus(of: "\(session.archive.root)/\(path)") != nil
      try session.archive.place(file, at: path)
      session.outcome.fetched += 1
    }
    for (id, customer) in finished { index[customer: .init(bundle: bundle, id: id)] = customer }
  }
}

extension FetchSession {
  /// Asks for the histories of customers who are new, or whose expiry passed without a notification.
  func fetchHistory(
    _ bundle: String, _ tokens: Tokens, _ pump: Pump, _ pace: inout Pace
  ) throws(FetchError) {
    let source = HistorySource(self, bundle, tokens)
    do throws(FetchError) {
      try pump.run(source, &pace)
    } catch {
      try source.store()
      throw error
    }
    try source.store()
  }
}
