import AppStoreReports
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// Reports of five months in which a price rises, in the order of their days: long enough for every wait to
/// end.
private let worlds: [[NightlyFiles.Report]] = (500..<503 as Range<UInt64>).compactMap { seed in
  let world = try? SimulatedReports(
    seed: seed, subscribers: 300, from: "2026-03-01", to: "2026-07-31",
    kinds: [.subscriber])
  return world?.reports.map { name, bytes in
    switch seed {
    case 501: (name: name, bytes: inInstalments(bytes))
    case 502: (name: name, bytes: withTextIDs(bytes))
    default: (name: name, bytes: bytes)
    }
  }
  .sorted { $0.name < $1.name }
}

/// Returns a report in which the monthly product is one of a year, so that its charges are instalments.
private func inInstalments(_ report: [UInt8]) -> [UInt8] {
  let text = String(decoding: report, as: UTF8.self)
  return Array(text.replacing("\t1 Month\t", with: "\t1 Year\t").utf8)
}

/// Returns a report in which the ids of every second subscriber are no numbers.
private func withTextIDs(_ report: [UInt8]) -> [UInt8] {
  let fields = String(decoding: report, as: UTF8.self).split(
    separator: "\t", omittingEmptySubsequences: false)
  let changed = fields.map { field in
    let isOddID = field.count > 12 && UInt64(field).map { $0 % 2 == 1 } == true
    return isOddID ? "id-" + field : String(field)
  }
  return Array(changed.joined(separator: "\t").utf8)
}

/// Nights of one installation, most of which only bring a day.
private struct Nights {
  var files: NightlyFiles
  /// Reports that were left out and may still come.
  private var late: [NightlyFiles.Report] = []

  init(seed: UInt64) throws {
    files = try NightlyFiles(seed: seed, ahead: worlds[Int(seed) % worlds.count])
    try files.add(Int.random(in: 60..<140, using: &files.random))
  }

  mutating func night() throws {
    let days = Int.random(in: 0..<8, using: &files.random)
    try files.add(days < 6 ? 1 : Int.random(in: 0..<20, using: &files.random))
    guard let (name, bytes) = files.any() else { return }
    switch Int.random(in: 0..<16, using: &files.random) {
    case 0: try files.put(name, nil)
    case 1, 2: try files.put(name, restated(bytes))
    case 3: try files.put("z/" + name, restated(bytes))
    case 4: if let report = late.popLast() { try files.put(report.name, report.bytes) }
    case 5: late += files.leaveOut().map { [$0] } ?? []
    case 6:
      try files.put(name, nil)
      try files.put("moved/" + name, bytes)
    case 7: try files.put(files.first ?? name, nil)
    default: break
    }
  }

  private mutating func restated(_ bytes: [UInt8]) -> [UInt8] {
    files.restated(bytes) { line, random in
      let (old, new) =
        [
          ("US", "NZ"), (".99", ".98"), ("2026-05-2", "2026-06-2"),
        ].randomElement(using: &random) ?? ("", "")
      line = Array(String(decoding: line, as: UTF8.self).replacing(old, with: new).utf8)
    }
  }
}

extension CacheSandbox {
  fileprivate init(of reports: ArraySlice<NightlyFiles.Report>) throws {
    try self.init(Dictionary(uniqueKeysWithValues: reports.map { ($0.name, $0.bytes) }))
  }
}

