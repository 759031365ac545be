import Counting
import Files
import Glibc
import Pages
import Pipeline
import PipelineTestSupport
import ReportCache
import Scanning
import SubreportTestSupport
import SubscriptionModel
import Testing

/// What happens to an entry between two runs, and what the second one says of it.
private struct EntryDamage: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let reason: String
  let apply: @Sendable (_ entry: [UInt8]) -> [UInt8]

  init(_ name: String, _ reason: String, _ apply: @escaping @Sendable ([UInt8]) -> [UInt8]) {
    testDescription = name
    self.reason = reason
    self.apply = apply
  }

  private static let damaged = "damaged"
  private static let foreign = "it belongs to something else"
  private static let otherVersion = "of another version"

  static let all = [
    EntryDamage("the first byte", damaged) { flipped($0, at: 0) },
    EntryDamage("the last byte of the first line", damaged) { flipped($0, at: line(1, $0) - 1) },
    EntryDamage("the format", otherVersion) { flipped($0, at: line(1, $0) + 7) },
    EntryDamage("the version", damaged) { flipped($0, at: line(2, $0) - 2) },
    EntryDamage("the name", damaged) { flipped($0, at: line(2, $0)) },
    EntryDamage("the first byte of the extract", damaged) { flipped($0, at: line(3, $0)) },
    EntryDamage("the last byte of the extract", damaged) { flipped($0, at: $0.count - 9) },
    EntryDamage("the first byte of the checksum", damaged) { flipped($0, at: $0.count - 8) },
    EntryDamage("the last byte of the checksum", damaged) { flipped($0, at: $0.count - 1) },
    EntryDamage("one byte less", damaged) { $0.dropLast() },
    EntryDamage("one byte more", damaged) { $0 + [0] },
    EntryDamage("nothing but a checksum", damaged) { $0.suffix(8) },
    EntryDamage("nothing", damaged) { _ in [] },
    EntryDamage("another kind of file", foreign) { _ in sealed(Array("subreport notes\n".utf8)) },
    EntryDamage("a later format", otherVersion) {
      resealed($0) { $0.replacing("format 33", with: "format 34") }
    },
    EntryDamage("the entry of another file", foreign) {
      resealed($0) {
        $0.replacing("-subscriber", with: "-counted").replacing("-production", with: "-all")
      }
    },
    EntryDamage("an extract that ends too early", damaged) { sealed($0.dropLast(9)) },
    EntryDamage("an extract that goes on", damaged) { sealed($0.dropLast(8) + [0]) },
  ]

  private static func flipped(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
    var bytes = bytes
    bytes[offset] ^= 1
    return bytes
  }

  /// Where the line after so many lines begins.
  private static func line(_ count: Int, _ bytes: [UInt8]) -> Int {
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    return ends.count < count ? bytes.count : ends[count - 1] + 1
  }

  private static func resealed(
    _ bytes: [UInt8], _ change: (String) -> String
  ) -> [UInt8] {
    let start = line(3, bytes)
    let header = change(String(decoding: bytes[..<start], as: UTF8.self))
    return sealed(Array(header.utf8) + bytes[start..<bytes.count - 8])
  }

  /// Adds the checksum that belongs to bytes.
  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let start = line(3, bytes)
    var hasher = ByteHasher()
    hasher.add(bytes.span, 0..<start)
    hasher.add(bytes.span, start..<bytes.count)
    let checksum = hasher.finished()
    return bytes + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
  }
}

private let oneDay = [
  subscriberName(5): ReportText.subscriber.with(
    [:], ["Subscriber ID": "abc"], ["Units": "x"], ["Units": "0"],
    ["Subscriber ID": "abc", "Refund": "Yes", "Purchase Date": "2026-01-05"]
  ).bytes
]

private let dumpName = "dump.ndjson"
private let dump = Array(
  """
  {"status":0,"receipt":{"bundle_id":"a.b","request_date":"2026-02-01 08:00:00 Etc/GMT"},\
  "latest_receipt_info":[{"transaction_id":"T1","original_transaction_id":"1000","product_id":"p",\
  "purchase_date":"2026-01-01 08:00:00 Etc/GMT","expires_date":"2026-02-01 08:00:00 Etc/GMT"},\
  {"transaction_id":"1001"}],"pending_renewal_info":[{"original_transaction_id":"1000",\
  "auto_renew_status":"0","expiration_intent":"1"}]}
  {"status":1
  """.utf8)

