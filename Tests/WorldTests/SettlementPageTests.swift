import Pages
import Pipeline
import SubreportTestSupport
import Tables
import Testing

@Suite("The page of a settlement")
struct SettlementPageTests {
  /// What is owed and not paid, or not to the same account, is not in the way from sales to the bank.
  @Test(arguments: histories(8, from: 740))
  func `names the settlements that its figure leaves out`(seed: UInt64) throws {
    let report = try SimulatedSettlement(seed: seed, subscribers: 120)
      .reconciled("detail", "payments")
    let period = try #require(report.shownPeriod)
    let rows = report.table().namedRows.filter { $0.text("period") == "\(period)" }
    let places = Dictionary(grouping: rows) { "\($0.text("region")) \($0.text("currency"))" }
    let out = places.filter { _, lines in
      let cell = { (line: String) in
        lines.first { $0.text("line") == line }?.cell("amount") ?? .missing
      }
      return cell("total_owed") != .money(milliunits: 0)
        && [.missing, .money(milliunits: 0)].contains(cell("payment"))
    }.keys.sorted()
    let page = String(
      decoding: TableFigures.of(report).html(title: "x", limits: "", lead: [], tables: []),
      as: UTF8.self)
    let found = page.contains(" at Apple’s own rates")
    for place in out where found {
      #expect(page.contains("without ") && page.contains(place), "\(period) \(place)")
    }
    #expect(page.contains(", not paid in ") == (found && !out.isEmpty), "\(period): \(out)")
  }

  /// The rows of a Markdown table below a heading.
  private static func rows(_ page: String, below heading: String) -> [[String]] {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let table = lines.drop { $0 != heading }.drop { !$0.hasPrefix("|") }.prefix {
      $0.hasPrefix("|")
    }
    return table.map { line in
      line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.filter { $0 != " " } }
    }
  }

  /// An amount of a page in milliunits.
  private static func milliunits(_ text: String) -> Int128? {
    let parts = text.filter { $0 != "," }.split(separator: ".")
    guard let whole = parts.first else { return nil }
    let decimals = (parts.count > 1 ? String(parts[1]) : "") + "000"
    return Int128(whole + decimals.prefix(3))
  }

  @Test(arguments: histories(2, from: 720))
  func `has each line that is not 0, each bridge once, and the payments in the bank's currency`(
    seed: UInt64
  ) throws {
    let report = try SimulatedSettlement(seed: seed, subscribers: 80)
      .reconciled("detail", "payments")
    let entries = Dictionary(grouping: report.table().namedRows) { $0.text("period") }
    for (period, (name, page)) in zip(report.periods, report.pages()) {
      let bridges = Dictionary(grouping: entries["\(period)"] ?? []) {
        "\($0.text("region")) \($0.text("currency"))"
      }
      let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }.map(String.init)
      #expect(headings.first == "## All bridges", "\(name)")
      #expect(headings.last == "## Checksums")
      let equal = Self.rows(page, below: "## Without a difference").dropFirst(2)
      for (place, lines) in bridges {
        let isEqual = equal.contains { "\($0[0]) \($0[1])" == place }
        #expect(isEqual != headings.contains("## \(place)"), "\(period) \(place)")
        guard !isEqual else { continue }
        let shown = Self.rows(page, below: "## \(place)").map { $0.count > 1 ? $0[1] : "" }
        for line in lines where !shown.contains(line.text("line")) {
          #expect(line.cell("amount") == .money(milliunits: 0), "\(place) \(line.text("line"))")
          #expect(page.contains("`\(line.text("line"))`"))
        }
      }
      let all = Self.rows(page, below: "## All bridges")
      let places = all.dropFirst(2).filter { $0[0] != "total" }
      #expect(places.count == bridges.count)
      // Payments are added up for each bank currency of several bridges.
      let banks = Dictionary(grouping: places) { $0[$0.count - 1] }
      for (bank, paid) in banks where !bank.isEmpty {
        let amounts = paid.compactMap { Self.milliunits($0[$0.count - 2]) }
        let total = all.first { $0[0] == "total" && $0[$0.count - 1] == bank }
        #expect((total != nil) == (amounts.count > 1), "\(period) \(bank)")
        if let total {
          #expect(Self.milliunits(total[total.count - 2]) == amounts.reduce(0, +))
        }
      }
    }
  }
}
