import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

@Suite("Rates")
struct CurrencyRatesTests {
  private static let header = "date,from,to,rate\n"

  private func place(_ text: String) -> String? {
    do throws(TableError) {
      _ = try RatesFile.read(text, path: "rates.csv", target: "USD")
      return nil
    } catch {
      return String(error.message.prefix { $0 != " " })
    }
  }

  @Test(arguments: [
    (text: "2026-01-01,EUR,USD,1.0842\n", place: nil as String?),
    (text: "", place: nil), (text: "\n2026-01-01,EUR,USD,1\n\n", place: nil),
    (text: "2026-01-01,EUR,USD,0.000000000001\n", place: nil),
    (text: "2026-01-01,EUR,USD\n", place: "rates.csv:2:1:"),
    (text: "2026-01-01,EUR,USD,1.0,x\n", place: "rates.csv:2:1:"),
    (text: "2026-01-01,EUR,USD,1\n2026-13-01,EUR,USD,1\n", place: "rates.csv:3:1:"),
    (text: "01/31/2026,EUR,USD,1\n", place: "rates.csv:2:1:"),
    (text: "2026-01-01,EUR,USD,\n", place: "rates.csv:2:4:"),
    (text: "2026-01-01,EUR,USD,0\n", place: "rates.csv:2:4:"),
    (text: "2026-01-01,EUR,USD,0.000\n", place: "rates.csv:2:4:"),
    (text: "2026-01-01,EUR,USD,-1.1\n", place: "rates.csv:2:4:"),
    (text: "2026-01-01,EUR,USD,1e3\n", place: "rates.csv:2:4:"),
    (text: "2026-01-01,EUR,USD,.5\n", place: "rates.csv:2:4:"),
    (text: "2026-01-01,EUR,USD,1.\n", place: "rates.csv:2:4:"),
    (text: "2026-01-01,EUR,USD,1.2.3\n", place: "rates.csv:2:4:"),
    (text: "2026-01-01,EUR,USD,0.0000000000001\n", place: "rates.csv:2:4:"),
    (text: "2026-01-01,EUR,USD,99999999999999999999\n", place: "rates.csv:2:4:"),
    (text: "2026-01-01,EUR,USD,1.2\n2026-01-01,EUR,USD,1.20\n", place: "rates.csv:3:4:"),
    (text: "2026-01-01,EUR,USD,1.2\n2026-01-01,EUR,USD,1.2\n", place: nil),
    // The line is bad whatever currency it is about.
    (text: "2026-01-01,EUR,GBP,x\n", place: "rates.csv:2:4:"),
  ])
  func `are read, and a bad line is named by its place`(text: String, place expected: String?) {
    #expect(place(Self.header + text) == expected)
  }

  @Test(
    arguments: [
      ("date,from,to,rate\r\n2026-01-01,EUR,USD,1.1\r\n", nil),
      ("2026-01-01,EUR,USD,1.1\n", "rates.csv:1:1:"),
      ("date;from;to;rate\n2026-01-01;EUR;USD;1,0842\n", nil),
      ("date;from;to;rate\n2026-01-01;JPY;USD;0,007\n", nil),
      ("date;from;to;rate\n2026-01-01;EUR;USD;1,084\n", "rates.csv:2:4:"),
      ("Date, USD, JPY, \n30 October 2026, 1.1000, 160.5, \n", nil),
      ("Date, USD, JPY, \n31 April 2026, 1.1000, 160.5, \n", "rates.csv:2:1:"),
      ("date;from;to;rate\n2026-01-01;EUR;USD;1,084\n", "rates.csv:2:4:"),
      ("date,from,to,rate\r2026-01-01,EUR,USD,1.1\r", nil),
      ("date,from,to,rate\n2026-01-01,Euro,USD,1.1\n", "rates.csv:2:2:"),
      ("date,from,to,rate\n2026-01-01,EUR,US1,1.1\n", "rates.csv:2:3:"),
      ("Date,USD,JPY,\n2026-01-02,1.0842,162.3,\n2026-01-01,N/A,162.1,\n", nil),
      ("Date,USD,JPY,\n2026-01-02,1.0842,\n", "rates.csv:2:1:"),
      ("Date,USD,JPY,\n2026-01-02,1.0842,x,\n", "rates.csv:2:3:"),
      ("Date,USD,JPY,\n02.01.2026,1.0842,162.3,\n", "rates.csv:2:1:"),
      ("Date,USD,Yen,\n", "rates.csv:1:1:"),
      ("Date,From,To,Rate\n", "rates.csv:1:1:"),
    ] as [(String, String?)])
  func `need their header, and may end lines in CRLF`(text: String, expected: String?) {
    #expect(place(text) == expected)
  }

