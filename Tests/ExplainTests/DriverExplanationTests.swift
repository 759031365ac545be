import Counting
import Explain
import Pages
import Pipeline
import PipelineTestSupport
import Rendering
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// The drivers of a run between its last complete month and the month before.
private struct DriverRun {
  let result: RunResult
  let maker: HeadlineMaker
  let drivers: Drivers
  let split: DriverSplit?

  init(
    _ sandbox: ReportSandbox, by split: DriverSplit?, jobs: Int = 2, months: Int = 1,
    change: (inout RunPlan) -> Void = { _ in }
  ) throws {
    self.split = split
    let splits = split.map { [$0] } ?? []
    let views = [[]] + splits.compactMap(\.dimension).map { [$0] }
    result = carryOut([sandbox.path], views: views, jobs: jobs) { plan in
      (plan.keepsCharges, plan.keepsContext, plan.readsFinance) = (true, true, false)
      change(&plan)
    }
    let month = try #require(result.lastCompleteMonth())
    maker = result.headlineMaker(try result.tables(HeadlineMaker.tables), month: month)
    drivers = maker.drivers(against: [month - months], by: splits)
  }

  /// The rows that are split as the run's changes are; those of the whole without a split.
  var rows: [Driver] { drivers.rows.filter { $0.split == split } }

  func explanation(
    _ row: Driver, column: String? = nil, _ listing: Listing = Listing()
  ) throws -> Explanation {
    var conditions = ["measure=\(row.headline.rawValue)"]
    if let split { conditions += ["dimension=\(split.rawValue)", "value=\(row.value)"] }
    if !row.currency.isEmpty { conditions.append("currency=\(row.currency)") }
    let cell = column.map { "drivers.\($0)" } ?? "drivers"
    return try Explanation(
      Question(cell, about: .drivers, where: conditions), drivers, maker, result, listing)
  }

  /// Returns the day on which the earlier month of a row was as old as the later one is at as-of; `nil` for as-of.
  func dayOfSameAge(_ row: Driver) -> Day? {
    result.sources.first { $0.source == .subscribers }.flatMap {
      maker.dayOfSameAge(row.against, as: row.month, $0)
    }
  }
}

/// The sum of the values that a list has for a column.
private func sum(_ column: String, _ table: ReportTable) -> Int {
  table.rows.indices.map { table.texts(["column", "value"], row: $0) }
    .filter { $0[0] == column }.reduce(0) { $0 + (Int($1[1]) ?? 0) }
}

@Suite("Explained drivers")
struct DriverExplanationTests {
  private static let splits = [Dimension.product, .country, .offer, .startMonth]
    .map(DriverSplit.of)

  /// Its reports begin more than a year before the months that are compared, so that these are not partial.
  private static func world(_ seed: UInt64) throws -> SimulatedReports {
    try SimulatedReports(
      seed: seed, subscribers: 100, from: "2024-12-15", to: "2026-05-20", kinds: [.subscriber])
  }

  @Test(arguments: histories(4, from: 350))
  func `give every number of every row of Subscriber reports`(seed: UInt64) throws {
    let sandbox = try Self.world(seed).sandbox()
    for split in [nil, Self.splits[Int(seed % 4)], .movement] {
      // A movement is the sum of some months.
      let months = split == .movement ? 1 + Int(seed % 3) : 1
      let run = try DriverRun(sandbox, by: split, jobs: seed % 2 == 0 ? 1 : 3, months: months)
      #expect(!run.rows.isEmpty)
      for row in run.rows {
        let name = "\(row.headline) \(split?.rawValue ?? "") \(row.value)"
        let found = try run.explanation(row)
        #expect(found.failures == [], "\(name)")
        let known = Driver.columns.filter { row.cell($0) != .missing }
        let explained = known.filter { column in
          found.lines.contains {
            $0.hasPrefix("\(column) = ") && $0.hasSuffix(", as drivers.csv says")
          }
        }
        #expect(explained == known, "\(name)")
        expectListed(row, found.table)
      }
    }
  }

