package import Files
import Storage
import SubscriptionModel

/// Tries keys, vendors and apps with one harmless request each, and the newest refused report of each kind.
package struct Doctor {
  /// What a request has shown.
  package struct Finding: Sendable {
    package let line: String
    /// The effect on the exit code; `nil` if all is well.
    package let reason: ExitReason?
    package var kinds: [FetchKind] = []
  }

  private let account: FetchAccount
  /// The vendors whose SALES Apple knows.
  private var known: Set<ExactText> = []
  /// Apple's clock less ours, in seconds; `nil` where no token was refused.
  private var offset: Int64?
  private let transport: any Transport
  private let folder: String

  /// Creates a doctor; the bodies of answers lie in the folder for a moment.
  package init(_ account: FetchAccount, _ transport: any Transport, folder: String) {
    (self.account, self.transport, self.folder) = (account, transport, folder)
  }

  /// Makes the requests, one after another.
  package mutating func findings() throws(FetchError) -> [Finding] {
    var findings: [Finding] = []
    let now = Instant(seconds: UInt32(clamping: transport.now / 1_000))
    let index = try FetchPlan.index(account)
    let refused = Self.refused(index.reports(of: account))
    if let key = account.key {
      let tokens = Tokens(key)
      let week = FetchSlot.day(now.pacificClock.day - 8)
      var closed = FiscalPeriod(containing: now.pacificClock.day)
      while Schedule.firstDue(closed) > now.pacificClock.day { closed = closed - 1 }
      for vendor in account.vendors {
        for key in [
          FetchKey(.sales, vendor, week), FetchKey(.subscription, vendor, week),
          FetchKey(.financial, vendor, .period(closed)),
        ] { findings.append(wanted(try report(key, tokens), key.kind.service)) }
        for key in refused where key.kind.service != .server && key.vendor == vendor {
          let version = index[fact: "version.\(key.kind.rawValue)"]
          findings.append(try report(key, tokens, version: version, isRefused: true))
        }
      }
      if account.vendors.isEmpty {
        findings.append(
          Finding(line: "no vendor number: vendors below [fetch] names it", reason: .unusableInput))
      }
    } else if account.appKey == nil {
      let settings = "key, key_id and issuer_id below [fetch] in subreport.toml"
      findings.append(
        Finding(line: "no key: \(settings); subreport init asks for them", reason: .unusableInput))
    } else {
      findings.append(
        Finding(line: "no team key: reports and settlements are not fetched", reason: nil))
    }
    if let key = account.appKey {
      for bundle in account.bundles {
        findings.append(wanted(try app(bundle, key), .server))
        for day in refused where day.kind == .notifications && day.vendor == bundle {
          findings.append(try app(bundle, key, refused: day.slot.lastDay))
        }
      }
    }
    if let offset {
      findings.insert(Finding(line: FetchSession.words(ofClock: offset), reason: nil), at: 0)
    }
    return findings
  }

  /// Returns a finding; of a service that no kind of the account needs, without an effect on the exit code.
  private func wanted(_ finding: Finding, _ service: FetchKind.Service) -> Finding {
    if finding.reason == nil || account.kinds.contains(where: { $0.service == service }) {
      return finding
    }
    return Finding(line: "\(finding.line) (kinds needs none of it)", reason: nil)
  }

  /// Returns the newest refused report of each kind and vendor, or app.
  private static func refused(_ reports: [FetchKey: FetchRecord]) -> [FetchKey] {
    let all = reports.filter { $0.value.state == .refused }.keys
    let newest = Dictionary(grouping: all) { [$0.kind.rawValue, $0.vendor] }.values.compactMap {
      $0.max { $0.slot < $1.slot }
    }
    return newest.sorted { ($0.vendor, $0.kind) < ($1.vendor, $1.kind) }
  }

  private mutating func report(
    _ key: FetchKey, _ tokens: Tokens, version: String? = nil, isRefused: Bool = false
  ) throws(FetchError) -> Finding {
    let name = "\(isRefused ? key.name : key.kind.displayName) of vendor \(key.vendor)"
    var version = version ?? key.kind.versions[0]
    for _ in 0..<3 {
      let (answer, text) = try ask(
        ReportSource.url(account.connect, key, version: version), tokens,
        accept: "application/a-gzip, application/json")
      if let failure = answer.failure {
        let words = ReportSource.words(failure, account.connect)
        // The network says nothing about the key.
        return Finding(line: "\(name): \(words)", reason: .unreachable, kinds: kinds(key.kind))
      }
      let verdict = Verdict(status: answer.status, text)
      if case .version(let named?) = verdict, named != version {
        version = named
        continue
      }
      if key.kind == .sales, verdict != .noVendor { known.insert(ExactText(key.vendor)) }
      return finding(name, key, tokens.keyID, verdict, answer, text.words)
    }
    return Finding(line: "\(name): Apple names one version after another", reason: .unusableInput)
  }

  /// The usual kinds of a kind's service, of which one request stands for all.
  private func kinds(_ kind: FetchKind) -> [FetchKind] {
    FetchKind.usual.filter { $0.service == kind.service }
  }

  private func finding(
    _ name: String, _ report: FetchKey, _ key: String, _ verdict: Verdict, _ answer: FetchAnswer,
    _ words: String
  ) -> Finding {
    let kind = report.kind
    let end = words.isEmpty ? "" : "; \(ReportSource.quoted(words))"
    func refused(_ text: String) -> Finding {
      Finding(line: "\(name): \(text)\(end)", reason: .unusableInput)
    }
    switch verdict {
    case .body: return Finding(line: "\(name): works", reason: nil, kinds: kinds(kind))
    case .notYet, .nothing, .gone, .unknownWords:
      return Finding(line: "\(name): works; nothing there\(end)", reason: nil, kinds: kinds(kind))
    case .noVendor where kind != .sales && known.contains(ExactText(report.vendor)):
      return Finding(line: "\(name): Apple has no data of this kind\(end)", reason: nil)
    case .noVendor:
      return refused(
        "not known to Apple (400): it is the number at the top of Payments and Financial Reports")
    case .unauthorized:
      return refused(
        "key \(key) is not accepted (401): issuer id or key id is wrong, or the key is revoked")
    case .agreement:
      return refused(
        "an agreement is missing or expired (403): the account holder accepts it at appstoreconnect.apple.com/business"
      )
    case .forbidden:
      let needs =
        kind.service == .finance ? "Finance or Admin" : "Sales and Reports, Finance or Admin"
      return refused(
        "key \(key) may not read this (403): it needs \(needs), and to be a team key: make one at appstoreconnect.apple.com/access/integrations/api"
      )
    case .tooMany:
      return Finding(line: "\(name): works; Apple limits requests now (429)", reason: nil)
    case .unexpectedError, .failed, .redirect:
      return Finding(
        line: "\(name): Apple fails (\(answer.status)): check the vendor number, or wait\(end)",
        reason: .unreachable)
    case .version, .refused, .notAcceptable: return refused("refused (\(answer.status))")
    }
  }

  private mutating func app(
    _ bundle: String, _ key: SigningKey, refused day: Day? = nil
  ) throws(FetchError) -> Finding {
    let tokens = Tokens(key, bundle: bundle)
    let name = "notifications \(day.map { "\($0) " } ?? "")of \(bundle)"
    let end = day.map { Int64($0.number + 1) * 86_400_000 } ?? transport.now
    let start = end - (day == nil ? 7 : 1) * 86_400_000
    let body = #"{"startDate":\#(start),"endDate":\#(end)}"#
    let (answer, text) = try ask(
      account.server + "/inApps/v1/notifications/history", tokens, accept: "application/json",
      body: body)
    if let failure = answer.failure {
      let words = ReportSource.words(failure, account.server)
      return Finding(line: "\(name): \(words)", reason: .unreachable, kinds: [.notifications])
    }
    switch answer.status {
    case 200:
      let hasAny = text.leaves.contains { $0.path.hasPrefix("notificationHistory.0") }
      let line =
        hasAny || day != nil
        ? "works" : "works; none in 7 days: no V2 URL in App Store Connect, or nothing happened"
      return Finding(line: "\(name): \(line)", reason: nil, kinds: [.notifications])
    case 401:
      return Finding(
        line:
          "\(name): key \(tokens.keyID) is not accepted (401): key id, issuer id or bundle id is wrong, or the app was never released",
        reason: .unusableInput)
    case 500...:
      return Finding(line: "\(name): Apple fails (\(answer.status))", reason: .unreachable)
    default:
      return Finding(
        line: "\(name): refused (\(answer.status)); \(ReportSource.quoted(text.words))",
        reason: .unusableInput)
    }
  }

  /// Makes a request and waits for its answer; with a token of Apple's clock, if that differs and ours was refused.
  private mutating func ask(
    _ url: String, _ tokens: Tokens, accept: String, body: String? = nil
  ) throws(FetchError) -> (FetchAnswer, AnswerText) {
    let file = "\(folder)/subreport-doctor-\(SystemProcess.id)"
    OutputFileSystem.removeTree(file)
    defer { OutputFileSystem.removeTree(file) }
    let token = tokens.token(at: transport.now / 1_000 + (offset ?? 0))
    transport.start(
      FetchRequest(url: url, accepts: accept, token: token, body: body, file: file), id: 1)
    while true {
      guard let (_, answer) = transport.next(until: nil) else { continue }
      if answer.status == 401, offset == nil,
        let date = answer.header("date").flatMap(HTTPDate.seconds),
        abs(date - transport.now / 1_000) > 60
      {
        offset = date - transport.now / 1_000
        tokens.renew()
        return try ask(url, tokens, accept: accept, body: body)
      }
      if case .disk(let number)? = answer.failure {
        throw FetchError("\(folder): cannot write (error \(number))", .unusableInput)
      }
      let text =
        answer.status == 200 && body == nil
        ? [] : OutputFileSystem.contents(of: file) ?? []
      return (answer, AnswerText(text))
    }
  }
}
