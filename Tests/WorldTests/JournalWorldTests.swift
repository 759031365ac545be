import PipelineTestSupport
import SubreportTestSupport
import Testing

/// Adds up exported journals of simulated worlds.
@Suite("journals of simulated worlds")
struct JournalWorldTests {
  /// Accounts that money only passes through.
  private static let clearing = ["owed", "carried balance", "other region"]

  /// A world of six fiscal periods, of which the newest is not paid yet.
  private func world(seed: Int) throws -> Sandbox {
    let sandbox = try Sandbox()
    let words =
      "simulate -o world --finance --kind sales --subscribers 120 --from 2026-01-20 --to 2026-07-03 --seed \(seed)"
    try #require(try sandbox.run(words).status == 0)
    return sandbox
  }

  /// The sums of a journal by account and currency, in thousandths.
  private func sums(_ sandbox: Sandbox, _ options: String...) throws -> [String: Int] {
    let run = try Program.run(
      ["reconcile", "world", "--export", "hledger", "-q"] + options, in: sandbox)
    try #require(run.status == 0, "\(run.errors)")
    var sums: [String: Int] = [:]
    // `    assets:apple:other region  -12.50 BRL @@ 2.25 USD  ; step: 25`
    for line in run.lines {
      guard line.hasPrefix("    "), let end = line.dropFirst(4).firstRange(of: "  ") else {
        continue
      }
      let words = line[end.upperBound...].split(separator: " ")
      let account = line[..<end.lowerBound].dropFirst(4)
      sums["\(account) \(words[1])", default: 0] += try #require(thousandths(words[0]))
    }
    return sums
  }

  private func thousandths(_ amount: some StringProtocol) -> Int? {
    let parts = amount.split(separator: ".")
    guard parts.count == 2, parts[1].count <= 3 else { return nil }
    return Int(
      String(parts[0]) + String(parts[1]) + String(repeating: "0", count: 3 - parts[1].count))
  }

  /// Those of the sums that are in the accounts.
  private func held(_ sums: [String: Int], _ accounts: [String]) -> [String: Int] {
    sums.filter { sum in accounts.contains { sum.key.hasPrefix("assets:apple:\($0) ") } }
  }

  @Test(arguments: [7, 8])
  func `as CSV are the same postings, and each entry balances`(seed: Int) throws {
    let sandbox = try world(seed: seed)
    let run = try Program.run(
      ["reconcile", "world", "--export", "journal", "-q"], in: sandbox)
    try #require(run.status == 0, "\(run.errors)")
    let rows = csvRows(run.output)
    #expect(run.lines.first == "date,account,debit,credit,currency,text")
    var found: [String: Int] = [:]
    var entries: [[String]: Int] = [:]
    for row in rows {
      let (debit, credit) = (row["debit"] ?? "", row["credit"] ?? "")
      #expect(debit.isEmpty != credit.isEmpty && !(debit + credit).hasPrefix("-"), "\(row)")
      let amount =
        try #require(thousandths(debit.isEmpty ? credit : debit)) * (debit.isEmpty ? -1 : 1)
      let currency = row["currency"] ?? ""
      found["\(row["account"] ?? "") \(currency)", default: 0] += amount
      // Within a currency an entry balances, but for what is paid or settled in another one.
      let text = row["text"] ?? ""
      entries[[row["date"] ?? "", text, currency], default: 0] += amount
    }
    #expect(found == (try sums(sandbox)))
    #expect(!entries.isEmpty)
    for (entry, sum) in entries where entry[1].hasSuffix(" owed") { #expect(sum == 0, "\(entry)") }
  }

  @Test
  func `come with pages, and with the rows behind every line of a period`() throws {
    let sandbox = try world(seed: 7)
    let report = try Program.run(["report", "world", "-o", "out", "-q", "--evidence"], in: sandbox)
    try #require([0, 3].contains(report.status), "\(report.errors)")
    let folder = sandbox.work + "/out/"
    let pages = names(inFolder: folder).filter { $0.hasPrefix("reconcile-FY") }
    let periods = Set(pages.map { $0.prefix { $0 != "." } })
    #expect(periods.count > 3 && pages.count == 2 * periods.count, "\(pages)")
    let table = csvRows(Files.text(of: folder + "reconcile.csv") ?? "")
    for page in pages where page.hasSuffix(".html") {
      let text = Files.text(of: folder + page) ?? ""
      let period = page.dropFirst("reconcile-".count).prefix { $0 != "." }
      let own = table.filter { $0["period"] == String(period) }
      for place in Set(own.map { "\($0["region"] ?? "") \($0["currency"] ?? "")" }) {
        #expect(text.contains("<summary>\(place)</summary>"), "\(page)")
      }
      #expect(text.contains("<h1>Settlement of \(period)"))
    }
    let single = try Program.run(["reconcile", "world", "-f", "html", "-q"], in: sandbox)
    #expect(single.output.contains("<h1>Settlement of FY") && single.output.contains("All periods"))
    let list = try Program.run(
      ["explain", "reconcile", "world", "--month", "FY2026-P07", "-f", "csv", "-q"], in: sandbox)
    try #require(list.status == 0, "\(list.errors)")
    var sums: [[String]: Int] = [:]
    for row in csvRows(list.output) {
      let key = ["region", "currency", "line"].map { row[$0] ?? "" }
      sums[key, default: 0] += try #require(thousandths(row["value"] ?? ""))
    }
    var amounts: [[String]: Int] = [:]
    for row in table where row["period"] == "FY2026-P07" && row["amount"] != "" {
      let key = ["region", "currency", "line"].map { row[$0] ?? "" }
      amounts[key, default: 0] += try #require(thousandths(row["amount"] ?? ""))
    }
    #expect(sums.filter { $0.value != 0 } == amounts.filter { $0.value != 0 })
    #expect(names(inFolder: folder + "evidence").contains("reconcile.csv.gz"))
  }

  // The third has a country that is settled in another region.
  @Test(arguments: [7, 9, 8])
  func `leave nothing in the accounts that money passes through`(seed: Int) throws {
    let sandbox = try world(seed: seed)
    // Without the newest period all that is owed is paid, or carried over.
    let paid = held(try sums(sandbox, "--to", "FY2026-P08"), ["owed", "other region"])
    #expect(paid.contains { $0.key.hasPrefix("assets:apple:owed ") })
    #expect(paid.filter { $0.value != 0 } == [:])
    let all = try sums(sandbox)
    let names = Self.clearing.filter { !held(all, [$0]).isEmpty }
    #expect(names == Self.clearing.filter { $0 != "other region" || seed == 8 })
    #expect(held(all, ["carried balance", "other region"]).filter { $0.value != 0 } == [:])
  }
}
