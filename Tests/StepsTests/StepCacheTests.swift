import Files
import Pipeline
import PipelineTestSupport
import Receipts
import ReportCache
import Simulation
import Steps
import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

/// A folder of reports, a cache, and both kinds of runs.
private struct CachedWorld {
  let sandbox: ReportSandbox
  var reports: String { sandbox.path + "/in" }

  init(faults: Bool = false, kinds: [WorldOptions.ReportKind] = WorldOptions.ReportKind.allCases)
    throws
  {
    sandbox = try ReportSandbox()
    try Simulator.write(
      world: try WorldOptions(
        subscribers: 80, firstDay: "2026-01-22", lastDay: "2026-03-05", seed: 900,
        plantsFaults: faults, kinds: Set(kinds)),
      to: reports)
    sandbox.remove("in/truth")
  }

  func cache(_ name: String) -> String { sandbox.path + "/" + name }

  func extracts(_ name: String) -> [String: [UInt8]] {
    let folder = cache(name) + "/extracts"
    return names(inFolder: folder).reduce(into: [:]) { $0[$1] = try? fileBytes(folder + "/" + $1) }
  }

  var plan: RunPlan {
    var plan = RunPlan(inputs: [reports], views: usualViews)
    plan.prices = PricePlan()
    return plan
  }

  /// Runs, with a cache or without; returns the outcome, and how many files were read.
  func run(
    cache name: String? = nil, version: String = StepDriver.version,
    _ change: (inout RunPlan) -> Void = { _ in }
  ) throws -> (outcome: RunOutcome, read: Int) {
    var plan = plan
    change(&plan)
    let opened = try name.map { try ExtractCache(path: cache($0), version: version) }
    plan.earlierRuns = opened
    let read = Locked(0)
    let progress = RunProgress { step, _ in
      if case .read = step { read.withLock { $0 += 1 } }
    }
    let outcome = try RunOutcome(Run.carryOut(plan, progress: progress))
    opened?.wait()
    return (outcome, read.withLock { $0 })
  }

  /// Runs the steps; returns their driver, and the files that differ from those of a run without a cache.
  func steps(
    cache name: String? = nil, writesEntries: Bool = false,
    _ change: (inout RunPlan) -> Void = { _ in }
  ) throws -> (driver: StepDriver, differences: [String]) {
    var plan = plan
    change(&plan)
    var driver = StepDriver(plan, partitions: 3, random: SeededGenerator(seed: 1))
    driver.cache = name.map(cache)
    driver.writesEntries = writesEntries
    let found = try RunOutcome(driver.result(reports))
    return (driver, found.differingFiles(from: try run(change).outcome))
  }
}

@Suite("Steps and a cache")
struct StepCacheTests {
  @Test
  func `fill it with the entries of a run, so that the next run reads nothing`() throws {
    let world = try CachedWorld()
    let steps = try world.steps(writesEntries: true)
    #expect(steps.differences == [])
    let count = try steps.driver.storeEntries(in: world.cache("filled"))
    _ = try world.run(cache: "plain")
    let expected = world.extracts("plain")
    #expect(expected.count > 200 && count == expected.count)
    #expect(world.extracts("filled") == expected)
    let run = try world.run(cache: "filled")
    #expect(run.read == 0)
    #expect(run.outcome.differingFiles(from: try world.run().outcome) == [])
  }

  @Test
  func `begin from one, and read only files whose texts are compared`() throws {
    for faults in [false, true] {
      let world = try CachedWorld(faults: faults)
      _ = try world.run(cache: "cache")
      let steps = try world.steps(cache: "cache", writesEntries: true)
      #expect(steps.differences == [])
      #expect(steps.driver.wholeFiles.read == 0)
      #expect(steps.driver.entries.isEmpty)
      // Two SUBSCRIBER and two SUBSCRIPTION_EVENT reports of two days have two rows each, mostly of the same day, so that
      // they may have the same bytes. The restated day has two files; three dumps may have one length.
      #expect((faults ? 6...9 : 4...4).contains(steps.driver.wholeFiles.scouted))
    }
  }

  @Test
  func `begin from one that steps have filled`() throws {
    let world = try CachedWorld(faults: true)
    _ = try world.steps(writesEntries: true).driver.storeEntries(in: world.cache("cache"))
    let steps = try world.steps(cache: "cache")
    #expect(steps.differences == [])
    #expect(steps.driver.wholeFiles.read == 0)
  }

