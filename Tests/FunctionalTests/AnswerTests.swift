import SubreportTestSupport
import Testing

/// Small things that a user asks for.
@Suite("answers")
struct AnswerTests {
  /// Reports in the folder `in`.
  private static let world = Result {
    let sandbox = try Sandbox()
    let words = "simulate -o in --subscribers 60 --from 2026-05-01 --to 2026-07-31 --seed 5 --clean"
    try #require(try sandbox.run(words).status == 0)
    removeTree(sandbox.work + "/in/truth")
    return sandbox
  }

  private func world() throws -> Sandbox { try Sandbox(copyOf: Self.world.get()) }

  @Test(arguments: ["vat", "deferred"])
  func `say what there is for a number that subreport does not have, and what there is not`(
    word: String
  ) throws {
    let sandbox = try Sandbox()
    for words in [word, "metrics \(word)"] {
      let result = try sandbox.run(words)
      #expect(result.status == 64)
      #expect(result.errors.contains("there is no ") || result.errors.contains("no report states"))
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  @Test
  func `need rates of the months that are shown only`() throws {
    let sandbox = try world()
    let codes = [
      "AUD", "BRL", "CAD", "CHF", "CNY", "EUR", "GBP", "INR", "JPY", "KRW", "MXN", "PLN", "SEK",
      "TRY",
    ]
    let rates = codes.map { "2026-07-01,\($0),USD,1.5\n" }.joined()
    try Files.write(Array(("date,from,to,rate\n" + rates).utf8), to: sandbox.work + "/rates.csv")
    let options = "in -q --currency USD --rates rates.csv -f csv"
    for words in [
      "proceeds \(options) --month 2026-07", "lifetime \(options) --from 2026-07",
      "proceeds \(options) --month 2026-07 --against previous",
      "proceeds \(options) --all-months --columns month,charges",
      "recurring \(options) --month 2026-07",
    ] {
      let result = try sandbox.run(words)
      #expect(result.status == 0, "\(words): \(result.errors)")
    }
    // The month before has no rate, so its end is not known at its own rate.
    let loud = options.replacing(" -q", with: "")
    let recurring = try sandbox.run("recurring \(loud) --month 2026-07")
    #expect(recurring.errors.contains("open_USD and fx_USD of 2026-07 are empty"))
    for table in ["proceeds", "recurring", "lifetime"] {
      let refused = try sandbox.run("\(table) \(options) --all-months")
      #expect(refused.status == 2)
      #expect(refused.errors.hasSuffix("on or before the end of 2025-04 [missing-rate]\n"))
    }
  }

  @Test(arguments: ["recurring", "lifetime"])
  func `about revenue have the price, the proceeds or both`(table: String) throws {
    let sandbox = try world()
    let count = { (options: String) in
      try sandbox.run("\(table) in -q -f csv \(options)").output.split(separator: "\n").count - 1
    }
    let (price, proceeds) = (try count("--basis price"), try count("--basis proceeds"))
    #expect(price > 0 && proceeds > 0)
    #expect(try count("") == price + proceeds)
    #expect(try count("--basis price --basis proceeds") == price + proceeds)
    let refused = try sandbox.run("\(table) in --basis net")
    #expect(refused.status == 64 && refused.errors.contains("price or proceeds"))
  }

  @Test(arguments: ["retention", "lifetime"])
  func `about months of the start take from and to`(table: String) throws {
    let sandbox = try world()
    let some = try sandbox.run("\(table) in -q -f csv --from 2026-06 --to 2026-06")
    #expect(some.status == 0 && !some.output.isEmpty)
    let outside = try sandbox.run("\(table) in -q --from 2027-01")
    #expect(outside.status == 64 && outside.errors.contains("--from 2027-01"))
    #expect(try sandbox.run("\(table) in -q --from 2026-06 --last 2").status == 64)
  }

  @Test
  func `about changes go to standard output with a dash, causes first`() throws {
    let sandbox = try world()
    try #require(try sandbox.run("report in -o out -q --cache cache").status == 0)
    let gone = Files.paths(below: sandbox.work + "/in").first {
      $0.contains("Subscriber_80012345_20260612")
    }
    removeTree(sandbox.work + "/in/" + (try #require(gone)))
    let result = try sandbox.run("report in -o out -q --cache cache --changes -")
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.lines
    let isFigure = lines.map { $0.contains(" was ") }
    #expect(lines.first?.hasPrefix("since the last run: gone: ") == true, "\(lines)")
    #expect(lines.contains { $0.contains("missing: ") })
    #expect(isFigure.drop { !$0 }.allSatisfy { $0 }, "\(lines)")
    #expect(Files.bytes(of: sandbox.work + "/-") == nil)
  }

  @Test
  func `about changes name receipts that are no longer there, and a run without an earlier one`()
    throws
  {
    let sandbox = try world()
    let first = try sandbox.run("report in -o out --cache cache --changes -")
    #expect(first.lines == [])
    #expect(first.errors.contains("note: the cache has no earlier run with these inputs"))
    let dumps = Files.paths(below: sandbox.work + "/in").filter {
      $0.hasPrefix("receipts/") && !$0.hasSuffix(".cer")
    }
    removeTree(sandbox.work + "/in/" + (try #require(dumps.first)))
    let changes = try sandbox.run("report in -o out -q --cache cache --changes -").lines
    #expect(
      changes.contains {
        $0.hasPrefix("since the last run: gone: ") && $0.hasSuffix(" rows of receipts")
      }, "\(changes)")
    let again = try sandbox.run("report in -o out -q --cache cache --changes -").lines
    #expect(again == [])
  }

  @Test
  func `of check have one line for many days without rows`() throws {
    let sandbox = try Sandbox()
    let words = "simulate -o in --subscribers 9 --from 2026-05-01 --to 2026-07-31 --seed 5 --clean"
    try #require(try sandbox.run(words).status == 0)
    let lines = try sandbox.run("check in").lines.filter { $0.hasPrefix("empty: ") }
    #expect(2...3 ~= lines.count, "\(lines)")
    for line in lines {
      let days = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      #expect(days > 5 && line.contains("with a header and no rows: 2026-"), "\(line)")
    }
  }

  @Test
  func `of check name a financial report whose units are not those of its rows`() throws {
    let sandbox = try Sandbox()
    let words =
      "simulate -o in --subscribers 60 --from 2026-02-01 --to 2026-04-30 --seed 5 --clean --finance"
    try #require(try sandbox.run(words).status == 0)
    let script = """
      f=$(ls in/finance/region/*_US.txt.gz | head -n 1)
      gzip -dc $f | sed 's/^Total_Units.*/Total_Units\t99999/' | gzip -n > new && mv new $f
      "$0" check in | grep '^units differ: '
      """
    let lines = try sandbox.runShell(script).lines
    #expect(
      lines.count == 1 && lines[0].contains("_US.txt.gz: Total_Units is 99999, the rows have"))
  }

  @Test
  func `about a folder leave aside config files and texts that begin with a bracket`() throws {
    let sandbox = try world()
    let texts = [
      "subreport.toml": "[plans]\n\"Plus Yearly\" = \"upfront\"\n",
      "notes.md": "[docs](url) are here\n",
      "x.url": "[InternetShortcut]\nURL=https://example.com\n", "r.rtf": "{\\rtf1 text}\n",
    ]
    for (name, text) in texts {
      try Files.write(Array(text.utf8), to: sandbox.work + "/in/\(name)")
    }
    let result = try sandbox.run("report in -o out")
    #expect(result.status == 0 && !result.errors.contains("not-json"), "\(result.errors)")
    #expect(result.errors.contains("left aside: 5 files are no reports"), "\(result.errors)")
  }

  @Test
  func `about a table of receipts need the day of each purchase, and know days of 1970 as none`()
    throws
  {
    let sandbox = try Sandbox()
    try Files.write(
      Array(
        """
        [receipts.columns]
        transaction_id = "tx"
        original_transaction_id = "first"
        product = "product"
        purchase_date = "bought"
        expires_date = "until"
        price_milliunits = "price"
        currency = "currency"
        auto_renew_status = "renews"

        """.utf8), to: sandbox.work + "/subreport.toml")
    let rows = """
      tx,first,product,bought,until,price,currency,renews
      1,1,m,2026-01-05T10:00:00Z,2026-02-05T10:00:00Z,9990,USD,true
      2,1,m,,2026-03-05T10:00:00Z,9990,USD,true

      """
    try Files.write(Array(rows.utf8), to: sandbox.work + "/in/own.csv")
    let result = try sandbox.run("report in -o out -q")
    #expect(result.status == 1)
    #expect(
      result.errors.contains("in/own.csv:3: error: field \"purchase_date\": found nothing"),
      "\(result.errors)")
  }

  @Test
  func `take a value as the CSV of the table has it`() throws {
    let sandbox = try world()
    let script = """
      mkdir x; for f in in/subscriber/*; do zcat $f | sed 's/Plus Monthly/=Pro Weekly/' >x/$(basename $f .gz); done
      "$0" churn x --by product --month 2026-06 -q -f csv | grep -c "'=Pro Weekly"
      "$0" explain churn.churned x --month 2026-06 --where product="'=Pro Weekly" -q -f csv | head -1
      "$0" explain churn.churned x --month 2026-06 --where product="=Pro Weekly" -q -f csv | head -1
      """
    let result = try sandbox.runShell(script)
    #expect(result.errors == "")
    #expect(result.lines.count == 3 && result.lines[0] == "1" && result.lines[1] == result.lines[2])
  }
}
