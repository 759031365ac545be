import SubreportTestSupport
import Testing

/// Runs `report` in steps with the built program.
@Suite("subreport step")
struct StepCommandTests {
  /// Runs a script in which `subreport` is the program.
  private func shell(_ script: String, _ sandbox: Sandbox) throws -> Program.Result {
    try sandbox.runShell("set -eu\nsubreport() { \"$0\" \"$@\"; }\n" + script)
  }

  /// Returns the block of `sh` in docs/scale.md.
  private func documentedScript() throws -> String {
    let page = try #require(Files.text(of: Repository.root + "/docs/scale.md"))
    let parts = page.split(separator: "```sh\n")
    return try #require(parts.last?.split(separator: "\n```").first.map(String.init))
  }

  @Test
  func `writes the same bytes as report, by the script of docs/scale.md`() throws {
    let sandbox = try Sandbox()
    let copied = try shell("cp -R \(Repository.root)/sample-reports reports", sandbox)
    #expect(copied.status == 0, "\(copied.errors)")
    let result = try shell(documentedScript(), sandbox)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try sandbox.run("report reports -o expected -q").status == 0)
    let difference = try shell("diff -r expected out", sandbox)
    #expect(difference.status == 0, "\(difference.output)")
    #expect(names(inFolder: sandbox.work + "/out").contains("manifest.json"))
  }

  @Test(arguments: [
    "--memory 128M", "--brief", "--strict", "--max-rejects 0", "--fail-if 'churn_rate>0.001'",
  ])
  func `obeys options on which no number depends`(option: String) throws {
    let sandbox = try Sandbox()
    #expect(try shell("cp -R \(Repository.root)/sample-reports reports", sandbox).status == 0)
    let plan = "subreport step plan reports --partitions 2"
    let script = try documentedScript().replacing(plan, with: "\(plan) \(option)")
    #expect(script.contains(option))
    let result = try shell(script, sandbox)
    let expected = try shell("subreport report reports -o expected \(option)", sandbox)
    #expect(result.status == expected.status, "\(result.errors)")
    #expect(result.output == expected.output)
    let errors = expected.errors.replacing("expected", with: "out")
    #expect(result.errors == errors)
    let isWritten = names(inFolder: sandbox.work).contains("expected")
    #expect(names(inFolder: sandbox.work).contains("out") == isWritten)
    guard isWritten else { return }
    #expect(try shell("diff -r expected out", sandbox).status == 0)
  }

  @Test
  func `says in one line what is not supported`() throws {
    let sandbox = try Sandbox()
    let files = Repository.root + "/sample-reports/receipts"
    let script = "subreport step files \(files) | subreport step scout > scouted"
    #expect(try shell(script, sandbox).status == 0)
    let calls = [
      ("receipts --as-of 2026-08-01", "steps do not support --as-of with receipts yet"),
      ("receipts --cache cache", "--cache: steps do not support it yet"),
      ("receipts --plan a.csv", "--plan: steps do not support it yet"),
      ("receipts --rates a.csv", "--rates needs --currency, the currency to convert to"),
      ("receipts --ledger a.ledger", "--ledger: steps do not support it yet"),
      ("receipts --contry US", "unknown option --contry; did you mean --country?"),
    ]
    for (call, message) in calls {
      let result = try shell("subreport step plan \(call) < scouted", sandbox)
      #expect(result.status != 0 && result.output.isEmpty, "\(call)")
      #expect(result.errors.contains(message), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
  }

  @Test
  func `says in one line what is wrong with frames`() throws {
    let sandbox = try Sandbox()
    let cases = [
      ("step scout", "printf x", 4, "the input ends inside a frame [damaged-frame]"),
      ("step scout", "printf '\\004\\0\\0\\0\\0\\0\\0\\0text'", 4, "no frame, expected a frame"),
      (
        "step plan in", "true", 2, "plan expects a frame \"scouted\" of each file [misplaced-frame]"
      ),
      ("step extract", "true", 2, "extract expects a frame \"plan\" first [misplaced-frame]"),
      ("step finish -o out", "true", 2, "finish expects a frame \"plan\" first [misplaced-frame]"),
    ]
    for (step, input, status, message) in cases {
      let result = try shell("\(input) | subreport \(step)", sandbox)
      #expect(Int(result.status) == status && result.output.isEmpty, "\(step)")
      #expect(result.errors.contains(message), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
    #expect(names(inFolder: sandbox.work).contains("out") == false)
  }
}
