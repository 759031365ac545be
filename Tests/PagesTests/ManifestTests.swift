import Pages
import PipelineTestSupport
import ReportFolder
import SubreportTestSupport
import Testing

@Suite("The manifest")
struct ManifestTests {
  private typealias File = Manifest.File

  private static var full: Manifest {
    var call = RecordedCall()
    call.arguments = ["reports", "a \"b\"\n"]
    call.config = "own.toml"
    call.options = [
      .init("by", .list(["country,product", "a; b"])), .init("app", .list([])),
      .init("as_of", .text("2026-03-01")),
    ]
    call.sections = [
      .init("groups", [.init("com.example.a", "1"), .init("com.example.b", "\\ 2")]),
      .init("plans", [.init("Yearly", "9.99 USD\n8.99 EUR")]),
    ]
    call.files = [
      .init("rates", "rates.csv", "01"), .init("root_certificate", "a.cer", "02"),
      .init("root_certificate", "b.cer", ""),
    ]
    return Manifest(
      version: "0.1.0", call: call,
      ledger: Ledger.Part(path: "ledger.jsonl", length: 12, sha256: "06"),
      inputs: [File("a/x.txt", "03"), File("é\u{7F}.txt", "")],
      outputs: [File("summary.md", "04"), File("truth/chains.csv", "05")])
  }

  private func message(of text: String) -> String? {
    do throws(ManifestError) {
      _ = try Manifest(Array(text.utf8))
      return nil
    } catch {
      return "\(error.line): \(error.message)"
    }
  }

  @Test
  func `is read as it was written`() throws {
    let empty = Manifest(version: "", call: RecordedCall(), inputs: [], outputs: [])
    for manifest in [Self.full, empty] {
      let read = try Manifest(Array(manifest.text.utf8))
      #expect(read == manifest)
      #expect(read.text == manifest.text)
    }
    #expect(empty.text.contains("\"arguments\": [],\n  \"options\": {},\n  \"sections\": {},\n"))
  }

  @Test
  func `with other white space is the same, and of a newer program may say more`() throws {
    let text = Self.full.text
    #expect(try Manifest(Array(text.replacing("\n", with: "\r\n\t").utf8)) == Self.full)
    let newer = text.replacing("  \"inputs\"", with: "  \"more\": {\"a\": [1]},\n  \"inputs\"")
    #expect(try Manifest(Array(newer.utf8)) == Self.full)
  }