@Suite("A cache")
struct CacheTests {
  @Test
  func `is made by the first run and used by the second`() throws {
    let sandbox = try CacheSandbox(oneDay)
    let plain = try sandbox.plainRun()
    let first = try sandbox.run()
    let inodes = sandbox.inodes
    let second = try sandbox.run()
    #expect(inodes.count == 2 && sandbox.inodes == inodes)
    for run in [first, second] {
      #expect(run.outcome.differingFiles(from: plain) == [])
      #expect(run.outcome.said == plain.said)
      #expect(run.notes == [])
    }
  }

  @Test
  func `is written byte for byte in format 33: raise CacheEntry.format when this fails`() throws {
    let sandbox = try CacheSandbox(oneDay.merging([dumpName: dump]) { $1 })
    _ = try sandbox.run()
    let entries = try sandbox.entries.sorted().map(sandbox.entry)
    #expect(entries.map(\.count) == [284, 324, 345])
    #expect(
      entries.map(referenceSHA256) == [
        "b2157f01031660a8f904ac377611e6720b8944ed8b0fc1273c55bda28d3285e8",
        "de9ba58fdf74295366bf1a334baf83316fb447811c5bc30abec1f8c5e1500e0d",
        "8813d547150046eef3ea10246f55c01068027299ac3651221971dbc3cd6e6acc",
      ])
  }

  @Test(
    arguments: EntryDamage.all,
    ["-subscriber", "-subscriber-charges", "-receipts-production"])
  private func `makes an entry anew that cannot be trusted, and says so`(
    _ damage: EntryDamage, kind: String
  ) throws {
    let sandbox = try CacheSandbox(oneDay.merging([dumpName: dump]) { $1 })
    let plain = try sandbox.run().outcome
    sandbox.removeTallies()
    let name = try #require(sandbox.entries.first { $0.hasSuffix(kind) })
    let good = try sandbox.entry(name)
    try sandbox.writeEntry(name, damage.apply(good))
    let run = try sandbox.run()
    #expect(run.outcome.differingFiles(from: plain) == [])
    let file = kind.hasPrefix("-subscriber") ? subscriberName(5) : dumpName
    #expect(run.notes == ["cache: rebuilt the entry of reports/\(file) (\(damage.reason))"])
    #expect(try sandbox.entry(name) == good)
    #expect(try sandbox.run().notes == [])
  }

  @Test
  func `is made anew by another version of the tool`() throws {
    let sandbox = try CacheSandbox(oneDay)
    let plain = try sandbox.run().outcome
    let run = try sandbox.run(version: "1.2.4")
    #expect(run.outcome.differingFiles(from: plain) == [])
    #expect(run.notes.map { $0.hasSuffix("(of another version)") } == [true, true])
    #expect(try sandbox.run(version: "1.2.4").notes == [])
  }

  @Test
  func `reads a file again whose bytes have changed, though its length and time have not`() throws {
    let sandbox = try CacheSandbox(oneDay)
    let path = sandbox.reports + "/" + subscriberName(5)
    setTime(of: path)
    // What has just been written is hashed again in any case.
    _ = try sandbox.run()
    #expect(try !sandbox.knowsHash(of: path))
    _ = try sandbox.run(isLongAfter: true)
    #expect(try sandbox.knowsHash(of: path))
    let text = String(decoding: try sandbox.bytes(subscriberName(5)), as: UTF8.self)
    // The system's clock may need some milliseconds to its next step.
    let changed = FileTimes(of: path).changed
    repeat {
      try sandbox.write(subscriberName(5), Array(text.replacing("abc", with: "abd").utf8))
      setTime(of: path)
    } while FileTimes(of: path).changed == changed
    let plain = try sandbox.plainRun()
    #expect(try sandbox.run().outcome.differingFiles(from: plain) == [])
    #expect(try !sandbox.knowsHash(of: path))
  }

  @Test
  func `keeps what is read in another way apart`() throws {
    let event = ReportText.event.with([:], ["Event Date": "2026-01-31"])
    let sandbox = try CacheSandbox([
      subscriberName(5): ReportText.subscriber.with([:]).bytes,
      subscriberName(6): ReportText.subscriber.with(["Event Date": "2026-01-06"]).bytes,
      "Subscription_Event_80012345_20260131_V1_4.txt": event.bytes,
    ])
    let changes: [(inout RunPlan) -> Void] = [
      { _ in }, { $0.monthSystem = .fiscal }, { $0.asOf = Day("2026-01-05") },
      { $0.sources = [.events] }, { $0.filters.products = ["Monthly"] },
    ]
    for _ in 0..<2 {
      for change in changes {
        let (plain, cached) = (
          try sandbox.plainRun(change: change), try sandbox.run(change: change)
        )
        #expect(cached.outcome.differingFiles(from: plain) == [])
        #expect(cached.notes == [])
      }
    }
    #expect(
      Set(sandbox.entries.map { String($0.dropFirst(65)) }) == [
        "subscriber", "subscriber-charges", "subscription-event",
        "subscription-event-until-2026-01-05", "counted",
      ])
  }

  @Test(arguments: [5, 6])
  func `is used for each as-of that cuts off none of its rows`(lastDay: Int) throws {
    let asOf = Day("2026-01-0\(lastDay)")
    let sandbox = try CacheSandbox([
      subscriberName(5): ReportText.subscriber.with([:]).bytes,
      // Mostly of the 4th.
      "joined.txt": ReportText.subscriber.with(
        ["Event Date": "2026-01-04"], ["Event Date": "2026-01-04"], ["Event Date": "2026-01-06"],
        ["Event Date": "2026-01-06", "Customer Price": "no price"],
        ["Event Date": "2026-01-04"]
      ).bytes,
      subscriberName(7): ReportText.subscriber.with(["Event Date": "2026-01-07"]).bytes,
    ])
    _ = try sandbox.run(isLongAfter: true)
    let entries = Set(sandbox.entries)
    let plain = try sandbox.plainRun { $0.asOf = asOf }
    let watch = OpenedFiles(in: sandbox.reports)
    let run = try sandbox.run(isLongAfter: true) { $0.asOf = asOf }
    // Of a later day it is enough that it can be read to its end.
    let later: Set = [subscriberName(7)]
    #expect(watch.names() == (lastDay == 5 ? later.union(["joined.txt"]) : later))
    #expect(run.outcome.differingFiles(from: plain) == [])
    #expect(run.outcome.said == plain.said)
    #expect(run.notes == [])
    // What is left of a file of which some rows are cut off has entries of its own.
    let new = Set(sandbox.entries).subtracting(entries).map { String($0.dropFirst(65)) }.sorted()
    let cut = "subscriber-until-2026-01-05"
    #expect(new == (lastDay == 5 ? [cut, cut + "-charges"] : []))
    #expect(try sandbox.run(isLongAfter: true) { $0.asOf = asOf }.outcome.said == plain.said)
    #expect(watch.names() == later)
    #expect(try sandbox.differences { $0.asOf = asOf } == [])
    #expect(try sandbox.differences() == [])
  }

  @Test
  func `of an as-of that cuts off rows is enough for the next run of that as-of`() throws {
    let sandbox = try CacheSandbox([
      subscriberName(5): ReportText.subscriber.with([:]).bytes,
      subscriberName(6): ReportText.subscriber.with(["Event Date": "2026-01-06"]).bytes,
      subscriberName(7): ReportText.subscriber.with(["Event Date": "2026-01-07"]).bytes,
    ])
    let asOf = Day("2026-01-05")
    _ = try sandbox.run(isLongAfter: true) { $0.asOf = asOf }
    // The entry of all rows of a file is not made anew by such a run, so there is no note that it was.
    let watch = OpenedFiles(in: sandbox.reports)
    #expect(try sandbox.run(isLongAfter: true) { $0.asOf = asOf }.notes == [])
    #expect(watch.names() == [subscriberName(7)])
    #expect(try sandbox.differences { $0.asOf = asOf } == [])
    #expect(try sandbox.differences() == [])
  }

  @Test(arguments: [0, 1, 2, 3])
  func `knows which row of a report named a product last`(kind: Int) throws {
    let reports: [(ReportText, String, String)] = [
      (.subscriber, subscriberName(5), "Subscription Name"),
      (.event, "Subscription_Event_80012345_20260105_V1_4.txt", "Subscription Name"),
      (.snapshot, "Subscription_80012345_20260105_V1_4.txt", "Subscription Name"),
      (.sales, "S_D_80012345_20260105.txt", "Title"),
    ]
    let (report, name, column) = reports[kind]
    let sandbox = try CacheSandbox([
      name: report.with([column: "Last"], [column: "First"], [column: "Last"]).bytes
    ])
    for _ in 0..<2 {
      let outcome = try sandbox.run().outcome
      #expect(outcome.result.names.productIDs("Last") == ["1460000001"])
      #expect(outcome.result.names.productIDs("First") == [])
    }
  }

  @Test
  func `is for its owner alone, and holds no id that a reject hides`() throws {
    let id = "700000000000000077"
    let sandbox = try CacheSandbox([
      subscriberName(5): ReportText.subscriber.with(["Subscriber ID": id, "Units": id]).bytes
    ])
    let plain = try sandbox.plainRun()
    #expect(try sandbox.run().outcome.differingFiles(from: plain) == [])
    #expect(try sandbox.run().outcome.differingFiles(from: plain) == [])
    let name = try #require(sandbox.entries.first)
    #expect(sandbox.mode(sandbox.cache) == 0o700)
    #expect(sandbox.mode(sandbox.extracts) == 0o700)
    #expect(sandbox.mode(sandbox.extracts + "/" + name) == 0o600)
    #expect(!String(decoding: try sandbox.entry(name), as: UTF8.self).contains(id))
  }

  @Test
  func `below the inputs is no input`() throws {
    let sandbox = try ReportSandbox(oneDay)
    for _ in 0..<2 {
      let cache = try ExtractCache(path: sandbox.path + "/cache", version: "1")
      let outcome = try RunOutcome(sandbox) { $0.earlierRuns = cache }
      #expect(outcome.result.files.count == 1)
    }
  }

  @Test
  func `that cannot be written to costs a note`() throws {
    let sandbox = try CacheSandbox(oneDay)
    let plain = try sandbox.plainRun()
    _ = try ExtractCache(path: sandbox.cache, version: "1.2.3")
    let cache = try ExtractCache(path: sandbox.cache, version: "1.2.3")
    removeFolder(sandbox.extracts)
    let outcome = try RunOutcome([sandbox.reports]) { $0.earlierRuns = cache }
    #expect(outcome.differingFiles(from: plain) == [])
    #expect(
      cache.takeNotes().map { $0.hasPrefix("\(sandbox.cache): not written: cannot") } == [true])
  }

  @Test
  func `can be made by several runs at the same time`() async throws {
    let sandbox = try CacheSandbox(oneDay)
    for round in 0..<100 {
      let path = sandbox.cache + "-\(round)"
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { _ = try ExtractCache(path: path, version: "1.2.3") } }
        try await group.waitForAll()
      }
    }
  }

  @Test
  func `can be shared by runs at the same time`() async throws {
    let world = try SimulatedReports(seed: 7, subscribers: 60, to: "2026-01-08", faults: true)
    let sandbox = try CacheSandbox(world.reports)
    let plain = try sandbox.plainRun()
    try await withThrowingTaskGroup(of: RunOutcome.self) { group in
      for _ in 0..<4 {
        group.addTask { [reports = sandbox.reports, cache = sandbox.cache] in
          let cache = try ExtractCache(path: cache, version: "1.2.3")
          return try RunOutcome([reports]) { $0.earlierRuns = cache }
        }
      }
      for try await outcome in group { #expect(outcome.differingFiles(from: plain) == []) }
    }
    #expect(try sandbox.run().notes == [])
    #expect(
      names(inFolder: sandbox.cache).sorted() == ["CACHEDIR.TAG", "extracts", "runs", "tallies"])
  }

  @Test
  func `is not made of a folder that holds other files`() throws {
    let sandbox = try ReportSandbox(["notes.txt": []])
    #expect(throws: CacheError.notACache.of(sandbox.path)) {
      try ExtractCache(path: sandbox.path, version: "1")
    }
    #expect(throws: CacheError.notACache.of(sandbox.path)) {
      try CacheContents.clear(sandbox.path)
    }
    #expect(throws: OutputError.notAFolder(path: sandbox.path + "/notes.txt")) {
      try ExtractCache(path: sandbox.path + "/notes.txt", version: "1")
    }
    #expect(names(inFolder: sandbox.path) == ["notes.txt"])
  }

  @Test
  func `is emptied but for what others have put there`() throws {
    let sandbox = try CacheSandbox(oneDay)
    _ = try sandbox.run()
    try sandbox.writeEntry("mine.txt", [1])
    #expect(try CacheContents.clear(sandbox.cache) == 2)
    #expect(sandbox.entries == ["mine.txt"])
    #expect(try sandbox.run().notes == [])
    #expect(sandbox.entries.count == 3)
  }
}

/// Sets when a file's bytes are said to have changed: a moment long ago.
private func setTime(of path: String) {
  FileTimes.setModified(path, to: 1_700_000_000_000_000_000)
}

private func removeFolder(_ path: String) {
  for name in names(inFolder: path) { _ = unsafe unlink(path + "/" + name) }
  _ = unsafe rmdir(path)
}