  /// Compares the number of contributions with the counts of the row.
  private func expectListed(_ row: Driver, _ table: ReportTable) {
    guard let names = row.headline.ratio, let counts = row.counts?.own else { return }
    #expect(sum("\(names.numerator) before", table) == counts.before.numerator)
    #expect(sum("\(names.denominator) before", table) == counts.before.denominator)
    #expect(sum("\(names.numerator) after", table) == counts.after.numerator)
    #expect(sum("\(names.denominator) after", table) == counts.after.denominator)
  }

  /// A run with the day as its as-of has the numbers of the earlier month at the same age.
  @Test(arguments: histories(4, from: 350))
  func `list the earlier month as a run up to that day counts it`(seed: UInt64) throws {
    let world = try Self.world(seed)
    let sandbox = try world.sandbox()
    let run = try DriverRun(sandbox, by: nil)
    var runs: [Day?: RunResult] = [:]
    for row in run.rows {
      guard let names = row.headline.ratio else { continue }
      // Conversions are those of the last month whose trials are decided.
      let day = run.dayOfSameAge(row)
      let then = runs[day] ?? carryOut([sandbox.path], views: [[]]) { $0.asOf = day ?? $0.asOf }
      runs[day] = then
      let month = run.result.plan.monthSystem.name(row.against)
      let table = try then.tableMaker().table(row.headline.table, view: 0)
      let cells = table.namedRows.filter {
        $0.source == "subscribers" && $0.text("month") == month
          && ["", "sale"].contains($0.text("dating"))
      }
      let found = try run.explanation(row, column: "before")
      #expect(found.failures == [])
      let expected = cells.reduce(0) { $0 + ($1[names.numerator] ?? 0) }
      #expect(sum("\(names.numerator) before", found.table) == expected, "\(row.headline)")
      for place in found.table.rows.indices {
        let own = found.table.texts(["column", "rows"], row: place)
        if own[0] == "\(names.numerator) before" {
          try expectRows(own[1], world, until: day ?? .last)
        }
      }
    }
  }

  /// The named lines are there and are of days up to the day.
  private func expectRows(_ rows: String, _ world: SimulatedReports, until day: Day) throws {
    for place in rows.split(separator: ";") {
      let parts = place.drop { $0 == " " }.split(separator: ":").map(String.init)
      let number = try #require(parts.last.flatMap { Int($0) })
      let text = String(decoding: world.reports[parts[0]] ?? [], as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      try #require(number > 1 && number <= lines.count, "\(place)")
      // The first column is the day of the event.
      let date = lines[number - 1].prefix { $0 != "\t" }
      #expect(String(date) <= day.description, "\(place)")
    }
  }

  @Test
  func `give the numbers of events and sales`() throws {
    let world = try SimulatedReports(
      seed: 23, subscribers: 120, to: "2026-05-20",
      kinds: [.subscription, .subscriptionEvent, .sales])
    let sandbox = try world.sandbox()
    for split in [nil, DriverSplit.of(.country)] {
      let run = try DriverRun(sandbox, by: split)
      #expect(Set(run.rows.map(\.source)) == [.events, .sales])
      for row in run.rows {
        #expect(try run.explanation(row).failures == [], "\(row.headline) \(row.value)")
      }
    }
  }

  @Test
  func `list only the contributions to the asked number`() throws {
    let sandbox = try Self.world(351).sandbox()
    defer { withExtendedLifetime(sandbox) {} }
    let run = try DriverRun(sandbox, by: nil)
    let churn = try #require(run.rows.first { $0.headline == .churnRate })
    let columns = { (table: ReportTable) in
      Set(table.rows.indices.map { table.texts(["column"], row: $0)[0] })
    }
    let after = try run.explanation(churn, column: "after")
    #expect(columns(after.table).isSubset(of: ["churned after", "active_start after"]))
    #expect(after.lines.count == 3 && after.lines[2].hasPrefix("after = "))
    let total = try run.explanation(churn, column: "total", Listing(limit: 1))
    #expect(total.failures == [] && total.lines.last?.hasPrefix("total = ") == true)
    let more = total.table.rows.indices.map { total.table.texts(["because"], row: $0)[0] }
    #expect(more.contains { $0.hasSuffix("not listed") })
    let all = try run.explanation(churn)
    #expect(sum("active_start after", total.table) == sum("active_start after", all.table))
  }

  /// The formula of each bound, computed from the numbers that are printed.
  @Test(arguments: histories(4, from: 350))
  func `name the bounds of the two rates behind an interval`(seed: UInt64) throws {
    let sandbox = try Self.world(seed).sandbox()
    defer { withExtendedLifetime(sandbox) {} }
    let run = try DriverRun(sandbox, by: .of(.country))
    let known = run.rows.filter { $0.cell("low") != .missing }
    #expect(!known.isEmpty)
    for row in known {
      let counts = try #require(row.counts)
      let (own, whole) = (counts.own, counts.whole)
      let after = try #require(Statistics.wilson(own.after.numerator, of: own.after.denominator))
      let before = try #require(
        Statistics.wilson(own.before.numerator, of: own.before.denominator))
      let text = { (number: Double) in NumberStyle.rate(number) ?? "" }
      let lines = try run.explanation(row).lines
      let inputs =
        "Wilson's 95 % interval of \(own.after.numerator)/\(own.after.denominator) is \(text(after.low)) to \(text(after.high)), of \(own.before.numerator)/\(own.before.denominator) it is \(text(before.low)) to \(text(before.high))"
      #expect(lines.contains(inputs), "\(lines)")
      let low = try #require(lines.first { $0.hasPrefix("low = ") })
      #expect(low.contains("\(text(before.high)) - ") && low.contains(" - \(text(after.low)))²"))
      let high = try #require(lines.first { $0.hasPrefix("high = ") })
      #expect(high.contains("(\(text(after.high)) - ") && high.contains(" - \(text(before.low)))²"))
      let rate = { (ratio: TwoMonths.Ratio) in
        Double(ratio.numerator) / Double(ratio.denominator)
      }
      let (p0, p1) = (rate(own.before), rate(own.after))
      let below = (p1 - after.low) * (p1 - after.low) + (before.high - p0) * (before.high - p0)
      let weight =
        (Double(own.before.denominator) / Double(whole.before.denominator)
          + Double(own.after.denominator) / Double(whole.after.denominator)) / 2
      guard case .fraction(let found) = row.cell("low") else { continue }
      #expect(abs(found - (p1 - p0 - below.squareRoot()) * weight) < 1e-9)
    }
  }

