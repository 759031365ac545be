import SubreportTestSupport
import Testing

/// Runs `report` in steps with the built program.
@Suite("subreport step")
struct StepCommandTests {
  /// Runs a script in which `subreport` is the program.
  private func shell(_ script: String, _ sandbox: Sandbox) throws -> Program.Result {
    try sandbox.runShell("set -eu\nsubreport() { \"$0\" \"$@\"; }\n" + script)
  }

  /// Returns the first block of `sh` in docs/scale.md; with a cache the second one in place of its beginning.
  private func documentedScript(withCache: Bool = false) throws -> String {
    let page = try #require(Files.text(of: Repository.root + "/docs/scale.md"))
    let blocks = page.split(separator: "```sh\n").dropFirst()
      .compactMap { $0.split(separator: "\n```").first.map(String.init) }
    try #require(blocks.count == 2)
    guard withCache else { return blocks[0] }
    let rest = try #require(blocks[0].firstRange(of: "subreport step pick files"))
    return blocks[1] + "\n" + blocks[0][rest.lowerBound...]
  }

  /// Returns the script with an option of report.
  private func steps(_ option: String) throws -> String {
    let plan = "subreport step plan reports --partitions 2"
    return try documentedScript().replacing(plan, with: "\(plan) \(option)")
  }

  /// Returns a sandbox with the sample in the folder `reports`.
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    try #require(try shell("cp -R \(Repository.root)/sample-reports reports", sandbox).status == 0)
    return sandbox
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

  @Test(arguments: [("", 3), ("[accept]\nmissing = [\"subscriber 2026-02-26\"]\n", 0)])
  func `accepts the faults that the config file names`(config: String, status: Int) throws {
    let sandbox = try sandbox()
    try Files.write(Array(config.utf8), to: sandbox.work + "/subreport.toml")
    let result = try shell(steps("--strict"), sandbox)
    let expected = try shell("subreport report reports -o expected --strict", sandbox)
    #expect(result.status == status && expected.status == status, "\(result.errors)")
    #expect(result.errors == expected.errors.replacing("expected", with: "out"))
  }

  @Test(arguments: [
    ("--as-of 2026-08-15", "! grep -q 2026-09 out/churn.csv"),
    ("--plan plan.csv", "grep -q W4 out/price_plan.csv"),
    ("--country US", "! grep -q ,DE, out/churn-by-country.csv"),
    ("--config own.toml", "grep -q own.csv,receipt-csv out/health.csv"),
  ])
  func `obeys options about as-of, planned prices and columns`(
    option: String, isObeyed: String
  ) throws {
    let sandbox = try sandbox()
    let plan = "product,country,currency,date,new_price\nPro Monthly,US,USD,2026-11-15,24.99\n"
    try Files.write(
      Array((plan + "None,US,USD,2026-11-15,9.99\n").utf8), to: sandbox.work + "/plan.csv")
    let table =
      "id,bought,ends,plan\n1,2026-05-01T08:00:00Z,2026-06-01T08:00:00Z,own\n"
      + "1,2026-06-01T08:00:00Z,2026-07-01T08:00:00Z,own\n"
    try Files.write(Array(table.utf8), to: sandbox.work + "/reports/own.csv")
    let config = """
      [receipts.columns]
      original_transaction_id = "id"
      purchase_date = "bought"
      expires_date = "ends"
      product = "plan"
      """
    try Files.write(Array(config.utf8), to: sandbox.work + "/own.toml")
    let expected = try shell(
      "subreport report reports -o out \(option) || echo $?; mv out expected", sandbox)
    let result = try shell(try steps(option) + " || echo $?", sandbox)
    #expect(result.output == expected.output)
    #expect(result.errors == expected.errors)
    let difference = try shell("diff -r expected out", sandbox)
    #expect(difference.status == 0, "\(difference.output)")
    #expect(try shell(isObeyed, sandbox).status == 0)
  }

