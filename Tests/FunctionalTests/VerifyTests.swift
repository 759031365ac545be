import Glibc
import SubreportTestSupport
import Testing

/// Changes a folder of `report` or its inputs, which a case cannot do.
@Suite("verify")
struct VerifyTests {
  private static let closing = "; computed again from the inputs"

  /// Reports in the folder `in`, and a folder `out` made by `report in -o out -q`; for all tests.
  private static let made = Result {
    let sandbox = try Sandbox()
    let world = "simulate -o in --subscribers 20 --from 2026-01-01 --to 2026-02-02"
    try #require(try sandbox.run(world).status == 0)
    removeTree(sandbox.work + "/in/truth")
    try #require(try sandbox.run("report in -o out -q").status == 0)
    return sandbox
  }

  /// A sandbox with reports in the folder `in`, and a folder `out` made by `report`.
  private func world(_ words: String = "report in -o out -q") throws -> Sandbox {
    let sandbox = try Sandbox(copyOf: Self.made.get())
    if words != "report in -o out -q" {
      removeTree(sandbox.work + "/out")
      try #require(try sandbox.run(words).status == 0)
    }
    return sandbox
  }

  /// A sandbox with the reports, rates and options of a case.
  private func converted() throws -> Sandbox {
    let sandbox = try Sandbox()
    let folder = Repository.root + "/Tests/FunctionalTests/Cases/report/converted/"
    for name in ["rates.csv"] + names(inFolder: folder + "reports").map({ "reports/" + $0 }) {
      let bytes = try #require(Files.bytes(of: folder + name))
      try Files.write(bytes, to: sandbox.work + "/" + name)
    }
    let config = "by = [\"country\"]\n[durations]\n\"com.example.year\" = \"1 Year\"\n"
    try Files.write(Array(config.utf8), to: sandbox.work + "/own.toml")
    let words = "report reports -o out -q --config own.toml --currency USD --rates rates.csv"
    try #require(try sandbox.run(words).status == 0)
    return sandbox
  }

  // MARK: Without a difference

  @Test(arguments: [
    "report in -o out -q -j 1", "report in -o out -q --cache cache",
    "report in -o out -q --memory 128M", "report in/sales in/subscriber in/receipts -o out -q",
    "report in -o out -q --by country,product --fiscal --as-of 2026-01-20 --source subscribers",
    "report in -o out -q --evidence", "report in -o out -q --evidence --cache cache -j 1",
  ])
  func `finds none, however the folder was made, and writes nothing`(_ words: String) throws {
    let sandbox = try world(words)
    let before = Files.paths(below: sandbox.work)
    let inputs = words.contains("in/sales") ? "in/receipts in/subscriber in/sales" : "in"
    let found = try sandbox.run("verify out \(inputs)")
    #expect(found.status == 0)
    #expect(found.errors == "")
    #expect(found.lines.count == 1)
    let line = found.lines.first ?? ""
    #expect(line.hasPrefix("out: no difference in ") && line.hasSuffix(Self.closing), "\(line)")
    #expect(Files.paths(below: sandbox.work) == before)
  }

  @Test
  func `finds none when all is elsewhere, and with one thread`() throws {
    let sandbox = try world()
    try Files.makeFolders(sandbox.work + "/deep/er")
    try #require(unsafe rename(sandbox.work + "/in", sandbox.work + "/deep/er/reports") == 0)
    try #require(unsafe rename(sandbox.work + "/out", sandbox.work + "/deep/tables") == 0)
    let found = try sandbox.run("verify deep/tables/ \(sandbox.work)/deep/er/reports -j 1")
    #expect(found.status == 0, "\(found.lines)")
    #expect(found.lines.last?.hasPrefix("deep/tables: no difference in ") == true)
  }

