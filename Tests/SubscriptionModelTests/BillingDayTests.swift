import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("The billing day")
struct BillingDayTests {
  /// Days of monthly charges, the end of the last period as it was bought, and the ends of periods that lapsed.
  struct Charges: CustomTestStringConvertible, Sendable {
    let days: [String]
    let end: String
    let lapses: [String]

    var testDescription: String { days.joined(separator: ", ") }

    init(_ days: String..., end: String, lapses: [String] = []) {
      (self.days, self.end, self.lapses) = (days, end, lapses)
    }
  }

  static let monthly: [Charges] = [
    // Kept, lost, found again.
    .init("2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", end: "2027-05-31"),
    .init("2027-01-31", "2027-02-28", "2027-03-28", "2027-04-28", end: "2027-05-31"),
    .init("2027-02-28", "2027-03-31", "2027-04-30", end: "2027-05-31"),
    .init("2027-02-28", "2027-03-30", "2027-04-30", end: "2027-05-30"),
    .init("2027-02-28", "2027-03-28", "2027-04-28", end: "2027-05-28"),
    .init("2027-04-30", "2027-05-31", "2027-06-30", end: "2027-07-31"),
    .init("2028-01-30", "2028-02-29", "2028-03-30", end: "2028-04-30"),
    // A charge a day early or two days late does not move the later ones.
    .init("2027-01-10", "2027-02-09", "2027-03-12", end: "2027-04-10"),
    .init("2027-01-31", "2027-02-27", "2027-03-30", end: "2027-04-30"),
    .init("2027-01-10", "2027-02-12", "2027-03-14", end: "2027-04-14", lapses: ["2027-03-10"]),
    // Another run begins after a gap, also a short one, and more than 3 days early.
    .init(
      "2027-01-31", "2027-03-05", "2027-03-31", "2027-04-30", end: "2027-05-31",
      lapses: ["2027-02-28"]),
    .init("2027-01-31", "2027-03-03", end: "2027-04-03", lapses: ["2027-02-28"]),
    .init("2027-01-31", "2027-02-28", "2027-03-27", end: "2027-04-27"),
    // Only the first charge of a run may have a later billing day, if it is on the last day of its month, and only in
    // the month in which it ends.
    .init("2027-02-27", "2027-03-30", end: "2027-04-30", lapses: ["2027-03-27"]),
    .init("2027-01-28", "2027-02-28", "2027-03-31", end: "2027-04-30", lapses: ["2027-03-28"]),
    .init("2027-02-28", "2027-04-01", end: "2027-05-01", lapses: ["2027-03-28"]),
  ]

