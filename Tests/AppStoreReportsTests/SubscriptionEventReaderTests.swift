import AppStoreReports
import Scanning
import SubscriptionModel
import Testing

private let badCells: [(column: String, value: String, code: Reject.Code)] = [
  ("Event Date", "", .missingValue), ("Event Date", "2026-02-30", .notADate),
  ("Event", " ", .missingValue), ("Original Start Date", "soon", .notADate),
  ("Consecutive Paid Periods", "x", .notAWholeNumber),
  ("Consecutive Paid Periods", "-1", .notAWholeNumber),
  ("Consecutive Paid Periods", "1000000", .unitsOutOfRange),
  ("Quantity", "", .missingValue), ("Quantity", "1.5", .notAWholeNumber),
  ("Quantity", "-1", .negativeUnits), ("Quantity", "1000000001", .unitsOutOfRange),
]

private func events(_ changes: [String: String]) -> [RowOutcome<EventRow>] {
  let columns = ReportColumns.event13
  return TestReport(columns: columns, rows: [goodEvent.with(changes).values(columns)]).events()
}

@Suite("SUBSCRIPTION_EVENT rows")
struct SubscriptionEventReaderTests {
  @Test
  func `read days, periods and quantity`() throws {
    let row = try #require(events([:]).first?.used)
    #expect(row.day.description == "2026-10-05")
    #expect(row.originalStart?.description == "2026-06-05")
    #expect(row.paidPeriods == 4)
    #expect(row.quantity == 2)
  }

  @Test
  func `take blank periods as 0 and a blank start as none`() throws {
    let row = try #require(
      events(["Consecutive Paid Periods": " ", "Original Start Date": " "]).first?.used)
    #expect(row.paidPeriods == 0)
    #expect(row.originalStart == nil)
  }

  @Test(arguments: badCells)
  func `are rejected for bad cells`(column: String, value: String, code: Reject.Code) throws {
    let reject = try #require(events([column: value]).first?.reject)
    #expect(reject.code == code)
    #expect(reject.column == column)
    #expect(reject.line == 2)
  }

  @Test
  func `are ignored with quantity 0`() {
    #expect(events(["Quantity": "0"]).first?.ignored == .zeroQuantity)
  }

  @Test
  func `give the attributes that views group by`() throws {
    let (terms, symbols) = try eventTerms([
      "Standard Subscription Duration": "1 week", "Preserved Pricing": "yes",
      "Proceeds Reason": "rate after one year", "Country": "usa", "Client": "News",
      "Previous Subscription Apple ID": "77", "Previous Subscription Name": "Old",
    ])
    let attributes = terms.attributes
    let texts = [
      attributes.app, attributes.appName, attributes.group, attributes.product,
      attributes.productName, attributes.duration, attributes.country, attributes.device,
      attributes.client, attributes.price, attributes.proceedsRate, attributes.preserved,
      terms.previousProduct, terms.previousProductName,
    ].map { symbols[Int($0)] }
    #expect(
      texts == [
        "1", "App", "3", "2", "Monthly", "7 Days", "US", "iPhone", "News", "", "after_one_year",
        "yes", "77", "Old",
      ])
  }

  @Test
  func `keep an unknown duration and an unknown country as they are`() throws {
    let (terms, symbols) = try eventTerms([
      "Standard Subscription Duration": "A while", "Country": "zzz",
    ])
    #expect(symbols[Int(terms.attributes.duration)] == "A while")
    #expect(symbols[Int(terms.attributes.country)] == "ZZZ")
  }

  @Test
  func `share terms whatever differs in state, start, periods and quantity`() {
    let columns = ReportColumns.event13
    let rows = (1...50).map { index in
      goodEvent.with([
        "State": "S\(index)", "Original Start Date": "2026-06-\(10 + index % 20)",
        "Consecutive Paid Periods": "\(index)", "Quantity": "\(index)",
        "Days Before Canceling": "\(index)",
      ]).values(columns)
    }
    let registries = Registries()
    let outcomes = TestReport(columns: columns, rows: rows).events(registries)
    #expect(outcomes.compactMap(\.used).count == 50)
    #expect(registries.eventTerms.count == 1)
  }

  @Test
  func `are told apart where the columns that are looked up are no neighbours`() {
    // Only what divides the fields tells "X|US" from "XU|S".
    let columns = ReportColumns.event13
    let rows = [("X", "US"), ("XU", "S"), ("XUS", ""), ("X", "US"), ("", "XUS"), ("XU", "S")].map {
      goodEvent.with(["Device": $0, "Country": $1]).values(columns)
    }
    let between = columns.drop { $0 != "Device" }.dropFirst().prefix { $0 != "Country" }
    #expect(Array(between) == ["State"])
    let outcomes = TestReport(columns: columns, rows: rows).events()
    #expect(outcomes.compactMap { $0.used?.terms } == [0, 1, 2, 0, 3, 1])
  }
}
