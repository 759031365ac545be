import ReportFolder
import SubreportTestSupport
import Tables
import Testing

@Suite("sheets of a workbook")
struct WorkbookExportTests {
  @Test
  func `have names of at most 31 characters, each different in any case`() {
    let long = String(repeating: "x", count: 40)
    let tables = ["churn", "Churn", "a/b", "a*b", "", long, long + "y", "retention-by-start_month"]
    let names = SheetNames(tables)
    #expect(
      tables.map { names[$0] } == [
        "churn", "Churn~1", "a_b", "a_b~1", "~1", String(repeating: "x", count: 29) + "~1",
        String(repeating: "x", count: 29) + "~2", "retention-by-start_month",
      ])
  }

  @Test(arguments: [
    ("=1+1", "=1+1"), ("a\tb\nc", "a\tb\nc"), ("a\u{0}b\u{1F}\r", "a_x0000_b_x001F__x000D_"),
    ("_x0041_", "_x005F_x0041_"), ("_x00g1_ _x", "_x00g1_ _x"),
    ("\u{FFFF}é\u{202E}", "_xFFFF_é\u{202E}"),
  ])
  func `have texts that XML can have and that mean the same`(text: String, expected: String) {
    let found = SheetText.escaped(text)
    #expect(found.text.utf8.elementsEqual(expected.utf8))
    #expect(!found.isCut)
  }

  @Test
  func `have long texts cut, with a mark`() {
    for character in ["x", "\u{1}", "😀"] {
      let found = SheetText.escaped(String(repeating: character, count: 40_000))
      #expect(found.isCut && found.text.hasSuffix("…"))
      #expect((32_750...SheetText.mostUnits).contains(found.text.utf16.count))
    }
    #expect(!SheetText.escaped(String(repeating: "x", count: 32_000)).isCut)
  }

  @Test(
    .enabled(
      if: WorkbookExport.obstacle == nil, "libxlsxwriter is not installed: make exports-tools"))
  func `say how many rows they hold of a table with more`() throws {
    let table = LongTable(
      name: "health", columns: [.init("rows_read", .count)], count: 1_048_577
    ) { [.count($0)] }
    #expect(
      try WorkbookExport.bytes(of: [table]).notes == [
        "health: the first 1,048,575 of 1,048,577 rows: a sheet holds no more; the CSV has all"
      ])
  }
}