  @Test(arguments: monthly)
  func `of monthly charges is that of the first`(charges: Charges) throws {
    let found = history(of: charges.days.map { Purchase(day($0)) }, asOf: "2027-12-31")
    let periods = Array(found.periods)
    let last = try #require(periods.last)
    #expect(last.fullEnd == day(charges.end))
    #expect(
      periods.dropLast().filter { $0.isLapse }.map { $0.end } == charges.lapses.map { day($0) })
    #expect(periods.dropLast().allSatisfy { $0.wasDue })
  }

  /// Returns the ends of the periods as they were bought.
  private func ends(_ rows: Purchase...) -> [Day] {
    history(of: rows, asOf: "2033-12-31").periods.map(\.fullEnd)
  }

  private func charge(_ text: String, _ months: Int16 = 1) -> Purchase {
    Purchase(day(text), product: "months \(months)", term: Term(months: months))
  }

  @Test
  func `of years is 29 February, and of quarters the last of November's next months`() {
    #expect(
      ends(
        charge("2028-02-29", 12), charge("2029-02-28", 12), charge("2030-02-28", 12),
        charge("2031-02-28", 12)
      ).last == day("2032-02-29"))
    let found = history(
      of: [charge("2027-02-28", 12), charge("2028-02-29", 12)], asOf: "2029-12-31")
    #expect(found.periods.map(\.fullEnd) == [day("2028-02-28"), day("2029-02-28")])
    #expect(
      ends(charge("2027-08-31", 3), charge("2027-11-30", 3), charge("2028-02-29", 3))
        == [day("2027-11-30"), day("2028-02-29"), day("2028-05-31")])
  }

  @Test
  func `counts the months of offers of the same product`() {
    let trial = charge("2027-01-31").asTrial(Term(months: 1))
    let upFront = charge("2027-02-28").with {
      ($0.kind, $0.mode, $0.offerTerm, $0.price) = (.offer, .payUpFront, Term(months: 3), 5_000)
    }
    #expect(
      ends(trial, upFront, charge("2027-05-31"))
        == [day("2027-02-28"), day("2027-05-31"), day("2027-06-30")])
    // A trial in days is in no run.
    let days = charge("2027-01-24").asTrial(Term(days: 7))
    #expect(
      ends(days, charge("2027-01-31"), charge("2027-02-28")).last == day("2027-03-31"))
  }

  @Test
  func `begins anew with another product or plan, and with a marketing opt-in`() {
    let other = charge("2027-02-28").with { $0.product = "other" }
    #expect(ends(charge("2027-01-31"), other).last == day("2027-03-28"))
    let plan = charge("2027-02-28").with { $0.plan = .unknown }
    #expect(ends(charge("2027-01-31"), plan).last == day("2027-03-28"))
    let optIn = charge("2027-02-28").with { $0.optInTerm = Term(months: 1) }
    #expect(
      ends(charge("2027-01-31"), optIn, charge("2027-04-28"))
        == [day("2027-02-28"), day("2027-04-28"), day("2027-05-28")])
  }

  @Test
  func `begins again with a second purchase of a day`() {
    let rows = ["2027-01-31", "2027-02-28", "2027-02-28", "2027-03-31"].map { charge($0) }
    let found = history(of: rows, asOf: "2027-12-31")
    #expect(
      found.periods.map(\.end)
        == ["2027-02-28", "2027-02-28", "2027-03-28", "2027-04-30"].map { day($0) })
    #expect(found.periods[1].ending == .boughtAgainSameDay)
  }

  @Test
  func `is kept after a refund at the end of a period, not after one that leaves a gap`() {
    let refunded = charge("2027-02-28")
    let first = charge("2027-01-31")
    let late = refunded.refunded(on: day("2027-03-30"))
    #expect(ends(first, refunded, late, charge("2027-03-31")).last == day("2027-04-30"))
    let soon = refunded.refunded(on: day("2027-03-20"))
    #expect(ends(first, refunded, soon, charge("2027-03-30")).last == day("2027-04-30"))
    // A refund of the first charge leaves a lapse, although the next one comes in the same month.
    let only = history(
      of: [refunded, refunded.refunded(on: day("2027-03-10")), charge("2027-03-31")],
      asOf: "2027-12-31")
    #expect(only.periods[0].end == day("2027-03-10") && only.periods[0].fate == .recovered)
  }

  @Test
  func `of instalments goes on from term to term`() {
    let first = Purchase(day("2026-08-31"), product: "yearly", term: .year).with {
      $0.plan = .commitment
    }
    let days = [
      "2026-08-31", "2026-09-30", "2026-10-31", "2026-11-30", "2026-12-31", "2027-01-31",
      "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31", "2027-06-30", "2027-07-31",
      "2027-08-31", "2027-09-30",
    ].map { day($0) }
    let found = history(of: days.map { day in first.with { $0.day = day } }, asOf: "2027-12-31")
    #expect(found.periods.dropLast().map(\.fullEnd) == Array(days.dropFirst()))
    #expect(found.periods.map { $0.instalment.position?.number } == Array(1...12) + [1, 2])
    // Another price begins another term in the middle of February, not another run.
    let cut = ["2027-01-31", "2027-02-28", "2027-03-31"].map { text in
      first.with {
        $0.day = day(text)
        $0.price = text == "2027-01-31" ? 10_000 : 12_000
      }
    }
    let terms = history(of: cut, asOf: "2027-12-31")
    #expect(terms.periods.map { $0.instalment.beginsTerm } == [true, true, false])
    #expect(terms.periods[1].fullEnd == day("2027-03-31"))
  }

  @Test
  func `does not change periods in days`() {
    let week = Purchase(day("2027-01-31"), product: "weekly", term: Term(days: 7))
    let rows = [
      week, week.with { $0.day = day("2027-02-08") }, week.with { $0.day = day("2027-02-14") },
    ]
    #expect(
      history(of: rows, asOf: "2027-12-31").periods.map(\.fullEnd)
        == ["2027-02-07", "2027-02-15", "2027-02-21"].map { day($0) })
  }
}
