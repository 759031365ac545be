import Glibc
import SubreportTestSupport
import Testing

/// Explains numbers against earlier runs while reports come, change and go, which a case cannot do.
@Suite("explain --against")
struct ExplainAgainstTests {
  /// A sandbox with all reports in `later`, of which some have come to `in`, and three runs.
  private func world(_ seed: UInt64) throws -> Sandbox {
    let sandbox = try Sandbox()
    let world =
      "simulate -o all --subscribers 40 --seed \(seed) --from 2026-01-01 --to 2026-03-20 --clean"
    try #require(try sandbox.run(world).status == 0)
    try #require(
      unsafe rename(sandbox.work + "/all/subscriber", sandbox.work + "/later") == 0)
    try #require(unsafe mkdir(sandbox.work + "/in", 0o755) == 0)
    var random = SeededGenerator(seed: seed)
    // The first run has the days until 3 March.
    for count in [62, Int.random(in: 3...8, using: &random), Int.random(in: 3...8, using: &random)]
    {
      try move(count, in: sandbox)
      let report = try sandbox.run("report in -o out -q --ledger ledger.jsonl")
      try #require(report.status == 0, "\(report.errors)")
    }
    return sandbox
  }

  /// Lets the next reports come.
  private func move(_ count: Int, in sandbox: Sandbox) throws {
    let (later, folder) = (sandbox.work + "/later/", sandbox.work + "/in/")
    for name in names(inFolder: later).sorted().prefix(count) {
      try #require(unsafe rename(later + name, folder + name) == 0)
    }
  }

  /// The values of `history` of a cell in February, run by run.
  private func history(_ cell: String, in sandbox: Sandbox) throws -> [String] {
    let found = try sandbox.run(
      "history \(cell) --month 2026-02 --where source=subscribers --ledger ledger.jsonl -f csv")
    try #require(found.status == 0, "\(found.errors)")
    return found.lines.dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)[1]
    }
  }

  @Test(arguments: 0..<UInt64(TestTier.current.histories(of: 4)))
  func `adds up to the difference from each run of the ledger`(seed: UInt64) throws {
    let sandbox = try world(seed + 70)
    for cell in ["churn.churned", "movement.started", "renewals.renewed"] {
      let values = try history(cell, in: sandbox)
      try #require(values.count == 3)
      for number in 1...3 {
        let found = try sandbox.run(
          "explain \(cell) in --month 2026-02 --ledger ledger.jsonl --against \(number) -f csv")
        #expect(found.status == 0, "\(found.errors)")
        let expected = (Int(values[2]) ?? 0) - (Int(values[number - 1]) ?? 0)
        let listed = found.lines.dropFirst().reduce(0) { sum, line in
          sum + (Int(line.split(separator: ",", omittingEmptySubsequences: false)[1]) ?? 0)
        }
        #expect(listed == expected, "\(cell) \(number)")
        let numbers = "says: \(values[2]) (now), \(values[number - 1]) (run \(number) of 2026-03-"
        #expect(found.errors.contains("together \(expected), as "), "\(found.errors)")
        #expect(found.errors.contains(numbers), "\(found.errors)")
      }
    }
  }

  @Test
  func `explains nothing if a file of the run is gone or changed, and says which`() throws {
    let sandbox = try world(3)
    let call = "explain churn.churned in --month 2026-02 --ledger ledger.jsonl --against 1 -f csv"
    let files = names(inFolder: sandbox.work + "/in").sorted()
    let values = try history("churn.churned", in: sandbox)
    let (first, second) = (sandbox.work + "/in/" + files[0], sandbox.work + "/in/" + files[1])
    let kept = try #require(Files.bytes(of: first))
    // The same rows in other bytes.
    try Files.write(try #require(GzipMember.content(of: kept)), to: first)
    let changed = try sandbox.run(call)
    #expect(changed.status == 3 && changed.lines.isEmpty)
    #expect(changed.errors.contains("1 file changed: \(files[0])"), "\(changed.errors)")
    #expect(changed.errors.contains(" now, \(values[0]) in run 1 of 2026-03-"))
    #expect(changed.errors.hasSuffix(" [not-verified]\n"), "\(changed.errors)")
    try Files.write(kept, to: first)
    try #require(unsafe rename(second, sandbox.work + "/" + files[1]) == 0)
    let gone = try sandbox.run(call)
    #expect(gone.status == 3 && gone.lines.isEmpty)
    #expect(gone.errors.contains("1 file missing: \(files[1])"), "\(gone.errors)")
    try #require(unsafe rename(sandbox.work + "/" + files[1], second) == 0)
    #expect(try sandbox.run(call).status == 0)
  }

  @Test
  func `says that other options gave other numbers`() throws {
    let sandbox = try world(3)
    let found = try sandbox.run(
      "explain churn.active_start in --month 2026-02 --ledger ledger.jsonl --against 1 --country US"
    )
    #expect(found.status == 3 && found.lines.isEmpty, "\(found.errors)")
    #expect(found.errors.contains("because it had other options: country [not-verified]\n"))
  }

  @Test
  func `needs a ledger for a run, and a row of the whole population`() throws {
    let sandbox = try world(3)
    let refusals = [
      "--against 2026-03-03": "--against 2026-03-03: runs are in the ledger; name it with --ledger",
      "--against 1 --ledger ledger.jsonl --where country=US":
        "--against 1: the ledger has the whole population; leave out --where country=…",
      "--against 9 --ledger ledger.jsonl": "--against 9: the ledger has the runs 1 to 3",
      "--against 2026-02": "--against 2026-02: this is the month itself",
      "--against previous --left-out": "--left-out is about one number and --against about two",
    ]
    for (options, message) in refusals {
      let found = try sandbox.run("explain churn.churned in --month 2026-02 \(options)")
      #expect(found.status == 64 && found.errors.contains(message), "\(options): \(found.errors)")
    }
  }
}
