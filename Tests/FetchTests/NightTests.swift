import Fetch
import Files
import Scanning
import SubreportTestSupport
import SubscriptionModel
import Testing

/// 09:30 Pacific Time (standard) of a day, in milliseconds since 1970.
private func morning(_ day: Day) -> Int64 {
  Int64(day.number) * 86_400_000 + 17 * 3_600_000 + 1_800_000
}

private let start = Day(year: 2026, month: 1, day: 20) ?? .first

@Suite struct NightTests {
  /// Runs some nights, with nights left out by seed, and returns the world after them.
  private func history(
    _ seed: UInt64, nights: Int, faults: Int, _ folder: ArchiveFolder
  ) throws -> (AppleWorld, last: FetchOutcome) {
    let world = AppleWorld(seed: seed, now: morning(start), kinds: [.sales, .subscriber])
    world.faults = faults
    var options = FetchOptions()
    options.since = start - 6
    options.seed = seed
    var random = SeededGenerator(seed: seed)
    var last = FetchOutcome()
    for number in 0..<nights {
      let isLast = number == nights - 1
      if !isLast, random.next() % 5 == 0 { continue }
      world.sleep(until: morning(start + number))
      if isLast { world.faults = 0 }
      last = try night(world, folder, options).outcome
    }
    return (world, last)
  }

  @Test("every schedule ends with the reports as Apple has them", arguments: seeds(1_000))
  func everyScheduleEndsWithTheTruth(seed: UInt64) throws {
    let folder = try ArchiveFolder()
    let (world, _) = try history(seed, nights: 24, faults: Int(seed % 3) * 12, folder)
    let index = try FetchIndex("\(folder.path)/.subreport/index.sqlite")
    let today = Instant(seconds: UInt32(world.now / 1_000)).pacificClock.day
    for kind in world.kinds {
      for number in (start - 6).number...(today - 14).number {
        let day = Day(number: number)
        let truth = world.truth(kind, day)
        let record = try #require(index[FetchKey(kind, world.vendor, .day(day))])
        #expect(record.state == (truth.rows == nil ? .none : .present), "\(kind) \(day)")
        guard let rows = truth.rows else { continue }
        let bytes = OutputFileSystem.contents(of: "\(folder.path)/\(record.file)") ?? []
        let wanted = AppleWorld.report(
          kind, day, rows: truth.revised == nil ? rows : rows + 1)
        #expect(bytes == wanted, "\(kind) \(day)")
      }
    }
    // Each request has its reason, and no day is none without Apple's words at age 3 or more.
    let answers = try index.allAnswers()
    #expect(answers.count == world.requests.count)
    #expect(answers.allSatisfy { !$0.reason.isEmpty })
    for (key, record) in index.records where record.state == .none {
      let hasWords = answers.contains { answer in
        answer.key == key && answer.status == 404 && answer.words.contains("There were no")
          && Instant(seconds: UInt32(answer.time / 1_000)).pacificClock.day - key.slot.lastDay >= 3
      }
      #expect(hasWords, "\(key.name)")
    }
  }

  @Test("a second run straight after makes no request", arguments: seeds(100))
  func secondRunAsksNothing(seed: UInt64) throws {
    let folder = try ArchiveFolder()
    let (world, _) = try history(seed, nights: 3, faults: 0, folder)
    var options = FetchOptions()
    options.since = start - 6
    #expect(try night(world, folder, options).outcome.requests == 0)
  }

  @Test func aYearOfFourReportsTakesFewRequests() throws {
    let folder = try ArchiveFolder()
    let world = AppleWorld(seed: 1, now: morning(start), kinds: [.sales, .subscriber])
    world.versions = [.sales: "1_0", .subscriber: "1_3"]
    let outcome = try night(world, folder).outcome
    // Two kinds here; of four it would be twice as many, and at most 15 more.
    #expect(outcome.requests >= 730)
    #expect(outcome.requests <= 738)
    world.sleep(until: morning(start + 1))
    let second = try night(world, folder).outcome
    #expect(second.requests <= 10 + second.pending.count + 40)
  }

  @Test func anAnswerOfEachKindHasItsState() throws {
    let day = start - 1
    let cases: [(AppleWorld.Scripted, FetchState, Int32)] = [
      (.init(404, "Report is not available yet."), .pending, 0),
      (.init(404, "There were no sales for the date specified."), .pending, 0),
      (.init(404, "Something else"), .pending, 0),
      (.init(410, "The report is no longer available"), .gone, 0),
      (.init(400, "Strange parameter"), .refused, 2),
      (.init(302, ""), .missing, 7),
    ]
    for (answer, state, code) in cases {
      let folder = try ArchiveFolder()
      let world = AppleWorld(seed: 4, now: morning(start), kinds: [.sales])
      world.scripted = [("reportDate%5D=\(day)", answer)]
      var options = FetchOptions()
      options.since = day
      let outcome = try night(world, folder, options).outcome
      let index = try FetchIndex("\(folder.path)/.subreport/index.sqlite")
      #expect(index[FetchKey(.sales, world.vendor, .day(day))]?.state == state)
      #expect(ExitReason.code(of: outcome.reasons) == code, "\(state)")
    }
  }

