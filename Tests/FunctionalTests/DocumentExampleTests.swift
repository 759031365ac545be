import Glibc
import SubreportTestSupport
import Testing

/// README and the pages of docs/ show what the program really prints.
@Suite("examples in documents")
struct DocumentExampleTests {
  private static let pages =
    ["README.md"]
    + names(inFolder: Repository.root + "/docs").filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }

  @Test(arguments: pages)
  func `print what the page says`(page: String) throws {
    let text = try #require(Files.text(of: Repository.root + "/" + page))
    let examples = DocumentExamples(text)
    let sandbox = try Sandbox()
    let link = sandbox.work + "/sample-reports"
    try #require(unsafe symlink(Repository.root + "/sample-reports", link) == 0)
    var commands = 0
    for step in examples.steps {
      switch step {
      case .write(let file, let text):
        try Files.write(Array(text.utf8), to: sandbox.work + "/" + file)
      case .run(let command):
        let name = command.words.joined(separator: " ")
        try #require(command.isOfProgram, "\(name) is not run")
        let result = try command.run(in: sandbox)
        #expect(result.status == command.status, "\(name): \(result.lines.last ?? "")")
        let difference = command.difference(from: result.lines)
        #expect(difference == nil, "\(name) does not print this")
        commands += 1
      }
    }
    // Its figures are those of make bench.
    #expect(commands > 0 || page == "docs/speed.md", "a page without an example")
  }

  @Test(arguments: pages)
  func `link to pages that are there`(page: String) throws {
    let text = try #require(Files.text(of: Repository.root + "/" + page))
    let folder = page.split(separator: "/").dropLast().map { $0 + "/" }.joined()
    for part in text.components(between: "](", and: ")") where !part.hasPrefix("http") {
      let path = part.prefix { $0 != "#" }
      guard !path.isEmpty else { continue }
      let target = Repository.root + "/" + folder + path
      #expect(Files.text(of: target) != nil || Files.isFolder(target), "\(part)")
    }
  }

  @Test func `are read step by step`() {
    let examples = DocumentExamples(
      """
      ```csv plan.csv
      a,b
      ```

          $ no example

      ```console
      $ KEY=x subreport churn "two words" -f 'md' && subreport check in   # exit code 3
      one
      …
      ```
      """)
    var check = DocumentExamples.Command(words: ["subreport", "check", "in"], status: 3)
    check.printed = ["one", "…"]
    let churn = DocumentExamples.Command(
      words: ["KEY=x", "subreport", "churn", "two words", "-f", "md"])
    #expect(
      examples.steps == [.write(file: "plan.csv", text: "a,b\n"), .run(churn), .run(check)])
    #expect(check.difference(from: ["one", "two"]) == nil)
    #expect(check.difference(from: ["two"]) == "one")
    #expect(check.difference(from: ["two", "one"]) == "one")
    check.printed = ["one", "three"]
    #expect(check.difference(from: ["one", "two", "three"]) == "three")
    #expect(check.difference(from: ["one", "three", "four"]) == "four")
    check.printed = ["…", "three"]
    #expect(check.difference(from: ["one", "two", "three"]) == nil)
    #expect(check.isOfProgram && !DocumentExamples.Command(words: ["subreprot"]).isOfProgram)
  }
}

extension String {
  /// Returns what stands between each opening and the next closing.
  fileprivate func components(between opening: String, and closing: Character) -> [Substring] {
    split(separator: opening).dropFirst().map { $0.prefix { $0 != closing } }
  }
}
