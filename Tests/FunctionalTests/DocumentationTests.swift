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
    #expect(result.status == 0, "\(String(decoding: result.stderr, as: UTF8.self))")
    return String(decoding: result.stdout, as: UTF8.self)
  }

  @Test func readmeListsEveryCommand() throws {
    let help = HelpText(try output("--help"))
    let table = MarkdownTable(in: try document("README.md"), headedBy: "command")
    #expect(!help.subcommands.isEmpty)
    #expect(table.names.sorted() == help.subcommands.filter { $0 != "help" }.sorted())
  }

  @Test func readmeListsEverySetting() throws {
    let rows = try output("config", "-f", "csv").split(separator: "\n").dropFirst()
    let settings = rows.map { $0.prefix { $0 != "," } }
    let readme = try document("README.md")
    #expect(!settings.isEmpty)
    for setting in settings { #expect(readme.contains("`\(setting)`"), "\(setting) is missing") }
  }

  /// The lines that README quotes between two comments, but for fences and cuts.
  private func quotedLines(_ name: String) throws -> [Substring] {
    let parts = try document("README.md").split(separator: "<!-- \(name) -->")
    let block = try #require(parts.last?.split(separator: "<!-- /\(name) -->").first)
    return block.split(separator: "\n").filter { !$0.hasPrefix("```") && $0 != "…" }
  }

  @Test func readmeQuotesTheSampleReport() throws {
    let sandbox = try Sandbox()
    let reports = Repository.root + "/sample-reports"
    let result = try Program.run(["report", reports, "-o", "out", "-q"], in: sandbox)
    #expect(result.status == 0)
    for (name, file) in [("summary", "summary.md"), ("churn", "churn.csv")] {
      let path = sandbox.work + "/out/" + file
      let lines = try #require(Files.text(of: path)).split(separator: "\n")
      let quoted = try quotedLines(name).filter { !$0.hasPrefix("$ ") }
      #expect(quoted.count >= 3)
      for line in quoted { #expect(lines.contains(line), "README quotes what \(file) lacks") }
    }
  }

  @Test func metricsAreGenerated() throws {
    let difference = TextDifference.description(
      of: "METRICS.md", expected: Array(try output("metrics", "-f", "md").utf8),
      found: Array(try document("METRICS.md").utf8))
    #expect(difference == nil, "make docs brings it up to date")
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
