import AppStoreReports
import Files
import Pages
import Pipeline
import PipelineTestSupport
import Scanning
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

/// A report of a day: subscribers with a charge each, so many that it is read in several blocks.
private func report(day: Int, subscribers: Range<Int>, refunds: Int = 0) -> [UInt8] {
  var text = ReportText.subscriber
  let date = "2026-01-" + (day < 10 ? "0" : "") + String(day)
  text.usual["App Name"] = String(repeating: "Larkspur ", count: 12)
  for number in subscribers {
    text.rows.append(["Event Date": date, "Subscriber ID": String(700_000_000_000_000 + number)])
  }
  for number in subscribers.prefix(refunds) {
    text.rows.append([
      "Event Date": date, "Subscriber ID": String(700_000_000_000_000 + number), "Refund": "Yes",
      "Purchase Date": date,
    ])
  }
  return text.bytes
}

/// The reports of four days, the last of which comes tonight; more than three times as many subscribers have been
/// there before.
private let days: [(name: String, bytes: [UInt8])] = [
  (subscriberName(5), report(day: 5, subscribers: 0..<500)),
  (subscriberName(6), report(day: 6, subscribers: 500..<1000, refunds: 20)),
  (subscriberName(7), report(day: 7, subscribers: 1000..<1050)),
  (subscriberName(8), report(day: 8, subscribers: 900..<1220, refunds: 5)),
]
private let nextDay = (name: subscriberName(9), bytes: report(day: 9, subscribers: 50..<90))
private let otherBytes = report(day: 8, subscribers: 940..<1240, refunds: 9)

/// What happens to a file, and when; with a cache that is cold, or warm but for this file.
private struct Scene: CustomTestStringConvertible, Sendable {
  var change: FileChange
  var step: RunProgress.Step
  var isWarm: Bool
  var testDescription: String { "\(change) when \(step), \(isWarm ? "warm" : "cold")" }

  private static let all = FileChange.allCases.flatMap { change in
    RunProgress.Step.allCases.flatMap { step in
      [true, false].map { Scene(change: change, step: step, isWarm: $0) }
    }
  }
  static let count = all.count

  /// A scene by its number; those that follow each other have little in common, so that few of them show most.
  init(number: UInt64) { self = Self.all[Int(number) * 37 % Self.count] }

  private init(change: FileChange, step: RunProgress.Step, isWarm: Bool) {
    (self.change, self.step, self.isWarm) = (change, step, isWarm)
  }
}