  @Test
  func `adds a line to a ledger each run`() throws {
    let sandbox = try sandbox()
    #expect(
      try shell("mkdir other; mv reports other; ln -s other/reports reports", sandbox).status == 0)
    for run in 1...2 {
      let result = try shell(try steps("--ledger runs.jsonl"), sandbox)
      let expected = try shell(
        "cd other; subreport report reports -o out --ledger runs.jsonl", sandbox)
      #expect(result.status == expected.status, "\(result.errors)")
      #expect(result.errors == expected.errors)
      let difference = try shell(
        "diff -r other/out out && cmp other/runs.jsonl runs.jsonl && grep -c . runs.jsonl", sandbox)
      #expect(difference.lines == ["\(run)"], "\(difference.errors)")
      #expect(try shell("rm $(ls -d reports/subscriber/* | tail -1)", sandbox).status == 0)
    }
  }

  @Test
  func `refuses a ledger among the inputs`() throws {
    let sandbox = try sandbox()
    let result = try shell(try steps("--ledger reports/a"), sandbox)
    #expect(result.status == 64)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.last?.hasPrefix("--ledger reports/a: it would be an input") == true, "\(lines)")
    #expect(!names(inFolder: sandbox.work + "/out").contains("manifest.json"))
  }

  @Test
  func `writes the same frames each time`() throws {
    let sandbox = try sandbox()
    for folder in ["first", "second"] {
      let result = try shell(
        "unset SWIFT_DETERMINISTIC_HASHING\nmkdir \(folder); cd \(folder)\ncp -R ../reports .\n"
          + documentedScript(), sandbox)
      #expect(result.status == 0, "\(result.errors)")
    }
    let difference = try shell("diff -r first second", sandbox)
    #expect(difference.status == 0, "\(difference.output)")
  }

  // MARK: A cache

  /// Copies the sample with receipts, and adds finance files.
  private func makeReports(_ sandbox: Sandbox) throws {
    let script = """
      cp -R \(Repository.root)/sample-reports reports
      subreport simulate -o world --subscribers 60 --from 2026-05-01 --to 2026-07-15 --finance >/dev/null
      cp -R world/finance reports/finance
      """
    let made = try shell(script, sandbox)
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test
  func `fills a cache, and begins from it, by the scripts of docs/scale.md`() throws {
    let sandbox = try Sandbox()
    try makeReports(sandbox)
    let expected = try sandbox.run("report reports -o expected -q")
    // The second time all that can be is taken from the cache.
    for turn in 1...2 {
      let result = try shell(documentedScript(withCache: true), sandbox)
      #expect(result.status == expected.status, "\(result.errors)")
      #expect(result.errors.contains("cache: stored 0 extracts") == (turn == 2))
      let difference = try shell("diff -r expected out", sandbox)
      #expect(difference.status == 0, "\(difference.output)")
    }
    // A file that is read gets its entry again, which is another file then.
    let list = "ls -i cache/extracts"
    let before = try shell(list, sandbox).output
    #expect(before.split(separator: "\n").count > 50)
    let run = try shell(
      "subreport report reports -o cached -q --cache cache || true; diff -r expected cached",
      sandbox)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try shell(list, sandbox).output == before)
  }

  @Test
  func `begins from the cache of a run, also with a damaged entry and a new file`() throws {
    let sandbox = try Sandbox()
    try makeReports(sandbox)
    let change = """
      subreport report reports -o first -q --cache cache || true
      entry=$(ls cache/extracts/*-subscriber-charges | head -n 1)
      printf x | dd of="$entry" bs=1 seek=200 conv=notrunc 2>/dev/null
      name=$(ls reports/subscriber | head -n 3 | tail -n 1)
      (gzip -dcf "reports/subscriber/$name"; echo) > changed && mv changed "reports/subscriber/$name"
      """
    #expect(try shell(change, sandbox).status == 0)
    let expected = try sandbox.run("report reports -o expected -q")
    let result = try shell(documentedScript(withCache: true), sandbox)
    #expect(result.status == expected.status, "\(result.errors)")
    let difference = try shell("diff -r expected out", sandbox)
    #expect(difference.status == 0, "\(difference.output)")
  }

  @Test
  func `refuses a cache of others, and what is none`() throws {
    let sandbox = try Sandbox()
    let calls = [
      ("mkdir cache; chmod 777 cache; touch cache/a", "this is no cache", 2),
      (
        "subreport step cache cache </dev/null 2>/dev/null; chmod 770 cache",
        "other users can write to this", 64
      ),
    ]
    for (prepare, message, status) in calls {
      #expect(try shell("rm -rf cache; " + prepare, sandbox).status == 0)
      for call in ["step cache cache </dev/null", "step files cache --cache cache"] {
        let result = try shell("subreport " + call, sandbox)
        #expect(Int(result.status) == status, "\(call)")
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
      }
    }
  }

  @Test
  func `finds the copies of a dump that report finds`() throws {
    let sandbox = try Sandbox()
    // Dumps are compared if their last four bytes, which should be the length of the text, are equal.
    let make = """
      mkdir reports
      cp \(Repository.root)/sample-reports/receipts/decoded_001.ndjson.gz reports/a.ndjson.gz
      cp reports/a.ndjson.gz reports/b.ndjson.gz
      cp reports/a.ndjson.gz reports/c.ndjson.gz
      head -c 16 /dev/zero >> reports/c.ndjson.gz
      """
    #expect(try shell(make, sandbox).status == 0)
    let expected = try sandbox.run("report reports -o expected")
    #expect(expected.errors.contains("duplicate: b.ndjson.gz"), "\(expected.errors)")
    let result = try shell(documentedScript(), sandbox)
    #expect(result.status == expected.status, "\(result.errors)")
    let difference = try shell("diff -r expected out", sandbox)
    #expect(difference.status == 0, "\(difference.output)")
    let small = try shell("subreport step plan reports --memory 100M < scouted", sandbox)
    #expect(small.status == 64)
    #expect(small.errors.contains("use a size of at least 128M"), "\(small.errors)")
  }

  @Test
  func `says in one line what is not supported`() throws {
    let sandbox = try Sandbox()
    let files = Repository.root + "/sample-reports/receipts"
    let script = "subreport step files \(files) | subreport step scout > scouted"
    #expect(try shell(script, sandbox).status == 0)
    let calls = [
      ("receipts --cache cache", "--cache: of steps, only files and cache take a cache"),
      ("receipts --changes changes", "--changes: steps do not support it yet"),
      ("receipts --evidence", "--evidence: steps do not support it yet"),
      ("receipts --rates a.csv", "--rates needs --currency, the currency to convert to"),
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
