import Rendering
import Tables
import Testing

@Suite struct TerminalColumnsTests {
  private let churn = ReportTable(
    name: "churn", dimensions: [],
    columns: [
      .init("source", .key), .init("month", .key), .init("active_start", .count),
      .init("churned", .count), .init("churned_voluntary", .count), .init("churn_rate", .rate),
      .init("low", .rate), .init("high", .rate), .init("state", .text),
    ],
    rows: [
      [
        .text("subscribers"), .text("2026-08"), .count(1_290), .count(29), .count(16),
        .rate(29, of: 290), .fraction(0.07), .fraction(0.14), .text("provisional"),
      ],
      [
        .text("subscribers"), .text("2026-09"), .count(1_290), .count(29), .count(16),
        .rate(29, of: 290), .fraction(0.07), .fraction(0.14), .text("provisional"),
      ],
    ])

  @Test func `without a width all columns are shown`() {
    let all = TerminalColumns(churn, width: nil)
    #expect(all.table == churn && all.leftOut.isEmpty)
    #expect(TerminalColumns(churn, width: 200).leftOut.isEmpty)
  }

  static let widths: [(Int, [String])] = [
    (80, ["month", "active_start", "churned", "churn_rate", "low", "high", "state"]),
    (60, ["month", "churned", "churn_rate", "low", "high", "state"]),
    (19, ["month", "churn_rate"]),
    (1, ["month"]),
  ]

  @Test(arguments: widths)
  func `the answer, its interval, its counts and its state go last`(width: Int, names: [String]) {
    let fitting = TerminalColumns(churn, width: width)
    #expect(fitting.table.columns.map(\.name) == names)
    let left = churn.columns.map(\.name).filter { !names.contains($0) }
    #expect(fitting.leftOut == left)
    let lines = TableRenderer(.table).text(of: fitting.table).split(separator: "\n")
    #expect(width == 1 || lines.allSatisfy { $0.count <= width })
  }

  /// A row of `price_impact` with all numbers.
  private static func increase(_ product: String, _ effective: String) -> [ReportTable.Cell] {
    [
      .text("subscribers"), .text(product), .text("US"), .text("USD"), .text(effective),
      .money(milliunits: 9_990), .money(milliunits: 11_990), .count(1_412), .count(1_290),
      .rate(9, of: 10), .rate(3, of: 100), .fraction(-0.012), .fraction(0.07),
      .text("no_clear_effect"), .text("provisional"),
    ]
  }

  private static let increases = ReportTable(
    name: "price_impact", dimensions: [],
    columns: [
      .init("source", .key), .init("product", .key), .init("country", .key),
      .init("currency", .key), .init("effective", .key), .init("old_price", .money),
      .init("new_price", .money), .init("exposed", .count), .init("reached", .count),
      .init("renewal_rate", .rate), .init("excess_churn", .rate), .init("excess_low", .rate),
      .init("excess_high", .rate), .init("verdict", .text), .init("state", .text),
    ],
    rows: [
      increase("Larkspur Plus Monthly", "2026-05-01"), increase("Larkspur Yearly", "2026-05-01"),
    ])