@Suite("A file that changes while it is read")
struct CacheChangingFilesTests {
  @Test(arguments: seeds(Scene.count).map(Scene.init(number:)))
  fileprivate func `counts once, tonight and later`(scene: Scene) throws {
    #expect(days[3].bytes.count > 1 << 16, "several blocks")
    let sandbox = try CacheSandbox()
    for day in days.dropLast() { try sandbox.write(day.name, day.bytes) }
    if scene.isWarm { _ = try sandbox.run(change: few) }
    let (name, bytes) = days[3]
    try sandbox.write(name, bytes)
    let path = sandbox.reports + "/" + name
    let progress = progress(at: scene.step, of: path) {
      scene.change.apply(to: path, bytes, otherBytes: otherBytes)
    }
    let run = try sandbox.run(progress: progress, change: few)
    #expect(run.outcome.result.internalError == nil)
    #expect(run.outcome.checks.hold)
    if scene.change.keepsBytes {
      #expect(run.outcome.differingFiles(from: try sandbox.plainRun(change: few)) == [])
    }
    // Nothing new, a day more, and again nothing new.
    for night in 0..<3 {
      if night == 1 { try sandbox.write(nextDay.name, nextDay.bytes) }
      let plain = try sandbox.plainRun(change: few)
      let cached = try sandbox.run(isLongAfter: true, change: few).outcome
      #expect(cached.differingFiles(from: plain) == [], "night \(night)")
      #expect(cached.result.internalError == nil, "night \(night)")
      if night == 2 { #expect(cached.result.changedSubscribers == 0) }
    }
  }

  /// Why a run reads charges that it left out.
  enum Obstacle: CaseIterable {
    /// Their entries are gone.
    case noEntry
    /// A price is planned, which is about all subscribers; the run learns that when the last tally is changed already.
    case plan
  }

  @Test(arguments: FileChange.allCases, Obstacle.allCases)
  fileprivate func `counts once when its charges were left out and must be read after all`(
    change: FileChange, obstacle: Obstacle
  ) throws {
    let rows = try PriceFile.plan.read(
      "product,country,currency,date,new_price\nMonthly,US,USD,2026-02-01,12.99\n", path: "plan.csv"
    )
    let plan = { (plan: inout RunPlan) in
      few(&plan)
      plan.prices = PricePlan()
      if obstacle == .plan { plan.prices?.planned = rows }
    }
    let sandbox = try CacheSandbox()
    for day in days.dropLast() { try sandbox.write(day.name, day.bytes) }
    _ = try sandbox.run(isLongAfter: true, change: plan)
    try sandbox.write(days[3].name, days[3].bytes)
    for name in sandbox.entries where name.hasSuffix("-charges") {
      switch obstacle {
      case .noEntry: sandbox.removeEntry(name)
      // Charges can be found in it, but it is not whole.
      case .plan: try sandbox.writeEntry(name, sealed(try sandbox.entry(name).dropLast(8) + [0]))
      }
    }
    let path = sandbox.reports + "/" + days[1].name
    let progress = RunProgress { step, _ in
      guard step == .resolved else { return }
      // A row with another product name: terms that the last run did not know.
      var other = days[1].bytes
      let name = Array("\tMonthly\t".utf8)
      if let place = other.firstRange(of: name) {
        other.replaceSubrange(place, with: Array("\tYearly\t".utf8))
      }
      change.apply(to: path, days[1].bytes, otherBytes: other)
    }
    let run = try sandbox.run(isLongAfter: true, progress: progress, change: plan).outcome
    #expect(run.result.changedSubscribers == nil)
    #expect(run.result.internalError == nil)
    #expect(run.checks.hold)
    let plain = try sandbox.plainRun(change: plan)
    if change == .delete {
      #expect(run.result.files.filter { $0.problem != nil }.map(\.file.path) == [path])
    } else {
      #expect(run.differingFiles(from: plain) == [])
    }
    let later = try sandbox.run(isLongAfter: true, change: plan).outcome
    #expect(later.differingFiles(from: plain) == [])
  }

  /// Few views: there are many runs.
  private func few(_ plan: inout RunPlan) { plan.views = [[], [.product]] }

  @Test(arguments: histories(60))
  func `counts once in any history of nights`(seed: UInt64) throws {
    var history = try ChangingHistory(seed: seed)
    for night in 0..<3 {
      let change = history.plan()
      let jobs = Int.random(in: 1..<4, using: &history.files.random)
      let isLongAfter = Bool.random(using: &history.files.random)
      let sandbox = history.files.sandbox
      // In the last night nothing changes meanwhile.
      if night < 2 {
        let run = try sandbox.run(
          jobs: jobs, isLongAfter: isLongAfter, progress: try history.disturbance(),
          change: change)
        #expect(run.outcome.result.internalError == nil, "night \(night)")
        #expect(run.outcome.checks.hold, "night \(night)")
      }
      let plain = try sandbox.plainRun(change: change)
      let cached = try sandbox.run(jobs: jobs, isLongAfter: isLongAfter, change: change).outcome
      #expect(cached.differingFiles(from: plain) == [], "night \(night)")
      #expect(cached.said == plain.said, "night \(night)")
      try history.files.add(Int.random(in: 0..<3, using: &history.files.random))
    }
  }

  @Test
  func `is read anew and ends with 70 where the last tally has a row too many`() throws {
    let sandbox = try CacheSandbox(
      Dictionary(uniqueKeysWithValues: days.map { ($0.name, $0.bytes) }))
    let plain = try sandbox.plainRun()
    _ = try sandbox.run()
    let name = try #require(sandbox.tallyNames.first)
    // At the end are the number of rows, the flag of increases, and the checksum; there are as many negative numbers
    // as others, so the lowest bit of one is its sign.
    var bytes = try sandbox.tally(name).dropLast(8)
    let rowCount = days.map {
      String(decoding: $0.bytes, as: UTF8.self).split(separator: "\n").count - 1
    }
    .reduce(0, +)
    let place = bytes.endIndex - 3
    try #require(Int(bytes[place] & 0x7F) | Int(bytes[place + 1]) << 7 == 2 * rowCount)
    bytes[place] += 2
    try sandbox.writeTally(name, sealed(Array(bytes)))
    let run = try sandbox.run()
    #expect(run.notes == [])
    #expect(
      run.outcome.result.internalError
        == "error: \(rowCount) rows of Subscriber reports are used, but the tables count \(rowCount + 1): please report this; the next run counts everything again [internal-error]"
    )
    let reasons = run.outcome.result.exitReasons(maxRejects: 0, checksDays: false)
    #expect(ExitReason.code(of: reasons) == 70)
    #expect(run.outcome.differingFiles(from: plain).contains("checks.csv"))
    #expect(try sandbox.run().outcome.differingFiles(from: plain) == [])
  }

