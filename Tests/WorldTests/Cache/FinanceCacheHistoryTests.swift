import PipelineTestSupport
import SubreportTestSupport
import Testing

@Suite("With a cache of finance files")
struct FinanceCacheHistoryTests {
  @Test(arguments: histories(16))
  func `says what a run without says, whatever happens`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sandbox = try CacheSandbox()
    for _ in 0..<6 {
      for _ in 0..<3 {
        let name = try #require(financeFiles.keys.sorted().randomElement(using: &random))
        let bytes = try #require(financeFiles[name])
        let others = [name, name.replacing("0126", with: "0226"), "other-" + name]
        let path = try #require(others.randomElement(using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: sandbox.remove(path)
        case 1: try sandbox.write(path, gzip(bytes))
        case 2: try sandbox.write(path, Array(gzip(bytes).dropLast()))
        case 3: try sandbox.write(path, bytes + (bytes.split(separator: 10).last ?? []) + [10])
        default: try sandbox.write(path, bytes)
        }
      }
      if let entry = sandbox.entries.randomElement(using: &random), Bool.random(using: &random) {
        try sandbox.writeEntry(entry, Array(try sandbox.entry(entry).dropLast()))
      }
      let differences = try sandbox.differences(jobs: Int.random(in: 1..<4, using: &random))
      #expect(differences.filter { !$0.hasPrefix("cache: rebuilt the entry of ") } == [])
      #expect(try sandbox.differences() == [])
    }
  }
}
