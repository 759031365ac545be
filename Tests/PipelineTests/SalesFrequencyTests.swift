import AppStoreReports
import Counting
import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Testing

/// Returns a SALES report of some days with some units, and Apple's name of it.
func salesReport(
  _ frequency: Frequency, _ days: ClosedRange<Day>, units: Int, vendor: String = "80012345"
) -> (name: String, bytes: [UInt8]) {
  let digits = days.upperBound.description.filter { $0 != "-" }
  let (letter, length) =
    switch frequency {
    case .daily: ("D", 8)
    case .weekly: ("W", 8)
    case .monthly: ("M", 6)
    case .yearly: ("Y", 4)
    }
  let report = ReportText.sales.with([
    "Begin Date": american(days.lowerBound), "End Date": american(days.upperBound),
    "Units": String(units),
    // No two vendors sell the same.
    "SKU": "monthly.\(vendor)",
  ])
  return ("S_\(letter)_\(vendor)_\(digits.prefix(length)).txt", report.bytes)
}

@Suite("SALES files of several frequencies")
struct SalesFrequencyTests {
  private static func day(_ text: String) throws -> Day { try #require(Day(text)) }

  private static func month(_ month: Int, _ year: Int = 2026) -> ClosedRange<Day> {
    let month = Month(year: year, month: month)
    return month.firstDay...month.lastDay
  }

  private static func week(from monday: String) throws -> ClosedRange<Day> {
    let monday = try day(monday)
    return monday...(monday + 6)
  }

  private static func days(_ days: ClosedRange<Day>) -> [ClosedRange<Day>] {
    (days.lowerBound.number...days.upperBound.number).map {
      Day(number: $0)...Day(number: $0)
    }
  }

  private static func sandbox(
    _ reports: [(frequency: Frequency, days: ClosedRange<Day>, units: Int)]
  ) throws -> ReportSandbox {
    let sandbox = try ReportSandbox()
    for (frequency, days, units) in reports {
      let report = salesReport(frequency, days, units: units)
      try sandbox.write(report.name, report.bytes)
    }
    return sandbox
  }

  private func charges(_ outcome: RunOutcome) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: outcome.rows("proceeds.csv", source: "sales").map {
        ($0["month"] ?? "", $0["charges"] ?? "")
      })
  }

  @Test
  func
    `count by month: a stray day, or an archive from the 15th, takes nothing from a monthly file`()
    throws
  {
    let january = Self.month(1)
    let late = Self.days(january.lowerBound + 14...january.upperBound)
    for days in [[late[0]], late] {
      let reports = [(Frequency.monthly, january, 40)] + days.map { (.daily, $0, 1) }
      let outcome = try RunOutcome(Self.sandbox(reports))
      #expect(charges(outcome) == ["2026-01": "40"])
      #expect(
        outcome.account("S_D_80012345_20260115.txt") == [
          "1", "1", "0", "0", "not in proceeds: in a monthly report",
        ])
      let entries = outcome.rows("days.csv")
      #expect(entries.count == 31)
      #expect(entries.count { $0["state"] == "covered" } == 31 - days.count)
      #expect(entries[0]["file"] == "S_M_80012345_202601.txt")
      #expect(outcome.result.exitReasons(maxRejects: 0, checksDays: true) == [])
      // Prices are seen in daily files only.
      #expect(
        outcome.result.sources[0].priceDays == late[0].lowerBound...days[days.count - 1].lowerBound)
    }
  }

  @Test
  func `count by days when all days of the month have a file, also without rows`() throws {
    let january = Self.month(1)
    let sandbox = try Self.sandbox(
      [(.monthly, january, 40)] + Self.days(january).map { (.daily, $0, 2) })
    try sandbox.write("S_D_80012345_20260120.txt", ReportText.sales.bytes)
    let outcome = try RunOutcome(sandbox)
    #expect(charges(outcome) == ["2026-01": "60"])
    let account = ["1", "0", "0", "1", "the shorter reports have its days: 1"]
    #expect(outcome.account("S_M_80012345_202601.txt") == account)
    #expect(
      outcome.result.leftAsideLines == [
        "left aside: 1 monthly SALES report (S_M_80012345_202601.txt): the shorter reports have its days"
      ])
    #expect(outcome.rows("days.csv").count { $0["state"] == "present" } == 30)
    // A file that cannot be read to its end has no day.
    try sandbox.write("S_D_80012345_20260121.txt.gz", [0x1F, 0x8B, 8, 0, 0])
    sandbox.remove("S_D_80012345_20260121.txt")
    let damaged = try RunOutcome(sandbox)
    #expect(charges(damaged) == ["2026-01": "40"])
    #expect(damaged.rows("days.csv").first { $0["day"] == "2026-01-21" }?["state"] == "covered")
  }

  @Test
  func `count a week of two months where no other file has a day of it`() throws {
    let week = try Self.week(from: "2026-01-26")
    let alone = try RunOutcome(Self.sandbox([(.weekly, week, 7)]))
    #expect(charges(alone) == ["2026-01": "7"])
    let last = week.upperBound...week.upperBound
    let beside = try RunOutcome(Self.sandbox([(.weekly, week, 7), (.daily, last, 1)]))
    #expect(charges(beside) == ["2026-02": "1"])
    #expect(
      beside.account("S_W_80012345_20260201.txt").last == "other reports have its days: 1")
    let inMonth = try RunOutcome(Self.sandbox([(.weekly, week, 7), (.monthly, Self.month(2), 9)]))
    #expect(charges(inMonth) == ["2026-02": "9"])
  }

  @Test
  func `count a week of one month unless each of its days has a file`() throws {
    let week = try Self.week(from: "2026-01-05")
    let days = Self.days(week)
    let some = try RunOutcome(
      Self.sandbox([(.weekly, week, 7)] + days.dropLast().map { (.daily, $0, 1) }))
    #expect(charges(some) == ["2026-01": "7"])
    #expect(
      some.account("S_D_80012345_20260105.txt").last == "not in proceeds: in a weekly report")
    let all = try RunOutcome(Self.sandbox([(.weekly, week, 7)] + days.map { (.daily, $0, 2) }))
    #expect(charges(all) == ["2026-01": "14"])
    #expect(
      all.account("S_W_80012345_20260111.txt").last == "the daily reports have its days: 1")
  }

  @Test
  func `count no year, which the page says once with the years`() throws {
    let sandbox = try Self.sandbox([
      (.yearly, Self.month(1, 2024).lowerBound...Self.month(12, 2024).upperBound, 90),
      (.yearly, Self.month(1, 2025).lowerBound...Self.month(12, 2025).upperBound, 80),
      (.monthly, Self.month(1), 40),
    ])
    let outcome = try RunOutcome(sandbox)
    #expect(charges(outcome) == ["2026-01": "40"])
    #expect(outcome.account("S_Y_80012345_2024.txt")[4] == "a year has no month: 1")
    let line =
      "left aside: 2 yearly SALES reports (S_Y_80012345_2024.txt and 1 more): a year has no month (2024, 2025)"
    #expect(outcome.result.leftAsideLines == [line])
    #expect(outcome.text("summary.md").contains("a year has no month (2024, 2025)"))
    #expect(outcome.rows("days.csv").count == 31)
  }

  @Test
  func `are decided for each vendor by itself`() throws {
    let january = Self.month(1)
    let sandbox = try Self.sandbox([(.monthly, january, 40)])
    for day in Self.days(january) {
      let report = salesReport(.daily, day, units: 1, vendor: "80099999")
      try sandbox.write(report.name, report.bytes)
    }
    #expect(try charges(RunOutcome(sandbox)) == ["2026-01": "71"])
    // A day without sales is one of both, though both files have the same bytes.
    try sandbox.write("S_D_80012345_20260107.txt", ReportText.sales.bytes)
    try sandbox.write("S_D_80099999_20260107.txt", ReportText.sales.bytes)
    let month = salesReport(.monthly, january, units: 500, vendor: "80099999")
    try sandbox.write(month.name, month.bytes)
    #expect(try charges(RunOutcome(sandbox)) == ["2026-01": "70"])
    // A name without a vendor is of the only one.
    let one = try Self.sandbox([(.monthly, january, 40)])
    try one.write(
      "20260110.txt",
      ReportText.sales.with(["Begin Date": "01/10/2026", "End Date": "01/10/2026"]).bytes)
    let outcome = try RunOutcome(one)
    #expect(charges(outcome) == ["2026-01": "40"])
    #expect(outcome.account("20260110.txt").last == "not in proceeds: in a monthly report")
  }

  @Test
  func `count by their last day where as-of is earlier`() throws {
    let january = Self.month(1)
    let days = Self.days(january)
    let sandbox = try Self.sandbox([(.monthly, january, 40)] + days.map { (.daily, $0, 1) })
    let (early, day) = (try Self.day("2026-01-20"), "S_M_80012345_202601.txt")
    sandbox.remove("S_D_80012345_20260108.txt")
    let before = try RunOutcome(sandbox) { $0.asOf = early }
    #expect(charges(before) == ["2026-01": "19"])
    #expect(before.account(day).last == "after as-of: 1")
    #expect(before.rows("days.csv").first { $0["day"] == "2026-01-08" }?["state"] == "missing")
    let after = try RunOutcome(sandbox) { $0.asOf = january.upperBound }
    #expect(charges(after) == ["2026-01": "40"])
  }

  @Test
  func `count weeks in fiscal periods, and no month`() throws {
    // FY2026-P05 is from 1 to 28 February.
    let sandbox = try Self.sandbox([
      (.monthly, Self.month(2), 40), (.weekly, try Self.week(from: "2026-02-02"), 7),
      (.weekly, try Self.week(from: "2026-02-23"), 8),
    ])
    let outcome = try RunOutcome(sandbox) { $0.monthSystem = .fiscal }
    #expect(charges(outcome) == ["FY2026-P05": "15"])
    #expect(
      outcome.account("S_M_80012345_202602.txt").last == "a month has no fiscal period: 1")
    #expect(try charges(RunOutcome(sandbox)) == ["2026-02": "40"])
  }

  // MARK: Random mixtures

  private static func reports(_ seed: UInt64) -> [ReferenceFrequencies.Report] {
    var random = SeededGenerator(seed: seed)
    let (first, last) = (Month(year: 2026, month: 1), Month(year: 2026, month: 3))
    let all = first.firstDay...last.lastDay
    var reports: [ReferenceFrequencies.Report] = []
    for vendor in ["80012345", "80099999"].prefix(Int.random(in: 1...2, using: &random)) {
      let add = { (frequency: Frequency, days: ClosedRange<Day>, units: Int) in
        reports.append(.init(vendor: vendor, frequency, days, units: units))
      }
      // Days from some day on, of which few are missing.
      let start = all.lowerBound + Int.random(in: 0..<80, using: &random)
      for day in days(start...all.upperBound) where Int.random(in: 0..<25, using: &random) > 0 {
        add(.daily, day, Int.random(in: 1...9, using: &random))
      }
      var monday = all.lowerBound - all.lowerBound.weekday
      while monday + 6 <= all.upperBound {
        if Bool.random(using: &random) {
          add(.weekly, monday...(monday + 6), Int.random(in: 10...99, using: &random))
        }
        monday = monday + 7
      }
      for number in 1...3 where Int.random(in: 0..<3, using: &random) > 0 {
        add(.monthly, month(number), Int.random(in: 100...999, using: &random))
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        add(.yearly, month(1, 2025).lowerBound...month(12, 2025).upperBound, 5_000)
      }
    }
    return reports
  }

  @Test(arguments: seeds(40, from: 9_100))
  func `count as the four rules say, in any mixture`(seed: UInt64) throws {
    let reports = Self.reports(seed)
    let months: MonthSystem = seed % 3 == 0 ? .fiscal : .calendar
    let sandbox = try ReportSandbox()
    for report in reports {
      let days = report.days[0]...report.days[report.days.count - 1]
      let file = salesReport(report.frequency, days, units: report.units, vendor: report.vendor)
      try sandbox.write(file.name, file.bytes)
    }
    let outcome = try RunOutcome(sandbox) { $0.monthSystem = months }
    let reference = ReferenceFrequencies(reports, months)
    var expected: [String: Int] = [:]
    for report in reports {
      let note = reference.note(report)
      let days = report.days[0]...report.days[report.days.count - 1]
      let name = salesReport(report.frequency, days, units: 1, vendor: report.vendor).name
      let isIgnored = !note.isEmpty && report.frequency != .daily
      #expect(outcome.account(name)[4] == note + (isIgnored ? ": 1" : ""), "\(name)")
      if note.isEmpty {
        expected[months.name(months.month(of: report.days[0])), default: 0] += report.units
      }
    }
    #expect(charges(outcome) == expected.mapValues(String.init))
    for entry in outcome.rows("days.csv") {
      let day = try Self.day(entry["day"] ?? "")
      #expect(entry["state"] == reference.state(day, entry["vendor"] ?? ""), "\(day)")
    }
  }

  @Test(arguments: histories(4, from: 9_150))
  func `count the same in steps`(seed: UInt64) throws {
    let sandbox = try ReportSandbox()
    for report in Self.reports(seed) {
      let days = report.days[0]...report.days[report.days.count - 1]
      let file = salesReport(report.frequency, days, units: report.units, vendor: report.vendor)
      // Some files are damaged, so that other reports have their days.
      try sandbox.write(file.name, report.units == 7 ? gzip(file.bytes).dropLast(3) : file.bytes)
    }
    var plan = RunPlan(inputs: [sandbox.path], views: usualViews)
    plan.prices = PricePlan()
    plan.asOf = seed % 2 == 0 ? Day("2026-02-12") : nil
    var driver = StepDriver(plan)
    #expect(try driver.comparison(sandbox.path).differences == [])
  }

  /// The rows of all days of a month are those of its monthly report.
  @Test(arguments: histories(2, from: 9_170))
  func `of a world give a month the same as its days`(seed: UInt64) throws {
    var world = try SimulatedReports(seed: seed, subscribers: 80, kinds: [.sales])
    let daily = try RunOutcome(world.sandbox())
    world.addSales(of: Month(year: 2026, month: 1), keepsDays: false)
    world.addSales(ofWeekFrom: try Self.day("2026-02-02"))
    let mixed = try RunOutcome(world.sandbox())
    #expect(mixed.text("proceeds.csv") == daily.text("proceeds.csv"))
    #expect(mixed.text("proceeds-by-product.csv") == daily.text("proceeds-by-product.csv"))
    #expect(mixed.rows("days.csv").count { $0["state"] == "covered" } == 31)
  }
}
