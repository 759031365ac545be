import AppStoreReports
import Scanning
import SubreportTestSupport
import SubscriptionModel
import Testing

/// A SUBSCRIBER row that a test can change.
let goodSubscriber = TestRow([
  "Event Date": "2026-10-05", "App Name": "App", "App Apple ID": "1",
  "Subscription Name": "Monthly, 9.99", "Subscription Apple ID": "2",
  "Subscription Group ID": "3", "Standard Subscription Duration": "1 Month",
  "Customer Price": "9.99", "Customer Currency": "USD", "Developer Proceeds": "6.99",
  "Proceeds Currency": "USD", "Device": "iPhone", "Country": "US",
  "Subscriber ID": "123456789012345", "Units": "1",
])

private let columns = ReportColumns.subscriber13

private func outcome(_ changes: [String: String]) -> RowOutcome<ChargeRecord>? {
  TestReport(columns: columns, rows: [goodSubscriber.with(changes).values(columns)])
    .subscribers().first
}

private func charge(_ changes: [String: String]) throws -> (ChargeRecord, ChargeTerms, [String]) {
  let registries = Registries()
  let report = TestReport(
    columns: columns, rows: [goodSubscriber.with(changes).values(columns)])
  let record = try #require(report.subscribers(registries).first?.used)
  return (record, registries.chargeTerms[Int(record.terms)], registries.symbols.texts)
}

private let badCells: [(column: String, value: String, code: Reject.Code)] = [
  ("Event Date", "", .missingValue), ("Event Date", "2026-02-30", .notADate),
  ("Event Date", "2007-12-31", .notADate), ("Event Date", "2100-01-02", .notADate),
  ("Event Date", "2026-1-05", .notADate), ("Event Date", "20261005", .notADate),
  ("Purchase Date", "yesterday", .notADate), ("Event Date", "05.02", .notADate),
  ("Event Date", "05.02.2026", .rewrittenDate), ("Event Date", "05-02-2026", .rewrittenDate),
  ("Purchase Date", "5.2.26", .rewrittenDate), ("Event Date", "2026.02.05", .rewrittenDate),
  ("Refund", "Y", .notABoolean), ("Refund", "Maybe", .notABoolean),
  ("Subscriber ID", " ", .missingValue), ("Subscription Group ID", "", .missingValue),
  ("Standard Subscription Duration", "", .unknownDuration),
  ("Standard Subscription Duration", "1 Fortnight", .unknownDuration),
  ("Standard Subscription Duration", "0 Months", .unknownDuration),
  ("Standard Subscription Duration", "9999 Days", .unknownDuration),
  ("Standard Subscription Duration", "-1 Month", .unknownDuration),
  ("Subscription Offer Duration", "soon", .unknownDuration),
  ("Marketing Opt-In Duration", "soon", .unknownDuration),
  ("Subscription Offer Type", "Lifetime", .unknownOfferType),
  ("Subscription Offer Type", "Free Trial Maybe", .unknownOfferType),
  ("Subscription Offer Type", "Pay As You Go", .missingOfferDuration),
  ("Subscription Offer Type", "Free Trial", .unknownDuration),
  ("Subscription Offer Type", "Pay Up Front", .unknownDuration),
  ("Customer Price", "9,99", .notADecimal), ("Customer Price", "", .missingValue),
  ("Customer Price", "9.9901", .tooManyDecimals),
  ("Customer Price", "99999999999999999999", .amountOutOfRange),
  ("Customer Price", "-9223372036854775.808", .amountOutOfRange),
  ("Customer Price", "-9.99", .negativePrice),
  ("Developer Proceeds", "free", .notADecimal),
  ("Units", "1.5", .notAWholeNumber), ("Units", "one", .notAWholeNumber),
  ("Units", "-1", .negativeUnits), ("Units", "10001", .unitsOutOfRange),
]

private let durations: [(text: String, name: String)] = [
  ("7 Days", "7 Days"), ("1 Week", "7 Days"), ("1 week", "7 Days"), ("2 Weeks", "14 Days"),
  ("3 Days", "3 Days"), ("1 Day", "1 Day"), ("1 Month", "1 Month"), ("2 months", "2 Months"),
  ("1  Year", "1 Year"), ("12 Months", "1 Year"), ("2 YEARS", "2 Years"),
]

