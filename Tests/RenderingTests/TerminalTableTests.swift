import Rendering
import Tables
import Testing

private func table(_ names: [String], counts: [Int]) -> ReportTable {
  ReportTable(
    name: "t", dimensions: [], columns: [.init("name", .key), .init("n", .count)],
    rows: zip(names, counts).map { [.text($0), .count($1)] })
}

private func terminal(_ table: ReportTable, isColored: Bool = false, width: Int? = nil) -> String {
  TableRenderer(.table, isColored: isColored, width: width).text(of: table)
}

@Suite struct TerminalTableTests {
  @Test
  func `prints a bold header only in colour`() {
    let table = table(["a"], counts: [12])
    #expect(terminal(table) == "name   n\na     12\n")
    #expect(terminal(table, isColored: true) == "\u{1B}[1mname   n\u{1B}[0m\na     12\n")
  }

  @Test(arguments: OutputFormat.allCases.filter { $0.isOfRows && !$0.isBinary })
  func `ignores colour and width in every other format`(format: OutputFormat) {
    guard format != .table else { return }
    let table = table(["a long name that is cut on a terminal"], counts: [1])
    let styled = TableRenderer(format, isColored: true, width: 10)
    #expect(styled.bytes(of: table) == TableRenderer(format).bytes(of: table))
  }

  @Test func `a reason that is too long for its column goes on in the next line`() {
    let explained = ReportTable(
      name: "explain", dimensions: [],
      columns: [.init("value", .count), .init("because", .text), .init("fact", .text)],
      rows: [
        [.count(1), .text("1 unit sold on 2026-03-28: no settled unit"), .text("unpaired sale")],
        [.count(2), .text("refunded"), .text("x")],
      ])
    #expect(
      terminal(explained, width: 44)
        == """
        value  because                 fact
            1  1 unit sold on          unpaired sale
               2026-03-28: no settled
               unit
            2  refunded                x

        """)
  }

  @Test func `a heading says what rows have in common, the unit and the currency`() {
    var changes = ReportTable(
      name: "drivers", dimensions: [],
      columns: [
        .init("value", .key), .init("after", .money), .init("total", .rate, isChange: true),
      ],
      rows: [
        [.text("US"), .money(milliunits: 1_200_000), .rate(1, of: 8)],
        [.text("FR"), .money(milliunits: 300_000), .rate(0, of: 8)],
      ])
    #expect(
      terminal(changes)
        == "value     after          total\nUS     1,200.00  +12.50 points\nFR       300.00      unchanged\n"
    )
    changes.heading = ReportTable.Heading("in JPY; changes in points\u{1B}", currency: "JPY")
    #expect(
      terminal(changes)
        == "in JPY; changes in points\\u{1B}\nvalue  after      total\nUS     1,200     +12.50\nFR       300  unchanged\n"
    )
    #expect(TerminalColumns(changes, width: 80).table.heading == changes.heading)
    // Programs read no heading.
    let csv = TableRenderer(.csv).text(of: changes)
    #expect(csv.hasPrefix("value,after,total\nUS,1200.00,0.125000\n"))
  }

  static let wideNames: [(String, Int)] = [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｗ", 2), ("한국", 4), ("👍", 2), ("👩‍👩‍👧", 2),
    ("🇯🇵", 2), ("❤️", 2), ("абв", 3), ("a\u{200B}b", 2),
  ]

  @Test(arguments: wideNames)
  func `counts the columns that letters take on a terminal`(name: String, columns: Int) {
    let line = terminal(table([name], counts: [7])).split(separator: "\n")[1]
    #expect(line == name + String(repeating: " ", count: 4 - columns + 2) + "7")
  }

  static let controls: [(String, String)] = [
    ("a\u{1B}[31mb", #"a\u{1B}[31mb"#), ("a\nb\tc\r", #"a\nb\tc\r"#), ("\u{9B}x", #"\u{9B}x"#),
    ("\u{202E}x", #"\u{202E}x"#), ("\u{7F}", #"\u{7F}"#),
  ]

  @Test(arguments: controls)
  func `shows control characters instead of sending them`(name: String, expected: String) {
    let line = terminal(table([name], counts: [7])).split(separator: "\n")[1]
    #expect(line.hasPrefix(expected + " "))
  }

  @Test
  func `prints no trailing spaces when the last cells are empty`() {
    let table = ReportTable(
      name: "t", dimensions: [],
      columns: [.init("name", .key), .init("n", .count), .init("note", .text)],
      rows: [[.text("a"), .missing, .missing], [.missing, .missing, .text("x")]])
    #expect(terminal(table) == "name  n  note\na\n         x\n")
  }

  @Test
  func `cuts the widest words to the terminal's width, and never a number`() {
    let table = table(["com.example.monthly", "short"], counts: [123_456, 1])
    #expect(
      terminal(table, width: 20) == """
        name               n
        com.exa…hly  123,456
        short              1

        """)
    #expect(terminal(table, width: 3).contains("com.e…ly  123,456"))
    #expect(terminal(table, width: 200) == terminal(table))
  }

  @Test
  func `cuts the beginning that words share, where they would look alike`() {
    let names = ["plus.month", "kids.month", "pro.month"].map { "com.example.larkspur.\($0)" }
    #expect(
      terminal(table(names + ["unknown"], counts: [1, 2, 3, 4]), width: 20) == """
        name               n
        …plus.month        1
        …kids.month        2
        …pro.month         3
        unknown            4

        """)
  }

  @Test
  func `cuts wide letters whole`() {
    #expect(
      terminal(table(["日本日本日本日本"], counts: [1]), width: 12).hasSuffix("\n日本日…本  1\n"))
  }
}
