import Fetch
import Files
import Scanning
import SubreportTestSupport
import SubscriptionModel

/// App Store Connect in a test, with its own clock: a seeded truth, and answers that lie by seed.
final class AppleWorld: Transport {
  /// What Apple has of a day.
  struct Truth {
    /// The rows; `nil` for a day without sales.
    var rows: Int?
    /// When the report is made, in milliseconds since 1970.
    var made: Int64
    /// When its rows change, if they do.
    var revised: Int64?
  }

  private(set) var now: Int64
  let vendor = "80012345"
  let kinds: [FetchKind]
  private let seed: UInt64
  /// How many of 100 answers are faults.
  var faults = 0
  /// The version that Apple wants, of a kind.
  var versions: [FetchKind: String] = [:]
  /// Whether Apple refuses the vendor for a kind, for lack of data.
  var unused: Set<FetchKind> = []
  private(set) var requests: [String] = []
  /// Answers in place of the next ones, whose request has a text in its address.
  var scripted: [(match: String, answer: Scripted)] = []
  private var random: SeededGenerator
  private var running: [(time: Int64, id: Int, answer: FetchAnswer)] = []

  struct Scripted {
    var status: Int
    var body: [UInt8]
    var headers: [(name: String, value: String)] = []
    var failure: FetchAnswer.Failure?

    init(
      _ status: Int, _ words: String = "", code: String = "ERROR",
      headers: [(name: String, value: String)] = []
    ) {
      self.status = status
      body = AppleWorld.error(code, words)
      self.headers = headers
    }

    init(body: [UInt8]) { (status, self.body) = (200, body) }

    init(failure: FetchAnswer.Failure) { (status, body, self.failure) = (0, [], failure) }
  }

  init(seed: UInt64, now: Int64, kinds: [FetchKind]) {
    (self.seed, self.now, self.kinds) = (seed, now, kinds)
    random = SeededGenerator(seed: seed ^ 0x5EED)
  }

  // MARK: Clock

  func sleep(until time: Int64) { now = max(now, time) }

  func next(until end: Int64?) -> (id: Int, answer: FetchAnswer)? {
    guard let place = running.indices.min(by: { running[$0].time < running[$1].time }),
      running[place].time <= end ?? .max
    else {
      if let end { now = max(now, end) }
      return nil
    }
    let found = running.remove(at: place)
    now = max(now, found.time)
    return (found.id, found.answer)
  }

  // MARK: Answers

  func start(_ request: FetchRequest, id: Int) {
    requests.append(request.url)
    let scripted = take(request.url) ?? reply(request.url)
    var answer = FetchAnswer()
    answer.status = scripted.status
    answer.headers = scripted.headers + [("x-apple-jingle-correlation-key", "ABC")]
    answer.failure = scripted.failure
    answer.byteCount = scripted.body.count
    OutputFileSystem.removeTree(request.file)
    try? OutputFileSystem.writeNewFile(
      request.file, parts: [scripted.body], mode: 0o600, isSynced: false)
    running.append((now + Int64(5 + random.next() % 50), id, answer))
  }

  private func take(_ url: String) -> Scripted? {
    guard let place = scripted.firstIndex(where: { url.contains($0.match) }) else { return nil }
    return scripted.remove(at: place).answer
  }

  private func reply(_ url: String) -> Scripted {
    let answer = honest(url)
    guard random.next() % 100 < UInt64(faults) else { return answer }
    switch random.next() % 8 {
    case 0: return Scripted(500, "An unexpected error occurred.", code: "UNEXPECTED_ERROR")
    case 1: return Scripted(429, "limit", headers: [("retry-after", "3")])
    case 2: return Scripted(503)
    case 3: return Scripted(body: Array("<html>Maintenance</html>".utf8))
    case 4: return Scripted(body: Array(answer.body.dropLast(5)))
    case 5: return Scripted(body: [])
    case 6: return Scripted(failure: .cut(received: 10, of: 20))
    default: return Scripted(failure: .network("reset"))
    }
  }

  private func honest(_ url: String) -> Scripted {
    func parameter(_ name: String) -> String {
      url.firstRange(of: "%5B\(name)%5D=").map { range in
        String(url[range.upperBound...].prefix { $0 != "&" })
      } ?? ""
    }
    let kind = kinds.first { Self.type($0) == parameter("reportType") }
    guard let kind, let day = Day(parameter("reportDate")) else {
      return Scripted(404, "There were no sales for the date specified.", code: "NOT_FOUND")
    }
    if let version = versions[kind], version != parameter("version") {
      return Scripted(
        400,
        "The version parameter you have specified is invalid. The latest version for this report is \(version)."
      )
    }
    guard !unused.contains(kind) else {
      return Scripted(400, "Invalid vendor number specified.", code: "PARAMETER_ERROR.INVALID")
    }
    let today = Instant(seconds: UInt32(now / 1_000)).pacificClock.day
    guard today - day <= 365 else {
      return Scripted(410, "The report is no longer available.", code: "GONE")
    }
    let truth = truth(kind, day)
    guard now >= truth.made, let rows = truth.rows else {
      let words =
        truth.rows != nil && hash(kind, day, 7) % 2 == 0
        ? "Report is not available yet." : "There were no sales for the date specified."
      return Scripted(404, words, code: "NOT_FOUND")
    }
    let count = truth.revised.map { now >= $0 ? rows + 1 : rows } ?? rows
    return Scripted(body: Self.report(kind, day, rows: count))
  }

