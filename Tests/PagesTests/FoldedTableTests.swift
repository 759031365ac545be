import Pages
import Pipeline
import PipelineTestSupport
import Simulation
import SubreportTestSupport
import SubscriptionModel
import Tables
import Testing

/// A table of a page, read in the most obvious way.
private struct PageTable {
  let caption: String
  let headings: [String]
  let rows: [[String]]

  static func all(_ page: String) -> [PageTable] {
    PageReader.parts(of: page, from: "<table", to: "</table>").map { table in
      let texts = { (part: String, name: String) in
        PageReader.parts(of: part, from: "<\(name)", to: "</t").map { cell in
          String(cell.drop { $0 != ">" }.dropFirst())
        }
      }
      let body = PageReader.parts(of: table, from: "<tbody>", to: "</tbody>").first ?? ""
      return PageTable(
        caption: PageReader.parts(of: table, from: "<caption>", to: "</caption>").first ?? "",
        headings: texts(PageReader.parts(of: table, from: "<tr>", to: "</tr>").first ?? "", "th"),
        rows: PageReader.parts(of: body, from: "<tr>", to: "</tr>").map { row in
          texts(row.replacing("<th", with: "<td").replacing("</th>", with: "</td>"), "td")
        })
    }
  }

  /// Returns a row's number under a heading; 0 without the column.
  func number(_ heading: String, _ row: [String]) -> Double {
    headings.firstIndex(of: heading).map { place in
      let digits = row[place].replacing(",", with: "").replacing("+", with: "")
      return Double(digits.replacing("\u{2212}", with: "-")) ?? 0
    } ?? 0
  }
}

@Suite("Folded tables of the page")
struct FoldedTableTests {
  private static let outcomes = Memo<UInt64, RunOutcome>()

  /// The reports of a world, with all money in euros at rates that change each month.
  private static func converted(from sources: Set<Source> = Set(Source.allCases)) throws
    -> RunOutcome
  {
    try outcomes.value(UInt64(sources.count)) {
      let world = try SimulatedReports(seed: 29, subscribers: 400, to: "2026-06-30")
      var conversion = CurrencyConversion(to: "EUR")
      for (number, code) in ["USD", "GBP", "JPY", "CAD", "AUD", "BRL"].enumerated() {
        for month in 0..<24 {
          let rate = CurrencyConversion.Rate(numerator: Int64(900 + 7 * month + number), scale: 3)
          conversion.add(rate, from: code, on: (Month(year: 2025, month: 1) + month).firstDay)
        }
      }
      return try RunOutcome(
        try world.sandbox(), views: [[], [.product], [.country]], conversion: conversion
      ) { $0.sources = sources }
    }
  }

  @Test
  func `the subscriptions of each product and country add up`() throws {
    let tables = PageTable.all(try Self.converted().text("index.html")).filter {
      $0.headings.contains("came") && $0.headings.contains("end")
    }
    #expect(tables.count == 3)
    var besides = 0.0
    for table in tables {
      for row in table.rows where !row[1].isEmpty {
        let changed = table.number("changed plan", row) + table.number("unexplained", row)
        besides += abs(changed)
        let flows = table.number("came", row) - table.number("went", row) + changed
        #expect(table.number("start", row) + flows == table.number("end", row), "\(row)")
      }
    }
    #expect(besides > 0)
  }

