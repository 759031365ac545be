import Simulation
import SubreportTestSupport
import Testing

/// Reconciles a simulated world before and after somebody has changed one of its finance files.
@Suite("settlements of simulated worlds")
struct SettlementWorldTests {
  /// A world of five fiscal periods; its folder is `world`.
  private struct World {
    let sandbox: Sandbox

    private static let files = Memo<UInt64, [(path: String, bytes: [UInt8])]>()

    /// The files of the world, as the program writes them.
    private static func makeFiles(seed: UInt64) throws -> [(path: String, bytes: [UInt8])] {
      let sandbox = try Sandbox()
      let words =
        "simulate -o world --finance --kind sales --subscribers 400 --from 2026-01-20 --to 2026-07-03 --seed \(seed)"
      let run = try sandbox.run(words)
      try #require(run.status == 0, "\(run.errors)")
      let paths = Files.paths(below: sandbox.work)
      return paths.map { (path: $0, bytes: Files.bytes(of: sandbox.work + "/" + $0) ?? []) }
    }

    init() throws {
      sandbox = try Sandbox()
      for file in try Self.files.value(7, { try Self.makeFiles(seed: 7) }) {
        try Files.write(file.bytes, to: sandbox.work + "/" + file.path)
      }
    }

    /// Reconciles everything.
    func reconcile(_ options: String...) throws -> (status: Int32, findings: [Substring]) {
      let words = ["reconcile", "world", "-o", "reconcile.csv", "-q"] + options
      let run = try Program.run(words, in: sandbox)
      return (run.status, run.errors.split(separator: "\n"))
    }

    /// Raises the share of the first sale in a country of a file, and its sums, by so much a unit.
    ///
    /// - Returns: By how much the sums rise, in hundredths.
    func raise(
      _ file: String, country: String, by hundredths: Int, _ columns: Columns
    ) throws -> Int {
      let path = sandbox.work + "/world/finance/" + file
      let stored = try #require(Files.bytes(of: path))
      let content = try #require(GzipMember.content(of: stored))
      var lines = String(decoding: content, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false
      ).map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
      let place = try #require(
        lines.firstIndex { $0.contains("S") && $0.contains(country) && $0.count > 10 })
      let change = hundredths * (Int(lines[place][columns.quantity]) ?? 0)
      add(hundredths, to: &lines[place][columns.share])
      add(change, to: &lines[place][columns.share + 1])
      for index in lines.indices where lines[index].first == columns.total(country) {
        add(change, to: &lines[index][lines[index].count - 1])
      }
      let text = lines.map { $0.joined(separator: "\t") }.joined(separator: "\n")
      try Files.write(Array(text.utf8), to: path)
      return change
    }

    private func add(_ hundredths: Int, to cell: inout String) {
      cell = amount((Int(cell.filter { $0 != "." }) ?? 0) + hundredths)
    }
  }

  /// Where a download has what is changed.
  private struct Columns {
    let quantity: Int
    /// The Extended Partner Share is the next column.
    let share: Int
    /// What the line begins with whose last cell is the sum.
    let total: @Sendable (_ country: String) -> String

    static let region = Columns(quantity: 5, share: 6) { _ in "Total_Amount" }
    static let detail = Columns(quantity: 8, share: 9) { $0 }
  }

  private static let period = "FY2026-P06"

  @Test
  func `are reconciled as they are`() throws {
    let found = try World().reconcile()
    #expect(found.status == 0)
    #expect(found.findings == [])
  }

  @Test
  func `are not when a FINANCIAL row has changed with its trailer`() throws {
    let world = try World()
    let planted = try world.raise(
      "region/80012345_0326_US.txt.gz", country: "US", by: 125, .region)
    let found = try world.reconcile()
    let place = "reconcile \(Self.period) US USD: error: "
    let rest = ", expected 0.00 [unreconciled]"
    #expect(found.status == 6)
    #expect(planted > 0)
    #expect(found.findings.contains("\(place)unexplained_sales: found \(amount(planted))\(rest)"))
    #expect(
      found.findings.contains("\(place)unexplained_payment: found \(amount(-planted))\(rest)"))
    // The other two downloads have no such change, and nothing else is unexplained.
    #expect(found.findings.count == 4)
    #expect(try world.reconcile("--tolerance", amount(planted)).status == 0)
  }

  @Test
  func `are not when a FINANCE_DETAIL row has changed with its summary`() throws {
    let world = try World()
    let planted = try world.raise(
      "detail/80012345_0326_Z1.txt.gz", country: "GB", by: 125, .detail)
    let found = try world.reconcile()
    #expect(found.status == 6)
    #expect(
      found.findings.contains(
        "reconcile \(Self.period) GBP: error: FINANCIAL by region = FINANCE_DETAIL: found a "
          + "difference of \(amount(planted)), expected 0.00 [unreconciled]"))
  }
}

/// Hundredths as `-9.99`.
private func amount(_ hundredths: Int) -> String {
  let (size, sign) = (abs(hundredths), hundredths < 0 ? "-" : "")
  let cents = size % 100
  return "\(sign)\(size / 100).\(cents < 10 ? "0" : "")\(cents)"
}