private let offers:
  [(type: String, name: String, price: String, kind: ChargeKind, mode: OfferMode)] =
    [
      ("", "", "9.99", .standard, .none), ("", "", "0.00", .standard, .none),
      ("Free Trial", "", "0", .trial, .freeTrial), ("Pay as you go", "", "1", .intro, .payAsYouGo),
      ("PAY UP FRONT", "", ".36", .intro, .payUpFront),
      ("Pay As You Go", "", "0.00", .trial, .payAsYouGo),
      ("Free Trial", "Winter", "0", .offer, .freeTrial), ("", "Winter", "5", .offer, .none),
      ("Pay Up Front Offer Code", "", "5", .offer, .payUpFront),
      ("Free Trial Win-Back Offer", "", "0", .offer, .freeTrial),
      ("Pay Up Front Winback Offer", "", "5", .offer, .payUpFront),
      ("Pay Up Front Intro Offer", "", "5", .intro, .payUpFront),
    ]

@Suite("SUBSCRIBER rows")
struct SubscriberReaderTests {
  @Test
  func `give the record of a charge`() throws {
    let (record, terms, symbols) = try charge([:])
    #expect(record.subscriber == 123_456_789_012_345)
    #expect(record.order == 7 << 32)
    #expect(Day(number: record.day).description == "2026-10-05")
    #expect(record.purchaseDay == ChargeRecord.noDay)
    #expect(record.units == 1)
    #expect(!record.isRefund && !record.isIDReset)
    #expect(symbols[Int(terms.attributes.group)] == "3")
    #expect(terms.price.milliunits == 9_990)
    #expect(terms.proceeds.milliunits == 6_990)
    #expect(symbols[Int(terms.attributes.price)] == "9.99 USD")
    #expect(symbols[Int(terms.attributes.proceedsRate)] == "standard")
  }

  @Test
  func `give the record of a refund: sizes without signs, no day for a blank purchase date`() throws
  {
    let refund = ["Refund": "YES", "Customer Price": "-85.434", "Developer Proceeds": "-59.80"]
    let (record, terms, symbols) = try charge(
      refund.merging(["Units": "-1", "Purchase Date": "2026-09-30"]) { $1 })
    #expect(record.isRefund)
    #expect(record.units == 1)
    #expect(Day(number: record.purchaseDay).description == "2026-09-30")
    #expect(terms.price.milliunits == 85_434)
    #expect(terms.proceeds.milliunits == 59_800)
    #expect(symbols[Int(terms.attributes.price)] == "85.434 USD")
    let (partial, _, _) = try charge(refund.merging(["Units": "0"]) { $1 })
    #expect(partial.units == 0)
    #expect(partial.purchaseDay == ChargeRecord.noDay)
  }

  @Test
  func `count blank units as 1, whole decimals as they are, and ignore 0`() throws {
    #expect(try charge(["Units": " "]).0.units == 1)
    #expect(try charge(["Units": "2.00"]).0.units == 2)
    #expect(try charge(["Units": "10000"]).0.units == 10_000)
    #expect(outcome(["Units": "0"])?.ignored == .zeroQuantity)
  }

  @Test
  func `keep the purchase date of refunds only`() throws {
    #expect(try charge(["Purchase Date": "2026-01-01"]).0.purchaseDay == ChargeRecord.noDay)
  }

  @Test(arguments: badCells)
  func `are rejected for bad cells, with place and column`(
    column: String, value: String, code: Reject.Code
  ) throws {
    let reject = try #require(outcome([column: value])?.reject)
    #expect(reject.code == code)
    let isDuration = column == "Subscription Offer Type" && code != .unknownOfferType
    let place = isDuration ? "Subscription Offer Duration" : column
    let field = try #require(columns.firstIndex(of: place))
    #expect(reject.column == place)
    #expect(reject.field == field + 1)
    #expect(reject.line == 2)
    let cells = goodSubscriber.with([column: value]).values(columns)
    let start =
      columns.joined(separator: "\t").utf8.count + 1
      + cells[..<field].reduce(0) { $0 + $1.utf8.count + 1 }
    #expect(reject.byteOffset == start)
    let isPersonal = if case .personal = reject.found { true } else { false }
    #expect(isPersonal == (column == "Subscriber ID"))
    #expect(!reject.expected.isEmpty)
  }

  @Test
  func `are rejected again for the same description at another place`() throws {
    let bad = goodSubscriber.with(["Subscription Offer Type": "Lifetime"]).values(columns)
    let rejects = TestReport(columns: columns, rows: [bad, bad]).subscribers().compactMap(\.reject)
    #expect(rejects.map(\.line) == [2, 3])
    #expect(rejects.map(\.found) == [.text("Lifetime"), .text("Lifetime")])
  }

  @Test(arguments: [
    "264,745,413,454,082", "264.745.413", "64 745 413", "4'745'413", "264’745’413",
    "264\u{A0}745", "264\u{202F}745",
  ])
  func `are rejected for ids with thousands separators`(id: String) {
    #expect(outcome(["Subscriber ID": id])?.reject?.code == .rewrittenID)
  }

