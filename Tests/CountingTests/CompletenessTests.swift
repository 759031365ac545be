import Counting
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Completeness")
struct CompletenessTests {
  let days = (0...60).map { day("2024-01-10") + $0 }

  private func completeness(without missing: String..., asOf: String = "2024-03-10") -> Completeness
  {
    Completeness(
      firstDay: day("2024-01-10"), asOf: day(asOf),
      presentDays: Set(days).subtracting(missing.map { day($0) }))
  }

  @Test
  func `knows the missing days between the first file and as-of`() {
    #expect(completeness().missingDays.isEmpty)
    let found = completeness(without: "2024-02-03", "2024-02-01").missingDays
    #expect(found == [day("2024-02-01"), day("2024-02-03")])
    #expect(completeness(without: "2024-03-01", asOf: "2024-02-20").missingDays.isEmpty)
  }

  @Test
  func `of a source whose files all come after as-of misses nothing`() {
    #expect(completeness(asOf: "2024-01-05").missingDays.isEmpty)
  }

  @Test
  func `calls a month partial that begins before the first file or lacks a day`() {
    let found = completeness(without: "2024-02-29")
    #expect(found.isPartial(Month(year: 2023, month: 12)))
    #expect(found.isPartial(Month(year: 2024, month: 1)))
    #expect(found.isPartial(Month(year: 2024, month: 2)))
    #expect(!found.isPartial(Month(year: 2024, month: 3)))
  }

  @Test
  func `takes the first file's month for whole when its file is of the first day`() {
    let first = day("2024-02-01")
    let found = Completeness(
      firstDay: first, asOf: day("2024-02-02"), presentDays: [first, first + 1])
    #expect(!found.isPartial(Month(year: 2024, month: 2)))
  }

  static let near: [(String, Bool)] = [
    ("2024-02-07", false), ("2024-02-08", true), ("2024-02-10", true), ("2024-02-12", true),
    ("2024-02-13", false), ("2024-02-17", false), ("2024-02-18", true), ("2024-02-23", false),
  ]

  @Test(arguments: near)
  func `doubts the 2 days around a missing one`(text: String, isNear: Bool) {
    let found = completeness(without: "2024-02-10", "2024-02-20")
    #expect(found.isNearMissingDay(day(text)) == isNear)
  }

  static let over: [(String, Bool, String)] = [
    ("2024-02-28", false, "2024-01"), ("2024-02-29", true, "2024-02"),
    ("2024-03-01", true, "2024-02"),
  ]

  @Test(arguments: over)
  func `ends a month with its last day`(asOf: String, isOver: Bool, last: String) {
    let found = completeness(asOf: asOf)
    #expect(found.isOver(Month(year: 2024, month: 2)) == isOver)
    #expect(found.lastCompleteMonth.description == last)
  }

  @Test
  func `calls a month partial that shares a file with another one, and says so`() {
    let january = Month(year: 2024, month: 1)
    let found = Completeness(
      firstDay: day("2024-01-01"), asOf: day("2024-03-10"),
      presentDays: Set((0...69).map { day("2024-01-01") + $0 }).subtracting([day("2024-02-07")]),
      sharedMonths: [january])
    #expect(found.missingDays == [day("2024-02-07")])
    let gaps = (0...2).map { found.gap(in: january + $0) }
    #expect(gaps == [.sharedFiles, .missingDays, nil])
    #expect(found.gap(in: january - 1) == .missingDays)
    #expect(found.isPartial(january) && !found.isPartial(january + 2))
    #expect(found.until(day("2024-01-20")).isPartial(january))
  }
}
