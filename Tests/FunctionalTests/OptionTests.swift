import SubreportTestSupport
import Testing

/// Compares the help of every command with the table of settings, and with what the command refuses.
@Suite("options")
struct OptionTests {
  /// A setting, and the commands that it is for.
  private struct Setting {
    let option: String
    let commands: [String]
  }

  /// The commands that read inputs by settings.
  static let commands = [
    "report", "churn", "renewals", "lapses", "refunds", "retention", "movement", "proceeds",
    "trials", "commitments", "recurring", "lifetime", "status", "definitions", "drivers",
    "explain", "price-impact", "reconcile", "timeline", "chains", "access", "eligibility", "digest",
    "mcp", "check", "config",
  ]

  /// Commands that have their own few options.
  static let others = [
    "fetch", "init", "history", "verify", "inspect", "cache", "simulate", "step", "metrics",
  ]

  /// The settings that are options, from `config -v`.
  private func settings(in sandbox: Sandbox) throws -> [Setting] {
    let rows = try sandbox.run("config -v -f tsv").lines
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    let place = try #require(rows.first?.firstIndex(of: "commands"))
    return rows.dropFirst().compactMap { row in
      guard row[0] != "inputs", row[0] != "anonymize_key" else { return nil }
      let name = row[0].map { $0 == "_" ? "-" : String($0) }.joined()
      return Setting(
        option: name == "progress" ? "--no-progress" : "--" + name,
        commands: row[place].split(separator: " ").map(String.init))
    }
  }

  @Test
  func `are in the help of a command once`() throws {
    for command in Self.commands + Self.others {
      let help = try HelpText.of(command).options.map(\.name)
      #expect(help.count > 1 && Set(help).count == help.count, "\(command) \(help.sorted())")
    }
  }

  /// Commands whose options differ from those of the commands before them.
  private static let kinds = [
    "report", "churn", "price-impact", "reconcile", "timeline", "access", "digest", "mcp", "check",
  ]

  @Test
  func `in the help of a command are those that are for it`() throws {
    let sandbox = try Sandbox()
    let settings = try settings(in: sandbox)
    #expect(settings.count > 30)
    for command in Self.commands {
      let help = try HelpText.of(command).options.map(\.name)
      for setting in settings {
        let isFor = setting.commands.contains(command)
        #expect(help.contains(setting.option) == isFor, "\(command) \(setting.option)")
      }
    }
  }

  @Test(arguments: kinds)
  func `that are not for a command are refused in words`(_ command: String) throws {
    let sandbox = try Sandbox()
    var random = SeededGenerator(seed: UInt64(Self.kinds.firstIndex(of: command) ?? 0))
    // What is missing would be said first.
    let required = ["access": ["--content", "none"], "report": ["-o", "none/out"]][command] ?? []
    let settings = try settings(in: sandbox).filter { !$0.commands.contains(command) }
    let refused = settings.map(\.option) + (command == "report" ? ["--month"] : ["--force"])
    // Other ones for each command.
    let some = refused.shuffled(using: &random).prefix(TestTier.current.cases(of: refused.count))
    for option in some {
      let found = try Program.run([command, option, "x"] + required, in: sandbox)
      #expect(found.errors.hasPrefix("\(command) does not take \(option): "), "\(found.errors)")
      #expect(found.status == 64 && found.errors.split(separator: "\n").count == 1)
    }
  }

  /// The commands that print one table with several rows a month, and a column to sort it by.
  private static let singleTables = [
    ("churn", "churned"), ("renewals", "due"), ("lapses", "lapses"), ("refunds", "charges"),
    ("retention", "at_risk"), ("movement", "started"), ("proceeds", "charges"),
    ("trials", "trials"), ("commitments", "running"), ("recurring", "mrr"),
    ("lifetime", "net"), ("status", "paid"), ("drivers", "total"),
    ("price-impact", "reached"), ("reconcile", "amount"),
  ]

  @Test(arguments: singleTables)
  func `of rows work in every single table`(_ command: String, _ column: String) throws {
    let sandbox = try Sandbox()
    let isOfFinance = command == "reconcile"
    let reports =
      isOfFinance
      ? "/Tests/FunctionalTests/Cases/reconcile/settlement/reports" : "/sample-reports"
    for against in ["previous", "year"] {
      let words = "-f csv -q --last 2 --against \(against) --sort \(column) --top 2"
      let others = isOfFinance ? [] : ["--all-sources"]
      let found = try Program.run(
        [command, Repository.root + reports] + shellWords(words) + others, in: sandbox)
      let lines = found.output.split(separator: "\n")
      #expect(found.status == (isOfFinance ? 3 : 0) && lines.count < 4, "\(found.errors)")
      let changes = command == "drivers" ? ",against," : ",\(column)_before,\(column)_change"
      #expect(lines.first?.contains(changes) == true, "\(lines)")
    }
  }