  @Test(arguments: ["26,47", "2645,745", "264,745.413", ",745", "264,", "a264,745", "264,745a"])
  func `take other texts for ids of their own`(id: String) {
    #expect(outcome(["Subscriber ID": id])?.used != nil)
  }

  @Test
  func `need as many fields as the header, but may have blank ones behind`() {
    let cells = goodSubscriber.values(columns)
    let rows = [
      Array(cells.dropLast()), cells + ["x"], cells + ["", " "], [String](cells.prefix(1)),
    ]
    let outcomes = TestReport(columns: columns, rows: rows).subscribers()
    #expect(
      outcomes.map { $0.reject?.code } == [.tooFewFields, .tooManyFields, nil, .tooFewFields])
    #expect(outcomes[0].reject?.field == 0)
    #expect(outcomes[0].reject?.found == .words("25 fields"))
    let many = cells + Array(repeating: "", count: 200)
    let code = TestReport(columns: columns, rows: [many]).subscribers().first?.reject?.code
    #expect(code == .tooManyFields)
  }

  @Test
  func `are rejected for bytes that are not UTF-8, in the column that holds them`() throws {
    let start = goodSubscriber.with(["Subscription Name": "é"]).values(columns)
    var report = TestReport(columns: columns, rows: [start])
    let offset = try #require(report.lines[1].firstIndex(of: 0xC3))
    report.lines[1][offset + 1] = UInt8(ascii: "x")
    let reject = try #require(report.subscribers().first?.reject)
    #expect(reject.code == .invalidUTF8)
    #expect(reject.column == "Subscription Name")
    #expect(reject.byteOffset == report.lines[0].count + 1 + offset)
  }

  @Test
  func `are rejected when their line was too long to keep`() throws {
    let header = try #require(TestReport(columns: columns).header)
    var reader = SubscriberReader(header: header, registries: Registries())
    let place = Line(number: 9, byteOffset: 100, isTooLong: true)
    let isRow = header.isDataRow([UInt8]().span, place)
    #expect(isRow)
    let outcome = reader.read([UInt8]().span, place, fileIndex: 0, row: 0)
    #expect(outcome.reject?.code == .lineTooLong)
  }

  @Test(arguments: durations)
  func `have durations in any of Apple's spellings`(text: String, name: String) throws {
    let (_, terms, symbols) = try charge(["Standard Subscription Duration": text])
    #expect(terms.standardTerm.name == name)
    #expect(symbols[Int(terms.attributes.duration)] == name)
  }

  @Test(arguments: offers)
  func `tell the kind of a charge`(
    type: String, name: String, price: String, kind: ChargeKind, mode: OfferMode
  ) throws {
    let (_, terms, _) = try charge([
      "Subscription Offer Type": type, "Subscription Offer Name": name, "Customer Price": price,
      "Subscription Offer Duration": "1 Week",
    ])
    #expect(terms.kind == kind)
    #expect(terms.offerMode == mode)
    #expect(terms.offerTerm == Term(days: 7))
  }

  @Test
  func `make keys of ids: plain numbers are themselves, other texts are numbered`() throws {
    let ids = ["1", "4611686018427387903", "4611686018427387904", "007", "abc", "0", "abc"]
    let rows = ids.map { goodSubscriber.with(["Subscriber ID": $0]).values(columns) }
    let keys = TestReport(columns: columns, rows: rows).subscribers()
      .compactMap { $0.used?.subscriber }
    let text = SubscriberKey.textBit
    #expect(keys == [1, 4_611_686_018_427_387_903, text, text | 1, text | 2, text | 3, text | 2])
  }

  @Test
  func `take the customer's currency for blank proceeds currency, and trim padded ones`() throws {
    let (_, terms, symbols) = try charge([
      "Proceeds Currency": " ", "Customer Currency": "RUB      ",
    ])
    #expect(symbols[Int(terms.proceeds.currency)] == "RUB")
    #expect(terms.proceeds.currency == terms.price.currency)
  }

  @Test(arguments: seeds(200))
  func `agree with the obvious reader`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let report = RandomSubscribers.report(using: &random)
    let registries = Registries()
    let outcomes = report.subscribers(registries)
    let header = try #require(report.header)
    let reference = ReferenceSubscriber(columns: header.columnNames)
    let rows = report.rows
    try #require(outcomes.count == rows.count)
    for (outcome, row) in zip(outcomes, rows) {
      let text = RandomSubscribers.facts(outcome, registries)
      #expect(text == reference.outcome(row.bytes), "\(String(decoding: row.bytes, as: UTF8.self))")
    }
  }
}
