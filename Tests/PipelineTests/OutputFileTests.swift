import Files
import Glibc
import Testing

@Suite struct OutputFileTests {
  @Test
  func `writes a new file and leaves nothing beside it`() throws {
    let sandbox = try OutputSandbox()
    try writeFileAtomically(path: sandbox.root + "/churn.csv", bytes: Array("a\n".utf8))
    #expect(sandbox.names() == ["churn.csv"])
    #expect(sandbox.read("churn.csv") == "a\n")
  }

  @Test
  func `replaces a file and keeps its permissions`() throws {
    let sandbox = try OutputSandbox()
    try sandbox.write("churn.csv", "a longer old text\n")
    sandbox.setMode(0o600, "churn.csv")
    try sandbox.write(".churn.csv.staging-\(getpid())", "left by an earlier process with our id")
    try writeFileAtomically(
      path: sandbox.root + "/churn.csv", bytes: Array("new\n".utf8), cleanup: OutputCleanup())
    #expect(sandbox.read("churn.csv") == "new\n")
    #expect(sandbox.mode("churn.csv") == 0o600)
    #expect(sandbox.names() == ["churn.csv"])
  }

  @Test
  func `writes more than one system call takes`() throws {
    let sandbox = try OutputSandbox()
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
    try writeFileAtomically(path: sandbox.root + "/x.csv", bytes: bytes, cleanup: OutputCleanup())
    #expect(sandbox.read("x.csv")?.utf8.count == bytes.count)
  }

  @Test
  func `replaces what a link names and keeps the link`() throws {
    let sandbox = try OutputSandbox()
    try sandbox.write("real.csv", "old")
    sandbox.makeLink("link.csv", to: "real.csv")
    try writeFileAtomically(
      path: sandbox.root + "/link.csv", bytes: Array("new".utf8), cleanup: OutputCleanup())
    #expect(sandbox.read("real.csv") == "new")
    #expect(sandbox.read("link.csv") == "new")
  }

  @Test
  func `writes straight to a device`() throws {
    try writeFileAtomically(path: "/dev/null", bytes: Array("a\n".utf8), cleanup: OutputCleanup())
  }

  @Test
  func `names the output, not its temporary file, when the system refuses`() throws {
    let path = "/proc/churn.csv"
    #expect(throws: OutputError.system(operation: "create", path: path, number: ENOENT)) {
      try writeFileAtomically(path: path, bytes: [], cleanup: OutputCleanup())
    }
  }

  @Test
  func `refuses a folder, and a file in a folder that does not exist`() throws {
    let sandbox = try OutputSandbox()
    #expect(throws: OutputError.isAFolder(path: sandbox.root)) {
      try writeFileAtomically(path: sandbox.root, bytes: [], cleanup: OutputCleanup())
    }
    #expect(throws: OutputError.isAFolder(path: sandbox.root + "/x/")) {
      try writeFileAtomically(path: sandbox.root + "/x/", bytes: [], cleanup: OutputCleanup())
    }
    #expect(throws: OutputError.noParent(path: sandbox.root + "/x/a.csv")) {
      try writeFileAtomically(path: sandbox.root + "/x/a.csv", bytes: [], cleanup: OutputCleanup())
    }
    #expect(sandbox.names() == [])
  }

  static let manifests: [(String, [String]?)] = [
    (
      #"{"outputs": [{"path": "a.csv", "sha256": "1"}, {"sha256": "2", "path": "b/c.csv"}]}"#,
      ["a.csv", "b/c.csv"]
    ),
    (
      #"{"inputs":[{"path":"in"}],"outputs":[{"path":"a","of":{"path":"no"}}],"x":{"outputs":[1]}}"#,
      ["a"]
    ),
    (#"{"outputs": []}"#, []),
    (#"{"outputs": [{"path": "q\"\\\/\u00e9\ud83d\ude00.csv"}]}"#, ["q\"\\/é😀.csv"]),
    (#"{"note": "\"outputs\": [{\"path\": \"x\"}]", "outputs": [{"path": "}]"}]}"#, ["}]"]),
    (#"{"options": {"outputs": [{"path": "x"}]}}"#, nil),
    (#"[{"outputs": [{"path": "x"}]}]"#, nil),
    (#"{"outputs": [{"path": "a"}"#, nil),
    (#"{"outputs": [{"path": "a}]}"#, nil),
    (#"{"outputs": [{"path": "a"}}]"#, nil),
    (#"{"outputs": [{"path": "\u12"#, nil),
    (#"{"outputs": "a"}"#, nil),
    ("", nil),
  ]

  @Test(arguments: manifests)
  func `reads the outputs of a manifest, or nothing of what is no manifest`(
    manifest: String, paths: [String]?
  ) {
    #expect(OutputListing.paths(inManifest: Array(manifest.utf8)) == paths)
  }

  @Test
  func `reads a manifest as a report writes it`() {
    let text = manifest(listing: ["churn.csv", "summary.md"])
    #expect(OutputListing.paths(inManifest: Array(text.utf8)) == ["churn.csv", "summary.md"])
  }

  @Test
  func `prints an error as one line with its path and its code`() {
    #expect(
      "\(OutputError.locked(path: "out", pid: 42))"
        == "out: error: another run (process 42) is writing to this folder [output-locked]")
    #expect(
      "\(OutputError.system(operation: "write", path: "out/a.csv", number: ENOSPC))"
        == "out/a.csv: error: cannot write: no space left on device [output-not-written]")
  }

  @Test
  func `gives every error a path and a code of its own`() {
    let errors: [OutputError] = [
      .locked(path: "p", pid: nil), .foreignFile(folder: "p", file: "f"), .notAFolder(path: "p"),
      .isAFolder(path: "p"), .workingFolder(path: "p"), .mountPoint(path: "p"),
      .noParent(path: "p"),
      .unusableFolder(path: "p", .init(code: "c", message: "m", reason: .usage)),
      .interrupted(path: "p"),
      .notSynced(path: "p", isFolder: true, number: 1),
      .system(operation: "write", path: "p", number: 1),
    ]
    #expect(Set(errors.map(\.code)).count == errors.count)
    #expect(errors.allSatisfy { $0.path == "p" && !$0.message.contains("\n") })
  }
}
