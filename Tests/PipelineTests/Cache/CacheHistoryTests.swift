import Glibc
import Pipeline
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

/// Worlds that histories are made of; each is read many times, so all are small.
private let worlds: [SimulatedReports] = (0..<4).compactMap { seed in
  try? SimulatedReports(seed: 900 + seed, subscribers: 40, to: "2026-01-09", faults: seed % 2 == 0)
}

/// Nights of one installation: files come, change and go, and the cache suffers.
private struct History {
  let sandbox: CacheSandbox
  var random: SeededGenerator
  /// Reports that have not come yet.
  var ahead: [(name: String, bytes: [UInt8])]
  var files: [String: [UInt8]] = [:]

  init(seed: UInt64) throws {
    sandbox = try CacheSandbox()
    random = SeededGenerator(seed: seed)
    ahead = worlds[Int(seed) % worlds.count].reports.map { ($0.key, $0.value) }
      .sorted { (dateInName($0.name), $0.name) < (dateInName($1.name), $1.name) }
    for _ in 0..<Int.random(in: 4..<12, using: &random) { try add() }
  }

  mutating func night() throws {
    for _ in 0..<Int.random(in: 0..<4, using: &random) { try add() }
    guard let name = files.keys.sorted().randomElement(using: &random) else { return }
    let bytes = files[name] ?? []
    switch Int.random(in: 0..<8, using: &random) {
    case 0: try put(name, nil)
    case 1: try put("z/" + name, restated(bytes))
    case 2: try put(name, restated(bytes))
    case 3: try put("copy/" + name, bytes)
    case 4:
      try put(name, nil)
      try put("moved/" + name, bytes)
    case 5:
      try put(name, nil)
      try put(name + ".no-date.txt", bytes)
    case 6: try put(name, gzip(bytes))
    default: try put(name, gzip(bytes).dropLast(Int.random(in: 1..<20, using: &random)))
    }
  }

  /// Damages an entry, or does not.
  mutating func damage() throws {
    guard let name = sandbox.entries.randomElement(using: &random),
      let other = sandbox.entries.randomElement(using: &random)
    else { return }
    var entry = try sandbox.entry(name)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return
    case 1: sandbox.removeEntry(name)
    case 2: try sandbox.writeEntry(name, try sandbox.entry(other))
    case 3:
      let end = Int.random(in: 0..<entry.count, using: &random)
      try sandbox.writeEntry(name, Array(entry[..<end]))
    default:
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      entry[Int.random(in: 0..<entry.count, using: &random)] ^= bit
      try sandbox.writeEntry(name, entry)
    }
  }

  private mutating func add() throws {
    guard !ahead.isEmpty else { return }
    let (name, bytes) = ahead.removeFirst()
    try put(name, bytes)
  }

  private mutating func put(_ name: String, _ bytes: [UInt8]?) throws {
    files[name] = bytes
    if let bytes { try sandbox.write(name, bytes) } else { sandbox.remove(name) }
  }

  /// A later version of a report: a row is gone, is there twice, or is no good.
  private mutating func restated(_ bytes: [UInt8]) -> [UInt8] {
    var lines = bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
    guard lines.count > 1 else { return bytes }
    let index = Int.random(in: 1..<lines.count, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: lines.remove(at: index)
    case 1: lines.append(lines[index])
    default: lines[index] = Array("2026-13-01".utf8) + lines[index].dropFirst(10)
    }
    return Array(lines.map { $0 + [UInt8(ascii: "\n")] }.joined())
  }
}

/// The date in a report's name.
private func dateInName(_ name: String) -> Substring {
  name.split(separator: "_").first { $0.count == 8 && $0.allSatisfy(\.isNumber) && $0 > "2020" }
    ?? ""
}

@Suite("With a cache")
struct CacheHistoryTests {
  @Test("every run says what it says without, whatever happens", arguments: UInt64(0)..<50)
  func anyHistory(seed: UInt64) throws {
    var history = try History(seed: seed)
    for night in 0..<4 {
      let change: (inout RunPlan) -> Void =
        switch Int.random(in: 0..<5, using: &history.random) {
        case 0: { $0.asOf = Day("2026-01-05") }
        case 1: { $0.monthSystem = .fiscal }
        case 2: { $0.prices = PricePlan() }
        default: { _ in }
        }
      let version = Int.random(in: 0..<8, using: &history.random) == 0 ? "1.2.4" : "1.2.3"
      let jobs = Int.random(in: 1..<4, using: &history.random)
      let plain = try history.sandbox.plainRun(change: change)
      let cached = try history.sandbox.run(version: version, jobs: jobs, change: change).outcome
      #expect(cached.differingFiles(from: plain) == [], "night \(night)")
      #expect(cached.said == plain.said, "night \(night)")
      try history.night()
      try history.damage()
    }
  }

  @Test("a run that is killed leaves it usable", arguments: 0..<10)
  func killed(attempt: Int) async throws {
    let sandbox = try CacheSandbox(worlds[attempt % worlds.count].reports)
    let plain = try sandbox.plainRun()
    let (reports, cache) = (sandbox.reports, sandbox.cache)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [reports = reports as String, cache = cache as String, attempt = attempt as Int] in
      Task.detached {
        usleep(UInt32(2_000 * (attempt + 1)))
        kill(getpid(), SIGKILL)
      }
      while true {
        let opened = try ExtractCache(path: cache, version: "1.2.3")
        _ = carryOut([reports]) { $0.cache = opened }
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