  /// Words are cut where the answer would not fit otherwise, and keys go that no row needs.
  @Test func `80 columns have the answer of a price increase with its prices and verdict`() {
    let fitting = TerminalColumns(Self.increases, width: 80)
    #expect(
      fitting.table.columns.map(\.name) == [
        "product", "country", "old_price", "new_price", "reached", "excess_churn", "verdict",
      ])
    let text = TableRenderer(.table, width: 80).text(of: fitting.table)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    var twice = Self.increases
    twice.rows.append(Self.increase("Larkspur Yearly", "2026-06-01"))
    let folded = TerminalColumns(twice, width: 80).table
    #expect(
      folded.columns.map(\.name) == [
        "product", "country", "effective", "old_price", "new_price", "reached", "excess_churn",
        "verdict",
      ])
    // The day is needed now, so names stand in two lines.
    let lines = TableRenderer(.table, width: 80).text(of: folded).split(separator: "\n")
    #expect(lines.count == 5 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    // With more room the state and the interval come.
    let wide = Set(TerminalColumns(Self.increases, width: 130).table.columns.map(\.name))
    #expect(wide.isSuperset(of: ["verdict", "state", "excess_low"]))
  }

  /// The earlier number follows from the change; the interval, the count and the state do not.
  @Test func `80 columns have the change of a price increase with its prices and count`() {
    var table = Self.increases
    let place = table.columns.firstIndex { $0.name == "excess_churn" }! + 1
    let change = ReportTable.Column("excess_churn_change", .rate, isChange: true)
    let before = ReportTable.Column("excess_churn_before", .rate)
    table = ReportTable(
      name: table.name, dimensions: [],
      columns: table.columns[..<place] + [before, change] + table.columns[place...],
      rows: table.rows.map { row in
        row[..<place] + [.rate(-12, of: 100), .rate(15, of: 100)] + row[place...]
      })
    let fitting = TerminalColumns(table, width: 80).table
    #expect(
      fitting.columns.map(\.name) == [
        "product", "country", "old_price", "new_price", "reached", "excess_churn",
        "excess_churn_change", "verdict",
      ])
    let text = TableRenderer(.table, width: 80).text(of: fitting)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
  }

  @Test func `an amount that is converted comes before its original`() {
    let proceeds = ReportTable(
      name: "proceeds", dimensions: [],
      columns: [
        .init("source", .key), .init("month", .key), .init("currency", .key),
        .init("charges", .count), .init("net_proceeds", .money), .init("net_proceeds_EUR", .money),
      ], rows: [])
    #expect(proceeds.mainColumn == "net_proceeds_EUR")
    let amounts = proceeds.columnsByImportance.filter { $0.hasPrefix("net") }
    #expect(amounts == ["net_proceeds_EUR", "net_proceeds"])
  }

  @Test func `states that are not final are coloured`() {
    let text = TableRenderer(.table, isColored: true).text(of: churn)
    #expect(text.contains("\u{1B}[36mprovisional\u{1B}[0m"))
    #expect(!TableRenderer(.table).text(of: churn).contains("\u{1B}"))
    #expect(!TableRenderer(.csv, isColored: true).text(of: churn).contains("\u{1B}"))
  }
}

@Suite struct TrendTests {
  static let lines: [([ReportTable.Cell], String)] = [
    ([.count(1), .count(8)], "▁█"), ([.count(5), .count(5)], "▄▄"), ([.missing, .missing], "··"),
    ([.count(0), .missing, .count(7), .count(3)], "▁·█▄"), ([], ""),
    ([.rate(1, of: 10), .rate(2, of: 10), .rate(14, of: 100)], "▁█▄"),
  ]

  @Test(arguments: lines)
  func `is as high as the number between the least and the largest`(
    cells: [ReportTable.Cell], expected: String
  ) {
    #expect(Trend.line(cells) == expected)
  }

  private func movement(_ counts: [(String, String, Int)]) -> ReportTable {
    ReportTable(
      name: "movement", dimensions: ["product"],
      columns: [.init("month", .key), .init("product", .key), .init("close_observed", .count)],
      rows: counts.map { [.text($0), .text($1), .count($2)] })
  }

  @Test func `each series has its own line, up to the row's month`() {
    let table = movement([
      ("2026-01", "a", 1), ("2026-01", "b", 9), ("2026-02", "a", 8), ("2026-02", "b", 3),
      ("2026-02", "c", 3),
    ]).addingTrend()
    #expect(table.columns.last?.name == "trend")
    #expect(
      table.rows.map(\.last) == [.text("▁"), .text("█"), .text("▁█"), .text("█▁"), .missing])
  }

  @Test func `one month has none, and a line has at most 12 months`() {
    let one = movement([("2026-01", "a", 1), ("2026-01", "b", 2)])
    #expect(one.addingTrend() == one)
    let long = movement((10...30).map { ("20\($0)", "a", $0) }).addingTrend()
    guard case .text(let line)? = long.rows.last?.last else {
      Issue.record("no line")
      return
    }
    #expect(line.count == 12 && line.last == "█")
  }
}

@Suite struct PeopleNumberTests {
  static let amounts: [(Int128, String, String)] = [
    (9_990, "USD", "9.99"), (1_234_567_890, "USD", "1,234,567.89"), (980_000, "JPY", "980"),
    (1_980_000, "JPY", "1,980"), (980_500, "JPY", "980.50"), (1_177_900, "JPY", "1,177.90"),
    (980_005, "JPY", "980.005"),
    (-1_234_000, "KRW", "-1,234"), (9_990, "KWD", "9.990"), (9_995, "USD", "9.995"),
    (9_000, "", "9.00"), (0, "JPY", "0"), (0, "USD", "0.00"), (-5, "USD", "-0.005"),
    (999_990, "EUR", "999.99"), (1_000_000, "BHD", "1,000.000"),
  ]

