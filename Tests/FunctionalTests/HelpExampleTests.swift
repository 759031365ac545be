import Glibc
import SubreportTestSupport
import Testing

/// The help of each command shows two calls that work on the sample reports.
@Suite("examples in help")
struct HelpExampleTests {
  /// Exit codes of examples that find something in the sample, which lacks a day.
  private static let codes: [String: Int32] = ["check": 3]

  /// All commands but that which asks questions on a terminal.
  @Test(arguments: (OptionTests.commands + OptionTests.others).filter { $0 != "init" })
  func `are two that work`(_ command: String) throws {
    let examples = try HelpText.of(command).examples
    #expect(examples.count == 2)
    let sandbox = try Sandbox()
    try prepare(sandbox, for: command)
    for example in examples {
      let call = try CaseCommand(example)
      #expect(call.arguments.first == command)
      let result = try Program.run(call.arguments, environment: call.environment, in: sandbox)
      #expect(result.status == Self.codes[command] ?? 0, "\(example): \(result.errors)")
      let written = call.arguments.firstIndex(of: "-o").map { call.arguments[$0 + 1] }
      let isWritten = written.map { names(inFolder: sandbox.work).contains($0) } ?? false
      // Clearing a cache prints nothing but a note, and nobody has asked mcp anything.
      let isSilent = ["cache", "mcp"].contains(command)
      #expect(!result.stdout.isEmpty || isWritten || isSilent, "\(example)")
    }
  }

  /// Puts there what the examples of a command need.
  private func prepare(_ sandbox: Sandbox, for command: String) throws {
    let (sample, reports) = (Repository.root + "/sample-reports", sandbox.work + "/reports")
    guard command != "reconcile" else {
      // The sample has no finance files.
      let world = "simulate -o reports --subscribers 300 --finance"
      #expect(try sandbox.run(world).status == 0)
      return
    }
    try #require(unsafe symlink(sample, reports) == 0)
    switch command {
    case "verify", "digest", "mcp":
      #expect(try sandbox.run("report reports -o out -q").status == 0)
    case "history":
      let words = "report reports -o out -q --ledger ledger.jsonl"
      #expect(try sandbox.run(words).status == 0)
    case "cache":
      #expect(try sandbox.run("churn reports --cache cache -q").status == 0)
    case "access":
      let issues = Array("id,published\nissue-1,2026-03-01\n".utf8)
      try Files.write(issues, to: sandbox.work + "/issues.csv")
    default: break
    }
  }
}
