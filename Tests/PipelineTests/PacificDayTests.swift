import SubscriptionModel
import Testing

@Suite("A day in Pacific Time")
struct PacificDayTests {
  @Test(arguments: [
    ("2026-01-15T07:59:59Z", "2026-01-14"), ("2026-01-15T08:00:00Z", "2026-01-15"),
    // Summer time begins on 8 March at 10:00 UTC, and ends on 1 November at 9:00 UTC.
    ("2026-03-08T07:59:59Z", "2026-03-07"), ("2026-03-09T06:59:59Z", "2026-03-08"),
    ("2026-03-09T07:00:00Z", "2026-03-09"), ("2026-07-01T06:59:59Z", "2026-06-30"),
    ("2026-07-01T07:00:00Z", "2026-07-01"), ("2026-11-01T06:59:59Z", "2026-10-31"),
    ("2026-11-02T07:59:59Z", "2026-11-01"), ("2026-11-02T08:00:00Z", "2026-11-02"),
    ("2027-01-01T07:59:59Z", "2026-12-31"),
  ])
  func `changes with the clocks of California`(instant: String, day: String) throws {
    #expect(try #require(Instant(instant)).pacificDay.description == day)
  }
}
