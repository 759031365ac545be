import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("A full refund")
struct RefundEndingTests {
  /// Ends on 2024-05-10.
  let charge = Purchase(day("2024-04-10"))

  private func period(refundedOn refund: String, next: String?, asOf: String = "2024-12-31")
    -> Period
  {
    let rows =
      [charge, charge.refunded(on: day(refund))] + (next.map { [Purchase(day($0))] } ?? [])
    return history(of: rows, asOf: asOf).periods[0]
  }

  static let inside = ["2024-04-10", "2024-04-11", "2024-04-20", "2024-05-09"]

  @Test(arguments: inside)
  func `inside the period ends it, and the lapse is final at once`(refund: String) {
    let period = period(refundedOn: refund, next: nil, asOf: refund)
    #expect(period.end == day(refund))
    #expect(period.fullEnd == day("2024-05-10"))
    #expect(period.ending == .refunded)
    #expect(period.fate == .openFinal)
    #expect(!period.wasDue)
  }

  static let outside = ["2024-04-09", "2024-05-10", "2024-05-11", "2024-06-30"]

  @Test(arguments: outside)
  func `on the end day, after it or before the charge changes nothing`(refund: String) {
    let period = period(refundedOn: refund, next: nil)
    #expect(period.end == day("2024-05-10"))
    #expect(period.ending == .fullEnd)
    #expect(period.wasDue)
  }

  struct Return: Sendable {
    let refund: String
    let next: String
    let end: String
    let ending: Period.Ending
    let fate: Period.Fate

    init(
      _ refund: String, next: String, end: String, _ ending: Period.Ending, _ fate: Period.Fate
    ) {
      self.refund = refund
      self.next = next
      self.end = end
      self.ending = ending
      self.fate = fate
    }
  }

  static let returns: [Return] = [
    // Resolved by the gap from the refund.
    Return("2024-04-20", next: "2024-04-22", end: "2024-04-20", .refunded, .continued),
    Return("2024-04-20", next: "2024-04-23", end: "2024-04-20", .refunded, .recovered),
    Return("2024-04-20", next: "2024-05-10", end: "2024-04-20", .refunded, .recovered),
    Return("2024-04-20", next: "2024-06-19", end: "2024-04-20", .refunded, .recovered),
    Return("2024-04-20", next: "2024-06-20", end: "2024-04-20", .refunded, .reactivated),
    // On the charge's own day, with a later charge.
    Return("2024-04-10", next: "2024-05-10", end: "2024-04-10", .refunded, .recovered),
    // On the day of the next charge.
    Return("2024-04-20", next: "2024-04-20", end: "2024-04-20", .refunded, .continued),
    Return("2024-05-09", next: "2024-05-09", end: "2024-05-09", .refunded, .continued),
    // On the day of both charges: a second purchase.
    Return("2024-04-10", next: "2024-04-10", end: "2024-04-10", .boughtAgainSameDay, .continued),
    // After the next charge has begun.
    Return("2024-04-25", next: "2024-04-20", end: "2024-04-20", .oldBillingDay, .continued),
    Return("2024-05-09", next: "2024-05-08", end: "2024-05-10", .fullEnd, .continued),
  ]

  @Test(arguments: returns)
  func `with a later charge is resolved by its gap`(example: Return) {
    let period = period(refundedOn: example.refund, next: example.next)
    #expect(period.end == day(example.end))
    #expect(period.ending == example.ending)
    #expect(period.fate == example.fate)
    #expect(period.wasDue == (example.ending == .fullEnd || example.ending == .oldBillingDay))
  }

  @Test
  func `on the day of a change of product ends the period`() {
    let change = Purchase(day("2024-04-20"), product: "plus")
    let found = history(charge, charge.refunded(on: change.day), change)
    #expect(found.periods[0].ending == .refunded)
    #expect(found.periods[0].fate == .continued)
  }

  @Test
  func `on the charge's own day, on which the product changed too, changes nothing`() {
    let change = Purchase(charge.day, product: "yearly", term: Term(months: 12))
    let found = history(charge, charge.refunded(on: charge.day), change)
    #expect(found.periods[0].ending == .changedProduct)
    #expect(found.refunds[0].isFull)
  }

  @Test
  func `of the second purchase of a day ends that one`() {
    let found = history(
      charge.with { $0.units = 2 }, charge.refunded(on: day("2024-04-20")).with { $0.units = 2 })
    #expect(found.periods.map(\.ending) == [.boughtAgainSameDay, .refunded])
  }
}