  @Test func `all sources are shown by every table that several sources have`() throws {
    let sandbox = try Sandbox()
    let reports = Repository.root + "/sample-reports"
    let sources = { (options: String) in
      let words = shellWords("-f csv -q \(options)")
      let lines = try Program.run(["drivers", reports] + words, in: sandbox).output
        .split(separator: "\n").dropFirst()
      return lines.filter { $0.contains(",churn_rate,") }
        .reduce(into: Set<String>()) { $0.insert(String($1.prefix { $0 != "," })) }
    }
    #expect(try sources("") == ["events"])
    #expect(try sources("--all-sources") == ["events", "receipts"])
    // A year before, only receipts have data.
    #expect(try sources("--against year") == ["receipts"])
  }

  @Test func `drivers split by app where there are several`() throws {
    let sandbox = try Sandbox()
    let reports = Repository.root + "/sample-reports"
    let dimensions = { (options: String) in
      let words = shellWords("-f csv -q --columns dimension \(options)")
      return Set(try Program.run(["drivers", reports] + words, in: sandbox).lines)
    }
    let usual: Set = ["dimension", "\"\"", "product", "country", "offer", "start_month"]
    #expect(try dimensions("").subtracting(usual) == ["app"])
    #expect(try dimensions("--app 'Larkspur Kids'").subtracting(usual).isEmpty)
    #expect(try dimensions("--by country").subtracting(["\"\""]) == ["dimension", "country"])
  }

  /// The headings of a help, in order, after what a command needs.
  private static let headings = [
    "Which months and rows", "Output", "How strict", "Receipts", "Prices", "Finance",
    "How it runs",
  ]

  /// The heading in capitals above each setting of docs/settings.md, by the first cell of its row.
  private static let documentedHeadings = Swift.Result { () throws -> [String: String] in
    let page = try #require(Files.text(of: Repository.root + "/docs/settings.md"))
    var (heading, headings) = ("", [String: String]())
    for line in page.split(separator: "\n") {
      if line.hasPrefix("## ") { heading = line.dropFirst(3).uppercased() }
      guard line.hasPrefix("| `"), let cell = line.split(separator: "|").first else { continue }
      let name = String(cell.drop { $0 == " " }.prefix { $0 != " " })
      if headings[name] == nil { headings[name] = heading }
    }
    return headings
  }

  @Test(arguments: commands)
  func `stand below the headings that docs/settings.md has`(_ command: String) throws {
    let documented = try Self.documentedHeadings.get()
    #expect(documented.count > 30)
    let help = try HelpText.of(command)
    let shown = help.options.map(\.heading).filter { $0 != "OPTIONS" }
    let inOrder = Self.headings.map { $0.uppercased() }.filter(shown.contains)
    #expect(shown.reduce(into: []) { if $0.last != $1 { $0.append($1) } } == inOrder)
    for option in help.options {
      let name = option.name.replacing("--no-progress", with: "progress").drop { $0 == "-" }
      guard let heading = documented["`\(name.replacing("-", with: "_"))`"] else { continue }
      #expect(heading == option.heading, "\(option.name)")
    }
  }

  @Test func commandsAreTold() throws {
    let help = try HelpText.of("--help")
    #expect(Set(help.subcommands) == Set(Self.commands + Self.others))
  }

  /// Commands that print tables, and what they need besides.
  static let shorthands = [
    "churn", "explain churn.churned", "retention", "drivers", "timeline --no-anonymize", "inspect",
  ]

  @Test(arguments: shorthands)
  func `--csv and others are short for -f`(command: String) throws {
    let sandbox = try Sandbox()
    let command =
      command == "inspect"
      ? "inspect \(Repository.root)/sample-reports/subscription"
      : "\(command) \(Repository.root)/sample-reports"
    for format in ["csv", "json", "jsonl", "tsv", "md"] {
      let long = try sandbox.run("\(command) -f \(format)")
      let short = try sandbox.run("\(command) --\(format)")
      #expect(short.status == long.status && short.output == long.output)
      #expect(!long.output.isEmpty, "\(command) \(format)")
    }
  }

  @Test
  func `--version names the version, the commit and the build`() throws {
    let lines = try Sandbox().run("--version").lines
    #expect(lines.count == 3)
    #expect(try lines[0].wholeMatch(of: Regex(#"subreport \d+\.\d+\.\d+"#)) != nil)
    // Without make no commit is named.
    #expect(try lines[1].wholeMatch(of: Regex(#"commit ([0-9a-f]{12}\+?|unknown .*)"#)) != nil)
    #expect(
      try lines[2].wholeMatch(of: Regex(#"(release|debug) build for .*, (zlib|ISA-L)"#)) != nil)
  }
}
