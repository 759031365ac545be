import Glibc
import Testing

/// Runs every folder `Cases/TOPIC/NAME` with the built program.
@Suite("functional cases")
struct FunctionalTests {
  static let cases = FunctionalCase.all(below: Repository.root + "/Tests/FunctionalTests/Cases")

  /// Whether to rewrite what is expected; the difference in the repository is then the review.
  static let isRecording = unsafe getenv("SUBREPORT_RECORD").map { unsafe $0.pointee } == 0x31

  @Test func casesAreFound() { #expect(!Self.cases.isEmpty) }

  @Test(arguments: cases)
  func `prints, writes and exits as recorded`(_ functionalCase: FunctionalCase) throws {
    let found = try functionalCase.run()
    guard !Self.isRecording else { return try functionalCase.record(found) }
    let expected = try functionalCase.recorded()
    for file in Set(expected.keys).union(found.keys).sorted() {
      let difference = TextDifference.description(
        of: file, expected: expected[file], found: found[file])
      if let difference { Issue.record("\(functionalCase.name)/\(difference)") }
    }
  }
}