  @Test func aKindWithoutDataIsLeftOut() throws {
    let folder = try ArchiveFolder()
    let world = AppleWorld(seed: 2, now: morning(start), kinds: [.sales, .subscriber])
    world.unused = [.subscriber]
    let outcome = try night(world, folder).outcome
    #expect(outcome.requests < 365 + 15)
    #expect(ExitReason.code(of: outcome.reasons) == 0)
    let days = OutputFileSystem.contents(of: "\(folder.path)/.subreport/days.csv") ?? []
    #expect(!String(decoding: days, as: UTF8.self).contains("subscriber"))
  }

  @Test("finance periods are asked from the newest back, until 13 in a row have no file")
  func financePeriods() throws {
    let folder = try ArchiveFolder()
    let world = AppleWorld(seed: 6, now: morning(start), kinds: [.financial, .financeDetail])
    #expect(try night(world, folder).outcome.requests == 26)
    let index = try FetchIndex("\(folder.path)/.subreport/index.sqlite")
    let states = index.records.filter { $0.key.kind == .financial }
    #expect(states.count == 13)
    for (key, record) in states {
      let age = start - key.slot.lastDay
      #expect(record.state == (age > 60 ? .none : .pending), "\(key.name)")
    }
    // The next night asks only for those that may still come: daily for 30 days, then weekly.
    world.sleep(until: morning(start + 1))
    let daily = states.keys.count { start + 1 - $0.slot.lastDay <= 30 }
    #expect(try night(world, folder).outcome.requests == 2 * daily)
  }

  @Test("an outage ends a run soon, and the next one goes on")
  func outage() throws {
    let folder = try ArchiveFolder()
    let world = AppleWorld(seed: 8, now: morning(start), kinds: [.sales, .subscriber])
    var options = FetchOptions()
    options.since = start - 20
    _ = try night(world, folder, options)
    world.sleep(until: morning(start + 5))
    world.scripted = (0..<60).map { _ in ("v1", .init(503)) }
    let outcome = try night(world, folder, options).outcome
    #expect(ExitReason.code(of: outcome.reasons) == 7)
    #expect(outcome.requests <= 28)
    world.scripted = []
    world.sleep(until: morning(start + 6))
    let next = try night(world, folder, options).outcome
    #expect(!next.reasons.contains(.unreachable))
    #expect(next.fetched > 0)
  }

  @Test("a request is tried 8 times, and the lines count to 8")
  func eightTries() throws {
    let folder = try ArchiveFolder()
    let world = AppleWorld(seed: 8, now: morning(start), kinds: [.sales])
    var options = FetchOptions()
    options.since = start - 1
    world.scripted = (0..<9).map { _ in ("v1", .init(503)) }
    let (outcome, lines) = try night(world, folder, options)
    #expect(outcome.requests == 8)
    #expect(lines.filter { $0.contains(", try ") }.last?.hasSuffix("try 8 of 8") == true)
    #expect(lines.contains { $0.hasSuffix("1 day not fetched, the next run goes on") })
  }

  @Test func aFileWithoutARowIsAdopted() throws {
    let folder = try ArchiveFolder()
    let world = AppleWorld(seed: 3, now: morning(start), kinds: [.sales])
    var options = FetchOptions()
    options.since = start - 20
    _ = try night(world, folder, options)
    let before = try FetchIndex("\(folder.path)/.subreport/index.sqlite").records
    OutputFileSystem.removeTree("\(folder.path)/.subreport/index.sqlite")
    world.sleep(until: world.now + 60_000)
    let again = try night(world, folder, options).outcome
    #expect(again.fetched == 0)
    let after = try FetchIndex("\(folder.path)/.subreport/index.sqlite").records
    #expect(
      before.filter { $0.value.state == .present }.mapValues(\.fingerprint)
        == after.filter { $0.value.state == .present }.mapValues(\.fingerprint))
  }

  @Test("a restated day keeps its earlier answer; the same text in another gzip is none")
  func restatedDays() throws {
    let folder = try ArchiveFolder()
    let world = AppleWorld(seed: 5, now: morning(start), kinds: [.sales])
    let day = start - 1
    var options = FetchOptions()
    options.since = day
    let (one, two) = (
      AppleWorld.report(.sales, day, rows: 2), AppleWorld.report(.sales, day, rows: 3)
    )
    world.scripted = [("reportDate", .init(body: one))]
    _ = try night(world, folder, options)
    options.isForced = true
    world.sleep(until: world.now + 10_000)
    world.scripted = [("reportDate", .init(body: two))]
    let outcome = try night(world, folder, options).outcome
    #expect(outcome.restated == 1)
    let file = "sales/2026/S_D_80012345_20260119.txt.gz"
    #expect(OutputFileSystem.contents(of: "\(folder.path)/\(file)") == two)
    let kept = try OutputFileSystem.names(in: "\(folder.path)/.subreport/replaced/sales/2026")
    #expect(kept.count == 1)
    #expect(
      OutputFileSystem.contents(of: "\(folder.path)/.subreport/replaced/sales/2026/\(kept[0])")
        == one)
  }
}
