import AppStoreReports
import SubscriptionModel
import Testing

/// A name and what it says, as text: date, vendor, frequency, version.
struct NameCase: Sendable, CustomTestStringConvertible {
  let name: String
  let said: String

  init(_ name: String, _ said: String) {
    self.name = name
    self.said = said
  }

  var testDescription: String { name }
}

private let names = [
  NameCase("S_D_80012345_20130919", "2013-09-19 80012345 daily -"),
  NameCase("S_D_80012345_20130919.txt.gz", "2013-09-19 80012345 daily -"),
  NameCase("a/b/S_W_80012345_20130915.txt", "2013-09-15 80012345 weekly -"),
  NameCase("S_M_80012345_202601.gz", "2026-01-31 80012345 monthly -"),
  NameCase("S_M_80012345_202402.gz", "2024-02-29 80012345 monthly -"),
  NameCase("S_M_80012345_202613.gz", "- 80012345 monthly -"),
  NameCase("S_Y_80012345_2025.txt", "2025-12-31 80012345 yearly -"),
  NameCase("O_S_W_80012345_20130915.zip", "2013-09-15 80012345 weekly -"),
  NameCase("P_S_D_80012345_20201005.txt", "2020-10-05 80012345 daily -"),
  NameCase("P_S_Y_80012345_2020", "2020-12-31 80012345 yearly -"),
  NameCase("Subscription_80012345_20160915", "2016-09-15 80012345 daily -"),
  NameCase("Subscriber_80012345_20160915.gz", "2016-09-15 80012345 daily -"),
  NameCase("Subscription_Event_12345678_20220102_V1_2.txt.gz", "2022-01-02 12345678 daily 1_2"),
  NameCase("Winback_Eligibility_Report_80012345_20250101_V1_0", "2025-01-01 80012345 daily 1_0"),
  NameCase("Subscription_20111111_20160915", "- - daily -"),
  NameCase("S_D_80012345_20130919 (1).txt.gz", "2013-09-19 80012345 daily -"),
  NameCase("20190201.txt", "2019-02-01 - - -"),
  NameCase("20190230.txt", "- - - -"),
  NameCase("20071231.txt", "- - - -"),
  NameCase("subscription_2026-02-18.tsv", "2026-02-18 - daily -"),
  NameCase("my export 2026-02-18-final.tsv", "2026-02-18 - - -"),
  NameCase("export2026-02-18.tsv", "2026-02-18 - - -"),
  NameCase("12026-02-181.tsv", "- - - -"),
  NameCase("2026-02-30.tsv", "- - - -"),
  NameCase("Subscriber_80012345_2026-02-18.gz", "2026-02-18 80012345 daily -"),
  NameCase("S_D_12345_20130919", "2013-09-19 - daily -"),
  NameCase("S_D_80012345", "- 80012345 daily -"),
  NameCase("45545510_0914_EU.txt", "- 45545510 - -"),
  NameCase("finance_report_2025-12_FINANCE_DETAIL_Z1.tsv.gz", "- - - -"),
  NameCase("FD_85000000_0126.txt", "- 85000000 - -"),
  NameCase("Subscription_85000000_2026_01_04.txt", "2026-01-04 85000000 daily -"),
  NameCase("Subscription 2026.01.04.txt.gz", "2026-01-04 - daily -"),
  NameCase("2026.01.04.txt", "2026-01-04 - - -"),
  NameCase("subscription-2026-01-04T0600.tsv", "2026-01-04 - daily -"),
  NameCase("subscription_20260104T060000.tsv", "2026-01-04 - daily -"),
  NameCase("subscription_202601041.tsv", "- 202601041 daily -"),
  NameCase("Subscription_20260105_85000000_20260104.txt", "2026-01-04 85000000 daily -"),
  NameCase("2026-02-01 S_M_85000000_202601.txt", "2026-02-01 85000000 - -"),
  NameCase("S_M_85000000_202601_20260203.txt", "2026-01-31 85000000 monthly -"),
  NameCase("Subscription 2026-01-04 to 2026-01-05.txt", "- - daily -"),
  NameCase("Subscription 2026-01-04 20260104.txt", "2026-01-04 - daily -"),
  NameCase("sales_report_2026-01-05_850000001_SALES.tsv", "2026-01-05 850000001 - -"),
  NameCase("S_D_1234567_20130919", "2013-09-19 1234567 daily -"),
  NameCase("", "- - - -"),
  NameCase("отчёт-2026-02-18.txt", "2026-02-18 - - -"),
]

