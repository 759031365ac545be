import Counting
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

private typealias Cell = ReportTable.Cell

private func table(
  _ name: String, _ columns: [ReportTable.Column], _ rows: [[ReportTable.Cell]]
) -> ReportTable {
  ReportTable(name: name, dimensions: [], columns: columns, rows: rows)
}

/// A churn table with a row for each rate.
private func churn(_ rates: [(String, ReportTable.Cell)]) -> ReportTable {
  table(
    "churn", [.init("product", .key), .init("churn_rate", .rate), .init("state", .text)],
    rates.map { [.text($0), $1, .text("final")] })
}

@Suite struct TableShapeTests {
  private let sample = churn([
    ("b", .rate(1, of: 3)), ("a", .missing), ("c", .rate(2, of: 3)), ("d", .rate(33, of: 100)),
    ("e", .rate(4, of: 12)),
  ])

  private func products(_ table: ReportTable) -> [String] {
    table.namedRows.map { $0.text("product") }
  }

  static let orders: [(String, String)] = [
    ("churn_rate", "cbeda"), ("churn_rate:desc", "cbeda"), ("churn_rate:asc", "dbeca"),
    ("product", "abcde"), ("product:desc", "edcba"), ("state", "bacde"), ("none", "bacde"),
  ]

  @Test(arguments: orders)
  func `sorts numbers from the largest, words from A, and empty cells last`(
    order: String, expected: String
  ) throws {
    let sorted = sample.sorted(by: try #require(TableShape.Order(order)))
    #expect(products(sorted).joined() == expected)
  }

  static let directions: [(String, TableShape.Order?)] = [
    ("a", .init(column: "a")), ("a:asc", .init(column: "a", isDescending: false)),
    ("a:desc", .init(column: "a", isDescending: true)), ("a:up", nil), ("a:", nil),
    ("a:asc:desc", nil), ("a:DESC", nil), ("", .init(column: "")),
  ]

  @Test(arguments: directions)
  func `a direction is asc or desc`(text: String, order: TableShape.Order?) {
    #expect(TableShape.Order(text) == order)
  }

  @Test func `the first rows are those of the order, else the largest`() {
    let columns: [ReportTable.Column] = [
      .init("product", .key), .init("active_start", .count), .init("churned", .count),
      .init("churn_rate", .rate),
    ]
    let rows: [[Cell]] = [("a", 1, 1), ("b", 500, 20), ("c", 40, 30), ("d", 500, 0)].map {
      [.text($0), .count($1), .count($2), .rate($2, of: $1)]
    }
    let churn = table("churn", columns, rows)
    // By the rate "a" would be first: 1 of 1.
    #expect(products(TableShape(top: 3).applied(to: churn)) == ["b", "d", "c"])
    #expect(TableShape(top: 3).sortedColumn(of: churn)?.name == "active_start")
    let byRate = TableShape(order: .init(column: "churn_rate"), top: 2)
    #expect(products(byRate.applied(to: churn)) == ["a", "c"])
    let byName = TableShape(order: .init(column: "product"), top: 3)
    #expect(products(byName.applied(to: churn)) == ["a", "b", "c"])
    #expect(TableShape(top: 9).applied(to: churn).rows.count == 4)

    // Without active subscriptions, as in the first month, the losses say how large a row is.
    let early = table("churn", columns, rows.map { [$0[0], .missing, $0[2], .missing] })
    #expect(products(TableShape(top: 2).applied(to: early)) == ["c", "b"])
    let other = table("other", columns, rows)
    #expect(products(TableShape(top: 2).applied(to: other)) == ["a", "b"])
    #expect(TableShape(top: 2).sortedColumn(of: other) == nil)
  }

  @Test func `money is ranked by its charges, or by what is converted`() {
    let columns: [ReportTable.Column] = [
      .init("product", .key), .init("currency", .key), .init("charges", .count),
      .init("net_proceeds", .money), .init("net_proceeds_USD", .money),
      .init("net_proceeds_USD_before", .money),
    ]
    let amounts: [(String, String, Int, Int128, Int128)] = [
      ("yen", "JPY", 2, 1_960_000, 12_000), ("dollar", "USD", 9, 62_000, 62_000),
      ("euro", "EUR", 5, 90_000, 99_000),
    ]
    let rows: [[Cell]] = amounts.map { product, currency, charges, net, converted in
      [
        .text(product), .text(currency), .count(charges), .money(milliunits: net),
        .money(milliunits: converted), .money(milliunits: 0),
      ]
    }
    let converted = table("proceeds", columns, rows)
    #expect(products(TableShape(top: 2).applied(to: converted)) == ["euro", "dollar"])
    let plain = table("proceeds", Array(columns.prefix(4)), rows.map { Array($0.prefix(4)) })
    #expect(products(TableShape(top: 2).applied(to: plain)) == ["dollar", "euro"])
    #expect(TableShape(top: 2).sortedColumn(of: plain)?.name == "charges")
  }

  @Test func `columns stand in the order that was asked for`() {
    let shape = TableShape(columns: ["state", "product", "state", "none"])
    #expect(shape.applied(to: sample).columns.map(\.name) == ["state", "product"])
    #expect(shape.unknownColumn(in: sample.columns.map(\.name)) == "none")
    #expect(TableShape(order: .init(column: "y")).unknownColumn(in: ["x"]) == "y")
    #expect(TableShape().applied(to: sample) == sample)
  }

  @Test func `a column comes with its earlier value and its change`() {
    let names = ["month", "churn_rate", "churn_rate_before", "churn_rate_change"]
    let table = table("churn", names.map { .init($0, .count) }, [names.indices.map { .count($0) }])
    let shown = { (columns: [String]) in
      TableShape(columns: columns).applied(to: table).columns.map(\.name)
    }
    #expect(shown(["churn_rate"]) == Array(names[1...]))
    #expect(shown(["churn_rate_change", "churn_rate"]) == [names[3], names[1]])
    #expect(shown(["month"]) == ["month"])
  }

  @Test func `fractions too large for a product of 128 bits are compared exactly`() {
    let large = Int128.max / 3
    let cells: [Cell] = [
      .ratio(numerator: large, denominator: large - 1),
      .ratio(numerator: large - 1, denominator: large),
      .ratio(numerator: -large, denominator: large - 1), .count(1), .count(-1), .count(0),
    ]
    let order = TableShape.Order(column: "churn_rate", isDescending: false)
    let sorted = churn(cells.map { ("x", $0) }).sorted(by: order)
    #expect(
      sorted.rows.map { $0[1] } == [cells[2], cells[4], cells[5], cells[1], cells[3], cells[0]])
  }

