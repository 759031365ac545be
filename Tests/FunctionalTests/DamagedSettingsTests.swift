import SubreportTestSupport
import Testing

/// Damages the files that users write themselves, and expects that the program says what is wrong.
@Suite("damaged settings")
struct DamagedSettingsTests {
  /// A file of the user's, and a run that reads it.
  private struct Target: Sendable {
    let name: String
    let text: String
    /// The words that stand before the file's name.
    let command: [String]
    var tokens: [String] = [",", "\"", "\"\"", ";", "0.0000000000001"]
  }

  private static let config = """
    # Every kind of value.
    inputs = ["in"]
    by = ["country", 'product,offer']
    max_rejects = 1_000
    strict = false
    fiscal = true
    tolerance = "0.05"
    fail_if = [ "churn_rate>0.9", # rate
      "proceeds.charges > 100000" ]
    anonymize.key = "secret"
    [groups]
    "com.example.month" = "premium"
    [durations]
    "com.example.week" = "7 Days"
    [consent]
    US = "USD 50 5.00 50.00"
    [receipts.columns]
    purchase_date = "bought \\u00e4t"
    [accounts]
    payment = \"\"\"assets:bank\"\"\"
    """

  private static let targets = [
    Target(
      name: "config.toml", text: config, command: ["check", "--config"],
      tokens: ["[", "]", "[[", "{", "}", "\"", "'", "\"\"\"", "\\", "\\u001b", "=", ".", "[x]\n"]),
    Target(
      name: "rates.csv",
      text: "date,from,to,rate\n2026-01-31,EUR,USD,1.1021\n2026-02-28,GBP,USD,1\n",
      command: ["proceeds", "in", "--all-months", "--currency", "USD", "--rates"]),
    Target(
      name: "changes.csv",
      text: """
        product,country,effective,old_price,new_price,currency
        Plus Monthly,US,2026-01-15,9.99,12.99,USD
        "Pro, Monthly",DE,2026-01-20,9,9.5,EUR

        """, command: ["price-impact", "in", "--price-changes"]),
    Target(
      name: "plan.csv",
      text: "product,country,date,new_price,currency\nPlus Monthly,US,2026-03-01,12.99,USD\n",
      command: ["price-impact", "in", "--plan"]),
    Target(
      name: "regions.csv",
      text: """
        region_code,payments_name,currency,valid_from,countries
        EU,Euro-Zone;Zona Euro,EUR,2026-01-01,AT BE DE
        US,Americas,USD,,US

        """, command: ["check", "in", "--regions"]),
    Target(
      name: "identities.csv",
      text:
        "customer,original_transaction_id,app_account_token\nAnn,1000,\n\"Bo \"\"B\"\"\",,a-1\n",
      command: ["chains", "dump.jsonl", "--no-anonymize", "--identities"]),
    Target(
      name: "content.csv",
      text: "id,published,product\nMay,2026-05-01,\nJune,2026-06-01T09:30:00Z,p\n",
      command: ["access", "dump.jsonl", "--no-anonymize", "--content"]),
    Target(
      name: "root.cer", text: "0\u{2}\u{1}\u{1}MII",
      command: [
        "check", "dump.jsonl", "--verify", "--root-certificate",
      ]),
  ]

  /// One day of a report and one receipt, both small: they only have to be read.
  private static func writeInput(to sandbox: Sandbox) throws {
    let sales = """
      Provider\tProvider Country\tSKU\tDeveloper\tTitle\tVersion\tProduct Type Identifier\tUnits\t\
      Developer Proceeds\tBegin Date\tEnd Date\tCustomer Currency\tCountry Code\tCurrency of Proceeds\t\
      Apple Identifier\tCustomer Price\tPromo Code\tParent Identifier\tSubscription\tPeriod\tCategory\t\
      CMB\tDevice\tSupported Platforms\tProceeds Reason\tPreserved Pricing\tClient\tOrder Type
      APPLE\tUS\tplus\tLarkspur\tPlus Monthly\t \tIAY\t1\t6.99\t01/15/2026\t01/15/2026\tEUR\tDE\tEUR\t\
      7001\t9.99\t \tapp\tNew\t1 Month\tNews\t \tiPhone\tiOS\t \t \t \t

      """
    try Files.makeFolders(sandbox.work + "/in")
    try Files.write(
      Array(sales.utf8), to: sandbox.work + "/in/S_D_80012345_20260115.txt")
    let receipt = """
      {"request_date_ms":"1767225600000","latest_receipt_info":[{"original_transaction_id":"1000",\
      "transaction_id":"1000","product_id":"p","purchase_date_ms":"1764547200000",\
      "expires_date_ms":"1767225600000"}],"status":0}

      """
    try Files.write(Array(receipt.utf8), to: sandbox.work + "/dump.jsonl")
  }

  @Test(arguments: seeds(300))
  func `end with a documented exit code and a line about it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sandbox = try Sandbox()
    try Self.writeInput(to: sandbox)
    for target in Self.targets {
      let mutation = Mutation(tokens: target.tokens)
      let bytes = mutation.applied(to: Array(target.text.utf8), using: &random)
      try Files.write(bytes, to: sandbox.work + "/" + target.name)
      let result = try Program.run(target.command + [target.name], in: sandbox)
      let what = "\(target.name) of seed \(seed): \(result.status)\n\(result.errors)\n\(bytes)"
      #expect([0, 1, 2, 3, 4, 6, 64].contains(result.status), "\(what)")
      #expect(result.status == 0 || !result.stderr.isEmpty, "\(what)")
      let lines = result.errors.split(separator: "\n", omittingEmptySubsequences: false)
      // A file of prices has a line for each bad row; everything else has one sentence.
      let limit = ["changes.csv", "plan.csv"].contains(target.name) ? 22 : 2
      #expect(result.status != 64 || lines.count <= limit, "\(what)")
      #expect(lines.allSatisfy { $0.utf8.count < 1_000 }, "\(what)")
      #expect(!result.stderr.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F }, "\(what)")
    }
  }

  @Test
  func `are read as long as nothing is damaged`() throws {
    let sandbox = try Sandbox()
    try Self.writeInput(to: sandbox)
    for target in Self.targets
    where target.name != "root.cer" && target.name != "changes.csv" && target.name != "plan.csv" {
      try Files.write(Array(target.text.utf8), to: sandbox.work + "/" + target.name)
      let result = try Program.run(target.command + [target.name], in: sandbox)
      #expect(result.status == 0, "\(target.name): \(result.errors)")
    }
  }
}