  @Test(arguments: [
    ("USD", "EUR", 9_223), ("EUR", "USD", 10_842), ("JPY", "USD", 67), ("USD", "JPY", 1_496_956),
    ("EUR", "JPY", 1_000_000),
  ])
  func `of the European Central Bank are what a euro is worth`(
    from: String, to: String, expected: Int128
  ) throws {
    let text = """
      Date,USD,JPY,BGN,
      2026-01-29,N/A,100,1.9558,
      2026-01-28,1.0842,162.3,N/A,
      2025-12-30,1.0,1.0,1.0,

      """
    let conversion = try RatesFile.read(text, path: "rates.csv", target: to)
    let table = ReportTable(
      name: "t", dimensions: [],
      columns: [.init("month", .key), .init("currency", .key), .init("price", .money)],
      rows: [[.text("2026-01"), .text(from), .money(milliunits: 10_000)]])
    let row = try conversion.addingColumns(to: table).rows[0]
    #expect(row[3] == .money(milliunits: expected))
  }

  /// A folder with a charge of 9.99 EUR each in January and March and a refund in March.
  private func folder() throws -> ReportSandbox {
    let euro = ["Customer Currency": "EUR", "Proceeds Currency": "EUR"]
    let refund = [
      "Refund": "Yes", "Customer Price": "-9.99", "Event Date": "2026-03-20",
      "Purchase Date": "2026-03-10",
    ]
    let march = ReportText.subscriber.with(
      euro.merging(["Event Date": "2026-03-10"]) { $1 }, euro.merging(refund) { $1 })
    return try ReportSandbox([
      subscriberName(5): ReportText.subscriber.with(euro).bytes,
      "Subscriber_80012345_20260320_V1_3.txt": march.bytes,
    ])
  }

  private func converted(_ rates: String) throws -> RunOutcome {
    let conversion = try RatesFile.read(Self.header + rates, path: "rates.csv", target: "USD")
    return try RunOutcome(try folder(), conversion: conversion)
  }

  @Test
  func `put a column beside each amount, with the newest rate of the month or before`() throws {
    let rates = """
      2026-03-31,EUR,USD,1.2500
      2025-12-31,EUR,USD,1.1
      2026-02-28,EUR,USD,9
      2026-04-01,EUR,USD,7
      2026-03-01,EUR,USD,8
      2026-03-31,EUR,GBP,5

      """
    let rows = try converted(rates).rows("proceeds.csv")
    #expect(rows.map { $0["month"] } == ["2026-01", "2026-03"])
    #expect(rows.map { $0["gross_price"] } == ["9.99", "9.99"])
    // 9.99 × 1.1 = 10.989; 9.99 × 1.25 = 12.4875, half to even 12.488.
    #expect(rows.map { $0["gross_price_USD"] } == ["10.989", "12.488"])
    // 6.99 × 1.1 = 7.689; 6.99 × 1.25 = 8.7375, half to even 8.738.
    #expect(rows.map { $0["gross_proceeds_USD"] } == ["7.689", "8.738"])
    #expect(rows.map { $0["refunded_proceeds_USD"] } == ["0.00", "8.738"])
    #expect(rows.map { $0["net_proceeds_USD"] } == ["7.689", "0.00"])
    let header = try converted(rates).text("proceeds.csv").split(separator: "\n")[0]
    #expect(
      header == """
        source,month,currency,charges,gross_price,gross_price_USD,gross_proceeds,\
        gross_proceeds_USD,refunded_price,refunded_price_USD,refunded_proceeds,\
        refunded_proceeds_USD,net_proceeds,net_proceeds_USD,effective_rate
        """)
    let refunds = try converted(rates).rows("refunds.csv")
    #expect(refunds.allSatisfy { $0["gross_price_USD"] != nil && $0["refunded_price_USD"] != nil })
    let untouched = try RunOutcome(try folder())
    #expect(try converted(rates).text("churn.csv") == untouched.text("churn.csv"))
  }

  @Test(arguments: [
    "", "2026-02-01,EUR,USD,1.1\n", "2025-12-31,EUR,GBP,1.1\n", "2025-12-31,GBP,USD,1.1\n",
  ])
  func `that are missing are an error, never a zero`(rates: String) throws {
    #expect(throws: ConversionError.missingRate(from: "EUR", to: "USD", month: "2026-01")) {
      try converted(rates)
    }
  }

  @Test
  func `of the target itself are not needed`() throws {
    let conversion = try RatesFile.read(Self.header, path: "rates.csv", target: "EUR")
    let rows = try RunOutcome(try folder(), conversion: conversion).rows("proceeds.csv")
    #expect(rows.map { $0["gross_price_EUR"] } == rows.map { $0["gross_price"] })
  }
}