  @Test(arguments: amounts)
  func `amounts have the decimals of their currency, and no digit is lost`(
    milliunits: Int128, currency: String, expected: String
  ) {
    #expect(NumberStyle.amount(milliunits: milliunits, currency: currency) == expected)
  }

  static let counts: [(Int, String)] = [
    (0, "0"), (999, "999"), (1_000, "1,000"), (-999, "-999"), (-1_000, "-1,000"),
    (1_234_567, "1,234,567"), (.min, "-9,223,372,036,854,775,808"),
  ]

  @Test(arguments: counts)
  func `thousands are grouped`(count: Int, expected: String) {
    #expect(NumberStyle.grouped(count) == expected)
  }

  private let table = ReportTable(
    name: "t", dimensions: [],
    columns: [
      .init("currency", .key), .init("n", .count), .init("net", .money), .init("net_USD", .money),
      .init("net_USD_change", .money), .init("rate", .rate),
    ],
    rows: [
      [
        .text("JPY"), .count(12_345), .money(milliunits: 12_345_000),
        .money(milliunits: 1_234_500), .money(milliunits: -1_000_000), .rate(5_000, of: 4),
      ]
    ])

  @Test func `terminals and pages group and know currencies, files do not`() {
    let pages = ["JPY", "12,345", "12,345", "1,234.50", "-1,000.00", "125,000.00%"]
    let page = TableRenderer(.md).text(of: table)
    #expect(page.hasSuffix("| " + pages.joined(separator: " | ") + " |\n"))
    for text in pages { #expect(TableRenderer(.table).text(of: table).contains(text)) }
    #expect(
      TableRenderer(.csv).text(of: table).hasSuffix(
        "JPY,12345,12345.00,1234.50,-1000.00,1250.000000\n"))
    #expect(TableRenderer(.jsonl).text(of: table).contains(#""n":12345,"net":"12345.00""#))
  }

  /// Differences of a count, a rate, an amount and a number of days.
  private func changes(_ cells: [ReportTable.Cell]) -> ReportTable {
    ReportTable(
      name: "t", dimensions: [],
      columns: [
        .init("currency", .key), .init("churned_change", .count, isChange: true),
        .init("churn_rate_change", .rate, isChange: true),
        .init("net_proceeds_change", .money, isChange: true),
        .init("gap_days_median_change", .number, isChange: true),
      ], rows: [[.text("USD")] + cells])
  }

  static let signed: [([ReportTable.Cell], [String], String)] = [
    (
      [.count(1_234), .rate(699, of: 10_000), .money(milliunits: 19_170), .hundredths(125)],
      ["+1,234", "+6.99 points", "+19.17", "+1.25"], "USD,1234,0.069900,19.17,1.25"
    ),
    (
      [.count(-5), .rate(-1, of: 40), .money(milliunits: -1_000_000), .hundredths(-50)],
      ["-5", "-2.50 points", "-1,000.00", "-0.50"], "USD,-5,-0.025000,-1000.00,-0.50"
    ),
    // A difference that is printed as zero has no sign.
    (
      [.count(0), .rate(1, of: 1_000_000), .money(milliunits: 0), .hundredths(0)],
      ["0", "0.00 points", "0.00", "0.00"], "USD,0,0.000001,0.00,0.00"
    ),
    (
      [.count(0), .rate(0, of: 40), .money(milliunits: 0), .hundredths(0)],
      ["0", "unchanged", "0.00", "0.00"], "USD,0,0.000000,0.00,0.00"
    ),
    ([.missing, .missing, .missing, .missing], ["", "", "", ""], "USD,,,,"),
  ]

  @Test(arguments: signed)
  func `changes have a sign and rates points for people, not in files`(
    cells: [ReportTable.Cell], shown: [String], line: String
  ) {
    let table = changes(cells)
    let page = TableRenderer(.md).text(of: table).split(separator: "\n").last ?? ""
    let found = page.split(separator: "|").map { $0.filter { $0 != " " } }
    #expect(found == ["USD"] + shown.map { $0.filter { $0 != " " } })
    for text in shown where !text.isEmpty {
      #expect(TableRenderer(.table).text(of: table).contains(text))
    }
    #expect(TableRenderer(.csv).text(of: table).hasSuffix("\n\(line)\n"))
  }
}