  static func type(_ kind: FetchKind) -> String {
    kind.rawValue.uppercased().replacing("-", with: "_")
  }

  static func error(_ code: String, _ words: String) -> [UInt8] {
    Array(
      #"{"errors":[{"id":"1","status":"4","code":"\#(code)","title":"t","detail":"\#(words)"}]}"#
        .utf8)
  }

  // MARK: Truth

  private func hash(_ kind: FetchKind, _ day: Day, _ salt: UInt64) -> UInt64 {
    var generator = SeededGenerator(
      seed: seed &* 1_000_003 &+ UInt64(day.number) &* 31 &+ salt
        &+ UInt64(FetchKind.allCases.firstIndex(of: kind) ?? 0) &* 7_919)
    return generator.next()
  }

  /// Returns what Apple has of a day: mostly at 05:00 to 08:00 of the next, sometimes days later; some days have nothing,
  /// some are revised.
  func truth(_ kind: FetchKind, _ day: Day) -> Truth {
    let dayStart = Int64(day.number) * 86_400_000
    let late = hash(kind, day, 1) % 20 == 0 ? Int64(hash(kind, day, 2) % 10) : 0
    let made = dayStart + (late + 1) * 86_400_000 + Int64(13 + hash(kind, day, 3) % 3) * 3_600_000
    let isEmpty = hash(kind, day, 4) % 15 == 0
    let isRevised = hash(kind, day, 5) % 8 == 0
    return Truth(
      rows: isEmpty ? nil : Int(1 + hash(kind, day, 6) % 4), made: made,
      // Before the last time that it is asked for.
      revised: isRevised
        ? min(made + Int64(1 + hash(kind, day, 8) % 10) * 86_400_000, dayStart + 14 * 86_400_000)
        : nil)
  }

  /// The columns of each kind that its recognition needs.
  private static let headers: [FetchKind: String] = [
    .sales:
      "Provider\tProvider Country\tSKU\tDeveloper\tTitle\tVersion\tProduct Type Identifier\tUnits\tDeveloper Proceeds\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\tCurrency of Proceeds\tApple Identifier\tCustomer Price\tPromo Code\tParent Identifier\tSubscription\tPeriod\tCategory\tCMB\tDevice\tSupported Platforms\tProceeds Reason\tPreserved Pricing\tClient\tOrder Type\tContingent App Name",
    .subscriber:
      "Event Date\tApp Name\tApp Apple ID\tSubscription Name\tSubscription Apple ID\tSubscription Group ID\tStandard Subscription Duration\tSubscription Offer Name\tPromotional Offer ID\tSubscription Offer Type\tSubscription Offer Duration\tMarketing Opt-In Duration\tCustomer Price\tCustomer Currency\tDeveloper Proceeds\tProceeds Currency\tPreserved Pricing\tProceeds Reason\tClient\tDevice\tCountry\tSubscriber ID\tSubscriber ID Reset\tRefund\tPurchase Date\tUnits\tContingent App Name",
  ]

  /// Returns a gzipped report.
  static func report(_ kind: FetchKind, _ day: Day, rows: Int) -> [UInt8] {
    let date = day.civil
    let begin = "\(padded(date.month))/\(padded(date.day))/\(date.year)"
    var text = (headers[kind] ?? "") + "\n"
    for row in 0..<rows {
      text +=
        kind == .sales
        ? "APPLE\tUS\tsku\t \tTitle\t \tIAY\t\(row)\t1\t\(begin)\t\(begin)\tUSD\tUS\tUSD\t1\t1\n"
        : "\(day)\tApp\t1\tName\t2\t3\t1 Month\t\(row)\n"
    }
    var writer = GzipWriter()
    writer.append(Array(text.utf8))
    return writer.finish()
  }

  private static func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}

/// A folder for an archive, removed with the value.
final class ArchiveFolder {
  let path: String

  init() throws {
    path =
      "\(TemporaryFile.folder)/fetch-tests-\(SystemProcess.id)-\(UInt64.random(in: 0 ... .max))"
    try OutputFileSystem.makeFolders(path)
  }

  deinit { OutputFileSystem.removeTree(path) }
}

/// A key that is in no use.
let testKey = """
  -----BEGIN PRIVATE KEY-----
  MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoBLK1zK/ID47S2Mc
  /NHdqwUuWj722keOn1X1sFniKFGhRANCAAR/TfvbRXvZ71v8YrSwmhI6GpIf4IMX
  7xphGYC7MzKyjU00Kgh15dRUrWaf+Bl9JQ8e3o8Rf3zieuIlzI2hztA8
  -----END PRIVATE KEY-----
  """

/// Runs `fetch` once, and returns what it did and said.
func night(
  _ world: AppleWorld, _ folder: ArchiveFolder, _ options: FetchOptions = FetchOptions()
) throws -> (outcome: FetchOutcome, lines: [String]) {
  var account = FetchAccount(folder: folder.path)
  account.vendors = [world.vendor]
  account.kinds = world.kinds
  account.requestsPerMinute = 0
  account.key = SigningKey(id: "2X9R4HXF34", issuer: "issuer", text: testKey)
  let archive = try Archive(folder.path, now: world.now, cleanup: OutputCleanup())
  defer { archive.close() }
  var lines: [String] = []
  let session = FetchSession(account, options, archive, world) { lines.append($0) }
  return (session.run(), lines)
}
