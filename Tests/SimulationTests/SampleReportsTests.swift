import Simulation
import SubreportTestSupport
import Testing

@Suite("The sample reports")
struct SampleReportsTests {
  /// The folder in the repository; not part of every copy of the sources.
  static let folder = #filePath.sampleFolder

  @Test(.enabled(if: Files.isFolder(folder), "there is no folder sample-reports beside Tests"))
  func `are what the sample world writes`() throws {
    let world = try SimulatedFolder(.sample)
    let expected = world.files.filter { !$0.hasPrefix("truth/") }
    let found = Files.paths(below: Self.folder).filter { $0 != "README.md" }
    try #require(found == expected, "make them anew as sample-reports/README.md says")
    for file in expected {
      // The content, not the compressed bytes: another zlib may compress otherwise. No signatures:
      // they are others each time.
      let bytes = try #require(Files.bytes(of: Self.folder + "/" + file))
      let sample = try lastingLines(of: bytes, file)
      #expect(try sample == world.lastingContent(file), "\(file)")
    }
  }

  @Test(.enabled(if: Files.isFolder(folder), "there is no folder sample-reports"))
  func `are at most 5 MB`() throws {
    let sizes = try Files.paths(below: Self.folder).map { file in
      try #require(Files.bytes(of: Self.folder + "/" + file)).count
    }
    #expect(sizes.reduce(0, +) <= 5_000_000)
  }
}

extension String {
  fileprivate var sampleFolder: String {
    split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/sample-reports"
  }
}
