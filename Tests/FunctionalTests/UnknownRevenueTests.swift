import SubreportTestSupport
import Testing

/// Numbers of METRICS.md 11 that the data do not say: they are empty, and never 0 or a guess.
@Suite("revenue that nobody knows")
struct UnknownRevenueTests {
  private static let columns = """
    Event Date,App Name,App Apple ID,Subscription Name,Subscription Apple ID,Subscription Group ID,\
    Standard Subscription Duration,Subscription Offer Name,Promotional Offer ID,\
    Subscription Offer Type,Subscription Offer Duration,Marketing Opt-In Duration,Customer Price,\
    Customer Currency,Developer Proceeds,Proceeds Currency,Preserved Pricing,Proceeds Reason,Client,\
    Device,Country,Subscriber ID,Subscriber ID Reset,Refund,Purchase Date,Units
    """.replacing(",", with: "\t")

  /// Returns a charge of a monthly product.
  private static func charge(
    _ day: String, price: String = "9.99", _ currency: String = "USD", proceeds: String = "6.99",
    _ proceedsCurrency: String = "USD", offer: String = "", term: String = "",
    duration: String = "1 Month"
  ) -> String {
    """
    \(day),App,55,M,101,9,\(duration),,,\(offer),\(term),,\(price),\(currency),\(proceeds),\(proceedsCurrency),\
    ,,,iPhone,US,7001,,,,1
    """.replacing(",", with: "\t")
  }

  /// Writes daily reports of some months, each day with the rows of its date.
  private func reports(of months: [Int], _ rows: [String], on days: [String]) throws -> Sandbox {
    let sandbox = try Sandbox()
    for month in months {
      for day in 1...[31, 28, 31][month - 1] {
        let date = "2026-0\(month)-\(day < 10 ? "0" : "")\(day)"
        let own = zip(rows, days).filter { $1 == date }.map { $0.0 + "\n" }.joined()
        try Files.write(
          Array((Self.columns + "\n" + own).utf8),
          to: sandbox.work
            + "/in/Subscriber_80000001_\(date.replacing("-", with: ""))_V1_3.txt")
      }
    }
    return sandbox
  }

  @Test
  func `a start month is a key of lifetime, and no view`() throws {
    let sandbox = try reports(of: [1], [Self.charge("2026-01-05")], on: ["2026-01-05"])
    for view in ["start_month", "product,start_month"] {
      let result = try sandbox.run("lifetime in --by \(view)")
      #expect(result.status == 64)
      #expect(result.errors.contains("lifetime has rows by start month already"))
    }
  }

