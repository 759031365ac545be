import AppStoreReports
import Scanning
import SubreportTestSupport
import Testing

/// A header and what it should be told to be.
struct HeaderCase: Sendable, CustomTestStringConvertible {
  let kind: ReportKind
  let version: String
  let columns: [String]

  init(_ kind: ReportKind, _ version: String, _ columns: [String]) {
    self.kind = kind
    self.version = version
    self.columns = columns
  }

  var testDescription: String { "\(kind.rawValue) \(version)" }
}

private let readKinds = [
  HeaderCase(.subscriber, "1_1", ReportColumns.subscriber11),
  HeaderCase(.subscriber, "1_2", ReportColumns.subscriber12),
  HeaderCase(.subscriber, "1_3", ReportColumns.subscriber13),
  HeaderCase(.subscriber, "1_4", ReportColumns.subscriber13 + ["Contingent App Name"]),
  HeaderCase(.subscriptionEvent, "1_0", ReportColumns.event10),
  HeaderCase(.subscriptionEvent, "1_1", ReportColumns.event11),
  HeaderCase(.subscriptionEvent, "1_2", ReportColumns.event12),
  HeaderCase(.subscriptionEvent, "1_3", ReportColumns.event13),
  HeaderCase(.subscriptionEvent, "1_4", ReportColumns.event13 + ["Contingent App Name"]),
  HeaderCase(.subscription, "1_0", ReportColumns.snapshot10),
  HeaderCase(.subscription, "1_2", ReportColumns.snapshot12),
  HeaderCase(.subscription, "1_3", ReportColumns.snapshot13),
  HeaderCase(.subscription, "1_4", ReportColumns.snapshot13 + ["Contingent App Name"]),
  HeaderCase(.sales, "1_1", ReportColumns.sales + ["Contingent App Name"]),
  HeaderCase(.sales, "1_0", ReportColumns.sales),
  HeaderCase(.sales, "1_0", ReportColumns.sales2014),
  HeaderCase(.sales, "before 1_0", ReportColumns.sales2010),
]

private let otherKinds = [
  HeaderCase(.offerRedemption, "1_0", ReportColumns.offerRedemption),
  HeaderCase(.winBack, "1_0", ReportColumns.winBack),
  HeaderCase(.preOrder, "1_0", ReportColumns.preOrder),
  HeaderCase(.newsstand, "1_0", ReportColumns.newsstand),
  HeaderCase(
    .newsstand, "1_0",
    ReportColumns.sales + ["Download Date", "Customer Identifier", "Report Date", "Sales/Return"]),
  HeaderCase(.installs, "1_2", ReportColumns.installs),
  HeaderCase(.firstAnnual, "1_0", ReportColumns.firstAnnual),
  HeaderCase(.transactionTax, "", ReportColumns.transactionTax),
  HeaderCase(.financial, "", ReportColumns.financial),
  HeaderCase(.financeDetail, "", ReportColumns.financeDetail),
]

/// A header, the version in the file's name, and the version that is believed.
private let namedVersions: [(columns: [String], named: String?, version: String)] = [
  (ReportColumns.subscriber13, nil, "1_3"),
  (ReportColumns.subscriber13, "1_3", "1_3"),
  (ReportColumns.subscriber13, "1_4", "1_4"),
  (ReportColumns.subscriber13, "1_10", "1_10"),
  // A header that has what a version brought is not older than that.
  (ReportColumns.subscriber13, "1_2", "1_3"),
  (ReportColumns.subscriber13 + ["Contingent App Name"], "1_3", "1_4"),
  // Clients of version 1_3 of events were seen to read `Promotional Offer Name`.
  (ReportColumns.event12, "1_3", "1_3"),
  // Names that columns had before 1_2 contradict.
  (ReportColumns.subscriber11, "1_4", "1_1"),
  (ReportColumns.event10, "1_3", "1_0"),
  (ReportColumns.snapshot10, "1_3", "1_0"),
  (ReportColumns.sales, "1_1", "1_1"),
  (ReportColumns.sales2010, "1_1", "before 1_0"),
  (ReportColumns.financial, "1_1", ""),
]

private let missingCases: [(kind: ReportKind, columns: [String], missing: [String])] = [
  (.subscriber, ReportColumns.subscriber13, ["Subscriber ID"]),
  (.subscriber, ReportColumns.subscriber12, ["Customer Price", "Units"]),
  (.subscriber, ReportColumns.subscriber13, ["Event Date"]),
  (.subscriptionEvent, ReportColumns.event13, ["Event"]),
  (.subscriptionEvent, ReportColumns.event12, ["Quantity", "Consecutive Paid Periods"]),
  (.subscription, ReportColumns.snapshot13, ["Active Standard Price Subscriptions"]),
  (.subscription, ReportColumns.snapshot12, ["Country"]),
  (.sales, ReportColumns.sales, ["Units"]),
  (.sales, ReportColumns.sales, ["Begin Date"]),
]

@Suite("Headers")
struct ReportHeaderTests {
  @Test(arguments: readKinds + otherKinds)
  func `tells kind and version from the names`(header expected: HeaderCase) throws {
    let header = try #require(TestReport(columns: expected.columns).header)
    #expect(header.kind == expected.kind)
    #expect(header.version == expected.version)
    #expect(header.newColumns == [])
    #expect(header.columnNames == expected.columns)
    #expect(header.headerLine == 1)
  }

