import Glibc
import SubreportTestSupport
import Testing

/// Compares what the documents say with what the program says.
@Suite("documents")
struct DocumentationTests {
  /// A document, by its path in the repository.
  private func document(_ name: String) throws -> String {
    try #require(Files.text(of: Repository.root + "/" + name), "\(name) is missing")
  }

  private func output(_ arguments: String...) throws -> String {
    let result = try Program.run(arguments, in: Sandbox())
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test func readmeListsEveryCommand() throws {
    let help = HelpText(try output("--help"))
    let table = MarkdownTable(in: try document("README.md"), headedBy: "command")
    #expect(!help.subcommands.isEmpty)
    #expect(table.names.sorted() == help.subcommands.filter { $0 != "help" }.sorted())
  }

  @Test func settingsPageListsEverySetting() throws {
    let rows = try output("config", "-f", "csv").split(separator: "\n").dropFirst()
    let settings = rows.map { $0.prefix { $0 != "," } }
    #expect(!settings.isEmpty)
    let text = try document("docs/settings.md")
    for setting in settings {
      #expect(text.contains("`\(setting)`"), "docs/settings.md has no \(setting)")
    }
  }

  @Test func readmeIsOnePage() throws {
    #expect(
      try document("README.md").split(separator: "\n", omittingEmptySubsequences: false).count
        <= 161)
  }

  @Test func metricsAreGenerated() throws {
    let difference = TextDifference.description(
      of: "METRICS.md", expected: Array(try output("metrics", "-f", "md").utf8),
      found: Array(try document("METRICS.md").utf8))
    #expect(difference == nil, "make docs brings it up to date")
  }

  @Test func settingsAreGenerated() throws {
    let page = try document("docs/settings.md")
    let parts = page.split(separator: "<!-- settings -->\n").flatMap {
      $0.split(separator: "<!-- /settings -->")
    }
    try #require(parts.count == 3)
    let difference = TextDifference.description(
      of: "docs/settings.md", expected: Array(try output("describe", "settings").utf8),
      found: Array(parts[1].utf8))
    #expect(difference == nil, "make docs brings it up to date")
  }

  @Test func manualPageOfSettingsHasEverySection() throws {
    let page = try output("describe", "settings-manual")
    let sections = try document("docs/settings.md").matches(of: /(?m)^\| [^|]* under `(\[.*?\])`/)
    #expect(sections.count == 7)
    for section in sections { #expect(page.contains(".B \(section.1)\n"), "\(section.1)") }
  }

  @Test func samplePageIsGenerated() throws {
    let sandbox = try Sandbox()
    // The page names the inputs as they were given.
    let link = sandbox.work + "/sample-reports"
    try #require(unsafe symlink(Repository.root + "/sample-reports", link) == 0)
    let result = try sandbox.run("report sample-reports -q -o out")
    #expect(result.status == 0, "\(result.errors)")
    let out = sandbox.work + "/out"
    let written = names(inFolder: out).filter { $0.hasSuffix(".html") }
    let folder = Repository.root + "/docs/sample"
    #expect(written.contains("index.html") && names(inFolder: folder) == written)
    for name in written {
      let page = try #require(Files.bytes(of: out + "/" + name))
      let isFresh = page == Files.bytes(of: folder + "/" + name)
      #expect(isFresh, "make sample-page brings docs/sample/\(name) up to date")
      #expect(page.count <= 300_000, "\(name) has \(page.count) bytes")
    }
  }

  @Test func manualPageHasEveryCommandAndVariable() throws {
    let page = try output("describe", "manual")
    let help = HelpText(try output("--help"))
    for command in help.subcommands where command != "help" {
      #expect(page.contains(".SH SUBREPORT \(command.uppercased())\n"), "\(command)")
    }
    for row in try output("config", "-v", "-f", "tsv").split(separator: "\n").dropFirst() {
      let variable = row.split(separator: "\t", omittingEmptySubsequences: false)[3]
      #expect(page.contains(".B \(variable)\n"), "\(variable)")
    }
    let marked = page.split(separator: "\n").filter { $0.hasPrefix(".") }
    let macros = Set(marked.compactMap { $0.split(separator: " ").first })
    #expect(macros == [".TH", ".SH", ".PP", ".TP", ".B", ".nf", ".fi"])
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsHaveValues(shell: String) throws {
    let script = try output("--generate-completion-script", shell)
    for value in ["subscribers", "commitment", "jsonl", "always", "price_impact"] {
      #expect(script.contains(value), "\(value)")
    }
  }

  @Test func viewsAreCompleted() throws {
    // What the script of a shell calls for the third word.
    let words = ["subreport", "churn", "--by", "country,pro"]
    let call = ["---completion", "churn", "--", "--by", "3", "11"] + words
    let result = try Program.run(call, in: Sandbox())
    let views = result.lines
    #expect(views.contains("country,product") && !views.contains("country,country"))
  }

  @Test func helpTextsAreRead() {
    let help = HelpText(
      """
      USAGE: subreport <subcommand>

      OPTIONS:
        --version               Show the version.

      SUBCOMMANDS:
        report                  Writes every table
                                into a folder.
        churn (default)         Who left.

      HELP SUBCOMMANDS:
        help                    Show help.

        See 'subreport help <subcommand>' for detailed help.
      """)
    #expect(help.subcommands == ["report", "churn", "help"])
    #expect(help.options.map(\.name) == ["--version"])
  }

  @Test func markdownTablesAreRead() {
    let text = """
      | flag | does |
      |---|---|
      | `--by` | one view each |

      | Command | does |
      |---|---|
      | `report INPUT… -o DIR` | every table |
      | `churn`, `renewals` `INPUT…` | one table, such as `csv` |
      | `cache status\\|clear DIR` | the cache |
      no table
      | `other` | |
      """
    let table = MarkdownTable(in: text, headedBy: "command")
    #expect(table.names == ["report", "churn", "renewals", "cache"])
  }
}
