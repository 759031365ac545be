import Pipeline
import PipelineTestSupport
import ReportCache
import SubreportTestSupport
import SubscriptionModel
import Testing

/// A SUBSCRIBER report of a day in January 2026 with as many charges.
private func charges(_ count: Int, on day: Int) -> [UInt8] {
  var report = ReportText.subscriber
  for number in 0..<count {
    let date = "2026-01-" + (day < 10 ? "0" : "") + String(day)
    report.rows.append(["Event Date": date, "Subscriber ID": String(day * 1_000 + number)])
  }
  return report.bytes
}

@Suite("What changed since the last run")
struct RunComparisonTests {
  /// Reports of all of January and of the first days of February.
  private func sandbox() throws -> CacheSandbox {
    let sandbox = try CacheSandbox()
    for day in 1...31 { try sandbox.write(subscriberName(day), charges(2, on: day)) }
    try sandbox.write(february(1), ReportText.subscriber.bytes)
    return sandbox
  }

  private func february(_ day: Int) -> String {
    subscriberName(day).replacing("202601", with: "202602")
  }

  private let prefix = "since the last run: "

  @Test
  func `is nothing for the first run, the same files, and a day more`() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.changes() == [])
    #expect(try sandbox.changes() == [])
    try sandbox.write(
      february(2), ReportText.subscriber.with(["Event Date": "2026-02-02"]).bytes)
    #expect(try sandbox.changes() == [])
  }

  @Test
  func `names a restated report, and the numbers of months that were over`() throws {
    let sandbox = try sandbox()
    _ = try sandbox.changes()
    try sandbox.write("z/" + subscriberName(5), charges(3, on: 5))
    #expect(
      try sandbox.changes() == [
        prefix + "restated: z/\(subscriberName(5)), subscriber of 2026-01-05",
        prefix
          + "2026-01: Paid subscriptions at the month's end, subscribers: 63, was 62 (+1)",
        prefix + "2026-01: Net proceeds, USD, subscribers: 440.37, was 433.38 (+6.99)",
      ])
    #expect(try sandbox.changes() == [])
  }

  @Test
  func `names a day that is missing since then, once`() throws {
    let sandbox = try sandbox()
    _ = try sandbox.changes()
    try sandbox.write(
      february(3), ReportText.subscriber.with(["Event Date": "2026-02-03"]).bytes)
    #expect(
      try sandbox.changes() == [
        prefix
          + "missing: subscriber 2026-02-02: download it again; Apple keeps daily reports for 365 days"
      ])
    #expect(try sandbox.changes() == [])
  }

  @Test
  func `names what is gone and what came late`() throws {
    let sandbox = try sandbox()
    sandbox.remove(subscriberName(7))
    _ = try sandbox.changes()
    sandbox.remove(subscriberName(9))
    try sandbox.write(subscriberName(7), charges(2, on: 7))
    #expect(
      try sandbox.changes() == [
        prefix + "new: \(subscriberName(7)), subscriber of 2026-01-07",
        prefix + "gone: \(subscriberName(9)), subscriber of 2026-01-09",
        prefix
          + "missing: subscriber 2026-01-09: download it again; Apple keeps daily reports for 365 days",
        prefix + "no longer missing: subscriber 2026-01-07",
      ])
  }

  @Test
  func `names a damaged report, which is not gone, and the one in its place`() throws {
    let sandbox = try sandbox()
    let (restated, damaged) = ("z/" + subscriberName(5), subscriberName(9))
    try sandbox.write(restated, charges(3, on: 5))
    _ = try sandbox.changes()
    for (name, count, day) in [(restated, 3, 5), (damaged, 2, 9)] {
      try sandbox.write(name, Array(gzip(charges(count, on: day)).dropLast(4)))
    }
    let changes = try sandbox.changes()
    #expect(
      Array(changes.prefix(3)) == [
        prefix + "cannot be used: \(damaged), subscriber of 2026-01-09 [gzip-truncated]",
        prefix + "cannot be used: \(restated), subscriber of 2026-01-05 [gzip-truncated]",
        prefix + "used in its place: \(subscriberName(5)), subscriber of 2026-01-05",
      ])
    #expect(
      changes.dropFirst(3).first == prefix
        + "missing: subscriber 2026-01-09: its file cannot be used; download it again; Apple keeps daily reports for 365 days"
    )
  }

  @Test
  func `is not that a file lies elsewhere`() throws {
    let sandbox = try sandbox()
    _ = try sandbox.changes()
    sandbox.remove(subscriberName(5))
    try sandbox.write("archive/" + subscriberName(5), charges(2, on: 5))
    #expect(try sandbox.changes() == [])
  }

  @Test
  func `compares runs that were asked the same`() throws {
    let sandbox = try sandbox()
    _ = try sandbox.changes()
    try sandbox.write("z/" + subscriberName(5), charges(3, on: 5))
    #expect(try sandbox.changes { $0.sources = [.subscribers] } == [])
    #expect(try sandbox.changes { $0.monthSystem = .fiscal } == [])
    #expect(try sandbox.changes() != [])
  }

  @Test
  func `is not known when the record of the last run is damaged, which is said`() throws {
    let sandbox = try sandbox()
    _ = try sandbox.changes()
    let name = try #require(names(inFolder: sandbox.cache + "/runs").first)
    try sandbox.writeRun(name, [1, 2, 3])
    try sandbox.write("z/" + subscriberName(5), charges(3, on: 5))
    let cache = try ExtractCache(path: sandbox.cache, version: "1.2.3")
    let outcome = try RunOutcome([sandbox.reports]) { $0.earlierRuns = cache }
    #expect(try cache.comparisonWithLastRun(outcome.result).lines == [])
    #expect(
      cache.takeNotes() == [
        "\(sandbox.cache): rebuilt the entry of the last run (damaged)"
      ])
  }
}
