import Counting
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("What was known of a month on a day")
struct RateCountsTests {
  /// Days after a month's end: at once, while a lapse is not one yet, while it may be recovered, and after that.
  private static let ages = [0, 1, 2, 3, 10, 30, 59, 60, 61, 90]

  /// Returns the counts of a month on a day, by cohort; cohorts without any are left out.
  private static func counts(
    _ tally: Tally, view: Int, of month: Month, on day: Day
  ) -> [[DimensionValue]: RateCounts] {
    let view = tally.views[view]
    let counts = zip(view.index.cohorts, view.rateCounts(of: month, on: day))
    return Dictionary(uniqueKeysWithValues: counts).filter { $0.value != RateCounts() }
  }

  @Test(arguments: seeds(100))
  func `is what the rows up to that day say`(seed: UInt64) {
    var maker = RandomWorld(seed: seed)
    var world = maker.world(subscribers: 20...60)
    if seed % 3 == 0 { world.monthSystem = .fiscal }
    let all = Array(world.subscribers.indices)
    let tally = world.tally(of: all, comparedViews).settled(on: world.asOf)
    // As a night leaves it: folded earlier, partly decided, settled today.
    var earlier = world
    earlier.asOf = world.asOf - 40
    var night = earlier.tally(of: all, comparedViews)
    night.decide(by: world.asOf - 20)
    night = night.settled(on: world.asOf)
    let age = Self.ages[Int(seed) % Self.ages.count]
    var month = world.monthSystem.month(of: world.firstFileDay)
    while case let day = world.monthSystem.firstDay(of: month + 1) - 1 + age, day <= world.asOf {
      var then = world.until(day)
      then.asOf = day
      let cut = then.tally(of: all, comparedViews).settled(on: day)
      for view in comparedViews.indices {
        let expected = Self.counts(cut, view: view, of: month, on: day)
        #expect(
          Self.counts(tally, view: view, of: month, on: day) == expected,
          "\(month) on \(day) by \(comparedViews[view])")
        #expect(
          Self.counts(night, view: view, of: month, on: day) == expected,
          "\(month) on \(day) by \(comparedViews[view]), decided in steps")
      }
      month = month + 1
    }
  }

  @Test
  func `counts a recovered lapse as churn until its recovery`() {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-08-31"))
    let trial = Purchase(day("2024-03-28")).asTrial(Term(days: 7))
    let days = ["2024-04-04", "2024-06-10", "2024-07-10"]
    let charges = days.map { Purchase(day($0)) }
    // Its April period ended on 4 May; the charge of 10 June was given back on 2 July.
    world.add([trial] + charges + [charges[1].refunded(on: day("2024-07-02"))])
    let tally = world.tally(of: [0], [[]]).settled(on: world.asOf)
    let counts = { (month: Int, on: String) in
      tally.views[0].rateCounts(of: Month(year: 2024, month: month), on: day(on))[0]
    }
    #expect(counts(3, "2024-03-31").trials == 1 && counts(3, "2024-03-31").converted == 0)
    #expect(counts(3, "2024-04-04").converted == 1)
    #expect(counts(5, "2024-06-09").churned == 1 && counts(5, "2024-06-10").churned == 0)
    #expect(counts(5, "2024-06-09").due == 1 && counts(5, "2024-06-09").renewed == 0)
    #expect(counts(6, "2024-06-30").refunded == 0 && counts(6, "2024-07-02").refunded == 1)
    // The charge of 10 July ended on 10 August, and nothing came after it.
    #expect(counts(8, "2024-08-31").churned == 1)
  }

  @Test
  func `of receipts goes by their instants`() {
    var world = ReceiptWorld()
    let trial = Bought("2024-03-28", "2024-04-04").with { $0.flags = .trial }
    let charges = [
      Bought("2024-04-04", "2024-05-04"), Bought("2024-06-10", "2024-07-10"),
      Bought("2024-07-10", "2024-08-10").with { $0.cancellation = instant("2024-09-02T08:00:00") },
    ].map { $0.with { $0.originalPurchase = trial.start } }
    world.add("2025-01-01", [trial] + charges)
    let view = world.tally().views[0]
    let counts = { (month: Int, on: String) in
      view.rateCounts(of: Month(year: 2024, month: month), on: day(on))[0]
    }
    #expect(counts(3, "2024-04-03").converted == 0 && counts(3, "2024-04-04").converted == 1)
    #expect(counts(5, "2024-06-09").churned == 1 && counts(5, "2024-06-10").churned == 0)
    #expect(counts(8, "2024-09-01").due == 1 && counts(8, "2024-09-02").due == 0)
    #expect(counts(8, "2024-09-01").churned == 1 && counts(8, "2024-09-02").churned == 1)
    #expect(counts(7, "2024-08-31").refunded == 0 && counts(7, "2024-09-02").refunded == 1)
  }
}
