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

  private func thousandths(_ amount: Substring) -> Int? {
    let parts = amount.split(separator: ".")
    guard parts.count == 2, parts[1].count <= 3 else { return nil }
    return Int(parts[0] + parts[1] + String(repeating: "0", count: 3 - parts[1].count))
  }

  /// Those of the sums that are in the accounts.
  private func held(_ sums: [String: Int], _ accounts: [String]) -> [String: Int] {
    sums.filter { sum in accounts.contains { sum.key.hasPrefix("assets:apple:\($0) ") } }
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
