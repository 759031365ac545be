import PipelineTestSupport
import SubreportTestSupport
import Testing

/// Files whose first line says which report they are, with all that is needed beside it.
private let told: [String: [UInt8]] = [
  subscriberName(5): ReportText.subscriber.with([:]).bytes,
  "subscriber-without-date.txt": ReportText.subscriber.with(
    ["Event Date": "2026-01-06"], [:], ["Event Date": "2026-01-06"]
  ).bytes,
  "Subscription_Event_80012345_20260105_V1_4.txt.gz": gzip(ReportText.event.with([:]).bytes),
  "Subscription_80012345_20260105_V1_4.txt": ReportText.snapshot.with([:]).bytes,
  // The name tells no frequency.
  "sales_20260131.txt": ReportText.sales.with(
    ["Begin Date": "01/01/2026", "End Date": "01/31/2026"]
  ).bytes,
  "80012345_0126_EU.txt": ReportText.financial.with(euro).bytes,
]

/// Files that must be opened to see what they are.
private let untold: [String: [UInt8]] = [
  "notes.txt": Array("What to do\n".utf8),
  "wrong.txt": Array(ReportText.subscriber.text.replacing("Event Date", with: "Day").utf8),
  "payments.csv": Array(payments(euroPayment).utf8),
  "empty-line.txt": [10] + ReportText.subscriber.with(["Event Date": "2026-01-07"]).bytes,
  "answer.json": Array(#"{"status":1}"#.utf8),
  ".gitkeep": [],
]

@Suite("A file that has not changed")
struct CacheFileHashesTests {
  @Test
  func `is not opened again if its first line says what it is`() throws {
    let sandbox = try CacheSandbox(told.merging(untold) { $1 })
    let watch = OpenedFiles(in: sandbox.reports)
    #expect(try sandbox.differences() == [])
    // What has just been written is not remembered.
    _ = watch.names()
    _ = try sandbox.run()
    #expect(watch.names() == Set(told.keys).union(untold.keys))
    _ = try sandbox.run(isLongAfter: true)
    _ = watch.names()
    let run = try sandbox.run(isLongAfter: true)
    #expect(watch.names() == Set(untold.keys))
    #expect(run.outcome.differingFiles(from: try sandbox.plainRun()) == [])
    #expect(try sandbox.differences() == [])
  }

  @Test
  func `is read with what it said before, also when its entry is gone`() throws {
    let sandbox = try CacheSandbox(told)
    _ = try sandbox.run(isLongAfter: true)
    for name in sandbox.entries {
      sandbox.removeEntry(name)
      #expect(try sandbox.differences(isLongAfter: true) == [])
    }
  }

  // Without the finance file the other sales are read in another way.
  @Test(arguments: told.keys.sorted().filter { !$0.hasSuffix("EU.txt") })
  func `is opened again when it changes`(name: String) throws {
    let sandbox = try CacheSandbox(told)
    _ = try sandbox.run(isLongAfter: true)
    let watch = OpenedFiles(in: sandbox.reports)
    try sandbox.write(name, Array("Moved\n".utf8))
    _ = watch.names()
    let run = try sandbox.run()
    #expect(watch.names() == [name])
    #expect(run.outcome.differingFiles(from: try sandbox.plainRun()) == [])
  }

  @Test
  func `is read again when its stored hash is damaged, and a note says so`() throws {
    let sandbox = try CacheSandbox(told)
    let plain = try sandbox.run(isLongAfter: true).outcome
    let name = try #require(names(inFolder: sandbox.cache + "/runs").first)
    var bytes = try fileBytes(sandbox.cache + "/runs/" + name)
    bytes[bytes.count / 2] ^= 1
    try sandbox.writeRun(name, bytes)
    let watch = OpenedFiles(in: sandbox.reports)
    let run = try sandbox.run(isLongAfter: true)
    #expect(watch.names() == Set(told.keys))
    #expect(run.outcome.differingFiles(from: plain) == [])
    #expect(run.notes == ["cache: rebuilt the entry of file hashes (damaged)"])
    #expect(try sandbox.run().notes == [])
    #expect(watch.names() == [])
  }
}