  @Test
  func `are refused with what can be asked`() throws {
    func message(_ cell: String, _ conditions: [String]) -> String? {
      do throws(QuestionError) {
        _ = try Question(cell, about: .drivers, where: conditions)
        return nil
      } catch {
        return error.message
      }
    }
    #expect(message("drivers", ["measure=churn_rate"]) == nil)
    #expect(message("drivers", [])?.contains("--where measure=… (churn_rate, ") == true)
    #expect(
      message("drivers", ["measure=churnrate"])?.contains("did you mean \"churn_rate\"?") == true)
    #expect(message("drivers.totl", ["measure=active"])?.contains("\"total\"") == true)
    #expect(
      message("drivers", ["measure=active", "value=US"])?.contains("dimension=country") == true)
    #expect(
      message("drivers", ["measure=active", "dimension=countri"])?.contains("\"country\"") == true)
    let run = try DriverRun(try Self.world(351).sandbox(), by: .of(.country))
    #expect(throws: QuestionError.self) {
      try Explanation(
        Question("drivers", about: .drivers, where: ["measure=active", "dimension=country"]),
        run.drivers, run.maker, run.result)
    }
    #expect(throws: QuestionError.self) {
      try Explanation(
        Question(
          "drivers", about: .drivers, where: ["measure=active", "dimension=country", "value=XX"]),
        run.drivers, run.maker, run.result)
    }
    // The table of a measure may be named too, but no other one.
    let sandbox = try Self.world(351).sandbox()
    defer { withExtendedLifetime(sandbox) {} }
    let whole = try DriverRun(sandbox, by: nil)
    for (table, isThere) in [("churn", true), ("movement", false)] {
      let question = try Question(
        "drivers", about: .drivers, where: ["measure=churn_rate", "table=\(table)"])
      let found = try? Explanation(question, whole.drivers, whole.maker, whole.result)
      #expect((found != nil) == isThere, "\(table)")
    }
  }
}
