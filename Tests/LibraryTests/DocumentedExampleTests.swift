import Testing

/// The public declarations and their examples.
@Suite("public declarations")
struct DocumentedExampleTests {
  /// The folders that have public declarations.
  private static let folders = [
    "Sources/AppStoreReports/Library", "Sources/AppStoreReceipts", "Sources/SubscriptionMetrics",
  ]

  @Test(arguments: folders)
  func `have examples that are tests`(folder: String) throws {
    let tests = try Self.tests()
    for path in try Repository.paths(in: folder, ending: ".swift", ".md") {
      try expectTests(path, tests)
    }
  }

  @Test func `have a page with examples that are tests`() throws {
    try expectTests("docs/library.md", Self.tests())
  }

  @Test(arguments: folders)
  func `each have an example`(folder: String) throws {
    for path in try Repository.paths(in: folder, ending: ".swift") {
      let lines = CodeBlocks.lines(try Repository.text(path))
      for (index, line) in lines.enumerated() where line.hasPrefix("public ") {
        let comment = lines[..<index].reversed().prefix { $0.hasPrefix("///") }
        #expect(comment.contains("/// ```swift"), "\(path):\(index + 1): \(line)")
      }
    }
  }

  @Test func `are at most 100, in the libraries only`() throws {
    var count = 0
    for path in try Repository.paths(in: "Sources", ending: ".swift") {
      let found = CodeBlocks.lines(try Repository.text(path)).count(where: Self.isPublic)
      count += found
      let isInLibrary = Self.folders.contains { path.hasPrefix($0 + "/") }
      #expect(found == 0 || isInLibrary, "\(path)")
    }
    #expect(count > 0 && count <= 100)
  }

  /// Returns whether a line of code declares something `public`; an import declares nothing.
  private static func isPublic(_ line: String) -> Bool {
    !line.hasPrefix("//") && !line.hasPrefix("public import ")
      && line.split(separator: " ").contains("public")
  }

  /// The lines of all tests of this target.
  private static func tests() throws -> String {
    let texts = try Repository.paths(in: "Tests/LibraryTests", ending: ".swift").map { path in
      CodeBlocks.lines(try Repository.text(path)).joined(separator: "\n")
    }
    return texts.joined(separator: "\n")
  }

  private func expectTests(_ path: String, _ tests: String) throws {
    let text = try Repository.text(path)
    for block in CodeBlocks(text, isSource: path.hasSuffix(".swift")).blocks {
      let lines = "\n" + block.joined(separator: "\n") + "\n"
      #expect(tests.contains(lines), "\(path): no test has this example:\(lines)")
    }
  }
}
