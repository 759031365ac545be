import SubreportTestSupport
import Testing

/// Lets hledger judge exported journals.
@Suite("exported journals")
struct JournalTests {
  static let hasHledger: Bool = {
    guard let sandbox = try? Sandbox() else { return false }
    return (try? Program.run(["--version"], program: "hledger", in: sandbox))?.status == 0
  }()

  private static let reports =
    Repository.root + "/Tests/FunctionalTests/Cases/reconcile/settlement/reports"

  @Test(.enabled(if: Self.hasHledger, "hledger is not installed: make hledger"))
  func `are accepted by hledger, and add up as the bridge does`() throws {
    let sandbox = try Sandbox()
    let exported = try Program.run(
      ["reconcile", Self.reports, "--export", "hledger", "-o", "apple.journal"], in: sandbox)
    // Most days have no SALES report.
    #expect(exported.status == 3, "\(exported.errors)")
    let check = try Program.run(
      ["-f", "apple.journal", "check", "--strict"], program: "hledger", in: sandbox)
    #expect(check.status == 0, "\(check.errors)")
    // What is settled is owed, and what is owed is paid: only the bank is left.
    let balance = try Program.run(
      [
        "-f", "apple.journal", "balance", "assets:apple:settled", "assets:apple:owed", "--no-total",
      ],
      program: "hledger", in: sandbox)
    #expect(balance.output == "")
  }
}