  @Test
  func `says that only the folder was compared when no input is named`() throws {
    let sandbox = try world()
    let found = try sandbox.run("verify out")
    #expect(found.status == 0)
    #expect(found.lines.count == 1)
    #expect(
      found.lines.last?.hasSuffix(
        "; only the folder was compared with its manifest, because no input was named") == true)
    // Inputs of the config file are not those of the run.
    try Files.write(Array("inputs = [\"in\"]\n".utf8), to: sandbox.work + "/subreport.toml")
    #expect(try sandbox.run("verify out").lines == found.lines)
  }

  @Test
  func `takes options from the manifest, not from where it runs`() throws {
    let sandbox = try converted()
    removeTree(sandbox.work + "/own.toml")
    let config = Array("country = [\"FR\"]\ncache = \"cache\"\nstrict = true\n".utf8)
    try Files.write(config, to: sandbox.work + "/subreport.toml")
    let environment = ["SUBREPORT_AS_OF": "2020-01-01", "SUBREPORT_BY": "product"]
    let found = try sandbox.run("verify out reports", environment: environment)
    #expect(found.status == 0, "\(found.lines) \(found.errors)")
    #expect(found.lines.count == 1)
    #expect(!Files.isFolder(sandbox.work + "/cache"))
  }

  // MARK: Differences

  /// Changes one bit of a file.
  private func flip(
    _ path: String, in sandbox: Sandbox, using random: inout SeededGenerator
  ) throws -> [UInt8] {
    let bytes = try #require(Files.bytes(of: sandbox.work + "/" + path))
    var other = bytes
    other[Int.random(in: 0..<bytes.count, using: &random)] ^=
      1 << UInt8.random(in: 0..<8, using: &random)
    try Files.write(other, to: sandbox.work + "/" + path)
    return bytes
  }

  @Test
  func `finds a bit of any output`() throws {
    let sandbox = try world()
    var random = SeededGenerator(seed: 1)
    let outputs = Files.paths(below: sandbox.work + "/out").filter { $0 != "manifest.json" }
    let count = TestTier.current.cases(of: outputs.count)
    for name in outputs.shuffled(using: &random).prefix(count) {
      let bytes = try flip("out/" + name, in: sandbox, using: &random)
      for (words, end) in [("verify out", "was named"), ("verify out in", Self.closing)] {
        let found = try sandbox.run(words)
        #expect(found.status == 1)
        #expect(found.lines.count == 2)
        #expect(found.lines.first?.hasPrefix("out/\(name): found sha256 ") == true)
        let line = found.lines.last ?? ""
        #expect(line.hasPrefix("out: 1 difference in ") && line.hasSuffix(end), "\(line)")
      }
      try Files.write(bytes, to: sandbox.work + "/out/" + name)
    }
  }

  @Test
  func `finds a bit of any input`() throws {
    let sandbox = try world()
    var random = SeededGenerator(seed: 2)
    let inputs = Files.paths(below: sandbox.work + "/in")
    let count = TestTier.current.cases(of: inputs.count)
    for name in inputs.shuffled(using: &random).prefix(count) {
      let bytes = try flip("in/" + name, in: sandbox, using: &random)
      let found = try sandbox.run("verify out in")
      #expect(found.status == 1)
      #expect(found.errors == "")
      #expect(found.lines.count == 2)
      #expect(found.lines.first?.hasPrefix("input \(name): found sha256 ") == true)
      #expect(
        found.lines.last?.hasSuffix("; not computed again, because inputs differ") == true)
      try Files.write(bytes, to: sandbox.work + "/in/" + name)
    }
    #expect(try sandbox.run("verify out in").status == 0)
  }

  @Test
  func `finds a bit of the manifest, or says that another version wrote it`() throws {
    let sandbox = try world()
    var random = SeededGenerator(seed: 3)
    for _ in 0..<TestTier.current.cases(of: 40) {
      let bytes = try flip("out/manifest.json", in: sandbox, using: &random)
      let found = try sandbox.run("verify out in")
      let isOther = found.lines.first?.hasPrefix("out: written by subreport ") == true
      #expect(found.status == 1 || found.status == 2 || isOther, "\(found.lines) \(found.errors)")
      try Files.write(bytes, to: sandbox.work + "/out/manifest.json")
    }
  }

  @Test
  func `names files that are missing, new or moved`() throws {
    let sandbox = try world()
    let inputs = Files.paths(below: sandbox.work + "/in")
    let (gone, moved) = (inputs[0], inputs[1])
    removeTree(sandbox.work + "/in/" + gone)
    try #require(unsafe rename(sandbox.work + "/in/" + moved, sandbox.work + "/in/z.gz") == 0)
    try Files.write(Array("x\n".utf8), to: sandbox.work + "/in/new.txt")
    removeTree(sandbox.work + "/out/churn.csv")
    try Files.write(Array("x\n".utf8), to: sandbox.work + "/out/mine.csv")
    let found = try sandbox.run("verify out in")
    #expect(found.status == 1)
    #expect(found.lines.count == 6)
    for beginning in [
      "out/churn.csv: not found, expected sha256 ",
      "out/mine.csv: found a file that manifest.json does not list; remove it",
      "input \(gone): not found, expected sha256 ",
      "input \(moved): found the same bytes as z.gz, expected this path; ",
      "input new.txt: found a file that the run did not read; leave it out",
      "out: 5 differences in ",
    ] {
      #expect(found.lines.contains { $0.hasPrefix(beginning) }, "\(beginning)")
    }
  }

  @Test
  func `prints five of many differences of a kind, and counts the others`() throws {
    let sandbox = try world()
    let found = try sandbox.run("verify out in/sales")
    #expect(found.status == 1)
    #expect(found.lines.count < 15, "\(found.lines)")
    #expect(found.lines.filter { $0.hasPrefix("input ") && $0.contains(": not found") }.count == 5)
    #expect(
      found.lines.contains {
        $0.hasPrefix("… and ")
          && $0.hasSuffix(
            " more differences of this kind: an input is not there; name the same folders as the run; -v prints each"
          )
      }, "\(found.lines)")
    let all = try sandbox.run("verify out in/sales -v")
    let count = found.lines.last.flatMap { $0.split(separator: " ").dropFirst().first }
    #expect(count.map(String.init) == "\(all.lines.count - 1)")
  }

  @Test
  func `is quiet with -q unless there is a difference, and has no format`() throws {
    let sandbox = try world()
    let found = try sandbox.run("verify out in -q")
    #expect(found.status == 0 && found.output == "" && found.errors == "")
    try Files.write(Array("x\n".utf8), to: sandbox.work + "/out/mine.csv")
    let added = try sandbox.run("verify out -q")
    #expect(added.status == 1)
    #expect(
      added.lines == ["out/mine.csv: found a file that manifest.json does not list; remove it"])
    let refused = try sandbox.run("verify out --json")
    #expect(refused.status == 64)
    #expect(
      refused.errors
        == "verify does not take --json: it prints lines of text; its exit code is 1 with a difference\n"
    )
  }

  @Test
  func `computes again: a number with its hash in the manifest is found by its line`() throws {
    let sandbox = try world()
    let (path, list) = (sandbox.work + "/out/churn.csv", sandbox.work + "/out/manifest.json")
    let text = try #require(Files.text(of: path))
    let edited = text.replacing("\nevents,2026-02,", with: "\nevents,2026-03,")
    try #require(edited != text)
    try Files.write(Array(edited.utf8), to: path)
    let manifest = try #require(Files.text(of: list)).replacing(
      referenceSHA256(Array(text.utf8)), with: referenceSHA256(Array(edited.utf8)))
    try Files.write(Array(manifest.utf8), to: list)
    #expect(try sandbox.run("verify out").status == 0)
    let found = try sandbox.run("verify out in")
    #expect(found.status == 1)
    #expect(found.lines.count == 2)
    let rows = edited.split(separator: "\n")
    let row = try #require(rows.firstIndex { $0.hasPrefix("events,2026-03,") })
    let beginning = "out/churn.csv:\(row + 1): found other text than these inputs give; "
    #expect(found.lines.first?.hasPrefix(beginning) == true, "\(found.lines)")
  }

  @Test
  func `looks for files of options by name and hash`() throws {
    let sandbox = try converted()
    let rates = sandbox.work + "/rates.csv"
    try #require(unsafe rename(rates, sandbox.work + "/kept.csv") == 0)
    let missing = try sandbox.run("verify out reports")
    #expect(missing.status == 1)
    #expect(missing.lines.count == 2)
    #expect(missing.lines.first?.hasPrefix("rates.csv: not found, expected sha256 ") == true)
    #expect(missing.lines.first?.hasSuffix("; name the file with --rates") == true)
    let end = "; not computed again, because files of options differ"
    #expect(missing.lines.last?.hasSuffix(end) == true)
    #expect(try sandbox.run("verify out reports --rates kept.csv").status == 0)
    try Files.write(Array("date,from,to,rate\n".utf8), to: rates)
    let changed = try sandbox.run("verify out reports")
    #expect(changed.status == 1)
    #expect(changed.lines.first?.hasPrefix("rates.csv: found sha256 ") == true)
  }

  // MARK: Errors

  @Test
  func `names another version first, and then compares`() throws {
    let sandbox = try world()
    let path = sandbox.work + "/out/manifest.json"
    let text = try #require(Files.text(of: path))
    let old = text.replacing("\"definitions\": ", with: "\"definitions\": 9")
    try Files.write(Array(old.utf8), to: path)
    let found = try sandbox.run("verify out in")
    #expect(found.status == 0)
    #expect(found.lines.count == 2)
    #expect(found.lines.first?.hasPrefix("out: written by subreport ") == true)
  }

  @Test
  func `needs a folder with a whole manifest`() throws {
    let sandbox = try world()
    let absent = try sandbox.run("verify in")
    #expect(absent.status == 2 && absent.lines.isEmpty)
    #expect(
      absent.errors.hasPrefix(
        "in/manifest.json: error: found no readable file (no such file or directory), expected "))
    let path = sandbox.work + "/out/manifest.json"
    let bytes = try #require(Files.bytes(of: path))
    try Files.write(Array(bytes.prefix(bytes.count / 2)), to: path)
    let cut = try sandbox.run("verify out in")
    #expect(cut.status == 2 && cut.lines.isEmpty)
    #expect(cut.errors.hasPrefix("out/manifest.json:"))
    #expect(cut.errors.hasSuffix("; the folder cannot be verified [bad-manifest]\n"))
    let unknown = String(decoding: bytes, as: UTF8.self)
      .replacing("\"options\": {", with: "\"options\": {\"jobs\": \"1\"")
    try Files.write(Array(unknown.utf8), to: path)
    let refused = try sandbox.run("verify out in")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("found the option \"jobs\", which no report records"))
  }

  @Test
  func `refuses options of report, and names an input that is not there`() throws {
    let sandbox = try world()
    let option = try sandbox.run("verify out in --strict")
    #expect(option.status == 64)
    #expect(
      option.errors
        == "verify does not take --strict: it repeats a run with the options of its manifest\n")
    let input = try sandbox.run("verify out nowhere")
    #expect(input.status == 2)
    #expect(
      input.errors.hasPrefix(
        "nowhere: error: found no file or folder (no such file or directory), expected "))
    let end = "; only the folder was compared with its manifest, because no input is there"
    #expect(input.lines.count == 1)
    #expect(input.lines.last?.hasSuffix(end) == true)
    let some = try sandbox.run("verify out nowhere in")
    #expect(some.status == 2 && some.errors == input.errors)
    #expect(some.lines.last?.hasSuffix(Self.closing) == true)
  }
}
