import Counting
import Storage
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Names")
struct DimensionNameTests {
  /// 1 and 2 share a name, 3 has its own, 4 has none, 5 a blank one.
  let names = Names(
    symbols: ["", "111", "222", "333", "444", "555", "Monthly", "Yearly"],
    products: [1: 6, 2: 6, 3: 7, 5: 0], apps: [1: 7, 4: 7])

  @Test
  func `shared by two ids are told apart by the id`() {
    #expect(names.product(1) == "Monthly (111)")
    #expect(names.product(2) == "Monthly (222)")
    #expect(names.product(3) == "Yearly")
  }

  @Test
  func `that are missing or blank are the id`() {
    #expect(names.product(4) == "444")
    #expect(names.product(5) == "555")
    #expect(names.app(2) == "222")
  }

  @Test
  func `of apps and of products do not mix`() {
    #expect(names.app(1) == "Yearly (111)")
    #expect(names.app(4) == "Yearly (444)")
  }

  @Test
  func `of products lead back to their ids`() {
    for id in [1, 2, 3, 4, 5] as [Symbol] {
      #expect(names.productID(ofPrinted: names.product(id)) == names.text(id))
    }
    #expect(names.productID(ofPrinted: DimensionValue.unknown.text(names)) == "")
  }

  static let values: [(DimensionValue, String)] = [
    (.text(6), "Monthly"), (.product(3), "Yearly"), (.app(1), "Yearly (111)"),
    (.offer(.standard), "standard"), (.offer(.trial), "trial"), (.offer(.intro), "intro"),
    (.offer(.offer), "offer"), (.month(Month(year: 2024, month: 3)), "2024-03"),
    (.quarter(Month(year: 2024, month: 10)), "2024-Q4"),
    (.before(Month(year: 2024, month: 1)), "before 2024-01"), (.idReset, "id reset"),
    (.unknown, "unknown"),
  ]

  @Test(arguments: values.indices)
  func `print the values of dimensions`(index: Int) {
    let (value, text) = Self.values[index]
    #expect(value.text(names) == text)
  }

  static let weeks: [(String, String)] = [
    ("2024-01-01", "2024-W01"), ("2024-12-30", "2025-W01"), ("2021-01-01", "2020-W53"),
    ("2023-01-01", "2022-W52"), ("2026-01-01", "2026-W01"), ("2026-12-31", "2026-W53"),
    ("2024-02-29", "2024-W09"),
  ]

  @Test(arguments: weeks)
  func `of weeks are those of ISO 8601`(start: String, week: String) throws {
    var world = WorldBuilder(firstFileDay: day("2020-01-01"), asOf: day("2026-12-31"))
    world.add([Purchase(day(start)).asTrial(Term(days: 7))])
    let months = Month(year: 2020, month: 1)...Month(year: 2027, month: 2)
    let empty = Tally(source: .subscribers, views: [[.startWeek]], filter: Filter(), months: months)
    var fold = ChainFold(
      terms: world.terms, completeness: world.completeness(), tally: empty, lastDay: .last)
    fold.add(world.history())
    let table = try world.tables(fold.tally, [[.startWeek]]).table(.trials, view: 0)
    #expect(table[column: "start_week", keys: []] == [.text(week)])
  }

  @Test(arguments: 2008...2100)
  func `of weeks agree with weeks counted from Monday to Monday`(year: Int) {
    // The week with the year's first Thursday is its first.
    let newYear = ReferenceCalendar.day(.init(year: year, month: 1, day: 1))
    var monday = newYear - newYear.weekday
    if monday + 3 < newYear { monday = monday + 7 }
    var week = 1
    while ReferenceCalendar.dates[Int((monday + 3).number)].year == year {
      let text = DimensionValue.week(monday).text(names)
      #expect(text == "\(year)-W\(week < 10 ? "0" : "")\(week)")
      monday = monday + 7
      week += 1
    }
  }
}