@Suite("Names of files")
struct ReportNameTests {
  @Test(arguments: names)
  func `say date, vendor, frequency and version`(example: NameCase) {
    let name = ReportName(example.name)
    let parts = [
      name.date?.description, name.vendor, name.frequency?.rawValue, name.version,
    ]
    #expect(parts.map { $0 ?? "-" }.joined(separator: " ") == example.said)
  }

  @Test(arguments: financialNames)
  func `of financial reports say month and region`(name: String, month: String?, region: String?) {
    let found = ReportName(name)
    #expect(found.settledMonth?.description == month)
    #expect(found.region == region)
  }
}

private let financialNames: [(name: String, month: String?, region: String?)] = [
  ("45545510_0914_EU.txt", "2014-09", "EU"), ("45545510_0914_zz.txt.gz", "2014-09", "ZZ"),
  ("45545510_1314_EU.txt", nil, "EU"), ("EU.txt", nil, nil),
  ("finance_report_2025-12_FINANCE_DETAIL_Z1.tsv.gz", nil, nil),
  ("finance_2025-12_FINANCIAL_AP.tsv", nil, "AP"), ("my_finance_in.txt", nil, nil),
  ("S_D_80012345_20130919", nil, nil), ("FD_85000000_0126.txt", "2026-01", nil),
  ("fd_85000000_0126 (1).txt.gz", "2026-01", nil), ("85000000_0126.txt", "2026-01", nil),
  ("85000000_0126-2.txt", "2026-01", nil), ("85000000_0126_EU (1).txt", "2026-01", "EU"),
  ("85000000_0126_EU-2.txt", "2026-01", "EU"), ("85000000_0126_EU copy.txt", "2026-01", "EU"),
  ("85000000_0126.gz", "2026-01", nil), ("20260104_0126.txt", nil, nil),
  ("85000000_1326.txt", nil, nil), ("85000000_0126_report.txt", nil, nil),
  ("finance_2025-12_FINANCIAL_AP (1).tsv", nil, "AP"),
]

@Suite("Vendors and marks in names")
struct CopyMarkTests {
  @Test
  func `the nearest folder with a vendor number names it`() {
    #expect(ReportName.vendor(ofFoldersOf: "86000000/85000000/2026/x.txt") == "85000000")
    #expect(ReportName.vendor(ofFoldersOf: "vendor-860000001/20260104/x.txt") == "860000001")
    #expect(ReportName.vendor(ofFoldersOf: "85000000.txt") == nil)
  }

  @Test(arguments: copies)
  func `copies are told from their originals`(
    name: String, original: String?, number: Int, isCertain: Bool
  ) {
    let mark = CopyMark(in: name)
    #expect(mark?.original == original)
    #expect(mark?.number ?? 0 == number)
    #expect(mark?.isCertain ?? false == isCertain)
  }
}

private let copies: [(name: String, original: String?, number: Int, isCertain: Bool)] = [
  ("X.txt", nil, 0, false), ("X (1).txt", "X.txt", 1, true), ("X(12).txt.gz", "X.txt.gz", 12, true),
  ("X.txt (1).gz", "X.txt.gz", 1, true), ("X (3)", "X", 3, true), ("(1).txt", nil, 0, false),
  ("X-2.txt", "X.txt", 2, false), ("X 99.csv", "X.csv", 99, false), ("X-1.txt", nil, 0, false),
  ("X-02.txt", nil, 0, false), ("X-100.txt", nil, 0, false), ("X copy.txt", "X.txt", -1, true),
  ("X copy 2.txt", "X.txt", -1, true), ("X - Copy.tsv", "X.tsv", -1, true),
  ("X - Copy (2).txt", "X.txt", -1, true), ("July (1).ZIP", "July.ZIP", 1, true),
  ("X (1).pdf", nil, 0, false),
]