  @Test
  func `that is cut off is an error, wherever it ends`() {
    let bytes = Array(Self.full.text.utf8)
    // Without its last line feed it is whole.
    for count in 0..<bytes.count - 1 {
      #expect(throws: ManifestError.self, "\(count)") {
        _ = try Manifest(Array(bytes.prefix(count)))
      }
    }
  }

  @Test
  func `that report does not write is an error with its line`() {
    let text = Self.full.text
    let cases = [
      ("\"tool\": \"subreport\"", "\"tool\": \"other\"", "2: found another tool"),
      ("\"definitions\": ", "\"definitions\": \"\"", "4: found no whole number"),
      ("\"version\": \"0.1.0\"", "\"version\": 1", "3: found no text in quotes"),
      ("\"arguments\"", "\"words\"", "found no \"arguments\""),
      ("\"summary.md\"", "\"../summary.md\"", "found \"../summary.md\", expected a path"),
      ("\"summary.md\"", "\"/summary.md\"", "found \"/summary.md\", expected a path"),
      ("\"path\": \"summary.md\", ", "", "found a file without \"path\""),
      ("\"length\": 12, ", "", "found a ledger without \"path\", \"length\" or \"sha256\""),
      ("\"length\": 12", "\"length\": -1", "found a ledger without \"path\""),
      ("\"config\"", "\"tool\"", "found a key for the second time"),
      ("]\n}\n", "]\n}\n{}\n", "found text after the manifest"),
      (text, "[]\n", "1: found no JSON object"),
      (text, "", "1: found no JSON object"),
    ]
    for (old, new, expected) in cases {
      let found = message(of: text.replacing(old, with: new))
      #expect(found?.contains(expected) == true, "\(expected): \(found ?? "read")")
    }
  }

  // MARK: Inputs

  private func lines(_ expected: [File], _ found: [File]) -> [String] {
    var call = RecordedCall()
    call.arguments = ["a", "b"]
    let manifest = Manifest(version: "", call: call, inputs: expected, outputs: [])
    return manifest.differences(ofInputs: found).map { $0.line("out") }
  }

  @Test
  func `finds no difference in the same inputs in another order`() {
    let files = [File("a", "1"), File("b", "2"), File("c", "2"), File("c", "2")]
    #expect(lines(files, files) == [])
    #expect(lines(files, files.reversed()) == [])
  }

  @Test
  func `names inputs that are missing, changed, new, moved or in another order`() {
    #expect(
      lines(
        [File("a", "1"), File("b", "2"), File("c", "3"), File("e", "5"), File("g", "6")],
        [File("a", "9"), File("d", "4"), File("f", "5"), File("b", "2"), File("g", "")])
        == [
          "input a: found sha256 9, expected sha256 1; give the file that the run read",
          "input c: not found, expected sha256 3; name the folder or file that has it",
          "input d: found a file that the run did not read; leave it out",
          "input e: found the same bytes as f, expected this path; give it its path back, or name the folder that the run named",
          "input g: found no readable file, expected sha256 6; give the file that the run read",
        ])
    #expect(
      lines([File("a", "1"), File("a", "2")], [File("a", "2"), File("a", "1")]) == [
        "input a: found several inputs of this name in another order than the run; name the inputs in its order: a b"
      ])
    #expect(
      lines([File("a/x", "1"), File("b/x", "2")], [File("b/x", "2"), File("a/x", "1")]) == [
        "input x: found several inputs of this name in another order than the run; name the inputs in its order: a b"
      ])
    #expect(
      lines([File("a", "1"), File("a", "2")], [File("a", "2")]) == [
        "input a: not found, expected sha256 1; name the folder or file that has it"
      ])
  }

  @Test
  func `shows whole hashes where the first digits are the same`() {
    #expect(
      lines([File("a", "0123456789abcdef")], [File("a", "0123456789abcdee")]) == [
        "input a: found sha256 0123456789abcdee, expected sha256 0123456789abcdef; give the file that the run read"
      ])
    #expect(
      lines([File("a", "0123456789abcdef")], [File("a", "f123456789abcdee")]) == [
        "input a: found sha256 f123456789ab…, expected sha256 0123456789ab…; give the file that the run read"
      ])
  }

  // MARK: The folder

  /// A folder with the files of a report, and their manifest.
  private func folder(_ outcome: RunOutcome) throws -> ReportSandbox {
    let sandbox = try ReportSandbox()
    for (name, bytes) in outcome.files { try sandbox.write(name, bytes) }
    return sandbox
  }

  private func differences(of sandbox: ReportSandbox, _ manifest: Manifest) throws -> [Difference] {
    let bytes = try sandbox.bytes("manifest.json")
    return try manifest.differences(of: sandbox.path, bytes, isOfThisProgram: true)
  }

  @Test
  func `finds each file of the folder that has another bit, is gone, or was added`() throws {
    let world = try SimulatedReports(seed: 430, subscribers: 40, to: "2026-02-02")
    let outcome = try RunOutcome(try world.sandbox())
    let manifest = outcome.report.manifest
    let sandbox = try folder(outcome)
    #expect(try differences(of: sandbox, manifest) == [])
    var random = SeededGenerator(seed: 430)
    for file in manifest.outputs {
      let bytes = try sandbox.bytes(file.path)
      let place = Int.random(in: 0..<bytes.count, using: &random)
      var other = bytes
      other[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try sandbox.write(file.path, other)
      let hash = referenceSHA256(other)
      #expect(try differences(of: sandbox, manifest) == [.outputChanged(file, found: hash)])
      sandbox.remove(file.path)
      #expect(try differences(of: sandbox, manifest) == [.outputMissing(file)])
      sandbox.makeFolder(file.path)
      #expect(try differences(of: sandbox, manifest) == [.outputUnreadable(file)])
      sandbox.remove(file.path)
      try sandbox.write(file.path, bytes)
    }
    try sandbox.write("old/notes.txt", "mine\n")
    try sandbox.write(".hidden", "")
    #expect(
      try differences(of: sandbox, manifest) == [
        .outputAdded(path: ".hidden"), .outputAdded(path: "old"),
      ])
    sandbox.remove("old")
    sandbox.remove(".hidden")
    try sandbox.write("manifest.json", manifest.text + "\n")
    #expect(try differences(of: sandbox, manifest) == [.manifestEdited])
  }

  @Test
  func `finds what the inputs do not give, with the line`() throws {
    let world = try SimulatedReports(seed: 431, subscribers: 40, to: "2026-02-02")
    let outcome = try RunOutcome(try world.sandbox())
    let sandbox = try folder(outcome)
    var manifest = outcome.report.manifest
    #expect(manifest.differences(of: outcome.report, in: sandbox.path) == [])
    // Someone writes another number and its hash.
    let edited = outcome.text("churn.csv").replacing("\nevents,2026-02,", with: "\nevents,2026-03,")
    try #require(edited != outcome.text("churn.csv"))
    let line = edited.split(separator: "\n").firstIndex { $0.hasPrefix("events,2026-03,") }
    try sandbox.write("churn.csv", edited)
    let place = try #require(manifest.outputs.firstIndex { $0.path == "churn.csv" })
    manifest.outputs[place].sha256 = referenceSHA256(Array(edited.utf8))
    #expect(
      manifest.differences(of: outcome.report, in: sandbox.path) == [
        .computedOther(path: "churn.csv", line: line.map { $0 + 1 })
      ])
    sandbox.remove("churn.csv")
    #expect(
      manifest.differences(of: outcome.report, in: sandbox.path) == [
        .computedOther(path: "churn.csv", line: nil)
      ])
    manifest.outputs[place].path = "more.csv"
    #expect(
      manifest.differences(of: outcome.report, in: sandbox.path) == [
        .computedMore(path: "churn.csv"), .computedLess(path: "more.csv"),
      ])
  }
}
