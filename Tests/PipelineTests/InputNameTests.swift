import Files
import Pages
import Pipeline
import PipelineTestSupport
import SubreportTestSupport
import Testing

@Suite("Names of files")
struct InputNameTests {
  private func names(_ sandbox: ReportSandbox, _ inputs: String...) -> [String] {
    InputListing.list(inputs.map { sandbox.path + "/" + $0 }).files.map(\.relativePath)
  }

  @Test
  func `have as many folders as tell two inputs apart, and only where two files have one name`()
    throws
  {
    let sandbox = try ReportSandbox([
      "jan/x.txt": [1], "feb/x.txt": [2], "feb/y.txt": [2],
      "a/in/d/z.txt": [3], "b/in/d/z.txt": [4], "other/jan/x.txt": [5],
    ])
    #expect(names(sandbox, "jan") == ["x.txt"])
    #expect(names(sandbox, "jan", "feb") == ["jan/x.txt", "feb/x.txt", "y.txt"])
    #expect(names(sandbox, "feb", "jan/x.txt") == ["feb/x.txt", "jan/x.txt", "y.txt"])
    #expect(names(sandbox, "a/in", "b/in") == ["a/in/d/z.txt", "b/in/d/z.txt"])
    // The name of the third file is its path below its input: the other ones need a folder more.
    let three = names(sandbox, "jan", "feb", "other")
    #expect(Set(three).count == 4 && three.first == "jan/x.txt", "\(three)")
    #expect(three.dropFirst().prefix(2).allSatisfy { $0.split(separator: "/").count > 2 })
    // One file that is named twice keeps its name.
    #expect(names(sandbox, "jan/x.txt", "jan/x.txt") == ["x.txt", "x.txt"])
  }

  @Test
  func `are those of the files of a run, whose kind and day are still told from their own name`()
    throws
  {
    let (name, report) = (subscriberName(5), ReportText.subscriber.with([:]).bytes)
    let sandbox = try ReportSandbox(["jan/\(name)": report, "feb/\(name)": report + [10]])
    let result = carryOut([sandbox.path + "/jan", sandbox.path + "/feb"])
    #expect(result.files.map(\.file.relativePath) == ["jan/\(name)", "feb/\(name)"])
    #expect(result.files.map(\.file.name) == [name, name])
    #expect(result.files.map(\.isUsed).contains(true))
  }

  @Test
  func `are of one folder by a relative and by an absolute path`() throws {
    let here = try #require(OutputFileSystem.resolved("."))
    let parts = ["Sources/../Tests/Page", "./Tests/PagesTests"]
    let mixed = InputListing.list([here + "/Tests/Page", "Tests/PagesTests"]).files
    let relative = InputListing.list(parts).files
    let folders = { (files: [InputFile]) in Set(files.map { $0.folder.joined(separator: "/") }) }
    #expect(folders(relative) == folders(mixed))
    #expect(folders(mixed).contains("Tests/PagesTests"))
    // Relative to a folder above.
    let above = InputListing.list([
      here + "/Tests/Page", "../\(here.split(separator: "/").last ?? "")/Tests",
    ])
    #expect(folders(above.files).allSatisfy { $0.hasSuffix("/Tests/Page") || !$0.hasPrefix("..") })
    // Absolute paths alone stay as they are, and so do those of another folder.
    let absolute = InputListing.list([here + "/Tests/Page"]).files
    #expect(absolute.allSatisfy { $0.folder.first == "/" })
    let sandbox = try ReportSandbox(["jan/x.txt": [1]])
    let other = InputListing.list([sandbox.path + "/jan", "Tests/Page"]).files
    #expect(other.contains { $0.folder.first == "/" && $0.folder.last == "jan" })
  }

  @Test
  func `find one file or several`() throws {
    let sandbox = try ReportSandbox(["jan/x.txt": [1], "feb/x.txt": [2], "feb/y.txt": [2]])
    let files = InputListing.list([sandbox.path + "/jan", sandbox.path + "/feb"]).files
    let own = files.enumerated().map { (place: $0.offset, file: $0.element) }
    let places = { (text: String) in InputNames.places(of: text, in: own) }
    #expect(places("x.txt") == [0, 1])
    #expect(places("jan/x.txt") == [0] && places("feb/x.txt") == [1])
    #expect(places(sandbox.path + "/feb/x.txt") == [1])
    #expect(places("y.txt") == [2] && places("z.txt") == [] && places("") == [])
  }
}