  @Test(arguments: namedVersions)
  func `believes the version of the file's name unless the columns contradict it`(
    columns: [String], named: String?, version: String
  ) throws {
    let header = try #require(TestReport(columns: columns).header)
    #expect(header.version(inName: named) == version)
  }

  @Test(arguments: readKinds)
  func `takes columns in any order, with new ones, in any case, and padded`(
    header expected: HeaderCase
  ) throws {
    var random = SeededGenerator(seed: 1)
    let columns = (expected.columns + ["Billing Code", "Commitment"]).shuffled(using: &random)
    let spelled = columns.map { random.next() % 2 == 0 ? " \($0.uppercased())  " : $0.lowercased() }
    let header = try #require(TestReport(columns: spelled).header)
    #expect(header.kind == expected.kind)
    #expect(header.version == expected.version)
    #expect(Set(header.newColumns.map { $0.lowercased() }) == ["billing code", "commitment"])
  }

  @Test(arguments: missingCases)
  func `names the columns that a report lacks`(
    kind: ReportKind, columns: [String], missing: [String]
  ) throws {
    let report = TestReport(columns: columns.filter { !missing.contains($0) })
    guard case .missingColumns(kind, let names) = report.error else {
      Issue.record("found \(report.step)")
      return
    }
    #expect(Set(names) == Set(missing))
  }

  /// Without them, they would be read as 0.
  @Test(arguments: [ReportColumns.snapshot12, ReportColumns.snapshot13])
  func `names the counts of its version that a snapshot lacks`(columns: [String]) {
    for count in columns.drop(while: { !$0.hasPrefix("Active") }) where count != "Subscribers" {
      let report = TestReport(columns: columns.filter { $0 != count })
      guard case .missingColumns(.subscription, [count]) = report.error else {
        Issue.record("found \(report.step) without \(count)")
        continue
      }
    }
  }

  @Test
  func `misses a column that all versions have, and none that only others have`() throws {
    let header = try #require(TestReport(columns: ReportColumns.subscriber11).header)
    #expect(header.missingOptionalColumns == [])
    let columns = ReportColumns.subscriber11.filter { $0 != "Device" }
    let without = try #require(TestReport(columns: columns).header)
    #expect(without.missingOptionalColumns == ["Device"])
  }

  @Test
  func `refuses a column that is there twice, unless nothing is read from it`() throws {
    let twice = TestReport(columns: ReportColumns.subscriber13 + ["units"])
    #expect(twice.error == .duplicateColumns(.subscriber, ["Units"]))
    let harmless = TestReport(columns: ReportColumns.event13 + ["State", "Plan", "Plan"])
    #expect(harmless.header?.kind == .subscriptionEvent)
  }

  @Test
  func `takes both names of one column, the newer one first`() throws {
    let header = TestReport(columns: ReportColumns.subscriber13 + ["Promotional Offer Name"]).header
    #expect(header?.kind == .subscriber)
    #expect(header?.version == "1_3")
  }

  @Test
  func `ignores blank cells after the last column`() throws {
    let header = TestReport(columns: ReportColumns.subscriber13 + ["", " "]).header
    #expect(header?.columnNames == ReportColumns.subscriber13)
  }

  @Test
  func `finds the header after the lines that some reports begin with`() throws {
    let detail = TestReport(
      "Vendor Name\tExample\nStart Date\t11/30/2025\nEnd Date\t12/27/2025\n"
        + ReportColumns.financeDetail.joined(separator: "\t"))
    #expect(detail.header?.kind == .financeDetail)
    #expect(detail.header?.headerLine == 4)
    let installs = TestReport(
      "Metric: First Annual Installs\nDeveloper: Example\nRegion: European Union\n\n"
        + ReportColumns.installs.joined(separator: "\t"))
    #expect(installs.header?.kind == .installs)
    let payments = TestReport(
      """
      "iTunes Connect - Payments and Financial Reports\t(September, 2014)",,,
      ,,,
      Region (Currency),Earned,Input Tax,Adjustments,Withholding Tax,Total Owed,
      Switzerland (CHF),"33.15","0","0","0","33.15",
      ,,,
      ,,"234.58" EUR,
      """)
    #expect(payments.header?.kind == .payments)
    #expect(payments.header?.headerLine == 3)
    #expect(payments.rows.count == 1)
  }

  @Test(arguments: [
    "Hello", "name\tvalue\n1\t2", "{\"receipt\": {}}", "{\"status\":0,\"errors\":{}}",
    "\"title\",,\n,,\na,b,c\n", "Vendor Name\tExample\n", "\u{1}\u{2}binary",
    "id\tSubscriber ID\tname",
    "[1]",
  ])
  func `calls anything else unknown`(text: String) throws {
    #expect(TestReport(text).header?.kind == .unknown)
    #expect(TestReport(text).rows.isEmpty)
  }

  @Test(arguments: ["", "\n\n", " \t\n"])
  func `says when a file is empty`(text: String) { #expect(TestReport(text).error == .empty) }

  @Test
  func `is done with a first line that is too long`() {
    var recognizer = HeaderRecognizer()
    let step = recognizer.feed([UInt8]().span, Line(number: 1, byteOffset: 0, isTooLong: true))
    guard case .recognized(let header) = step else {
      Issue.record("found \(step)")
      return
    }
    #expect(header.kind == .unknown)
  }
}
