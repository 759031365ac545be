import Glibc
import Pipeline
import PipelineTestSupport
import ReportCache
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

/// Worlds that histories are made of; each is read many times, so all are small.
private let worlds: [SimulatedReports] = (0..<4 as Range<UInt64>).compactMap { seed in
  var world = try? SimulatedReports(
    seed: 900 + seed, subscribers: 40, to: "2026-01-09", faults: seed % 2 == 0,
    kinds: Set(WorldOptions.ReportKind.reports + (seed > 1 ? [.receipts] : [])))
  if seed == 1 { world?.nameLate(by: 1) { !$0.contains("S_D_") } }
  if seed == 0 {
    var random = SeededGenerator(seed: seed)
    world?.downloadAgain(&random)
  }
  if seed == 3, let day = Day("2026-01-01") {
    world?.addSales(ofWeekFrom: day + 4)
    world?.addSales(of: day.month)
  }
  return world
}

/// Nights of one installation: files come, change and go, and the cache suffers.
private struct History {
  var files: NightlyFiles

  init(seed: UInt64) throws {
    files = try NightlyFiles(seed: seed, worlds: worlds, first: 4..<12)
  }

  mutating func night() throws {
    try files.add(Int.random(in: 0..<4, using: &files.random))
    guard let (name, bytes) = files.any() else { return }
    switch Int.random(in: 0..<9, using: &files.random) {
    case 0: try files.put(name, nil)
    case 1: try files.put("z/" + name, restated(bytes))
    case 2: try files.put(name, restated(bytes))
    case 3: try files.put("copy/" + name, bytes)
    case 4:
      try files.put(name, nil)
      try files.put("moved/" + name, bytes)
    case 5:
      try files.put(name, nil)
      try files.put(name + ".no-date.txt", bytes)
    case 6: try files.put(name, gzip(bytes))
    case 7:
      guard let later = SimulatedReports.name(name, laterBy: 1) else { return }
      try files.put("later/" + later, bytes)
    default:
      try files.put(name, gzip(bytes).dropLast(Int.random(in: 1..<20, using: &files.random)))
    }
  }

  /// Damages an entry, or does not.
  mutating func damage() throws {
    let sandbox = files.sandbox
    guard let name = sandbox.entries.randomElement(using: &files.random),
      let other = sandbox.entries.randomElement(using: &files.random)
    else { return }
    var entry = try sandbox.entry(name)
    switch Int.random(in: 0..<5, using: &files.random) {
    case 0: return
    case 1: sandbox.removeEntry(name)
    case 2: try sandbox.writeEntry(name, try sandbox.entry(other))
    case 3:
      let end = Int.random(in: 0..<entry.count, using: &files.random)
      try sandbox.writeEntry(name, Array(entry[..<end]))
    default:
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &files.random)
      entry[Int.random(in: 0..<entry.count, using: &files.random)] ^= bit
      try sandbox.writeEntry(name, entry)
    }
  }

  /// A later version of a report, in which a row may be no good.
  private mutating func restated(_ bytes: [UInt8]) -> [UInt8] {
    files.restated(bytes) { line, _ in line = Array("2026-13-01".utf8) + line.dropFirst(10) }
  }
}

@Suite("With a cache")
struct CacheHistoryTests {
  @Test(arguments: histories(24))
  func `every run says what it says without, whatever happens`(seed: UInt64) throws {
    try compare(seed: seed)
  }

  @Test(arguments: histories(8, from: 24))
  func `so does one whose files are old enough to be remembered`(seed: UInt64) throws {
    try compare(seed: seed, isLongAfter: true)
  }

  private func compare(seed: UInt64, isLongAfter: Bool = false) throws {
    var history = try History(seed: seed)
    for night in 0..<4 {
      let change: (inout RunPlan) -> Void =
        switch Int.random(in: 0..<5, using: &history.files.random) {
        case 0:
          { plan in
            plan.asOf = Day("2026-01-05")
            plan.receipts.asOf = Instant("2026-01-05T23:59:59Z")
          }
        case 1: { $0.monthSystem = .fiscal }
        case 2: { $0.prices = PricePlan() }
        default: { _ in }
        }
      let version = Int.random(in: 0..<8, using: &history.files.random) == 0 ? "1.2.4" : "1.2.3"
      let jobs = Int.random(in: 1..<4, using: &history.files.random)
      let plain = try history.files.sandbox.plainRun(change: change)
      let cached = try history.files.sandbox.run(
        version: version, jobs: jobs, isLongAfter: isLongAfter, change: change
      ).outcome
      #expect(cached.differingFiles(from: plain) == [], "night \(night)")
      #expect(cached.said == plain.said, "night \(night)")
      try history.night()
      try history.damage()
    }
  }

  @Test(arguments: histories(10))
  func `a run that is killed leaves it usable`(attempt: UInt64) async throws {
    let sandbox = try CacheSandbox(worlds[Int(attempt) % worlds.count].reports)
    let plain = try sandbox.plainRun()
    let (reports, cache) = (sandbox.reports, sandbox.cache)
    // The first ten at 2 to 20, the next ones later; few of them have early and late ones.
    let milliseconds = 2 + 2 * Int(attempt / 10 % 10 * 10 + attempt * 7 % 10)
    await #expect(processExitsWith: .signal(SIGALRM)) {
      [reports = reports as String, cache = cache as String, milliseconds = milliseconds as Int] in
      // Nothing handles the alarm, so that it ends the process wherever that is.
      var timer = itimerval()
      timer.it_value.tv_usec = 1_000 * milliseconds
      try #require(unsafe setitimer(Int32(ITIMER_REAL.rawValue), &timer, nil) == 0)
      while true {
        let opened = try ExtractCache(path: cache, version: "1.2.3")
        _ = carryOut([reports]) { $0.earlierRuns = opened }
        _ = try CacheContents.clear(cache)
      }
    }
    for _ in 0..<2 {
      let run = try sandbox.run()
      #expect(run.outcome.differingFiles(from: plain) == [])
      #expect(run.notes == [])
    }
    #expect(
      names(inFolder: sandbox.cache).sorted() == ["CACHEDIR.TAG", "extracts", "runs", "tallies"])
  }
}
