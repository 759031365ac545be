import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("A period")
struct RenewalAndLapseTests {
  /// A month from here ends on 2024-05-10.
  let first = Purchase(day("2024-04-10"))

  static let gaps: [(Int, Period.Ending, Period.Fate)] = [
    (-3, .oldBillingDay, .continued), (-2, .fullEnd, .continued), (-1, .fullEnd, .continued),
    (0, .fullEnd, .continued), (1, .fullEnd, .continued), (2, .fullEnd, .continued),
    (3, .fullEnd, .recovered), (59, .fullEnd, .recovered), (60, .fullEnd, .recovered),
    (61, .fullEnd, .reactivated), (200, .fullEnd, .reactivated),
  ]

  @Test(arguments: gaps)
  func `is continued up to 2 days late, recovered up to 60, then reactivated`(
    gap: Int, ending: Period.Ending, fate: Period.Fate
  ) {
    let next = Purchase(day("2024-05-10") + gap)
    let period = history(first, next).periods[0]
    #expect(period.ending == ending)
    #expect(period.fate == fate)
    #expect(period.end == (gap == -3 ? day("2024-05-07") : day("2024-05-10")))
    #expect(period.fullEnd == day("2024-05-10"))
    #expect(period.gapDays == (gap == -3 ? 0 : gap))
    #expect(period.isLapse == (fate != .continued))
    #expect(period.wasDue)
    #expect(!period.isOpen)
  }

  @Test
  func `is cut by another product, and was not due`() {
    let period = history(first, Purchase(day("2024-04-20"), product: "plus")).periods[0]
    #expect(period.end == day("2024-04-20"))
    #expect(period.ending == .changedProduct)
    #expect(period.fate == .continued)
    #expect(!period.wasDue)
  }

  @Test
  func `is cut by another product on its own first day`() {
    let later = Purchase(first.day, product: "yearly", term: Term(months: 12))
    let period = history(later, first).periods[0]
    #expect(period.fullEnd == day("2024-05-10"))
    #expect(period.end == first.day)
    #expect(period.ending == .changedProduct)
  }

  @Test(arguments: [-2, -1, 0, 1, 2])
  func `is not cut by another product at most 2 days early`(gap: Int) {
    let period = history(first, Purchase(day("2024-05-10") + gap, product: "plus")).periods[0]
    #expect(period.ending == .fullEnd)
    #expect(period.end == day("2024-05-10"))
    #expect(period.wasDue)
  }

  @Test
  func `is renewed on the old billing day after a recovery`() {
    let recovered = Purchase(day("2024-05-20"))
    let onOldDay = Purchase(day("2024-06-10"))
    let periods = history(first, recovered, onOldDay).periods
    #expect(periods[0].fate == .recovered)
    #expect(periods[1].fullEnd == day("2024-06-20"))
    #expect(periods[1].end == day("2024-06-10"))
    #expect(periods[1].ending == .oldBillingDay)
    #expect(periods[1].wasDue)
  }

  @Test
  func `has no length and was not due when bought again on its day`() {
    let periods = history(first, first).periods
    #expect(periods.count == 2)
    #expect(periods[0].end == first.day)
    #expect(periods[0].ending == .boughtAgainSameDay)
    #expect(periods[0].fate == .continued)
    #expect(!periods[0].wasDue)
    #expect(periods[1].end == day("2024-05-10"))
  }

  @Test
  func `is charged as often as its units say`() {
    let periods = history(first.with { $0.units = 3 }).periods
    #expect(periods.map(\.ending) == [.boughtAgainSameDay, .boughtAgainSameDay, .fullEnd])
    #expect(periods.allSatisfy { $0.start == first.day })
  }

  @Test
  func `that is free comes before a paid one of its day, whatever the file's order`() {
    let trial = first.asTrial(Term(days: 7))
    let found = history(first, trial)
    #expect(found.periods.map(\.fullEnd) == [day("2024-04-17"), day("2024-05-10")])
    #expect(found.periods[0].ending == .boughtAgainSameDay)
    #expect(found.chains[0].start == .known)
  }

  @Test
  func `that ends earlier comes first, then that of the earlier row`() {
    let yearly = Purchase(first.day, product: "yearly", term: Term(months: 12))
    let dearer = first.with { $0.price = 12_990 }
    let found = history(yearly, dearer, first)
    #expect(
      found.periods.map(\.fullEnd) == [day("2024-05-10"), day("2024-05-10"), day("2025-04-10")])
    #expect(found.periods.map(\.terms) == [1, 2, 0])
  }

  @Test
  func `of another group is another chain`() {
    let other = Purchase(day("2024-04-20")).with { $0.group = "extra" }
    let found = history(first, other, Purchase(day("2024-05-10")))
    #expect(found.chains.map(\.periods) == [0..<2, 2..<3])
    #expect(found.periods[0].fate == .continued)
  }
}

@Suite("A last period")
struct OpenPeriodLapseTests {
  /// Ends on 2024-05-10.
  let last = Purchase(day("2024-04-10"))

  static let ages: [(Int, Period.Fate)] = [
    (-100, .running), (-1, .running), (0, .running), (1, .running), (2, .running),
    (3, .openProvisional), (59, .openProvisional), (60, .openFinal), (61, .openFinal),
  ]

  @Test(arguments: ages)
  func `runs until 2 days before as-of, and its lapse is final 60 days after`(
    age: Int, fate: Period.Fate
  ) {
    let asOf = day("2024-05-10") + age
    let period = history(last, asOf: asOf.description).periods[0]
    #expect(period.fate == fate)
    #expect(period.isOpen)
    #expect(period.gapDays == nil)
    #expect(period.isLapse == (fate != .running))
  }

  @Test
  func `that begins after as-of counts`() {
    let found = history(last, Purchase(day("2024-05-10")), asOf: "2024-05-01")
    #expect(found.periods.map(\.fate) == [.continued, .running])
  }
}
