import Storage
import SubreportTestSupport
import SubscriptionModel
import Testing

@Suite("Days and months")
struct CalendarTests {
  @Test(arguments: 2008...2100)
  func `agree with a calendar whose pages are turned one by one`(year: Int) {
    for month in 1...12 {
      let found = Month(year: year, month: month)
      let count = ReferenceCalendar.dayCount(year: year, month: month)
      #expect(found.dayCount == count)
      #expect(found.year == year)
      #expect(found.monthOfYear == month)
      #expect(found.quarter == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4][month - 1])
      for dayOfMonth in 1...count {
        let expected = ReferenceCalendar.day(.init(year: year, month: month, day: dayOfMonth))
        let day = Day(year: year, month: month, day: dayOfMonth)
        #expect(day == expected)
        #expect(expected.month == found)
        #expect(expected.dayOfMonth == dayOfMonth)
        #expect(expected.weekday == (Int(expected.number) + 3) % 7)
        #expect(expected.civil == (year, month, dayOfMonth))
        let numbers = [month, dayOfMonth].map { $0 < 10 ? "0\($0)" : "\($0)" }
        #expect(expected.description == "\(year)-\(numbers[0])-\(numbers[1])")
        #expect(found.description == "\(year)-\(numbers[0])")
      }
      #expect(Day(year: year, month: month, day: count + 1) == nil)
      #expect(found.firstDay == Day(year: year, month: month, day: 1))
      #expect(found.lastDay == Day(year: year, month: month, day: count))
    }
  }

  @Test
  func `know the years before 1970`() {
    #expect(Day(number: -1).description == "1969-12-31")
    #expect(Day(number: -1).weekday == 2)
    #expect(Day(number: -719_162).description == "0001-01-01")
    #expect(Day(number: 2_932_896).description == "9999-12-31")
    #expect(Day(number: 2_932_897).description == "10000-01-01")
  }

  static let noDates: [[Int]] = [
    [2023, 2, 29], [2100, 2, 29], [2024, 4, 31], [2024, 13, 1], [2024, 0, 1], [2024, 1, 0],
    [2024, 1, -1], [0, 1, 1], [10_000, 1, 1],
  ]

  @Test(arguments: noDates)
  func `refuse dates that are in no calendar`(date: [Int]) {
    #expect(Day(year: date[0], month: date[1], day: date[2]) == nil)
  }

  @Test
  func `print as they sort`() {
    #expect(day("2026-03-09").description == "2026-03-09")
    #expect(day("2026-03-09").month.description == "2026-03")
    #expect(day("2024-02-29") < day("2024-03-01"))
    #expect(Month(year: 2024, month: 12) < Month(year: 2025, month: 1))
    #expect(Month(year: 2025, month: 1) - Month(year: 2023, month: 11) == 14)
    #expect(day("2024-03-01") - day("2024-02-01") == 29)
  }

  @Test
  func `read a month as users type it`() {
    #expect(Month("2026-10") == Month(year: 2026, month: 10))
    #expect(Month("0001-01") == Month(year: 1, month: 1))
  }

  static let noMonths = [
    "2026-13", "2026-00", "2026-1", "26-10", "2026", "2026-10-01", "", "0000-01",
  ]

  @Test(arguments: noMonths)
  func `refuse texts that are no month`(text: String) {
    #expect(Month(text) == nil)
  }
}

@Suite("Terms")
struct TermTests {
  struct Example: Sendable {
    let start: String
    let term: Term
    let end: String

    init(_ start: String, _ term: Term, _ end: String) {
      self.start = start
      self.term = term
      self.end = end
    }
  }

  static let examples: [Example] = [
    Example("2023-01-31", Term(months: 1), "2023-02-28"),
    Example("2024-01-31", Term(months: 1), "2024-02-29"),
    Example("2024-01-30", Term(months: 1), "2024-02-29"),
    Example("2024-01-28", Term(months: 1), "2024-02-28"),
    Example("2024-02-29", Term(months: 1), "2024-03-29"),
    Example("2024-02-29", Term(months: 12), "2025-02-28"),
    Example("2024-02-29", Term(months: 48), "2028-02-29"),
    Example("2100-01-31", Term(months: 1), "2100-02-28"),
    Example("2024-08-31", Term(months: 6), "2025-02-28"),
    Example("2024-03-31", Term(months: 3), "2024-06-30"),
    Example("2024-12-31", Term(months: 2), "2025-02-28"),
    Example("2024-02-26", Term(days: 3), "2024-02-29"),
    Example("2023-12-31", Term(days: 7), "2024-01-07"),
  ]

  @Test(arguments: examples)
  func `are calendar months, clamped to the month's end, or days`(example: Example) {
    #expect(day(example.start).adding(example.term) == day(example.end))
  }

  @Test(arguments: 2008...2100)
  func `agree with the obvious calendar from any day`(year: Int) {
    let terms =
      [1, 2, 3, 6, 12, 24].map { Term(months: $0) } + [1, 3, 7, 14].map { Term(days: $0) }
    for month in 1...12 {
      for dayOfMonth in 1...ReferenceCalendar.dayCount(year: year, month: month) {
        let start = ReferenceCalendar.day(.init(year: year, month: month, day: dayOfMonth))
        let found = terms.map { start.adding($0) }
        #expect(found == terms.map { ReferenceCalendar.end(of: $0, from: start) })
      }
    }
  }

  static let names: [(Term, String)] = [
    (Term(days: 1), "1 Day"), (Term(days: 7), "7 Days"), (Term(months: 1), "1 Month"),
    (Term(months: 6), "6 Months"), (Term(months: 12), "1 Year"), (Term(months: 24), "2 Years"),
    (Term(months: 18), "18 Months"),
  ]

  @Test(arguments: names)
  func `are named as Apple names them`(term: Term, name: String) {
    #expect(term.name == name)
  }

  static let lengths: [(OfferMode, String)] = [
    (.none, "2024-02-29"), (.payAsYouGo, "2024-02-29"), (.freeTrial, "2024-02-03"),
    (.payUpFront, "2024-02-03"),
  ]

  @Test(arguments: lengths)
  func `are the offer's for free trials and pay up front, else the standard one`(
    mode: OfferMode, end: String
  ) {
    let period = Self.period(mode: mode, optIn: nil)
    #expect(period.fullEnd == day(end))
  }

  @Test
  func `grow by a marketing opt-in`() {
    let trial = Self.period(mode: .freeTrial, optIn: Term(months: 1))
    #expect(trial.fullEnd == day("2024-03-03"))
    let standard = Self.period(mode: .none, optIn: Term(days: 7))
    #expect(standard.fullEnd == day("2024-03-07"))
  }

  private static func period(mode: OfferMode, optIn: Term?) -> Period {
    var world = WorldBuilder(firstFileDay: day("2024-01-01"), asOf: day("2024-12-31"))
    let row = Purchase(day("2024-01-31")).with {
      $0.kind = mode == .none ? .standard : .offer
      $0.mode = mode
      $0.offerTerm = mode == .none ? nil : Term(days: 3)
      $0.optInTerm = optIn
    }
    world.add([row])
    return world.history().periods[0]
  }
}