  @Test
  func `a trial that was not seen since its end is unresolved`() throws {
    let sandbox = try Sandbox()
    let bought = { (id: Int, first: String, last: String, seen: String, offer: String) in
      #"""
      {"transactionId":"\#(id)","originalTransactionId":"\#(id)","bundleId":"com.example.app","productId":"m",\#
      "subscriptionGroupIdentifier":"20","type":"Auto-Renewable Subscription","environment":"Production",\#
      "purchaseDate":"\#(first)T10:00:00Z","originalPurchaseDate":"\#(first)T10:00:00Z",\#
      "expiresDate":"\#(last)T10:00:00Z","signedDate":"\#(seen)T10:00:00Z","currency":"USD",\#
      "inAppOwnershipType":"PURCHASED",\#(offer)}
      """#
    }
    let lines = [
      bought(
        41, "2026-01-10", "2026-01-17", "2026-01-12",
        #""price":0,"offerType":1,"offerDiscountType":"FREE_TRIAL""#),
      bought(51, "2026-03-01", "2026-04-01", "2026-03-31", #""price":9990"#),
    ]
    try Files.write(Array(lines.joined(separator: "\n").utf8), to: sandbox.work + "/in/dump.jsonl")
    let table = try sandbox.run(
      "status in -q -f csv --all-months --columns month,free_trials,unresolved")
    #expect(
      table.lines.dropFirst() == [
        "2026-01,0,1", "2026-02,0,1", "2026-03,0,1",
      ], "\(table.output)")
  }

  @Test
  func `instalments in snapshots are those of the user's list, without other reports`() throws {
    let sandbox = try Sandbox()
    let columns = """
      App Name,App Apple ID,Subscription Name,Subscription Apple ID,Subscription Group ID,\
      Standard Subscription Duration,Subscription Offer Name,Promotional Offer ID,Customer Price,\
      Customer Currency,Developer Proceeds,Proceeds Currency,Preserved Pricing,Proceeds Reason,Client,\
      Device,State,Country,Active Standard Price Subscriptions,\
      Active Free Trial Introductory Offer Subscriptions,\
      Active Pay Up Front Introductory Offer Subscriptions,\
      Active Pay As You Go Introductory Offer Subscriptions,Free Trial Promotional Offer Subscriptions,\
      Pay Up Front Promotional Offer Subscriptions,Pay As You Go Promotional Offer Subscriptions,\
      Free Trial Offer Code Subscriptions,Pay Up Front Offer Code Subscriptions,\
      Pay As You Go Offer Code Subscriptions,Marketing Opt-Ins,Billing Retry,Grace Period,Subscribers,\
      Free Trial Win-back Offers,Pay Up Front Win-back Offers,Pay As You Go Win-back Offers
      """
    let row = { (price: String, proceeds: String, count: Int) in
      "App,55,Y,102,9,1 Year,,,\(price),USD,\(proceeds),USD,,,,iPhone,,US,\(count)"
        + String(repeating: ",0", count: 12) + ",,0,0,0"
    }
    let text = [columns, row("59.99", "41.99", 4), row("5.99", "4.19", 3)]
      .map { $0.replacing(",", with: "\t") + "\n" }.joined()
    try Files.write(
      Array(text.utf8), to: sandbox.work + "/in/Subscription_80000001_20260131_V1_3.txt")
    let command = "recurring in -q -f csv --basis price --month 2026-01 --columns mrr"
    #expect(try sandbox.run(command).lines.last == "21.493")
    try Files.write(
      Array("[plans]\n\"Y\" = [\"5.99 USD\"]\n".utf8), to: sandbox.work + "/subreport.toml")
    // 4 times 59.99 / 12, and 3 times 5.99.
    #expect(try sandbox.run(command).lines.last == "37.966")
  }

  @Test
  func `customers of a start that is not known are no number`() throws {
    let charges = [Self.charge("2026-01-05", duration: "7 Days")]
    let sandbox = try reports(of: [1, 2, 3], charges, on: ["2026-01-05"])
    let table = try sandbox.run(
      "definitions in -q -f csv --month 2026-01 --measure churn_rate --like chartmogul")
    #expect(
      table.lines.dropFirst(2) == [
        "subscribers,2026-01,churn_rate,,chartmogul,population,1,,,,",
        "subscribers,2026-01,churn_rate,,chartmogul,denominator,,,,,",
        "subscribers,2026-01,churn_rate,,chartmogul,theirs,,,,,exact",
      ], "\(table.output)")
  }

  @Test
  func `proceeds in a currency without a price have their row, and a line in health`() throws {
    let trial = Self.charge(
      "2026-02-01", price: "0.00", "EUR", proceeds: "0.00", "EUR", offer: "Free Trial",
      term: "7 Days")
    let charges = [trial, Self.charge("2026-02-08", "EUR")]
    let sandbox = try reports(of: [1, 2], charges, on: ["2026-02-01", "2026-02-08"])
    let table = try sandbox.run(
      "definitions in -q -f csv --month 2026-02 --measure mrr --like apphud")
    #expect(table.lines.contains { $0.contains(",mrr,USD,apphud,theirs,6.99,,6.99,6.99,") })
    #expect(try sandbox.run("report in -o out -q").status == 0)
    let health = try sandbox.runShell("cat out/health.csv").lines
    #expect(
      health.contains {
        $0.hasSuffix(
          "\"charges with proceeds in another currency than the first of their subscription, in no amount of lifetime by proceeds: 1\""
        )
      }, "\(health)")
  }

  @Test
  func `starts before the first file are partial and not added up`() throws {
    // The file of 1 February dates a trial into January.
    let trial = Self.charge(
      "2026-01-31", price: "0.00", proceeds: "0.00", offer: "Free Trial", term: "7 Days")
    let charges = [trial, Self.charge("2026-02-07")]
    let sandbox = try reports(of: [2, 3], charges, on: ["2026-02-01", "2026-02-07"])
    let rows = try sandbox.run("lifetime in -q -f csv --basis price").lines.dropFirst()
    #expect(!rows.isEmpty)
    for row in rows {
      #expect(
        row.hasPrefix("subscribers,price,2026-01,USD,") && row.hasSuffix(",partial"), "\(row)")
    }
  }
}
