import Simulation
import SubreportTestSupport
import Testing

@Suite("The finance files of a simulated world")
struct FinanceWorldTests {
  private func options(
    _ seed: UInt64, subscribers: Int = 300,
    kinds: Set<WorldOptions.ReportKind> = [.sales, .finance]
  ) throws -> WorldOptions {
    try SimulatorTests.world(
      subscribers, to: "2026-06-10", seed: seed, faults: false, kinds: kinds)
  }

  private func folder(
    _ seed: UInt64, kinds: Set<WorldOptions.ReportKind> = [.sales, .finance]
  ) throws -> SimulatedFolder {
    try SimulatedFolder.shared(options(seed, kinds: kinds))
  }

  /// The rows of a FINANCE_DETAIL or FINANCIAL file by column.
  private func rows(_ folder: SimulatedFolder, _ file: String) throws -> [[String: String]] {
    let lines = try folder.text(file).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let header = try #require(lines.firstIndex { $0.contains("Quantity") })
    let columns = lines[header]
    return lines[(header + 1)...].filter { $0[0].contains("/") }.map { line in
      Dictionary(zip(columns, line)) { first, _ in first }
    }
  }

  @Test(arguments: histories(3, from: 41))
  func `are the same bytes for the same seed`(seed: UInt64) throws {
    let (first, second) = (try SimulatedFolder(options(seed)), try folder(seed))
    #expect(first.files == second.files)
    #expect(first.summary == second.summary)
    for file in first.files { #expect(try first.bytes(file) == second.bytes(file), "\(file)") }
  }

  @Test(arguments: histories(3, from: 41))
  func `change nothing else in the world`(seed: UInt64) throws {
    let reports = Set(WorldOptions.ReportKind.reports)
    let plain = try folder(seed, kinds: reports)
    let both = try folder(seed, kinds: reports.union([.finance]))
    for file in plain.files where file != "truth/README.md" {
      #expect(try plain.bytes(file) == both.bytes(file), "\(file)")
    }
    let alone = try folder(seed, kinds: [.finance])
    for file in both.files where file.hasPrefix("finance/") || file == "truth/reconcile.csv" {
      #expect(try alone.bytes(file) == both.bytes(file), "\(file)")
    }
  }

  @Test
  func `are those of the fiscal periods that lie in the window`() throws {
    let files = try folder(41).files.filter { $0.hasPrefix("finance/") }
    let details = files.filter { $0.hasPrefix("finance/detail/") }
    // January ends on the 31st but begins in December; June ends after the window.
    #expect(
      details
        == ["0226", "0326", "0426", "0526"].map { "finance/detail/80012345_\($0)_Z1.txt.gz" })
    let text = try folder(41).text(details[2])
    #expect(text.contains("Start Date\t03/29/2026\nEnd Date\t05/02/2026\n"))
    #expect(files.filter { $0.hasPrefix("finance/payments/") }.count == 4)
    #expect(files.filter { $0.hasPrefix("finance/single/") }.count == 4)
    #expect(files.contains("finance/region/80012345_0226_EU.txt.gz"))
  }

  @Test(arguments: histories(3, from: 41))
  func `have the same money in every download`(seed: UInt64) throws {
    let folder = try folder(seed)
    var sums: [String: [String: Int]] = [:]
    for file in folder.files where file.hasPrefix("finance/") && file.hasSuffix(".gz") {
      let form = String(file.split(separator: "/")[1])
      let month = String(file.split(separator: "_")[1])
      for row in try rows(folder, file) {
        let quantity = Int(row["Quantity"] ?? "") ?? 0
        let extended = hundredths(row["Extended Partner Share"])
        #expect(quantity * hundredths(row["Partner Share"]) == extended)
        let key = month + row["Partner Share Currency", default: ""]
        sums[form, default: [:]][key, default: 0] += extended
      }
    }
    #expect(sums.keys.sorted() == ["detail", "region", "single"])
    #expect(sums["detail"] == sums["single"])
    #expect(sums["detail"] == sums["region"])
  }

  @Test
  func `have a truth that adds up, and in which everything happens`() throws {
    var seen: Set<String> = []
    for seed in allSeeds(3, from: 41) {
      seen.formUnion(try lines(SimulatedFolder(options(seed, subscribers: 2_000))))
    }
    #expect(seen.count == 15)
    #expect(seen.isDisjoint(with: ["missing_days", "unexplained_payment", "unexplained_sales"]))
  }

  /// Checks that the lines of a truth add up.
  ///
  /// - Returns: The names of those that are not 0.
  private func lines(_ folder: SimulatedFolder) throws -> Set<String> {
    var (sales, payments) = ([String: Int](), [String: Int]())
    var (settled, owed) = ([String: Int](), [String: Int]())
    var seen: Set<String> = []
    for row in try folder.truth("reconcile.csv") {
      let name = ["period", "region", "currency"].map { row[$0, default: ""] }.joined()
      let step = Int(row["step"] ?? "") ?? 0
      let amount = hundredths(row["amount"])
      switch step {
      case ..<30: sales[name, default: 0] += amount
      case 30: settled[name] = amount
      case ..<50: payments[name, default: 0] += amount
      case 50: owed[name] = amount
      default: break
      }
      if amount != 0 { seen.insert(row["line", default: ""]) }
    }
    #expect(sales == settled)
    #expect(payments.merging(settled, uniquingKeysWith: +) == owed)
    return seen
  }

  @Test
  func `are refused where no fiscal period is whole`() {
    #expect(
      throws: SimulationError.noFiscalPeriod(first: "2026-02-01", last: "2026-02-28")
    ) {
      try WorldOptions(
        subscribers: 1, firstDay: "2026-01-01", lastDay: "2026-02-27", seed: 1,
        kinds: [.sales, .finance])
    }
    #expect(throws: Never.self) {
      try WorldOptions(
        subscribers: 1, firstDay: "2026-02-01", lastDay: "2026-02-28", seed: 1,
        kinds: [.sales, .finance])
    }
  }

  @Test
  func `are refused where a price changes its currency`() throws {
    let price = try PlantedPrice(change: "Plus Monthly,US,2026-02-01,7.99,EUR")
    #expect(
      throws: SimulationError.impossiblePrice(
        found: "EUR", expected: "no other currency beside finance files")
    ) {
      try WorldOptions(
        subscribers: 1, firstDay: "2026-01-01", lastDay: "2026-03-31", seed: 1,
        kinds: [.sales, .finance], prices: [price])
    }
  }
}