@Suite("The tally of the last run")
struct CacheTallyChangeTests {
  @Test(arguments: histories(8))
  func `becomes tonight's, whatever happens`(seed: UInt64) throws {
    var nights = try Nights(seed: seed)
    let prices: PricePlan? = seed % 2 == 0 ? PricePlan() : nil
    var isFirst = true
    for night in 0..<8 {
      let jobs = Int.random(in: 1..<4, using: &nights.files.random)
      let plain = try nights.files.sandbox.plainRun { $0.prices = prices }
      let cached = try nights.files.sandbox.run(jobs: jobs) { $0.prices = prices }
      #expect(cached.outcome.differingFiles(from: plain) == [], "night \(night)")
      #expect(cached.notes == [])
      if isFirst { #expect(cached.outcome.result.changedSubscribers == nil) }
      isFirst = false
      try nights.night()
      // Without its entry a report is read again, also one that the last run knew.
      if Bool.random(using: &nights.files.random),
        let name = nights.files.sandbox.entries.sorted().randomElement(using: &nights.files.random)
      {
        nights.files.sandbox.removeEntry(name)
      }
    }
  }

  @Test
  func `is changed for a day more, and not when days are missing or all have changed`() throws {
    let reports = worlds[0]
    let sandbox = try CacheSandbox(of: reports[..<100])
    #expect(try sandbox.run().outcome.result.changedSubscribers == nil)
    #expect(try sandbox.run().outcome.result.changedSubscribers == 0)
    try sandbox.write(reports[100].name, reports[100].bytes)
    let changed = try #require(try sandbox.run().outcome.result.changedSubscribers)
    #expect((1..<100).contains(changed))
    try sandbox.write(reports[102].name, reports[102].bytes)
    #expect(try sandbox.run().outcome.result.changedSubscribers == nil)
    sandbox.remove(reports[0].name)
    #expect(try sandbox.run().outcome.result.changedSubscribers == nil)
    #expect(try sandbox.run().outcome.result.changedSubscribers == 0)
  }

  @Test
  func `is kept on the last day of a month too, whose report has rows of the next one`() throws {
    let reports = worlds[0]
    let sandbox = try CacheSandbox(of: reports[..<60])
    _ = try sandbox.run()
    for report in reports[60...62] {
      try sandbox.write(report.name, report.bytes)
      let rows = String(decoding: report.bytes, as: UTF8.self).split(separator: "\n").dropFirst()
      let subscribers = rows.map { $0.split(separator: "\t", omittingEmptySubsequences: false)[21] }
      let changed = try sandbox.run().outcome.result.changedSubscribers
      #expect(changed == Set(subscribers).count, "\(report.name)")
    }
  }

  @Test
  func `is changed too when a report is restated whose prices it knows`() throws {
    let reports = worlds[2]
    let sandbox = try CacheSandbox(of: reports[..<60])
    let prices = { (plan: inout RunPlan) in plan.prices = PricePlan() }
    #expect(try sandbox.run(change: prices).outcome.result.changedSubscribers == nil)
    let lines = reports[30].bytes.split(separator: UInt8(ascii: "\n"))
    let fewer = lines.dropLast().joined(separator: [UInt8(ascii: "\n")])
    try sandbox.write(reports[30].name, Array(fewer))
    let subscribers = lines.dropFirst().map { line in
      String(decoding: line, as: UTF8.self)
        .split(separator: "\t", omittingEmptySubsequences: false)[21]
    }
    let changed = try sandbox.run(change: prices).outcome
    #expect(changed.result.changedSubscribers == Set(subscribers).count)
    sandbox.removeTallies()
    let whole = try sandbox.run(change: prices).outcome
    #expect(whole.result.changedSubscribers == nil)
    #expect(changed.differingFiles(from: whole) == [])
  }

  @Test
  func `admits prices by charges that count, not by rows that are gone, cut off or ignored`() throws
  {
    let reports = worlds[2]
    let sandbox = try CacheSandbox(of: reports[...])
    let (name, bytes) = reports[140]
    let day = try #require(ReportName(reports[120].name).date)
    let change = { (isCut: Bool) in
      { (plan: inout RunPlan) in
        plan.prices = PricePlan()
        plan.filters.groups = ["4242"]
        plan.asOf = isCut ? day : nil
      }
    }
    let runs = { (isCut: Bool, isFound: Bool) throws in
      for _ in 0..<2 {
        let plain = try sandbox.plainRun(change: change(isCut))
        let cached = try sandbox.run(change: change(isCut)).outcome
        #expect(cached.differingFiles(from: plain) == [])
        let changes = try #require(plain.result.priceTables.first?.rows)
        #expect(!changes.isEmpty == isFound, "\(changes)")
      }
    }
    // All charges of a day in a group of their own, in which nobody else is.
    let own = { (units: String) in
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      let moved = lines.dropFirst().map { line in
        var fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        fields[5] = "4242"
        fields[21] = "9\(fields[21])"
        fields[25] = units[...]
        return fields.joined(separator: "\t")
      }
      return Array((lines.map(String.init) + moved).joined(separator: "\n").utf8)
    }
    try sandbox.write(name, own("1"))
    try runs(false, true)
    try runs(true, false)
    try sandbox.write(name, own("0"))
    try runs(false, false)
    try sandbox.write(name, bytes)
    try runs(true, false)
  }

  @Test
  func `has reports once that must be read again though the last run knew them`() throws {
    let reports = worlds[0]
    let sandbox = try CacheSandbox(of: reports[..<100])
    _ = try sandbox.run()
    for night in 0..<6 {
      for name in sandbox.entries where name.hasSuffix("-subscriber") { sandbox.removeEntry(name) }
      for report in reports[(100 + 5 * night)..<(105 + 5 * night)] {
        try sandbox.write(report.name, report.bytes)
      }
      let plain = try sandbox.plainRun()
      let cached = try sandbox.run().outcome
      #expect(cached.result.changedSubscribers != nil)
      #expect(cached.differingFiles(from: plain) == [], "night \(night)")
    }
  }

  @Test
  func `counts what is due later though its next charge is known and comes after a gap`() throws {
    let reports = worlds[1]
    let sandbox = try CacheSandbox(of: reports[..<60])
    var lines = String(decoding: reports[60].bytes, as: UTF8.self).split(separator: "\n")
    var charge: [Substring] = []
    for line in reports[..<60].flatMap({
      String(decoding: $0.bytes, as: UTF8.self).split(separator: "\n")
    }) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      let isStandard = fields[9].isEmpty && fields[23] != "Yes" && fields[12] != "0.00"
      if fields[3] == "Plus Monthly", isStandard { charge = fields }
    }
    try #require(!charge.isEmpty)
    for date in ["2026-04-21", "2026-05-31"] {
      var own = charge
      own[0] = date[...]
      own[21] = "987654321012345"
      lines.append(Substring(own.joined(separator: "\t")))
    }
    try sandbox.write(reports[60].name, Array(lines.joined(separator: "\n").utf8))
    // Every night has a run with the cache; in the fast tiers each seventh is compared, which takes longer.
    let step = [.quick, .test].contains(TestTier.current) ? 7 : 1
    for (night, report) in reports[61..<90].enumerated() {
      let cached = try sandbox.run().outcome
      if night % step == 0 {
        let plain = try sandbox.plainRun()
        #expect(cached.differingFiles(from: plain) == [], "\(report.name)")
      }
      try sandbox.write(report.name, report.bytes)
    }
  }

  @Test
  func `is counted anew when its file is damaged, wherever that is`() throws {
    let sandbox = try CacheSandbox(of: worlds[1][..<20])
    let plain = try sandbox.plainRun { $0.prices = PricePlan() }
    _ = try sandbox.run { $0.prices = PricePlan() }
    let name = try #require(sandbox.tallyNames.first)
    let good = try sandbox.tally(name)
    var random = SeededGenerator(seed: 1)
    let places = (0..<TestTier.current.histories(of: 24)).map { _ in
      Int.random(in: good.indices, using: &random)
    }
    for place in [0, good.count - 1] + places {
      var damaged = good
      damaged[place] ^= UInt8.random(in: 1...255, using: &random)
      try sandbox.writeTally(name, place % 3 == 0 ? Array(good[..<place]) : damaged)
      let run = try sandbox.run { $0.prices = PricePlan() }
      #expect(run.outcome.differingFiles(from: plain) == [], "byte \(place)")
      #expect(run.outcome.result.changedSubscribers == nil)
      #expect(
        run.notes == ["cache: rebuilt the entry of the last tally (damaged)"])
      #expect(try sandbox.run { $0.prices = PricePlan() }.outcome.result.changedSubscribers == 0)
    }
  }
}
