import Rendering
import Tables
import Testing

/// A small table with every kind of column and cell.
private let sample = ReportTable(
  name: "sample", dimensions: ["country"],
  columns: [
    .init("month", .key), .init("country", .key), .init("active", .count),
    .init("churn_rate", .rate), .init("low", .rate), .init("gross", .money),
    .init("gap_days", .number), .init("state", .text),
  ],
  rows: [
    [
      .text("2026-10"), .text("US"), .count(40), .rate(13, of: 40), .fraction(0.2008),
      .money(milliunits: 9_990), .hundredths(125), .text("final"),
    ],
    [
      .text("2026-10"), .text("日本, \"east\""), .count(1_200), .rate(0, of: 0), .missing,
      .money(milliunits: -5), .count(3), .text("=cmd|'x'!A1"),
    ],
  ])

/// The same columns without a row.
private let empty = ReportTable(
  name: "sample", dimensions: [],
  columns: [.init("month", .key), .init("churned", .count)], rows: [])

private func words(_ text: String) -> ReportTable {
  ReportTable(
    name: "words", dimensions: [], columns: [.init("a", .key), .init("b", .text)],
    rows: [[.text(text), .text(text)]])
}

@Suite struct TableRendererTests {
  @Test
  func `a page has minus signs, and no low lines in words of the program`() {
    #expect(HTMLTable.shown("-32.70", .init("net", .money)) == "\u{2212}32.70")
    #expect(HTMLTable.shown("more_churn", .init("verdict", .text)) == "more churn")
    #expect(HTMLTable.shown("churn_rate", .init("measure", .key)) == "churn rate")
    #expect(HTMLTable.shown("-my_product", .init("product", .key)) == "-my_product")
  }