  /// An entry of the cache with its checksum.
  private func sealed(_ entry: [UInt8]) -> [UInt8] {
    var lineFeeds = 0
    let end = entry.firstIndex { byte in
      if byte == UInt8(ascii: "\n") { lineFeeds += 1 }
      return lineFeeds == 3
    }
    var hasher = ByteHasher()
    hasher.add(entry.span, 0..<(end ?? 0) + 1)
    hasher.add(entry.span, ((end ?? 0) + 1)..<entry.count)
    let checksum = hasher.finished()
    return entry + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
  }
}

/// Worlds of all kinds of reports; each is read many times, so all are small.
private let worlds: [SimulatedReports] = (0..<4).compactMap { seed in
  try? SimulatedReports(
    seed: 950 + seed, subscribers: 60, from: "2026-03-01", to: "2026-03-09", faults: seed == 3,
    kinds: Set(
      seed == 0 ? [.subscriber] : WorldOptions.ReportKind.reports + (seed > 1 ? [.receipts] : [])))
}

/// Nights of one installation in which files change while they are read.
private struct ChangingHistory {
  var files: NightlyFiles

  init(seed: UInt64) throws {
    files = try NightlyFiles(seed: seed, worlds: worlds, first: 3..<20)
  }

  /// How a night is asked.
  mutating func plan() -> (inout RunPlan) -> Void {
    let prices = Bool.random(using: &files.random) ? PricePlan() : nil
    let kind = Int.random(in: 0..<6, using: &files.random)
    return { plan in
      plan.views = [[], [.product]]
      plan.prices = prices
      switch kind {
      case 0:
        plan.asOf = Day("2026-03-04")
        plan.receipts.asOf = Instant("2026-03-04T23:59:59Z")
      case 1: plan.filters.countries = ["US"]
      case 2: plan.monthSystem = .fiscal
      default: break
      }
    }
  }

  /// Changes one to three files at any steps of a run.
  mutating func disturbance() throws -> RunProgress {
    let sandbox = files.sandbox
    let scenes = try (0..<Int.random(in: 1...3, using: &files.random)).compactMap {
      _ -> RunProgress? in
      guard let (name, bytes) = files.any(),
        let change = FileChange.allCases.randomElement(using: &files.random),
        let step = RunProgress.Step.allCases.randomElement(using: &files.random)
      else { return nil }
      let restated = files.restated(bytes) { line, _ in
        line = Array(String(decoding: line, as: UTF8.self).replacing("US", with: "NZ").utf8)
      }
      let isNew = Bool.random(using: &files.random)
      if isNew { try sandbox.write(name, gzip(bytes)) }
      let path = sandbox.reports + "/" + name
      return progress(at: step, of: path) {
        change.apply(to: path, isNew ? gzip(bytes) : bytes, otherBytes: restated)
      }
    }
    return RunProgress { step, path in
      for scene in scenes { scene.reach(step, path) }
    }
  }
}
