import Files

/// A request for a report, and its tries.
struct Call {
  var key: FetchKey
  var reason: Schedule.Reason
  var version = ""
  /// The file of the body.
  var file = ""
  /// The tries that have failed.
  var failures = 0
  /// When the first try began, in milliseconds since 1970.
  var begun: Int64 = 0
  var token = 0
  var hasNewToken = false
  var acceptsGzipAlone = false
  var isHTTP1 = false
  var versionChanges = 0
  /// Whether it only asks for the latest version.
  var isProbe = false
  /// Apple's mark of the next page; blank for the first.
  var page = ""
}

/// What follows from an answer.
enum Step {
  case done
  /// No other try will help.
  case failed(String)
  /// Another request at once, for this reason.
  case again(Schedule.Reason)
  /// Another try after a pause: why, the pause that Apple asks for in milliseconds, and whether all requests wait.
  case retry(String, after: Int64? = nil, blocksAll: Bool = false)
}

/// Where calls come from, and who reads their answers.
protocol CallSource: AnyObject {
  /// Returns the next call that can start now; `nil` if there is none, or none before an answer to another.
  func next() -> Call?

  func request(_ call: inout Call) -> FetchRequest

  func answered(_ call: inout Call, _ answer: FetchAnswer) throws(FetchError) -> Step

  /// Takes note that a call has failed for good.
  func gaveUp(_ call: Call, _ words: String) throws(FetchError)
}

/// Makes requests, 8 at a time, at the pace that Apple allows.
final class Pump {
  private static let parallel = 8
  /// The failures in a row after which the run ends.
  private static let mostFailures = 20
  static let mostTries = 8
  /// The longest time for all tries of a request, and the longest pause, in milliseconds.
  private static let longestTime: Int64 = 900_000

  private let session: FetchSession
  private let transport: any Transport
  private var random: JitterGenerator
  private var failures = 0
  private var nextID = 0

  init(_ session: FetchSession) {
    self.session = session
    transport = session.transport
    random = JitterGenerator(state: session.options.seed)
  }

  /// Makes all requests of a source; throws when the run must end.
  func run(_ source: any CallSource, _ pace: inout Pace) throws(FetchError) {
    var waiting: [(time: Int64, call: Call)] = []
    var running: [Int: Call] = [:]
    while true {
      while running.count < Self.parallel {
        let now = transport.now
        guard var call = Self.take(&waiting, now) ?? source.next() else { break }
        let start = pace.next(now)
        guard start <= now else {
          waiting.append((start, call))
          break
        }
        pace.started(now)
        if call.failures == 0, call.begun == 0 { call.begun = now }
        call.file = session.archive.temporaryPath()
        let request = source.request(&call)
        nextID += 1
        session.outcome.requests += 1
        if session.options.isVerbose {
          session.print("asks for \(call.key.name) (\(call.reason.rawValue))")
        }
        running[nextID] = call
        transport.start(request, id: nextID)
      }
      if running.isEmpty, waiting.isEmpty { return }
      let wake = running.count < Self.parallel ? waiting.map(\.time).min() : nil
      guard let (id, answer) = transport.next(until: wake),
        var call = running.removeValue(forKey: id)
      else { continue }
      pace.read(answer.header("x-rate-limit"))
      let step = try source.answered(&call, answer)
      if case .disk(let number)? = answer.failure { throw session.diskError(number) }
      if !call.file.isEmpty { session.archive.drop(call.file) }
      switch step {
      case .done: failures = 0
      case .failed(let words): try count(call, words)
      case .again(let reason):
        call.reason = reason
        waiting.append((transport.now, call))
      case .retry(let words, let after, let blocksAll):
        if answer.failure?.isLasting == true { call.failures = Self.mostTries - 1 }
        if let time = try pause(&call, words, after, source) {
          if blocksAll { pace.block(until: time) }
          waiting.append((time, call))
        }
      }
    }
  }

  private func count(_ call: Call, _ words: String) throws(FetchError) {
    failures += 1
    guard failures >= Self.mostFailures else { return }
    throw FetchError(
      "\(failures) requests in a row failed, the last \(call.key.name): \(words)", .unreachable)
  }

  private static func take(_ waiting: inout [(time: Int64, call: Call)], _ now: Int64) -> Call? {
    guard let place = waiting.firstIndex(where: { $0.time <= now }) else { return nil }
    return waiting.remove(at: place).call
  }

  /// Returns when a call is tried again; `nil` if it is not.
  private func pause(
    _ call: inout Call, _ words: String, _ after: Int64?, _ source: any CallSource
  ) throws(FetchError) -> Int64? {
    call.failures += 1
    call.reason = .retry
    do throws(FetchError) {
      try count(call, words)
    } catch {
      try source.gaveUp(call, words)
      throw error
    }
    let now = transport.now
    if let after, after > Self.longestTime {
      try source.gaveUp(call, words)
      throw FetchError(
        "Apple asks to wait for \(after / 60_000) min: the next run goes on", .unreachable)
    }
    let seconds = Int64(min(60, 1 << min(6, call.failures - 1)))
    // A time that has passed says nothing.
    let asked = after.flatMap { $0 > 0 ? $0 : nil }
    let time = now + (asked ?? seconds * Int64.random(in: 500...1_500, using: &random))
    guard call.failures < Self.mostTries, time - call.begun <= Self.longestTime else {
      try source.gaveUp(call, words)
      return nil
    }
    return time
  }
}

/// Random numbers for pauses: SplitMix64.
struct JitterGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