  static let wholeTables: [(OutputFormat, String)] = [
    (
      .csv,
      #"""
      month,country,active,churn_rate,low,gross,gap_days,state
      2026-10,US,40,0.325000,0.200800,9.99,1.25,final
      2026-10,"日本, ""east""",1200,,,-0.005,3,'=cmd|'x'!A1

      """#
    ),
    (
      .tsv,
      """
      month\tcountry\tactive\tchurn_rate\tlow\tgross\tgap_days\tstate
      2026-10\tUS\t40\t0.325000\t0.200800\t9.99\t1.25\tfinal
      2026-10\t日本, "east"\t1200\t\t\t-0.005\t3\t'=cmd|'x'!A1

      """
    ),
    (
      .md,
      #"""
      | month | country | active | churn_rate | low | gross | gap_days | state |
      | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |
      | 2026-10 | US | 40 | 32.50% | 20.08% | 9.99 | 1.25 | final |
      | 2026-10 | 日本, "east" | 1,200 | | | -0.005 | 3 | =cmd\|'x'!A1 |

      """#
    ),
    (
      .json,
      #"""
      [
      {"month":"2026-10","country":"US","active":40,"churn_rate":0.325000,"low":0.200800,"gross":"9.99","gap_days":1.25,"state":"final"},
      {"month":"2026-10","country":"日本, \"east\"","active":1200,"churn_rate":null,"low":null,"gross":"-0.005","gap_days":3,"state":"=cmd|'x'!A1"}
      ]

      """#
    ),
    (
      .jsonl,
      #"""
      {"month":"2026-10","country":"US","active":40,"churn_rate":0.325000,"low":0.200800,"gross":"9.99","gap_days":1.25,"state":"final"}
      {"month":"2026-10","country":"日本, \"east\"","active":1200,"churn_rate":null,"low":null,"gross":"-0.005","gap_days":3,"state":"=cmd|'x'!A1"}

      """#
    ),
    (
      .table,
      """
      month    country       active  churn_rate     low   gross  gap_days  state
      2026-10  US                40      32.50%  20.08%    9.99      1.25  final
      2026-10  日本, "east"   1,200                      -0.005         3  =cmd|'x'!A1

      """
    ),
  ]

  @Test(arguments: wholeTables)
  func `writes one small table in every format`(format: OutputFormat, expected: String) {
    #expect(TableRenderer(format).text(of: sample) == expected)
  }

  static let emptyTables: [(OutputFormat, String)] = [
    (.csv, "month,churned\n"), (.tsv, "month\tchurned\n"),
    (.md, "| month | churned |\n| --- | ---: |\n"), (.json, "[]\n"), (.jsonl, ""),
    (.table, "month  churned\n"),
  ]

  @Test(arguments: emptyTables)
  func `writes a table without rows with its header`(format: OutputFormat, expected: String) {
    #expect(TableRenderer(format).text(of: empty) == expected)
  }

  @Test(arguments: OutputFormat.allCases.filter { $0.isOfRows && !$0.isBinary })
  func `appends to what a buffer already holds`(format: OutputFormat) {
    var buffer = Array("before\n".utf8)
    TableRenderer(format).append(sample, to: &buffer)
    #expect(buffer == Array("before\n".utf8) + TableRenderer(format).bytes(of: sample))
  }

  static let csvCells: [(String, String)] = [
    ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
    ("two\nlines", "\"two\nlines\""), ("cr\rhere", "\"cr\rhere\""), ("\r\n", "\"'\r\n\""),
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"),
    ("\rx", "\"'\rx\""), ("=1,2", "\"'=1,2\""), ("=\u{301}1", "'=\u{301}1"), ("a=1", "a=1"),
    (" =1", " =1"), ("'=1", "'=1"), ("é|漢", "é|漢"), ("-", "'-"),
  ]

  @Test(arguments: csvCells)
  func `quotes and guards words in CSV`(text: String, expected: String) {
    #expect(TableRenderer(.csv).text(of: words(text)) == "a,b\n\(expected),\(expected)\n")
  }

  static let tsvCells: [(String, String)] = [
    ("plain", "plain"), ("a,b\"c", "a,b\"c"), ("a\tb", "a\\tb"), ("a\nb", "a\\nb"),
    ("a\rb", "a\\rb"), ("a\\tb", "a\\\\tb"), ("=1", "'=1"), ("@x", "'@x"), ("\tx", "'\\tx"),
    ("\r\n", "'\\r\\n"),
  ]

  @Test(arguments: tsvCells)
  func `escapes and guards words in TSV`(text: String, expected: String) {
    #expect(TableRenderer(.tsv).text(of: words(text)) == "a\tb\n\(expected)\t\(expected)\n")
  }

  @Test
  func `quotes the delimiter that CSV has, and changes the mark of numbers alone`() {
    let table = ReportTable(
      name: "t", dimensions: [],
      columns: [.init("text", .text), .init("rate", .rate), .init("money", .money)],
      rows: [
        [.text("a;b"), .ratio(numerator: -1, denominator: 4), .money(milliunits: 9_990)],
        [.text("1.5, 2"), .missing, .missing],
      ])
    let marks = CSVMarks(delimiter: UInt8(ascii: ";"), decimal: UInt8(ascii: ","))
    #expect(
      TableRenderer(.csv, marks: marks).text(of: table)
        == "text;rate;money\n\"a;b\";-0,250000;9,99\n1.5, 2;;\n")
  }

  @Test(arguments: [OutputFormat.csv, .tsv, .md])
  func `never guards a negative number`(format: OutputFormat) {
    let table = ReportTable(
      name: "n", dimensions: [], columns: [.init("n", .count)],
      rows: [
        [.count(-3)], [.money(milliunits: -13_470)], [.ratio(numerator: -1, denominator: 4)],
        [.fraction(-0.5)], [.hundredths(-125)],
      ])
    let text = TableRenderer(format).text(of: table)
    #expect(!text.contains("'"))
    for number in ["-3", "-13.47", "-0.250000", "-0.500000", "-1.25"] {
      #expect(text.contains(number))
    }
  }

  @Test
  func `shows a lone empty CSV cell, which would else be an empty line`() {
    let table = ReportTable(
      name: "n", dimensions: [], columns: [.init("n", .count)], rows: [[.missing], [.text("")]])
    #expect(TableRenderer(.csv).text(of: table) == "n\n\"\"\n\"\"\n")
  }

  static let jsonStrings: [(String, String)] = [
    ("a\"b", #""a\"b""#), ("a\\b", #""a\\b""#), ("a/b", #""a/b""#),
    ("\n\r\t", #""\n\r\t""#), ("\u{0}\u{8}\u{C}\u{1F}", #""\u0000\u0008\u000c\u001f""#),
    ("\u{7F}", #""\u007f""#), ("日本 é 👍", #""日本 é 👍""#), ("=1", #""=1""#),
  ]

  @Test(arguments: jsonStrings)
  func `escapes JSON strings`(text: String, expected: String) {
    #expect(JSONText.quoted(text) == expected)
    #expect(
      TableRenderer(.jsonl).text(of: words(text)) == "{\"a\":\(expected),\"b\":\(expected)}\n")
  }

  @Test
  func `writes null for words that are blank`() {
    #expect(JSONText.quoted("") == "\"\"")
    #expect(TableRenderer(.jsonl).text(of: words("")) == "{\"a\":null,\"b\":null}\n")
    #expect(TableRenderer(.json).text(of: words("")) == "[\n{\"a\":null,\"b\":null}\n]\n")
  }

  @Test
  func `writes null for a statistic that is not a number`() {
    let table = ReportTable(
      name: "n", dimensions: [], columns: [.init("low", .rate)], rows: [[.fraction(.nan)]])
    #expect(TableRenderer(.jsonl).text(of: table) == "{\"low\":null}\n")
    #expect(TableRenderer(.md).text(of: table) == "| low |\n| ---: |\n| |\n")
  }

  @Test
  func `writes percentages only in columns of rates`() {
    let table = ReportTable(
      name: "n", dimensions: [], columns: [.init("elasticity", .number)], rows: [[.rate(1, of: 4)]])
    #expect(TableRenderer(.md).text(of: table) == "| elasticity |\n| ---: |\n| 0.250000 |\n")
  }

  static let markdownTexts: [(String, String)] = [
    ("plain", "plain"), ("a|b", #"a\|b"#), ("`code`", #"\`code\`"#), ("<script>", #"\<script\>"#),
    ("AT&T &lt;", #"AT\&T \&lt;"#), (#"a\|b"#, #"a\\\|b"#), ("two\nlines\r", "two&#10;lines&#13;"),
    ("\u{1B}[31m", #"&#27;\[31m"#), ("![x](http://y)", #"!\[x\](http://y)"#),
    ("**bold** ~~no~~", #"\*\*bold\*\* \~\~no\~\~"#), ("pro_monthly", "pro_monthly"),
    ("_it_ __init__", #"\_it\_ \_\_init\_\_"#), ("é漢", "é漢"), ("", ""),
  ]

  @Test(arguments: markdownTexts)
  func `escapes words in Markdown`(text: String, expected: String) {
    #expect(MarkdownText.escaped(text) == expected)
    guard !text.isEmpty else { return }
    let table = TableRenderer(.md).text(of: words(text))
    #expect(table == "| a | b |\n| --- | --- |\n| \(expected) | \(expected) |\n")
  }

  static let extensions: [(String, OutputFormat?)] = [
    ("csv", .csv), ("CSV", .csv), ("tsv", .tsv), ("md", .md), ("markdown", .md), ("json", .json),
    ("jsonl", .jsonl), ("ndjson", .jsonl), ("txt", .table), ("html", .html), ("HTM", .html),
    ("svg", .svg), ("xlsx", .xlsx), ("db", .sqlite), ("SQLite3", .sqlite), ("ods", nil), ("", nil),
  ]

  @Test(arguments: extensions)
  func `tells the format from a file's extension`(name: String, expected: OutputFormat?) {
    #expect(OutputFormat(fileExtension: name) == expected)
  }
}
