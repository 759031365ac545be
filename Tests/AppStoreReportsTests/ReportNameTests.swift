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
  NameCase("S_M_80012345_202613.gz", "- - monthly -"),
  NameCase("S_Y_80012345_2025.txt", "2025-12-31 80012345 yearly -"),
  NameCase("O_S_W_80012345_20130915.zip", "2013-09-15 80012345 weekly -"),
  NameCase("P_S_D_80012345_20201005.txt", "2020-10-05 80012345 daily -"),
  NameCase("P_S_Y_80012345_2020", "2020-12-31 80012345 yearly -"),
  NameCase("Subscription_80012345_20160915", "2016-09-15 80012345 daily -"),
  NameCase("Subscriber_80012345_20160915.gz", "2016-09-15 80012345 daily -"),
  NameCase("Subscription_Event_12345678_20220102_V1_2.txt.gz", "2022-01-02 12345678 daily 1_2"),
  NameCase("Winback_Eligibility_Report_80012345_20250101_V1_0", "2025-01-01 80012345 daily 1_0"),
  NameCase("Subscription_20111111_20160915", "2016-09-15 20111111 daily -"),
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
  NameCase("S_D_80012345", "- - daily -"),
  NameCase("45545510_0914_EU.txt", "- 45545510 - -"),
  NameCase("finance_report_2025-12_FINANCE_DETAIL_Z1.tsv.gz", "- - - -"),
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
  ("S_D_80012345_20130919", nil, nil),
]
