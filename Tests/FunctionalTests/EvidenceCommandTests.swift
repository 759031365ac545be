import SubreportTestSupport
import Testing

/// Writes folders with evidence, and verifies them.
@Suite("report --evidence")
struct EvidenceCommandTests {
  /// A sandbox with reports in the folder `in`, and a folder `out` with evidence.
  private func world(environment: [String: String] = [:]) throws -> Sandbox {
    let sandbox = try Sandbox()
    let world = "simulate -o in --subscribers 20 --from 2026-01-01 --to 2026-02-02"
    try #require(try sandbox.run(world).status == 0)
    removeTree(sandbox.work + "/in/truth")
    let report = try sandbox.run("report in -o out --evidence", environment: environment)
    try #require(report.status == 0, "\(report.errors)")
    #expect(report.errors.contains("evidence: ") && report.errors.contains(" add up to "))
    return sandbox
  }

  @Test
  func `is in the manifest, and without it the other files are the same`() throws {
    let sandbox = try world()
    let manifest = try #require(Files.text(of: sandbox.work + "/out/manifest.json"))
    #expect(manifest.contains("\"evidence\": \"true\""))
    #expect(manifest.contains("{\"path\": \"evidence/churn.csv.gz\", \"sha256\": \""))
    try #require(try sandbox.run("report in -o plain -q").status == 0)
    let files = Files.paths(below: sandbox.work + "/out").filter { !$0.hasPrefix("evidence/") }
    #expect(Files.paths(below: sandbox.work + "/plain").sorted() == files.sorted())
    for name in files where name != "manifest.json" {
      let bytes = Files.bytes(of: sandbox.work + "/out/" + name)
      #expect(bytes == Files.bytes(of: sandbox.work + "/plain/" + name), "\(name)")
    }
    // The folder is replaced as a whole: no evidence is left in it.
    try #require(try sandbox.run("report in -o out -q").status == 0)
    #expect(!Files.isFolder(sandbox.work + "/out/evidence"))
  }

  @Test
  func `takes evidence that another zlib has compressed, and finds other text in it`() throws {
    let sandbox = try world()
    let (path, list) = (
      sandbox.work + "/out/evidence/movement.csv.gz", sandbox.work + "/out/manifest.json"
    )
    let bytes = try #require(Files.bytes(of: path))
    let text = String(decoding: try #require(GzipMember.content(of: bytes)), as: UTF8.self)
    let edited = text.replacing("\nsubscribers,2026-01,", with: "\nsubscribers,2026-02,")
    try #require(edited != text)
    let manifest = try #require(Files.text(of: list))
    let cases: [(text: String, level: Int32, status: Int32)] = [(text, 1, 0), (edited, 6, 1)]
    for (text, level, status) in cases {
      let other = gzip(Array(text.utf8), level: level)
      try Files.write(other, to: path)
      let hashed = manifest.replacing(referenceSHA256(bytes), with: referenceSHA256(other))
      try Files.write(Array(hashed.utf8), to: list)
      let found = try sandbox.run("verify out in")
      #expect(found.status == status, "\(found.lines) \(found.errors)")
      let beginning = "out/evidence/movement.csv.gz:"
      #expect(found.lines.first?.hasPrefix(beginning) == (status == 1), "\(found.lines)")
    }
  }

  @Test
  func `needs the secret by which evidence names subscriptions`() throws {
    let key = ["SUBREPORT_ANONYMIZE_KEY": "secret"]
    let sandbox = try world(environment: key)
    let manifest = try #require(Files.text(of: sandbox.work + "/out/manifest.json"))
    #expect(manifest.contains("\"anonymize_key\": \"(hidden)\"") && !manifest.contains("secret"))
    #expect(try sandbox.run("verify out in", environment: key).status == 0)
    let without = try sandbox.run("verify out in")
    #expect(without.status == 1)
    #expect(without.lines.first?.hasPrefix("anonymize_key: not set, but the run ") == true)
    let end = "; not computed again, because anonymize_key is not set"
    #expect(without.lines.last?.hasSuffix(end) == true, "\(without.lines)")
    let other = ["SUBREPORT_ANONYMIZE_KEY": "other"]
    #expect(try sandbox.run("verify out in", environment: other).status == 1)
  }
}
