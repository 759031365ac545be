import Rendering
import Tables
import Testing

@Suite("A long table that is printed piece by piece")
struct LongTableWriterTests {
  private static let columns: [ReportTable.Column] = [
    .init("column", .key), .init("value", .money), .init("subscription", .text),
    .init("group", .text), .init("because", .text), .init("rows", .text),
  ]

  /// Rows of several widths, with letters that formats escape; the group is always empty.
  private static func row(_ number: Int) -> [ReportTable.Cell] {
    let words = ["=1, \"x\"", "a|b\t\\", "日本 \u{1B}[1m", "no charge within 60 days of 2026-08-14"]
    return [
      .text(number % 2 == 0 ? "price" : "refunded"),
      number % 7 == 0 ? .missing : .money(milliunits: Int128(number) * 9_990),
      .text("reports/file.txt:\(number * number)"), .missing,
      number % 5 == 0 ? .text("") : .text(words[number % words.count]),
      .text(String(repeating: "file.txt:2; ", count: number % 4)),
    ]
  }

  private static func long(_ count: Int) -> LongTable {
    LongTable(name: "explain", columns: columns, count: count, row: row)
  }

  private func printed(_ writer: LongTableWriter) -> (bytes: [UInt8], pieces: Int) {
    var (bytes, pieces): ([UInt8], Int) = ([], 0)
    writer.write { piece in
      bytes += piece
      pieces += 1
    }
    return (bytes, pieces)
  }

  static let counts = [0, 1, 999, 1_000, 1_001, 2_500, 9_001]

  @Test(arguments: OutputFormat.allCases.filter { $0.isOfRows && !$0.isBinary }, counts)
  func `has the bytes of all rows at once`(format: OutputFormat, count: Int) {
    let long = Self.long(count)
    for width in [nil, 70] {
      let writer = LongTableWriter(
        long, format, fitsColumns: false, isColored: width != nil, width: width,
        jobs: width == nil ? 1 : 3)
      let (bytes, pieces) = printed(writer)
      let renderer = TableRenderer(format, isColored: width != nil, width: width)
      #expect(bytes == renderer.bytes(of: long.table))
      let lines = bytes.count { $0 == UInt8(ascii: "\n") }
      // On a terminal of 70 columns reasons go on in the next line.
      let isWrapped = format == .table && width != nil
      #expect(writer.lineCount == lines || count == 0 || isWrapped && writer.lineCount < lines)
      #expect(count < 1_000 || pieces >= count / 1_000)
    }
  }

  @Test(arguments: counts, [nil, 200, 90, 40, 1])
  func `shows the columns that a terminal has room for`(count: Int, width: Int?) {
    let long = Self.long(count)
    let writer = LongTableWriter(long, .table, fitsColumns: true, isColored: true, width: width)
    let full = long.table.withoutEmptyColumns
    let fitting = TerminalColumns(full, width: width)
    // The only row of one has no value and no words either.
    let empty = [[], ["value", "group", "because", "rows"]]
    #expect(writer.empty == (count < 2 ? empty[count] : ["group"]))
    #expect(writer.leftOut == fitting.leftOut)
    let renderer = TableRenderer(.table, isColored: true, width: width)
    #expect(printed(writer).bytes == renderer.bytes(of: fitting.table))
  }
}