  @Test
  func `read a file with a damaged entry, and one that has changed`() throws {
    let world = try CachedWorld(kinds: [.subscriber, .sales, .receipts])
    _ = try world.run(cache: "cache")
    for (name, bytes) in world.extracts("cache").sorted(by: { $0.key < $1.key })
      .filter({ !$0.key.contains("sales") }).prefix(6)
    {
      var damaged = bytes
      damaged[bytes.count / 2] ^= 1
      try world.sandbox.write("cache/extracts/" + name, damaged)
      let steps = try world.steps(cache: "cache")
      #expect(steps.differences == [], "\(name)")
      #expect(steps.driver.wholeFiles.read == 1, "\(name)")
      try world.sandbox.write("cache/extracts/" + name, bytes)
    }
    let changed = try #require(
      names(inFolder: world.reports + "/subscriber").sorted().dropFirst(3).first)
    let text = try world.sandbox.bytes("in/subscriber/" + changed)
    try world.sandbox.write("in/subscriber/" + changed, text.dropLast(2) + [0x0A])
    let steps = try world.steps(cache: "cache")
    #expect(steps.differences == [])
    // Two reports of two days have two rows each, mostly of the same day, and are compared with each other.
    #expect(steps.driver.wholeFiles == (3, 1))
  }

  @Test
  func `read all files with entries of another version`() throws {
    let world = try CachedWorld(kinds: [.subscriber])
    _ = try world.run(cache: "cache", version: "9.9")
    let steps = try world.steps(cache: "cache")
    #expect(steps.differences == [])
    #expect(steps.driver.wholeFiles.scouted == steps.driver.wholeFiles.read)
    #expect(steps.driver.wholeFiles.read > 40)
  }

  @Test
  func `read a file whose role has changed`() throws {
    let world = try CachedWorld(kinds: [.subscriber, .sales])
    _ = try world.run(cache: "cache") { $0.sources = [.sales] }
    // The rows of a SUBSCRIBER report were only counted, so its entry does not show which report it is.
    let steps = try world.steps(cache: "cache")
    #expect(steps.differences == [])
    let count = steps.driver.wholeFiles.scouted
    #expect(count > 40 && steps.driver.wholeFiles.read == count)
    let again = try world.steps(cache: "cache") { $0.sources = [.sales] }
    #expect(again.differences == [])
    #expect(again.driver.wholeFiles == (count, 0))
  }

  @Test
  func `begin from one with as-of and filters`() throws {
    let world = try CachedWorld(faults: true, kinds: WorldOptions.ReportKind.reports)
    _ = try world.run(cache: "cache")
    for day in [nil, Day("2026-02-18")] {
      let change: (inout RunPlan) -> Void = { plan in
        plan.asOf = day
        plan.filters.countries = day == nil ? ["US"] : []
      }
      let steps = try world.steps(cache: "cache", writesEntries: true, change)
      #expect(steps.differences == [])
      // Of snapshots after as-of only the rows are counted, which takes another entry.
      #expect(steps.driver.wholeFiles.read <= (day == nil ? 0 : 20))
      _ = try steps.driver.storeEntries(in: world.cache("cache"))
      #expect(try world.steps(cache: "cache", change).driver.wholeFiles.read == 0)
    }
  }

  @Test
  func `begin from one, and fill it, where as-of cuts off receipts`() throws {
    let world = try CachedWorld(kinds: [.receipts])
    let change: (inout RunPlan) -> Void = { plan in
      plan.asOf = Day("2026-02-15")
      plan.receipts.asOf = plan.asOf.flatMap { Instant(endOf: $0) }
    }
    let steps = try world.steps(writesEntries: true, change)
    #expect(steps.differences == [])
    _ = try steps.driver.storeEntries(in: world.cache("filled"))
    _ = try world.run(cache: "plain", change)
    #expect(world.extracts("filled") == world.extracts("plain"))
    _ = try world.run(cache: "whole")
    #expect(try world.steps(cache: "whole", change).differences == [])
    #expect(try world.steps(cache: "filled").differences == [])
  }

  @Test
  func `begin from one with tables of receipts and copies of them`() throws {
    let world = try CachedWorld(kinds: [.receipts])
    let table = Array("id,bought,ends\n1,2026-02-01T08:00:00Z,2026-03-01T08:00:00Z\n".utf8)
    try world.sandbox.write("in/a.csv", table)
    let change: (inout RunPlan) -> Void = { plan in
      plan.receipts.columns = ReceiptColumns([
        .originalTransactionID: "id", .purchaseDate: "bought", .expiresDate: "ends",
      ])
    }
    _ = try world.run(cache: "cache", change)
    try world.sandbox.write("in/b.csv.gz", gzip(table))
    for change in [change, { _ in }] {
      #expect(try world.steps(cache: "cache", change).differences == [])
    }
  }

  @Test
  func `remember the hashes of files, as a run does`() throws {
    let world = try CachedWorld(kinds: [.subscriber])
    let (path, files) = (world.cache("cache"), InputListing.list([world.reports]).files)
    // An hour later, so that files are remembered that have just been written.
    let input = try CachedInput(
      path: path, version: StepDriver.version, inputs: [world.reports], secondsAhead: 3_600)
    try CachedFileFrames.found(files, input) { _, frame in #expect(frame == nil) }
    var plan = world.plan
    plan.earlierRuns = try ExtractCache(
      path: path, version: StepDriver.version, secondsAhead: 3_600)
    let steps = Locked<[RunProgress.Step]>([])
    let progress = RunProgress { step, _ in steps.withLock { $0.append(step) } }
    _ = Run.carryOut(plan, progress: progress)
    let reached = steps.withLock { $0 }
    #expect(!reached.contains(.hashed) && reached.contains(.read))
  }

  // MARK: Faults

  @Test
  func `store all entries or none`() throws {
    let world = try CachedWorld(kinds: [.subscriber])
    let entries = try world.steps(writesEntries: true).driver.entries
    let bytes = entries.prefix(3).map { $0.parts(version: StepDriver.version).flatMap { $0 } }
    let foreign = FileFrame.frame(
      InputFile(path: "", shownPath: "a", relativePath: "a", isNamed: false, status: nil), [])
    let other = entries[3].parts(version: "9.9").flatMap { $0 }
    for (bad, code) in [
      (Array(bytes[2].dropLast()), StepError.Code.damaged), (other, .otherVersion),
      (foreign.parts(version: StepDriver.version).flatMap { $0 }, .misplaced),
    ] {
      var source = StepDriver.source(bytes[0] + bytes[1] + bad)
      let error = #expect(throws: StepError.self) {
        try EntriesFrame.store(
          in: world.cache("cache"), version: StepDriver.version, &source)
      }
      #expect(error?.code == code)
      #expect(world.extracts("cache").isEmpty)
      #expect(names(inFolder: world.cache("cache")).count == 4)
    }
  }

  @Test
  func `store under no other path`() {
    let hash = String(repeating: "0a", count: 32)
    for name in [hash + "-subscriber", hash + "-sales-other-until-2026-09-30-charges"] {
      #expect(EntryDelivery.isName(name))
    }
    for name in [
      "", "..", hash, hash + "-", hash + "-../a", hash + "-a/b", hash + "-a\u{0}", "a" + hash,
      hash.uppercased() + "-subscriber", hash + "-" + String(repeating: "a", count: 300),
    ] {
      #expect(!EntryDelivery.isName(name), "\(name)")
    }
  }

  @Test
  func `search a cache for all files at once`() throws {
    let world = try CachedWorld(kinds: [.subscriber, .sales])
    _ = try world.run(cache: "cache")
    let frames = try ["subscriber", "sales"].flatMap { folder in
      let folder = world.reports + "/" + folder
      let input = try CachedInput(
        path: world.cache("cache"), version: StepDriver.version, inputs: [folder])
      var frames: [Frame] = []
      try CachedFileFrames.found(InputListing.list([folder]).files, input) { _, frame in
        frames += frame.map { [$0] } ?? []
      }
      return frames
    }
    var source = FrameSource(frames)
    let error = #expect(throws: StepError.self) {
      try Planning.frame([], world.plan, partitionCount: 2, cores: 1, &source)
    }
    #expect(error?.message.hasSuffix("use one files --cache for all") == true)
  }

  @Test
  func `refuse entries that do not fit the plan`() throws {
    let world = try CachedWorld(kinds: [.subscriber])
    let entries = try world.steps(writesEntries: true).driver.entries
    var driver = StepDriver(world.plan)
    driver.change = { frames in
      frames.map { $0.label.kind == .file && frames.first?.label.kind == .plan ? entries[0] : $0 }
    }
    #expect(throws: StepError.self) { try driver.result(world.reports) }
  }
}
