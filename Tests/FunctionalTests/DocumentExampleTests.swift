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
    let examples = try DocumentExamples(text)
    let sandbox = try Sandbox()
    let link = sandbox.work + "/sample-reports"
    try #require(unsafe symlink(Repository.root + "/sample-reports", link) == 0)
    for step in examples.steps {
      let path = sandbox.work + "/" + step.name
      switch step.action {
      case .write(let text): try Files.write(Array(text.utf8), to: path)
      case .show:
        let shown = try #require(Files.text(of: path), "there is no \(step.name)")
        expect(step, shown)
      case .run(let command):
        let result = try Program.run(
          command.arguments, environment: command.environment, in: sandbox)
        let printed = result.stdout.isEmpty ? result.stderr : result.stdout
        #expect(result.status == step.status, "\(step.name)")
        expect(step, String(decoding: printed, as: UTF8.self))
      }
    }
    // Its figures are those of make bench.
    let hasCommand = examples.steps.contains { if case .run = $0.action { true } else { false } }
    #expect(hasCommand || page == "docs/speed.md", "a page without an example")
  }

  private func expect(_ step: DocumentExamples.Step, _ text: String) {
    let difference = step.difference(from: text)
    #expect(difference == nil, "\(step.name) does not print this")
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

  @Test func `are read step by step`() throws {
    let examples = try DocumentExamples(
      """
      ```csv plan.csv
      a,b
      ```

          $ no example

      ```console
      $ KEY=x subreport churn 'two words' && subreport check in   # exit code 3
      one
      …
      $ cat out/page.md
      ```
      """)
    let churn = try CaseCommand("KEY=x subreport churn 'two words'")
    #expect(churn.arguments == ["churn", "two words"] && churn.environment == ["KEY": "x"])
    let steps: [DocumentExamples.Step] = [
      .init(action: .write("a,b\n"), name: "plan.csv"),
      .init(action: .run(churn), name: "KEY=x subreport churn 'two words'"),
      .init(
        action: .run(try CaseCommand("subreport check in")), name: "subreport check in", status: 3,
        printed: ["one", "…"]),
      .init(action: .show, name: "out/page.md"),
    ]
    #expect(examples.steps == steps)
    #expect(throws: CaseCommand.Failure.self) {
      try DocumentExamples("```console\n$ subreprot churn\n```")
    }
  }

  @Test(
    arguments: [
      (["one", "…"], "one\ntwo\n", nil), (["one", "…"], "two", "one"), (["one"], "two\none", "one"),
      (["one", "three"], "one\ntwo\nthree", "three"),
      (["one", "three"], "one\n\nthree\nfour\n", "four"),
      (["…", "three"], "one\ntwo\nthree\n", nil), ([], "one", nil),
    ] as [([String], String, String?)])
  func `are compared line by line`(shown: [String], printed: String, difference: String?) {
    let step = DocumentExamples.Step(action: .show, name: "", printed: shown)
    #expect(step.difference(from: printed) == difference)
  }
}

extension String {
  /// Returns what stands between each opening and the next closing.
  func components(between opening: String, and closing: Character) -> [Substring] {
    split(separator: opening).dropFirst().map { $0.prefix { $0 != closing } }
  }
}
