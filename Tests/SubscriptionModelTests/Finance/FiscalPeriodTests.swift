import SubscriptionModel
import Testing

/// One line of the table.
struct FiscalCase: CustomTestStringConvertible {
  let testDescription: String
  let firstDay: Day?
  let lastDay: Day?
  let weeks: Int?
  let paymentDay: Day?

  init(_ line: Substring) {
    let words = line.split(separator: " ").map(String.init)
    testDescription = words[0]
    firstDay = Day(words[1])
    lastDay = Day(words[2])
    weeks = Int(words[3])
    paymentDay = Day(words[4])
  }
}

/// Periods that Apple or others have published.
private let anchors: [(period: String, firstDay: String, lastDay: String)] = [
  ("FY2014-P12", "2014-08-31", "2014-09-27"), ("FY2021-P02", "2020-11-01", "2020-11-28"),
  ("FY2021-P03", "2020-11-29", "2020-12-26"), ("FY2025-P01", "2024-09-29", "2024-11-02"),
  ("FY2025-P04", "2024-12-29", "2025-02-01"), ("FY2026-P02", "2025-11-02", "2025-11-29"),
  ("FY2026-P03", "2025-11-30", "2025-12-27"),
]

@Suite("Fiscal periods")
struct FiscalPeriodTests {
  static let cases = fiscalPeriodTable.split(separator: "\n").map { FiscalCase($0) }

  @Test(arguments: cases)
  func `are those of the table`(row: FiscalCase) throws {
    let period = try #require(FiscalPeriod(row.testDescription))
    #expect(period.firstDay == row.firstDay)
    #expect(period.lastDay == row.lastDay)
    #expect(period.weekCount == row.weeks)
    #expect(period.expectedPaymentDay == row.paymentDay)
    #expect(period.expectedPaymentDay.weekday == 3)
    #expect(period.description == row.testDescription)
    #expect(FiscalPeriod(fiscalYear: period.fiscalYear, period: period.period) == period)
    for number in period.firstDay.number...period.lastDay.number {
      #expect(FiscalPeriod(containing: Day(number: number)) == period)
    }
    #expect(FiscalPeriod(firstDay: period.firstDay, lastDay: period.lastDay) == period)
  }

  @Test func `of the table are all of ten years`() {
    #expect(Self.cases.count == 120)
    #expect(Self.cases.filter { $0.weeks == 5 }.count == 42)
  }

  @Test(arguments: anchors)
  func `agree with what was published`(text: String, firstDay: String, lastDay: String) throws {
    let period = try #require(FiscalPeriod(text))
    #expect(period.firstDay.description == firstDay)
    #expect(period.lastDay.description == lastDay)
  }

  @Test func `begin quarters where 2021 did`() {
    let starts = [4, 7, 10].map { FiscalPeriod(fiscalYear: 2021, period: $0).firstDay.description }
    #expect(starts == ["2020-12-27", "2021-03-28", "2021-06-27"])
    #expect(FiscalPeriod(fiscalYear: 2022, period: 1).firstDay.description == "2021-09-26")
    #expect(FiscalPeriod(fiscalYear: 2022, period: 2).lastDay.description == "2021-11-27")
  }

  @Test func `follow each other without a gap for ninety years`() {
    var period = FiscalPeriod(fiscalYear: 2009, period: 1)
    while period.fiscalYear < 2099 {
      #expect((period + 1).firstDay == period.lastDay + 1)
      #expect(period.firstDay.weekday == 6)
      #expect([4, 5].contains(period.weekCount))
      period = period + 1
    }
    let longYears = (2010..<2030).filter {
      FiscalPeriod(fiscalYear: $0, period: 3).weekCount == 5
    }
    #expect(longYears == [2012, 2017, 2023, 2028])
  }

  @Test func `go by the names of months`() {
    let september = FiscalPeriod(named: Month(year: 2014, month: 9))
    #expect(september.description == "FY2014-P12")
    #expect(FiscalPeriod(named: Month(year: 2025, month: 10)).description == "FY2026-P01")
    #expect(FiscalPeriod(named: Month(year: 2025, month: 12)).description == "FY2026-P03")
    #expect(september.nameMonth.description == "2014-09")
  }

  @Test func `are not any other range of days or text`() throws {
    let first = try #require(Day("2020-10-05"))
    #expect(FiscalPeriod(firstDay: first, lastDay: try #require(Day("2021-10-05"))) == nil)
    let start = FiscalPeriod(fiscalYear: 2021, period: 2).firstDay
    #expect(FiscalPeriod(firstDay: start, lastDay: start + 34) == nil)
    #expect(FiscalPeriod("FY2021-P13") == nil)
    #expect(FiscalPeriod("FY2021-P2") == nil)
    #expect(FiscalPeriod("2021-02") == nil)
    #expect(FiscalPeriod("FY2021-02") == nil)
  }
}