  @Test
  func `the movements of recurring revenue add up, with exchange rates`() throws {
    let page = try Self.converted(from: [.subscribers]).text("index.html")
    let table = try #require(
      PageTable.all(page).first { $0.caption.hasPrefix("Recurring revenue by month") })
    let rows = table.rows.filter { table.number("start", $0) != 0 }
    #expect(rows.count > 2 && table.headings.contains("exchange rates"))
    for row in rows {
      let added = ["new", "came back", "more", "from another currency", "exchange rates"]
      let taken = ["less", "left", "to another currency or a free offer"]
      let sum =
        added.reduce(table.number("start", row)) { $0 + table.number($1, row) }
        - taken.reduce(0) { $0 + table.number($1, row) }
      // Amounts from 1,000 on are whole.
      #expect(abs(sum - table.number("end", row)) < 2.1, "\(row)")
    }
  }

  @Test
  func `a snapshot is said to be moved as the reports that follow subscriptions say`() throws {
    let summary = try Self.converted().text("summary.md")
    let line = try #require(
      summary.split(separator: "\n").first { $0.contains("which follow single subscriptions") })
    let numbers = line.matches(of: /[+−]?[0-9,]+\.[0-9][0-9]/).map { match in
      Double(match.output.replacing(",", with: "").replacing("−", with: "-")) ?? 0
    }
    // The causes of an expansion stand in parentheses; the first two numbers are start and end.
    let causes = line.matches(of: /[(,] ?([0-9,.]+[0-9]) (another|end of)/).count
    let signed = line.matches(of: /[+−][0-9,]+\.[0-9][0-9]/).count
    #expect(signed > 5 && signed + causes + 2 == numbers.count, "\(line)")
    let flows = line.matches(of: /[+−][0-9,]+\.[0-9][0-9]/).reduce(0.0) { sum, match in
      sum + (Double(match.output.replacing(",", with: "").replacing("−", with: "-")) ?? 0)
    }
    #expect(abs(numbers[0] + flows - numbers[1]) < 0.1, "\(line)")
    #expect(summary.contains("The snapshot says how much") == false)
  }

  @Test
  func `what starts brought in by quarter adds up the rows of lifetime csv`() throws {
    let outcome = try Self.converted()
    let table = try #require(
      PageTable.all(outcome.text("index.html")).first { $0.caption.hasPrefix("Brought in") })
    let rows = outcome.rows("lifetime.csv").filter {
      $0["source"] == "subscribers" && $0["basis"] == "price" && $0["currency"] != ""
    }
    let quarters = ["Jan": ["01", "02", "03"], "Apr": ["04", "05", "06"]]
    var compared = 0
    for line in table.rows {
      let months = quarters[String(line[0].prefix(3))]?.map { "2026-\($0)" } ?? ["all"]
      for age in table.headings where Int(age) != nil {
        let own = rows.filter { $0["months"] == age && months.contains($0["start_month"] ?? "") }
        let started = own.reduce(0) { $0 + (Double($1["started"] ?? "") ?? 0) }
        let net = own.reduce(0) { $0 + (Double($1["net_EUR"] ?? "") ?? 0) }
        let shown = table.number(age, line)
        if shown == 0 { continue }
        compared += 1
        #expect(abs(shown - net / started) < 0.006, "\(line) \(age)")
      }
    }
    #expect(compared >= 4)
  }

  @Test
  func `other dashboards stand beside the page's own numbers, with their source`() throws {
    let outcome = try Self.converted()
    let page = outcome.text("index.html")
    let table = try #require(PageTable.all(page).first { $0.headings.contains("would show") })
    #expect(table.caption == "June 2026")
    let churn = try #require(outcome.rows("headlines.csv").first { $0["figure"] == "churn_rate" })
    let words = ["events": "event reports", "subscribers": "Subscriber reports"]
    for row in table.rows where row[0] == "churn" {
      #expect(row[1] == words[churn["source"] ?? ""])
      #expect(
        row[2] == PageReader.parts(of: page, from: "<h3>Churn</h3><p class=\"n\">", to: "<").first)
    }
    // The page has recurring revenue in euros of all currencies; the tools have one currency.
    #expect(!table.rows.contains { $0[0] == "recurring revenue" })
    for row in table.rows where row[0] == "refunds" {
      let refunds = outcome.rows("headlines.csv").first { $0["figure"] == "refund_rate" }
      let counts = ["numerator", "denominator"].compactMap { Int(refunds?[$0] ?? "") }
      #expect(counts.count == 2 && row[2] == PageText.percent(counts[0], of: counts[1]))
    }
  }

  @Test
  func `a command that cannot list all currencies names its own`() throws {
    let summary = try Self.converted().text("summary.md")
    for (table, code) in [("refunds.refund_rate", "USD"), ("proceeds.net_proceeds", "USD")] {
      let line = summary.split(separator: "\n").first { $0.contains("explain \(table)") } ?? ""
      #expect(line.contains("Every row behind it (\(code) alone): `"), "\(line)")
      #expect(line.contains("currency=\(code)`."), "\(line)")
    }
  }

  @Test
  func `a bridge's sentences have minus signs`() {
    #expect(
      PageText.withMinus("of JP JPY, -8,271 to -1,864 (-7), FY2026-P11, 2026-08-02")
        == "of JP JPY, \u{2212}8,271 to \u{2212}1,864 (\u{2212}7), FY2026-P11, 2026-08-02")
  }

  @Test
  func `the reasons of a printed table are those of the reports that know them`() throws {
    let result = try Self.converted().result
    let table = try #require(try result.tables([.churn])[.churn]?.first { $0.dimensions.isEmpty })
    let shown = table.filtered("source") { $0 == "subscribers" }
    let page = String(
      decoding: TableFigures.of([shown], result)
        .html(title: "x", limits: "", lead: [], tables: [shown]),
      as: UTF8.self)
    #expect(page.contains("Why they left, by month, from event reports"))
    #expect(!page.contains("reason unknown"))
    // Parts of one colour are told apart by their order.
    let renewals = try #require(
      try result.tables([.renewals])[.renewals]?.first { $0.dimensions.isEmpty })
    let figures = TableFigures.of([renewals.filtered("source") { $0 == "subscribers" }], result)
    #expect(figures.count == 2)
    let svg = String(decoding: figures.svg(narrowing: "") ?? [], as: UTF8.self)
    #expect(svg.contains("renewed, recovered later (from the axis on)"), "\(svg.prefix(900))")
  }
}
