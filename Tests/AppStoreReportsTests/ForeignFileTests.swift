import AppStoreReports
import Testing

/// The beginnings of files that are no reports.
private let beginnings: [(start: [UInt8], file: ForeignFile)] = [
  (Array("PK\u{3}\u{4}........a.txt".utf8), .zip),
  (Array("PK\u{3}\u{4}........[Content_Types].xml".utf8), .spreadsheet),
  ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0], .spreadsheet),
  ([0x1F, 0x8B, 8, 0], .gzipTwice), ([0x1F], .gzipStub), ([0x1F, 0x20], .other),
  ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0], .xz), ([0x28, 0xB5, 0x2F, 0xFD, 4], .zstandard),
  (Array("BZh91AY".utf8), .bzip2), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .sevenZip),
  (Array("Rar!\u{1A}".utf8), .rar), (Array("%PDF-1.7".utf8), .pdf),
  (Array(repeating: 0, count: 257) + Array("ustar\u{0}00".utf8), .tar),
  (Array("\n <!DOCTYPE html>\n<html>".utf8), .webPage),
  (Array("<?xml version=\"1.0\"?><html xmlns=\"\">".utf8), .webPage),
  (Array("{\"data\": []}".utf8), .json),
  (Array("{\"event\": {\"app_user_id\": \"1\"}}".utf8), .revenueCat),
  (utf16("Event Date\tApp Name\n", isLowFirst: true, hasMark: true), .utf16),
  (utf16("Event Date\tApp Name\n", isLowFirst: false, hasMark: true), .utf16),
  (utf16("Event Date\tApp Name\n", isLowFirst: true, hasMark: false), .utf16),
  (utf16("Date,Package Name,Country\n", isLowFirst: true, hasMark: true), .googlePlay),
  (Array("Description,Product Title,Sku Id,Buyer Country\r\n".utf8), .googlePlay),
  (Array("Date\tApp Apple Identifier\tPurchases\n".utf8), .analytics),
  (Array("Date,Event,Metric,Time Frame\n".utf8), .salesEvents),
  (Array("_fivetran_id,vendor_number\n".utf8), .fivetran),
  (Array("id,kind,at,amount\n".utf8), .table), (Array("Well, hello there\n".utf8), .other),
  (latin1("März,,,\n"), .otherEncoding), (latin1("März\n"), .other),
  (Array("März,,,\n".utf8), .other),
  ([], .other),
]

/// Returns a text in Latin-1.
private func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

/// Returns a text in UTF-16.
private func utf16(_ text: String, isLowFirst: Bool, hasMark: Bool) -> [UInt8] {
  ((hasMark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit -> [UInt8] in
    let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
    return isLowFirst ? [low, high] : [high, low]
  }
}

@Suite("A file that is no report")
struct ForeignFileTests {
  @Test(arguments: beginnings)
  func `is told by its first bytes`(start: [UInt8], file: ForeignFile) {
    #expect(ForeignFile(start) == file)
  }

  @Test(arguments: ForeignFile.allCases)
  func `has words for one and for several of its kind`(file: ForeignFile) {
    #expect(file.counted(1).hasPrefix("1 "))
    #expect(file.counted(2).hasPrefix("2 "))
    #expect(!file.advice(1).isEmpty && !file.advice(2).isEmpty)
    #expect(file.message.hasPrefix("found "))
  }
}

@Suite("A name")
struct NamesOfReportsTests {
  @Test(arguments: [
    "Subscriber_80012345_20260201_V1_3.txt.gz", "S_D_80012345_20260201", "20190201.txt",
    "Subscription_Event_80012345_20260201.txt", "45545510_0914_EU.txt", "financial_report.csv",
    "sales_report_2026-01-05_SUBSCRIPTION.tsv.gz",
    "finance_report_2025-12_FINANCE_DETAIL_Z1.tsv.gz",
  ])
  func `is a report's when Apple or a client of Apple's gives it`(name: String) {
    #expect(ReportName(name).isReportName)
  }

  @Test(arguments: [
    "notes-2026-02-01.txt", "Subscriber_80012345_20260201.xlsx", "README.md", "20190201.pdf",
    "receipts-2026-02-01.json", "subscriber.txt", "sales.csv", "",
  ])
  func `is no report's when it has a day alone, or another ending`(name: String) {
    #expect(!ReportName(name).isReportName)
  }
}