  @Test func `keys that are the same in all rows matter less than the answer`() {
    let columns: [ReportTable.Column] = [
      .init("source", .key), .init("month", .key), .init("currency", .key),
      .init("charges", .count),
      .init("net_proceeds", .money), .init("other", .count),
    ]
    let rows: [[Cell]] = [("a", "x"), ("b", "x")].map { month, source in
      [.text(source), .text(month), .text("USD"), .count(1), .money(milliunits: 1), .count(2)]
    }
    #expect(
      table("proceeds", columns, rows).columnsByImportance
        == ["month", "currency", "net_proceeds", "charges", "source", "other"])
  }
}

@Suite struct TableChangeTests {
  private static let columns: [ReportTable.Column] = [
    .init("source", .key), .init("month", .key), .init("product", .key), .init("churned", .count),
    .init("churn_rate", .rate), .init("low", .rate), .init("state", .text),
  ]

  private func row(
    _ source: String, _ month: String, _ product: String, _ churned: Int, of active: Int,
    _ state: String = "final"
  ) -> [ReportTable.Cell] {
    [
      .text(source), .text(month), .text(product), .count(churned), .rate(churned, of: active),
      .fraction(0.1), .text(state),
    ]
  }

  private func changed(
    _ rows: [[ReportTable.Cell]], _ against: ReportTable.Against = .previous
  ) -> ReportTable {
    table("churn", Self.columns, rows).addingChanges(against, .calendar) { _, _ in false }
  }

  @Test func `the earlier number and the difference stand beside each number`() {
    let found = changed([row("s", "2026-01", "a", 3, of: 30), row("s", "2026-02", "a", 5, of: 40)])
    #expect(
      found.columns.map(\.name) == [
        "source", "month", "product", "churned", "churned_before", "churned_change", "churn_rate",
        "churn_rate_before", "churn_rate_change", "low", "state",
      ])
    #expect(found.rows[0][4...5] == [.missing, .missing])
    #expect(found.rows[1][4...5] == [.count(3), .count(2)])
    // 5/40 - 3/30 = 1/40.
    #expect(found.rows[1][7] == .rate(3, of: 30))
    #expect(found.rows[1][8] == .ratio(numerator: 1, denominator: 40))
    let changes = found.columns.filter(\.isChange)
    #expect(changes.map(\.name) == ["churned_change", "churn_rate_change"])
  }

  @Test func `a part of a month is compared with nothing`() {
    let found = changed([
      row("s", "2026-01", "a", 3, of: 30, "partial"), row("s", "2026-02", "a", 5, of: 40),
      row("s", "2026-03", "a", 6, of: 40, "partial"),
    ])
    #expect(found.rows.map { $0[5] } == [.missing, .missing, .missing])
  }

  @Test func `without a state, missing days decide`() {
    let columns = Array(Self.columns.prefix(4))
    let rows = [("2026-01", 1), ("2026-02", 2), ("2026-03", 4)].map { month, count in
      [Cell.text("s"), .text(month), .text("a"), .count(count)]
    }
    let found = table("movement", columns, rows).addingChanges(.previous, .calendar) {
      $0 == "s" && $1 == Month(year: 2026, month: 1)
    }
    #expect(found.rows.map { $0[5] } == [.missing, .missing, .count(2)])
  }

  /// Looks every earlier row up by its texts, in the most obvious way.
  @Test(arguments: 0..<20)
  func `equal what a slow search finds`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var rows: [[ReportTable.Cell]] = []
    for source in ["s", "t"] {
      for number in 1...26 where Int.random(in: 0..<5, using: &random) > 0 {
        let month = Month(year: 2024, month: 1) + (number - 1)
        for product in ["a", "b"] where Bool.random(using: &random) {
          let state = ["final", "provisional", "partial"].randomElement(using: &random) ?? ""
          rows.append(
            row(
              source, "\(month)", product, Int.random(in: 0...9, using: &random),
              of: Int.random(in: 0...20, using: &random), state))
        }
      }
    }
    for (against, distance) in [(ReportTable.Against.previous, 1), (.year, 12)] {
      let found = changed(rows, against)
      for (index, row) in rows.enumerated() {
        guard case .text(let text) = row[1] else { continue }
        let wanted = "\(try #require(Month(text)) - distance)"
        let earlier = rows.first { $0[0] == row[0] && $0[2] == row[2] && $0[1] == .text(wanted) }
        let isWhole = row[6] != .text("partial") && earlier?[6] != .text("partial")
        var expected: [Cell] = [.missing, .missing]
        if isWhole, case .count(let old)? = earlier?[3], case .count(let new) = row[3] {
          expected = [.count(old), .count(new - old)]
        }
        #expect(Array(found.rows[index][4...5]) == expected)
      }
    }
  }
}
